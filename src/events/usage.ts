// What the model calls of a run used, in all and by model, and how many tools it called: read from its log alone. Pure. Of a call that was made again after a crash only
// the recorded reply counts; what a provider did not report is not guessed.
import type { EventRecord } from "./event.ts";
import { readPayload, type StepStartedPayload } from "./payload.ts";

/** Calls and tokens; `cost` in the unit of the author's price, where one was given. */
export interface UsageTotals {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost?: number;
}
/** Of one run; its children have their own. */
export interface RunUsage extends UsageTotals {
  readonly runId: string;
  /** Calls of tools that have ended; those that took over an earlier call's result are `repeats`. */
  readonly toolCalls: number;
  readonly repeats: number;
  readonly byModel: readonly (UsageTotals & { readonly model: string; readonly provider: string })[];
}

interface Reply {
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly cost?: number };
  readonly answeredBy?: { readonly id: string; readonly provider: string };
}

export function usageOf(runId: string, events: readonly EventRecord[]): RunUsage {
  const starts = new Map<string, StepStartedPayload>();
  const models = new Map<string, UsageTotals & { readonly model: string; readonly provider: string }>();
  let all: UsageTotals = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  let [toolCalls, repeats] = [0, 0];
  for (const { eventType, stepId, payload } of events) {
    if (stepId === null) continue;
    if (eventType === "StepStarted" && !starts.has(stepId)) starts.set(stepId, readPayload(payload));
    const started = starts.get(stepId);
    const { result, retryAt } = readPayload<{ result?: Reply; retryAt?: string }>(payload);
    const ends = eventType === "StepCompleted" || (eventType === "StepFailed" && retryAt === undefined);
    if (!ends || started === undefined) continue;
    if (started.tool !== undefined) {
      toolCalls++;
      if (started.repeatOf !== undefined) repeats++;
    }
    if (started.model === undefined || eventType !== "StepCompleted") continue;
    const { id: model, provider } = result?.answeredBy ?? started.model;
    const name = JSON.stringify([provider, model]);
    const own = models.get(name) ?? { model, provider, modelCalls: 0, inputTokens: 0, outputTokens: 0 };
    models.set(name, { ...own, ...plus(own, result) });
    all = plus(all, result);
  }
  return { runId, ...all, toolCalls, repeats, byModel: [...models.values()] };
}

function plus(t: UsageTotals, reply: Reply | undefined): UsageTotals {
  const { inputTokens = 0, outputTokens = 0, cost } = reply?.usage ?? {};
  return {
    modelCalls: t.modelCalls + 1,
    inputTokens: t.inputTokens + inputTokens,
    outputTokens: t.outputTokens + outputTokens,
    ...(cost === undefined && t.cost === undefined ? {} : { cost: (t.cost ?? 0) + (cost ?? 0) }),
  };
}
