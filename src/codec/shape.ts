// The one walk over a value before it is encoded: refuses what cannot be stored, naming its path (PAWL1003), bounds depth
// and size (PAWL1004), and says whether plain JSON can carry it. Guards that nothing is ever dropped silently. It must never
// run code of the user's: an accessor is refused, not called.
import { PawlError } from "../errors/error.ts";
import { isNodeBuffer } from "../platform/base64.ts";
import type { SecretText } from "./secrets.ts";
import { tagKey } from "./tags.ts";

export interface ValueLimits {
  readonly valueBytesMax: number;
  readonly depthMax: number;
  /** Texts that no value may contain. */
  readonly secrets?: readonly SecretText[] | undefined;
}

export type Shape = "object" | "array" | "date" | "map" | "set" | "bytes" | "error";

/** Which of the containers and tagged kinds an object is; undefined: one that cannot be stored. */
export function shapeOf(o: object): Shape | undefined {
  const proto: unknown = Object.getPrototypeOf(o);
  if (proto === Object.prototype || proto === null) return "object";
  if (Array.isArray(o)) return proto === Array.prototype || isForeign(proto, "Array") ? "array" : undefined;
  if (proto === Date.prototype) return "date";
  if (proto === Map.prototype) return "map";
  if (proto === Set.prototype) return "set";
  if (o instanceof Uint8Array) return proto === Uint8Array.prototype || isNodeBuffer(o) ? "bytes" : undefined;
  if (o instanceof Error) return "error";
  return isForeign(proto, "Object") ? "object" : undefined;
}

/** A plain object or array of another realm (node:vm): its prototype is not ours, but it is that realm's own. */
function isForeign(proto: unknown, name: "Object" | "Array"): boolean {
  if (typeof proto !== "object" || proto === null || !Object.hasOwn(proto, "constructor")) return false;
  const outer: unknown = Object.getPrototypeOf(proto);
  if (name === "Array" ? !Array.isArray(proto) : outer !== null || !Object.hasOwn(proto, "isPrototypeOf")) return false;
  return (proto as { constructor: { name?: unknown } }).constructor.name === name;
}

/** True when JSON.stringify alone keeps the value exactly. */
export function inspectValue(value: unknown, limits: ValueLimits, what: string): boolean {
  return visit({ limits, what, path: [], ancestors: [], bytes: 0 }, value, 0);
}

type PathPart = string | number | { readonly at: string };

interface ShapeWalk {
  readonly limits: ValueLimits;
  readonly what: string;
  /** The way to the value being visited, one entry per level; entries below it are left over from its siblings. */
  readonly path: PathPart[];
  readonly ancestors: object[];
  /** A lower bound of the encoded size: shared parts are written once per mention, so a small graph can be a huge text. */
  bytes: number;
}

function visit(w: ShapeWalk, value: unknown, depth: number): boolean {
  if (++w.bytes > w.limits.valueBytesMax) throw tooLarge(w.what, w.limits);
  switch (typeof value) {
    case "string":
      addBytes(w, value.length);
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "boolean":
      return true;
    case "undefined":
    case "bigint":
      return false;
    case "object":
      return value === null || visitObject(w, value, depth);
    default:
      throw valueError(w, depth, `a ${typeof value} cannot be stored`);
  }
}

function visitObject(w: ShapeWalk, o: object, depth: number): boolean {
  const shape = shapeOf(o);
  if (shape === undefined) throw valueError(w, depth, `${className(o)} cannot be stored`);
  if (depth >= w.limits.depthMax) throw tooDeep(w, o, depth);
  w.ancestors[depth] = o;
  switch (shape) {
    case "object":
      return visitMembers(w, o as Record<string, unknown>, depth);
    case "array":
      return visitItems(w, o as readonly unknown[], depth);
    case "map":
      visitEach(w, (o as Map<unknown, unknown>).keys(), depth, "map key");
      return visitEach(w, (o as Map<unknown, unknown>).values(), depth, "map value");
    case "set":
      return visitEach(w, o as Set<unknown>, depth, "item");
    case "error":
      return visitCause(w, o as Error, depth);
    case "bytes":
      addBytes(w, (o as Uint8Array).byteLength);
      return false;
    case "date":
      return false;
  }
}

