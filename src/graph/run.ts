// Runs a graph: one superstep after the other, until an edge has led to the end and nothing is left to do. Items begin in the order of their order keys,
// so many at a time; when all have ended, their updates are merged in that order, the edges are asked, and the superstep is recorded with its
// checkpoint. It is code over the engine's calls, like any workflow: it must never look at a clock, and never use anything but what is recorded.
import { decode } from "../codec/value.ts";
import { checkpointKey } from "../core/checkpoint-key.ts";
import type { Trees } from "../core/graph/channels.ts";
import type { Limits } from "../core/limits.ts";
import type { GraphState } from "../core/fold/graph.ts";
import { runSeed } from "../core/graph/order.ts";
import { planNext, startName, type EndedItem, type Target, type WorkItem } from "../core/graph/plan.ts";
import { frontierEntry, routeText, writeSuperstep, type SuperstepItem, type SuperstepPayload } from "../core/graph/superstep.ts";
import type { Calls, ForkPoint } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { freezeDeep } from "../workflow/freeze.ts";
import type { BuiltGraph } from "./built-graph.ts";
import { interruption, interruptsOf } from "./interrupt.ts";
import { ItemQueue } from "./item-queue.ts";
import { targetsOf } from "./routes.ts";
import { runItem, type ItemEnd, type RunningGraph } from "./run-item.ts";
import { standingOf, whyNoTurn, whyNotFrom, type Standing } from "./standing.ts";
import { checkUpdate, GraphValues, treeBytes, type CheckedUpdate } from "./state.ts";

/** Items of one superstep. */
const itemsMax = 10_000;

export async function runGraph(g: BuiltGraph, calls: Calls, d: Definition, input: unknown): Promise<unknown> {
  if (calls.forkPoint?.isTurn === true) return nextTurn(g, calls, d, input, calls.forkPoint.state as GraphState);
  if (calls.forkPoint !== null) return forkGraph(g, calls, d, calls.forkPoint);
  return continueGraph({ g, d, calls, seed: runSeed(sha256Hex, calls.rootRunId) }, beginGraph(g, calls, input));
}

/** From there to the end. */
export async function continueGraph(run: RunningGraph, from: Standing): Promise<unknown> {
  const { g } = run;
  let at = from;
  let last: readonly { readonly node: string }[] = [{ node: startName }];
  for (;;) {
    const stop = interruption(g, run.calls, at);
    if (stop !== undefined) await stop;
    if (at.frontier.length === 0) break;
    if (at.n >= g.maxSteps)
      throw new PawlError("PAWL1054", `graph ${g.name} has run ${at.n} supersteps, and maxSteps is ${g.maxSteps}`, {
        data: { graph: g.name, maxSteps: g.maxSteps },
      });
    last = at.frontier;
    at = recordEnd(run, at, await runItems(run, at, at.n + 1));
  }
  if (!at.ended) {
    const nodes = [...new Set(last.map((w) => w.node))].join(", ");
    throw new PawlError("PAWL1053", `graph ${g.name} has nothing left to do and no edge led to "end"; the last nodes: ${nodes}`, {
      data: { graph: g.name, nodes },
    });
  }
  const seen = at.values.seen();
  return g.result === null ? seen : g.result(seen);
}

/** What an input gives: the first state, and where the start leads. */
export function beginState(
  g: BuiltGraph,
  limits: Limits,
  input: unknown,
  before?: GraphValues,
): { readonly values: GraphValues; readonly targets: readonly Target[] } {
  const initial = before ?? GraphValues.initial(g.channels, limits);
  const update = checkUpdate(g.channels, g.begin === null ? input : g.begin(input), limits, g.begin === null ? "the input" : "begin");
  const values = update === null ? initial : initial.merge([{ item: "0/start", update }], limits).state;
  return { values, targets: targetsOf(g, startName, values, limits) };
}

