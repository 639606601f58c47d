// The tool calls of one run, by what they are: a model that asks again must not cause a second effect. Kept by the owner as calls open and end,
// live and on replay alike, and by the fold of a snapshot, so that a restored run knows them, too. It says what an equal call before this one means
// (core/send-again.ts decides); it must never forget a call that may have taken effect.
import { mayRepeat } from "../../core/guarantee.ts";
import { sendAgain, sendClassOf } from "../../core/send-again.ts";
import type { GuaranteeClass } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { StepStartedPayload, ToolPayload } from "../../events/payload.ts";
import type { StepCategory } from "../../errors/step-errors.ts";
import type { ToolFacts } from "../calls.ts";
import type { ChainVerdict } from "../chain/run-chain.ts";
import type { RecordedStep } from "../fold/recorded-step.ts";

/** The last call of one identity. Plain data: it is part of a snapshot. */
export interface ToolCallRef {
  readonly identity: string;
  readonly stepId: string;
  readonly tool: ToolPayload;
  readonly class: GuaranteeClass;
  /** It was put before a person: nobody is asked about it again. */
  readonly asked: boolean;
  /** The call before it, of the same identity, that this one is about. */
  readonly before?: ToolCallRef;
  /** nothing: it surely did not happen. unknown: it may have. */
  readonly was: "open" | "nothing" | "completed" | "unknown";
  readonly firstAt: number;
  readonly lastAt: number;
  /** Where its result is in the log; 0: the owner has it in memory. */
  readonly outcomeSeq: number;
}

/** What of a step that has ended says whether it happened. */
interface EndedCall {
  readonly stepId: string;
  readonly started: StepStartedPayload;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly mayHaveBeenSent: boolean;
}

export class ToolCalls {
  readonly #calls = new Map<string, ToolCallRef>();
  readonly #totals = new Map<string, { calls: number; sum: number }>();
  /** Of calls that ended while this owner had the run: their results, encoded. */
  readonly #results = new Map<string, string | null>();
  readonly #open = new Map<string, Promise<unknown>>();

