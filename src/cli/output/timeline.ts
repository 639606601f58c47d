// A run's timeline and the check of a run, for people: one line per bar, drawn to scale, and what a check found. With --json both are printed as
// the client answers them.
import type { RunVerification, Timeline, TimelineBar, TimelineGap } from "../../client/types.ts";
import { writeOut } from "../../platform/terminal.ts";
import type { JsonOption } from "../shared-options.ts";
import { clip, formatDuration, formatTable, withoutControlChars } from "./format.ts";
import { printJson } from "./print.ts";
import { exitCodes } from "./report-error.ts";

const width = 40;

export function printTimeline(t: Timeline, o: JsonOption): number {
  if (o.json === true) printJson(t);
  else writeOut(timelineText(t));
  return exitCodes.ok;
}

export function timelineText(t: Timeline): string {
  const from = Date.parse(t.from);
  const whole = Math.max(1, Date.parse(t.to) - from);
  const column = (at: string): number => Math.min(width - 1, Math.max(0, Math.floor(((Date.parse(at) - from) / whole) * width)));
  const draw = (start: string, end: string, mark: string): string => {
    const a = column(start);
    return `${" ".repeat(a)}${mark.repeat(Math.max(1, column(end) - a + 1))}`.padEnd(width);
  };
  const rows = [
    ...t.bars.map((b) => [clip(withoutControlChars(nameOf(b)), 48), draw(b.startedAt, b.endedAt ?? t.to, "█"), lengthOf(b), b.status]),
    ...t.gaps.map((g) => ["(no engine)", draw(g.from, g.to, "░"), formatDuration(Date.parse(g.to) - Date.parse(g.from)), g.reason]),
  ];
  if (rows.length === 0) return "it has no steps\n";
  return `${formatTable(rows)}${t.gaps.map((g) => `${takeOverText(g)}\n`).join("")}`;
}

function takeOverText({ to, engine, lost }: TimelineGap): string {
  const from = lost === undefined ? "" : ` from ${withoutControlChars(lost)}, which was lost`;
  return `${to}  ${engine === undefined ? "another engine" : `engine ${withoutControlChars(engine)}`} took over${from}`;
}

function nameOf(b: TimelineBar): string {
  return b.steps === 1 ? b.name : `${b.name} (${b.steps} steps)`;
}

function lengthOf(b: TimelineBar): string {
  return b.endedAt === undefined ? "open" : formatDuration(Date.parse(b.endedAt) - Date.parse(b.startedAt));
}

export function printVerification(v: RunVerification, o: JsonOption): number {
  if (o.json === true) printJson(v);
  else {
    const ledger = v.ledger.ok ? "fits the log" : "does not fit the log: pawl doctor --verify";
    const open = v.ledger.pendingKeys.length === 0 ? "" : `; still open: ${clip(v.ledger.pendingKeys.join(", "), 200)}`;
    const lines = [
      `${v.ok ? "ok" : "not ok"}  ${v.runId}`,
      `log: ${v.replay.ok ? "fits the tables" : withoutControlChars(v.replay.error ?? "does not fit")}`,
      `ledger: ${ledger}${withoutControlChars(open)}`,
      `chain root: ${v.eventChainRoot}`,
      `steps hash: ${v.stepsHash}`,
    ];
    writeOut(lines.map((l) => `${l}\n`).join(""));
  }
  return v.ok ? exitCodes.ok : exitCodes.checkFailed;
}
