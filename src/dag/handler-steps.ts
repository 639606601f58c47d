// The step of a handler that a template names: its input from pointers, and what the engine runs. A task that is given keeps its own guarantee;
// a handler without code here is remote, and the template declares its guarantee. Retry and limits of the template come first.
import { durationMs } from "../core/duration.ts";
import { partAt } from "../core/input-ref.ts";
import type { PlanNode } from "../core/plan-data.ts";
import { retryPolicy } from "../core/retry.ts";
import type { EffectSpec, EffectStepScope } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { checkQueue } from "../workflow/queue-options.ts";
import { acceptAnything } from "../workflow/schema.ts";
import { remoteTaskSpec, type TaskSpec } from "../workflow/step-options.ts";
import type { GivenValues } from "./built-node.ts";
import { chosenBranches } from "./decision.ts";
import { fillText } from "./pointer.ts";
import type { TemplateEffect, TemplateStep } from "./template-types.ts";

/** The tasks and workflows that have code here, by name. */
export interface GivenHandlers {
  readonly tasks: ReadonlyMap<string, TaskSpec>;
  readonly workflows: ReadonlyMap<string, Definition>;
}

interface StepNature {
  /** Of a decision. */
  readonly branches?: readonly string[];
  /** Checks a result, wherever it comes from. */
  readonly parse?: (value: unknown) => unknown;
  /** Only its input is wanted. */
  readonly isCall?: true;
}

/** Where a handler without code here is found by its workers, unless its step says so. */
const defaultQueue = "default";

export class HandlerSteps {
  readonly #step: TemplateStep;
  readonly #task: TaskSpec;
  readonly #isRemote: boolean;
  readonly #check: ((value: unknown) => unknown) | null;
  readonly #key: string | undefined;
  /** The key of an input that was just made: a task's key is a function of its input alone. */
  readonly #keys = new WeakMap<object, string>();

  constructor(step: TemplateStep, handler: string, known: GivenHandlers, effect: TemplateEffect | undefined, nature: StepNature = {}) {
    const { branches, parse = null } = nature;
    this.#step = step;
    this.#check = branches === undefined ? parse : (value) => chosenBranches(step.name, branches, value);
    const given = known.tasks.get(handler);
    this.#isRemote = given === undefined;
    this.#key = effect !== undefined && "key" in effect ? effect.key : undefined;
    this.#task = given ?? this.#remote(handler, effect);
  }

  get facts(): Partial<PlanNode> {
    const { queue } = this.#task;
    const own = this.#step.queue === undefined ? queue : checkQueue(this.#step.queue, this.#step.name);
    return { uses: this.#task.name, ...(own === null ? {} : { queue: own.queue }) };
  }

  #remote(handler: string, effect: TemplateEffect | undefined): TaskSpec {
    const { key, ...rest } = (effect ?? {}) as Readonly<Record<string, unknown>>;
    const { queue = defaultQueue } = this.#step;
    const check = this.#check;
    return remoteTaskSpec(
      handler,
      handler,
      checkQueue(queue, `step ${this.#step.name}`),
      { later: acceptAnything, now: acceptAnything },
      check === null ? acceptAnything : (value) => check(value),
      { ...rest, ...(key === undefined ? {} : { key: (input: unknown) => this.#keys.get(input as object)! }) },
      `template step ${this.#step.name}`,
    );
  }

  /** What the handler gets. */
  input(values: GivenValues, more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    const { input } = this.#step as { readonly input?: Readonly<Record<string, string | { readonly value: unknown }>> };
    if (input === undefined) return { ...values, ...more };
    const made: Record<string, unknown> = {};
    for (const [name, from] of Object.entries(input)) {
      const value = typeof from === "string" ? partAt(values, from) : from.value;
      if (value !== undefined) made[name] = value;
    }
    return { ...made, ...more };
  }

  spec(values: GivenValues, more?: Readonly<Record<string, unknown>>): EffectSpec {
    const input = this.input(values, more);
    if (this.#isRemote && this.#key !== undefined) this.#keys.set(input, fillText(this.#key, values));
    return this.#withLimits(this.#withCheck(this.#task.spec(input)));
  }

  /** A result of code here is checked inside its step, so that what does not fit is the step's failure. */
  #withCheck(spec: EffectSpec): EffectSpec {
    const check = this.#check;
    if (check === null) return spec;
    const { fn } = spec;
    return { ...spec, checkAnswer: check, ...(this.#isRemote ? {} : { fn: async (s: EffectStepScope) => check(await fn(s)) }) };
  }

  #withLimits(spec: EffectSpec): EffectSpec {
    const { retry, timeout, heartbeat, queue } = this.#step;
    if (retry === undefined && timeout === undefined && heartbeat === undefined && (queue === undefined || this.#isRemote)) return spec;
    return {
      ...spec,
      ...(retry === undefined ? {} : { retry: retryPolicy(retry) }),
      ...(timeout === undefined ? {} : { timeoutMs: durationMs(timeout, "timeout") }),
      ...(heartbeat === undefined ? {} : { heartbeatMs: durationMs(heartbeat, "heartbeat") }),
      ...(queue === undefined || this.#isRemote
        ? {}
        : { queued: { ...checkQueue(queue, this.#step.name), task: this.#task.id, input: null, hasCode: true, resultParse: null } }),
    };
  }
}
