// Every SQL text of the MySQL store, by verb, for one prefix. Indexes are named wherever rows are locked: on a small table
// the planner would rather read all of it, and lock all of it. The run's row is the fence: each write of a Commit is
// conditional on it. No statement here needs RETURNING, which MySQL has not.
import { scopeKey } from "../keys.ts";
import type { ClaimQuery, RunSelector } from "../port.ts";
import { pinnedMs } from "../rules.ts";
import { keyText, lit, type Literal, scopeBytesMax, tuple, tuples } from "./wire/literal.ts";
import { checkpointNames, effectNames, eventNames, runNames } from "./rows.ts";
import { changingEffectColumns, engineColumnNames, inboxColumnNames } from "../sql/columns.ts";
import { type QueueSql, queueSqlFor } from "./queues/sql.ts";

/** The server's clock in milliseconds, whatever the session's time zone. */
export const serverNow = "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000)";

const unsettledSql = "('PENDING', 'RUNNING', 'PAUSED')";

const putColumns: string =
  "run_id, status, waiting, owner, state_version, commit_id, head_seq, head_link, persisted_at, due_at, exact_version, error_code, " +
  "idle_claims, scope, workflow_id, generation, workflow, version, epoch, token, created_at, tags, input_digest, root_run_id";
const putAfter: string =
  " on duplicate key update status = values(status), waiting = values(waiting), owner = values(owner), " +
  "state_version = values(state_version), commit_id = values(commit_id), head_seq = values(head_seq), head_link = values(head_link), " +
  "persisted_at = values(persisted_at), due_at = values(due_at), exact_version = values(exact_version), " +
  "error_code = values(error_code), idle_claims = 0";

/** Pairs of values for two columns, written so that every server's planner turns them into ranges of an index. */
export function anyPair(a: string, b: string, pairs: readonly (readonly string[])[]): string {
  return `(${pairs.map((x) => `(${a} = ${lit(x[0] ?? "")} and ${b} = ${lit(x[1] ?? "")})`).join(" or ")})`;
}

/** What one update of a run's row sets, beside its version. */
export interface AdvanceStatement {
  readonly runId: string;
  readonly epoch: number;
  readonly token: string;
  readonly stateVersion: number;
  readonly commitId: string;
  readonly status: string;
  readonly waiting: string | null;
  readonly head: { readonly seq: number; readonly link: string } | null;
  /** due_at as SQL; may use persisted_at, which is set before it. */
  readonly due: string;
  readonly release: boolean;
  readonly exactVersion: boolean | undefined;
  readonly notBefore: number | null;
  readonly errorCode: string | undefined;
}

/** Where due runs are looked for: one owner (null = none), one workflow, one version. */
export interface ClaimRange {
  readonly owner: string | null;
  readonly workflow: string;
  readonly version: string;
  /** Other versions than the engine's own: pinned runs are left out. */
  readonly loose: boolean;
}

type EnlistColumn = "serves" | "scope" | "kind" | "works";

