// The world outside, of a campaign: a file that every process appends to and no engine reads. A line is one effect that was
// sent, or one promise that somebody was given. Written synchronously and in one piece, so that a kill right after it cannot
// lose it and two processes cannot mix their lines.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export type Line =
  /** An effect left: the place of its step in the run's code, its key, and the fence of who sent it. */
  | {
      readonly kind: "effect";
      readonly run: string;
      readonly place: number;
      readonly step: string;
      readonly key: string;
      readonly fence: number;
    }
  /** A start was answered: this run exists for good. */
  | { readonly kind: "accepted"; readonly run: string }
  /** A signal was answered: this run will hear it. */
  | { readonly kind: "signalled"; readonly run: string }
  /** A store answered an engine with "unknown" (where a wrapper makes it so). */
  | { readonly kind: "unknown" };

export function note(ledger: string, line: Line): void {
  appendFileSync(ledger, `${JSON.stringify(line)}\n`);
}

export function readLedger(ledger: string): readonly Line[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, "utf8")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as Line);
}
