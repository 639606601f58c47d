// Which output of a model caused which effect, read from a log alone: the call names the model's step and the part of its reply, and that step has one recorded
// end. Pure: it asks no store. A call that no model asked for has no cause, and is left out.
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { EventRecord } from "./event.ts";
import {
  pawlEvents,
  readPayload,
  type AnswerPayload,
  type ModelPayload,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepStartedPayload,
} from "./payload.ts";

/** Which model output caused an effect, and what it rested on. */
export interface Cause {
  readonly runId: string;
  /** The tool's step; `repeatOf`: it took over what an earlier step of the run did. */
  readonly effect: {
    readonly stepId: string;
    readonly tool: string;
    readonly key?: string;
    readonly externalId?: string;
    /** unknown: it failed, and may have taken effect; the model read that it must not repeat it. */
    readonly outcome: "open" | "completed" | "failed" | "unknown";
    readonly repeatOf?: string;
    /** SHA-256 of the recorded arguments, and of the recorded result. */
    readonly inputHash?: string;
    readonly outputHash?: string;
  };
  /** The recorded output that asked for it. */
  readonly by: { readonly stepId: string; readonly eventId: string; readonly part: number; readonly toolCallId: string };
  readonly model: {
    readonly id: string;
    readonly provider: string;
    readonly responseId?: string;
    readonly temperature?: number;
    readonly promptHash: string;
    readonly inputTokens?: number;
    readonly outputTokens?: number;
  };
  readonly tool: { readonly version: string; readonly schemaHash: string };
  /** It was a call of a plan: then the model is the planner, and the prompt's hash is that of its input. */
  readonly plan?: { readonly decisionId: string; readonly planHash: string; readonly version: string; readonly replaces?: string };
  readonly approvedBy?: string;
  /** Steps whose recorded results were in the prompt. */
  readonly saw: readonly string[];
}

/** What a proof says of it: the recorded output that asked for an effect, and the prompt's hash. No word of either. */
export interface EffectCause {
  readonly by: Cause["by"];
  readonly model: Pick<Cause["model"], "id" | "provider" | "promptHash">;
  readonly planHash?: string;
  readonly approvedBy?: string;
}

/** The same histories, each with its cause where a model or a plan asked for it. */
export function withCauses<T extends { readonly stepId: string }>(
  histories: readonly T[],
  events: readonly EventRecord[],
): readonly (T & { readonly cause?: EffectCause })[] {
  if (!events.some((e) => e.payload?.includes('"cause":') === true)) return histories;
  const causes = new Map(causesOf("", events, () => undefined).map((c) => [c.effect.stepId, c]));
  return histories.map((h) => {
    const found = causes.get(h.stepId);
    if (found === undefined) return h;
    const { by, model, plan, approvedBy } = found;
    const cause: EffectCause = {
      by,
      model: { id: model.id, provider: model.provider, promptHash: model.promptHash },
      ...(plan === undefined ? {} : { planHash: plan.planHash }),
      ...(approvedBy === undefined ? {} : { approvedBy }),
    };
    return { ...h, cause };
  });
}

interface Reply {
  readonly content?: readonly { readonly type?: string; readonly id?: string; readonly tool?: string }[];
  readonly planHash?: string;
  readonly model?: string;
  readonly responseId?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly answeredBy?: { readonly id: string; readonly provider: string };
}

