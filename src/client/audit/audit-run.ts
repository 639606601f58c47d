// One run, read whole and checked. An engine may be writing: everything is read between two looks at the run's row, and read
// again when the row moved on; whatever is found must be found again, the same, before it is reported. So a live run is never
// an alarm, and a damaged one always is.
import { isSettled } from "../../core/model.ts";
import { readPayload, type ChildRef } from "../../events/payload.ts";
import { idempotencyKey } from "../../events/event-key.ts";
import type { MessageRow, Repair } from "../../store/audit.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { EffectRecord, RunRow } from "../../store/port.ts";
import { compareCheckpoints, compareLedger, compareMessages, compareRun, compareViews } from "./compare-tables.ts";
import { LogFacts } from "./log-facts.ts";
import { Findings, type Finding } from "./finding.ts";
import { LogCheck } from "./log-check.ts";
import { AnnouncedSnapshots, checkSnapshots, snapshotsMax, type SnapshotReading } from "./snapshot-check.ts";
import { ReaderCheck } from "./reader-check.ts";
import { SuperstepCheck } from "./superstep-check.ts";
import { noOutsideEvidence, RunSeals, type OutsideEvidence, type RunSealing } from "./run-seals.ts";

const pageSize = 1_000;
/** As many as are shown of one run. */
const dispatchesMax = 5;
/** A run that never holds still for so many looks is checked as far as its log goes, which only grows. */
const readsMax = 12;

/** All that was read of one run, of one moment. */
export interface RunReading {
  readonly row: RunRow;
  readonly log: LogCheck;
  readonly facts: LogFacts;
  readonly effects: readonly EffectRecord[];
  readonly views: Readonly<Record<string, string>>;
  readonly messages: readonly MessageRow[];
  readonly findings: readonly Finding[];
  readonly sealing: RunSealing;
  /** Null: it has none, and its log announces none. */
  readonly snapshots: SnapshotReading | null;
  /** What its log says of its checkpoints, where a row says something else. */
  readonly checkpoints: NonNullable<Repair["checkpoints"]>;
}
export interface RunAudit {
  readonly findings: readonly Finding[];
  readonly events: number;
  /** It continued all the while: only its log was checked. */
  readonly busy: boolean;
  /** The last reading; none for rows without a run, or a busy one. */
  readonly reading?: RunReading;
  /** What its seals say; none for rows without a run. */
  readonly sealing?: RunSealing;
}

/** Null when the row is there and no run can be made of it: what should be JSON in it is none. */
export async function readableRow(store: FullStore, runId: string): Promise<RunRow | undefined | null> {
  try {
    return await store.run({ runId });
  } catch (e) {
    if (e instanceof SyntaxError) return null;
    throw e;
  }
}

/** `readers`: the consumers of the run's scope, whose rows are compared as well. `outside`: seals and heads to compare with. */
export async function auditRun(
  store: FullStore,
  runId: string,
  readers: readonly string[] = [],
  outside: OutsideEvidence = noOutsideEvidence,
): Promise<RunAudit> {
  if ((await readableRow(store, runId)) === null) return unreadableRun(runId);
  let before: string | null = null;
  for (let look = 0; look < readsMax; look++) {
    const row = await store.run({ runId });
    if (row === undefined) return auditOrphan(store, runId);
    const reading = await readRun(store, row, readers, outside);
    const now = await store.run({ runId });
    if (now === undefined || now.stateVersion !== row.stateVersion || now.commitId !== row.commitId) continue;
    const { findings } = reading;
    const told = JSON.stringify(findings);
    if (findings.length === 0 || told === before) {
      const { log, sealing } = reading;
      return { findings, events: log.count, busy: false, reading, sealing };
    }
    before = told; // found once: a message may have come in between two reads, so it is looked at again
  }
  return auditLogOnly(store, runId, outside);
}

async function readRun(store: FullStore, row: RunRow, readers: readonly string[], outside: OutsideEvidence): Promise<RunReading> {
  const { runId, scope } = row;
  const f = new Findings(runId);
  const checkpoints = await store.audit.checkpoints(runId);
  const times = new Map<number, number>();
  const versions = new Set(checkpoints.map((c) => c.stateVersion));
  const projected = await ReaderCheck.read(store, row, readers);
  const log = new LogCheck(row, f);
  const facts = new LogFacts();
  const seals = new RunSeals(row, outside, f);
  const announced = new AnnouncedSnapshots();
  const graph = new SuperstepCheck(row, f);
  for await (const e of eventsOf(store, runId)) {
    if (!log.expired) announced.add(e);
    const sound = log.add(e);
    seals.add(e);
    if (row.origin === "engine" && !log.expired) facts.add(sound ? e : { ...e, payload: null, payloadHash: "" });
    if (row.origin === "engine") graph.add(e);
    projected.add(e);
    if (versions.has(e.stateVersion)) times.set(e.stateVersion, e.persistedAt);
  }
  const effects = await ledgerOf(store, runId, scope);
  const views = await store.views(runId);
  const messages = await store.audit.messages(runId);
  const sealing = seals.finish();
  compareRun(row, log, facts, f);
  compareCheckpoints(row, checkpoints, times, f);
  const isWhole = row.origin === "engine" && !log.expired && row.expiredAt === null;
  const supersteps = graph.compare(checkpoints, isWhole);
  projected.compare(f);
  // Of a run whose payloads went with retention, or that continues in another store, the log is judged by itself.
  if (isWhole) {
    compareLedger(row, facts, effects, f);
    compareViews(facts, views, f);
    compareMessages(row, facts, messages, f);
    await compareFamily(store, row, facts, f);
  }
  await checkDispatches(store, row, f);
  const rows = await store.snapshots({ runId, limit: snapshotsMax });
  const judged = isWhole && (rows.length > 0 || announced.all.length > 0);
  const snapshots = judged ? await checkSnapshots(row, rows, announced.all, eventsOf(store, runId), f) : null;
  return { row, log, facts, effects, views, messages, findings: f.all, sealing, snapshots, checkpoints: supersteps };
}

