// Commits inside a transaction: the run rows are locked and read, the batch is decided in memory (draft.ts), what it
// decided is written as statements (flush.ts). A constant number of statements, whatever the batch. K7: many Commits never wait for a row
// lock, and answer `busy`; one alone waits as long as the session's lock time-out. The plainest case, one run that moves
// on, reads nothing at all: its update is conditional, and tells by its count whether the fence held.
import { isSettled } from "../../core/model.ts";
import { refuseAdvance } from "../decide.ts";
import { noticeKey, scopeKey } from "../keys.ts";
import type { Commit, CommitAnswer, NewRun } from "../port.ts";
import { dueTime, followsContinuation } from "../rules.ts";
import type { Connection } from "./wire/driver.ts";
import { BatchPlan, appendDependents, NeedsFullRead, emptyWrites, scopedKey } from "./batch-plan.ts";
import { isLockWait } from "./errors.ts";
import { dedupHash, type StatementLimits, sendStatements, type Statement, statementsOf } from "./statements.ts";
import { keyText, lit, type Literal, scopeBytesMax } from "./wire/literal.ts";
import { int, text, toRun } from "./rows.ts";

/** What each Commit is answered, if what is left to send can be sent. */
export interface DecidedBatch {
  readonly answers: readonly CommitAnswer[];
  readonly rest: readonly Statement[];
}

/** Inside a transaction: locks, reads and decides. Nothing counts before `rest` was sent and the transaction committed. */
export async function decideBatch(db: Connection, s: StatementLimits, batch: readonly Commit[], careful: boolean): Promise<DecidedBatch> {
  const [only] = batch;
  if (batch.length === 1 && only !== undefined && isPlain(only)) return advanceAlone(db, s, only);
  const draft = await loadRows(db, s, batch, careful);
  if (draft === "busy") return { answers: [{ kind: "busy" }], rest: [] };
  const answers: CommitAnswer[] = [];
  for (const c of batch) {
    if (draft.mustFlushBefore(c)) {
      await sendStatements(db, statementsOf(s, draft.writes));
      draft.writes = emptyWrites();
    }
    answers.push(draft.apply(c));
  }
  return { answers, rest: statementsOf(s, draft.writes) };
}

/** One run that moves on and touches no other. */
export function isPlain(c: Commit): boolean {
  return !("create" in c.expect) && c.children.length === 0 && c.notices.length === 0 && c.moveInboxTo === null;
}

/** How often a Commit may be found neither applied nor refused: only the clock moving past `notBefore` does that. */
const looksMax = 5;

async function advanceAlone(db: Connection, s: StatementLimits, c: Commit): Promise<DecidedBatch> {
  const { update, restAt } = plainStatements(s, c);
  const answered = (answer: CommitAnswer): DecidedBatch => ({ answers: [answer], rest: [] });
  for (let look = 0; look < looksMax; look++) {
    try {
      const done = await db.query(update);
      if (done.changes === 1) {
        // With a trigger on the runs the server no longer says it by itself.
        const at = done.insertId === 0 ? int((await db.query(s.sql.writtenAt)).rows[0] ?? {}, "at_ms") : done.insertId;
        return { answers: [committedAnswer(c, at)], rest: restAt(at) };
      }
    } catch (e) {
      if (isLockWait(e)) return answered({ kind: "busy" });
      throw e;
    }
    const found = (await db.query(s.sql.run(c.runId))).rows[0];
    const row = found === undefined ? undefined : toRun(found);
    const refused = refuseAdvance(c, row, int(found ?? {}, "now_ms"));
    if (refused === "duplicate" && row !== undefined)
      return answered({ kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children: [] });
    if (refused !== undefined && refused !== "duplicate") return answered(refused);
  }
  return answered({ kind: "busy" });
}

/** A plain Commit as statements: the update that tests the fence, and the rest once its time is known. */
export function plainStatements(s: StatementLimits, c: Commit): { readonly update: string; readonly restAt: (at: Literal) => Statement[] } {
  if ("create" in c.expect) throw new NeedsFullRead();
  const { fence, stateVersion } = c.expect;
  const settled = isSettled(c.status);
  const last = c.events.at(-1);
  const update = s.sql.advance({
    runId: c.runId,
    epoch: fence.epoch,
    token: fence.token,
    stateVersion,
    commitId: c.commitId,
    status: c.status,
    waiting: c.waiting,
    head: last === undefined ? null : { seq: last.runSeq, link: last.link },
    due: dueSql(c, settled),
    release: c.release || settled,
    exactVersion: c.exactVersion,
    notBefore: c.notBefore,
    errorCode: c.errorCode,
  });
  const restAt = (at: Literal): Statement[] => {
    const writes = emptyWrites();
    appendDependents(writes, c, 0, stateVersion + 1);
    return statementsOf(s, writes, at);
  };
  return { update, restAt };
}

