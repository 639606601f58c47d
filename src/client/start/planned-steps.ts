// What a new run would do with each step that its run chain recorded, as a dry run says it: the table of sending again (core/send-again.ts) in the
// words of a person. It decides nothing and writes nothing.
import { retryOutlook, type SendQuestion } from "../../core/send-again.ts";
import type { ChainStep, RunChain } from "../../engine/chain/run-chain.ts";
import type { PlannedStep } from "../../api/types/retry.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { planChild } from "./planned-child.ts";

/** `sameness`: whether the code will make this call again, as far as anybody can say. */
export async function planStep(
  c: LocalClientDeps,
  line: RunChain,
  e: ChainStep,
  nowMs: number,
  sameness: boolean | "other" = true,
): Promise<PlannedStep> {
  const { question, then } = line.judgeAs(e, e.past.started, sameness);
  const { dedupMs = 0, timeoutMs = 0 } = e.past.started;
  const inWindow = nowMs + timeoutMs < e.firstAt + dedupMs;
  return {
    ...recordedStepFacts(e),
    outlook: retryOutlook(question, inWindow),
    why: reasonText(question, line, inWindow),
    ...(then === "adopt" ? null : await planChild(c, e)),
  };
}

export function recordedStepFacts({ past, runId }: ChainStep): Omit<PlannedStep, "outlook" | "why"> {
  const { started, stepId } = past;
  return {
    stepId,
    name: started.name,
    kind: started.kind,
    ...(started.class === undefined ? {} : { class: started.class }),
    ...(started.key === undefined ? {} : { key: started.key }),
    runId,
  };
}

function reasonText(q: SendQuestion, line: RunChain, inWindow: boolean): string {
  const keyed = inWindow ? "the same key is sent again, inside the receiver's window" : "the receiver may have forgotten the key";
  switch (q.recorded) {
    case "nothing":
      return "nothing was sent";
    case "completed":
      if (!q.same) return "it completed; the state was changed, and it declares no input: nobody can say whether it is the same call";
      if (q.rerun && q.class === "KEYED") return `${line.rerun?.by ?? "somebody"} asked for it: ${keyed}`;
      if (q.rerun && q.class === "VERIFIED") return `${line.rerun?.by ?? "somebody"} asked for it: verify is asked first`;
      if (q.rerun) return `${line.rerun?.by ?? "somebody"} asked for it`;
      return q.fromStep && (q.class === "REPEATABLE" || q.class === "UNDECLARED" || q.class === "WAIT")
        ? "it completed, and the run starts again before it"
        : "it completed";
    case "undone":
      if (q.class === "KEYED") return "it was undone: a new attempt under a new key";
      return q.class === "VERIFIED" ? "it was undone: verify is asked first" : "it was undone";
    case "undoing":
      return "its compensation began and did not complete";
    default:
      if (q.class === "KEYED") return `it may have happened: ${keyed}`;
      if (q.class === "VERIFIED") return "it may have happened: verify is asked first";
      if (q.class === "ATOMIC") return q.recorded === "doubt" ? "nobody knows whether its rows exist" : "it was rolled back";
      return q.class === "WAIT" || q.class === "CALL" ? "it did not complete" : "it may have happened";
  }
}
