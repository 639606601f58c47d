// What the log of a graph folds to: its state after the last superstep, and the work that comes next. The events of a superstep under way change
// nothing until the event that ends it. Pure: no reducer and no schema is called. Values are JSON data, and nothing of them is changed in place.
import { applyUpdate, type ChannelKind, type Tree, type Trees } from "../graph/channels.ts";
import type { JoinState } from "../graph/plan.ts";
import { readPart, readSuperstep, type FrontierEntry, type SuperstepPayload } from "../graph/superstep.ts";
import type { StyleFold } from "./style-fold.ts";

export interface GraphState {
  /** The superstep that the state is after; -1: none has ended. */
  n: number;
  key: string;
  seed: string;
  now: number;
  ended: boolean;
  channels: Readonly<Record<string, ChannelKind>>;
  values: Trees;
  frontier: readonly FrontierEntry[];
  joins: JoinState;
  counters: Readonly<Record<string, number>>;
  /** Nodes that have just run, after which a person must let the run continue. */
  interrupts: readonly string[] | undefined;
  /** Of the superstep under way; never part of what is written. */
  parts: string[];
}

export const graphFold: StyleFold<GraphState> = {
  v: 1,
  mark: "pawl.Superstep",
  empty: () => ({
    n: -1,
    key: "",
    seed: "0",
    now: 0,
    ended: false,
    channels: {},
    values: {},
    frontier: [],
    joins: {},
    counters: {},
    interrupts: undefined,
    parts: [],
  }),
  add(s, e) {
    if (e.eventType === "pawl.SuperstepPart") s.parts.push(readPart(e.payload ?? "{}").text);
    if (e.eventType !== "pawl.Superstep") return;
    addSuperstep(s, readSuperstep(e.payload ?? "{}", s.parts));
    s.parts = [];
  },
  encode({ n, key, seed, now, ended, channels, values, frontier, joins, counters, interrupts }): object {
    return { n, key, seed, now, ended, channels, values, frontier, joins, counters, interrupts };
  },
  decode: (data) => ({ interrupts: undefined, ...(data as Omit<GraphState, "parts" | "interrupts">), parts: [] }),
};

export function addSuperstep(s: GraphState, p: SuperstepPayload): void {
  const { n, key, seed, now, ended, joins, counters, frontier } = p;
  if (p.channels !== undefined) s.channels = p.channels;
  s.values = p.state ?? valuesAfter(s, p);
  s.n = n;
  s.key = key;
  s.seed = seed;
  s.now = now;
  s.ended = ended;
  s.joins = joins;
  s.counters = counters;
  s.interrupts = p.interrupts;
  s.frontier = frontier;
}

function valuesAfter({ channels, values }: GraphState, { items, set }: SuperstepPayload): Trees {
  const after: Record<string, Tree> = { ...values, ...set };
  for (const { update } of items)
    for (const [name, tree] of Object.entries(update ?? {})) {
      const kind = channels[name];
      if (kind !== undefined && kind !== "reduce") after[name] = applyUpdate(kind, after[name], tree);
    }
  return after;
}