/** A new run of the same id: the state that the run before left, what `begin` sets of this input, and where the start leads. */
async function nextTurn(g: BuiltGraph, calls: Calls, d: Definition, input: unknown, s: GraphState): Promise<unknown> {
  const refused = whyNoTurn(g, s);
  if (refused !== null) return calls.diverge(...refused);
  const { trees } = GraphValues.initial(g.channels, calls.limits);
  const standing = beginGraph(g, calls, input, new GraphValues(g.channels, { ...trees, ...freezeDeep(s.values) }));
  return continueGraph({ g, d, calls, seed: standing.seed }, standing);
}

/** Superstep 0: the initial values, or those of the turn before, what `begin` sets, and where the start leads. */
function beginGraph(g: BuiltGraph, calls: Calls, input: unknown, before?: GraphValues): Standing {
  const { values, targets } = beginState(g, calls.limits, input, before);
  const { frontier, joins, ended } = planNext(sha256Hex, 0, [{ node: startName, path: "", targets }], g.joins, {});
  const seed = runSeed(sha256Hex, calls.rootRunId);
  const standing: Standing = { n: 0, values, seed, frontier, joins, counters: {}, ended, after: [] };
  // A turn is recorded as a fork is: its log alone says how it began.
  const items = before === undefined ? [{ item: "0/start", node: startName, orderKey: "0", ok: true, route: routeOf(targets) }] : [];
  const kinds = Object.fromEntries([...g.channels].map(([name, { kind }]) => [name, kind]));
  record(g, calls, standing, items, { channels: kinds, state: values.trees });
  return standing;
}

/** Where another run stood, with its seed; then the update, if any. The log begins with the whole state, so it needs no other log. */
async function forkGraph(g: BuiltGraph, calls: Calls, d: Definition, { state, update: asked }: ForkPoint): Promise<unknown> {
  const s = state as GraphState;
  const refused = whyNotFrom(g, s);
  if (refused !== null) return calls.diverge(...refused);
  const before = standingOf(g, s);
  const update = asked === undefined ? null : checkUpdate(g.channels, decode(JSON.stringify(asked)), calls.limits, "the update");
  const values = update === null ? before.values : before.values.merge([{ item: `${s.n}/fork`, update }], calls.limits).state;
  const standing = { ...before, values };
  record(g, calls, standing, [], {
    channels: s.channels,
    state: values.trees,
    ...(s.interrupts === undefined ? {} : { interrupts: s.interrupts }),
  });
  return continueGraph({ g, d, calls, seed: before.seed }, standing);
}

function recordEnd(run: RunningGraph, at: Standing, ends: readonly (ItemEnd | undefined)[]): Standing {
  const { g, calls } = run;
  const { next, items, set, label } = endSuperstep(run, at, ends);
  const interrupts = next.after.length === 0 ? undefined : next.after;
  record(g, calls, next, items, { set: isEmpty(set) ? undefined : set, label: label ?? undefined, interrupts });
  calls.forgetScope(String(next.n));
  return next;
}

