// What is listed and looked up by people, tools and readers, for the stores that speak SQL: runs and effects page by page, views,
// snapshots, checkpoints, key-value rows in order, consumers of the feed. Each is one statement that reads, by an index that every
// database has; none of them is on the path of a step.
import { checkEffectQuery } from "../check-text.ts";
import type { FullStore } from "../full-store.ts";
import { decodeEffectCursor, encodeEffectCursor, scopeKey } from "../keys.ts";
import type { EffectQuery } from "../port.ts";
import type { Feed, KvTable } from "../reader-store.ts";
import { type Dialect, textValue } from "./dialect.ts";
import { snapshotColumnNames } from "./queue-rows.ts";
import { sqlManyAtOnce } from "./many-at-once.ts";
import { Conditions, sqlRuns, type ListStatement } from "./run-pages.ts";

function effectsStatement(d: Dialect, q: EffectQuery): ListStatement {
  const where = new Conditions();
  where.equal("scope", d.scopeValue(scopeKey(q.scope)));
  where.equal("run_id", q.runId);
  where.equal(d.effectKeyColumn, q.key);
  where.equal("name", q.name);
  where.equal("receiver", q.receiver);
  where.equal("worker", q.worker);
  where.equal("step_id", q.stepId);
  // By its runs, which have an index of their own.
  if (q.workflowId !== undefined)
    where.add(
      `run_id in (select run_id from ${d.table("runs")} where scope = ? and workflow_id = ?)`,
      d.scopeValue(scopeKey(q.scope)),
      d.keyText(q.workflowId),
    );
  where.equal("class", q.class);
  where.equal("status", q.status);
  if (q.phase === "doubt") where.add(d.inDoubt);
  else where.equal("phase", q.phase);
  if (q.cursor !== undefined) {
    const { runId, seq } = decodeEffectCursor(q.cursor);
    where.add("run_id <= ? and (run_id < ? or seq > ?)", runId, runId, seq);
  }
  const text = `select ${d.effects.names} from ${d.table("effects")} where ${where.text} order by run_id desc, seq limit ?`;
  return { text, values: [...where.values, q.limit + 1] };
}

/** The rows of a page, and the last of them if there are more. One more than `limit` was asked for. */
function pageOf<T>(found: readonly T[], limit: number): { readonly page: readonly T[]; readonly last: T | undefined } {
  const page = found.slice(0, limit);
  return { page, last: found.length > limit ? page.at(-1) : undefined };
}

export function sqlListings(
  d: Dialect,
): Pick<FullStore, "runs" | "heads" | "payloadsAt" | "reusedKeys" | "ledgerParts" | "effects" | "views" | "snapshots" | "checkpoint"> {
  return {
    ...sqlManyAtOnce(d),
    runs: sqlRuns(d),
    async effects(q) {
      checkEffectQuery(q);
      const { text, values } = effectsStatement(d, q);
      const { page, last } = pageOf(
        (await d.read(text, values)).map((r) => d.toEffect(r, q.scope)),
        q.limit,
      );
      return last === undefined ? { effects: page } : { effects: page, cursor: encodeEffectCursor(last) };
    },
    async views(runId) {
      const rows = await d.read(`select name, value from ${d.table("views")} where run_id = ? order by name`, [runId], "views");
      return Object.fromEntries(rows.map((r) => [textValue(r["name"]), textValue(r["value"])]));
    },
    async snapshots(q) {
      const text = `select ${snapshotColumnNames} from ${d.table("snapshots")} where run_id = ? and at_seq <= ? order by at_seq desc limit ?`;
      const rows = await d.read(text, [q.runId, q.upTo ?? Number.MAX_SAFE_INTEGER, q.limit], "snapshots");
      return rows.map(({ run_id: runId, at_seq: at, digest, body }) => ({
        runId: textValue(runId),
        at: Number(at),
        digest: textValue(digest),
        body: textValue(body),
      }));
    },
    async checkpoint({ runId, stepId }) {
      const from = `select ${d.checkpoints.names} from ${d.table("checkpoints")} where run_id = ?`;
      const [row] =
        stepId === undefined
          ? await d.read(`${from} order by step_id desc limit 1`, [runId], "checkpoint")
          : await d.read(`${from} and step_id = ?`, [runId, stepId], "checkpointOfStep");
      return row === undefined ? undefined : d.toCheckpoint(row);
    },
  };
}

export function sqlKvListing(d: Dialect): Pick<KvTable, "list"> {
  const key = d.kvKeyColumn;
  const text = `select ${d.kvNames} from ${d.table("shelves")} where shelf = ? and ${key} > ? and ${key} < ? order by ${key} limit ?`;
  return {
    // Keys are printable ASCII: the empty text is before all of them, and U+007F after.
    list: async (q) => (await d.read(text, [q.collection, q.after ?? "", q.before ?? "\x7f", q.limit], "kvList")).map((r) => d.toKvRow(r)),
  };
}

export function sqlConsumers(d: Dialect): Pick<Feed, "consumers"> {
  const waiting = `(select count(*) from ${d.table("feed")} f where f.consumer_id = c.consumer_id) as waiting`;
  const text = `select c.name, c.joined_at, ${waiting} from ${d.table("consumers")} c where c.scope = ? order by c.name`;
  return {
    async consumers(scope) {
      const rows = await d.read(text, [d.scopeValue(scopeKey(scope))], "consumers");
      return rows.map((r) => ({ name: textValue(r["name"]), joinedAt: Number(r["joined_at"]), waiting: Number(r["waiting"]) }));
    },
  };
}
