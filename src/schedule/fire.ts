// One fire of a schedule: decides what is to be done at its due time, and records it in one Commit that creates the run and replaces the rows by
// compare-and-swap. An engine that loses reads what the winner wrote. It must never fire before the store's own clock says so, and never start
// a run whose due time is recorded already.
import { encode } from "../codec/value.ts";
import type { Limits } from "../core/limits.ts";
import { isSettled, type Scope } from "../core/model.ts";
import { createCommit, type Creation } from "../engine/create-run.ts";
import type { Definition } from "../engine/definition.ts";
import { liveEngines, newestVersion, servedVersions } from "../engine/publish/live-engines.ts";
import { listPublished } from "../engine/publish/published-workflows.ts";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { RunRow } from "../store/port.ts";
import type { KvWrite } from "../store/reader-store.ts";
import type { CodeSchedule } from "./define.ts";
import { dueTimes, duesUpTo } from "./due-times.ts";
import {
  foundSchedule,
  putFire,
  putSchedule,
  readSchedule,
  recordedDues,
  runIdOf,
  startKeyOf,
  type FireRow,
  type ScheduleRow,
  type StoredSchedule,
} from "./rows.ts";

export interface FireDeps {
  readonly store: FullStore;
  readonly scope: Scope;
  readonly platform: Platform;
  readonly limits: Limits;
  /** What this process has code for. */
  readonly definition: (workflow: string) => Definition | undefined;
  /** The schedule in this process's code, if what is stored is what its code says. */
  readonly code: (row: ScheduleRow) => CodeSchedule | undefined;
}

/** What was recorded, and the schedule's row as it stands now; no row: somebody removed the schedule. */
export interface Fired {
  readonly now: StoredSchedule | undefined;
  readonly recorded: FireRow | null;
}

/** So many missed due times get a record of their own; those before them share one. */
const missedMax = 50;
/** A fire that is later than this is made up, or missed. */
const onTimeMs = 10_000;

/** Whether this process can make the input of its runs. */
export function canFire(d: Pick<FireDeps, "code">, row: ScheduleRow): boolean {
  return "value" in row.input || d.code(row) !== undefined;
}

export async function fireDue(d: FireDeps, s: StoredSchedule): Promise<Fired> {
  const { row } = s;
  const { nowMs } = await d.store.info();
  if (row.paused !== undefined || row.next === null || row.next > nowMs || !canFire(d, row)) return { now: s, recorded: null };
  const times = dueTimes(row.when, row.anchor);
  const later = duesUpTo(times, row.next + 1, nowMs, missedMax);
  // The stored time counts, whatever this process's zone data says.
  const dues = later.more ? later.dues : [row.next, ...later.dues];
  const due = dues.at(-1) ?? row.next;
  const known = await recordedDues(d.store, d.scope, row.name, dues);
  const missed: FireRow[] = dues
    .filter((t) => t !== due && !known.has(t))
    .map((t) => ({ due: t, did: "missed", because: "no engine ran" }));
  if (later.more && !known.has(row.next))
    missed.unshift({ due: row.next, did: "missed", because: "no engine ran", before: dues[0] ?? due });
  const next = { ...row, next: times.next(due), lastDue: due, fires: row.fires + missed.length + 1 };
  const puts = missed.map((f) => putFire(d.scope, row.name, f));
  if (known.has(due)) return record(d, s, next, puts, null);
  const late = nowMs - due > Math.max(row.catchupMs, onTimeMs);
  const because = late ? `found ${nowMs - due} ms late, beyond its catchup of ${row.catchupMs} ms` : await openRunText(d, row);
  if (because !== null) return record(d, s, next, puts, { due, did: late ? "missed" : "skipped", because });
  return start(d, s, next, puts, due, startKeyOf(row.name, due));
}

/** The run of the last fire, while it is open and the schedule minds. */
export async function openRunText(d: Pick<FireDeps, "store" | "scope">, row: ScheduleRow): Promise<string | null> {
  if (row.overlap === "allow" || row.lastRun === undefined) return null;
  const last = await d.store.run({ scope: d.scope, workflowId: row.lastRun.workflowId });
  return last === undefined || isSettled(last.status) ? null : `run ${last.runId} of the last fire is still open`;
}

