// What is recorded of something thrown, and the error made of it again. Total: whatever user code throws, however hostile,
// becomes a Failure of bounded size with well-formed text. It must never keep a stack trace, never throw itself, and never
// let an outcome go unrecorded because of what it looked like.
import { utf8Length } from "../core/names.ts";
import { maskSecrets } from "./secrets.ts";
import type { ValueLimits } from "./shape.ts";
import { encode, revive } from "./value.ts";

export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** The encoded tree of the thrown `data`, if it had any that can be stored; `errorOf` gives the value back. */
  readonly data?: unknown;
  readonly cause?: Failure;
}

const nameBytesMax = 256;
const messageBytesMax = 8192;
const causeDepthMax = 5;
const dataLimits = { valueBytesMax: 65_536, depthMax: 32 };

/** `limits`: of the engine, whose secrets are replaced. */
export function failureOf(e: unknown, limits?: Pick<ValueLimits, "secrets">): Failure {
  return describeThrown(e, 0, limits?.secrets);
}

/** An Error with the recorded name, message, code, data and cause; its stack says nothing. */
export function errorFromFailure(f: Failure): Error {
  const e = new Error(f.message, f.cause === undefined ? undefined : { cause: errorFromFailure(f.cause) });
  Object.defineProperty(e, "stack", { value: `${f.name}: ${f.message}`, configurable: true, writable: true });
  if (f.name !== "Error") Object.defineProperty(e, "name", { value: f.name, configurable: true, writable: true });
  if (f.code !== undefined) Object.assign(e, { code: f.code });
  if (f.data !== undefined) Object.assign(e, { data: revive(structuredClone(f.data)) });
  return e;
}

function describeThrown(e: unknown, depth: number, secrets: ValueLimits["secrets"]): Failure {
  if ((typeof e !== "object" && typeof e !== "function") || e === null)
    return { name: "Error", message: cutText(maskSecrets(printSafely(e), secrets), messageBytesMax) };
  const name = member(e, "name");
  const message = member(e, "message");
  const code = member(e, "code");
  const cause = member(e, "cause");
  const data = dataOf(e, secrets);
  const masked = (text: string, max: number): string => cutText(maskSecrets(text, secrets), max);
  return {
    name: masked(typeof name === "string" && name !== "" && typeof e === "object" ? name : "Error", nameBytesMax),
    message: masked(typeof message === "string" ? message : "something that is no Error was thrown", messageBytesMax),
    ...(typeof code === "string" || typeof code === "number" ? { code: masked(String(code), nameBytesMax) } : {}),
    ...(data === undefined ? {} : { data }),
    ...(cause === undefined || depth + 1 >= causeDepthMax ? {} : { cause: describeThrown(cause, depth + 1, secrets) }),
  };
}

/** Thrown objects may have accessors that throw, or be proxies that do. */
function member(o: object, name: string): unknown {
  try {
    return (o as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** `data` of an Error; a thrown object that is no Error is data itself. What cannot be stored is left out. */
function dataOf(e: object, secrets: ValueLimits["secrets"]): unknown {
  try {
    const data = e instanceof Error ? member(e, "data") : e;
    return data === undefined ? undefined : (JSON.parse(encode(data, { ...dataLimits, secrets }, "data")) as unknown);
  } catch {
    return undefined;
  }
}

function printSafely(e: unknown): string {
  return typeof e === "symbol" ? e.toString() : String(e);
}

/** Well-formed text of at most `max` bytes: U+0000 and lone surrogates become U+FFFD, a cut ends in an ellipsis. */
function cutText(text: string, max: number): string {
  // Cut before the replacement, so that a huge message costs no more than its recorded part.
  const head = text.length > max ? text.slice(0, max) : text;
  const clean = head.replace(/\p{Surrogate}/gu, "\uFFFD").replaceAll("\0", "\uFFFD");
  if (head.length === text.length && utf8Length(clean) <= max) return clean;
  let kept = "";
  let room = max - 3;
  for (const point of clean) {
    room -= utf8Length(point);
    if (room < 0) break;
    kept += point;
  }
  return `${kept}…`;
}
