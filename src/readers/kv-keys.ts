// Where a reader's rows lie: the names of its collections and their keys. A name is injective in what it is made of (a part that
// is too long becomes "=" and its digest, and no escaped text contains "="), so that no two consumers, scopes or runs ever share a
// row (I11). Rows of one run stand together, in the order of their runSeq or attempt.
import { sha256Hex } from "../platform/crypto/hash.ts";
import { scopeKey } from "../store/keys.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import type { Scope } from "../core/model.ts";

const partMax = 200;

function boundedPart(escaped: string): string {
  return escaped.length <= partMax ? escaped : `=${sha256Hex(escaped)}`;
}

/** One collection of a consumer; `kind` says what is in it. */
export function consumerCollection(kind: string, c: ConsumerId): string {
  return `${scopeCollection(kind, c.scope)}/${c.name}`;
}

/** A collection that all consumers of a scope share. */
export function scopeCollection(kind: string, scope: Scope): string {
  return `${kind}:${boundedPart(scopeKey(scope))}`;
}

export function consumerRunKey(runId: string): string {
  return boundedPart(encodeURIComponent(runId));
}

/** Keys that begin with the run's: `within(runKey)` lists exactly those. */
export function keyUnderRun(runId: string, ...rest: readonly (string | number)[]): string {
  return [consumerRunKey(runId), ...rest.map((r) => (typeof r === "number" ? sortableNumber(r) : boundedPart(encodeURIComponent(r))))].join(
    "/",
  );
}

/** The bounds between which all keys of one run lie: "0" is the character after "/". */
export function runKeyRange(runId: string): { readonly after: string; readonly before: string } {
  return { after: `${consumerRunKey(runId)}/`, before: `${consumerRunKey(runId)}0` };
}

/** Whole numbers as text that sorts like them. */
export function sortableNumber(n: number): string {
  return String(n).padStart(16, "0");
}
