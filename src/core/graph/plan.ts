// Which items a graph works on next: from where the edges of the items that ended lead. A node that several edges reach runs once, under the smallest
// of its order keys; a send is an item of its own; a join waits until all that it names have run. Pure: the edges' functions were called before.
import { stepComponent, type Sha256 } from "../step-id.ts";
import type { Tree } from "./channels.ts";
import { compareItems, itemPath, orderKey } from "./order.ts";

/** Where an edge leads. */
export type Target = { readonly to: string } | { readonly to: string; readonly input: Tree };
export const endName = "end";
export const startName = "start";

/** A failure that `catch` leads to its handler. */
export interface CaughtFailure {
  readonly node: string;
  readonly item: string;
  readonly code: string;
  readonly message: string;
}

/** One piece of work of a superstep. */
export interface WorkItem {
  /** `n/node`, from the second of its node on `n/node~k`. */
  readonly item: string;
  readonly node: string;
  readonly orderKey: bigint;
  readonly path: string;
  /** Of a send. */
  readonly input?: Tree;
  readonly failures?: readonly CaughtFailure[];
}

/** An item that has ended, and where that leads. */
export interface EndedItem {
  readonly node: string;
  readonly path: string;
  readonly targets: readonly Target[];
  /** It failed: its one target is the handler. */
  readonly failure?: CaughtFailure;
}

export type JoinState = Readonly<Record<string, readonly string[]>>;

/** What a join waits for; undefined: the node is no target of one. A node may be called what every object has, such as "constructor". */
export function sourcesOf(joins: JoinState, target: string): readonly string[] | undefined {
  return Object.hasOwn(joins, target) ? joins[target] : undefined;
}

export interface Planned {
  readonly frontier: readonly WorkItem[];
  readonly joins: JoinState;
  /** An edge led to the end. */
  readonly ended: boolean;
}

interface Candidate {
  readonly node: string;
  readonly orderKey: bigint;
  readonly parentPath: string;
  readonly input?: Tree;
  failures?: CaughtFailure[];
}

/** `n`: the superstep that the items ran in. `joins`: for each target, what it waits for. */
export function planNext(
  sha256: Sha256,
  n: number,
  ended: readonly EndedItem[],
  joins: Readonly<Record<string, readonly string[]>>,
  before: JoinState,
): Planned {
  const once = new Map<string, Candidate>();
  const sent: Candidate[] = [];
  const waiting: Record<string, readonly string[]> = { ...before };
  let reachedEnd = false;
  const lead = (c: Candidate): Candidate => {
    const other = once.get(c.node);
    if (other === undefined) once.set(c.node, c);
    else if (c.orderKey < other.orderKey) once.set(c.node, { ...c, ...(other.failures === undefined ? {} : { failures: other.failures }) });
    return once.get(c.node)!;
  };
  for (const e of ended) {
    const parent = { path: e.path, node: e.node, superstep: n };
    for (const [target, sources] of Object.entries(joins)) {
      if (!sources.includes(e.node)) continue;
      const ran = new Set([...(sourcesOf(waiting, target) ?? []), e.node]);
      waiting[target] = sources.filter((s) => ran.has(s));
      if (ran.size === sources.length) lead({ node: target, orderKey: orderKey(sha256, parent, 0), parentPath: e.path });
    }
    e.targets.forEach((t, index) => {
      if (t.to === endName) reachedEnd = true;
      else if ("input" in t) sent.push({ node: t.to, orderKey: orderKey(sha256, parent, index), parentPath: e.path, input: t.input });
      else if (e.failure === undefined && sourcesOf(joins, t.to)?.includes(e.node) === true) return;
      else {
        const c = lead({ node: t.to, orderKey: orderKey(sha256, parent, index), parentPath: e.path });
        if (e.failure !== undefined) (c.failures ??= []).push(e.failure);
      }
    });
  }
  for (const node of once.keys()) delete waiting[node]; // it runs: what it waits for begins again
  const all = [...once.values(), ...sent].sort(compareItems);
  return { frontier: nameItems(sha256, n + 1, all), joins: waiting, ended: reachedEnd };
}

function nameItems(sha256: Sha256, n: number, sorted: readonly Candidate[]): readonly WorkItem[] {
  const seen = new Map<string, number>();
  return sorted.map(({ node, orderKey: key, parentPath, input, failures }) => {
    const k = (seen.get(node) ?? 0) + 1;
    seen.set(node, k);
    return {
      item: `${n}/${stepComponent(node, sha256)}${k === 1 ? "" : `~${k}`}`,
      node,
      orderKey: key,
      path: itemPath(sha256, parentPath, key),
      ...(input === undefined ? {} : { input }),
      ...(failures === undefined ? {} : { failures }),
    };
  });
}
