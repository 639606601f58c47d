// `pawl alerts`: invalid events that projectors found, by run. Exit code 9 when there are any, so that a
// script can ask.
import type { Alert } from "../../../client/reader-types.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { CursorOption, JsonOption, JsonlOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { transitionText } from "../../output/event-line.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printNote, printJson, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { clip, formatDuration, withoutControlChars, formatTable } from "../../output/format.ts";

export interface AlertsOptions extends LimitOption, CursorOption, JsonOption, JsonlOption, StoreOptions {
  readonly run?: string;
  readonly since?: string;
  readonly until?: string;
}

export async function alertsCommand(_args: readonly string[], o: AlertsOptions): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1);
  return withSession(o, async (s) => {
    const page = await s.client.alerts({
      ...(o.run === undefined ? {} : { run: o.run }),
      ...(o.since === undefined ? {} : { since: o.since }),
      ...(o.until === undefined ? {} : { until: o.until }),
      ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (o.json === true) printJson(page);
    else if (o.jsonl === true) for (const a of page.alerts) printJsonLine(a);
    else printTable(page.alerts, s.platform.wallMs(), paint(colourAllowed("out")));
    if (o.json !== true && page.cursor !== undefined) printNote(`more: --cursor ${page.cursor}`);
    return page.alerts.length === 0 ? exitCodes.ok : exitCodes.checkFailed;
  });
}

function printTable(all: readonly Alert[], nowMs: number, p: Paint): void {
  if (all.length === 0) return printNote("no alerts");
  const rows = all.map((a) => [
    withoutControlChars(a.runId),
    String(a.runSeq),
    withoutControlChars(a.eventType),
    clip(a.stepId === undefined ? "" : `${a.stepId} #${a.logicalAttemptId}`, 40),
    transitionText(a, " → "),
    `${formatDuration(nowMs - Date.parse(a.persistedAt))} ago`,
  ]);
  writeOut(
    formatTable([["RUN", "EVENT", "TYPE", "STEP", "TRANSITION", "PERSISTED"], ...rows], (cell, row) => (row === 0 ? p.dim(cell) : cell)),
  );
}
