// A node as the builder made it and the walker runs it: its place in the plan, and how its step opens. What the author gave stays in
// closures: nothing here is stored, and nothing here decides an order.
import type { PlanNode } from "../core/plan-data.ts";
import type { StepEnd } from "../core/fold/dag.ts";
import type { Calls, EffectSpec, GivenByPlan, RecordedEnd } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { stepSpec } from "../workflow/step-options.ts";
import type { OpenGate } from "./open-gate.ts";
import type { InlineWork } from "./queued-node.ts";

/** What a node is given, by the names of its needs; `input` is the run's. */
export type GivenValues = Readonly<Record<string, unknown>>;

/** Everything that opening a node needs. */
export interface NodeOpening {
  readonly calls: Calls;
  readonly node: PlanNode;
  readonly values: GivenValues;
  readonly given: GivenByPlan;
  /** Steps of a group pass it one by one. */
  readonly gate: OpenGate;
  /** Of a node that was open where the log is continued; absent: it begins. */
  readonly resumed?: ResumedSteps;
}

/** What has become of a node's steps, and how those that were open are called again. */
export interface ResumedSteps {
  /** Undefined: it was not started. */
  step(stepId: string): StepEnd | undefined;
  /** How a step ended: one whose place was asked for. */
  result(seq: number): RecordedEnd;
  /** It was open: `open` is called when its turn comes. */
  again(stepId: string, open: () => void): void;
  /** The group says what it will look at when it ends. */
  onGroup(group: ResumedGroup): void;
}
export interface ResumedGroup {
  /** Whether the end of one of its open steps can be the end of the group. */
  readonly mayEnd: boolean;
  /** Places that it looks at then. */
  readonly places: readonly number[];
}

export interface BuiltNode {
  readonly plan: PlanNode;
  /** Under which name it is given the result of which node. */
  readonly names: readonly (readonly [name: string, id: string])[];
  /** Pure; false: the node is skipped. */
  readonly when: ((values: GivenValues) => unknown) | null;
  /** It opens several steps, each through the gate. */
  readonly isGroup: boolean;
  /** Opens its step, or its steps; resolves with its result. What it throws is recorded as the failure of its step. */
  readonly open: (o: NodeOpening) => Promise<unknown>;
  /** Of a node on a queue whose code is in the DAG. */
  readonly work?: readonly InlineWork[];
}

export interface BuiltPlan {
  readonly nodes: readonly BuiltNode[];
  readonly result: string | readonly string[];
}

/** Adds what the plan knows to a spec that was just made: the same object, since tests know a task's spec by it. */
export function withGiven(spec: EffectSpec, given: GivenByPlan): EffectSpec {
  (spec as { given?: GivenByPlan }).given = given;
  return spec;
}

/** Of a node whose step does not look at what it is given: a hash of that would have to be read again for nothing. */
export function seesNothing(given: GivenByPlan): GivenByPlan {
  return { ...given, hash: "" };
}

/** A node that cannot be opened fails as a step of its name: the log says what was wrong with it. */
export function openFailed(o: NodeOpening, error: unknown): Promise<unknown> {
  const fail = (): never => {
    throw error;
  };
  // Trying it again would fail again: nobody is asked.
  return o.calls.effect("", o.node.id, withGiven(stepSpec(fail, {}), { ...o.given, hold: false }));
}

/** A pure function of the author's. One that answers later cannot be one. */
export function callPure<T>(what: string, call: () => T): T {
  const value = call();
  if (value instanceof Promise) {
    value.catch(() => {});
    throw new PawlError("PAWL1028", `${what} returned a promise; it must be a pure, synchronous function`);
  }
  return value;
}
