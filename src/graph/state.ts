// A graph's state while its code runs: each channel as JSON data, frozen, with its canonical text, from which a node's view and the checkpoint's key
// are made. Updates are encoded and checked when a node returns (K12) and merged in the order of the items. It must never be changed in place: a
// superstep that fails leaves no trace in it.
import { canonicalJson } from "../codec/canonical.ts";
import { shapeOf } from "../codec/shape.ts";
import { decode, encode, type ValueLimits } from "../codec/value.ts";
import { tagKey } from "../codec/tags.ts";
import { applyUpdate, updateProblem, type Tree, type Trees } from "../core/graph/channels.ts";
import { utf8Length } from "../core/names.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import type { ChannelSpec } from "./channel.ts";
import { freezeDeep } from "../workflow/freeze.ts";

export type ChannelSpecs = ReadonlyMap<string, ChannelSpec>;

/** What an item returned, encoded and checked. */
export interface CheckedUpdate {
  readonly trees: Trees;
  /** Canonical. */
  readonly text: string;
}

/** What an author's value is as JSON data. */
export function treeOf(value: unknown, limits: ValueLimits, what: string): Tree {
  if (isPlain(value)) return value;
  const tree: Tree = JSON.parse(encode(value, limits, what));
  canonicalText(tree, what);
  return freezeDeep(tree);
}

/** What a node, or `begin`, returned: only channels that exist, with values that they take. Null: nothing. */
export function checkUpdate(specs: ChannelSpecs, returned: unknown, limits: ValueLimits, by: string): CheckedUpdate | null {
  if (returned === undefined || returned === null) return null;
  // A Map has no members of its own: it would look like an update of nothing.
  if (typeof returned !== "object" || shapeOf(returned) !== "object")
    throw new PawlError("PAWL1051", `${by} returned ${kindOf(returned)}, not an update of channels`);
  const trees: Record<string, Tree> = {};
  for (const [name, value] of Object.entries(returned)) {
    const spec = specs.get(name);
    if (spec === undefined)
      throw new PawlError("PAWL1051", `${by} returned a value for ${name}, and no channel is called that`, { data: { channel: name } });
    if (value === undefined) continue;
    const tree = treeOf(value === 0 ? 0 : value, limits, `${name} of ${by}`); // -0 is 0 in a state
    const problem = updateProblem(spec.kind, tree);
    if (problem !== undefined) throw new PawlError("PAWL1051", `${by}: channel ${name} ${problem}`, { data: { channel: name } });
    trees[name] = tree;
  }
  if (Object.keys(trees).length === 0) return null;
  return { trees, text: stateText(trees) };
}

function kindOf(returned: unknown): string {
  if (Array.isArray(returned)) return "a list";
  if (typeof returned !== "object" || returned === null) return `a ${typeof returned}`;
  return `something that is not a plain object (${(returned.constructor as { name?: string } | undefined)?.name ?? "object"})`;
}

export interface Merged {
  readonly state: GraphValues;
  /** New values of channels of kind reduce. */
  readonly set: Trees;
  /** Channels that two items set, and the higher order key won. */
  readonly conflicts: number;
}

export class GraphValues {
  readonly trees: Trees;
  readonly #specs: ChannelSpecs;
  #seen: object | null = null;
  #text: string | null = null;
  #bytes = -1;
  #isTagged = false;

  constructor(specs: ChannelSpecs, trees: Trees) {
    this.#specs = specs;
    this.trees = trees;
  }

  static initial(specs: ChannelSpecs, limits: ValueLimits): GraphValues {
    const trees: Record<string, Tree> = {};
    for (const [name, { initial }] of specs) trees[name] = treeOf(initial, limits, `the initial value of ${name}`);
    return new GraphValues(specs, trees);
  }

