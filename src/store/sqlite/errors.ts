// What a driver's error means: wait and ask again, refuse this content, or report that the store is unavailable, and
// what is known of the write that met it. The one place that reads SQLite's result codes.
import { PawlError, type Outcome } from "../../errors/error.ts";
import type { OpenProblem } from "../sql/open-error.ts";

/** Result codes, the low byte of an extended one. */
const codes = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  cantOpen: 14,
  corrupt: 11,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;
const unique = { primaryKey: 1555, unique: 2067 } as const;

/** One driver leaves the code out where a statement gives many rows: there the words are all there is. They are SQLite's own. */
const words: readonly (readonly [string, number])[] = [
  ["database is locked", codes.busy],
  ["is locked", codes.locked],
  ["attempt to write a readonly database", codes.readOnly],
  ["unable to open database file", codes.cantOpen],
  ["database disk image is malformed", codes.corrupt],
  ["file is not a database", codes.notADatabase],
  ["string or blob too big", codes.tooBig],
  ["UNIQUE constraint failed", unique.unique],
  ["constraint failed", codes.constraint],
  ["datatype mismatch", codes.mismatch],
];

function extendedOf(e: unknown): number | undefined {
  const { errcode, code, message } = (e ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
  if (typeof errcode === "number") return errcode;
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  return words.find(([word]) => String(message).includes(word))?.[1] ?? codes.error;
}
function codeOf(e: unknown): number | undefined {
  const code = extendedOf(e);
  return code === undefined ? undefined : code & 0xff;
}

/** Another connection is in the way; nothing was written. */
export function isBusy(e: unknown): boolean {
  const code = codeOf(e);
  return code === codes.busy || code === codes.locked;
}

/** The content is at fault, and would be again: the database's rules refuse it, or the driver cannot bind it. */
export function isContent(e: unknown): boolean {
  const code = codeOf(e);
  if (code === undefined) return e instanceof TypeError || e instanceof RangeError;
  return code === codes.constraint || code === codes.tooBig || code === codes.mismatch;
}

export function isDriverError(e: unknown): boolean {
  return codeOf(e) !== undefined;
}

/** A uniqueness rule was hit: SQLITE_CONSTRAINT_PRIMARYKEY or SQLITE_CONSTRAINT_UNIQUE. */
export function isClash(e: unknown): boolean {
  const code = extendedOf(e);
  return code === unique.primaryKey || code === unique.unique;
}

/**
 * `during`: a failed statement or a failed begin left nothing behind, since the transaction is rolled back. A COMMIT
 * that failed may have reached the disk or not: the frames can be there although the answer says no.
 */
export function storeError(e: unknown, during: "statement" | "commit"): PawlError {
  if (e instanceof PawlError) return e;
  const outcome: Outcome = during === "commit" && !isBusy(e) ? "unknown" : "none";
  const message = e instanceof Error ? e.message : "the driver failed";
  const code = codeOf(e);
  if (code === codes.corrupt || code === codes.notADatabase) return new PawlError("PAWL3013", `sqlite: ${message}`, { cause: e, outcome });
  return new PawlError("PAWL3002", `sqlite: ${message}`, { cause: e, outcome });
}

export function busyError(waitedMs: number): PawlError {
  return new PawlError("PAWL3001", `sqlite: another process held the database for ${waitedMs} ms`, { outcome: "none" });
}

const refusedPaths: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

/** What stood in the way of the file: it, or its folder, may not be written or made. */
export function openProblem(e: unknown): OpenProblem | undefined {
  const code = codeOf(e);
  return code === codes.readOnly || code === codes.cantOpen || refusedPaths.has((e as { code?: unknown } | null)?.code)
    ? "read only"
    : undefined;
}