/** `keyOf`: the key of a step in the ledger, where it has one. */
export function causesOf(runId: string, events: readonly EventRecord[], keyOf: (stepId: string) => string | undefined): Cause[] {
  const starts = new Map<string, StepStartedPayload & { readonly input?: unknown }>();
  const ends = new Map<string, EventRecord>();
  const approved = new Map<string, string>();
  const sentAgain = new Set<string>();
  for (const e of events) {
    if (e.eventType === "StepStarted" && !starts.has(e.stepId!)) starts.set(e.stepId!, readPayload(e.payload));
    else if (e.eventType === "StepCompleted" || e.eventType === "StepFailed") {
      const before = ends.get(e.stepId!);
      if (before !== undefined && mayHaveHappened(starts.get(e.stepId!), before, false)) sentAgain.add(e.stepId!);
      ends.set(e.stepId!, e);
    } else if (e.eventType === pawlEvents.redispatched) sentAgain.add(readPayload<{ stepId: string }>(e.payload).stepId);
    else if (e.eventType === pawlEvents.decisionAnswered) {
      const { stepId, answer, by } = readPayload<AnswerPayload>(e.payload);
      if (stepId !== undefined && answer === "approve" && by !== undefined) approved.set(stepId, by);
    }
  }
  const causes: Cause[] = [];
  for (const [stepId, started] of starts) {
    const { tool, cause } = started;
    const asked = cause === undefined ? undefined : ends.get(cause.stepId);
    const asking = cause === undefined ? undefined : starts.get(cause.stepId);
    const model = asking?.model ?? plannerOf(asking);
    if (tool === undefined || cause === undefined || asked === undefined || model === undefined) continue;
    const reply = readPayload<{ result?: Reply }>(asked.payload).result ?? {};
    const { plan } = asking!;
    const part = reply.content?.[cause.part];
    if (part?.type !== "tool-call" || part.id !== cause.toolCallId) continue; // the log does not say so
    const end = ends.get(stepId);
    const completed = end?.eventType === "StepCompleted" ? readPayload<StepCompletedPayload>(end.payload) : undefined;
    const key = keyOf(stepId);
    const temperature = model.parameters?.["temperature"];
    const by = approved.get(stepId) ?? approved.get(started.repeatOf ?? "");
    const { inputTokens, outputTokens } = reply.usage ?? {};
    causes.push({
      runId,
      effect: {
        stepId,
        tool: tool.name,
        ...(key === undefined ? {} : { key }),
        ...(completed?.externalId === undefined ? {} : { externalId: completed.externalId }),
        outcome: outcomeOf(started, end, sentAgain.has(stepId)),
        ...(started.repeatOf === undefined ? {} : { repeatOf: started.repeatOf }),
        ...(started.input === undefined ? {} : { inputHash: sha256Hex(JSON.stringify(started.input)) }),
        ...(completed?.result === undefined ? {} : { outputHash: sha256Hex(JSON.stringify(completed.result)) }),
      },
      by: { stepId: cause.stepId, eventId: asked.eventId, part: cause.part, toolCallId: cause.toolCallId },
      model: {
        id: reply.model ?? reply.answeredBy?.id ?? model.id,
        provider: reply.answeredBy?.provider ?? model.provider,
        ...(reply.responseId === undefined ? {} : { responseId: reply.responseId }),
        ...(typeof temperature === "number" ? { temperature } : {}),
        promptHash: model.promptHash,
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
      },
      tool: { version: tool.version, schemaHash: tool.schema },
      ...(plan === undefined || reply.planHash === undefined
        ? {}
        : {
            plan: {
              decisionId: reply.planHash.slice(0, 16),
              planHash: reply.planHash,
              version: plan.version,
              ...(plan.replaces === undefined ? {} : { replaces: plan.replaces }),
            },
          }),
      ...(by === undefined ? {} : { approvedBy: by }),
      saw: model.saw ?? [],
    });
  }
  return causes;
}

function plannerOf(started: StepStartedPayload | undefined): ModelPayload | undefined {
  return started?.plan === undefined ? undefined : { id: started.plan.planner, provider: "planner", promptHash: started.plan.inputHash };
}

function outcomeOf(started: StepStartedPayload, end: EventRecord | undefined, sentBefore: boolean): Cause["effect"]["outcome"] {
  if (end === undefined) return "open";
  if (end.eventType === "StepCompleted") return "completed";
  return mayHaveHappened(started, end, sentBefore) ? "unknown" : "failed";
}

/** As the run itself judges a call that failed (engine/effects/tool-calls.ts). */
function mayHaveHappened(started: StepStartedPayload | undefined, failed: EventRecord, sentBefore: boolean): boolean {
  const { category, via } = readPayload<Partial<StepFailedPayload>>(failed.payload);
  if (category === "RESULT_UNAVAILABLE" || category === "RESULT_INVALID" || category === "NOT_ENCODABLE") return true;
  if (via !== undefined || category === "NOT_APPROVED") return false;
  if (started?.kind === "child") return true;
  if (started?.class === "ATOMIC") return category !== "FAILED";
  if (started?.class === "REPEATABLE") return false; // it may be asked for again
  return sentBefore || category !== "NOT_SENT";
}
