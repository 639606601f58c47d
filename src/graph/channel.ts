// The channels that an author writes: plain data, known by identity, so that nothing but these functions makes one.
// Nothing is computed here.
import { checkOptions } from "../core/guarantee.ts";
import type { ChannelKind } from "../core/graph/channels.ts";
import { PawlError } from "../errors/error.ts";
import type { Frozen } from "../tools/frozen.ts";
import type { Channel } from "./types.ts";

/** What the graph knows of a channel. */
export interface ChannelSpec {
  readonly kind: ChannelKind;
  readonly initial: unknown;
  /** Of `last`: what two writers in one superstep mean. */
  readonly conflict: "fail" | "highest";
  readonly reduce: ((value: unknown, update: unknown) => unknown) | null;
}

const lastOptions = new Set(["conflict"]);
const specs = new WeakMap<object, ChannelSpec>();

function make<V, U>(spec: Partial<ChannelSpec> & Pick<ChannelSpec, "kind" | "initial">): Channel<V, U> {
  const channel = Object.freeze({ channel: spec.kind });
  specs.set(channel, { conflict: "fail", reduce: null, ...spec });
  return channel as unknown as Channel<V, U>;
}

export function channelSpec(x: unknown): ChannelSpec | undefined {
  return typeof x === "object" && x !== null ? specs.get(x) : undefined;
}

/**
 * One value. Two items of one superstep that set it fail the run, or, with `conflict: "highest"`, the one with the higher order key wins.
 *
 * @example
 * state: { report: last("") }
 */
export function last<V>(initial: V, o?: { conflict?: "fail" | "highest" }): Channel<V, Frozen<V>> {
  if (o !== undefined) checkOptions(o, lastOptions, "last()"); // a misspelt policy would be the default one
  const conflict = o?.conflict ?? "fail";
  if (conflict !== "fail" && conflict !== "highest") throw new PawlError("PAWL1050", 'conflict must be "fail" or "highest"');
  return make({ kind: "last", initial, conflict });
}

/**
 * A list that grows. Only what was added is recorded. An array always means several items.
 *
 * @example
 * state: { pages: append<string>() }
 */
export function append<V>(): Channel<V[], Frozen<V> | readonly Frozen<V>[]> {
  return make({ kind: "append", initial: [] });
}

/**
 * A list by id. An item replaces the one with its id or is added; `{ remove }` takes items away. The caller supplies the ids.
 *
 * @example
 * state: { notes: byId<{ id: string; text: string }>() }
 */
export function byId<V extends { readonly id: string }>(): Channel<
  V[],
  Frozen<V> | readonly Frozen<V>[] | { readonly remove: string | readonly string[] }
> {
  return make({ kind: "byId", initial: [] });
}

/**
 * A number to which updates are added.
 *
 * @example
 * state: { spent: sum() }
 */
export function sum(initial: number = 0): Channel<number, number> {
  if (typeof initial !== "number" || !Number.isFinite(initial)) throw new PawlError("PAWL1050", "sum() begins with a finite number");
  return make({ kind: "sum", initial: initial === 0 ? 0 : initial });
}

/**
 * Your own reducer: pure, given frozen values, called in the order of the items' order keys. The new value is recorded, so it is never called
 * again to rebuild the state.
 *
 * @example
 * state: { longest: reduce("", (a: string, b: string) => (b.length > a.length ? b : a)) }
 */
export function reduce<V, U>(initial: V, f: (value: V, update: U) => V): Channel<V, U> {
  if (typeof f !== "function") throw new PawlError("PAWL1050", "reduce() needs a function");
  return make({ kind: "reduce", initial, reduce: f as (value: unknown, update: unknown) => unknown });
}
