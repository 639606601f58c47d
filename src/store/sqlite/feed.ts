// The feed as SQL. Its rows are written by triggers on the runs, which only exist while somebody has joined: a Commit's own statements know
// nothing of it, and whatever way a run is written, the row comes with it or not at all. Joining and leaving change schema and rows in
// one transaction under the file's one write lock.
import { checkConsumer } from "../check-text.ts";
import { scopeKey } from "../keys.ts";
import type { Feed } from "../reader-store.ts";
import { consumerIdOf, type KvDeps } from "./kv.ts";
import { toFeedRow } from "./rows.ts";
import type { Connection } from "./wire/driver.ts";

const insertFeedRows =
  "insert into pawl_feed (consumer_id, run_id, head_seq) select consumer_id, new.run_id, new.head_seq from pawl_consumers";
const triggerBody = `begin ${insertFeedRows} where scope = new.scope; end`;
const createTriggers = [
  `create trigger if not exists pawl_feed_created after insert on pawl_runs when new.head_seq > 0 ${triggerBody}`,
  `create trigger if not exists pawl_feed_advanced after update of head_seq on pawl_runs when new.head_seq <> old.head_seq ${triggerBody}`,
];
const dropTriggers = ["drop trigger if exists pawl_feed_created", "drop trigger if exists pawl_feed_advanced"];

export function sqliteFeed({ db, writer, now, open }: KvDeps & { readonly db: Connection }): Omit<Feed, "consumers"> {
  return {
    async join(consumer, from) {
      open();
      checkConsumer("join", consumer);
      return writer.write((st) => {
        if (consumerIdOf(st, consumer) !== undefined) return "known";
        const scope = scopeKey(consumer.scope);
        const id = st.join.run(scope, consumer.name, now()).lastInsertRowid;
        for (const statement of createTriggers) db.exec(statement);
        if (from === "start") st.backfill.run(id, scope);
        return "joined";
      });
    },
    async leave(consumer) {
      open();
      await writer.write((st) => {
        const id = consumerIdOf(st, consumer);
        if (id === undefined) return;
        st.forgetFeed.run(id);
        st.leave.run(id);
        if (st.anyConsumer.get() === undefined) for (const statement of dropTriggers) db.exec(statement);
      });
    },
    async next(q) {
      open();
      return writer.read((st) => {
        const id = consumerIdOf(st, q.consumer);
        return id === undefined ? [] : st.feed.all(id, q.limit).map(toFeedRow);
      });
    },
  };
}
