// testEngine: an engine for tests of workflows. Its store is its own, its clock is virtual: sleeps, retries and deadlines take
// no time, and anyone who waits for a result moves the clock to it. Tasks and steps can be mocked, engines killed; what the engine
// records is what any engine would.
import type { Engine, EngineOpts, Handle, StartOpts } from "../client/engine-types.ts";
import type { StepView } from "../client/types.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import type { RunStatus, Waiting } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { taskOf } from "../workflow/registry.ts";
import { sqlTag } from "../workflow/tx-options.ts";
import type { AnyWorkflow, InputArgs, StepScope, Task, Tx } from "../workflow/types.ts";
import type { GuardMode } from "./guard-report.ts";
import { TestBed, type Mock, type TestBedHooks, type TestBedOptions } from "./test-bed.ts";
import { traceLines } from "./trace.ts";

export interface TestEngineOpts extends Omit<EngineOpts, "store"> {
  /**
   * "memory:"; "sqlite:" for a throw-away file with SQL (ctx.tx); or the URL of a Postgres or MariaDB server, where a schema or
   * a database is made for the test and removed after it.
   */
  store?: TestStoreName;
  /** Once the engine is open: mocks, and the tables that the workflows use. */
  setup?: (t: TestEngine, db: TestDb) => unknown;
  /** When it is stopped, before its store is removed: puts back what lies elsewhere. */
  reset?: (db: TestDb) => unknown;
  /** What happens when workflow code uses the clock, randomness, timers or the network: "refuse" unless said otherwise. */
  guard?: GuardMode;
  /** What a result does when the workflow returned while steps were open that nobody awaits: fails (PAWL1031) unless said otherwise. */
  abandoned?: "fail" | "allow";
  /** Where the clock begins. */
  startAt?: Date;
  /** The same seed gives the same ids. */
  seed?: number;
}
export type TestStoreName = "memory:" | "sqlite:" | (string & {});
/** SQL on the test's own store, outside of any run. */
export type TestDb = Pick<Tx, "sql">;

/** What until() waits for. */
export type Moment =
  | { readonly step: string; readonly status?: StepView["status"] }
  | { readonly waiting: Waiting }
  | { readonly status: RunStatus };

export interface TestEngine extends Engine {
  /**
   * Puts a function in the place of a task's.
   *
   * @example
   * t.mock(email, async () => ({ id: "fake" }));
   */
  mock<I, O>(task: Task<I, O>, fn: (input: I, s: StepScope) => O | Promise<O>): void;
  /**
   * Puts a function in the place of that of every step with this name.
   *
   * @example
   * t.mock("charge", () => ({ id: "ch_1" }));
   */
  mock(step: string, fn: (s: StepScope) => unknown): void;
  /**
   * Moves the clock until the run has begun this step (or the step has this status), waits for this, or has this status.
   *
   * @example
   * await t.until(handle, { waiting: "signal" });
   */
  until(h: Handle<any>, moment: Moment): Promise<void>;
  /**
   * Moves the clock. Everything that is due on the way happens, in order.
   *
   * @example
   * await t.advance("3d");
   */
  advance(d: Duration): Promise<void>;
  /**
   * The virtual time.
   *
   * @example
   * expect(t.now()).toEqual(new Date("2027-01-01"));
   */
  now(): Date;
  /**
   * The log of a run as lines to read and compare, without ids and times.
   *
   * @example
   * expect(await t.trace(handle)).toContain("StepCompleted charge");
   */
  trace(h: Handle<any>): Promise<readonly string[]>;
  /**
   * Kills the engine here and now, as SIGKILL would; another one takes over.
   *
   * @example
   * await t.crash();
   */
  crash(): Promise<void>;
  /**
   * Kills the engine when it next passes this crash point: a step's id and a window, A to E.
   *
   * @example
   * t.crashAt("charge:D");
   */
  crashAt(point: string): void;
}

/** The engine with its place in reach, for the crash matrix; users get `TestEngine`. */
export interface OpenTestEngine {
  readonly engine: TestEngine;
  readonly bed: TestBed;
}