  get refs(): readonly ToolCallRef[] {
    return [...this.#calls.values()];
  }
  get totals(): readonly (readonly [tool: string, calls: number, sum: number])[] {
    return [...this.#totals].map(([tool, t]) => [tool, t.calls, t.sum] as const);
  }
  /** As a snapshot has them. */
  restore(refs: readonly ToolCallRef[], totals: ToolCalls["totals"]): void {
    for (const ref of refs) this.#calls.set(ref.identity, ref);
    for (const [tool, calls, sum] of totals) this.#totals.set(tool, { calls, sum });
  }
  /** Calls that were open are made again by the code, which notes them then. */
  forgetOpen(): void {
    for (const ref of this.#calls.values()) {
      if (ref.was !== "open") continue;
      this.#release(ref);
      if (ref.before === undefined) this.#calls.delete(ref.identity);
      else this.#calls.set(ref.identity, ref.before);
    }
  }

  stateOf(identity: string): ToolCallRef["was"] | undefined {
    return this.#calls.get(identity)?.was;
  }

  /** The promise of an equal call that is open: the new one waits for it. */
  openCall(identity: string): Promise<unknown> | undefined {
    return this.#calls.get(identity)?.was === "open" ? this.#open.get(identity) : undefined;
  }
  noteOpen(identity: string, promise: Promise<unknown>): void {
    if (this.#calls.get(identity)?.was === "open") this.#open.set(identity, promise);
  }

  /** How the new call is recorded: with the number of it among equal ones that its author allows. */
  payloadOf(facts: ToolFacts): ToolPayload {
    const before = this.#calls.get(facts.identity);
    const anew = facts.allowsRepeat && before?.was === "completed";
    const n = before === undefined ? 1 : (before.tool.n ?? 1) + (anew ? 1 : 0);
    const { name, version, schema, identity, args, amount } = facts;
    return {
      name,
      version,
      schema,
      identity,
      ...(args === undefined ? {} : { args }),
      ...(amount === undefined ? {} : { amount }),
      ...(n === 1 ? {} : { n }),
    };
  }

  /** What an equal call before this one means; undefined: this is a call of its own. Throws where it may not be made at all. */
  judge(runId: string, call: Pick<StepStartedPayload, "class" | "kind">, facts: ToolFacts): ChainVerdict | undefined {
    const ref = isRepeatableCall(call) ? undefined : this.#calls.get(facts.identity); // what may be repeated always runs
    const known = ref !== undefined && ref.was !== "nothing" && !(ref.was === "completed" && facts.allowsRepeat);
    if (!known) {
      this.#checkLimit(facts);
      return undefined;
    }
    // A key names a call of one tool. Another's result is no answer to it: the model would believe that this one was done.
    if (ref.tool.name !== facts.name)
      throw new PawlError(
        "PAWL1071",
        `${facts.name} was not sent: this run made a call of ${ref.tool.name} with the same key (step ${ref.stepId}): let the key name the tool`,
        { data: { stepId: ref.stepId } },
      );
    if (ref.tool.args !== facts.args)
      throw new PawlError(
        "PAWL1071",
        `${facts.name} was not sent: this run made a call with the same key and other arguments (step ${ref.stepId})`,
        { data: { stepId: ref.stepId } },
      );
    const recorded = ref.was === "completed" ? "completed" : "unknown";
    const question = { recorded, class: sendClassOf(call), same: true, rerun: false, fromStep: false } as const;
    const before = {
      runId,
      past: recordedCall(ref, this.#results.get(ref.stepId)),
      recorded,
      firstAt: ref.firstAt,
      lastAt: ref.lastAt,
      undone: 0,
      fromStep: false,
      runInput: "",
      child: undefined,
    } as const;
    const inLog = recorded === "completed" && !this.#results.has(ref.stepId) ? { resultAt: ref.outcomeSeq } : {};
    return { then: sendAgain(question), before: { ...before, ...inLog }, question };
  }

  #checkLimit({ name, limit, amount }: ToolFacts): void {
    if (limit === undefined) return;
    const { calls, sum } = this.#totals.get(name) ?? { calls: 0, sum: 0 };
    if (limit.calls !== undefined && calls >= limit.calls)
      throw new PawlError("PAWL1070", `${name} was not sent: this run may call it ${limit.calls} times, and has`, { data: { tool: name } });
    if (limit.sum !== undefined && sum + (amount ?? 0) > limit.sum)
      throw new PawlError(
        "PAWL1070",
        `${name} was not sent: the calls of this run may add up to ${limit.sum}, and it would be ${sum + (amount ?? 0)}`,
        {
          data: { tool: name },
        },
      );
  }

  noteStart(stepId: string, started: StepStartedPayload): void {
    const { tool } = started;
    if (tool === undefined) return;
    const earlier = this.#calls.get(tool.identity);
    const before = started.repeatOf === undefined || earlier === undefined || earlier.was === "open" ? undefined : earlier;
    const { firstAt = 0, lastAt = 0 } = started.line ?? {};
    this.#calls.set(tool.identity, {
      identity: tool.identity,
      stepId,
      tool,
      class: classOf(started),
      asked: started.approve === true || started.approved === true || before?.asked === true,
      ...(before === undefined ? {} : { before: withoutBefore(before) }),
      was: "open",
      firstAt,
      lastAt,
      outcomeSeq: 0,
    });
    if (before === undefined) this.#count(tool, 1);
  }

  /** `result`: encoded, where the owner has it; `outcomeSeq`: where it is in the log, as far as it is known. */
  noteCompleted(step: EndedCall, result: string | null | undefined, outcomeSeq: number): void {
    const ref = this.#ended(step);
    if (ref === undefined) return;
    // What was taken over stays the first call's.
    if (step.started.repeatOf !== undefined && ref.before?.was === "completed") return void this.#calls.set(ref.identity, ref.before);
    this.#calls.set(ref.identity, { ...ref, was: "completed", firstAt: step.firstAt, lastAt: step.lastAt, outcomeSeq });
    if (result !== undefined && !mayRepeat(ref.class)) this.#results.set(step.stepId, result);
  }
  noteFailed(step: EndedCall, category: StepCategory): void {
    const ref = this.#ended(step);
    if (ref === undefined) return;
    if (surelyNothing(step, category)) {
      if (ref.before === undefined) this.#release(ref);
      this.#calls.set(ref.identity, { ...withoutBefore(ref), was: "nothing" });
    } else this.#calls.set(ref.identity, { ...withoutBefore(ref), was: "unknown", firstAt: step.firstAt, lastAt: step.lastAt });
  }
  #ended({ stepId, started }: EndedCall): ToolCallRef | undefined {
    const ref = started.tool === undefined ? undefined : this.#calls.get(started.tool.identity);
    if (ref?.stepId !== stepId) return undefined;
    this.#open.delete(ref.identity);
    return ref;
  }
  #release(ref: ToolCallRef): void {
    this.#count(ref.tool, -1);
  }
  #count({ name, amount = 0 }: ToolPayload, by: 1 | -1): void {
    const t = this.#totals.get(name) ?? { calls: 0, sum: 0 };
    this.#totals.set(name, { calls: t.calls + by, sum: t.sum + by * amount });
  }
}

/** It always runs: no equal call before it is looked for. A child run never does: what it did is in its own log. */
export function isRepeatableCall(call: Pick<StepStartedPayload, "class" | "kind">): boolean {
  return mayRepeat(classOf(call));
}
function classOf({ kind, class: said }: Pick<StepStartedPayload, "class" | "kind">): GuaranteeClass {
  return said ?? (kind === "child" ? "AT-MOST-ONCE" : "UNDECLARED");
}

/** Not sent, not approved, or vouched for by a person or by verify. A transaction that failed was rolled back. */
function surelyNothing(step: EndedCall, category: StepCategory): boolean {
  if (category === "NOT_APPROVED") return true;
  if (step.started.kind === "child") return false;
  if (step.started.class === "ATOMIC") return category === "FAILED";
  return !step.mayHaveBeenSent;
}

function withoutBefore(ref: ToolCallRef): ToolCallRef {
  const { before: _, ...rest } = ref;
  return rest;
}

/** As much of the earlier step as taking it over needs. */
function recordedCall(ref: ToolCallRef, result: string | null | undefined): RecordedStep {
  const payload = result === undefined || result === null ? {} : { result: JSON.parse(result) as unknown };
  return {
    stepId: ref.stepId,
    started: { kind: "effect", name: ref.tool.name, digest: "", class: ref.class, ...(ref.asked ? { approved: true } : {}) },
    runSeq: 0,
    attempt: 1,
    engineAttempt: 1,
    firstAt: ref.firstAt,
    lastAt: ref.lastAt,
    queue: null,
    state: ref.was === "completed" ? "completed" : "failed",
    retryAt: null,
    heartbeat: undefined,
    inDoubt: null,
    doubtSeq: 0,
    awaitingApproval: false,
    mayHaveBeenSent: true,
    proposal: null,
    votes: [],
    held: null,
    skipping: false,
    outcome: ref.was === "completed" ? { ok: true, payload, runSeq: ref.outcomeSeq, eventId: "" } : null,
  };
}
