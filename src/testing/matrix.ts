// crashMatrix: a workflow runs once to find every crash point it passes, and then once for each of them with an engine that dies
// exactly there, in a place of its own each time; a successor continues. What happened is counted in a world that no engine
// reads, and compared with what each step's class promises (judge.ts).
import { errorFromFailure } from "../codec/failure.ts";
import type { Handle, StartOpts } from "../client/engine-types.ts";
import type { RunView } from "../client/types.ts";
import type { Expectation } from "../core/expectation.ts";
import { isSettled } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { locationText } from "../platform/source-location.ts";
import type { AnyWorkflow, InputArgs, InputOf, OutputOf } from "../workflow/types.ts";
import { judgeKill, unusablePlainRun, windows, type CrashCell, type Kill, type Observed, type Window } from "./judge-kill.ts";
import { allHold, plainRunText, plainRun, type PlainRun } from "./plain-run.ts";
import { readOutcome, waitForOutcome } from "./run-outcome.ts";
import type { TestBed, TestBedOptions } from "./test-bed.ts";
import { matrixTable } from "./matrix-table.ts";
import { openTestEngine, type TestEngine, type TestEngineOpts } from "./test-engine.ts";
import type { RecordingWorld, World } from "./world.ts";

/** How a run ended; "decision": it waits for a person. */
export type CrashRunEnd = Observed["end"];

export interface CrashMatrixOpts<W extends AnyWorkflow> extends Omit<TestEngineOpts, "workflows"> {
  /** How the run ends when nothing is killed, if that is not COMPLETED. Another end is a finding, and nothing is killed. */
  expectEnd?: CrashRunEnd;
  /** Where effects are counted; without it, the calls of each step's function are. */
  world?: World;
  /** What holds for an effect, or for a step by its id, when it is not what the step's class promises. */
  expect?: Readonly<Record<string, Expectation>>;
  /** Workflows that the code calls by name only. */
  workflows?: readonly AnyWorkflow[];
  /** Sends what the run waits for; called for each run. */
  drive?: (h: Handle<W>, t: TestEngine) => Promise<unknown>;
  /** false: steps that wait for approval are answered by `drive`. Otherwise they are approved. */
  approve?: boolean;
  /** Looks at the end of each run; what it throws is a finding. */
  check?: (end: { readonly result?: OutputOf<W>; readonly error?: unknown; readonly killed?: Kill }) => unknown;
  /** Only these steps, by id. */
  steps?: readonly string[];
  /** Only these crash windows, A to E. */
  windows?: readonly Window[];
}

export interface CrashMatrix {
  /** The run that nothing interrupted: how it ended, and why if it did not complete. */
  readonly plain: PlainRun;
  /** One cell for each step, window and effect: what happened, and whether that is allowed. */
  readonly cells: readonly CrashCell[];
  /** The run ended as expected, something was killed, and every effect kept what its class promises. */
  readonly ok: boolean;
  /** How the run ended, the cells as a table, and each finding with its line and what to change. */
  table(): string;
}

export async function openCrashMatrix<W extends AnyWorkflow>(
  open: () => TestBedOptions["open"],
  wf: W,
  input: InputOf<W>,
  o: CrashMatrixOpts<W> = {},
): Promise<CrashMatrix> {
  const plain = await runAndKill(open(), wf, input, o, undefined);
  const problem = plain.failed ?? unusablePlainRun(plain.seen);
  if (problem !== undefined) throw problem;
  const ended = plainRun(plain.seen, o.expectEnd);
  if (!ended.asExpected) return matrixOf(ended, []);
  const kills = plain.points.filter(
    (k) => (o.steps === undefined || o.steps.includes(k.step)) && (o.windows === undefined || o.windows.includes(k.window)),
  );
  for (const s of o.steps ?? []) if (!plain.seen.steps.has(s)) throw new PawlError("PAWL4011", `the run has no step ${s}`);
  const cells: CrashCell[] = [];
  for (const kill of kills) {
    const life = await runAndKill(open(), wf, input, o, kill);
    const found = judgeKill(kill, plain.seen, life.killed ? life.seen : undefined, o.expect ?? {});
    const { failed } = life;
    cells.push(...(failed === undefined ? found : found.map((c) => ({ ...c, ok: false, why: messageOf(failed) }))));
  }
  return matrixOf(ended, cells);
}

