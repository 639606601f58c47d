// Values on the wire, both ways. Plain JSON is the default: dates are RFC 3339, bigints decimal text, bytes base64. Exact values are codec text,
// where every value comes back as it was. What is inbound is checked before anything is decoded: depth, numbers, tags. It must never round
// a number, and never read an object of the caller's as a tag in plain JSON.
import { tagKey } from "../codec/tags.ts";
import { shapeOf } from "../codec/shape.ts";
import { encode, revive } from "../codec/value.ts";
import { PawlError } from "../errors/error.ts";
import { base64 } from "../platform/base64.ts";
import { bodyRefused } from "./problem.ts";

export type Encoding = "plain" | "exact";

export const exactType = "application/vnd.pawl+json";
const depthMax = 64;
/** A tag is three levels of JSON for one level of the value. */
const exactDepthMax = depthMax * 3;
/** Answers are the server's own: they are bounded where they are made. */
const answerLimits = { valueBytesMax: Number.POSITIVE_INFINITY, depthMax: 1_000 };

/** The encoding that a body has; undefined: not JSON. */
export function encodingOfType(contentType: string | null): Encoding | undefined {
  const [type = "", ...parameters] = (contentType ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  // JSON is UTF-8: read as that, another encoding would be another text.
  if (parameters.some((p) => p.startsWith("charset=") && !/^charset="?utf-?8"?$/.test(p))) return undefined;
  if (type === exactType) return "exact";
  return type === "application/json" ? "plain" : undefined;
}

/** The encoding that an answer gets. */
export function encodingOfAccept(accept: string | null): Encoding {
  return accept !== null && accept.toLowerCase().includes(exactType) ? "exact" : "plain";
}

/** JSON of a body; the values in it are checked, not decoded yet. */
export function parseJson(text: string, encoding: Encoding): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bodyRefused(400, "the body is not JSON");
  }
  checkTree(json, encoding === "exact" ? exactDepthMax : depthMax);
  if (/\d{16}/.test(text)) checkIntegers(text);
  return json;
}

/** A value of a body that `parseJson` has read. */
export function decodeValue(json: unknown, encoding: Encoding): unknown {
  if (encoding === "plain") return json;
  checkTags(json, "");
  return revive(json);
}

/** JSON text of an answer. */
export function encodeValue(value: unknown, encoding: Encoding): string {
  if (encoding === "exact") return encode(value, answerLimits, "the answer");
  return JSON.stringify(isPlain(value) ? value : toPlain(value)) ?? "null";
}

function checkTree(json: unknown, levels: number): void {
  if (typeof json === "number" && !Number.isFinite(json)) throw unfit("", "a number is too large");
  if (typeof json !== "object" || json === null) return;
  if (levels === 0) throw bodyRefused(400, `the body is nested deeper than ${depthMax} levels`);
  for (const key of Object.keys(json)) checkTree((json as Record<string, unknown>)[key], levels - 1);
}

const integerMax = String(Number.MAX_SAFE_INTEGER);

/** Numbers whose whole part is beyond what a double holds exactly. Text is skipped: only numbers of JSON are looked at. */
function checkIntegers(text: string): void {
  for (const [token, digits] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?(\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    if (digits === undefined || digits.length < 16) continue;
    // As text: making a number of a million digits takes long, and nobody else is answered meanwhile.
    if (digits.length > integerMax.length || digits > integerMax)
      throw unfit("", `the number ${token.slice(0, 40)} would be rounded: send it as text, or as a bigint with ${exactType}`);
  }
}

const atoms: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity", "-0", "undefined"]);
const bigintDigitsMax = 1_000;
const dateMsMax = 8.64e15;

/** Tags of an exact body: known words with valid bodies, so that decoding cannot fail and makes nothing of absurd size. */
function checkTags(json: unknown, at: string): void {
  if (typeof json !== "object" || json === null) return;
  if (Array.isArray(json) || !Object.hasOwn(json, tagKey)) return checkMembers(json, at);
  const tag = (json as Record<string, unknown>)[tagKey];
  if (Object.keys(json).length !== 1) throw unfit(at, "a tag has no other members");
  if (typeof tag === "string" && atoms.has(tag)) return;
  if (!Array.isArray(tag) || tag.length !== 2 || !tagBodyFits(tag[0], tag[1], `${at}/${tagKey}/1`))
    throw unfit(at, "this tag is not valid");
}

function checkMembers(json: object, at: string): void {
  for (const key of Object.keys(json)) checkTags((json as Record<string, unknown>)[key], `${at}/${pointerPart(key)}`);
}

function tagBodyFits(word: unknown, body: unknown, at: string): boolean {
  switch (word) {
    case "date":
      return body === null || (Number.isInteger(body) && Math.abs(body as number) <= dateMsMax);
    case "bigint":
      return typeof body === "string" && body.length <= bigintDigitsMax + (body.startsWith("-") ? 1 : 0) && /^-?\d+$/.test(body);
    case "bytes":
      return typeof body === "string" && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(body);
    case "map":
      if (!Array.isArray(body) || !body.every((pair) => Array.isArray(pair) && pair.length === 2)) return false;
      checkMembers(body, at);
      return true;
    case "set":
      if (!Array.isArray(body)) return false;
      checkMembers(body, at);
      return true;
    case "object":
      if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
      checkMembers(body, at);
      return true;
    case "error":
      return errorFits(body, at);
    default:
      return false;
  }
}

function errorFits(body: unknown, at: string): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  const { name, message, code, cause, ...more } = body as Record<string, unknown>;
  if (typeof name !== "string" || typeof message !== "string" || Object.keys(more).length > 0) return false;
  if (code !== undefined && typeof code !== "string" && typeof code !== "number") return false;
  checkTags(cause, `${at}/cause`);
  return true;
}

export function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unfit(pointer: string, message: string): PawlError {
  return new PawlError("PAWL4011", message, { errors: [{ pointer, message }] });
}

/** JSON.stringify says it as it is, without running code of anybody's. */
function isPlain(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null || value === undefined) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto === Array.prototype) return (value as unknown[]).every(isPlain);
  if (proto !== Object.prototype || "toJSON" in value) return false;
  for (const key in value) if (!isPlain((value as Record<string, unknown>)[key])) return false;
  return true;
}

/** The value as plain JSON can say it. Own "__proto__" members stay members. */
function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  switch (shapeOf(value)) {
    case "array":
      return (value as unknown[]).map(toPlain);
    case "date":
      return Number.isNaN((value as Date).getTime()) ? null : (value as Date).toISOString();
    case "bytes":
      return base64(value as Uint8Array);
    case "map":
      return Array.from(value as Map<unknown, unknown>, ([k, v]) => [toPlain(k), toPlain(v)]);
    case "set":
      return Array.from(value as Set<unknown>, toPlain);
    case "error": {
      const { name, message, code } = value as Error & { code?: unknown };
      return { name, message, ...(typeof code === "string" || typeof code === "number" ? { code } : {}) };
    }
    default: {
      const plain = Object.create(null) as Record<string, unknown>;
      for (const key of Object.keys(value)) plain[key] = toPlain((value as Record<string, unknown>)[key]);
      return plain;
    }
  }
}