/** What a superstep comes to once its items have ended. Throws what fails the run. */
export function endSuperstep(
  { g, calls }: Pick<RunningGraph, "g" | "calls">,
  at: Standing,
  ends: readonly (ItemEnd | undefined)[],
): { readonly next: Standing; readonly items: readonly SuperstepItem[]; readonly set: Trees; readonly label: string | null } {
  const n = at.n + 1;
  const failed = at.frontier.filter((work, i) => isFatal(g, work, ends[i]));
  if (failed.length > 0) throw superstepFailed(n, failed, (work) => ends[at.frontier.indexOf(work)] as ItemEnd & { ok: false });
  const updates: { item: string; update: CheckedUpdate }[] = [];
  let label: string | null = null;
  for (let i = 0; i < at.frontier.length; i++) {
    const e = ends[i]!;
    if (!e.ok) continue;
    if (e.update !== null) updates.push({ item: at.frontier[i]!.item, update: e.update });
    label = e.label ?? label;
  }
  const { state: values, set, conflicts } = at.values.merge(updates, calls.limits);
  const led = at.frontier.map(({ item, node, path }, i): EndedItem => {
    const e = ends[i]!;
    if (e.ok) return { node, path, targets: targetsOf(g, node, values, calls.limits) };
    return { node, path, targets: [{ to: g.catches.get(node)! }], failure: { node, item, code: e.code, message: e.message } };
  });
  const { frontier, joins, ended } = planNext(sha256Hex, n, led, g.joins, at.joins);
  if (conflicts > 0) calls.items.conflicts(conflicts);
  const counters = conflicts === 0 ? at.counters : { ...at.counters, conflicts: (at.counters["conflicts"] ?? 0) + conflicts };
  const after = interruptsOf(g.interruptAfter, at.frontier);
  const next: Standing = { n, values, seed: at.seed, frontier, joins, counters, ended: at.ended || ended, after };
  const items = at.frontier.map((work, i) => superstepItem(g, work, ends[i]!, led[i]!.targets));
  return { next, items, set, label };
}

/** So many at a time, in the order of their order keys; the others wait as data. Then those that run alone, one after the other. */
export async function runItems(run: RunningGraph, at: Standing, n: number): Promise<readonly (ItemEnd | undefined)[]> {
  const { frontier, values } = at;
  const ends: (ItemEnd | undefined)[] = Array.from({ length: frontier.length });
  const queue = new ItemQueue(run, n, frontier.length);
  const { order, together } = turnsOf(run.g, frontier);
  let isStopped = false;
  let hasFailed = false;
  const worker = async (upTo: number): Promise<void> => {
    while (!isStopped) {
      const taken = queue.take(upTo);
      const turn = taken instanceof Promise ? await taken : taken;
      if (turn === undefined) return;
      const i = order[turn]!;
      const work = frontier[i]!;
      const over = run.calls.items.began(work.node);
      const ended = await runItem(run, values, n, work);
      over();
      ends[i] = ended;
      if (!isFatal(run.g, work, ended)) continue;
      hasFailed = true;
      if (run.g.onBranchFailure === "stop") isStopped = true;
    }
  };
  const working = Array.from({ length: Math.min(run.g.concurrency, together) }, () => worker(together));
  queue.watch();
  // Every promise that is not needed costs a superstep of one item what a hash costs.
  await (working.length === 1 ? working[0] : Promise.all(working));
  if (!hasFailed && together < frontier.length) await worker(frontier.length);
  const closing = queue.close();
  if (closing !== null) await closing;
  return ends;
}

/** Whose turn it is: places in the frontier. The first `together` of them may run beside each other. */
function turnsOf(g: BuiltGraph, frontier: readonly WorkItem[]): { readonly order: readonly number[]; readonly together: number } {
  const all = frontier.map((_, i) => i);
  const isAlone = (i: number): boolean => {
    const node = g.nodes.get(frontier[i]!.node)!;
    return "alone" in node && node.alone;
  };
  const first = all.filter((i) => !isAlone(i));
  return first.length === all.length
    ? { order: all, together: all.length }
    : { order: [...first, ...all.filter(isAlone)], together: first.length };
}

/** Nothing takes this failure: the run fails. */
function isFatal(g: BuiltGraph, work: WorkItem, e: ItemEnd | undefined): boolean {
  return e !== undefined && !e.ok && (e.isFinal || !g.catches.has(work.node));
}

/** The first failure by order key is the run's; the others are named, none is dropped (LX-18). */
function superstepFailed(n: number, failed: readonly WorkItem[], endOf: (work: WorkItem) => ItemEnd & { ok: false }): unknown {
  const first = endOf(failed[0]!);
  if (failed.length === 1) return first.error;
  const list = failed.map((work) => `${work.item}: ${endOf(work).message}`).join("; ");
  return new PawlError("PAWL1059", `${failed.length} items of superstep ${n} failed: ${list}`, {
    cause: first.error,
    data: { superstep: n, items: failed.map((work) => work.item).join(", ") },
  });
}

