// `pawl decisions`: everything that waits for a person, with what is known of it and the command for each answer. It only
// looks; exit code 8 says that something waits.
import type { DecisionView, LegalAnswer } from "../../../client/types.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, JsonlOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printNote, printJson, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { clip, formatTime, formatDuration, withoutControlChars } from "../../output/format.ts";

export interface DecisionsOptions extends LimitOption, JsonOption, JsonlOption, StoreOptions {}

export async function decisionsCommand(_args: readonly string[], o: DecisionsOptions): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1);
  return withSession(o, async (s) => {
    const all = await s.client.decisions(limit === undefined ? {} : { limit });
    if (o.json === true) printJson({ decisions: all });
    else if (o.jsonl === true) for (const d of all) printJsonLine(d);
    else if (all.length === 0) printNote("no open decisions");
    else writeOut(all.map((d) => decisionText(d, s.platform.wallMs(), paint(colourAllowed("out")))).join("\n"));
    return all.length === 0 ? exitCodes.ok : exitCodes.decision;
  });
}

const flags: Readonly<Record<LegalAnswer["answer"], string>> = {
  happened: "--happened --result …",
  "did-not-happen": "--did-not-happen",
  fail: "--fail",
  retry: "--retry",
  accept: "--accept",
  approve: "--approve",
  refuse: "--refuse",
  complete: "--complete --result …",
  resolve: "--settle",
  skip: "--skip",
  answer: "pawl answer --value …",
};

function questionLines(q: NonNullable<DecisionView["question"]>, nowMs: number): string[] {
  const said = (word: string, value: unknown): string => `  ${word} ${withoutControlChars(clip(JSON.stringify(value), 200))}`;
  return [
    ...(q.data === undefined ? [] : [said("data", q.data)]),
    ...(q.schema === undefined ? [] : [said("schema", q.schema)]),
    ...(q.from === undefined ? [] : [`  for ${withoutControlChars(q.from.join(", "))}`]),
    ...(q.votes === undefined ? [] : [`  ${q.answered?.length ?? 0} of ${q.votes} people have answered`]),
    ...(q.expiresAt === undefined ? [] : [`  until ${formatTime(q.expiresAt, nowMs)}`]),
  ];
}

/** With the scopes that it lies in, as `pawl step` takes it: an item of a list is nothing without its list. */
function stepLabel({ stepId, name }: { readonly stepId: string; readonly name: string }): string {
  return stepId.includes("/") && !stepId.includes("~") ? stepId : name;
}

export function decisionText(d: DecisionView, nowMs: number, p: Paint): string {
  const { approval } = d;
  const what =
    d.question !== undefined
      ? `question ${d.question.name}`
      : approval !== undefined
        ? `approval of ${approval.name} ${approval.class.toLowerCase()}`
        : d.step === undefined
          ? d.kind
          : `${d.kind === "compensation" ? "compensation of " : ""}${stepLabel(d.step)} ${d.step.class.toLowerCase()}`;
  const { key } = approval ?? d.step ?? {};
  const lines = [
    `${p.bold(d.decisionId)}  ${withoutControlChars(d.workflowId)}  ${withoutControlChars(what)}${key === undefined ? "" : withoutControlChars(` ${key}`)}`,
    `  since ${formatDuration(nowMs - Date.parse(d.since))}: ${withoutControlChars(d.reason)} (${d.code})`,
  ];
  if (d.step !== undefined)
    lines.push(
      `  sent at most ${d.step.sends} time${d.step.sends === 1 ? "" : "s"}, last at ${formatTime(d.step.lastSentAt, nowMs)}; events ${d.evidence.join(", ")}`,
    );
  if (approval !== undefined) {
    if (approval.input !== undefined) lines.push(`  input ${withoutControlChars(clip(JSON.stringify(approval.input), 200))}`);
    lines.push(`  not sent yet; event ${d.evidence.join(", ")}`);
  }
  if (d.question !== undefined) lines.push(...questionLines(d.question, nowMs));
  for (const u of d.unconfirmed ?? [])
    lines.push(`  ${withoutControlChars(u.stepId)}: ${withoutControlChars(u.verifier)} says ${withoutControlChars(u.reason)}`);
  if (d.proposed !== undefined)
    lines.push(
      `  ${withoutControlChars(d.proposed.by)} says ${d.proposed.answer}: ${withoutControlChars(d.proposed.reason)}; another person must confirm it`,
    );
  if (d.answered === true) lines.push("  answered: an engine that serves the workflow will apply it");
  for (const a of d.answers) {
    const later = a.from !== undefined && Date.parse(a.from) > nowMs ? ` (not before ${formatTime(a.from, nowMs)})` : "";
    lines.push(`  ${p.dim(flags[a.answer].padEnd(22))} ${a.consequence}${later}`);
  }
  return `${lines.join("\n")}\n`;
}