/** Creates the run of `due` and writes `next` in one Commit; if no run can be created, that is what is recorded. */
export async function start(
  d: FireDeps,
  s: StoredSchedule,
  next: ScheduleRow,
  puts: readonly KvWrite[],
  due: number,
  startKey: string,
  asked: { readonly because?: string; readonly by?: string | undefined } = {},
): Promise<Fired> {
  const { store, scope, platform } = d;
  const { name } = next;
  const because = asked.because === undefined ? {} : { because: asked.because };
  let base: Creation;
  try {
    base = await creationOf(d, next, due, startKey, asked.by);
  } catch (e) {
    if (!(e instanceof PawlError) || e.page.startsWith("PAWL3")) throw e;
    return record(d, s, next, puts, { due, did: "failed", because: e.message });
  }
  const started: FireRow = { due, did: "started", runId: base.runId, ...because };
  const after: ScheduleRow = { ...next, lastRun: { runId: base.runId, workflowId: base.workflowId } };
  const rows = [putSchedule(scope, after, s.version), putFire(scope, name, started), ...puts];
  platform.hit("engine:fire");
  const [answer] = (await store.commit([{ ...createCommit(d, base), puts: rows }])).answers;
  platform.hit("engine:fired");
  if (answer?.kind === "committed" || answer?.kind === "duplicate")
    return { now: { row: after, version: s.version + 1 }, recorded: started };
  if (answer?.kind === "unmet")
    return { now: foundSchedule(scope, answer.rows) ?? (await readSchedule(store, scope, name)), recorded: null };
  if (answer?.kind === "conflict") return metRun(d, s, next, puts, due, startKey, answer.existing, because);
  if (answer?.kind === "refused") return record(d, s, next, puts, { due, did: "failed", because: answer.reason });
  return { now: s, recorded: null }; // busy: it is tried again
}

/** Its start key or its id has a run: its own, whose rows were lost with a restored store, or one that somebody else called so. */
function metRun(
  d: FireDeps,
  s: StoredSchedule,
  next: ScheduleRow,
  puts: readonly KvWrite[],
  due: number,
  startKey: string,
  met: RunRow,
  because: { readonly because?: string },
): Promise<Fired> {
  const { runId, workflowId } = met;
  if (met.idempotencyKey !== startKey)
    return record(d, s, next, puts, { due, did: "failed", because: `${workflowId} is the id of another run, ${runId}` });
  return record(d, s, { ...next, lastRun: { runId, workflowId } }, puts, { due, did: "started", runId, ...because });
}

/** Writes what became of a due time where no run is created. */
async function record(d: FireDeps, s: StoredSchedule, next: ScheduleRow, puts: readonly KvWrite[], f: FireRow | null): Promise<Fired> {
  const { store, scope } = d;
  d.platform.hit("engine:fire");
  const answer = await store.kv.put([putSchedule(scope, next, s.version), ...(f === null ? [] : [putFire(scope, next.name, f)]), ...puts]);
  d.platform.hit("engine:fired");
  if (answer.kind === "put") return { now: { row: next, version: s.version + 1 }, recorded: f };
  return { now: foundSchedule(scope, answer.rows) ?? (await readSchedule(store, scope, next.name)), recorded: null };
}

async function creationOf(d: FireDeps, row: ScheduleRow, due: number, startKey: string, by: string | undefined): Promise<Creation> {
  return {
    runId: d.platform.uuidV7(),
    workflowId: runIdOf(row.name, due),
    definition: d.definition(row.workflow) ?? { name: row.workflow, version: await versionOf(d, row.workflow) },
    input: await inputOf(d, row, due),
    parsed: false,
    tags: { schedule: row.name },
    idempotencyKey: startKey,
    by,
  };
}

/** The engine that takes the run on checks it again; here it is checked so that a fire says what is wrong. */
async function inputOf(d: FireDeps, row: ScheduleRow, due: number): Promise<string | null> {
  if ("value" in row.input) return row.input.value;
  const code = d.code(row);
  if (code === undefined || !("make" in code.input))
    throw new PawlError("PAWL4121", `the input of schedule ${row.name} is made by code that this process does not have`);
  let made: unknown;
  try {
    made = code.input.make(new Date(due));
  } catch (e) {
    throw new PawlError("PAWL1008", `its input could not be made: ${e instanceof Error ? e.message : String(e)}`, { cause: e });
  }
  await d.definition(row.workflow)?.input(made, "input");
  return made === undefined ? null : encode(made, d.limits, "input");
}

async function versionOf(d: FireDeps, workflow: string): Promise<string> {
  const [info, published] = await Promise.all([d.store.info(), listPublished(d.store, d.scope, workflow)]);
  return newestVersion(published, servedVersions(info, d.scope, workflow)) ?? "1";
}

/** The ids of this tenant's engines that are alive. */
export async function engineIds(d: Pick<FireDeps, "store" | "scope">): Promise<readonly string[]> {
  return liveEngines(await d.store.info(), d.scope).map((e) => e.engineId);
}