function matrixOf(plain: PlainRun, cells: readonly CrashCell[]): CrashMatrix {
  return { plain, cells, ok: allHold(cells), table: () => `${plainRunText(plain, cells)}\n\n${matrixTable(cells)}` };
}

interface KilledRun {
  readonly seen: Observed;
  /** The crash points it passed, in order. */
  readonly points: readonly Kill[];
  readonly killed: boolean;
  /** What `check` or `drive` threw. */
  readonly failed?: unknown;
}

/** One run from start to end, with a death in it or without. */
async function runAndKill<W extends AnyWorkflow>(
  open: TestBedOptions["open"],
  wf: W,
  input: InputOf<W>,
  o: CrashMatrixOpts<W>,
  kill: Kill | undefined,
): Promise<KilledRun> {
  const { world, expect, expectEnd: ___, drive, approve, check, steps: _, windows: __, workflows = [], ...opts } = o;
  const points: Kill[] = [];
  const passed = new Map<string, number>();
  const calls = new Map<string, number>();
  const lines = new Map<string, string>();
  const point = kill === undefined ? undefined : `${kill.step}:${kill.window}`;
  let killed = false;
  const { engine, bed: place } = await openTestEngine(
    open,
    // A run that waits stays in memory, as in a process that continues: window A is one of a run's first owner.
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
      onCalled: (_run, stepId, at) => void (at === undefined ? undefined : lines.set(stepId, locationText(at))),
    },
  );
  try {
    world?.reset?.();
    const names = new Set(Object.keys(expect ?? {}));
    const before = new Map([...names].map((n) => [n, world?.count(n) ?? 0]));
    const start: StartOpts = { id: "crash-matrix" };
    const h = await engine.start(wf, ...([input, start] as unknown as InputArgs<W, StartOpts>));
    const { run, failed } = await waitForOutcome(place, h, drive && (() => drive(h, engine)), approve);
    const log = await readOutcome(place, run, lines);
    const seen: Observed = { ...log, calls, effects: effectsOf(world, before, log.steps) };
    const problem = failed ?? (await runCheck(place, h, run, check, kill));
    return { seen, points, killed, ...(problem === undefined ? {} : { failed: problem }) };
  } finally {
    await engine.stop();
  }
}

async function runCheck<W extends AnyWorkflow>(
  place: TestBed,
  h: Handle<W>,
  run: RunView,
  check: CrashMatrixOpts<W>["check"],
  killed: Kill | undefined,
): Promise<unknown> {
  if (check === undefined || !isSettled(run.status)) return undefined;
  const end = await place.client.waitForEnd(h.workflowId);
  try {
    await check({
      ...(end.status === "COMPLETED" ? { result: end.result as OutputOf<W> } : {}),
      ...(end.error === undefined ? {} : { error: errorFromFailure(end.error) }),
      ...(killed === undefined ? {} : { killed }),
    });
    return undefined;
  } catch (e) {
    return e ?? new PawlError("PAWL4011", "check threw nothing");
  }
}

/** What happened in the world since `before`; a world that cannot list its effects is asked for the expected ones. */
function effectsOf(
  world: World | undefined,
  before: ReadonlyMap<string, number>,
  steps: ReadonlyMap<string, unknown>,
): Observed["effects"] {
  const causes = (world as Partial<RecordingWorld> | undefined)?.effects?.() ?? new Map<string, ReadonlySet<string>>();
  const effects = new Map<string, { count: number; steps: ReadonlySet<string> }>();
  for (const name of new Set([...causes.keys(), ...before.keys()])) {
    if (!causes.has(name) && steps.has(name) && (world?.count(name) ?? 0) === 0) continue; // expected of a step, not of an effect
    effects.set(name, { count: (world?.count(name) ?? 0) - (before.get(name) ?? 0), steps: causes.get(name) ?? new Set() });
  }
  return effects;
}

const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e));
