// The feed as SQL. Its rows are written by triggers on the runs, which exist while somebody has joined: a Commit's own
// statements know nothing of it, and whatever way a run is written, the row comes with it or not at all. Each such write
// first holds the row of meta shared; who joins or leaves holds it alone, which waits for the Commits under way: none falls
// between. DDL commits by itself here, so the triggers come before the consumer, and go after it, under a named lock.
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { scopeKey } from "../keys.ts";
import type { ConsumerId, Feed } from "../reader-store.ts";
import { checkConsumer } from "../check-text.ts";
import { retryOnConflict, type WriteDeps } from "./batch.ts";
import type { Connection } from "./wire/driver.ts";
import { isForbidden, isRetryable, alreadyExists, storeError } from "./errors.ts";
import { keyText, lit, scopeBytesMax, tuple } from "./wire/literal.ts";
import { transaction } from "./wire/pool.ts";
import { int, text, toFeedRow } from "./rows.ts";
import { consumerSql, type ReadDeps } from "./kv.ts";

export interface FeedDeps extends ReadDeps {
  readonly session: () => Promise<Connection>;
  readonly storeId: string;
}

/** What a user with more rights runs where the joining user may not: then nobody needs more rights than an engine. */
export function feedTriggers(p: string): readonly string[] {
  const body = (when: string): string =>
    `for each row if ${when} then begin declare held int; ` +
    `select one into held from ${p}meta where one = 1 lock in share mode; ` +
    `insert into ${p}feed (consumer_id, run_id, head_seq) select c.consumer_id, new.run_id, new.head_seq ` +
    `from ${p}consumers c where c.scope = new.scope lock in share mode; end; end if`;
  return [
    `create trigger ${p}feed_created after insert on ${p}runs ${body("new.head_seq > 0")}`,
    `create trigger ${p}feed_advanced after update on ${p}runs ${body("new.head_seq <> old.head_seq")}`,
    `update ${p}meta set feed = 1`,
  ];
}

const lockWaitS = 10;
/** How often a statement that waits for every open transaction is tried, a second each time. */
const triesMax = 10;
/** Runs that are laid out for a new consumer in one statement. */
const pageRuns = 2_000;

