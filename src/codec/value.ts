// Values of users to JSON text and back (K12). Guards that what the code receives live is what a replay reads: the decoded
// value has the same data, or encoding was refused. Own members that are undefined, own "__proto__" members, -0, malformed
// text all survive; the text itself is always well-formed and free of U+0000. Objects without a prototype come back plain;
// members that are not enumerable are not data. It must never keep a stack trace.
import { utf8Length } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { base64, bytesFromBase64 } from "../platform/base64.ts";
import { refuseSecrets } from "./secrets.ts";
import { inspectValue, shapeOf, tooLarge, type ValueLimits } from "./shape.ts";
import { atomTag, wordTag, tagKey } from "./tags.ts";

export type { ValueLimits } from "./shape.ts";

/** JSON text of `value`; `what` names it in errors, as in "result" or "input". */
export function encode(value: unknown, limits: ValueLimits, what: string): string {
  // One native stringify when plain JSON can carry it: the usual case.
  const text = inspectValue(value, limits, what) ? JSON.stringify(value) : write(value);
  const max = limits.valueBytesMax;
  if (text.length > max || (text.length * 3 > max && utf8Length(text) > max)) throw tooLarge(what, limits);
  if (limits.secrets !== undefined) refuseSecrets(text, limits.secrets, what);
  return text;
}

export function decode(text: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (e) {
    throw new PawlError("PAWL3007", "a stored value is not JSON", { cause: e });
  }
  // A tag can hide behind a \u00.. escape only, and this codec never writes one for these letters.
  return text.includes(`"${tagKey}"`) || text.includes("\\u00") ? revive(json) : json;
}

/** The value of a tree that JSON.parse made. Works in place: the tree belongs to the caller no more. */
export function revive(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return reviveItems(json);
  if (shapeOf(json) !== "object") return json;
  return Object.hasOwn(json, tagKey) ? reviveTag(json as Record<string, unknown>) : reviveMembers(json as Record<string, unknown>);
}

function reviveItems(items: unknown[]): unknown[] {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === "object" && item !== null) items[i] = revive(item);
  }
  return items;
}

function reviveMembers(o: Record<string, unknown>): Record<string, unknown> {
  for (const key of Object.keys(o)) {
    const member = o[key];
    // JSON.parse made every key an own member, "__proto__" too, so this assignment reaches no prototype.
    if (typeof member === "object" && member !== null) o[key] = revive(member);
  }
  return o;
}

function reviveTag(o: Record<string, unknown>): unknown {
  const tag = o[tagKey];
  if (typeof tag === "string") {
    if (atoms.has(tag)) return atoms.get(tag);
  } else if (Array.isArray(tag) && tag.length === 2) {
    const read = readers.get(tag[0] as string);
    if (read !== undefined) return read(tag[1]);
  }
  throw new PawlError("PAWL3004", "a stored value has a tag that this version of Pawl does not know");
}

const atoms: ReadonlyMap<string, number | undefined> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
  ["undefined", undefined],
]);

const readers: ReadonlyMap<string, (body: unknown) => unknown> = new Map<string, (body: unknown) => unknown>([
  ["date", (ms) => new Date(ms === null ? Number.NaN : (ms as number))],
  ["bigint", (digits) => BigInt(digits as string)],
  ["bytes", (text) => bytesFromBase64(text as string)],
  ["map", (entries) => new Map((entries as [unknown, unknown][]).map(([k, v]) => [revive(k), revive(v)]))],
  ["set", (items) => new Set(reviveItems(items as unknown[]))],
  ["object", (members) => reviveMembers(members as Record<string, unknown>)],
  ["error", (body) => readError(body as { name: string; message: string; code?: string | number; cause?: unknown })],
]);

function readError(body: { name: string; message: string; code?: string | number; cause?: unknown }): Error {
  const e = new Error(body.message, Object.hasOwn(body, "cause") ? { cause: revive(body.cause) } : undefined);
  // The place where it was decoded says nothing about where it was thrown.
  Object.defineProperty(e, "stack", { value: `${body.name}: ${body.message}`, configurable: true, writable: true });
  if (body.name !== "Error") Object.defineProperty(e, "name", { value: body.name, configurable: true, writable: true });
  return body.code === undefined ? e : Object.assign(e, { code: body.code });
}

/** Text of a value that needs tags; `inspect` has already refused what cannot be written. */
function write(value: unknown): string {
  switch (typeof value) {
    case "number":
      return Object.is(value, -0) ? atomTag("-0") : Number.isFinite(value) ? String(value) : atomTag(String(value));
    case "undefined":
      return atomTag("undefined");
    case "bigint":
      return wordTag("bigint", `"${value}"`);
    case "object":
      return value === null ? "null" : writeObject(value);
    default:
      return JSON.stringify(value);
  }
}

function writeObject(o: object): string {
  switch (shapeOf(o)) {
    case "array":
      return writeItems(o as unknown[]);
    case "date":
      return wordTag("date", JSON.stringify((o as Date).getTime()));
    case "bytes":
      return wordTag("bytes", `"${base64(o as Uint8Array)}"`);
    case "map":
      return wordTag("map", `[${Array.from(o as Map<unknown, unknown>, ([k, v]) => `[${write(k)},${write(v)}]`).join()}]`);
    case "set":
      return wordTag("set", writeItems([...(o as Set<unknown>)]));
    case "error":
      return wordTag("error", writeError(o as Error & { code?: unknown }));
    default: {
      const members = writeMembers(o as Record<string, unknown>);
      return Object.hasOwn(o, tagKey) ? wordTag("object", members) : members;
    }
  }
}

function writeItems(items: readonly unknown[]): string {
  let out = "";
  for (const item of items) out += out === "" ? write(item) : `,${write(item)}`;
  return `[${out}]`;
}

function writeMembers(o: Record<string, unknown>): string {
  let out = "";
  for (const key of Object.keys(o)) out += `${out === "" ? "" : ","}${JSON.stringify(key)}:${write(o[key])}`;
  return `{${out}}`;
}

function writeError(e: Error): string {
  const code = errorMember(e, "code");
  const withCode = typeof code === "string" || (typeof code === "number" && Number.isFinite(code)) ? `,"code":${JSON.stringify(code)}` : "";
  const own = Object.getOwnPropertyDescriptor(e, "cause");
  const cause = own === undefined || own.get !== undefined ? "" : `,"cause":${write(own.value)}`;
  return `{"name":${errorText(e, "name", "Error")},"message":${errorText(e, "message", "")}${withCode}${cause}}`;
}

function errorText(e: Error, member: "name" | "message", otherwise: string): string {
  const text = errorMember(e, member);
  return JSON.stringify(typeof text === "string" ? text : otherwise);
}

/** Names and codes of errors live on prototypes, as accessors too (DOMException): read them, and survive one that throws. */
function errorMember(e: Error, member: "name" | "message" | "code"): unknown {
  try {
    return (e as unknown as Record<string, unknown>)[member];
  } catch {
    return undefined;
  }
}
