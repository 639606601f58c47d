// From the options an author writes to what the engine runs: the derived guarantee, the retry policy, the limits.
// Options that contradict each other are refused at run time too (PAWL1005): JavaScript has no type checker.
import { encode } from "../codec/value.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions, deriveGuarantee, mayRepeat } from "../core/guarantee.ts";
import { defaultLimits } from "../core/limits.ts";
import type { GuaranteeClass } from "../core/model.ts";
import { checkName } from "../core/names.ts";
import { retryPolicy, type Retry } from "../core/retry.ts";
import type { ConfirmSpec, EffectSpec, EffectStepScope as EngineStepScope, QueuedSpec, Verdict } from "../engine/calls.ts";
import type { Parse, ParseNow } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { callerLocation, locationText } from "../platform/source-location.ts";
import { checkQueue, type CheckedQueue } from "./queue-options.ts";
import type { Confirm, StepScope, TaskOpts } from "./types.ts";
import { checkUndo, commonOptions, stepTimeoutMs, taskUndo, undoSpec } from "./compensation-options.ts";

interface UncheckedOptions {
  readonly key?: unknown;
  readonly dedup?: unknown;
  readonly verify?: unknown;
  readonly once?: unknown;
  readonly repeatable?: unknown;
  readonly settle?: unknown;
  readonly retry?: Retry;
  readonly timeout?: Duration;
  readonly heartbeat?: Duration;
  readonly receiver?: string;
  readonly input?: unknown;
  readonly compensate?: unknown;
  readonly confirm?: ConfirmSpec | undefined;
  readonly approve?: unknown;
  readonly onFailure?: unknown;
  readonly onDoubt?: unknown;
  readonly declaredAt?: string | undefined;
  readonly queued?: QueuedSpec | undefined;
}

const stepOptions = new Set([...commonOptions, "input", "compensate", "approve", "onFailure", "onDoubt"]);
const taskOptions = new Set([...commonOptions, "compensate", "approve", "confirm", "queue", "onDoubt"]);

export function stepSpec(fn: (s: StepScope) => unknown, o: UncheckedOptions, what: string = "a step"): EffectSpec {
  if (typeof fn !== "function") throw new PawlError("PAWL4011", `${what} needs a function`);
  checkOptions(o, stepOptions, what);
  return effectSpec(fn, o);
}

function effectSpec(fn: (s: StepScope) => unknown, o: UncheckedOptions): EffectSpec {
  const guarantee = deriveGuarantee(o);
  const retry = retryPolicy(o.retry);
  const timeoutMs = stepTimeoutMs(o.timeout, guarantee.class);
  const heartbeatMs = o.heartbeat === undefined ? null : durationMs(o.heartbeat, "heartbeat");
  const receiver = o.receiver === undefined ? null : checkName(o.receiver, "a receiver");
  return {
    fn: fn as (s: EngineStepScope) => unknown,
    verify: (o.verify as ((s: EngineStepScope) => Promise<Verdict<unknown>>) | undefined) ?? null,
    compensate: o.compensate === undefined ? null : undoSpec(o.compensate, { retry, timeoutMs, heartbeatMs, receiver }),
    confirm: o.confirm ?? null,
    approve: approvalPolicy(o.approve, () => o.input),
    guarantee,
    retry,
    timeoutMs,
    heartbeatMs,
    receiver,
    declaredAt: o.declaredAt ?? null,
    input: o.input === undefined ? null : encode(o.input, defaultLimits, "input"),
    queued: o.queued ?? null,
    ...(holds(o.onFailure) ? { hold: true as const } : {}),
    ...(failsInDoubt(o.onDoubt, guarantee.class) ? { failsInDoubt: true as const } : {}),
  };
}

/** A step that may simply run again is never in doubt. */
function failsInDoubt(onDoubt: unknown, c: GuaranteeClass): boolean {
  if (onDoubt === undefined) return false;
  if (onDoubt !== "ask" && onDoubt !== "fail") throw new PawlError("PAWL5001", 'onDoubt of a step must be "ask" or "fail"');
  if (mayRepeat(c)) throw new PawlError("PAWL1005", "onDoubt has a meaning only beside once, key or verify");
  return onDoubt === "fail";
}

