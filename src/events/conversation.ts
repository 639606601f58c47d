// What was said in a run, read from its log alone: the replies of models, the calls of tools and what came back, and what the model calls used. Pure. It must
// never guess: a prompt is not in the log, and neither is it here.
import type { RunEventRecord } from "../core/contract.ts";

/** What the model calls of a run used, as providers reported it. Of a call that was made again after a crash only the recorded reply counts. */
export interface ModelTotals {
  readonly modelCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the unit of the author's price, where one was given. */
  readonly cost?: number;
}
export interface Said {
  readonly stepId: string;
  /** The model's id, or the tool's name. */
  readonly by: string;
  readonly kind: "model" | "tool" | "plan";
  /** The reply's text; of a plan its hashes; of a tool its result, or why it failed, as JSON. */
  readonly text: string;
  /** The tools that the reply asks for. */
  readonly calls?: readonly string[];
  readonly repeatOf?: string;
}
export interface Conversation {
  readonly totals: ModelTotals;
  readonly said: readonly Said[];
}

interface Start {
  readonly model?: { readonly id: string };
  readonly tool?: { readonly name: string };
  readonly plan?: { readonly planner: string; readonly version: string; readonly inputHash: string; readonly replaces?: string };
  readonly repeatOf?: string;
}
interface Reply {
  readonly content?: readonly { readonly type?: string; readonly text?: string; readonly tool?: string; readonly input?: unknown }[];
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly cost?: number };
  readonly answeredBy?: { readonly id: string };
  readonly planHash?: string;
  readonly none?: string;
}

/** Undefined: the run asked no model, and made no plan. */
export function conversationOf(events: readonly RunEventRecord[]): Conversation | undefined {
  const starts = new Map<string, Start>();
  const said: Said[] = [];
  let [modelCalls, inputTokens, outputTokens] = [0, 0, 0];
  let cost: number | undefined;
  let hasPlan = false;
  for (const { eventType, stepId = "", payload } of events) {
    if (eventType === "StepStarted" && !starts.has(stepId)) starts.set(stepId, (payload ?? {}) as Start);
    const { model, tool, plan, repeatOf } = starts.get(stepId) ?? {};
    const { result, error, retryAt } = (payload ?? {}) as { result?: unknown; error?: { message?: string }; retryAt?: string };
    const ends = eventType === "StepCompleted" || (eventType === "StepFailed" && retryAt === undefined);
    if (!ends || (model === undefined && tool === undefined && plan === undefined)) continue;
    if (tool !== undefined) {
      const text = eventType === "StepFailed" ? `failed: ${error?.message ?? ""}` : (JSON.stringify(result) ?? "nothing");
      said.push({ stepId, by: tool.name, kind: "tool", text, ...(repeatOf === undefined ? {} : { repeatOf }) });
      continue;
    }
    const { content = [], usage = {}, answeredBy, planHash, none } = (result ?? {}) as Reply;
    const calls = content.flatMap((p) => (p.type === "tool-call" ? [`${p.tool ?? ""}(${JSON.stringify(p.input) ?? ""})`] : []));
    const asks = calls.length === 0 ? {} : { calls };
    if (plan !== undefined) {
      hasPlan = true;
      const how = planHash === undefined ? `no plan: ${none ?? error?.message ?? ""}` : `plan ${planHash}`;
      const replaced = plan.replaces === undefined ? "" : `, in place of ${plan.replaces}`;
      said.push({
        stepId,
        by: plan.planner,
        kind: "plan",
        text: `${how}, version ${plan.version}, of input ${plan.inputHash}${replaced}`,
        ...asks,
      });
      continue;
    }
    modelCalls++;
    inputTokens += usage.inputTokens ?? 0;
    outputTokens += usage.outputTokens ?? 0;
    if (usage.cost !== undefined) cost = (cost ?? 0) + usage.cost;
    const text =
      eventType === "StepFailed"
        ? `failed: ${error?.message ?? ""}`
        : content.flatMap((p) => (p.type === "text" ? [p.text ?? ""] : [])).join("");
    said.push({ stepId, by: answeredBy?.id ?? model!.id, kind: "model", text, ...asks });
  }
  if (modelCalls === 0 && !hasPlan) return undefined;
  return { totals: { modelCalls, inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }, said };
}
