// What a store's format admits. A migration is additive unless it says otherwise: code of earlier formats does not see what it
// adds, and may go on beside the new. One that is not names the oldest code that may still read or write; whoever is
// older is refused when it opens the store, and an engine that was already there loses its life with the migration (W-116).
import { PawlError } from "../../errors/error.ts";

export interface Admission {
  readonly format: number;
  readonly oldestReader: number;
  readonly oldestWriter: number;
}

/** One step of a schema's history, as far as others are concerned. */
export interface FormatStep {
  readonly format: number;
  /** The oldest code that may still read, or write, what this step leaves; absent = whoever could before. */
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

/** Refuses a store that admits only writers of later formats than this code's. */
export function checkAdmitted(found: { readonly format: number; readonly oldestWriter: number }, writer: number): void {
  if (found.oldestWriter <= writer) return;
  const data = { format: found.format, oldestWriter: found.oldestWriter, writer };
  throw new PawlError("PAWL3004", `the store admits writers of format ${data.oldestWriter} or later; this is format ${writer}`, { data });
}
