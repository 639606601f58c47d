// The channels of a graph's state as JSON data: what a node may return for each kind, and what the channel holds afterwards. Pure, and without
// the author's code: a channel of kind reduce has none here, its new value is always recorded. Nothing is changed in place.

export type ChannelKind = "last" | "append" | "byId" | "sum" | "reduce";

/** A value as JSON data. */
export type Tree = unknown;
export type Trees = Readonly<Record<string, Tree>>;

interface WithId {
  readonly id: string;
}

/** Why a channel of this kind does not take this update; undefined: it does. */
export function updateProblem(kind: ChannelKind, update: Tree): string | undefined {
  if (kind === "sum") return typeof update === "number" && Number.isFinite(update) ? undefined : "takes a finite number";
  if (kind !== "byId" || isRemoval(update)) return undefined;
  const items = Array.isArray(update) ? update : [update];
  return items.every(hasId) ? undefined : "takes items with an id, which is text, or { remove }";
}

/** What the channel holds after the update. */
export function applyUpdate(kind: Exclude<ChannelKind, "reduce">, value: Tree, update: Tree): Tree {
  switch (kind) {
    case "last":
      return update;
    case "sum":
      return (value as number) + (update as number);
    case "append":
      return (value as readonly Tree[]).concat(Array.isArray(update) ? update : [update]);
    case "byId":
      return isRemoval(update) ? without(value as readonly WithId[], update.remove) : put(value as readonly WithId[], update);
  }
}

function put(value: readonly WithId[], update: Tree): readonly WithId[] {
  const items = [...value];
  const places = new Map(items.map((item, i) => [item.id, i]));
  for (const item of (Array.isArray(update) ? update : [update]) as readonly WithId[]) {
    const at = places.get(item.id) ?? items.length;
    places.set(item.id, at);
    items[at] = item;
  }
  return items;
}
function without(value: readonly WithId[], remove: string | readonly string[]): readonly WithId[] {
  const ids = new Set(typeof remove === "string" ? [remove] : remove);
  return value.filter((item) => !ids.has(item.id));
}

function isObject(x: Tree): x is Readonly<Record<string, Tree>> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}
function hasId(x: Tree): x is WithId {
  return isObject(x) && typeof x["id"] === "string";
}
function isRemoval(x: Tree): x is { readonly remove: string | readonly string[] } {
  if (!isObject(x) || Object.hasOwn(x, "id") || Object.keys(x).length !== 1) return false;
  const remove = x["remove"];
  return typeof remove === "string" || (Array.isArray(remove) && remove.every((id) => typeof id === "string"));
}
