// What a driver's error means: wait and ask again, refuse this content, or report that the store is unavailable, and
// what is known of the write that met it. The one place that reads SQLite's result codes.
import { PawlError, type Outcome } from "../../errors/error.ts";

/** Result codes, the low byte of an extended one. */
const codes = { busy: 5, locked: 6, tooBig: 18, constraint: 19, mismatch: 20 } as const;

function codeOf(e: unknown): number | undefined {
  const code = (e as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
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
  const code = (e as { errcode?: unknown } | null)?.errcode;
  return code === 1555 || code === 2067;
}

/**
 * `during`: a failed statement or a failed begin left nothing behind, since the transaction is rolled back. A COMMIT
 * that failed may have reached the disk or not: the frames can be there although the answer says no.
 */
export function storeError(e: unknown, during: "statement" | "commit"): PawlError {
  if (e instanceof PawlError) return e;
  const outcome: Outcome = during === "commit" && !isBusy(e) ? "unknown" : "none";
  const message = e instanceof Error ? e.message : "the driver failed";
  return new PawlError("PAWL3002", `sqlite: ${message}`, { cause: e, outcome });
}

export function busyError(waitedMs: number): PawlError {
  return new PawlError("PAWL3001", `sqlite: another process held the database for ${waitedMs} ms`, { outcome: "none" });
}
