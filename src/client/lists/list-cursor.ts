// Cursors of lists: each carries a mark of the filter that it came from, so that it is refused beside another one instead of skipping
// things in silence. What follows the mark is the store's own, or a place in a log; nobody outside reads it.
import { Buffer } from "node:buffer";
import { canonicalJson } from "../../codec/canonical.ts";
import type { Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { scopeKey } from "../../store/keys.ts";

/** The same for the same list and filter, in whatever order its members are given. */
export function filterMark(scope: Scope, list: string, filter: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filter).filter(([, v]) => v !== undefined);
  return sha256Hex(canonicalJson({ list, scope: scopeKey(scope), filter: Object.fromEntries(given) })).slice(0, 12);
}

export function markedCursor(mark: string, place: string): string {
  return `${mark}.${place}`;
}

/** The place in it; PAWL4082 if it is another filter's. */
export function placeOf(cursor: unknown, mark: string): string {
  const [, of, place] = typeof cursor === "string" ? (/^([0-9a-f]{12})\.([\w-]+)$/.exec(cursor) ?? []) : [];
  if (of === undefined || place === undefined) throw invalidCursor();
  if (of !== mark) throw new PawlError("PAWL4082", "the cursor is from a listing with another filter");
  return place;
}

export function invalidCursor(): PawlError {
  return new PawlError("PAWL4011", "cursor is invalid: pass one that a listing returned");
}

/** Places that are no store's: any JSON. */
export function encodePlace(place: unknown): string {
  return Buffer.from(JSON.stringify(place), "utf8").toString("base64url");
}

export function decodePlace(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown;
  } catch {
    throw invalidCursor();
  }
}

/** A limit of a list, or its usual one. */
export function checkLimit(limit: unknown, usual: number): number {
  if (limit === undefined) return usual;
  if (typeof limit !== "number" || !Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  return limit;
}