/** By its class, where that can be known without running code of the user's. */
function className(o: object): string {
  if (Array.isArray(o)) return "an array of a class of its own";
  const proto = Object.getPrototypeOf(o) as object | null;
  const made: unknown = proto === null ? undefined : Object.getOwnPropertyDescriptor(proto, "constructor")?.value;
  const name: unknown = typeof made === "function" ? Object.getOwnPropertyDescriptor(made, "name")?.value : undefined;
  return typeof name === "string" && /^[\w$]{1,64}$/.test(name) ? `an object of class ${name}` : "an object of a class";
}

function visitMembers(w: ShapeWalk, o: Record<string, unknown>, depth: number): boolean {
  let plain = true;
  for (const key of Object.keys(o)) {
    w.path[depth] = key;
    w.bytes += key.length;
    const d = Object.getOwnPropertyDescriptor(o, key);
    if (d === undefined || d.get !== undefined || d.set !== undefined) throw valueError(w, depth + 1, "an accessor cannot be stored");
    if (!visit(w, d.value, depth + 1) || key === tagKey) plain = false;
  }
  if (Object.getOwnPropertySymbols(o).length > 0) throw valueError(w, depth, "a member named by a symbol cannot be stored");
  return plain;
}

function visitItems(w: ShapeWalk, a: readonly unknown[], depth: number): boolean {
  let plain = true;
  for (let i = 0; i < a.length; i++) {
    w.path[depth] = i;
    const item = a[i];
    if (item === undefined && !Object.hasOwn(a, i)) throw valueError(w, depth + 1, "a hole in an array cannot be stored");
    if (!visit(w, item, depth + 1)) plain = false;
  }
  if (Object.keys(a).length > a.length) throw valueError(w, depth, "an array with named members cannot be stored");
  return plain;
}

function visitEach(w: ShapeWalk, items: Iterable<unknown>, depth: number, word: string): false {
  let i = 0;
  for (const item of items) {
    w.path[depth] = { at: `${word} ${i++}` };
    visit(w, item, depth + 1);
  }
  return false;
}

function visitCause(w: ShapeWalk, e: Error, depth: number): false {
  const cause = Object.getOwnPropertyDescriptor(e, "cause");
  if (cause !== undefined && cause.get === undefined) {
    w.path[depth] = "cause";
    visit(w, cause.value, depth + 1);
  }
  return false;
}

function addBytes(w: ShapeWalk, bytes: number): void {
  if ((w.bytes += bytes) > w.limits.valueBytesMax) throw tooLarge(w.what, w.limits);
}

function tooDeep(w: ShapeWalk, o: object, depth: number): PawlError {
  const way = [...w.ancestors.slice(0, depth), o];
  const again = way.findIndex((x, i) => way.indexOf(x) < i);
  if (again >= 0) return valueError(w, again, "it contains itself");
  return new PawlError("PAWL1004", `${pathText(w, depth)} is nested deeper than ${w.limits.depthMax} levels`);
}

export function tooLarge(what: string, limits: ValueLimits): PawlError {
  return new PawlError("PAWL1004", `${what} is larger than ${limits.valueBytesMax} bytes`);
}

function valueError(w: ShapeWalk, depth: number, why: string): PawlError {
  return new PawlError("PAWL1003", `${pathText(w, depth)}: ${why}`);
}

/** result.items[3].run; long keys and long ways are cut, since a message is no place for data. */
function pathText(w: ShapeWalk, depth: number): string {
  let text = w.what;
  const shown = w.path.slice(0, Math.min(depth, 12));
  for (const place of shown) {
    if (typeof place === "number") text += `[${place}]`;
    else if (typeof place === "object") text += `[${place.at}]`;
    else text += /^[A-Za-z_$][\w$]{0,63}$/.test(place) ? `.${place}` : `[${JSON.stringify(place.slice(0, 64))}]`;
  }
  return depth > shown.length ? `${text}…` : text;
}
