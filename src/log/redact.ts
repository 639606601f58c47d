// Redaction of exported payloads by path (K22): acts on a copy, never on what is stored. A redacted copy cannot be hashed
// again, so it must never travel with its salt: a short value could be guessed from the two. Nor with the digest of a call,
// which covers the input without any salt.
import { canonicalJson } from "../codec/canonical.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";

/** Members and indexes, outermost first; `*` is any one of them, `**` any number of them. */
export type RedactPath = readonly string[];

export const redactedText = "[redacted]";
const hashMark = "[redacted sha256:";

export function parseRedactPaths(paths: readonly string[]): RedactPath[] {
  if (!Array.isArray(paths)) throw new PawlError("PAWL4011", "redact takes a list of paths");
  return paths.map((text: unknown) => {
    const path = typeof text === "string" ? text.split(".") : [""];
    if (path.includes("") || path.at(-1) === "**")
      throw new PawlError("PAWL4011", `redact takes paths as input.card.number or **.email, not ${JSON.stringify(text)}`);
    return path;
  });
}

/** AX-32: a value is replaced by a fixed text, taken out, or replaced by a digest that only who has the store can compare with it. */
export type RedactAs = (typeof redactModes)[number];
export const redactModes = ["mask", "remove", "hash"] as const;

/** The copy; null when no path leads anywhere in it. `salt` is that of the payload, which leaves with no copy. */
export function redactPayload(payload: string, paths: readonly RedactPath[], as: RedactAs = "mask", salt = ""): string | null {
  if (paths.length === 0) return null;
  const value = JSON.parse(payload) as unknown;
  let hits = 0;
  const hide = hiding(as, salt);
  for (const path of paths) hits += replaceAt(value, path, hide);
  if (hits === 0) return null;
  if (typeof value === "object" && value !== null) delete (value as { digest?: unknown }).digest;
  return JSON.stringify(value);
}

type Hide = (members: Record<string, unknown>, name: string) => void;

function hiding(as: RedactAs, salt: string): Hide {
  if (as === "remove")
    return (members, name) => {
      // An item that is taken out of a list would give the others another place.
      if (Array.isArray(members)) members[name as never] = null as never;
      else delete members[name];
    };
  // Defined, not assigned: "__proto__" is a name like any other.
  const put = (members: Record<string, unknown>, name: string, value: string): void =>
    void Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  if (as === "mask") return (members, name) => put(members, name, redactedText);
  return (members, name) => {
    const known = members[name];
    if (typeof known === "string" && known.startsWith(hashMark)) return;
    put(members, name, `${hashMark}${sha256Hex(`${salt}\n${canonicalJson(known)}`)}]`);
  };
}

/** Replaces what the path leads to; how often it did. */
function replaceAt(node: unknown, path: RedactPath, hide: Hide): number {
  if (typeof node !== "object" || node === null) return 0;
  const [first = "", ...rest] = path;
  const members = node as Record<string, unknown>;
  let hits = 0;
  if (first === "**") {
    hits += replaceAt(node, rest, hide);
    for (const name of Object.keys(members)) hits += replaceAt(members[name], path, hide);
    return hits;
  }
  for (const name of first === "*" ? Object.keys(members) : Object.hasOwn(members, first) ? [first] : []) {
    if (rest.length > 0) hits += replaceAt(members[name], rest, hide);
    else if (members[name] !== redactedText) {
      hide(members, name);
      hits++;
    }
  }
  return hits;
}
