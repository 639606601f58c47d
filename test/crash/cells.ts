// What must come out of a cell of the crash table, on every store: expected.json, which GUARANTEES.md prints, against what the
// second life of the process saw and what the ledger counted. A cell is never adjusted to what happened.
import { expect } from "vitest";
import table from "./expected.json" with { type: "json" };
import { isAtomic } from "./programs/classes.ts";
import { arrived, requests } from "./programs/receiver.ts";

export type Cell = (typeof table)[number];
export const expected: readonly Cell[] = table;

export interface Seen {
  readonly status: string;
  readonly waiting?: string;
  readonly result?: { readonly effect: string };
  readonly failure?: readonly string[];
  /** The run failed and undid all that it had to undo. */
  readonly undone?: boolean;
  readonly step: { readonly class: string; readonly attempts: number; readonly engineAttempts: number };
  readonly events: readonly string[];
  /** From the start's record to the re-dispatch's, by the store's clock. */
  readonly waitedMs: number;
}

/** `rows`: how many rows an ATOMIC cell left; the others are counted in the ledger. */
export function judge(cell: Cell, seen: Seen, ledger: string, rows: number): void {
  const sends = requests(ledger);
  const atomic = isAtomic(cell.class);
  const effects = atomic ? rows : cell.class.startsWith("KEYED") ? new Set(arrived(ledger).map((r) => r.key)).size : arrived(ledger).length;
  expect({ sends: atomic ? effects : sends.length, effects }).toEqual({ sends: cell.sends, effects: cell.effects });
  expect(new Set(sends.map((r) => r.key)).size, "one key for all requests of a step").toBeLessThanOrEqual(1);
  if (sends.length === 2) expect(sends.map((r) => r.fence)).toEqual(["1", "2"]);
  expect(requests(`${ledger}.asked`).length > 0).toBe(cell.asked);

  // The step's time limit and its settle time: an honest "not yet" permits nothing before they have passed.
  if (cell.outcome.includes("can no longer arrive")) expect(seen.waitedMs).toBeGreaterThanOrEqual(600);

  expect(cell.class.startsWith(seen.step.class)).toBe(true);
  expect(seen.step).toMatchObject({ attempts: 1, engineAttempts: cell.engineAttempts });
  if (cell.end === "decision") {
    expect(seen).toMatchObject({ status: "RUNNING", waiting: "decision" });
    expect(seen.events.at(-1)).toBe("pawl.StepInDoubt");
  } else if (cell.end === "FAILED, undone") {
    expect(seen).toMatchObject({ status: "FAILED", failure: ["PAWL1013", "PAWL1013"], undone: true });
  } else if (cell.end === "FAILED") expect(seen).toMatchObject({ status: "FAILED", failure: ["PAWL1013", "PAWL1012", "PAWL2004"] });
  else expect(seen).toMatchObject({ status: "COMPLETED", result: { effect: "paid" } });
}
