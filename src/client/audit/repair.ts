// Sets the derived tables right again from the log (C20): what a check found wrong, and the log determines, is written as the
// log says. A log that is itself damaged is no authority for anything: its run is left alone and reported. It writes only while
// no engine is alive, and only over the very row that was read.
import { isSettled, type Scope } from "../../core/model.ts";
import { mustHaveRecord, ledgerRecord } from "../../engine/effects/ledger-fold.ts";
import { PawlError } from "../../errors/error.ts";
import type { DerivedRun, Repair } from "../../store/audit.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { EffectRecord, RunRow } from "../../store/port.ts";
import type { Finding } from "./finding.ts";
import { auditRun, type RunReading } from "./audit-run.ts";
import { rebuiltSnapshots } from "./snapshot-check.ts";
import { verifyStore, type VerifyStoreOptions } from "./verify-store.ts";

export interface RepairOptions extends Pick<VerifyStoreOptions, "run" | "everyTenant" | "since" | "progress" | "signal"> {
  /** Without it nothing is written, and the report says what would be. */
  readonly write?: boolean;
}
export interface RepairReport {
  readonly written: boolean;
  readonly runs: number;
  readonly events: number;
  /** What was set right, or would be. */
  readonly repaired: readonly Finding[];
  /** What the log does not determine, or what is wrong with the log itself: for a person. */
  readonly left: readonly Finding[];
}

export async function repairStore(
  store: FullStore,
  scope: Scope,
  o: RepairOptions = {},
  pause?: () => Promise<void>,
): Promise<RepairReport> {
  if (o.write === true) await assertNoLiveEngine(store);
  const { write = false, ...rest } = o;
  const damaged = new Set<string>();
  const { runs, events } = await verifyStore(
    store,
    scope,
    { ...rest, finding: (f) => damaged.add(f.runId), rebuildable: (runId) => damaged.add(runId) },
    pause,
  );
  const [repaired, left]: [Finding[], Finding[]] = [[], []];
  let queued = false;
  for (const runId of damaged) {
    const { findings, reading } = await auditRun(store, runId);
    const plan = reading === undefined ? null : repairPlan(reading);
    const done = plan !== null && (!write || (await store.audit.repair(plan.repair)) === "repaired");
    const swept = isSwept(findings);
    for (const f of findings) ((f.table === "dispatches" ? swept : done && plan.repairs(f)) ? repaired : left).push(f);
    queued ||= swept;
    if (done && plan.missing !== null) repaired.push(plan.missing);
  }
  // After the rows of runs: a run whose log says that it continues keeps its dispatches.
  if (write && queued) while ((await store.queues.sweep(sweepMax)) === sweepMax);
  return { written: write, runs, events, repaired, left };
}

const sweepMax = 1_000;

/** Whether its dispatches go: the log can be trusted, and says that the run has ended. */
function isSwept(findings: readonly Finding[]): boolean {
  return findings.some((f) => f.table === "dispatches") && !findings.some((f) => f.table === "events" || f.field === "status");
}

async function assertNoLiveEngine(store: FullStore): Promise<void> {
  const { engines, nowMs } = await store.info();
  const alive = engines.filter((e) => !e.dead && e.leaseUntil >= nowMs).length;
  if (alive > 0)
    throw new PawlError(
      "PAWL4010",
      `${alive} engine${alive === 1 ? " is" : "s are"} alive: stop them first, or wait until their leases end`,
    );
}

/** Fields of a run's row that its log determines, and that are therefore written as it says. */
const runFields: ReadonlySet<string> = new Set<keyof DerivedRun>([
  "status",
  "waiting",
  "owner",
  "stateVersion",
  "headSeq",
  "headLink",
  "persistedAt",
  "dueAt",
  "createdAt",
  "rootRunId",
  "originalRunId",
  "inputDigest",
]);

interface RepairPlan {
  readonly repair: Repair;
  repairs(f: Finding): boolean;
  /** A snapshot that is made again: its absence was no finding. */
  readonly missing: Finding | null;
}

