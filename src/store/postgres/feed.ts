// The feed as SQL. Its rows are written by triggers on the runs, which exist while somebody has joined: a Commit's own
// statements know nothing of it, and whatever way a run is written, the row comes with it or not at all. Who joins or leaves
// holds the table of runs against writers for a moment, which waits for the Commits under way: none falls between. The lock
// is never waited for long, because everybody else would wait behind it.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { scopeKey } from "../keys.ts";
import type { ConsumerId, Feed } from "../reader-store.ts";
import { checkConsumer } from "../check-text.ts";
import { isContention, serverError } from "./errors.ts";
import { toFeedRow } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";
import type { UseSession } from "./kv.ts";
import { nowSql } from "./sql.ts";

/** What the owner of the tables runs where the joining role may not: then nobody needs more rights than an engine. */
export function feedTriggers(s: string): readonly string[] {
  const calls = `for each row when`;
  return [
    `create trigger feed_created after insert on ${s}.runs ${calls} (new.head_seq > 0) execute function ${s}.feed_row()`,
    `create trigger feed_advanced after update of head_seq on ${s}.runs ${calls} (new.head_seq <> old.head_seq) execute function ${s}.feed_row()`,
  ];
}

/** How often the lock is asked for, a quarter of a second each time; and the pause for others in between. */
const triesMax = 20;
const pauseMs = 100;
/** Runs that are laid out for a new consumer in one statement. */
const pageRuns = 2_000;

export function postgresFeed(s: string, platform: Platform, read: UseSession, write: UseSession): Omit<Feed, "consumers"> {
  const idText = `select consumer_id, filled from ${s}.consumers where scope = $1 and name = $2`;
  const find = async (r: BoundSession, c: ConsumerId): Promise<{ id: number; filled: boolean } | undefined> => {
    const row = (await r.query({ text: idText, values: [scopeKey(c.scope), c.name] })).rows[0];
    return row === undefined ? undefined : { id: Number(row["consumer_id"]), filled: row["filled"] === true };
  };

  /** `body` in a transaction that no Commit overlaps: those before it have ended, those after it see what it did. */
  const alone = async <T>(body: (r: BoundSession) => Promise<T>): Promise<T> => {
    for (let n = 1; ; n++) {
      try {
        return await read((r) => withRunsLocked(r, s, body));
      } catch (e) {
        const cause = e instanceof PawlError ? e.cause : e;
        if (!isContention(cause) || n >= triesMax) throw e;
        await new Promise<void>((resolve) => platform.timer(pauseMs, resolve, true));
      }
    }
  };

  /** The runs that were there, a page at a time; a kill in between leaves it unfilled, and the next to join starts again. */
  const fill = async (id: number, scope: string): Promise<void> => {
    const text =
      `with page as materialized (select run_id, head_seq, created_at from ${s}.runs where scope = $2 ` +
      `and (created_at, run_id) > ($3::bigint, $4::text) order by created_at, run_id limit ${pageRuns}), ` +
      `put as (insert into ${s}.feed (consumer_id, run_id, head_seq) select $1, run_id, head_seq from page order by created_at, run_id) ` +
      "select created_at, run_id from page order by created_at desc, run_id desc limit 1";
    for (let after: [number, string] = [-1, ""]; ;) {
      const last = (await write((r) => r.query({ text, values: [id, scope, ...after] }))).rows[0];
      if (last === undefined) break;
      after = [Number(last["created_at"]), String(last["run_id"])];
    }
    await write((r) => r.query({ text: `update ${s}.consumers set filled = true where consumer_id = $1`, values: [id] }));
  };

  return {
    async join(consumer, from) {
      checkConsumer("join", consumer);
      const scope = scopeKey(consumer.scope);
      let found = await read((r) => find(r, consumer));
      if (found?.filled === true) return "known";
      if (found === undefined) {
        const known = await alone(async (r) => {
          const other = await find(r, consumer);
          if (other !== undefined) return other.filled;
          await createTriggers(r, s);
          const text = `insert into ${s}.consumers (scope, name, joined_at, filled) values ($2, $3, ${nowSql}, $4)`;
          await r.query({ text, values: [r.settings.clock(), scope, consumer.name, from === "now"] });
          return false;
        });
        if (known) return "known";
        found = await read((r) => find(r, consumer));
      }
      if (found?.filled === false) await fill(found.id, scope);
      return "joined";
    },
    async leave(consumer) {
      if ((await read((r) => find(r, consumer))) === undefined) return;
      const last = await alone(async (r) => {
        const found = await find(r, consumer);
        if (found === undefined) return false;
        await r.query({ text: `delete from ${s}.feed where consumer_id = $1`, values: [found.id] });
        await r.query({ text: `delete from ${s}.consumers where consumer_id = $1`, values: [found.id] });
        return (await r.query({ text: `select 1 from ${s}.consumers limit 1` })).rows.length === 0;
      });
      // Left behind, the triggers do nothing but cost a little: a role that may not drop them need not.
      if (last) await alone((r) => dropTriggers(r, s)).catch(() => {});
    },
    async next(q) {
      const text =
        `select position, run_id, head_seq from ${s}.feed where consumer_id = ` +
        `(select consumer_id from ${s}.consumers where scope = $1 and name = $2) order by position limit $3`;
      const values = [scopeKey(q.consumer.scope), q.consumer.name, q.limit];
      return (await read((r) => r.query({ name: "pawl_feed_next", text, values }))).rows.map(toFeedRow);
    },
  };
}

async function withRunsLocked<T>(r: BoundSession, s: string, body: (r: BoundSession) => Promise<T>): Promise<T> {
  await r.exec("begin");
  try {
    await r.exec("set local lock_timeout = '250ms'");
    await r.exec(`lock table ${s}.runs in share row exclusive mode`);
    const value = await body(r);
    await r.exec("commit");
    return value;
  } catch (e) {
    await r.rollback();
    throw e;
  }
}

async function hasTriggers(r: BoundSession, s: string): Promise<boolean> {
  const text =
    "select count(*) as n from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace x on x.oid = c.relnamespace " +
    "where x.nspname = $1 and c.relname = 'runs' and t.tgname in ('feed_created', 'feed_advanced')";
  return Number((await r.query({ text, values: [s] })).rows[0]?.["n"]) === 2;
}

async function createTriggers(r: BoundSession, s: string): Promise<void> {
  if (await hasTriggers(r, s)) return;
  try {
    for (const statement of feedTriggers(s)) await r.exec(statement);
  } catch (e) {
    if (serverError(e)?.code !== "42501") throw e;
    const message = `postgres: this user may not create triggers on ${s}.runs; its owner runs: ${feedTriggers(s).join("; ")}`;
    throw new PawlError("PAWL3015", message, { cause: e, outcome: "none" });
  }
}

/** Only while nobody has joined again meanwhile. */
async function dropTriggers(r: BoundSession, s: string): Promise<void> {
  if ((await r.query({ text: `select 1 from ${s}.consumers limit 1` })).rows.length > 0) return;
  await r.exec(`drop trigger if exists feed_created on ${s}.runs; drop trigger if exists feed_advanced on ${s}.runs`);
}
