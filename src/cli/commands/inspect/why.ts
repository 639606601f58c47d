// `pawl why`: why a run is not further, and each of its steps; of a key, which recorded output of a model caused each effect under it. It wakes the run
// of a DAG, and changes nothing else.
import type { ExplainedRun } from "../../../api/types/operate.ts";
import { isPawlError } from "../../../errors/error.ts";
import type { Cause } from "../../../events/causes.ts";
import { writeOut } from "../../../platform/terminal.ts";
import { clip, formatTable, withoutControlChars } from "../../output/format.ts";
import { printJson } from "../../output/print.ts";
import { exitCodes } from "../../output/report-error.ts";
import { withSession } from "../../session.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";

export interface WhyOptions extends JsonOption, StoreOptions {
  readonly all?: boolean;
}

/** What needs no explanation. */
const over: ReadonlySet<string> = new Set(["succeeded", "skipped", "resolved"]);

export async function whyCommand(args: readonly string[], o: WhyOptions): Promise<number> {
  const [id = "", step] = args;
  return withSession(o, async ({ client }) => {
    const run = await client.get(id);
    if (run === undefined) return whyEffect(await client.causes(id), id, o);
    const standing = await client.evaluate(id).catch((e: unknown) => {
      if (isPawlError(e, "PAWL4010")) return undefined; // it is no DAG: the run itself says why
      throw e;
    });
    const steps = await client.why(id, step);
    if (o.json === true) {
      printJson({ ...(standing ?? { runId: run.runId, status: run.status, because: run.because }), steps });
      return exitCodes.ok;
    }
    const shown = o.all === true || step !== undefined ? steps : steps.filter((s) => !over.has(s.readiness));
    if (standing === undefined) writeOut(whyRun(run));
    else {
      const counts = Object.entries(standing.counts).map(([label, n]) => `${n} ${label}`);
      writeOut(`${standing.status}${standing.final ? ", the run has ended" : ""}: ${counts.join(", ")}\n`);
    }
    if (shown.length > 0) writeOut(formatTable(shown.map((s) => [s.stepId, s.readiness, clip(withoutControlChars(s.sentence), 120)])));
    return exitCodes.ok;
  });
}

/** Of a run without a plan: its status, the sentence and what to do, as under the tree of `pawl inspect`. */
function whyRun({ status, because, workflowId }: ExplainedRun): string {
  const fix = because.fix?.replace(`pawl why ${workflowId}; `, ""); // that is this command
  const lines = [`${status}: ${because.text}`, ...(fix === undefined ? [] : [`what to do: ${fix}`])];
  return `${lines.map((l) => withoutControlChars(l)).join("\n")}\n`;
}

/** Of a key: the chain from the effect back to the words that asked for it. */
function whyEffect(causes: readonly Cause[], key: string, o: WhyOptions): number {
  if (o.json === true) {
    printJson({ key, causes });
    return exitCodes.ok;
  }
  if (causes.length === 0) writeOut(`${withoutControlChars(key)}: no model asked for it\n`);
  for (const { runId, effect, by, model, plan, approvedBy, saw } of causes) {
    const lines = [
      `${effect.tool} (${effect.outcome}) in run ${runId}, step ${effect.stepId}`,
      `  asked for by part ${by.part} of the output of ${model.provider} ${model.id}: step ${by.stepId}, event ${by.eventId}, call ${by.toolCallId}`,
      `  prompt ${model.promptHash}${saw.length === 0 ? "" : `, with the results of ${saw.join(", ")}`}`,
      ...(plan === undefined
        ? []
        : [`  plan ${plan.planHash}, version ${plan.version}${plan.replaces === undefined ? "" : `, in place of ${plan.replaces}`}`]),
      ...(approvedBy === undefined ? [] : [`  approved by ${approvedBy}`]),
      ...(effect.repeatOf === undefined ? [] : [`  a repeat of step ${effect.repeatOf}`]),
      ...(effect.externalId === undefined ? [] : [`  the receiver calls it ${effect.externalId}`]),
    ];
    writeOut(`${lines.map((l) => withoutControlChars(l)).join("\n")}\n`);
  }
  return exitCodes.ok;
}
