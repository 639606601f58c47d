// `pawl effects`: the ledger. One row per effect that declares a guarantee, across runs, by its key or by what is known of it.
// Results are shown with --json only: they are the user's, and may be long.
import type { EffectFilter, EffectView } from "../../../client/types.ts";
import type { EffectStatus, GuaranteeClass } from "../../../core/model.ts";
import { PawlError } from "../../../errors/error.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { CursorOption, JsonOption, JsonlOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printNote, printJson, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { clip, formatDuration, withoutControlChars, formatTable } from "../../output/format.ts";

export interface EffectsOptions extends LimitOption, CursorOption, JsonOption, JsonlOption, StoreOptions {
  readonly status?: readonly string[];
  readonly class?: string;
  readonly receiver?: string;
  readonly name?: string;
  readonly run?: string;
  readonly id?: string;
  readonly step?: string;
  readonly worker?: string;
}

const classes: readonly GuaranteeClass[] = ["ATOMIC", "KEYED", "VERIFIED", "AT-MOST-ONCE", "REPEATABLE", "UNDECLARED"];
const statuses: readonly (EffectStatus | "doubt")[] = ["completed", "failed", "cancelled", "timed-out", "indeterminate", "doubt"];

export async function effectsCommand(args: readonly string[], o: EffectsOptions): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1) ?? 50;
  const [given] = o.status ?? [];
  const status = given === undefined ? undefined : among(statuses, given.toLowerCase(), "--status");
  const filter: EffectFilter = {
    limit,
    ...(args[0] === undefined ? {} : { key: args[0] }),
    ...(o.class === undefined ? {} : { class: among(classes, o.class.toUpperCase(), "--class") }),
    ...(status === undefined ? {} : status === "doubt" ? { phase: status } : { status }),
    ...(o.name === undefined ? {} : { name: o.name }),
    ...(o.receiver === undefined ? {} : { receiver: o.receiver }),
    ...(o.id === undefined ? {} : { workflowId: o.id }),
    ...(o.step === undefined ? {} : { stepId: o.step }),
    ...(o.worker === undefined ? {} : { worker: o.worker }),
    ...(o.cursor === undefined ? {} : { cursor: o.cursor }),
  };
  return withSession(o, async (s) => {
    const run = o.run === undefined ? undefined : await s.client.get(o.run);
    if (o.run !== undefined && run === undefined) throw new PawlError("PAWL4001", `there is no run ${o.run}`, { data: { id: o.run } });
    const page = await s.client.effects({ ...filter, ...(run === undefined ? {} : { runId: run.runId }) });
    if (o.json === true) printJson(page);
    else if (o.jsonl === true) for (const e of page.effects) printJsonLine(e);
    else printTable(page.effects, s.platform.wallMs(), paint(colourAllowed("out")));
    if (o.json !== true && page.cursor !== undefined) printNote(`more: --cursor ${page.cursor}`);
    if (page.effects.some((e) => e.argumentsDiffer)) printNote("a key marked * was used with different arguments by different operations");
    return exitCodes.ok;
  });
}

function among<T extends string>(all: readonly T[], word: string, what: string): T {
  const found = all.find((x) => x === word);
  if (found === undefined) throw new PawlError("PAWL4011", `${what} takes ${all.join(", ")}, not ${JSON.stringify(word)}`);
  return found;
}

function printTable(all: readonly EffectView[], nowMs: number, p: Paint): void {
  if (all.length === 0) return printNote("no effects");
  const byWorkers = all.some((e) => e.worker !== undefined);
  const rows = all.map((e) => [
    `${clip(e.idempotencyKey ?? "", 40)}${e.argumentsDiffer === true ? " *" : ""}`,
    clip(e.activityName, 30),
    e.class,
    e.phase === "doubt" ? "in doubt" : e.status,
    withoutControlChars(e.workflowId),
    `${formatDuration(nowMs - Date.parse(e.updatedAt))} ago`,
    ...(byWorkers ? [e.worker ?? "", e.durationMs === undefined ? "" : formatDuration(e.durationMs)] : []),
  ]);
  const more = byWorkers ? ["WORKER", "TOOK"] : [];
  writeOut(
    formatTable([["KEY", "NAME", "GUARANTEE", "STATUS", "RUN", "CHANGED", ...more], ...rows], (cell, row) =>
      row === 0 ? p.dim(cell) : cell,
    ),
  );
}
