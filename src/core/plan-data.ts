// A plan: the graph of a DAG as data, and its checks. Needs are edges, a branch is an edge from its decision. A reader of the data can say
// what waits for what without the code. Checks come before anything is stored: what is wrong is named, and nothing is repaired. Pure.
import { PawlError } from "../errors/error.ts";
import type { GuaranteeClass } from "./model.ts";
import type { Trigger } from "./trigger.ts";

export type PlanNodeKind = "task" | "do" | "each" | "decide" | "batch" | "call" | "tx" | "sleep" | "receive";

/** One branch of a decision. */
export interface PlanBranch {
  readonly decision: string;
  readonly branch: string;
}

export interface PlanNode {
  /** The id of its step, or the beginning of the ids of its steps. */
  readonly id: string;
  readonly kind: PlanNodeKind;
  readonly needs: readonly string[];
  readonly trigger: Trigger;
  /** One of them must be chosen. */
  readonly on?: readonly PlanBranch[];
  /** Of a decision. */
  readonly branches?: readonly string[];
  /** It has a condition of its own. */
  readonly when?: true;
  readonly hold?: true;
  /** Of a list: no item begins after the first failure. */
  readonly failFast?: true;
  /** The task or workflow that it calls, the signal that it waits for. */
  readonly uses?: string;
  readonly queue?: string;
  readonly class?: GuaranteeClass;
  readonly retries?: number;
}

export interface PlanData {
  /** Hex SHA-256 of the graph. */
  readonly digest: string;
  readonly nodes: readonly PlanNode[];
  /** The nodes whose results are the run's: one, or several as an object by name. */
  readonly result: string | readonly string[];
}

/** Decisions within decisions. */
const depthMax = 16;
const nodeId = /^[A-Za-z0-9._-]{1,200}$/;
/** RUN is the run as a whole, input is its input, and a member called __proto__ would be no member: what a step gets under that name would be lost. */
const noNames: ReadonlySet<string> = new Set(["RUN", "input", "__proto__"]);

export function checkNodeId(id: unknown): string {
  if (typeof id !== "string" || !nodeId.test(id) || noNames.has(id))
    throw brokenPlan(
      `${typeof id === "string" ? JSON.stringify(id.slice(0, 80)) : "it"} is not a name for a step: use 1 to 200 letters, digits, '.', '_' and '-', and none of ${[...noNames].join(", ")}`,
    );
  return id;
}

export function brokenPlan(message: string, data: Readonly<Record<string, string>> = {}): PawlError {
  return new PawlError("PAWL1025", message, { data: { code: "INVALID_STEP_SCHEMA", ...data } });
}

/** Every edge into a node: what it needs, and the decisions it stands on, each once. */
export function edgesInto(n: Pick<PlanNode, "needs" | "on">): readonly string[] {
  if (n.on === undefined) return n.needs;
  const all = new Set(n.needs);
  for (const b of n.on) all.add(b.decision);
  return [...all];
}

/** Refuses names that are taken or unknown, needs that are named twice or name the node itself, branches that do not exist, and cycles. */
export function checkPlan(nodes: readonly PlanNode[]): void {
  if (nodes.length === 0) throw brokenPlan("a plan needs at least one step");
  const byId = new Map<string, PlanNode>();
  for (const n of nodes) {
    if (byId.has(checkNodeId(n.id))) throw brokenPlan(`two steps are named ${n.id}`, { step: n.id });
    byId.set(n.id, n);
  }
  for (const n of nodes) {
    if (n.needs.includes(n.id)) throw cycleError([n.id, n.id]);
    const seen = new Set<string>();
    for (const need of n.needs) {
      if (!byId.has(need)) throw brokenPlan(`step ${n.id} needs ${need}, which does not exist`, { step: n.id, need });
      if (seen.has(need)) throw brokenPlan(`step ${n.id} needs ${need} twice`, { step: n.id, need });
      seen.add(need);
    }
    checkBranches(n, byId);
  }
  checkDepth(topologicalOrder(nodes, byId), byId);
}

