// A place to test in: one store, one virtual clock, and one engine at a time, which can die and has a successor at once. The
// facade for users is test-engine.ts, the crash matrix is matrix.ts. Looking (handles, logs) goes through a connection of the
// place's own, so that nobody who waits dies with an engine.
import { defaultScope } from "../client/environment.ts";
import { handleOf } from "../client/handle.ts";
import type { EngineOpts, Handle } from "../client/engine-types.ts";
import { localClient } from "../client/local-client.ts";
import type { Client, RunView } from "../client/types.ts";
import { checkLimits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import type { Calls, EffectStepScope } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import { guardMachine } from "../platform/determinism-guard.ts";
import type { SourceLocation as CodePlace } from "../platform/source-location.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import { virtualPlatform, type VirtualPlatform } from "../platform/virtual.ts";
import type { FullStore } from "../store/full-store.ts";
import type { TxSql } from "../store/transaction-store.ts";
import { codeScheduleOf } from "../schedule/define.ts";
import { registerDefinition } from "../workflow/registry.ts";
import type { TaskSpec } from "../workflow/step-options.ts";
import type { AnyWorkflow } from "../workflow/types.ts";
import { RealClock, VirtualClock, type ClockSources, type TestClock } from "./test-clock.ts";
import { graphBehind } from "../graph/built-graph.ts";
import type { AnyGraph } from "../graph/types.ts";
import { guardReport, type GuardMode } from "./guard-report.ts";
import { holdClockDuring } from "./hold-clock.ts";
import type { GraphMismatch } from "./replay-graph/compare-superstep.ts";
import { describeMismatch, replayRecordedGraph } from "./replay-graph/replay-graph.ts";
import { whyStopped } from "./why-stopped.ts";
import { killableEngine, type KillableEngine } from "./killable-engine.ts";
import { InstrumentedWorkflows } from "./instrumented-workflows.ts";

/** A store that several engines can be connected to. */
export interface TestStore {
  connect(p: Platform): Promise<FullStore>;
  /** Connections hold locks: that of a dead engine is closed. */
  readonly closes: boolean;
  /** It answers over a network: the virtual clock stands still meanwhile. */
  readonly remote: boolean;
  /** Statements past the store; absent where it has no SQL. */
  readonly sql?: TxSql;
  remove(): Promise<void>;
}

export interface TestBedOptions {
  readonly open: (platform: Platform) => Promise<TestStore>;
  /** What each engine is opened with. */
  readonly engine: Omit<EngineOpts, "store">;
  readonly guard: GuardMode;
  readonly seed?: number;
  /** A result is refused when its run left steps behind. */
  readonly strict?: boolean;
}

/** For code that kills engines: what it watches, and how time passes for it. */
export interface TestBedHooks {
  /** Where the virtual clock begins. */
  readonly startMs?: number;
  /** Time passes as it does, on this machine; else the clock is virtual. */
  readonly real?: Platform;
  /** How long in real time a running function holds the virtual clock. */
  readonly patienceMs?: number;
  /** Called with every crash point that an engine passes; true = it dies there. */
  readonly onHit?: (point: string, nowMs: number) => boolean | void;
  readonly armed?: (point: string) => boolean;
  /** Only the workflow's own code runs, no step's function. */
  readonly inert?: boolean;
  readonly onBegun?: (run: Calls["run"], stepId: string) => void;
  readonly onCalled?: (run: Calls["run"], stepId: string, at: CodePlace | undefined) => void;
}

export type Mock = (input: unknown, s: EffectStepScope) => unknown;

/** Short, so that its renewals are part of the engine's rhythm and a dead engine is soon succeeded. */
const leaseMs = 3_000;
const patienceMs = 100;

export class TestBed {
  readonly platform: Platform;
  readonly clock: TestClock;
  readonly client: Client;
  readonly log: Logger;
  readonly mocks: Map<TaskSpec | string, Mock> = new Map();
  readonly #o: TestBedOptions & TestBedHooks;
  readonly #scope: Scope;
  readonly #store: FullStore;
  readonly #shared: TestStore;
  readonly #known: Map<string, AnyWorkflow>;
  readonly #unguard: Cancel | null;
  #engine: Promise<EngineLifetime>;
  #running = { count: 0, stamp: 0 };
  #closed = false;

  static async open(o: TestBedOptions & TestBedHooks): Promise<TestBed> {
    const virtual = virtualPlatform({
      ...(o.seed === undefined ? {} : { seed: o.seed }),
      ...(o.startMs === undefined ? {} : { startMs: o.startMs }),
    });
    const platform = o.real ?? virtual;
    const opened = await o.open(platform);
    const shared = opened.remote && o.real === undefined ? clockHoldingStore(opened, virtual) : opened;
    const clock = (rhythm: ClockSources): TestClock =>
      o.real === undefined
        ? new VirtualClock({ ...rhythm, platform: virtual, patienceMs: o.patienceMs ?? patienceMs })
        : new RealClock(rhythm, o.real);
    const store = await shared.connect(platform).catch(async (e: unknown) => {
      await shared.remove();
      throw e;
    });
    const place = new TestBed(o, platform, clock, shared, store);
    try {
      await place.#engine;
    } catch (e) {
      await place.close();
      throw e;
    }
    return place;
  }

  /** What is sent to runs is checked by the code, as a handle of an engine does it. */
  readonly #code = new Map<string, Definition>();

  private constructor(
    o: TestBedOptions & TestBedHooks,
    platform: Platform,
    clock: (rhythm: ClockSources) => TestClock,
    shared: TestStore,
    store: FullStore,
  ) {
    this.#o = o;
    this.platform = platform;
    this.#shared = shared;
    this.#store = store;
    this.#scope = o.engine.tenant ?? defaultScope;
    const scheduled = (o.engine.schedules ?? []).map((s) => codeScheduleOf(s).workflow);
    this.#known = new Map([...scheduled, ...(o.engine.workflows ?? [])].map((wf) => [String(wf.name), wf]));
    for (const wf of this.#known.values()) this.#code.set(String(wf.name), definitionOf(wf));
    this.log = o.engine.log ?? (() => {});
    this.#unguard = o.guard === "off" ? null : guardMachine();
    this.client = localClient({
      store,
      platform,
      scope: this.#scope,
      limits: checkLimits(o.engine.limits),
      engine: null,
      known: this.#code,
      retainMs: null,
    });
    this.clock = clock({ running: () => this.#running, due: () => this.#nextDueAt() });
    this.#engine = this.#openEngine();
    this.#engine.catch(() => {});
  }

  async #openEngine(): Promise<EngineLifetime> {
    const { guard, onHit, armed, inert, onBegun, onCalled } = this.#o;
    let alive = true;
    let told: () => void = () => {};
    const died = new Promise<void>((resolve) => (told = resolve));
    this.#running = { count: 0, stamp: this.#running.stamp + 1 };
    const used = guardReport(guard, this.log);
    const twins = new InstrumentedWorkflows({
      alive: () => alive,
      running: (count) => alive && (this.#running = { count, stamp: this.#running.stamp + 1 }),
      mockOf: (task, name) => (task === undefined ? undefined : this.mocks.get(task)) ?? this.mocks.get(name),
      learned: (d) => this.#known.has(d.name) || this.#known.set(d.name, workflowOf(d)),
      begun: (run, stepId) => alive && onBegun?.(run, stepId),
      ...(inert === undefined ? {} : { inert }),
      ...(onCalled === undefined ? {} : { called: onCalled }),
      ...(used === undefined ? {} : { used }),
    });
    const engine = await killableEngine(
      {
        platform: this.platform,
        connect: (p) => this.#shared.connect(p),
        closes: this.#shared.closes,
        ...(onHit === undefined ? {} : { onHit: (point) => onHit(point, this.platform.wallMs()) }),
        ...(armed === undefined ? {} : { armed }),
        onKilled: () => {
          alive = false;
          if (!this.#closed) {
            this.#engine = this.#openEngine();
            this.#engine.catch(() => {});
          }
          told();
        },
      },
      { lease: leaseMs, ...this.#o.engine, workflows: [...this.#known.values()].map((wf) => twins.of(wf)), log: this.log },
    );
    return { engine, workflows: twins, killed: died };
  }

  /** SQL on the store's database, past the store. */
  get sql(): TxSql {
    const none = async (): Promise<never> => {
      throw new PawlError("PAWL3008", 'this test\'s store has no SQL: use store: "sqlite:" or the URL of a server');
    };
    return this.#shared.sql ?? { query: none };
  }

  /** Nothing is at work and nothing will be due: only a person, or the test, can make anything happen. */
  async idle(): Promise<boolean> {
    return this.#running.count === 0 && (await this.#nextDueAt()) === undefined;
  }

  /** When something of the store is due next: 0 while a run is at work. */
  async #nextDueAt(): Promise<number | undefined> {
    let next: number | undefined;
    let cursor: string | undefined;
    do {
      const page = await this.#store.runs({
        scope: this.#scope,
        status: ["PENDING", "RUNNING", "PAUSED"],
        limit: 1_000,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const r of page.runs) {
        if (r.dueAt === null || !this.#known.has(r.workflow)) continue; // its code is not in this process
        if (next === undefined || r.dueAt < next) next = r.dueAt;
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    return next;
  }

  /** Asks the engine, and its successor if it dies meanwhile; the clock moves until there is an answer. */
  async withEngine<T>(question: (engine: KillableEngine, twins: InstrumentedWorkflows) => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#closed) throw new PawlError("PAWL5003", "the test engine is stopped");
      const { engine, workflows: twins, killed: died } = await this.#engine;
      const answer = question(engine, twins).then((value) => ({ value }));
      const first = await this.wait(Promise.race([answer, died.then(() => undefined)]));
      if (first !== undefined) return first.value;
      answer.catch(() => {});
    }
  }

  /** The current engine's own answer, without waiting. */
  async currentEngine(): Promise<KillableEngine> {
    return (await this.#engine).engine;
  }

  register(wf: AnyWorkflow): void {
    this.#known.set(String(wf.name), wf);
    this.#code.set(String(wf.name), definitionOf(wf));
  }

  /** Moves the clock until the promise has settled. */
  wait<T>(p: Promise<T>): Promise<T> {
    p.catch(() => {});
    return this.clock.until(p, () => this.#nothingDueError());
  }

  /** Waits until `seen` says so: asked whenever the store's runs change, and as time passes. */
  async waitUntil(runId: string | undefined, seen: () => Promise<boolean>): Promise<void> {
    const look = async (): Promise<void> => {
      for (;;) {
        const changed = this.client.waitForChange(runId, { timeoutMs: 250 });
        changed.catch(() => {});
        if (await seen()) return;
        await changed;
      }
    };
    await this.wait(look());
  }

  async unsettled(): Promise<readonly RunView[]> {
    return (await this.client.list({ status: ["PENDING", "RUNNING", "PAUSED"], limit: 100 })).runs;
  }

  async #nothingDueError(): Promise<Error> {
    if (this.#closed) return new PawlError("PAWL5003", "the test engine is stopped");
    const runs = await this.unsettled();
    const waits: string[] = [];
    for (const r of runs) {
      const why = await this.#whyStopped(r);
      waits.push(`${r.workflowId} is ${r.status}${r.waiting === undefined ? "" : `, waiting for a ${r.waiting}`}${why}`);
    }
    return new PawlError("PAWL5033", `nothing more will happen without help: ${waits.join("; ") || "no run is unfinished"}`);
  }

  /** Why a run stands before a person: for a divergence both sides and the line. */
  async #whyStopped(r: RunView): Promise<string> {
    if (r.status !== "PAUSED" && r.waiting !== "decision") return "";
    const { why, code } = whyStopped(await this.client.events(r.runId, { limit: 100_000 }));
    return why === undefined ? "" : ` because: ${code === undefined ? "" : `${code} `}${why}`;
  }

  async #checkEnd(wf: AnyWorkflow, at: RunNames, value: unknown): Promise<unknown> {
    if (this.#o.strict === true) await this.#rejectAbandoned(at.runId);
    if (this.#o.guard !== "off" && graphBehind(wf) !== undefined) await this.#replaySupersteps(wf as AnyGraph, at);
    return value;
  }

  /** What the guard cannot see of a graph: code that gives something else when it is run over the same record, such as a reducer that counts. */
  async #replaySupersteps(g: AnyGraph, { runId, workflowId }: RunNames): Promise<void> {
    const events = await this.wait(this.client.events(runId, { limit: 100_000 }));
    const facts = { workflowId, ...(this.#o.engine.limits === undefined ? {} : { limits: this.#o.engine.limits }) };
    const warn = (m: GraphMismatch): void => this.log("warn", describeMismatch(m), { code: "PAWL1006" });
    await replayRecordedGraph(g, events, { ...facts, mode: this.#o.guard === "warn" ? "lenient" : "strict", warn });
  }

  /** A step that nobody awaits is a mistake that a test must show. */
  async #rejectAbandoned(runId: string): Promise<void> {
    const { abandoned } = await this.wait(this.client.waitForEnd(runId));
    if (abandoned === undefined) return;
    throw new PawlError("PAWL1031", `the workflow returned while steps were open that nobody awaits: ${abandoned.join(", ")}`, {
      data: { runId },
    });
  }

  handle<W extends AnyWorkflow>(wf: W, at: RunNames): Handle<W> {
    const plain = handleOf(this.client, wf, at);
    return new Proxy(plain, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          const answer: unknown = Reflect.apply(member, target, args);
          if (!(answer instanceof Promise)) return answer;
          const waited = this.wait(answer as Promise<unknown>);
          if (name === "result") return waited.then((value) => this.#checkEnd(wf, at, value));
          return waited.then((h) => (makesRuns.has(name) && isHandle(h) ? this.handle(wf, h as Handle<W>) : h));
        };
      },
    });
  }

  async killEngine(): Promise<void> {
    (await this.#engine).engine.kill();
    await this.#engine;
  }

  /** Stops the engine that lives now. The store stays. */
  async stopEngine(): Promise<void> {
    const life = await this.#engine.catch(() => undefined);
    if (life !== undefined) await this.wait(life.engine.stop()).catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await this.stopEngine();
    this.#closed = true;
    this.clock.close();
    await this.#store.close();
    this.#unguard?.();
    await this.#shared.remove();
  }
}

/** Verbs of a handle that give the handle of another run. */
const makesRuns: ReadonlySet<string | symbol> = new Set(["retry", "next", "fork"]);
/** Not a plan of what a dry run would do. */
function isHandle(x: unknown): boolean {
  return typeof x === "object" && x !== null && "result" in x && typeof x.result === "function";
}

/** A workflow that was only seen as a definition. */
function workflowOf(d: Definition): AnyWorkflow {
  const wf = Object.freeze({ name: d.name, version: d.version }) as unknown as AnyWorkflow;
  registerDefinition(wf, d);
  return wf;
}

/** While it is asked anything, or connected to, the clock stands still. */
function clockHoldingStore(shared: TestStore, clock: VirtualPlatform): TestStore {
  const held = holdClockDuring({ connect: shared.connect.bind(shared) }, () => clock.hold());
  return { ...shared, connect: async (p) => holdClockDuring(await held.connect(p), () => clock.hold()) };
}

interface RunNames {
  readonly runId: string;
  readonly workflowId: string;
}

interface EngineLifetime {
  readonly engine: KillableEngine;
  readonly workflows: InstrumentedWorkflows;
  readonly killed: Promise<void>;
}
