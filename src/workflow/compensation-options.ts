// From what an author writes under `compensate` to what the engine runs: a function, or one with a guarantee, a retry policy
// and limits of its own; what is left out is the undone step's, but for the guarantee, which is never inherited: that a charge
// may be sent twice says nothing of its refund. Contradictions are refused when the step is called, not when it is undone.
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions, deriveGuarantee, mayRepeat, type Guarantee } from "../core/guarantee.ts";
import type { GuaranteeClass } from "../core/model.ts";
import { checkName } from "../core/names.ts";
import { retryPolicy, type Retry } from "../core/retry.ts";
import type { EffectSpec, EffectStepScope, UndoSpec } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";

/** Steps that may not simply run again have a time limit, so that it is known when a late request can no longer arrive (K25). */
const defaultTimeoutMs = 60_000;

export function stepTimeoutMs(timeout: Duration | undefined, c: GuaranteeClass): number | null {
  if (timeout !== undefined) return durationMs(timeout, "timeout");
  return mayRepeat(c) ? null : defaultTimeoutMs;
}

type Call = (...args: unknown[]) => unknown;
interface UncheckedUndo {
  readonly undo: Call;
  readonly key?: Call;
  readonly verify?: Call;
  readonly dedup?: unknown;
  readonly once?: unknown;
  readonly repeatable?: unknown;
  readonly settle?: unknown;
  readonly retry?: Retry;
  readonly timeout?: Duration;
  readonly heartbeat?: Duration;
  readonly receiver?: string;
}

/** What a step, a task and a compensation may all say. */
export const commonOptions: readonly string[] = [
  "key",
  "dedup",
  "verify",
  "once",
  "repeatable",
  "settle",
  "retry",
  "timeout",
  "heartbeat",
  "receiver",
];
const undoOptions = new Set([...commonOptions, "undo"]);

function checkedUndo(given: unknown): UncheckedUndo {
  const o = (typeof given === "function" ? { undo: given } : given) as Partial<UncheckedUndo> | null;
  if (typeof o !== "object" || o === null || typeof o.undo !== "function")
    throw new PawlError("PAWL5001", "compensate must be a function or { undo: function }");
  if (o.key !== undefined && typeof o.key !== "function")
    throw new PawlError("PAWL5001", "the key of a compensation must be a function of the result that it undoes");
  checkOptions(o, undoOptions, "a compensation");
  return o as UncheckedUndo;
}

function undoGuarantee(o: UncheckedUndo, key: unknown): Guarantee {
  return deriveGuarantee({ ...o, key });
}

/** For definitions: throws what calling the task would. */
export function checkUndo(given: unknown): void {
  const o = checkedUndo(given);
  undoGuarantee(o, o.key === undefined ? undefined : "known later");
}

export function undoSpec(given: unknown, step: Pick<EffectSpec, "retry" | "timeoutMs" | "heartbeatMs" | "receiver">): UndoSpec {
  const o = checkedUndo(given);
  const { key, verify } = o;
  const c = undoGuarantee(o, key === undefined ? undefined : "known later").class;
  return {
    fn: o.undo,
    verify: (verify as UndoSpec["verify"] | undefined) ?? null,
    class: c,
    // A key that is no text is refused like any other; undefined would be none at all.
    guarantee: (result) => undoGuarantee(o, key === undefined ? undefined : (key(result) ?? null)),
    retry: o.retry === undefined ? step.retry : retryPolicy(o.retry),
    timeoutMs: o.timeout === undefined ? (step.timeoutMs ?? stepTimeoutMs(undefined, c)) : stepTimeoutMs(o.timeout, c),
    heartbeatMs: o.heartbeat === undefined ? step.heartbeatMs : durationMs(o.heartbeat, "heartbeat"),
    receiver: o.receiver === undefined ? step.receiver : checkName(o.receiver, "a receiver"),
    queued: null,
  };
}

/** A task's compensation is given its input, too. */
export function taskUndo(given: unknown, parsed: () => Promise<unknown>, now: () => unknown): UncheckedUndo {
  const o = checkedUndo(given);
  const { undo, key, verify } = o;
  return {
    ...o,
    undo: async (result: unknown, s: unknown) => undo(result, await parsed(), s as EffectStepScope),
    ...(key === undefined ? {} : { key: (result: unknown) => key(result, now()) }),
    ...(verify === undefined ? {} : { verify: async (result: unknown, s: unknown) => verify(result, await parsed(), s) }),
  };
}
