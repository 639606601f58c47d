// Where a graph stands after a superstep, made again from what a log folds to, and whether this code may continue from there. No code of the author's
// is run for it.
import type { GraphState } from "../core/fold/graph.ts";
import type { JoinState, WorkItem } from "../core/graph/plan.ts";
import { workItem } from "../core/graph/superstep.ts";
import { freezeDeep } from "../workflow/freeze.ts";
import type { BuiltGraph } from "./built-graph.ts";
import { GraphValues } from "./state.ts";

/** After superstep `n`. */
export interface Standing {
  readonly n: number;
  readonly values: GraphValues;
  readonly seed: bigint;
  readonly frontier: readonly WorkItem[];
  readonly joins: JoinState;
  readonly counters: Readonly<Record<string, number>>;
  readonly ended: boolean;
  /** Nodes that have just run, after which a person must let the run continue. */
  readonly after: readonly string[];
}

export function standingOf(g: BuiltGraph, s: GraphState): Standing {
  const { n, joins, counters, ended, interrupts: after = [] } = s;
  const values = new GraphValues(g.channels, freezeDeep(s.values));
  const frontier = s.frontier.map((e) => workItem({ ...e, ...(e.input === undefined ? {} : { input: freezeDeep(e.input) }) }));
  return { n, values, seed: BigInt(s.seed), frontier, joins, counters, ended, after };
}

/** Why this code cannot continue from there: what, what was expected, what was found. */
export function whyNotFrom(g: BuiltGraph, s: GraphState): [string, string, string] | null {
  const has = channelText([...g.channels].map(([name, { kind }]) => [name, kind]));
  const had = channelText(Object.entries(s.channels));
  if (has !== had) return [`the channels of graph ${g.name} have changed`, had, has];
  for (const { node, input } of s.frontier) {
    const kind = g.nodes.get(node)?.kind;
    if (kind === undefined) return [`node ${node} is due next, and graph ${g.name} no longer has it`, node, "no such node"];
    if ((kind === "each") !== (input !== undefined))
      return [`node ${node} is due next, and no longer takes what it was sent`, input === undefined ? "no input" : "an input", kind];
  }
  return null;
}
/** Why this code cannot begin a turn with that state. Channels that are new have their initial values; none may be missing or of another kind. */
export function whyNoTurn(g: BuiltGraph, s: GraphState): [string, string, string] | null {
  for (const [name, kind] of Object.entries(s.channels)) {
    const now = g.channels.get(name)?.kind ?? "no such channel";
    if (now !== kind) return [`channel ${name} of graph ${g.name} has changed`, kind, now];
  }
  return null;
}
function channelText(channels: readonly (readonly [string, string])[]): string {
  return channels
    .map(([name, kind]) => `${name}: ${kind}`)
    .sort()
    .join(", ");
}
