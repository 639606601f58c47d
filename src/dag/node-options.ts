// From the options of a node to what the engine runs: where it stands in the plan is taken apart from what its step is. `key`, `verify` and
// `approve` are functions of what the node is given; they are bound to it here, when the node opens.
import type { EffectSpec } from "../engine/calls.ts";
import { checkOptions } from "../core/guarantee.ts";
import { stepSpec } from "../workflow/step-options.ts";
import type { StepScope } from "../workflow/types.ts";
import { callPure, type GivenValues } from "./built-node.ts";
import type { Trigger } from "../core/trigger.ts";

export type UncheckedNodeOptions = Readonly<Record<string, unknown>>;

/** Where a node stands in the plan. */
export interface PlacedOptions {
  readonly trigger?: Trigger | undefined;
  readonly on?: unknown;
  readonly queue?: unknown;
  readonly onFailure?: unknown;
  readonly when?: unknown;
}

const anything: ReadonlySet<string> = { has: () => true } as unknown as ReadonlySet<string>;

export function splitOptions(id: string, o: object): { readonly placed: PlacedOptions; readonly rest: Readonly<Record<string, unknown>> } {
  checkOptions(o, anything, `node ${id}`);
  const { trigger, on, queue, onFailure, when, ...rest } = o as Record<string, unknown>;
  return { placed: { trigger: trigger as Trigger | undefined, on, queue, onFailure, when }, rest };
}

/** The step of a node whose code is in the DAG. Without values: what is said of it is checked, and nothing is called. */
export function nodeSpec(
  run: (values: GivenValues, s: StepScope) => unknown,
  rest: Readonly<Record<string, unknown>>,
  values: GivenValues | null,
  what?: string,
): EffectSpec {
  const { key, verify, approve, ...same } = rest as Record<string, unknown> & { key?: unknown; verify?: unknown; approve?: unknown };
  type OfGiven = (values: GivenValues, s?: StepScope) => unknown;
  const keyOf = (): unknown => {
    if (typeof key !== "function") return key;
    return values === null ? "checked when called" : callPure("key", () => (key as OfGiven)(values));
  };
  const options = {
    ...same,
    ...(key === undefined ? {} : { key: keyOf() }),
    ...(verify === undefined ? {} : { verify: typeof verify === "function" ? (s: StepScope) => (verify as OfGiven)(values!, s) : verify }),
    ...(approve === undefined ? {} : { approve: typeof approve === "function" ? () => (approve as OfGiven)(values!) : approve }),
  };
  return stepSpec((s) => run(values!, s), options, what);
}
