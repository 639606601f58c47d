// Refuses a graph that could not work, when its module is loaded: names that lead nowhere, nodes that nothing reaches, joins that cannot fill. It
// calls no function that an author gave: where an edge is a function, any node may follow.
import { endName, sourcesOf, startName } from "../core/graph/plan.ts";
import { PawlError } from "../errors/error.ts";
import type { BuiltGraph } from "./built-graph.ts";

export function brokenGraph(name: string, why: string, data: Readonly<Record<string, string>> = {}): PawlError {
  return new PawlError("PAWL1050", `graph ${name}: ${why}`, { data: { graph: name, ...data } });
}

export function checkGraph(g: BuiltGraph): void {
  const refuse = (why: string, node?: string): never => {
    throw brokenGraph(g.name, why, node === undefined ? {} : { node });
  };
  if (g.nodes.size === 0) refuse("it has no nodes");
  const known = (name: string, what: string): void => {
    if (!g.nodes.has(name)) refuse(`${what} leads to ${name}, and no node is called that`, name);
  };
  for (const [from, route] of g.routes) {
    if (from !== startName && !g.nodes.has(from)) refuse(`there is an edge from ${from}, and no node is called that`, from);
    if (typeof route === "function") continue;
    if (route.length === 0) refuse(`the edge of ${from} leads nowhere; say "end" where the run is to complete`, from);
    if (new Set(route).size !== route.length) refuse(`the edge of ${from} names a node twice`, from);
    for (const to of route) {
      if (to === endName) continue;
      known(to, `the edge of ${from}`);
      if (g.nodes.get(to)!.kind === "each") refuse(`the edge of ${from} leads to ${to}, which takes inputs: reach it with send()`, from);
    }
  }
  for (const name of [startName, ...g.nodes.keys()]) if (!g.routes.has(name)) refuse(`${name} has no edge`, name);
  for (const [target, sources] of Object.entries(g.joins)) {
    known(target, "joins");
    if (g.nodes.get(target)!.kind === "each") refuse(`${target} takes inputs and cannot be the target of a join`, target);
    if (sources.length === 0) refuse(`the join of ${target} names no node`, target);
    if (new Set(sources).size !== sources.length) refuse(`the join of ${target} names a node twice`, target);
    for (const source of sources) {
      known(source, `the join of ${target}`);
      if (source === target) refuse(`the join of ${target} waits for itself`, target);
    }
  }
  for (const [from, to] of g.catches) {
    known(from, "catch");
    known(to, `catch of ${from}`);
    if (g.nodes.get(to)!.kind === "each") refuse(`catch of ${from} leads to ${to}, which takes inputs`, from);
  }
  for (const name of g.interruptBefore) if (!g.nodes.has(name)) refuse(`interruptBefore names ${name}, and no node is called that`, name);
  for (const name of g.interruptAfter) if (!g.nodes.has(name)) refuse(`interruptAfter names ${name}, and no node is called that`, name);
  checkReach(g, refuse);
}

/** Nodes that some way leads to. A function may lead to any node, so one that is reached reaches all. */
function checkReach(g: BuiltGraph, refuse: (why: string, node?: string) => never): void {
  const reached = new Set<string>([startName]);
  let grew = true;
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    grew = true;
  };
  while (grew) {
    grew = false;
    for (const from of Array.from(reached)) {
      const route = g.routes.get(from);
      if (typeof route === "function") for (const name of [...g.nodes.keys(), endName]) reach(name);
      // An edge from a source of the join only counts with all the others.
      else for (const to of route ?? []) if (sourcesOf(g.joins, to)?.includes(from) !== true) reach(to);
      const handler = g.catches.get(from);
      if (handler !== undefined) reach(handler);
    }
    for (const [target, sources] of Object.entries(g.joins)) if (sources.every((s) => reached.has(s))) reach(target);
  }
  for (const name of g.nodes.keys()) {
    if (reached.has(name)) continue;
    const missing = sourcesOf(g.joins, name)?.find((s) => !reached.has(s));
    refuse(missing === undefined ? `nothing leads to ${name}` : `the join of ${name} cannot fill: nothing leads to ${missing}`, name);
  }
  if (!reached.has(endName)) refuse('no edge leads to "end", so no run could complete');
}