  /** The RFC 8785 text of all channels. */
  get text(): string {
    return (this.#text ??= stateText(this.trees));
  }

  /** As a node sees it: frozen; with values of its own where they cannot be frozen, so that no branch sees another's changes (LX-07). */
  seen(): object {
    if (this.#seen !== null && !this.#isTagged) return this.#seen;
    const seen: Record<string, unknown> = {};
    for (const [name, tree] of Object.entries(this.trees)) {
      const value = valueOf(tree);
      this.#isTagged ||= value !== tree;
      seen[name] = value;
    }
    return (this.#seen = Object.freeze(seen));
  }

  /** In this order. Throws where two items set a channel that has one value, and where a reducer fails. */
  merge(updates: readonly { readonly item: string; readonly update: CheckedUpdate }[], limits: ValueLimits): Merged {
    const trees: Record<string, Tree> = { ...this.trees };
    const set: Record<string, Tree> = {};
    const setBy = new Map<string, string>();
    let conflicts = 0;
    for (const { item, update } of updates)
      for (const [name, tree] of Object.entries(update.trees)) {
        const spec = this.#specs.get(name)!;
        if (spec.kind === "reduce") {
          set[name] = trees[name] = reduceTree(name, spec, trees[name], tree, limits);
          continue;
        }
        const other = setBy.get(name);
        if (spec.kind === "last" && other !== undefined) {
          if (spec.conflict === "fail")
            throw new PawlError("PAWL1052", `channel ${name} was set by ${other} and by ${item} in one superstep`, {
              data: { channel: name, items: `${other}, ${item}` },
            });
          conflicts++;
        }
        setBy.set(name, item);
        const after = applyUpdate(spec.kind, trees[name], tree);
        if (spec.kind === "sum" && !Number.isFinite(after))
          throw new PawlError("PAWL1051", `${item}: the sum of channel ${name} is no longer a finite number`, { data: { channel: name } });
        if (spec.kind === "append") noteGrown(trees[name], after);
        trees[name] = Object.freeze(after);
      }
    return { state: new GraphValues(this.#specs, trees), set, conflicts };
  }

  /** Bytes of all channels. */
  bytes(): number {
    if (this.#bytes >= 0) return this.#bytes;
    let bytes = 0;
    for (const tree of Object.values(this.trees)) bytes += treeBytes(tree);
    return (this.#bytes = bytes);
  }
}

function reduceTree(name: string, spec: ChannelSpec, value: Tree, update: Tree, limits: ValueLimits): Tree {
  let after: unknown;
  try {
    after = spec.reduce!(valueOf(value), valueOf(update));
  } catch (cause) {
    throw new PawlError("PAWL1058", `the reducer of channel ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      data: { channel: name },
    });
  }
  if (after instanceof Promise) {
    after.catch(() => {});
    throw new PawlError("PAWL1058", `the reducer of channel ${name} returned a promise: a reducer must be synchronous`, {
      data: { channel: name },
    });
  }
  if (after === undefined)
    throw new PawlError("PAWL1058", `the reducer of channel ${name} returned nothing: return the new value`, { data: { channel: name } });
  return treeOf(after, limits, `channel ${name}`);
}

/** What an author's code is given for JSON data: frozen. */
export function valueOf(tree: Tree): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  const text = canonicalText(tree, "a value");
  return text.includes(`"${tagKey}"`) ? freezeDeep(decode(text)) : tree;
}

/** The RFC 8785 text of these channels. */
export function stateText(trees: Trees): string {
  const names = Object.keys(trees).sort(); // by code units
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(trees[name], name)}`).join(",")}}`;
}

/** Of frozen objects and lists: the same one has the same text for ever. */
const texts = new WeakMap<object, string>();

export function canonicalText(tree: Tree, what: string): string {
  if (typeof tree !== "object" || tree === null) return textOf(tree, what);
  let text = texts.get(tree);
  // A list keeps the texts of its items: one that grew costs what was added.
  if (text === undefined)
    texts.set(tree, (text = Array.isArray(tree) ? `[${tree.map((t) => canonicalText(t, what)).join(",")}]` : textOf(tree, what)));
  return text;
}
/** A list that grew: its text is that of the shorter one and of what was added, so that a long list costs what was added. */
function noteGrown(before: Tree, after: Tree): void {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length === 0 || after.length === before.length) return;
  const text = texts.get(before);
  if (text === undefined) return;
  const added = after
    .slice(before.length)
    .map((t: Tree) => canonicalText(t, "an item"))
    .join(",");
  texts.set(after, `${text.slice(0, -1)},${added}]`);
  const bytes = sizes.get(before);
  if (bytes !== undefined) sizes.set(after, bytes + 1 + utf8Length(added));
}
/** The bytes of texts that are known. */
const sizes = new WeakMap<object, number>();
export function treeBytes(tree: Tree): number {
  if (typeof tree !== "object" || tree === null) return utf8Length(canonicalText(tree, "the state"));
  let bytes = sizes.get(tree);
  if (bytes === undefined) sizes.set(tree, (bytes = utf8Length(canonicalText(tree, "the state"))));
  return bytes;
}
/** Its JSON text is what JavaScript writes of it. */
function isPlain(value: unknown): value is number | boolean {
  return typeof value === "boolean" || (Number.isFinite(value) && !Object.is(value, -0));
}
function textOf(tree: Tree, what: string): string {
  if (isPlain(tree)) return String(tree);
  try {
    return canonicalJson(tree);
  } catch (e) {
    if (isPawlError(e)) throw new PawlError("PAWL1003", `${what}: ${e.message}`, { cause: e });
    throw e;
  }
}