/** A run that has ended leaves nothing for a worker to run. */
async function checkDispatches(store: FullStore, { runId, scope, status }: RunRow, f: Findings): Promise<void> {
  if (!isSettled(status) || store.lacks?.includes("queues") === true) return;
  for (const d of await store.queues.rows({ scope, runId, limit: dispatchesMax }))
    f.add("dispatches", "row", null, `${d.what} of event ${d.seq}`, d.dispatchId);
}

async function* eventsOf(store: FullStore, runId: string): AsyncGenerator<Awaited<ReturnType<FullStore["events"]>>[number]> {
  for (let after = 0; ;) {
    const page = await store.events({ runId, after, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.runSeq ?? after;
  }
}

async function ledgerOf(store: FullStore, runId: string, scope: RunRow["scope"]): Promise<readonly EffectRecord[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.effects({ scope, runId, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

/** Who called whom, and what continues what: each side's row against the other's log. A run that is gone, or cannot be read, says nothing. */
async function compareFamily(store: FullStore, row: RunRow, facts: LogFacts, f: Findings): Promise<void> {
  for (const { seq, child, stepId, state } of facts.calledRuns.values()) {
    if (state === "conflict") continue;
    const called = await readableRow(store, child.runId);
    if (called === null) continue;
    if (called === undefined) {
      if (state === "open") f.add("runs", "child", child.runId, null, seq);
      continue;
    }
    if (called.parentRunId !== row.runId || called.parentStepId !== stepId)
      f.add("runs", "child", `${row.runId}/${stepId}`, `${called.parentRunId ?? ""}/${called.parentStepId ?? ""}`, seq);
  }
  const before = row.originalRunId === null ? null : await readableRow(store, row.originalRunId);
  if (before !== undefined && before !== null) {
    if (before.workflowId === row.workflowId) f.same("runs", "generation", before.generation + 1, row.generation);
    if (facts.start?.retryOf !== undefined || facts.start?.restartOf !== undefined)
      f.same("runs", "rootRunId", before.rootRunId, row.rootRunId);
  }
  if ((row.parentRunId === null) !== (row.parentStepId === null)) f.add("runs", "parentStepId", row.parentRunId, row.parentStepId);
  if (row.parentRunId === null || row.parentStepId === null) return;
  const parent = await readableRow(store, row.parentRunId);
  if (parent === undefined || parent === null || parent.purgedAt !== null) return;
  const call = await childOf(store, parent, row.parentStepId);
  if (call !== "unknown") f.same("runs", "parentStepId", call?.workflowId ?? null, row.workflowId);
}

/** The run that a step of the parent's called. */
async function childOf(store: FullStore, parent: RunRow, stepId: string): Promise<ChildRef | undefined | "unknown"> {
  const { runId, workflow: planId, version: planVersion } = parent;
  const key = idempotencyKey({ runId, stepId, logicalAttemptId: 1, eventType: "StepStarted", planId, planVersion });
  const [started] = await store.events({ runId, idempotencyKey: key });
  if (started?.payload === null) return "unknown"; // its payload has expired
  try {
    const p = readPayload<{ child?: ChildRef; continues?: ChildRef }>(started?.payload ?? null);
    return p.child ?? p.continues;
  } catch {
    return "unknown";
  }
}

function unreadableRun(runId: string): RunAudit {
  const f = new Findings(runId);
  f.add("runs", "row", "a row that can be read", null);
  return { findings: f.all, events: 0, busy: false };
}

/** Rows that name a run which is not there. */
async function auditOrphan(store: FullStore, runId: string): Promise<RunAudit> {
  const [first] = await store.events({ runId, after: 0, limit: 1 });
  const f = new Findings(runId);
  const messages = await store.audit.messages(runId);
  if ((await store.run({ runId })) !== undefined) return auditRun(store, runId); // it was just created
  if (first !== undefined) f.add("runs", "row", runId, null, first.runSeq);
  else if (messages.length > 0) f.add("inbox", "runId", null, runId, messages[0]?.inboxId);
  else f.add("effects", "runId", null, runId);
  return { findings: f.all, events: 0, busy: false };
}

/** Cut at a head that was seen: what stands before it never changes. */
async function auditLogOnly(store: FullStore, runId: string, outside: OutsideEvidence): Promise<RunAudit> {
  const row = await store.run({ runId });
  if (row === undefined) return { findings: [], events: 0, busy: true };
  const f = new Findings(runId);
  const log = new LogCheck(row, f);
  const seals = new RunSeals(row, outside, f);
  for await (const e of eventsOf(store, runId)) {
    if (e.runSeq > row.headSeq) break;
    log.add(e);
    seals.add(e);
  }
  const sealing = seals.finish();
  if (log.head?.runSeq !== row.headSeq) f.add("runs", "headSeq", log.head?.runSeq ?? null, row.headSeq);
  return { findings: f.all, events: log.count, busy: true, sealing };
}
