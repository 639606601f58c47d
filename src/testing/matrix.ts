// crashMatrix: a workflow runs once to find every crash point it passes, and then once for each of them with an engine that dies
// exactly there, in a place of its own each time; a successor goes on. What happened is counted in a world that no engine
// reads, and compared with what each step's class promises (judge.ts).
import { errorOf } from "../codec/failure.ts";
import type { Handle, StartOpts } from "../client/engine.ts";
import type { RunView, StepView } from "../client/types.ts";
import type { Expectation } from "../core/expectation.ts";
import { isSettled } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { placeText } from "../platform/places.ts";
import type { AnyWorkflow, InputArgs, InputOf, OutputOf } from "../workflow/types.ts";
import { judge, windows, type CrashCell, type Kill, type Observed, type SeenStep, type Window } from "./judge.ts";
import type { Place, PlaceOptions } from "./place.ts";
import { matrixTable } from "./table.ts";
import { openTestEngine, type TestEngine, type TestEngineOpts } from "./test-engine.ts";
import type { RecordingWorld, World } from "./world.ts";

export interface CrashMatrixOpts<W extends AnyWorkflow> extends Omit<TestEngineOpts, "workflows"> {
  /** Where effects are counted; without it, the calls of each step's function are. */
  world?: World;
  /** What holds for an effect, or for a step by its id, when it is not what the step's class promises. */
  expect?: Readonly<Record<string, Expectation>>;
  /** Workflows that the code calls by name only. */
  workflows?: readonly AnyWorkflow[];
  /** Before each run: mocks. */
  setup?: (t: TestEngine) => void;
  /** Sends what the run waits for; called anew for each run. */
  drive?: (h: Handle<W>, t: TestEngine) => Promise<unknown>;
  /** Looks at the end of each run; what it throws is a finding. */
  check?: (end: { readonly result?: OutputOf<W>; readonly error?: unknown; readonly killed?: Kill }) => unknown;
  /** Only these steps, only these windows. */
  steps?: readonly string[];
  windows?: readonly Window[];
}

export interface CrashMatrix {
  readonly cells: readonly CrashCell[];
  readonly ok: boolean;
  /** The cells as a table, and each finding with its line and its remedy. */
  table(): string;
}

export async function openCrashMatrix<W extends AnyWorkflow>(
  open: () => PlaceOptions["open"],
  wf: W,
  input: InputOf<W>,
  o: CrashMatrixOpts<W> = {},
): Promise<CrashMatrix> {
  const plain = await oneLife(open(), wf, input, o, undefined);
  if (plain.failed !== undefined) throw plain.failed;
  const kills = plain.points.filter(
    (k) => (o.steps === undefined || o.steps.includes(k.step)) && (o.windows === undefined || o.windows.includes(k.window)),
  );
  for (const s of o.steps ?? []) if (!plain.seen.steps.has(s)) throw new PawlError("PAWL4011", `the run has no step ${s}`);
  const cells: CrashCell[] = [];
  for (const kill of kills) {
    const life = await oneLife(open(), wf, input, o, kill);
    const found = judge(kill, plain.seen, life.killed ? life.seen : undefined, o.expect ?? {});
    const { failed } = life;
    cells.push(...(failed === undefined ? found : found.map((c) => ({ ...c, ok: false, why: messageOf(failed) }))));
  }
  return { cells, ok: cells.every((c) => c.ok), table: () => matrixTable(cells) };
}

interface Life {
  readonly seen: Observed;
  /** The crash points it passed, in order. */
  readonly points: readonly Kill[];
  readonly killed: boolean;
  /** What `check` or `drive` threw. */
  readonly failed?: unknown;
}

/** One run from start to end, with a death in it or without. */
async function oneLife<W extends AnyWorkflow>(
  open: PlaceOptions["open"],
  wf: W,
  input: InputOf<W>,
  o: CrashMatrixOpts<W>,
  kill: Kill | undefined,
): Promise<Life> {
  const { world, expect, setup, drive, check, steps: _, windows: __, workflows = [], ...opts } = o;
  const points: Kill[] = [];
  const passed = new Map<string, number>();
  const calls = new Map<string, number>();
  const lines = new Map<string, string>();
  const point = kill === undefined ? undefined : `${kill.step}:${kill.window}`;
  let killed = false;
  const { engine, place } = await openTestEngine(
    open,
    // A run that waits stays in memory, as in a process that goes on: window A is one of a run's first owner.
    { idle: "12h", ...opts, workflows: [wf, ...workflows] },
    {
      armed: (p) => p === point,
      onHit: (p) => {
        const nth = (passed.get(p) ?? 0) + 1;
        passed.set(p, nth);
        const window = p.slice(-1) as Window;
        if (p.at(-2) === ":" && windows.includes(window) && !p.startsWith("engine:")) points.push({ step: p.slice(0, -2), window, nth });
        killed ||= p === point && nth === kill?.nth;
        return p === point && nth === kill?.nth;
      },
      onBegun: (_run, stepId) => void calls.set(stepId, (calls.get(stepId) ?? 0) + 1),
      onCalled: (_run, stepId, at) => void (at === undefined ? undefined : lines.set(stepId, placeText(at))),
    },
  );
  try {
    world?.reset?.();
    const names = new Set(Object.keys(expect ?? {}));
    const before = new Map([...names].map((n) => [n, world?.count(n) ?? 0]));
    setup?.(engine);
    const start: StartOpts = { id: "crash-matrix" };
    const h = await engine.start(wf, ...([input, start] as unknown as InputArgs<W, StartOpts>));
    const { run, failed } = await theEnd(place, h, drive, engine);
    const seen = await observe(place, run, { calls, lines, world, before });
    const problem = failed ?? (await checked(place, h, run, check, kill));
    return { seen, points, killed, ...(problem === undefined ? {} : { failed: problem }) };
  } finally {
    await engine.stop();
  }
}

