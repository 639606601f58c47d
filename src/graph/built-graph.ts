// A graph as its interpreter knows it: checked nodes, edges and limits. Made once, when the module is
// loaded; nothing in it changes.
import type { Definition, ParseNow } from "../engine/definition.ts";
import type { EffectSpec, EffectStepScope } from "../engine/calls.ts";
import type { DefinedTool } from "../tools/registry.ts";
import type { TaskSpec } from "../workflow/step-options.ts";
import type { NodeCtx } from "./node-ctx-types.ts";
import type { ChannelSpecs } from "./state.ts";

export type GraphNode =
  | {
      readonly kind: "flow";
      readonly run: (s: object, ctx: NodeCtx) => unknown;
      readonly timeoutMs: number | null;
      readonly alone: boolean;
    }
  | {
      readonly kind: "effect";
      readonly spec: (run: (scope: EffectStepScope) => unknown) => EffectSpec;
      readonly run: (s: object, scope: EffectStepScope) => unknown;
    }
  | {
      readonly kind: "each";
      readonly parse: ParseNow;
      readonly run: (input: unknown, s: object, ctx: NodeCtx) => unknown;
      readonly timeoutMs: number | null;
      readonly alone: boolean;
      /** Of a tools node: found by name when a restored run must undo or confirm what it did. */
      readonly tools?: ReadonlyMap<string, DefinedTool>;
    }
  | {
      readonly kind: "sub";
      readonly definition: Definition;
      readonly in: (s: object) => unknown;
      readonly out: (result: unknown, s: object) => unknown;
      readonly compensate: TaskSpec | null;
    };

/** An edge: names, or a function of the state. */
export type BuiltRoute = readonly string[] | ((s: object) => unknown);

const built = new WeakMap<object, BuiltGraph>();

export function registerGraph(wf: object, g: BuiltGraph): void {
  built.set(wf, g);
}
/** Undefined: it was not made by graph(). */
export function graphBehind(wf: object): BuiltGraph | undefined {
  return built.get(wf);
}

export interface BuiltGraph {
  readonly name: string;
  readonly channels: ChannelSpecs;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** With "start". */
  readonly routes: ReadonlyMap<string, BuiltRoute>;
  readonly joins: Readonly<Record<string, readonly string[]>>;
  readonly catches: ReadonlyMap<string, string>;
  /** Nodes before, and after, which a person must let the run continue. */
  readonly interruptBefore: ReadonlySet<string>;
  readonly interruptAfter: ReadonlySet<string>;
  readonly begin: ((input: unknown) => unknown) | null;
  readonly result: ((s: object) => unknown) | null;
  readonly tasks: ReadonlyMap<string, TaskSpec>;
  readonly tools: ReadonlyMap<string, DefinedTool>;
  readonly maxSteps: number;
  readonly concurrency: number;
  readonly nodeTimeoutMs: number | null;
  readonly onBranchFailure: "settle" | "stop";
  /** Between the items of a superstep and those at work; null: without a bound. */
  readonly queue: { readonly depth: number; readonly timeoutMs: number | null } | null;
}
