// The crash table, on SQLite with real processes: for every class and every window A to E the process dies by SIGKILL
// exactly there, is started again under the same environment, and the effect is counted in a ledger that the engine never
// reads. What must come out is expected.json, which GUARANTEES.md prints; a cell is never adjusted to what happened.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { connect } from "../../src/store/sqlite/driver.ts";
import { endAll, gateOf, runChild } from "../support/child.ts";
import { arrived, requests } from "./programs/receiver.ts";
import expected from "./expected.json" with { type: "json" };

interface Seen {
  readonly status: string;
  readonly waiting?: string;
  readonly result?: { readonly effect: string };
  readonly failure?: readonly string[];
  readonly step: { readonly class: string; readonly attempts: number; readonly engineAttempts: number };
  readonly events: readonly string[];
  /** From the start's record to the re-dispatch's, by the store's clock. */
  readonly waitedMs: number;
}

const dir = mkdtempSync(join(tmpdir(), "pawl-windows-"));
const atATime = gateOf(3);
afterAll(async () => {
  await endAll();
  rmSync(dir, { recursive: true, force: true });
});

async function rows(store: string): Promise<number> {
  const db = await connect(store);
  try {
    return Number(db.prepare("select count(*) as n from charges").get()?.["n"]);
  } finally {
    db.close();
  }
}

expected.forEach((cell, i) => {
  it.concurrent(
    cell.test,
    async () => {
      const store = join(dir, `${i}.db`);
      const ledger = join(dir, `${i}.ledger`);
      const how = { args: [store, ledger, cell.class], env: { PAWL_CRASH: `effect:${cell.window}` } };
      const [killed, again] = await atATime(async () => {
        const first = await runChild("test/crash/programs/cell.js", how);
        return [first, await runChild("test/crash/programs/cell.js", how)] as const;
      });
      expect(killed).toMatchObject({ signal: "SIGKILL", lines: [] });
      expect(again).toMatchObject({ code: 0, stderr: "" });
      const seen = JSON.parse(again.lines[0] ?? "") as Seen;

      const sends = requests(ledger);
      const atomic = cell.class === "ATOMIC";
      const effects = atomic
        ? await rows(store)
        : cell.class.startsWith("KEYED")
          ? new Set(arrived(ledger).map((r) => r.key)).size
          : arrived(ledger).length;
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
      } else if (cell.end === "FAILED") expect(seen).toMatchObject({ status: "FAILED", failure: ["PAWL1013", "PAWL1012", "PAWL2004"] });
      else expect(seen).toMatchObject({ status: "COMPLETED", result: { effect: "paid" } });
    },
    90_000,
  );
});
