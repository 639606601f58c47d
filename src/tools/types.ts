// Tools as types: what an author declares, and what may not compile. A tool must say what may be repeated; there is no default.
// Behaviour is in the other files of this folder.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { Retry } from "../core/retry.ts";
import type { Compensation, Confirm, Json, OnDoubt, StepScope, Verdict } from "../workflow/types.ts";
import type { ToolCall, ToolResult } from "./messages.ts";

/** Carries inferred types and cannot be written by hand: only `tool`, `toolTx`, `asTool` and the adapters make tools and tool sources. */
declare const types: unique symbol;
type No<K extends string> = { [P in K]?: never };

/** For steps that stream: what is sent leaves at once, is provisional, and is never stored. */
export interface StreamScope extends StepScope {
  /**
   * Sends a value to those who listen to the run now.
   *
   * @example
   * s.stream({ done: 40 });
   */
  stream(value: Json): void;
}

/** What may be repeated. `once` stands last so that the compiler suggests it. */
export type ToolGuarantee<I, O, K> =
  | ({
      key: (i: I, c: K) => string;
      dedup?: Duration | "forever";
      verify?: (i: I, s: StepScope, c: K) => Promise<Verdict<O>>;
      settle?: Duration;
    } & No<"once" | "repeatable">)
  | ({ verify: (i: I, s: StepScope, c: K) => Promise<Verdict<O>>; settle?: Duration } & No<"key" | "dedup" | "once" | "repeatable">)
  | ({ repeatable: true } & No<"key" | "dedup" | "verify" | "settle" | "once">)
  | ({ once: true } & No<"key" | "dedup" | "verify" | "settle" | "repeatable">);

export interface ToolCommon<I, O, K> {
  retry?: Retry;
  timeout?: Duration;
  heartbeat?: Duration;
  /** Which system it acts on, such as "stripe": effects can be listed by it in the ledger. */
  receiver?: string;
  /** "1" unless given. Recorded with every call. */
  version?: string;
  /** A person must approve the call first: always, with this text, or as the function says. Asked once per call. */
  approve?: boolean | string | ((i: I, c: K) => boolean | string);
  /** A call that may have taken effect, and nobody can say: a person decides (default), or the model reads at once that nobody knows. */
  onDoubt?: OnDoubt;
  /** How a completed call is undone when the run fails or is cancelled. */
  compensate?: Compensation<[result: O, input: I]>;
  /** Checks the recorded result whenever the run is read back from its log. */
  confirm?: Confirm<I, O>;
  /** Per run: how many calls, and how much they may add up to. A call that passes it is not sent. */
  limit?: { calls?: number; sum?: { of: (i: I) => number; max: number } };
  /** The run already completed an equal call: reuse its result (default) or allow a new one. A call in doubt is never sent again. */
  onRepeat?: "reuse" | "allow";
  /** The receiver's own id for what was done. */
  externalId?: (result: O) => string;
}
export type ToolTxOpts<I, O, K> = Pick<ToolCommon<I, O, K>, "approve" | "limit" | "onRepeat" | "version" | "compensate">;

/** What a tool is called, what the model reads, and which arguments it takes. */
export interface ToolDef<N extends string, X extends S, CX extends S | undefined> {
  name: N;
  description: string;
  input: X;
  /** What the tool needs from the run, such as who the customer is. Recorded when the run starts, never shown to the model. */
  context?: CX;
  /** GrantedCapabilities that an agent must grant before a call is sent, such as "payments". */
  needs?: readonly string[];
}

/** K is the context it needs. */
export interface Tool<N extends string, I, O, K = unknown> {
  readonly name: N;
  readonly description: string;
  readonly version: string;
  readonly [types]: (i: I, c: K) => O;
}
export type AnyTool = Tool<string, any, any, any>;
/** Tools from somewhere else, such as an MCP server. */
export interface ToolSource {
  readonly source: string;
  readonly [types]: "source";
}
export type ToolFor<K> = Tool<string, any, any, K> | ToolSource;

export type ToolNames<T extends readonly unknown[]> = T[number] extends infer U
  ? U extends Tool<infer N, any, any, any>
    ? N
    : never
  : never;
type ToolNamed<T extends readonly unknown[], K> = Extract<T[number], { readonly name: K }>;
type ToolIn<T> = T extends Tool<any, infer I, any, any> ? I : never;
type ToolOut<T> = T extends Tool<any, any, infer O, any> ? O : never;

/** For loops written by hand: each call is a recorded step with the tool's class and the same ledger rules as in an agent. */
export interface Toolbox<T extends readonly unknown[]> {
  /**
   * Calls a tool. An equal call that this run made before is not made again. Throws a `StepError` when it failed.
   *
   * @example
   * const { id } = await box.call("refund", { chargeId: "ch_7", cents: 500 });
   */
  call<K extends ToolNames<T>>(name: K, args: ToolIn<ToolNamed<T, K>>): Promise<ToolOut<ToolNamed<T, K>>>;
  /**
   * Makes a call that a model asked for, as `ctx.model` returned it. Failures come back as results, for the model to read.
   *
   * @example
   * const results = await Promise.all(reply.calls.map((call) => box.run(call)));
   */
  run(call: ToolCall): Promise<ToolResult>;
}
