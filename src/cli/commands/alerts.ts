// `pawl alerts`: invalid events that projectors found, by run. Exit code 9 when there are any, so that a
// script can ask.
import type { StoredAlert } from "../../client/reader-types.ts";
import { colourAllowed, writeOut } from "../../platform/terminal.ts";
import type { Options } from "../command.ts";
import { transitionText } from "../event-text.ts";
import { exitCodes } from "../failure.ts";
import { givenCount } from "../given.ts";
import { paint, type Paint } from "../paint.ts";
import { note, printJson, printLine } from "../print.ts";
import { withSession } from "../session.ts";
import { clipped, durationText, plain, table } from "../text.ts";

export async function alerts(_args: readonly string[], o: Options): Promise<number> {
  const limit = givenCount(o.limit, "--limit", 1);
  return withSession(o, async (s) => {
    const page = await s.client.alerts({
      ...(o.run === undefined ? {} : { run: o.run }),
      ...(o.since === undefined ? {} : { since: o.since }),
      ...(o.until === undefined ? {} : { until: o.until }),
      ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (o.json === true) printJson(page);
    else if (o.jsonl === true) for (const a of page.alerts) printLine(a);
    else printTable(page.alerts, s.platform.wallMs(), paint(colourAllowed("out")));
    if (o.json !== true && page.cursor !== undefined) note(`more: --cursor ${page.cursor}`);
    return page.alerts.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
  });
}

function printTable(all: readonly StoredAlert[], nowMs: number, p: Paint): void {
  if (all.length === 0) return note("no alerts");
  const rows = all.map((a) => [
    plain(a.runId),
    String(a.runSeq),
    plain(a.eventType),
    clipped(a.stepId === undefined ? "" : `${a.stepId} #${a.logicalAttemptId}`, 40),
    transitionText(a, " → "),
    `${durationText(nowMs - Date.parse(a.persistedAt))} ago`,
  ]);
  writeOut(table([["RUN", "EVENT", "TYPE", "STEP", "TRANSITION", "PERSISTED"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell)));
}