export function committedAnswer(c: Commit, persistedAt: number): CommitAnswer {
  return { kind: "committed", persistedAt, dueAt: dueTime(c.due, persistedAt, isSettled(c.status)), children: [] };
}

/** due_at as SQL, over the persisted_at that the same update has just set. */
function dueSql(c: Commit, settled: boolean): string {
  if (settled) return "null";
  if (c.due.inMs === null) return lit(c.due.at);
  const relative = `persisted_at + ${lit(c.due.inMs)}`;
  return c.due.at === null ? relative : `least(${lit(c.due.at)}, ${relative})`;
}

/** Every create of the batch, children's children included. */
function allCreates(batch: readonly Commit[], into: { c: Commit; n: NewRun }[] = []): { c: Commit; n: NewRun }[] {
  for (const c of batch) {
    if ("create" in c.expect) into.push({ c, n: c.expect.create });
    if (c.children.length > 0) allCreates(c.children, into);
  }
  return into;
}

/** The rows that the batch will look at. What it may change is locked, in the order of ids. */
async function loadRows(db: Connection, s: StatementLimits, batch: readonly Commit[], careful: boolean): Promise<BatchPlan | "busy"> {
  const wanted = new Set<string>();
  for (const c of batch) {
    if (!("create" in c.expect)) wanted.add(c.runId);
    for (const n of c.notices) wanted.add(n.toRunId);
    if (c.moveInboxTo !== null) wanted.add(c.moveInboxTo);
  }
  const ids = [...wanted].sort();
  let rows: readonly Record<string, unknown>[] = [];
  if (ids.length > 0) {
    try {
      rows = (await db.query(s.sql.lockRuns(ids, batch.length === 1))).rows;
    } catch (e) {
      if (batch.length === 1 && isLockWait(e)) return "busy";
      throw e;
    }
  }
  const first = rows[0] ?? (await db.query(s.sql.now())).rows[0] ?? {};
  const news = allCreates(batch);
  const complete = careful || news.some((x) => x.n.supersedes !== null);
  const draft = new BatchPlan(int(first, "now_ms"), complete);
  for (const r of rows) draft.add(toRun(r));
  await followContinued(db, s, batch, draft);
  const missing = ids.filter((id) => !draft.runs.has(id));
  if (missing.length > 0 && batch.length > 1) {
    // Not there, or held by somebody else: the first is a fact about the run, the second only about this moment.
    for (const r of (await db.query(s.sql.existing(missing))).rows) draft.busy.add(text(r, "run_id"));
  }
  if (complete && news.length > 0) await readConflictingRows(db, s, news, draft);
  const keys = batch.flatMap((c) => c.notices.map(noticeKey));
  if (keys.length > 0) {
    const hashes = new Map(keys.map((k) => [dedupHash(k), k]));
    for (const r of (await db.query(s.sql.knownDedup([...hashes.keys()]))).rows)
      draft.knownNotices.add(hashes.get(text(r, "dedup_hash")) ?? "");
  }
  return draft;
}

/** The runs that continue where settled ones ended, held so that they cannot settle meanwhile. */
async function followContinued(db: Connection, s: StatementLimits, batch: readonly Commit[], draft: BatchPlan): Promise<void> {
  for (const c of batch) {
    for (const n of c.notices) {
      const named = draft.runs.get(n.toRunId);
      if (named === undefined || !followsContinuation(n.kind) || !isSettled(named.status)) continue;
      const scope = keyText(scopeKey(named.scope), scopeBytesMax);
      const [found] = (await db.query(s.sql.targetByWorkflow(scope, keyText(named.workflowId)))).rows;
      if (found === undefined) continue;
      const latest = toRun(found);
      if (!draft.runs.has(latest.runId)) draft.add(latest);
      draft.latestIds.set(scopedKey(latest.scope, latest.workflowId), latest.runId);
    }
  }
}

async function readConflictingRows(
  db: Connection,
  s: StatementLimits,
  news: readonly { c: Commit; n: NewRun }[],
  draft: BatchPlan,
): Promise<void> {
  const starts: string[][] = [];
  const workflows: string[][] = [];
  for (const { n } of news) {
    const scope = keyText(scopeKey(n.scope), scopeBytesMax);
    workflows.push([scope, keyText(n.workflowId)]);
    if (n.idempotencyKey !== null) starts.push([scope, keyText(n.idempotencyKey)]);
  }
  const found = await db.query(s.sql.met([...new Set(news.map((x) => x.c.runId))], starts, workflows));
  for (const r of found.rows) {
    const row = toRun(r);
    if (!draft.runs.has(row.runId)) draft.add(row);
    const by = text(r, "met_by");
    if (by === "latest") draft.latestIds.set(scopedKey(row.scope, row.workflowId), row.runId);
    if (by === "start" && row.idempotencyKey !== null) draft.startKeys.set(scopedKey(row.scope, row.idempotencyKey), row.runId);
  }
}
