// What a person must decide before a run continues, as its log says it: an error with the code under which it is explained. Pure. It must never
// say so of a run that continues by itself.
import type { RunEventRecord } from "../core/contract.ts";
import { PawlError } from "../errors/error.ts";
import { questionOf } from "../events/payload.ts";
import type { RunView } from "./types.ts";

interface Approvable {
  readonly kind?: string;
  readonly ask?: { readonly text?: string };
  readonly approve?: boolean;
  readonly question?: string;
  readonly answer?: string;
}

export function pendingDecisionIn(run: RunView, events: readonly RunEventRecord[]): PawlError | undefined {
  const data = { runId: run.runId, workflowId: run.workflowId };
  const closed = new Set<string>();
  const approved = new Set<string>();
  let answered = false;
  for (const e of events.toReversed()) {
    const p = (e.payload ?? {}) as { category?: string; reason?: string; stepId?: string; message?: string; code?: string } & Approvable;
    if (e.eventType === "StepCompleted" || e.eventType === "StepFailed") closed.add(e.stepId ?? "");
    if (e.eventType === "pawl.DecisionAnswered") {
      answered = true;
      if (p.answer === "approve") approved.add(p.stepId ?? "");
    }
    if (run.status === "PAUSED") {
      if (e.eventType !== "RunPaused") continue;
      if (p.category !== "DIVERGED") return undefined;
      return new PawlError(p.code === "PAWL1007" ? "PAWL1007" : "PAWL1006", p.message ?? p.reason ?? "the code no longer matches the log", {
        data,
      });
    }
    if (e.eventType === "pawl.DecisionNeeded" && !answered)
      return new PawlError(p.code === "PAWL2007" ? "PAWL2007" : "PAWL2001", p.reason ?? "engines gave up the run", { data });
    if (p.approve === true && e.stepId !== undefined && !closed.has(e.stepId) && !approved.has(e.stepId))
      return new PawlError("PAWL2033", `${e.stepId}: ${questionOf(p)}`, {
        data: { ...data, step: e.stepId },
      });
    if (e.eventType === "StepStarted" && p.kind === "ask" && e.stepId !== undefined && !closed.has(e.stepId))
      return new PawlError("PAWL2035", `${e.stepId}: ${p.ask?.text ?? "a person is asked"}`, { data: { ...data, step: e.stepId } });
    if (e.eventType === "pawl.StepInDoubt" && p.stepId !== undefined && !closed.has(p.stepId))
      return new PawlError(doubtCode(p.code), `${p.stepId}: ${p.reason ?? "its outcome is unknown"}`, {
        data: { ...data, step: p.stepId },
      });
  }
  return run.waiting === "decision" ? new PawlError("PAWL2001", "the run waits for a decision", { data }) : undefined;
}

function doubtCode(code: string | undefined): "PAWL2001" | "PAWL2002" | "PAWL2003" | "PAWL2014" {
  return code === "PAWL2002" || code === "PAWL2003" || code === "PAWL2014" ? code : "PAWL2001";
}
