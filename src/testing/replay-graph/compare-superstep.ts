// One superstep of a recorded run, run again over the record and compared with it: what each item returned, whether it failed, where its edge led, what its
// calls asked for, and the state that all of it gave. It begins from the recorded state, so that each superstep is judged on its own.
import type { BuiltGraph } from "../../graph/built-graph.ts";
import type { Tree } from "../../core/graph/channels.ts";
import { itemOfStep, routeText, type SuperstepItem } from "../../core/graph/superstep.ts";
import type { Limits } from "../../core/limits.ts";
import type { Calls } from "../../engine/calls.ts";
import type { Definition } from "../../engine/definition.ts";
import { decode } from "../../codec/value.ts";
import { beginState, endSuperstep, runItems } from "../../graph/run.ts";
import type { ItemEnd, RunningGraph } from "../../graph/run-item.ts";
import { standingOf, whyNotFrom } from "../../graph/standing.ts";
import { stateText } from "../../graph/state.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { diffTrees, type TreeDifference } from "./diff-trees.ts";
import type { GraphRecording, RecordedSuperstep } from "./graph-recording.ts";
import { RecordedCalls } from "./recorded-calls.ts";

/** What a replay found that the record does not say. */
export interface GraphMismatch {
  readonly what: "output" | "route" | "outcome" | "missing-recording" | "state";
  readonly superstep: number;
  /** Of the state: all nodes that ran. */
  readonly node: string;
  /** Of the call, where it is about one; else 1. */
  readonly attempt: number;
  /** Hashes of what is recorded and of what came now; of an outcome, what happened. */
  readonly expected: string;
  readonly actual: string;
  readonly expectedRoute: readonly string[];
  readonly actualRoute: readonly string[];
  /** When the superstep was recorded. */
  readonly at: string;
  /** What differs, by JSON pointer. */
  readonly diff: readonly TreeDifference[];
}

export interface ReplayedGraph {
  readonly g: BuiltGraph;
  readonly d: Definition;
  readonly limits: Limits;
  readonly workflowId: string | undefined;
  readonly recording: GraphRecording;
  /** Resolves when the code waits for something. */
  readonly quiet: () => Promise<void>;
}

/** In the order of the items; what concerns the whole superstep comes last. */
export async function compareSuperstep(r: ReplayedGraph, s: RecordedSuperstep): Promise<readonly GraphMismatch[]> {
  if (s.before === null) return compareBegin(r, s);
  const { g, d, recording } = r;
  const refused = whyNotFrom(g, s.before);
  const nodes = [...new Set(s.items.map((i) => i.node))].join(", ");
  if (refused !== null) return [mismatch(s, "state", nodes, refused[1], refused[2])];
  const at = standingOf(g, s.before);
  const calls = new RecordedCalls(recording, s, r.limits, { workflowId: r.workflowId, workflow: g.name, version: d.version });
  const run: RunningGraph = { g, d, calls: calls as unknown as Calls, seed: at.seed };
  const ends = await settled(r, calls, runItems(run, at, s.n));
  if (ends === null) return [mismatch(s, "missing-recording", nodes, "recorded calls only", "it waits for something that is not recorded")];
  const found: GraphMismatch[] = missingCalls(s, calls);
  const without = new Set(found.map((m) => m.node));
  let isFatal = false;
  for (const [i, work] of at.frontier.entries()) {
    const was = s.items[i]!;
    const now = ends[i];
    if (now === undefined || now.ok !== was.ok) isFatal = true;
    if (!without.has(work.node)) found.push(...compareItem(g, s, was, now));
  }
  if (isFatal) return found;
  return [...found, ...compareEnd(s, run, at, ends as readonly ItemEnd[], nodes)];
}

async function settled<T>(r: ReplayedGraph, calls: RecordedCalls, running: Promise<T>): Promise<T | null> {
  let result: { readonly value: T } | null = null;
  running.then(
    (value) => (result = { value }),
    () => {},
  );
  for (let idle = 0; idle < 2;) {
    await r.quiet();
    if (result !== null) return (result as { readonly value: T }).value;
    if (calls.deliverNext()) idle = 0;
    else if (idle++ === 0) calls.giveUpOpen();
  }
  await r.quiet();
  return result === null ? null : (result as { readonly value: T }).value;
}

