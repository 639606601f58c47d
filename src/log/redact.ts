// Redaction of exported payloads by path (K22): acts on a copy, never on what is stored. A redacted copy cannot be hashed
// again, so it must never travel with its salt: a short value could be guessed from the two. Nor with the digest of a call,
// which covers the input without any salt.
import { PawlError } from "../errors/error.ts";

/** Members and indexes, outermost first; `*` is any one of them, `**` any number of them. */
export type RedactPath = readonly string[];

export const redactedText = "[redacted]";

export function parseRedactPaths(paths: readonly string[]): RedactPath[] {
  if (!Array.isArray(paths)) throw new PawlError("PAWL4011", "redact takes a list of paths");
  return paths.map((text: unknown) => {
    const path = typeof text === "string" ? text.split(".") : [""];
    if (path.includes("") || path.at(-1) === "**")
      throw new PawlError("PAWL4011", `redact takes paths as input.card.number or **.email, not ${JSON.stringify(text)}`);
    return path;
  });
}

/** The copy; null when no path leads anywhere in it. */
export function redactPayload(payload: string, paths: readonly RedactPath[]): string | null {
  if (paths.length === 0) return null;
  const value = JSON.parse(payload) as unknown;
  let hits = 0;
  for (const path of paths) hits += replaceAt(value, path);
  if (hits === 0) return null;
  if (typeof value === "object" && value !== null) delete (value as { digest?: unknown }).digest;
  return JSON.stringify(value);
}

/** Replaces what the path leads to; how often it did. */
function replaceAt(node: unknown, path: RedactPath): number {
  if (typeof node !== "object" || node === null) return 0;
  const [first = "", ...rest] = path;
  const members = node as Record<string, unknown>;
  let hits = 0;
  if (first === "**") {
    hits += replaceAt(node, rest);
    for (const name of Object.keys(members)) hits += replaceAt(members[name], path);
    return hits;
  }
  for (const name of first === "*" ? Object.keys(members) : Object.hasOwn(members, first) ? [first] : []) {
    if (rest.length > 0) hits += replaceAt(members[name], rest);
    else if (members[name] !== redactedText) {
      // Defined, not assigned: "__proto__" is a name like any other.
      Object.defineProperty(members, name, { value: redactedText, enumerable: true, configurable: true, writable: true });
      hits++;
    }
  }
  return hits;
}
