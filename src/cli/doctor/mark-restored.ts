// `pawl doctor --restored` (K4): the store is a copy of an earlier time, so effects may have happened that its log does not
// know. Its incarnation is raised, and unsettled runs are paused if they, or others of their workflow, have effects that
// may not simply repeat: what such a run would do next may already be done. A person looks, then resumes. Sessions and tokens of before
// have ended: the copy may hold one that was revoked since.
import { collectRuns } from "../../client/lists/list-runs.ts";
import type { Client, RunView, StepView } from "../../client/types.ts";
import { endTokens, keepTokens } from "../../access/store-facts.ts";
import { PawlError } from "../../errors/error.ts";
import { markRestored as raise } from "../../operate.ts";
import { writeOut } from "../../platform/terminal.ts";
import { applyControl } from "../runs/apply-control.ts";
import type { DryRunOption, JsonOption, ReasonOption, YesOption } from "../shared-options.ts";
import { askConfirmation } from "../runs/ask-confirmation.ts";
import { unsettledRuns } from "./diagnose.ts";
import { exitCodes } from "../output/report-error.ts";
import { printNote, printJson } from "../output/print.ts";
import type { CliSession } from "../session.ts";

/** Runs of the same workflow whose steps are looked at: their classes say what an unsettled one will come to. */
const samples = 20;
const timeoutMs = 10_000;

export interface RestoredOptions extends ReasonOption, YesOption, DryRunOption, JsonOption {
  readonly keepTokens?: boolean;
}

export async function pauseAfterRestore(s: CliSession, o: RestoredOptions): Promise<number> {
  // Of every tenant: the incarnation is that of the whole store.
  const info = await s.store.info();
  const alive = info.engines.filter((e) => !e.dead && e.leaseUntil > info.nowMs);
  if (alive.length > 0)
    throw new PawlError(
      "PAWL4010",
      `${alive.length} engine${alive.length === 1 ? " is" : "s are"} alive: stop them first, or wait until their leases end (${new Date(alive[0]?.leaseUntil ?? info.nowMs).toISOString()})`,
    );
  const { runs } = await unsettledRuns(s.client);
  const risky = await riskyRuns(s.client, runs);
  const pausable = risky.filter((r) => r.status === "RUNNING");
  const pending = risky.filter((r) => r.status === "PENDING");
  if (o.dryRun === true) return printOutcome(o, { dryRun: true, incarnation: info.incarnation, paused: pausable, pending });
  if (!(await askConfirmation(o, `Raise the incarnation to ${info.incarnation + 1} and pause ${pausable.length} runs?`))) {
    printNote("nothing was done");
    return exitCodes.ok;
  }
  await (o.keepTokens === true ? keepTokens(s.store, info.incarnation) : endTokens(s.store));
  const incarnation = await raise(s.url, s.platform);
  for (const r of pausable) await applyControl(s, r, "pause", o.reason ?? "the store was restored from a backup", timeoutMs);
  return printOutcome(o, { dryRun: false, incarnation, paused: pausable, pending });
}

function hasUnrepeatableStep(steps: readonly StepView[]): boolean {
  return steps.some((x) => x.class === "KEYED" || x.class === "VERIFIED" || x.class === "AT-MOST-ONCE");
}

async function riskyRuns(client: Client, runs: readonly RunView[]): Promise<RunView[]> {
  const workflows = new Map<string, boolean>();
  const risky: RunView[] = [];
  for (const r of runs) {
    if (r.status === "PAUSED") continue;
    let known = workflows.get(r.workflow);
    if (known === undefined) {
      known = false;
      for (const sample of (await collectRuns((q) => client.list(q), { workflow: r.workflow }, samples)).runs)
        known ||= hasUnrepeatableStep(await client.steps(sample.runId));
      workflows.set(r.workflow, known);
    }
    if (known || hasUnrepeatableStep(await client.steps(r.runId))) risky.push(r);
  }
  return risky;
}

function printOutcome(
  o: RestoredOptions,
  did: { dryRun: boolean; incarnation: number; paused: readonly RunView[]; pending: readonly RunView[] },
): number {
  const ids = (runs: readonly RunView[]): { runId: string; workflowId: string }[] =>
    runs.map(({ runId, workflowId }) => ({ runId, workflowId }));
  if (o.json === true) printJson({ dryRun: did.dryRun, incarnation: did.incarnation, paused: ids(did.paused), pending: ids(did.pending) });
  else {
    for (const r of did.paused) writeOut(`${r.workflowId}  ${did.dryRun ? "would be paused" : "paused"}\n`);
    printNote(`incarnation ${did.incarnation}${did.dryRun ? " (would be raised)" : ""}; look at each paused run, then pawl resume it`);
    if (!did.dryRun)
      printNote(
        o.keepTokens === true
          ? "tokens stay valid; sessions have ended"
          : "tokens and sessions have ended: make new tokens (pawl token create)",
      );
  }
  for (const r of did.pending)
    printNote(`warning: ${r.workflowId} has not begun and cannot be paused; terminate it if it may already have run`);
  return exitCodes.ok;
}
