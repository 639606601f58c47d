// `pawl consumers`: who reads the log, how much waits for each, what is held back and why, what was given up. Exit code 9 when a
// consumer is held up by a failing event.
import type { ConsumerView } from "../../../client/reader-types.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, JsonlOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printNote, printJson, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { clip, formatTable } from "../../output/format.ts";

export interface ConsumersOptions extends JsonOption, JsonlOption, StoreOptions {}

export async function consumersCommand(_args: readonly string[], o: ConsumersOptions): Promise<number> {
  return withSession(o, async (s) => {
    const all = await s.client.consumers();
    if (o.json === true) printJson(all);
    else if (o.jsonl === true) for (const c of all) printJsonLine(c);
    else printTable(all, paint(colourAllowed("out")));
    return all.some((c) => c.held.length > 0) ? exitCodes.checkFailed : exitCodes.ok;
  });
}

function printTable(all: readonly ConsumerView[], p: Paint): void {
  if (all.length === 0) return printNote("no consumers");
  const rows = all.map((c) => [
    clip(c.consumer, 40),
    c.active ? "at work" : "idle",
    String(c.waiting),
    String(c.held.length),
    String(c.deadLetters),
    clip(c.held[0] === undefined ? "" : `${c.held[0].runId}: ${c.held[0].error}`, 80),
  ]);
  writeOut(
    formatTable([["CONSUMER", "STATE", "WAITING", "HELD", "GIVEN UP", "NEXT TO BE TRIED"], ...rows], (cell, row) =>
      row === 0 ? p.dim(cell) : cell,
    ),
  );
}
