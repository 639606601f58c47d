// `pawl proof`: what is known of the effects of a run, or of everything under a key: a sentence each, the events that say so,
// and the assumptions it rests on, numbered. Exit code 8 when something is not known, or when the sends of a key may have taken
// effect more than once.
import type { EffectCause } from "../../../events/causes.ts";
import type { Proof } from "../../../events/proof.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";
import { exitCodes } from "../../output/report-error.ts";
import { paint, type Paint } from "../../output/colors.ts";
import { printJson } from "../../output/print.ts";
import { withSession } from "../../session.ts";
import { withoutControlChars } from "../../output/format.ts";

export interface ProofOptions extends JsonOption, StoreOptions {}

export async function proofCommand(args: readonly string[], o: ProofOptions): Promise<number> {
  return withSession(o, async (s) => {
    const p = await s.client.proof(args[0] ?? "");
    if (o.json === true) printJson(p);
    else writeOut(proofText(p, paint(colourAllowed("out"))));
    return p.verdict === "in-doubt" || (p.key !== undefined && p.key.operations > 1 && p.key.verdict === "at-least-once")
      ? exitCodes.decision
      : exitCodes.ok;
  });
}

function causeText({ by, model: { provider, id, promptHash }, approvedBy }: EffectCause): string {
  const leave = approvedBy === undefined ? "" : `, approved by ${approvedBy}`;
  return `asked for by part ${by.part} of the output of ${provider} ${id}: step ${by.stepId}, event ${by.eventId}, prompt ${promptHash}${leave}`;
}

function proofText(proven: Proof, p: Paint): string {
  const lines = [p.bold(withoutControlChars(proven.sentence))];
  for (const e of proven.effects) {
    lines.push(
      `- ${withoutControlChars(e.sentence)}`,
      p.dim(`  events ${e.events.join(", ")} of ${e.runId}; assumes ${e.assumptions.join(", ")}`),
      ...(e.cause === undefined ? [] : [p.dim(`  ${withoutControlChars(causeText(e.cause))}`)]),
    );
  }
  lines.push("assumptions:", ...proven.assumptions.map((a, i) => `${String(i + 1).padStart(3)}. ${withoutControlChars(a)}`));
  return `${lines.join("\n")}\n`;
}
