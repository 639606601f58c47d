// One run as one UI message: a fold of its log, with live pieces in between. What comes from the log is right; a piece is shown early. When a model
// call begins again after something of it was shown, the message is aborted: its reader asks again, and gets it from its start.
import { decode } from "../../codec/value.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { decisionId } from "../../events/open-decisions.ts";
import {
  pawlEvents,
  type RunEndPayload,
  type StepCompletedPayload,
  type StepFailedPayload,
  type StepStartedPayload,
} from "../../events/payload.ts";
import type { ToolCall } from "../../tools/messages.ts";
import type { ModelReply, StreamPart } from "../../tools/models.ts";
import type { UiChunk, UiFinishReason } from "./chunks.ts";
import { ModelBlocks } from "./model-blocks.ts";

export class UiTurn {
  readonly #runId: string;
  /** Model calls that are under way. */
  readonly #models = new Map<string, ModelBlocks>();
  /** Model calls whose reply is recorded: late pieces of them are of no interest. */
  readonly #done = new Set<string>();
  /** Pieces of steps whose start was not read yet. */
  readonly #early = new Map<string, readonly { readonly attempt: number; readonly part: StreamPart }[]>();
  /** By step: the call that it carries out. */
  readonly #tools = new Map<string, string>();
  /** Calls that the model asked for and that have no answer yet. */
  readonly #unanswered = new Map<string, string>();
  #inStep = false;
  #finish: UiFinishReason = "stop";
  #over = false;

  constructor(runId: string) {
    this.#runId = runId;
  }

  get isOver(): boolean {
    return this.#over;
  }

  begin(): UiChunk[] {
    return [{ type: "start", messageId: this.#runId }];
  }

  /** A piece of a reply, before it is recorded. It waits for the step's start: what ended before that must be shown first. */
  piece(stepId: string, attempt: number, part: StreamPart): UiChunk[] {
    if (this.#over || this.#done.has(stepId)) return [];
    const blocks = this.#models.get(stepId);
    if (blocks !== undefined) {
      blocks.attempt = Math.max(blocks.attempt, attempt);
      return blocks.piece(part);
    }
    const waiting = this.#early.get(stepId) ?? [];
    this.#early.set(stepId, [...waiting, { attempt, part }]);
    return [];
  }

  /** A new attempt began: pieces of earlier ones are void. */
  reset(stepId: string): UiChunk[] {
    this.#early.delete(stepId);
    if (this.#over || this.#models.get(stepId)?.hasShown !== true) return [];
    return this.#end({ type: "abort", reason: "the model's reply begins again" });
  }

  take(e: RunEventRecord): UiChunk[] {
    if (this.#over) return [];
    const payload = (e.payload ?? {}) as unknown;
    switch (e.eventType as string) {
      case "StepStarted":
        return this.#started(e, payload as StepStartedPayload);
      case "StepCompleted":
        return this.#completed(e.stepId ?? "", payload as StepCompletedPayload);
      case "StepFailed":
        return this.#failed(e.stepId ?? "", payload as StepFailedPayload);
      case pawlEvents.redispatched:
        return this.reset((payload as { readonly stepId: string }).stepId);
      case "RunCompleted":
        return [...this.#closeStep(), ...this.#end({ type: "finish", finishReason: this.#finish })];
      case "RunFailed":
        return [
          ...this.#closeStep(),
          ...this.#end({ type: "error", errorText: (payload as RunEndPayload).error?.message ?? "the run failed" }),
        ];
      case "RunCancelled": {
        const { reason } = payload as RunEndPayload;
        return this.#end({ type: "abort", ...(reason === undefined ? {} : { reason }) });
      }
      default:
        return [];
    }
  }

  #started({ stepId = "", runSeq, logicalAttemptId }: RunEventRecord, p: StepStartedPayload): UiChunk[] {
    if (p.model !== undefined) {
      const { before, blocks } = this.#model(stepId);
      if (logicalAttemptId > blocks.attempt && blocks.hasShown) return this.reset(stepId);
      const early = this.#early.get(stepId) ?? [];
      this.#early.delete(stepId);
      return [...before, ...early.flatMap(({ attempt, part }) => this.piece(stepId, attempt, part))];
    }
    if (p.cause === undefined) return [];
    const { toolCallId } = p.cause;
    this.#tools.set(stepId, toolCallId);
    return p.approve === true ? [{ type: "tool-approval-request", approvalId: decisionId(this.#runId, runSeq), toolCallId }] : [];
  }

  #completed(stepId: string, p: StepCompletedPayload): UiChunk[] {
    const blocks = this.#models.get(stepId);
    if (blocks !== undefined) return this.#replied(stepId, blocks, valueOf(p.result) as ModelReply);
    const toolCallId = this.#tools.get(stepId);
    if (toolCallId === undefined || !this.#unanswered.delete(toolCallId)) return [];
    return [{ type: "tool-output-available", toolCallId, output: valueOf(p.result) ?? null }];
  }

  #replied(stepId: string, blocks: ModelBlocks, reply: ModelReply): UiChunk[] {
    this.#models.delete(stepId);
    this.#done.add(stepId);
    const rest = blocks.rest(reply.content);
    if (rest === null) return this.#end({ type: "abort", reason: "the model's reply is another one than was shown" });
    const calls = reply.content.filter((c): c is ToolCall => c.type === "tool-call" && c.byProvider !== true);
    for (const c of calls) this.#unanswered.set(c.id, c.tool);
    this.#finish = reply.finish;
    return rest;
  }

  #failed(stepId: string, p: StepFailedPayload): UiChunk[] {
    if (this.#models.has(stepId)) return p.retryAt === undefined ? [] : this.reset(stepId);
    const toolCallId = this.#tools.get(stepId);
    if (toolCallId === undefined || p.retryAt !== undefined || !this.#unanswered.delete(toolCallId)) return [];
    if (p.category === "NOT_APPROVED") return [{ type: "tool-output-denied", toolCallId }];
    return [{ type: "tool-output-error", toolCallId, errorText: p.error.message }];
  }

  /** A model call, and what goes before its first chunk: a new step, unless another call of the same step is under way. */
  #model(stepId: string): { readonly blocks: ModelBlocks; readonly before: UiChunk[] } {
    const known = this.#models.get(stepId);
    if (known !== undefined) return { blocks: known, before: [] };
    const before: UiChunk[] = this.#models.size > 0 ? [] : [...this.#closeStep(), { type: "start-step" }];
    const blocks = new ModelBlocks(stepId);
    this.#models.set(stepId, blocks);
    this.#inStep = true;
    return { blocks, before };
  }

  #closeStep(): UiChunk[] {
    if (!this.#inStep) return [];
    this.#inStep = false;
    // Its arguments did not fit, there is no such tool, or a limit was reached: no step was made for it.
    const unmade = [...this.#unanswered.keys()].map((toolCallId): UiChunk => ({
      type: "tool-output-error",
      toolCallId,
      errorText: "it was not called",
    }));
    this.#unanswered.clear();
    return [...unmade, { type: "finish-step" }];
  }

  #end(last: UiChunk): UiChunk[] {
    this.#over = true;
    return [last];
  }
}

function valueOf(result: unknown): unknown {
  return result === undefined ? undefined : decode(JSON.stringify(result));
}