function checkBranches(n: PlanNode, byId: ReadonlyMap<string, PlanNode>): void {
  for (const { decision, branch } of n.on ?? []) {
    const d = byId.get(decision);
    if (d?.kind !== "decide")
      throw brokenPlan(`step ${n.id} stands on ${decision}, which is not a decision`, { step: n.id, need: decision });
    if (d.branches?.includes(branch) !== true)
      throw brokenPlan(`step ${n.id} stands on branch ${branch}, which decision ${decision} does not have`, { step: n.id, branch });
  }
  if (n.kind !== "decide") return;
  const names = n.branches ?? [];
  if (names.length === 0 || new Set(names).size !== names.length)
    throw brokenPlan(`decision ${n.id} needs branches, each with its own name`, { step: n.id });
}

/** Kahn's algorithm; what it cannot order lies on a cycle, or behind one. */
function topologicalOrder(nodes: readonly PlanNode[], byId: ReadonlyMap<string, PlanNode>): readonly string[] {
  const open = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  const order: string[] = [];
  for (const n of nodes) {
    const edges = edgesInto(n);
    open.set(n.id, edges.length);
    if (edges.length === 0) order.push(n.id);
    for (const e of edges) {
      const known = dependents.get(e);
      if (known === undefined) dependents.set(e, [n.id]);
      else known.push(n.id);
    }
  }
  for (let i = 0; i < order.length; i++) {
    for (const d of dependents.get(order[i]!) ?? []) {
      const left = open.get(d)! - 1;
      open.set(d, left);
      if (left === 0) order.push(d);
    }
  }
  if (order.length < nodes.length) throw cycleError(cycleAmong(nodes, byId, open));
  return order;
}

/** Back along the edges from any node that is left: each has one that is left too, so the walk must come back to itself. */
function cycleAmong(nodes: readonly PlanNode[], byId: ReadonlyMap<string, PlanNode>, open: ReadonlyMap<string, number>): readonly string[] {
  const at = new Map<string, number>();
  const walk: string[] = [];
  let id = nodes.find((n) => open.get(n.id)! > 0)!.id;
  while (!at.has(id)) {
    at.set(id, walk.length);
    walk.push(id);
    id = edgesInto(byId.get(id)!).find((e) => open.get(e)! > 0)!;
  }
  const cycle = walk.slice(at.get(id)!).reverse(); // in the order in which they would run
  // The edge that closes it is the one into the node that was written last.
  const place = new Map(nodes.map((n, i) => [n.id, i]));
  const last = cycle.reduce((a, b) => (place.get(b)! > place.get(a)! ? b : a));
  const from = cycle.indexOf(last);
  const turned = [...cycle.slice(from), ...cycle.slice(0, from)];
  return [...turned, last];
}

/** `cycle` begins and ends with the same node, in the order in which they would run. */
function cycleError(cycle: readonly string[]): PawlError {
  const to = cycle[0]!;
  const from = cycle.at(-2)!;
  const shown = cycle.length <= 12 ? cycle : [...cycle.slice(0, 6), `… ${cycle.length - 11} more …`, ...cycle.slice(-5)];
  const what = from === to ? `step ${to} needs itself` : `step ${to} needs ${from}, which closes a cycle`;
  return new PawlError("PAWL1024", `${what}: ${shown.join(" → ")}`, {
    data: { code: "INVALID_STEP_SCHEMA", from, to, cycle: cycle.join(","), length: cycle.length - 1 },
  });
}

function checkDepth(order: readonly string[], byId: ReadonlyMap<string, PlanNode>): void {
  const depth = new Map<string, number>();
  for (const id of order) {
    const n = byId.get(id)!;
    let deepest = 0;
    for (const b of n.on ?? []) deepest = Math.max(deepest, depth.get(b.decision)! + 1);
    for (const e of n.needs) deepest = Math.max(deepest, depth.get(e)!);
    if (deepest > depthMax) throw brokenPlan(`step ${id} lies ${deepest} decisions deep; the limit is ${depthMax}`, { step: id });
    depth.set(id, deepest);
  }
}
