// pawl/testing: an engine on a virtual clock, the crash matrix and the replay of recorded runs, for tests of workflows; and the
// conformance suite of the store port as data, for anyone who writes a store. Nothing here is needed to run workflows.
import { openCrashMatrix, type CrashMatrix, type CrashMatrixOpts } from "./testing/matrix.ts";
import type { TestBedOptions } from "./testing/test-bed.ts";
import type { RecordedHistory } from "./testing/recorded-history.ts";
import { openReplay, type ReplayOpts } from "./testing/replay.ts";
import {
  findFirstDivergence,
  replayRecordedGraph,
  type GraphReplay,
  type RecordedRunFacts,
  type ReplayGraphOpts,
} from "./testing/replay-graph/replay-graph.ts";
import type { GraphMismatch } from "./testing/replay-graph/compare-superstep.ts";
import type { AnyGraph } from "./graph/types.ts";
import { noteEngineOpened } from "./open.ts";
import { openTestEngine, type TestEngine, type TestEngineOpts, type TestStoreName } from "./testing/test-engine.ts";
import { testStore } from "./throw-away.ts";
import type { AnyWorkflow, InputOf } from "./workflow/types.ts";

/** A store that nobody else has. */
function storeOf(name: TestStoreName = "memory:"): TestBedOptions["open"] {
  return (platform) => testStore(name, platform);
}

/**
 * An engine for tests: a store of its own and a virtual clock, so that sleeps and retries take no time. Tasks can be mocked, engines killed.
 *
 * @example
 * const t = await testEngine({ workflows: [order] });
 * const handle = await t.start(order, { id: "17" });
 * await t.advance("1d");
 * expect(await handle.result()).toEqual({ shipped: "17" });
 * await t.stop();
 */
export async function testEngine(o: TestEngineOpts = {}): Promise<TestEngine> {
  noteEngineOpened();
  return (await openTestEngine(storeOf(o.store), o)).engine;
}

/**
 * Runs the workflow once, then once for every step and crash window with an engine that is killed there, and compares what happened outside
 * with what each step's guarantee promises.
 *
 * @example
 * const matrix = await crashMatrix(order, { id: "17" }, { world: outside });
 * expect(matrix.ok, matrix.table()).toBe(true);
 */
export function crashMatrix<W extends AnyWorkflow>(wf: W, input: InputOf<W>, o: CrashMatrixOpts<W> = {}): Promise<CrashMatrix> {
  return openCrashMatrix(() => storeOf(o.store), wf, input, o);
}

/**
 * Runs the code over the log of a real run, without any effect. Throws the divergence (PAWL1006, PAWL1007), with both sides, when the code
 * does not fit the log.
 *
 * @example
 * await replay(order, await readFile("order-17.jsonl", "utf8"));
 */
export function replay(wf: AnyWorkflow, history: RecordedHistory, o: ReplayOpts = {}): Promise<void> {
  return openReplay(storeOf(), wf, history, o);
}

/**
 * Runs the supersteps of a recorded graph again, each from its recorded state, and compares what nodes return, where edges lead, what calls ask for and
 * the state. No external call is made. Throws the first mismatch (PAWL1006), or collects them with `mode: "lenient"`.
 *
 * @example
 * const { mismatches } = await replayGraph(essay, await readFile("essay-1.jsonl", "utf8"), { mode: "lenient" });
 */
export function replayGraph(g: AnyGraph, history: RecordedHistory, o: ReplayGraphOpts = {}): Promise<GraphReplay> {
  return replayRecordedGraph(g, history, o);
}

/**
 * The first superstep of a recorded graph that comes out differently with the code as it is now, found by bisection; undefined: none does.
 *
 * @example
 * const first = await firstDivergence(essay, handle.events());
 */
export function firstDivergence(g: AnyGraph, history: RecordedHistory, o: RecordedRunFacts = {}): Promise<GraphMismatch | undefined> {
  return findFirstDivergence(g, history, o);
}

export type { GraphReplay, RecordedRunFacts, ReplayGraphOpts } from "./testing/replay-graph/replay-graph.ts";
export type { GraphMismatch } from "./testing/replay-graph/compare-superstep.ts";
export type { TreeDifference } from "./testing/replay-graph/diff-trees.ts";
export type { RecordedHistory } from "./testing/recorded-history.ts";
export type { ReplayOpts } from "./testing/replay.ts";
export type { CrashMatrix, CrashMatrixOpts, CrashRunEnd } from "./testing/matrix.ts";
export type { CrashCell, Kill, Window } from "./testing/judge-kill.ts";
export type { Expectation } from "./core/expectation.ts";
export { world, type RecordingWorld, type World } from "./testing/world.ts";
export type { PlainRun } from "./testing/plain-run.ts";
export type { Moment, TestDb, TestEngine, TestEngineOpts, TestStoreName } from "./testing/test-engine.ts";
export type { GuardMode } from "./testing/guard-report.ts";
export { suite, suiteFor, suites } from "./store/suite/index.ts";
export { effectStoreSuite, type EffectStoreCase } from "./store/suite/effect-store.ts";
export type { SuiteBundle, SuiteCase, SuiteFacet, UserConnection } from "./store/suite/index.ts";
export { memoryStore } from "./store/memory/store.ts";
export { virtualPlatform } from "./platform/virtual.ts";
export type { VirtualPlatform } from "./platform/virtual.ts";
export type { Platform } from "./platform/platform.ts";
export type * from "./store/port.ts";
export type * from "./store/reader-store.ts";
export type * from "./store/transaction-store.ts";
export type * from "./store/maintenance.ts";
export type { AnyStore, Facet, FullStore } from "./store/full-store.ts";
export type * from "./store/archive.ts";
export type * from "./store/audit.ts";
