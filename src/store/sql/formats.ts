// What a store's format admits. A migration is additive unless it says otherwise: code of earlier formats does not see what it
// adds, and may continue beside the new. One that is not names the oldest code that may still read or write; older code
// is refused when it opens the store, and an engine that was already there loses its life with the migration (W-116).
import { PawlError } from "../../errors/error.ts";

export interface Admission {
  readonly format: number;
  readonly oldestReader: number;
  readonly oldestWriter: number;
}

/** One step of a schema's history, as far as others are concerned. */
export interface FormatStep {
  readonly format: number;
  /** The oldest code that may still read, or write, what this step leaves; absent = the same as before. */
  readonly oldestReader?: number;
  readonly oldestWriter?: number;
}

/** What a history arrives at. */
export function admissionOf(steps: readonly FormatStep[]): Admission {
  const reached = { format: 0, oldestReader: 1, oldestWriter: 1 };
  for (const s of steps) {
    reached.format = s.format;
    reached.oldestReader = s.oldestReader ?? reached.oldestReader;
    reached.oldestWriter = s.oldestWriter ?? reached.oldestWriter;
  }
  return reached;
}

/**
 * Refuses a store that admits only writers of later formats than this code's, and one of a format from before `oldest`, the first
 * that this code knows how to upgrade.
 */
export function checkAdmitted(found: { readonly format: number; readonly oldestWriter: number }, writer: number, oldest = 0): void {
  const data = { format: found.format, oldestWriter: found.oldestWriter, writer };
  if (found.format < oldest) {
    const what = `the store has format ${found.format}, which was never released; this version upgrades stores of format ${oldest} and later`;
    throw new PawlError("PAWL3004", `${what}. Use the version that wrote it, or start with an empty store`, { data });
  }
  if (found.oldestWriter <= writer) return;
  throw new PawlError(
    "PAWL3004",
    `the store accepts writers of format ${data.oldestWriter} or later; this version of Pawl writes format ${writer}`,
    { data },
  );
}
