// The one walk over a value before it is encoded: refuses what cannot be stored, naming its path (PAWL1003), bounds depth
// and size (PAWL1004), and says whether plain JSON can carry it. Guards that nothing is ever dropped silently. It must never
// run code of the user's: an accessor is refused, not called.
import { PawlError } from "../errors/error.ts";
import { tagKey } from "./tags.ts";

export interface ValueLimits {
  readonly valueBytesMax: number;
  readonly depthMax: number;
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
  if (o instanceof Uint8Array) return proto === Uint8Array.prototype || Buffer.isBuffer(o) ? "bytes" : undefined;
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
export function inspect(value: unknown, limits: ValueLimits, what: string): boolean {
  return new Walk(limits, what).visit(value, 0);
}

type Place = string | number | { readonly at: string };

class Walk {
  readonly #limits: ValueLimits;
  readonly #what: string;
  /** The way to the value being visited, one entry per level. */
  readonly #path: Place[] = [];
  readonly #ancestors: object[] = [];
  /** A lower bound of the encoded size: shared parts are written once per mention, so a small graph can be a huge text. */
  #bytes = 0;

  constructor(limits: ValueLimits, what: string) {
    this.#limits = limits;
    this.#what = what;
  }

  visit(value: unknown, depth: number): boolean {
    if ((this.#bytes += 1) > this.#limits.valueBytesMax) throw this.#tooLarge();
    switch (typeof value) {
      case "string":
        if ((this.#bytes += value.length) > this.#limits.valueBytesMax) throw this.#tooLarge();
        return true;
      case "number":
        return Number.isFinite(value) && !Object.is(value, -0);
      case "boolean":
        return true;
      case "undefined":
        return false;
      case "bigint":
        return false;
      case "object":
        return value === null || this.#container(value, depth);
      default:
        throw this.#refuse(depth, `a ${typeof value} cannot be stored`);
    }
  }

  #container(o: object, depth: number): boolean {
    const shape = shapeOf(o);
    if (shape === undefined) throw this.#refuse(depth, "an object of a class cannot be stored");
    if (depth >= this.#limits.depthMax) throw this.#tooDeep(o, depth);
    this.#ancestors[depth] = o;
    switch (shape) {
      case "array":
        return this.#array(o as readonly unknown[], depth);
      case "map":
        return this.#map(o as Map<unknown, unknown>, depth);
      case "set":
        return this.#each(o as Set<unknown>, depth, "item");
      case "error":
        return this.#error(o as Error, depth);
      case "date":
        return false;
      case "bytes":
        if ((this.#bytes += (o as Uint8Array).byteLength) > this.#limits.valueBytesMax) throw this.#tooLarge();
        return false;
      default:
        return this.#object(o as Record<string, unknown>, depth);
    }
  }

  #object(o: Record<string, unknown>, depth: number): boolean {
    let plain = true;
    for (const key of Object.keys(o)) {
      this.#path[depth] = key;
      this.#bytes += key.length;
      const d = Object.getOwnPropertyDescriptor(o, key);
      if (d === undefined || d.get !== undefined || d.set !== undefined) throw this.#refuse(depth + 1, "an accessor cannot be stored");
      if (!this.visit(d.value, depth + 1) || key === tagKey) plain = false;
    }
    if (Object.getOwnPropertySymbols(o).length > 0) throw this.#refuse(depth, "a member named by a symbol cannot be stored");
    return plain;
  }

  #array(a: readonly unknown[], depth: number): boolean {
    let plain = true;
    for (let i = 0; i < a.length; i++) {
      this.#path[depth] = i;
      const item = a[i];
      if (item === undefined && !Object.hasOwn(a, i)) throw this.#refuse(depth + 1, "a hole in an array cannot be stored");
      if (!this.visit(item, depth + 1)) plain = false;
    }
    if (Object.keys(a).length > a.length) throw this.#refuse(depth, "an array with named members cannot be stored");
    return plain;
  }

  #map(m: Map<unknown, unknown>, depth: number): false {
    this.#each(m.keys(), depth, "map key");
    return this.#each(m.values(), depth, "map value");
  }

  #each(items: Iterable<unknown>, depth: number, word: string): false {
    let i = 0;
    for (const item of items) {
      this.#path[depth] = { at: `${word} ${i++}` };
      this.visit(item, depth + 1);
    }
    return false;
  }

  #error(e: Error, depth: number): false {
    const cause = Object.getOwnPropertyDescriptor(e, "cause");
    if (cause !== undefined && cause.get === undefined) {
      this.#path[depth] = "cause";
      this.visit(cause.value, depth + 1);
    }
    return false;
  }

  #tooDeep(o: object, depth: number): PawlError {
    if (this.#ancestors.slice(0, depth).includes(o)) return this.#refuse(depth, "it contains itself");
    return new PawlError("PAWL1004", `${this.#where(depth)} is nested deeper than ${this.#limits.depthMax} levels`);
  }

  #tooLarge(): PawlError {
    return tooLarge(this.#what, this.#limits);
  }

  #refuse(depth: number, why: string): PawlError {
    return new PawlError("PAWL1003", `${this.#where(depth)}: ${why}`);
  }

  /** result.items[3].run; long keys are cut, since a message is no place for data. */
  #where(depth: number): string {
    let text = this.#what;
    const shown = this.#path.slice(0, Math.min(depth, 12));
    for (const place of shown) {
      if (typeof place === "number") text += `[${place}]`;
      else if (typeof place === "object") text += `[${place.at}]`;
      else text += /^[A-Za-z_$][\w$]{0,63}$/.test(place) ? `.${place}` : `[${JSON.stringify(place.slice(0, 64))}]`;
    }
    return depth > shown.length ? `${text}…` : text;
  }
}

export function tooLarge(what: string, limits: ValueLimits): PawlError {
  return new PawlError("PAWL1004", `${what} is larger than ${limits.valueBytesMax} bytes`);
}
