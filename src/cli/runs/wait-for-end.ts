// Waiting for a run's end, and saying how it ended. A run that cannot continue by itself (a decision, a divergence) ends the
// wait with its own exit code: nobody should stare at a terminal that will never answer. Waiting changes nothing.
import { errorFromFailure } from "../../codec/failure.ts";
import { pendingDecisionIn } from "../../client/pending-decision.ts";
import type { Client, RunEnd, RunView } from "../../client/types.ts";
import { PawlError } from "../../errors/error.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import type { JsonOption } from "../shared-options.ts";
import { exitCodes, reportError } from "../output/report-error.ts";
import type { Interrupt } from "./interrupt.ts";
import { printNote, printJson, printValue } from "../output/print.ts";

export type WaitResult =
  | { readonly kind: "ended"; readonly end: RunEnd }
  | { readonly kind: "stuck"; readonly error: PawlError }
  | { readonly kind: "interrupted" };

export async function waitForRunEnd(
  client: Client,
  run: { readonly runId: string; readonly workflowId: string },
  timeoutMs: number | undefined,
  interrupt: Interrupt,
): Promise<WaitResult> {
  const over = { yes: false };
  const ended = client
    .waitForEnd(run.runId, timeoutMs === undefined ? {} : { timeoutMs })
    .then((end): WaitResult => ({ kind: "ended", end }));
  try {
    return await Promise.race([
      ended,
      waitForDecision(client, run.workflowId, over),
      interrupt.requested.then((): WaitResult => ({ kind: "interrupted" })),
    ]);
  } finally {
    over.yes = true;
    ended.catch(() => {}); // the store may be closed while it still waits
  }
}

/** Resolves only if the run needs a person. A pause is reported once. */
async function waitForDecision(client: Client, workflowId: string, over: { readonly yes: boolean }): Promise<WaitResult> {
  let told = false;
  while (!over.yes) {
    const changed = client.waitForChange(undefined, { timeoutMs: 250 });
    const run = await client.get(workflowId).catch(() => undefined);
    if (run !== undefined && !over.yes) {
      const error = await pendingDecision(client, run);
      if (error !== undefined && !(await isAnswered(client, run.runId))) return { kind: "stuck", error };
      if (run.status === "PAUSED" && !told) {
        told = true;
        printNote(`paused: pawl resume ${workflowId}`);
      }
    }
    await changed;
  }
  return new Promise<never>(() => {});
}

/** Somebody has decided, and an engine will take it in a moment. */
async function isAnswered(client: Client, runId: string): Promise<boolean> {
  return (await client.decisions().catch(() => [])).some((d) => d.runId === runId && d.answered === true);
}

/** What a person must decide before the run continues; undefined while it needs nobody. */
export async function pendingDecision(client: Client, run: RunView): Promise<PawlError | undefined> {
  if (run.waiting !== "decision" && run.status !== "PAUSED") return undefined;
  return pendingDecisionIn(run, await allEvents(client, run.runId));
}

/** The whole log, page by page. */
export async function allEvents(client: Client, id: string, after = 0): Promise<RunEventRecord[]> {
  const all: RunEventRecord[] = [];
  for (;;) {
    const page = await client.events(id, { after: all.at(-1)?.runSeq ?? after, limit: 1_000 });
    all.push(...page);
    if (page.length < 1_000) return all;
  }
}

/** Prints the result, or the failure, and returns the exit code. */
export function printRunEnd(
  o: JsonOption,
  run: { readonly runId: string; readonly workflowId: string; readonly created?: boolean },
  ending: WaitResult,
  goOn: string,
): number {
  const json = o.json === true;
  if (ending.kind === "interrupted") {
    printNote(`interrupted: nothing is lost; ${goOn}`);
    return exitCodes.interrupted;
  }
  if (ending.kind === "stuck") return reportError(ending.error, json);
  const { end } = ending;
  if (json) printJson({ workflowId: run.workflowId, ...(run.created === undefined ? {} : { created: run.created }), ...end });
  if (end.status === "COMPLETED") {
    if (!json) printValue(end.result);
    return exitCodes.ok;
  }
  return reportError(failureOfEnd(end), json);
}

function failureOfEnd(end: RunEnd): PawlError {
  const data = { runId: end.runId, status: end.status, category: end.category ?? null };
  if (end.status === "CANCELLED")
    return new PawlError("PAWL1014", `the run was cancelled${end.reason === undefined ? "" : `: ${end.reason}`}`, { data });
  const cause = end.error === undefined ? undefined : errorFromFailure(end.error);
  const help = refusedCode(cause);
  return new PawlError("PAWL1013", cause?.message ?? "the run failed", {
    cause,
    data: help === undefined ? data : { ...data, help: `pawl explain ${help}` },
  });
}

/** The code of what Pawl itself refused, under the failures of steps and runs that say only where that was. */
function refusedCode(e: unknown): string | undefined {
  const { code, cause } = (e ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  const inner = cause === undefined ? undefined : refusedCode(cause);
  return inner ?? (typeof code === "string" && /^PAWL\d{4}$/.test(code) && code !== "PAWL1012" && code !== "PAWL1013" ? code : undefined);
}
