// What belongs to the objects that tool(), toolTx() and asTool() hand out. Kept outside of them: what a user holds is a name, a description and a
// version, and nothing can be reached or changed through it.
import type { Calls, EffectSpec, OnOpened, ToolFacts, TxUndo } from "../engine/calls.ts";
import type { CausePayload } from "../events/payload.ts";
import { PawlError } from "../errors/error.ts";
import type { TxSql } from "../store/transaction-store.ts";
import type { Json } from "../workflow/types.ts";
import type { ToolSchema } from "./models.ts";
import type { AnyTool } from "./types.ts";

/** What a child that is an agent may spend: a part of what its caller has left. */
export interface Allowance {
  readonly tokens?: number;
  readonly cost?: number;
}

/** One call of a tool, ready to be made. */
export type PreparedCall =
  | { readonly kind: "effect"; readonly identity: string; readonly spec: EffectSpec }
  | {
      readonly kind: "tx";
      readonly identity: string;
      readonly tool: ToolFacts;
      readonly input: string;
      readonly body: (sql: TxSql) => Promise<unknown>;
      readonly undo: TxUndo | null;
      readonly onOpened?: OnOpened;
      /** A step that only asks a person; null: nobody is asked. */
      readonly approval: EffectSpec | null;
    }
  | {
      readonly kind: "child";
      readonly identity: string;
      /** `allowance`: what an agent may spend of its caller's budget. */
      readonly spec: (calls: Calls, allowance: Allowance | undefined) => Parameters<Calls["callChild"]>[1];
      /** A step that only asks a person first. */
      readonly approval?: EffectSpec | null;
      /** What the model is given of the child's result. */
      readonly out: (result: unknown) => unknown;
    };

export interface DefinedTool {
  readonly schema: ToolSchema;
  readonly version: string;
  readonly schemaHash: string;
  /** GrantedCapabilities that must be granted; absent: none. */
  readonly needs?: readonly string[];
  /** A call of it may wait for a person. */
  readonly asks: boolean;
  /** It is an agent, which spends of its caller's budget. */
  readonly spends?: true;
  /**
   * Reads the arguments and says what the call is. Throws PAWL1008 where they do not fit: nothing was sent.
   * `context` is the run's; `cause` the model's output that asked for it.
   */
  prepare(args: unknown, context: unknown, cause: CausePayload | undefined, onOpened: OnOpened): PreparedCall;
  /** It says how it is undone, or confirmed: a run that is restored in the middle of its log must find it by name. */
  readonly isRemembered: boolean;
  /** A call of it that ended before a snapshot, with the functions that undo and confirm it; null: it has none. */
  restore(args: Json): { readonly effect: EffectSpec } | { readonly tx: TxUndo } | null;
}

const tools = new WeakMap<object, DefinedTool>();

export function registerTool(t: object, spec: DefinedTool): void {
  tools.set(t, spec);
}

export function isTool(x: unknown): x is AnyTool {
  return typeof x === "object" && x !== null && tools.has(x);
}

export function definedTool(t: AnyTool): DefinedTool {
  const spec = tools.get(t);
  if (spec === undefined) throw new PawlError("PAWL5001", "this is not a tool: tool(), toolTx() and asTool() make them");
  return spec;
}