function superstepItem(g: BuiltGraph, work: WorkItem, e: ItemEnd, targets: readonly Target[]): SuperstepItem {
  const { item, node, orderKey } = work;
  const route = routeOf(targets);
  if (!e.ok) return { item, node, orderKey: String(orderKey), ok: false, failure: { code: e.code, message: e.message }, route };
  if (e.update === null) return { item, node, orderKey: String(orderKey), ok: true, route };
  const { trees, text } = e.update;
  const kept = keptTrees(g, trees);
  return { item, node, orderKey: String(orderKey), ok: true, update: isEmpty(kept) ? undefined : kept, updateHash: sha256Hex(text), route };
}

/** Without channels of kind reduce: their new values are recorded, not what was put into them. */
function keptTrees(g: BuiltGraph, trees: Trees): Trees {
  const names = Object.keys(trees);
  const isKept = (name: string): boolean => g.channels.get(name)!.kind !== "reduce";
  return names.every(isKept) ? trees : Object.fromEntries(names.filter(isKept).map((name) => [name, trees[name]]));
}

/** One event, and before it what is too large for it; its checkpoint goes into the same Commit. */
function record(
  g: BuiltGraph,
  calls: Calls,
  s: Standing,
  items: readonly SuperstepItem[],
  more: Pick<SuperstepPayload, "channels" | "state" | "set" | "label" | "interrupts">,
): void {
  checkSize(g, calls, s);
  const key = checkpointKey(sha256Hex, {
    runId: calls.run.runId,
    stepId: s.n,
    frontier: s.frontier.map((w) => ({ nodeId: w.node, orderKey: w.orderKey })),
    stateJson: s.values.text,
  });
  const { parts, payload } = writeSuperstep({
    n: s.n,
    key,
    seed: String(s.seed),
    now: calls.nowMs(),
    joins: s.joins,
    counters: s.counters,
    ended: s.ended,
    channels: more.channels,
    label: more.label,
    interrupts: more.interrupts,
    state: more.state,
    set: more.set,
    items,
    frontier: s.frontier.map(frontierEntry),
  });
  for (const part of parts) calls.mark("pawl.SuperstepPart", part);
  calls.mark("pawl.Superstep", payload, { stepId: s.n, key, label: more.label ?? null });
}

function isEmpty(trees: Trees): boolean {
  for (const _ in trees) return false;
  return true;
}

/** Before anything of a superstep is recorded, the first one too. */
function checkSize(g: BuiltGraph, calls: Calls, { n, values, frontier }: Standing): void {
  const max = calls.limits.stateBytesMax;
  const bytes = values.bytes();
  if (bytes > max)
    throw new PawlError("PAWL1055", `the state of graph ${g.name} would be ${bytes} bytes, the limit is ${max}`, {
      data: { graph: g.name, bytes, max },
    });
  let inputs = 0;
  for (const { input } of frontier) if (input !== undefined) inputs += treeBytes(input);
  if (bytes + inputs > max)
    throw new PawlError(
      "PAWL1055",
      `the state of graph ${g.name} and the inputs of its next items would be ${bytes + inputs} bytes, the limit is ${max}`,
      { data: { graph: g.name, bytes: bytes + inputs, max } },
    );
  if (frontier.length > itemsMax)
    throw new PawlError("PAWL1055", `superstep ${n + 1} of graph ${g.name} would have ${frontier.length} items, the limit is ${itemsMax}`, {
      data: { graph: g.name, items: frontier.length, max: itemsMax },
    });
}

function routeOf(targets: readonly Target[]): readonly string[] {
  return routeText(targets.map((t) => t.to));
}