function missingCalls(s: RecordedSuperstep, calls: RecordedCalls): GraphMismatch[] {
  return calls.unrecorded.map(({ stepId, recorded, request }) => {
    const was = (recorded?.started.input ?? null) as Tree;
    const now = (request === null ? null : JSON.parse(request)) as Tree;
    const diff = recorded === undefined ? [] : diffTrees(was, now);
    const expected = recorded === undefined ? "nothing" : sha256Hex(JSON.stringify(was));
    const item = itemOfStep(stepId);
    const node = s.items.find((i) => i.item === item)?.node ?? item;
    return {
      ...mismatch(s, "missing-recording", node, expected, `${stepId} ${sha256Hex(JSON.stringify(now))}`),
      attempt: recorded?.attempt ?? 1,
      diff,
    };
  });
}

function compareItem(g: BuiltGraph, s: RecordedSuperstep, was: SuperstepItem, now: ItemEnd | undefined): GraphMismatch[] {
  const said = (ok: boolean, failure?: { readonly code: string; readonly message: string }): string =>
    ok ? "completed" : `failed: ${failure?.code ?? ""} ${failure?.message ?? ""}`;
  if (now === undefined) return [mismatch(s, "outcome", was.node, said(was.ok, was.failure), "it did not run")];
  const actual = said(now.ok, now.ok ? undefined : now);
  if (now.ok !== was.ok || said(was.ok, was.failure) !== actual)
    return [mismatch(s, "outcome", was.node, said(was.ok, was.failure), actual)];
  if (!now.ok) return [];
  const hash = now.update === null ? undefined : sha256Hex(now.update.text);
  if (hash === was.updateHash) return [];
  // What a reducer was given is recorded as a hash only.
  const shown = Object.entries(now.update?.trees ?? {}).filter(([name]) => g.channels.get(name)?.kind !== "reduce");
  const diff = diffTrees((was.update ?? {}) as Tree, Object.fromEntries(shown) as Tree);
  return [{ ...mismatch(s, "output", was.node, was.updateHash ?? "nothing", hash ?? "nothing"), diff }];
}

function compareEnd(
  s: RecordedSuperstep,
  run: RunningGraph,
  at: ReturnType<typeof standingOf>,
  ends: readonly ItemEnd[],
  nodes: string,
): GraphMismatch[] {
  let end: ReturnType<typeof endSuperstep>;
  try {
    end = endSuperstep(run, at, ends);
  } catch (e) {
    return [mismatch(s, "state", nodes, "a superstep that ends", e instanceof Error ? e.message : String(e))];
  }
  const routes = end.items.flatMap((now, i) => compareRoutes(s, s.items[i]!, now.route));
  return [...routes, ...compareState(s, nodes, end.next.values.trees)];
}

function compareRoutes(s: RecordedSuperstep, was: Pick<SuperstepItem, "node" | "route">, now: readonly string[]): GraphMismatch[] {
  const [expected, actual] = [was.route.join(", "), now.join(", ")];
  if (expected === actual) return [];
  return [{ ...mismatch(s, "route", was.node, sha256Hex(expected), sha256Hex(actual)), expectedRoute: was.route, actualRoute: now }];
}

function compareState(s: RecordedSuperstep, node: string, now: Readonly<Record<string, Tree>>): GraphMismatch[] {
  const [expected, actual] = [sha256Hex(stateText(s.after.values)), sha256Hex(stateText(now))];
  if (expected === actual) return [];
  return [{ ...mismatch(s, "state", node, expected, actual), diff: diffTrees(s.after.values as Tree, now as Tree) }];
}

/** The first superstep of a log: what the input, or another run, gave. */
function compareBegin({ g, limits, recording }: ReplayedGraph, s: RecordedSuperstep): GraphMismatch[] {
  const refused = whyNotFrom(g, s.after);
  if (refused !== null) return [mismatch(s, "state", "start", refused[1], refused[2])];
  const { input, fork, begin } = recording.start;
  if (fork !== undefined || begin !== undefined) return []; // it began where another run stood
  const { values, targets } = beginState(g, limits, input === undefined ? undefined : decode(JSON.stringify(input)));
  const routes = s.items.flatMap((was) => compareRoutes(s, was, routeText(targets.map((t) => t.to))));
  return [...routes, ...compareState(s, "start", values.trees)];
}

function mismatch(s: RecordedSuperstep, what: GraphMismatch["what"], node: string, expected: string, actual: string): GraphMismatch {
  const route = s.items.find((i) => i.node === node)?.route ?? [];
  return { what, superstep: s.n, node, attempt: 1, expected, actual, expectedRoute: route, actualRoute: route, at: s.at, diff: [] };
}
