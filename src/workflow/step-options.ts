// From the options an author writes to what the engine runs: the derived guarantee, the retry policy, the limits.
// Options that contradict each other are refused at run time too (PAWL1005): JavaScript has no type checker.
import { encode } from "../codec/value.ts";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions, deriveGuarantee } from "../core/guarantee.ts";
import { defaultLimits } from "../core/limits.ts";
import { checkName } from "../core/names.ts";
import { retryPolicy, type Retry } from "../core/retry.ts";
import type { ConfirmSpec, EffectSpec, EffectStepScope as EngineStepScope, Verdict } from "../engine/calls.ts";
import type { Parse, ParseNow } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { callerLocation, locationText } from "../platform/source-location.ts";
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
  readonly declaredAt?: string | undefined;
}

const stepOptions = new Set([...commonOptions, "input", "compensate", "approve"]);
const taskOptions = new Set([...commonOptions, "compensate", "approve", "confirm"]);

export function stepSpec(fn: (s: StepScope) => unknown, o: UncheckedOptions): EffectSpec {
  if (typeof fn !== "function") throw new PawlError("PAWL4011", "a step needs a function");
  checkOptions(o, stepOptions, "a step");
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
  };
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
  readonly parse: Parse;
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
  parses: { readonly later: Parse; readonly now: ParseNow },
  run: (i: unknown, s: StepScope) => unknown,
  o: TaskOpts<unknown, unknown>,
): TaskSpec {
  const { key, verify, compensate, confirm, approve, ...rest } = o as TaskOpts<unknown, unknown> & {
    key?: (i: unknown) => string;
    verify?: (i: unknown, s: StepScope) => Promise<Verdict<unknown>>;
  };
  checkOptions(o, taskOptions, `task ${name}`);
  deriveGuarantee({ ...o, ...(key === undefined ? {} : { key: "checked when called" }) });
  if (compensate !== undefined) checkUndo(compensate);
  approvalPolicy(approve, () => undefined); // refused here, not when it is called
  const confirmWith = confirm === undefined ? undefined : checkedConfirm(name, confirm);
  const place = callerLocation();
  const declaredAt = place === undefined ? undefined : locationText(place);
  const task: TaskSpec = {
    name,
    parse: parses.later,
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
      });
      origins.set(spec, { task, input: raw });
      return spec;
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
