// Values given on the command line: -P k=v, --input and --payload, ids, numbers, durations, tags. Everything is checked
// here, before a store is opened; what is wrong is named with the option it came in.
import { durationMs, type Duration } from "../core/duration.ts";
import { isAccessScope, type AccessScope } from "../core/principal.ts";
import { PawlError } from "../errors/error.ts";
import { readText } from "../platform/files.ts";
import { readStdin } from "../platform/terminal.ts";
import type { ParamOption, TagOption } from "./shared-options.ts";

function usageError(message: string): PawlError {
  return new PawlError("PAWL4011", message);
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`${what} is not JSON (text needs quotes of its own: '"text"')`);
  }
}

export function parseJsonOption(text: string, what: string): unknown {
  return parseJson(text, what);
}

/** JSON text, @file or - for standard input. */
async function document(text: string, what: string): Promise<unknown> {
  if (text === "-") return parseJson(await readStdin(), `${what} from standard input`);
  if (!text.startsWith("@")) return parseJson(text, what);
  const content = readText(text.slice(1));
  if (content === undefined) throw usageError(`${what}: there is no file ${text.slice(1)}`);
  return parseJson(content, `${what} ${text}`);
}

/** The value of --input, --payload or --result with the members that -P adds; undefined when neither was given. */
export async function readValueOption<K extends "input" | "payload" | "result" | "update" | "value">(
  o: ParamOption & { readonly [N in K]?: string },
  what: K,
): Promise<unknown> {
  const text: string | undefined = o[what];
  const base = text === undefined ? undefined : await document(text, `--${what}`);
  if (o.param === undefined) return base;
  if (base !== undefined && (typeof base !== "object" || base === null || Array.isArray(base)))
    throw usageError(`-P needs --${what} to be an object`);
  const root = (base ?? {}) as Record<string, unknown>;
  for (const p of o.param) setMember(root, p);
  return root;
}

function setMember(root: Record<string, unknown>, param: string): void {
  const at = param.indexOf("=");
  const path = param.slice(0, Math.max(at, 0)).split(".");
  if (at < 1 || path.includes("")) throw usageError(`-P takes name=value, not ${JSON.stringify(param)}`);
  let place = root;
  const last = path.pop() ?? "";
  for (const name of path) {
    const next: unknown = Object.hasOwn(place, name) ? place[name] : undefined;
    if (next === undefined) place = own(place, name, {}) as Record<string, unknown>;
    else if (typeof next === "object" && next !== null && !Array.isArray(next)) place = next as Record<string, unknown>;
    else throw usageError(`-P ${param.slice(0, at)}: ${name} already has a value`);
  }
  own(place, last, jsonOrText(param.slice(at + 1)));
}

/** An own member whatever its name: "__proto__" is a name like any other. */
function own(o: Record<string, unknown>, name: string, value: unknown): unknown {
  Object.defineProperty(o, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export function parseTags(o: TagOption): Record<string, string> | undefined {
  if (o.tag === undefined) return undefined;
  return Object.fromEntries(
    o.tag.map((t) => {
      const at = t.indexOf("=");
      if (at < 1) throw usageError(`--tag takes name=value, not ${JSON.stringify(t)}`);
      return [t.slice(0, at), t.slice(at + 1)];
    }),
  );
}

/** A time, or how long before `nowMs` it was; as RFC 3339. */
export function parseMoment(text: string, what: string, nowMs: number): string {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : nowMs - (parseDurationMs(text, what) ?? 0);
  if (Number.isNaN(at)) throw usageError(`${what} takes a time such as 2026-01-31T12:00:00Z, or how long ago it was, such as 24h`);
  return new Date(at).toISOString();
}

/** --at: a superstep's number, or its label. */
export function parseSuperstep(text: string | undefined): number | string | undefined {
  return text === undefined || !/^\d+$/.test(text) ? text : parseCount(text, "--at", 0);
}

export function parseCount(text: string | undefined, what: string, least: number): number | undefined {
  if (text === undefined) return undefined;
  const n = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(n) || n < least)
    throw usageError(`${what} takes a whole number of at least ${least}, not ${JSON.stringify(text)}`);
  return n;
}

/** A duration with its unit, in milliseconds. */
export function parseDurationMs(text: string | undefined, what: string): number | undefined {
  return text === undefined ? undefined : durationMs(text as Duration, what);
}

/** The ids among the arguments; "-" stands for those on standard input, as ids or as the lines of `ls --jsonl`. */
export async function readRunIds(args: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const arg of args) {
    if (arg !== "-") {
      all.push(arg);
      continue;
    }
    for (const line of (await readStdin()).split("\n").map((l) => l.trim()))
      if (line !== "") all.push(line.startsWith("{") ? idIn(line) : line);
  }
  if (all.length === 0 && !args.includes("-")) throw usageError("name a run");
  return [...new Set(all)];
}

function idIn(line: string): string {
  const { runId } = parseJson(line, "a line of standard input") as { runId?: unknown };
  if (typeof runId !== "string") throw usageError("a line of standard input is an object without a runId");
  return runId;
}

/** The scopes of --allow. */
export function parseAllow(texts: readonly string[] | undefined): readonly AccessScope[] {
  return (texts ?? []).map((text) => {
    if (isAccessScope(text)) return text;
    throw new PawlError("PAWL4011", `--allow takes a scope, such as operate or resolve, not ${JSON.stringify(text)}`);
  });
}

const defaultListen = "127.0.0.1:7350";

/** "127.0.0.1:7350", "[::1]:7350", ":7350" or "7350". */
export function parseListen(text: string = defaultListen): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = "", digits = ""] = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]/\s]*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw usageError(`--listen takes an address and a port, such as ${defaultListen}, not ${JSON.stringify(text)}`);
  return { host: bracketed ?? (plain === "" ? "127.0.0.1" : plain), port };
}