export function mysqlFeed(p: string, now: () => string, w: WriteDeps, o: FeedDeps): Omit<Feed, "consumers"> {
  const { read, open } = o;
  const find = async (db: Connection, c: ConsumerId): Promise<{ id: number; filled: boolean } | undefined> => {
    const row = (await db.query(`${consumerSql(p, c).replace("consumer_id", "consumer_id, filled")}`)).rows[0];
    return row === undefined ? undefined : { id: int(row, "consumer_id"), filled: int(row, "filled") === 1 };
  };
  const scopeText = (c: ConsumerId): string => lit(keyText(scopeKey(c.scope), scopeBytesMax));
  const write = <T>(db: Connection, body: () => Promise<T>): Promise<T> => retryOnConflict(w.platform, () => transaction(db, body));

  /** A session of its own that joins and leaves for everybody, one after the other. */
  const alone = async <T>(body: (db: Connection) => Promise<T>): Promise<T> => {
    const db = await o.session();
    try {
      const name = lit(`pawl_feed_${sha256Hex(`${o.storeId}/${p}`).slice(0, 40)}`);
      const got = (await db.query(`select get_lock(${name}, ${lockWaitS}) as got`)).rows[0]?.["got"];
      if (Number(got) !== 1)
        throw new PawlError("PAWL3001", "mysql: another process is joining or leaving the feed; try again", { outcome: "none" });
      await db.query("set session lock_wait_timeout = 1");
      return await body(db);
    } catch (e) {
      throw storeError(e, "commit");
    } finally {
      await db.close(); // and with it the lock
    }
  };
  /** The Commits under way have ended, and those that come see what is written now. */
  const holdAll = (db: Connection): Promise<unknown> => db.query(`select one from ${p}meta where one = 1 for update`);

  return {
    async join(consumer, from) {
      open();
      checkConsumer("join", consumer);
      if ((await read((db) => find(db, consumer)))?.filled === true) return "known";
      return alone(async (db) => {
        let found = await write(db, () => find(db, consumer));
        if (found?.filled === true) return "known";
        if (found === undefined) {
          await createTriggers(db, p);
          found = await write(db, async () => {
            await holdAll(db);
            const values = `(${scopeText(consumer)}, ${lit(consumer.name)}, ${now()}, ${lit(from === "now")})`;
            await db.query(`insert into ${p}consumers (scope, name, joined_at, filled) values ${values}`);
            return find(db, consumer);
          });
        }
        if (found?.filled === false) await fill(db, found.id, scopeText(consumer));
        return "joined";
      });
    },
    async leave(consumer) {
      open();
      if ((await read((db) => find(db, consumer))) === undefined) return;
      await alone(async (db) => {
        const last = await write(db, async () => {
          await holdAll(db);
          const found = await find(db, consumer);
          if (found === undefined) return false;
          await db.query(`delete from ${p}consumers where consumer_id = ${lit(found.id)}`);
          await db.query(`delete from ${p}feed where consumer_id = ${lit(found.id)}`);
          return (await db.query(`select 1 as found from ${p}consumers limit 1`)).rows.length === 0;
        });
        // Left behind, the triggers do nothing but cost a little: a user who may not drop them need not.
        if (last) await dropTriggers(db, p);
      });
    },
    async next(q) {
      open();
      const asked =
        `select position, run_id, head_seq from ${p}feed force index (of_consumer) where consumer_id = (${consumerSql(p, q.consumer)}) ` +
        `order by position limit ${lit(q.limit)}`;
      return (await read((db) => db.query(asked))).rows.map(toFeedRow);
    },
  };

  /** The runs that were there, a page at a time; a kill in between leaves it unfilled, and the next to join starts again. */
  async function fill(db: Connection, id: number, scope: string): Promise<void> {
    for (let after = { at: -1, runId: "" }; ;) {
      const page = await write(db, async () => {
        const { rows } = await db.query(
          `select run_id, head_seq, created_at from ${p}runs force index (newest) where scope = ${scope} and created_at >= ${lit(after.at)} ` +
            `and (created_at > ${lit(after.at)} or run_id > ${lit(after.runId)}) order by created_at, run_id limit ${pageRuns}`,
        );
        const values = rows.map((r) => tuple([id, text(r, "run_id"), int(r, "head_seq")]));
        if (values.length > 0) await db.query(`insert into ${p}feed (consumer_id, run_id, head_seq) values ${values.join(",")}`);
        return rows;
      });
      const last = page.at(-1);
      if (last === undefined) break;
      after = { at: int(last, "created_at"), runId: text(last, "run_id") };
    }
    await write(db, () => db.query(`update ${p}consumers set filled = 1 where consumer_id = ${lit(id)}`));
  }
}

/** A statement that waits for open transactions on the runs, while others wait behind it: briefly, and again. */
async function retryDdl(db: Connection, statement: string): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      await db.query(statement);
      return;
    } catch (e) {
      if (alreadyExists(e)) return;
      if (!isRetryable(e) || n >= triesMax) throw e;
    }
  }
}

async function createTriggers(db: Connection, p: string): Promise<void> {
  const names = tuple([`${p}feed_created`, `${p}feed_advanced`]);
  const seen = `select count(*) as n from information_schema.triggers where trigger_schema = database() and trigger_name in ${names}`;
  if (int((await db.query(seen)).rows[0] ?? {}, "n") === 2) return;
  try {
    for (const statement of feedTriggers(p)) await retryDdl(db, statement);
    await db.query("commit");
  } catch (e) {
    if (!isForbidden(e)) throw e;
    // Who has no right to create triggers sees none either; somebody else may have done it.
    const meta = (await db.query(`select feed from ${p}meta`)).rows[0] ?? {};
    if (int(meta, "feed") === 1) return;
    const message = `mysql: this user may not create triggers on ${p}runs; somebody who may runs: ${feedTriggers(p).join("; ")}`;
    throw new PawlError("PAWL3015", message, { cause: e, outcome: "none" });
  }
}

async function dropTriggers(db: Connection, p: string): Promise<void> {
  const told = async (feed: 0 | 1): Promise<void> => {
    await db.query(`update ${p}meta set feed = ${feed}`);
    await db.query("commit");
  };
  await told(0); // before the first is gone, so that nobody relies on the other
  try {
    for (const name of ["created", "advanced"]) await retryDdl(db, `drop trigger if exists ${p}feed_${name}`);
  } catch (e) {
    if (isForbidden(e)) await told(1);
  }
}