function holds(onFailure: unknown): boolean {
  if (onFailure !== undefined && onFailure !== "hold" && onFailure !== "throw")
    throw new PawlError("PAWL5001", 'onFailure of a step must be "hold" or "throw"');
  return onFailure === "hold";
}

/** Off, always, always with a text, or as a function of the declared input says. */
function approvalPolicy(given: unknown, input: () => unknown): EffectSpec["approve"] {
  if (given === undefined || given === false) return null;
  if (given === true || typeof given === "string") return () => given;
  if (typeof given === "function") return () => (given as (i: unknown) => boolean | string)(input());
  throw new PawlError("PAWL5001", "approve must be true, a text, or a function of the input that returns true, false or a text");
}

export interface TaskSpec {
  readonly name: string;
  /** `name` or `name@version`: what workers claim by. */
  readonly id: string;
  /** The queue that it runs on; null: the run's owner runs it. */
  readonly queue: CheckedQueue | null;
  /** Its function is in this process. */
  readonly hasCode: boolean;
  /** Where it was defined, as file:line:column. */
  readonly declaredAt: string | undefined;
  readonly parse: Parse;
  /** It has compensate or confirm: a run needs it after the step has ended. */
  readonly isRemembered: boolean;
  /** `raw` is what the caller passed; it is the declared input of the step. */
  spec(raw: unknown): EffectSpec;
}

/** Which task a step was made of, and with what: tests put another function in its place. */
const origins = new WeakMap<EffectSpec, { readonly task: TaskSpec; readonly input: unknown }>();

export function originOf(spec: EffectSpec): { readonly task: TaskSpec; readonly input: unknown } | undefined {
  return origins.get(spec);
}

export function taskSpec(
  name: string,
  id: string,
  parses: { readonly later: Parse; readonly now: ParseNow },
  run: (i: unknown, s: StepScope) => unknown,
  o: TaskOpts<unknown, unknown>,
  /** Where it was defined, where that is known: looking for the place costs as much as a step. */
  at?: string,
): TaskSpec {
  const {
    key,
    verify,
    compensate,
    confirm,
    approve,
    queue: onQueue,
    ...rest
  } = o as TaskOpts<unknown, unknown> & {
    key?: (i: unknown) => string;
    verify?: (i: unknown, s: StepScope) => Promise<Verdict<unknown>>;
  };
  checkOptions(o, taskOptions, `task ${name}`);
  const declared = deriveGuarantee({ ...o, ...(key === undefined ? {} : { key: "checked when called" }) });
  failsInDoubt(o.onDoubt, declared.class);
  if (compensate !== undefined) checkUndo(compensate);
  approvalPolicy(approve, () => undefined); // refused here, not when it is called
  const queue = onQueue === undefined ? null : checkQueue(onQueue, `task ${name}`);
  const queued: QueuedSpec | undefined = queue === null ? undefined : { ...queue, task: id, input: null, hasCode: true, resultParse: null };
  const confirmWith = confirm === undefined ? undefined : checkedConfirm(name, confirm);
  const place = at === undefined ? callerLocation() : undefined;
  const declaredAt = at ?? (place === undefined ? undefined : locationText(place));
  const task: TaskSpec = {
    name,
    id,
    queue,
    hasCode: true,
    declaredAt,
    parse: parses.later,
    isRemembered: compensate !== undefined || confirm !== undefined,
    spec: (raw) => {
      const what = `input of ${name}`;
      const parsed = async (): Promise<unknown> => parses.later(raw, what);
      const spec = effectSpec(async (s) => run(await parsed(), s), {
        ...rest,
        ...(key === undefined ? {} : { key: key(parses.now(raw, what)) }),
        ...(verify === undefined ? {} : { verify: async (s: StepScope) => verify(await parsed(), s) }),
        ...(compensate === undefined ? {} : { compensate: taskUndo(compensate, parsed, () => parses.now(raw, what)) }),
        confirm: confirmWith?.(parsed),
        approve: typeof approve === "function" ? () => approve(parses.now(raw, what)) : approve,
        declaredAt,
        input: raw,
        queued,
      });
      const named = { ...spec, task: name };
      origins.set(named, { task, input: raw });
      return named;
    },
  };
  return task;
}