/** Waits until the run has ended and nothing of it goes on, or only a person can go on. */
async function theEnd<W>(
  place: Place,
  h: Handle<W>,
  drive: ((h: Handle<W>, t: TestEngine) => Promise<unknown>) | undefined,
  t: TestEngine,
): Promise<{ run: RunView; failed?: unknown }> {
  let run!: RunView;
  const ended = place.see(undefined, async () => {
    run = (await place.client.get(h.workflowId))!;
    const rest = await place.unsettled();
    if (rest.length === 0) return true;
    if (!(await place.idle())) return false;
    return isSettled(run.status) || rest.some((r) => r.waiting === "decision" || r.status === "PAUSED");
  });
  const driven = drive === undefined ? ended : drive(h, t).then(() => ended);
  try {
    await Promise.race([ended, driven]);
    return { run };
  } catch (failed) {
    run = (await place.client.get(h.workflowId))!;
    return { run, failed };
  } finally {
    driven.catch(() => {}); // what it waits for may never come after a kill
  }
}

async function checked<W extends AnyWorkflow>(
  place: Place,
  h: Handle<W>,
  run: RunView,
  check: CrashMatrixOpts<W>["check"],
  killed: Kill | undefined,
): Promise<unknown> {
  if (check === undefined || !isSettled(run.status)) return undefined;
  const end = await place.client.end(h.workflowId);
  try {
    await check({
      ...(end.status === "COMPLETED" ? { result: end.result as OutputOf<W> } : {}),
      ...(end.error === undefined ? {} : { error: errorOf(end.error) }),
      ...(killed === undefined ? {} : { killed }),
    });
    return undefined;
  } catch (e) {
    return e ?? new PawlError("PAWL4011", "check threw nothing");
  }
}

interface Counts {
  readonly calls: ReadonlyMap<string, number>;
  readonly lines: ReadonlyMap<string, string>;
  readonly world: World | undefined;
  /** What a world that cannot be reset had before. */
  readonly before: ReadonlyMap<string, number>;
}

async function observe(place: Place, run: RunView, { calls, lines, world, before }: Counts): Promise<Observed> {
  const steps = new Map<string, SeenStep>();
  const outcomes = new Map<string, number>();
  const doubts = new Set<string>();
  for (const r of (await place.client.list({ limit: 1_000 })).runs.toReversed()) {
    for (const s of await place.client.steps(r.runId)) {
      const line = lines.get(s.stepId) ?? lines.get(s.stepId.replace(/\/~compensate$/, ""));
      if (!steps.has(s.stepId)) steps.set(s.stepId, seenStep(s, line));
      if (s.status === "SUCCESS") outcomes.set(s.stepId, (outcomes.get(s.stepId) ?? 0) + 1);
    }
    for (const s of isSettled(r.status) ? [] : await doubtsOf(place, r)) doubts.add(s);
  }
  const causes = (world as Partial<RecordingWorld> | undefined)?.effects?.() ?? new Map<string, ReadonlySet<string>>();
  const effects = new Map<string, { count: number; steps: ReadonlySet<string> }>();
  for (const name of new Set([...causes.keys(), ...before.keys()])) {
    if (!causes.has(name) && steps.has(name) && (world?.count(name) ?? 0) === 0) continue; // expected of a step, not of an effect
    effects.set(name, { count: (world?.count(name) ?? 0) - (before.get(name) ?? 0), steps: causes.get(name) ?? new Set() });
  }
  const why = await reasonOf(place, run);
  const end = isSettled(run.status) || run.status === "PAUSED" ? (run.status as Observed["end"]) : "decision";
  return { end, ...why, doubts, effects, calls, outcomes, steps };
}

async function doubtsOf(place: Place, run: RunView): Promise<string[]> {
  const events = await place.client.events(run.runId, { limit: 100_000 });
  return events.flatMap((e) => (e.eventType === "pawl.StepInDoubt" ? [(e.payload as { stepId: string }).stepId] : []));
}

function seenStep(s: StepView, line: string | undefined): SeenStep {
  return { stepId: s.stepId, kind: s.kind, ...(s.class === undefined ? {} : { class: s.class }), ...(line === undefined ? {} : { line }) };
}

async function reasonOf(place: Place, run: RunView): Promise<{ why?: string; resultLost: boolean }> {
  if (run.status === "COMPLETED") return { resultLost: false };
  if (!isSettled(run.status)) return { resultLost: false, why: await pausedBecause(place, run) };
  const { error, reason } = await place.client.end(run.runId);
  const thrown = error === undefined ? undefined : errorOf(error);
  return {
    resultLost: causesOf(thrown).some((e) => (e as { code?: unknown }).code === "PAWL2004"),
    why: thrown?.message ?? reason ?? run.status,
  };
}

async function pausedBecause(place: Place, run: RunView): Promise<string> {
  const events = await place.client.events(run.runId, { limit: 100_000 });
  const last = events.findLast(
    (e) => e.eventType === "RunPaused" || e.eventType === "pawl.StepInDoubt" || e.eventType === "pawl.DecisionNeeded",
  );
  const p = (last?.payload ?? {}) as { message?: string; reason?: string };
  return p.message ?? p.reason ?? "it stands";
}

function causesOf(e: unknown): unknown[] {
  return e instanceof Error ? [e, ...causesOf(e.cause)] : [];
}

const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e));
