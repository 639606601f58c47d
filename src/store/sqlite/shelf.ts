// Shelves and the feed as SQL. The feed's rows are written by triggers on the runs, which only exist while somebody has
// joined: a Commit's own statements know nothing of it, and whatever way a run is written, the row comes with it or not at
// all. Joining and leaving change schema and rows in one transaction under the file's one write lock.
import { scopeKey } from "../keys.ts";
import type { ConsumerId, Feed, PutAnswer, ShelfRow, Shelves } from "../shelf.ts";
import { checkConsumer, checkShelf } from "../text.ts";
import type { Connection } from "./driver.ts";
import { type Statements, toFeed, toShelf } from "./rows.ts";
import type { Writer } from "./writer.ts";

interface Parts {
  readonly writer: Writer;
  readonly now: () => number;
  /** Throws once the store is closed. */
  readonly open: () => void;
}

const row = "insert into pawl_feed (consumer_id, run_id, head_seq) select consumer_id, new.run_id, new.head_seq from pawl_consumers";
const fires = `begin ${row} where scope = new.scope; end`;
const arm = [
  `create trigger if not exists pawl_feed_created after insert on pawl_runs when new.head_seq > 0 ${fires}`,
  `create trigger if not exists pawl_feed_advanced after update of head_seq on pawl_runs when new.head_seq <> old.head_seq ${fires}`,
];
const disarm = ["drop trigger if exists pawl_feed_created", "drop trigger if exists pawl_feed_advanced"];

export function sqliteShelves({ writer, now, open }: Parts): Shelves {
  const find = (st: Statements, shelf: string, key: string): ShelfRow | undefined => {
    const found = st.shelfRow.get(shelf, key);
    return found === undefined ? undefined : toShelf(found);
  };
  return {
    async put(writes, seen): Promise<PutAnswer> {
      open();
      checkShelf("put", writes);
      return writer.write((st) => {
        const at = now();
        const wrong = writes.filter((w) => w.expect !== undefined && (find(st, w.shelf, w.key)?.version ?? 0) !== w.expect);
        if (wrong.length > 0) return { kind: "conflict", rows: wrong.flatMap((w) => find(st, w.shelf, w.key) ?? []) };
        for (const w of writes) {
          if (w.value === null) st.dropShelf.run(w.shelf, w.key);
          else st.putShelf.run(w.shelf, w.key, w.value, at);
        }
        const consumer = seen === undefined ? undefined : idOf(st, seen.consumer);
        if (consumer !== undefined) for (const p of seen?.positions ?? []) st.seen.run(p, consumer);
        return { kind: "put", at };
      });
    },
    async get(shelf, keys) {
      open();
      return writer.read((st) => [...new Set(keys)].flatMap((k) => find(st, shelf, k) ?? []));
    },
    async list(q) {
      open();
      // Keys are printable ASCII: the empty text is before all of them, and U+007F after.
      return writer.read((st) => st.shelfRows.all(q.shelf, q.after ?? "", q.before ?? "\x7f", q.limit).map(toShelf));
    },
  };
}

export function sqliteFeed({ db, writer, now, open }: Parts & { readonly db: Connection }): Feed {
  return {
    async join(consumer, from) {
      open();
      checkConsumer("join", consumer);
      return writer.write((st) => {
        if (idOf(st, consumer) !== undefined) return "known";
        const scope = scopeKey(consumer.scope);
        const id = st.join.run(scope, consumer.name, now()).lastInsertRowid;
        for (const statement of arm) db.exec(statement);
        if (from === "start") st.backfill.run(id, scope);
        return "joined";
      });
    },
    async leave(consumer) {
      open();
      await writer.write((st) => {
        const id = idOf(st, consumer);
        if (id === undefined) return;
        st.forgetFeed.run(id);
        st.leave.run(id);
        if (st.anyConsumer.get() === undefined) for (const statement of disarm) db.exec(statement);
      });
    },
    async consumers(scope) {
      open();
      const rows = await writer.read((st) => st.consumers.all(scopeKey(scope)));
      return rows.map((r) => ({ name: String(r["name"]), joinedAt: Number(r["joined_at"]), waiting: Number(r["waiting"]) }));
    },
    async next(q) {
      open();
      return writer.read((st) => {
        const id = idOf(st, q.consumer);
        return id === undefined ? [] : st.feed.all(id, q.limit).map(toFeed);
      });
    },
  };
}

function idOf(st: Statements, c: ConsumerId): number | undefined {
  return st.consumer.get(scopeKey(c.scope), c.name)?.["consumer_id"] as number | undefined;
}