/** strict unless said otherwise. */
function checkedConfirm(task: string, c: Confirm<unknown, unknown>): (parsed: () => Promise<unknown>) => ConfirmSpec {
  const { mode = "strict", verifier } = c;
  if (mode !== "strict" && mode !== "warn" && mode !== "human")
    throw new PawlError("PAWL5001", `confirm of task ${task}: mode is "strict", "warn" or "human"`);
  const { name, check } = (verifier ?? {}) as Partial<typeof verifier>;
  if (typeof name !== "string" || name === "" || typeof check !== "function")
    throw new PawlError("PAWL5001", `confirm of task ${task}: verifier needs a name and a function check`);
  const placeholder = verifier.placeholder === true;
  return (parsed) => ({
    mode,
    verifier: name,
    placeholder,
    check: async (recorded, s) => verifier.check(await parsed(), recorded, s as StepScope),
  });
}

/** What may be said of a task whose code is elsewhere. */
const remoteOptions = new Set([...commonOptions, "approve", "undo"]);

/** A task that only workers have: nothing of it can be called here, so `verify` and `undo` are requests to them as well. */
export function remoteTaskSpec(
  name: string,
  id: string,
  queue: CheckedQueue,
  parses: { readonly later: Parse; readonly now: ParseNow },
  result: Parse,
  o: UncheckedOptions & { readonly undo?: unknown },
  /** Where it was defined, where that is known: looking for the place costs as much as a step. */
  at?: string,
): TaskSpec {
  checkOptions(o, remoteOptions, `task ${name}`);
  for (const flag of ["verify", "undo"] as const)
    if (o[flag] !== undefined && o[flag] !== true)
      throw new PawlError("PAWL5001", `${flag} of task ${name} must be true or left out: its code is with the workers`);
  const { key, verify, undo, approve, ...rest } = o;
  if (key !== undefined && typeof key !== "function")
    throw new PawlError("PAWL1005", `the key of task ${name} must be a function of its input`);
  const guaranteeOf = (k: unknown): UncheckedOptions => ({
    ...rest,
    ...(k === undefined ? {} : { key: k }),
    ...(verify === undefined ? {} : { verify: elsewhere }),
  });
  deriveGuarantee(guaranteeOf(key === undefined ? undefined : "checked when called"));
  approvalPolicy(approve, () => undefined);
  const place = at === undefined ? callerLocation() : undefined;
  const declaredAt = at ?? (place === undefined ? undefined : locationText(place));
  const queued: QueuedSpec = {
    ...queue,
    task: id,
    input: null,
    hasCode: false,
    resultParse: (value) => result(value, `result of ${name}`),
  };
  const task: TaskSpec = {
    name,
    id,
    queue,
    hasCode: false,
    declaredAt,
    parse: parses.later,
    isRemembered: undo !== undefined,
    spec: (raw) => {
      const what = `input of ${name}`;
      const parsed = parses.now(raw, what);
      const spec = effectSpec(elsewhere, {
        ...guaranteeOf(key === undefined ? undefined : (key as (i: unknown) => string)(parsed)),
        ...(undo === undefined ? {} : { compensate: elsewhere }),
        approve: typeof approve === "function" ? () => (approve as (i: unknown) => boolean | string)(parsed) : approve,
        declaredAt,
        input: raw,
        queued,
      });
      const whole = { ...spec, verify: null, compensate: spec.compensate && { ...spec.compensate, queued }, task: name };
      origins.set(whole, { task, input: raw });
      return whole;
    },
  };
  return task;
}

function elsewhere(): never {
  throw new PawlError("PAWL3007", "the code of a remote task was called in this process");
}