/** Null when the log is not to be trusted, or nothing can be written. */
export function repairPlan(r: RunReading): RepairPlan | null {
  const { row, findings } = r;
  if (findings.some((f) => f.table === "events") || row.origin !== "engine") return null;
  const { checkpoints } = r;
  const rows = new Set([...checkpoints.put.map((c) => c.stepId), ...checkpoints.remove]);
  const repairs = (f: Finding): boolean => {
    if (f.table === "runs") return runFields.has(f.field);
    if (f.table === "inbox") return f.field !== "reply" && f.expected === true;
    if (f.table === "checkpoints") return f.seq !== undefined && rows.has(f.seq);
    return f.table === "effects" || f.table === "views" || f.table === "snapshots";
  };
  const snapshots = r.snapshots === null ? null : rebuiltSnapshots(r.snapshots, findings);
  const latest = r.snapshots?.latest ?? null;
  const isMissing =
    latest !== null && snapshots?.some((x) => x.at === latest.at) === true && r.snapshots?.rows.every((x) => x.at !== latest.at);
  const missing: Finding | null =
    isMissing === true
      ? { table: "snapshots", runId: row.runId, seq: latest!.at, field: "row", expected: latest!.digest, found: null }
      : null;
  if (!findings.some(repairs) && snapshots === null) return null;
  const run = repairedRun(
    r,
    findings.filter((f) => f.table === "runs" && runFields.has(f.field)),
  );
  const { stateVersion, commitId, fence } = row;
  const consumed = findings.filter((f) => f.table === "inbox" && repairs(f)).flatMap((f) => f.seq ?? []);
  const repair: Repair = {
    runId: row.runId,
    expect: { stateVersion, epoch: fence.epoch, commitId },
    run,
    effects: repairedLedger(r, { ...row, ...run }),
    views: {
      put: [...r.facts.views].map(([name, { value }]) => ({ name, value })),
      remove: findings.filter((f) => f.table === "views" && f.expected === null).map((f) => f.field),
    },
    consumed: [...new Set(consumed)],
    ...(rows.size === 0 ? {} : { checkpoints }),
    ...(snapshots === null ? {} : { snapshots }),
  };
  return { repair, repairs, missing };
}

function repairedRun({ row, log }: RunReading, findings: readonly Finding[]): DerivedRun {
  const { status, waiting, owner, stateVersion, headSeq, headLink, persistedAt, dueAt } = row;
  const { createdAt, rootRunId, originalRunId, inputDigest } = row;
  const now = {
    status,
    waiting,
    owner,
    stateVersion,
    headSeq,
    headLink,
    persistedAt,
    dueAt,
    createdAt,
    rootRunId,
    originalRunId,
    inputDigest,
  };
  if (findings.length === 0) return now;
  const says = Object.fromEntries(findings.filter((f) => f.field !== "waiting").map((f) => [f.field, f.expected])) as Partial<DerivedRun>;
  const next = { ...now, ...says };
  // It waits for what an engine finds when it looks, which it does at once; a settled run is looked at by nobody.
  if (isSettled(next.status)) return { ...next, waiting: null, owner: null, dueAt: null, ...endOf(log) };
  return { ...next, waiting: null, dueAt: 0 };
}

/** The Commit that settled the run was its last. */
function endOf(log: RunReading["log"]): Partial<DerivedRun> {
  return log.head === null ? {} : { stateVersion: log.head.stateVersion, persistedAt: log.head.persistedAt };
}

function repairedLedger(r: RunReading, run: RunRow): Repair["effects"] {
  const wrong = new Set(r.findings.filter((f) => f.table === "effects").map((f) => f.seq));
  const there = new Map(r.effects.map((e) => [e.seq, e]));
  const known = new Set<number>();
  const put: EffectRecord[] = [];
  for (const step of r.facts.ledger.steps.values()) {
    known.add(step.seq);
    const state = r.facts.ledger.finalState(step);
    const before = there.get(step.seq);
    if (!wrong.has(step.seq) || state === undefined || step.started === null || (before === undefined && !mustHaveRecord(step))) continue;
    put.push(ledgerRecord(run, step, state));
  }
  return { put, remove: r.effects.map((e) => e.seq).filter((seq) => !known.has(seq)) };
}
