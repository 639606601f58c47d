// Asks an edge where it leads, and checks the answer: names of nodes, sends with inputs that their nodes take, or the end. An edge's function is pure:
// it is given the frozen state, and what it throws fails the superstep.
import type { ValueLimits } from "../codec/value.ts";
import { endName, type Target } from "../core/graph/plan.ts";
import { PawlError } from "../errors/error.ts";
import type { BuiltGraph } from "./built-graph.ts";
import { isSend } from "./send.ts";
import { treeOf, type GraphValues } from "./state.ts";

export function targetsOf(g: BuiltGraph, from: string, values: GraphValues, limits: ValueLimits): readonly Target[] {
  const route = g.routes.get(from)!;
  if (typeof route !== "function") return route.map((to) => ({ to }));
  const answer = ask(g, from, route, values.seen());
  return (Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]).map((t) => target(g, from, t, limits));
}

function ask(g: BuiltGraph, from: string, route: (s: object) => unknown, seen: object): unknown {
  let answer: unknown;
  try {
    answer = route(seen);
  } catch (cause) {
    throw wrong(g, from, `failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => {});
  throw wrong(g, from, "returned a promise: the function of an edge must be synchronous");
}

function target(g: BuiltGraph, from: string, t: unknown, limits: ValueLimits): Target {
  if (typeof t === "string") {
    if (t === endName) return { to: endName };
    const node = g.nodes.get(t);
    if (node === undefined) throw wrong(g, from, `leads to ${t}, and no node is called that`);
    if (node.kind === "each") throw wrong(g, from, `leads to ${t}, which takes inputs: reach it with send()`);
    return { to: t };
  }
  if (!isSend(t)) throw wrong(g, from, 'returned something that is neither a node\'s name, nor a send, nor "end"');
  const node = g.nodes.get(t.to);
  if (node === undefined) throw wrong(g, from, `sends to ${String(t.to)}, and no node is called that`);
  if (node.kind !== "each") throw wrong(g, from, `sends to ${t.to}, which takes no inputs`);
  const input = treeOf(node.parse(t.input, `input of ${t.to}`), limits, `input of ${t.to}`);
  return { to: t.to, input };
}

function wrong(g: BuiltGraph, from: string, why: string, cause?: unknown): PawlError {
  return new PawlError("PAWL1056", `graph ${g.name}: the edge of ${from} ${why}`, {
    data: { graph: g.name, node: from },
    ...(cause === undefined ? {} : { cause }),
  });
}