export async function openTestEngine(
  open: TestBedOptions["open"],
  o: TestEngineOpts = {},
  hooks: TestBedHooks = {},
): Promise<OpenTestEngine> {
  const { store: _, guard = "refuse", abandoned = "fail", startAt, seed, setup, reset, ...engineOpts } = o;
  let armed: string | null = null;
  const place = await TestBed.open({
    open,
    engine: engineOpts,
    guard,
    strict: abandoned === "fail",
    ...(seed === undefined ? {} : { seed }),
    ...(startAt === undefined ? {} : { startMs: startAt.getTime() }),
    ...hooks,
    armed: (point) => point === armed || hooks.armed?.(point) === true,
    onHit: (point, nowMs) => {
      if (point !== armed) return hooks.onHit?.(point, nowMs);
      armed = null;
      return true;
    },
  });
  const db: TestDb = { sql: sqlTag({ query: (strings, values) => place.sql.query(strings, values) }) };
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await place.stopEngine();
    try {
      await reset?.(db);
    } finally {
      await place.close();
    }
  };
  let starts = 0;
  const start = async <W extends AnyWorkflow>(wf: W, args: InputArgs<W, StartOpts>): Promise<Handle<W> & { readonly created: boolean }> => {
    place.register(wf);
    const [input, given] = args as [unknown, StartOpts?];
    // A start that is asked again, because the engine died before it answered, finds the first one.
    const safe = given?.id === undefined && given?.idempotencyKey === undefined ? { idempotencyKey: `test-start-${++starts}` } : {};
    const { runId, workflowId, created } = await place.withEngine((e, twins) =>
      e.engine.start(twins.of(wf), ...([input, { ...safe, ...given }] as unknown as InputArgs<W, StartOpts>)),
    );
    return Object.assign(place.handle(wf, { runId, workflowId }), { created });
  };
  const own: Omit<TestEngine, Exclude<keyof Engine, "run" | "start" | "get" | "stop">> = {
    start: (wf, ...args) => start(wf, args),
    run: async (wf, ...args) => (await start(wf, args)).result(),
    get: async (wf, workflowId) => {
      const row = await place.client.get(workflowId);
      return row === undefined || row.workflow !== wf.name ? undefined : place.handle(wf, row);
    },
    stop: () => (stopped ??= stop()),
    mock: (what: Task<any, any> | string, fn: unknown) => {
      if (typeof what === "string") place.mocks.set(what, (_input, s) => (fn as (s: unknown) => unknown)(s));
      else place.mocks.set(taskOf(what), fn as Mock);
    },
    until: (h, moment) => place.waitUntil(h.runId, async () => reached(moment, h.runId, place)),
    advance: (d) => place.clock.advance(durationMs(d, "advance")),
    now: () => new Date(place.platform.wallMs()),
    trace: async (h) => traceLines(await allEvents(place, h.runId)),
    crash: () => place.killEngine(),
    crashAt: (point) => {
      if (!/:[A-E]$/.test(point) && !point.startsWith("engine:"))
        throw new PawlError("PAWL4011", `a crash point is <stepId>:<A to E> or engine:<hit>, not ${JSON.stringify(point)}`);
      armed = point;
    },
  };
  // Like every other verb, those of schedules are asked of the engine that lives now.
  const schedules = new Proxy({} as Engine["schedules"], {
    get:
      (_target, verb) =>
      (...args: unknown[]): Promise<unknown> =>
        place.withEngine(async ({ engine: { schedules: of } }) => {
          const fn = Reflect.get(of, verb) as (...a: unknown[]) => Promise<unknown>;
          return fn(...args);
        }),
  });
  // Whatever else an engine can do, this one does too; its clock moves until there is an answer.
  const first = (await place.currentEngine()).engine;
  const engine = new Proxy(own as TestEngine, {
    get: (target, name) => {
      if (name === "schedules") return schedules;
      const mine: unknown = Reflect.get(target, name);
      const other: unknown = Reflect.get(first, name);
      if (mine !== undefined || typeof other !== "function") return mine ?? other;
      return (...args: unknown[]): unknown => {
        if (name === "metrics" || name === "health") return Reflect.apply(other, first, args);
        return place.withEngine(async ({ engine }) => Reflect.apply(Reflect.get(engine, name) as typeof other, engine, args) as unknown);
      };
    },
  });
  try {
    await setup?.(engine, db);
  } catch (e) {
    await place.close();
    throw e;
  }
  return { engine, bed: place };
}

async function reached(m: Moment, runId: string, place: TestBed): Promise<boolean> {
  if ("step" in m) {
    const step = (await place.client.steps(runId)).find((s) => s.stepId === m.step);
    return step !== undefined && (m.status === undefined || step.status === m.status);
  }
  const run = await place.client.get(runId);
  return "waiting" in m ? run?.waiting === m.waiting : run?.status === m.status;
}

async function allEvents(place: TestBed, runId: string): ReturnType<typeof place.client.events> {
  return place.client.events(runId, { limit: 100_000 });
}