export type Sql = ReturnType<typeof sqlFor>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- one object of texts; its type is read from it.
export function sqlFor(p: string, now: () => string) {
  /** As isPinned() in rules.ts says. */
  const pinned = (r: string): string => `${r}exact_version = 1 and ${r}persisted_at > ${now()} - ${pinnedMs}`;
  const candidate = (r: string): string =>
    `${r}run_id, ${r}owner, ${r}workflow, ${r}version, ${pinned(r)} as pinned, ${r}epoch, ${r}due_at, ${r}status, ${r}waiting, ${r}created_at, ${now()} as now_ms`;
  const lane = (scope: string, l: ClaimRange): string =>
    `owner ${l.owner === null ? "is null" : `= ${lit(l.owner)}`} and scope = ${lit(scope)} and workflow = ${lit(l.workflow)} ` +
    `and version = ${lit(l.version)} and due_at <= ${now()} and origin = 'engine'${l.loose ? ` and not (${pinned("")})` : ""} order by due_at, run_id`;

  return {
    /** What the names of tables begin with. */
    prefix: p as string,
    queue: queueSqlFor(p, now) as QueueSql,
    now: (): string => `select ${now()} as now_ms`,
    meta: `select format, oldest_reader, oldest_writer, incarnation, store_id, identity from ${p}meta`,

    // Commit.
    lockRuns: (ids: readonly string[], wait: boolean): string =>
      `select ${runNames}, ${now()} as now_ms from ${p}runs force index (primary) where run_id in ${tuple(ids)} ` +
      `order by run_id for update${wait ? "" : " skip locked"}`,
    existing: (ids: readonly string[]): string => `select run_id from ${p}runs where run_id in ${tuple(ids)}`,
    /** The rows that creates may meet: by id, by start key, and the latest of each workflowId. */
    met: (ids: readonly string[], starts: readonly (readonly string[])[], workflows: readonly (readonly string[])[]): string => {
      const r = runNames.replaceAll(/\w+/g, "r.$&");
      const parts = [`select 'id' as met_by, ${r} from ${p}runs r where r.run_id in ${tuple(ids)}`];
      if (starts.length > 0)
        parts.push(`select 'start', ${r} from ${p}runs r force index (start_key) where ${anyPair("r.scope", "r.idempotency_key", starts)}`);
      if (workflows.length > 0) {
        parts.push(
          `select 'latest', ${r} from (select scope, workflow_id, max(generation) as generation from ${p}runs force index (generation) ` +
            `where ${anyPair("scope", "workflow_id", workflows)} group by scope, workflow_id) m ` +
            `join ${p}runs r force index (generation) on r.scope = m.scope and r.workflow_id = m.workflow_id and r.generation = m.generation`,
        );
      }
      return parts.join(" union all ");
    },
    /** One run alone, conditional on fence and version. The time it was written at comes back as the insert id. */
    advance: (a: AdvanceStatement): string =>
      `update ${p}runs set status = ${lit(a.status)}, waiting = ${lit(a.waiting)}, state_version = state_version + 1, ` +
      `commit_id = ${lit(a.commitId)}, persisted_at = last_insert_id(greatest(persisted_at, ${now()})), due_at = ${a.due}, idle_claims = 0` +
      (a.head === null ? "" : `, head_seq = ${lit(a.head.seq)}, head_link = ${lit(a.head.link)}`) +
      (a.release ? ", owner = null" : "") +
      (a.exactVersion === undefined ? "" : `, exact_version = ${lit(a.exactVersion)}`) +
      (a.errorCode === undefined ? "" : `, error_code = ${lit(a.errorCode)}`) +
      ` where run_id = ${lit(a.runId)} and epoch = ${lit(a.epoch)} and token = ${lit(a.token)} and state_version = ${lit(a.stateVersion)} ` +
      `and commit_id <> ${lit(a.commitId)} and (status in ${unsettledSql} or origin = 'external')${a.notBefore === null ? "" : ` and ${now()} >= ${lit(a.notBefore)}`}`,
    writtenAt: "select last_insert_id() as at_ms",
    insertRuns: `insert into ${p}runs (${runNames}) values `,
    // Of rows that this transaction holds: each exists, so nothing is ever inserted, and the fillers are never read.
    putRuns: { before: `insert into ${p}runs (${putColumns}) values `, fillers: "0,'','',0,'','',0,'',0,'','',''", after: `${putAfter}` },
    insertEvents: `insert into ${p}events (run_id, ${eventNames}) values `,
    putViews: { before: `insert into ${p}views (run_id, name, value) values `, after: " on duplicate key update value = values(value)" },
    insertCheckpoints: `insert into ${p}checkpoints (${checkpointNames}) values `,
    putEffects: {
      before: `insert into ${p}effects (${effectNames}) values `,
      after: ` on duplicate key update ${changingEffectColumns.map((c) => `${c} = values(${c})`).join(", ")}`,
    },
    mark: (what: "taken" | "consumed", rows: readonly (readonly [string, number])[]): string =>
      `update ${p}inbox force index (primary) set taken = 1, wakes = 0${what === "consumed" ? ", consumed = 1" : ""} ` +
      `where inbox_id in ${tuple(rows.map((r) => r[1]))} and (run_id, inbox_id) in (${tuples(rows)})`,
    reply: (rows: readonly (readonly [string, number, string])[]): string =>
      `update ${p}inbox force index (primary) set reply = case inbox_id ` +
      `${rows.map((r) => `when ${lit(r[1])} then ${lit(r[2])}`).join(" ")} else reply end ` +
      `where inbox_id in ${tuple(rows.map((r) => r[1]))} and (run_id, inbox_id) in (${tuples(rows.map((r) => [r[0], r[1]]))})`,
    reject: (rows: readonly (readonly [string, number, string])[]): string =>
      `update ${p}inbox force index (primary) set rejected = case inbox_id ` +
      `${rows.map((r) => `when ${lit(r[1])} then ${lit(r[2])}`).join(" ")} else rejected end ` +
      `where inbox_id in ${tuple(rows.map((r) => r[1]))} and (run_id, inbox_id) in (${tuples(rows.map((r) => [r[0], r[1]]))})`,
    quiet: (ids: readonly string[]): string =>
      `update ${p}inbox force index (wakes) set wakes = 0 where wakes = 1 and run_id in ${tuple(ids)}`,
    knownDedup: (hashes: readonly string[]): string => `select dedup_hash from ${p}inbox where dedup_hash in ${tuple(hashes)}`,
    insertInbox: `insert into ${p}inbox (run_id, kind, name, id, payload, accepted_at, control, dedup_hash, taken, consumed, wakes, reply, sent_by, payload_digest) values `,
    moveAccepted: (from: string, to: string): string =>
      `update ${p}accepted a join ${p}inbox i on i.inbox_id = a.inbox_id and i.dedup_hash = a.key_hash set a.run_id = ${lit(to)} ` +
      // The end of a dispatch is about one step of one run.
      `where i.run_id = ${lit(from)} and i.consumed = 0 and i.kind <> 'result'`,
    moveInbox: (from: string, to: string, wakes: boolean): string =>
      `update ${p}inbox force index (of_run) set run_id = ${lit(to)}, taken = 0, wakes = ${lit(wakes)} ` +
      `where run_id = ${lit(from)} and consumed = 0 and kind <> 'result'`,

    // Runs and their logs.
    run: (runId: string): string => `select ${runNames}, ${now()} as now_ms from ${p}runs where run_id = ${lit(runId)}`,
    latest: (scope: string, workflowId: string): string =>
      `select ${runNames} from ${p}runs force index (generation) where scope = ${lit(scope)} and workflow_id = ${lit(workflowId)} ` +
      "order by generation desc limit 1",
    byStartKey: (scope: string, key: string): string =>
      `select ${runNames} from ${p}runs force index (start_key) where scope = ${lit(scope)} and idempotency_key = ${lit(key)}`,
    events: (runId: string, after: number, limit: number): string =>
      `select ${eventNames} from ${p}events where run_id = ${lit(runId)} and run_seq > ${lit(after)} order by run_seq limit ${lit(limit)}`,
    eventsByKeys: (runId: string, keys: readonly string[]): string =>
      `select ${eventNames} from ${p}events force index (idempotency) where run_id = ${lit(runId)} and idempotency_key in ${tuple(keys)} ` +
      "order by run_seq",
    eventsBySeqs: (runId: string, seqs: readonly number[]): string =>
      `select ${eventNames} from ${p}events where run_id = ${lit(runId)} and run_seq in ${tuple(seqs)} order by run_seq`,
    eventByKey: (runId: string, key: string): string =>
      `select ${eventNames} from ${p}events where run_id = ${lit(runId)} and idempotency_key = ${lit(key)}`,

    // Engines.
    engines: (): string => `select ${engineColumnNames}, renewed_at, session_boot, ${now()} as now_ms from ${p}engines order by engine_id`,
    /** W-116: in one transaction with `enlist`, so that a migration which shuts this writer out comes before or after. */
    admitted: `select format, oldest_writer from ${p}meta lock in share mode`,
    enlist: (engineId: string, leaseMs: number, boot: number | null, own: Readonly<Record<EnlistColumn, string | null>>): string =>
      `insert into ${p}engines (engine_id, lease_until, renewed_at, session_boot, dead, serves, scope, kind, works) ` +
      `values (${lit(engineId)}, ${now()} + ${lit(leaseMs)}, ${now()}, ${lit(boot)}, 0, ` +
      `${lit(own.serves)}, ${lit(own.scope)}, ${lit(own.kind)}, ${lit(own.works)}) on duplicate key update ` +
      "scope = if(dead, scope, values(scope)), kind = if(dead, kind, values(kind)), works = if(dead, works, values(works)), " +
      "lease_until = if(dead, lease_until, values(lease_until)), renewed_at = if(dead, renewed_at, values(renewed_at)), " +
      "session_boot = if(dead, session_boot, values(session_boot)), serves = if(dead, serves, values(serves))",
    renew: (engineId: string, leaseMs: number): string =>
      `update ${p}engines set lease_until = ${now()} + ${lit(leaseMs)}, renewed_at = ${now()} where engine_id = ${lit(engineId)} and dead = 0`,
    touch: (ids: readonly string[]): string => `update ${p}engines set renewed_at = ${now()} where engine_id in ${tuple(ids)} and dead = 0`,
    locked: (engineId: string, boot: number): string =>
      `update ${p}engines set session_boot = ${lit(boot)}, renewed_at = ${now()} where engine_id = ${lit(engineId)} and dead = 0`,
    // K1: one way, and only on evidence that still holds when it is written.
    retire: (engineId: string): string => `update ${p}engines set dead = 1 where engine_id = ${lit(engineId)} and dead = 0`,
    declareLapsed: (engineId: string): string =>
      `update ${p}engines set dead = 1 where engine_id = ${lit(engineId)} and dead = 0 and lease_until < ${now()}`,
    declareProven: (engineId: string, renewedAt: number): string =>
      `update ${p}engines set dead = 1 where engine_id = ${lit(engineId)} and dead = 0 and renewed_at = ${lit(renewedAt)}`,
    unneeded: `select e.engine_id from ${p}engines e where e.dead = 1 and not exists (select 1 from ${p}runs r where r.owner = e.engine_id and r.due_at is not null) and not exists (select 1 from ${p}dispatches d where d.worker = e.engine_id)`,
    forget: (ids: readonly string[]): string => `delete from ${p}engines where dead = 1 and engine_id in ${tuple(ids)}`,
    liveAmong: (ids: readonly string[]): string => `select engine_id from ${p}engines where dead = 0 and engine_id in ${tuple(ids)}`,

    // Claim: looking. Each part reads the few first entries of one stretch of an index, never all runs of a workflow.
    due: (scope: string, l: ClaimRange, limit: number): string =>
      `(select 'due' as part, ${candidate("")}, 0 as control, null as arrived_at from ${p}runs force index (due) where ${lane(scope, l)} limit ${lit(limit)})`,
    /** The next version after `above` (and before `below`) that any run of this owner and workflow has. */
    nextVersion: (scope: string, l: Omit<ClaimRange, "version" | "loose">, above: string, below: string | null): string =>
      `(select 'version' as part, ${candidate("")}, 0 as control, null as arrived_at from ${p}runs force index (due) where ` +
      `owner ${l.owner === null ? "is null" : `= ${lit(l.owner)}`} and scope = ${lit(scope)} and workflow = ${lit(l.workflow)} ` +
      `and version > ${lit(above)}${below === null ? "" : ` and version < ${lit(below)}`} order by version limit 1)`,
    owned: (engineId: string, limit: number): string =>
      `select run_id from ${p}runs force index (due) where owner = ${lit(engineId)} and due_at is not null limit ${lit(limit)}`,
    /** An owner that is not among the live: every stretch of the index between two live ones. */
    strayOwner: (live: readonly string[], above: string): string => {
      const bounds = live.filter((id) => id > above);
      const from = [above, ...bounds];
      const ranges = from.map((lo, i) => `(owner > ${lit(lo)}${bounds[i] === undefined ? "" : ` and owner < ${lit(bounds[i])}`})`);
      return `(select 'owner' as part, ${candidate("")}, 0 as control, null as arrived_at from ${p}runs force index (due) where ${ranges.join(" or ")} order by owner limit 1)`;
    },
    woken: (scope: string, live: readonly string[], q: ClaimQuery): string => {
      const names = [...new Set(q.serves.map((s) => s.workflow))];
      const known = names.length === 0 ? "false" : `r.workflow in ${tuple(names)}`;
      return (
        `(select straight_join 'woken' as part, ${candidate("r.")}, w.control, w.arrived_at from ` +
        `(select run_id, max(control) as control, min(accepted_at) as arrived_at from ${p}inbox force index (wakes) where wakes = 1 group by run_id) w ` +
        `join ${p}runs r force index (primary) on r.run_id = w.run_id where r.scope = ${lit(scope)} and r.status in ${unsettledSql} and r.origin = 'engine' ` +
        `and (r.owner is null${live.length === 0 ? " or true" : ` or r.owner not in ${tuple(live)}`}) ` +
        `and (${known}${q.control ? " or w.control = 1" : ""}))`
      );
    },
    named: (scope: string, runId: string): string =>
      `select 'named' as part, ${candidate("")}, exists (select 1 from ${p}inbox i where i.run_id = ${lit(runId)} and i.wakes = 1 and i.control = 1) ` +
      `as control, null as arrived_at from ${p}runs where run_id = ${lit(runId)} and scope = ${lit(scope)} and status in ${unsettledSql} and origin = 'engine'`,
    // Claim: taking, past whatever somebody else is taking.
    take: (scope: string, ids: readonly string[]): string =>
      `select ${runNames} from ${p}runs force index (primary) where run_id in ${tuple(ids)} and scope = ${lit(scope)} ` +
      `and status in ${unsettledSql} and origin = 'engine' order by run_id for update skip locked`,
    claim: (engineId: string, taken: readonly { runId: string; token: string }[]): string =>
      `update ${p}runs force index (primary) set owner = ${lit(engineId)}, epoch = epoch + 1, idle_claims = idle_claims + 1, ` +
      `token = case run_id ${taken.map((t) => `when ${lit(t.runId)} then ${lit(t.token)}`).join(" ")} else token end ` +
      `where run_id in ${tuple(taken.map((t) => t.runId))}`,

    // Inbox. A message holds its run's row shared, so that the run cannot settle or move its inbox meanwhile (I9).
    targetById: (runId: string): string =>
      `select ${runNames}, ${now()} as now_ms from ${p}runs force index (primary) where run_id = ${lit(runId)} lock in share mode`,
    targetByWorkflow: (scope: string, workflowId: string): string =>
      `select ${runNames}, ${now()} as now_ms from ${p}runs force index (generation) where scope = ${lit(scope)} ` +
      `and workflow_id = ${lit(workflowId)} order by generation desc limit 1 lock in share mode`,
    targetByStartKey: (scope: string, key: string): string =>
      `select ${runNames}, ${now()} as now_ms from ${p}runs force index (start_key) where scope = ${lit(scope)} ` +
      `and idempotency_key = ${lit(key)} lock in share mode`,
    /** Tells at once, by an error, that somebody who has not committed yet holds it, were it only by making it. */
    held: (runId: string): string => `select run_id from ${p}runs force index (primary) where run_id = ${lit(runId)} for update nowait`,
    accepted: (hash: string): string =>
      `select a.version, a.response, a.accepted_at, a.expires_at, a.run_id, a.inbox_id, i.reply, i.sent_by, i.payload_digest, i.rejected, 0 as bare from ${p}accepted a ` +
      `left join ${p}inbox i on i.inbox_id = a.inbox_id where a.key_hash = ${lit(hash)} union all ` +
      `select 0, null, 0, null, run_id, inbox_id, null, null, null, null, 1 from ${p}inbox where dedup_hash = ${lit(hash)}`,
    forgetAccepted: (hash: string): string => `delete from ${p}accepted where key_hash = ${lit(hash)}`,
    retireKey: (inboxId: number): string => `update ${p}inbox set dedup_hash = null where inbox_id = ${lit(inboxId)}`,
    insertAccepted: (row: readonly Literal[]): string =>
      `insert into ${p}accepted (key_hash, storage_key, accepted_at, expires_at, run_id, inbox_id, version, response) values ${tuple(row)}`,
    inboxOfRun: (runId: string, all: boolean): string =>
      `select ${inboxColumnNames} from ${p}inbox where run_id = ${lit(runId)}${all ? "" : " and consumed = 0"} order by inbox_id`,
    inboxOfOwner: (owner: string): string =>
      `select straight_join ${inboxColumnNames.replaceAll(/\w+/g, "i.$&")} from ${p}inbox i force index (wakes) ` +
      `join ${p}runs r force index (primary) on r.run_id = i.run_id where i.wakes = 1 and r.owner = ${lit(owner)} order by i.inbox_id`,
  };
}

/** The question for one run, whichever way it is named. */
export function oneRun(sql: Sql, q: RunSelector): string {
  if ("runId" in q) return sql.run(q.runId);
  const scope = keyText(scopeKey(q.scope), scopeBytesMax);
  return "workflowId" in q ? sql.latest(scope, keyText(q.workflowId)) : sql.byStartKey(scope, keyText(q.idempotencyKey));
}
