// Agents as types: what an author writes, what a run takes and what it returns. Behaviour is in
// the other files of this folder.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { Retry } from "../core/retry.ts";
import type { Frozen } from "../tools/frozen.ts";
import type { GrantedCapabilities } from "../tools/capabilities.ts";
import type { Message } from "../tools/messages.ts";
import type { Allowance } from "../tools/registry.ts";
import type { Model, ModelSettings, ProviderTool, Usage } from "../tools/models.ts";
import type { Channel } from "../graph/types.ts";
import type { In, Out } from "../workflow/types.ts";

export interface Budget {
  /** Model calls: 20. */
  turns?: number;
  toolCalls?: number;
  /** Input and output tokens, as the provider reports them. */
  tokens?: number;
  cost?: { max: number; price: (u: Usage, model: string) => number };
  /** Of model calls, and of tools without `approve`. An approval's time does not count; that of a model call held for a person does. */
  time?: Duration;
  /** stop (default): the run completes and says so. ask: a person may grant the same budget once more. */
  onEnd?: "stop" | "ask";
}

export interface AgentDef<N extends string, T, X extends S | undefined, K extends S | undefined> {
  name: N;
  version?: string;
  /** The next one is tried when a model failed for good; then the run is held for a person. */
  model: Model | readonly [Model, ...Model[]];
  /** Given at the start and recorded. Tools, approvals and instructions get it; the model never sees it. */
  context?: K;
  instructions?: string | ((c: Out<K>) => string);
  tools?: T;
  /** What its tools may do of what they need: allow, ask a person for each call, or deny. What is not named is denied. */
  capabilities?: GrantedCapabilities | ((c: Out<K>) => GrantedCapabilities);
  providerTools?: readonly ProviderTool[];
  settings?: ModelSettings;
  /** The last reply must be JSON of this schema. */
  output?: X;
  /** Turns in which the model may correct an output that does not validate: 1. */
  repairs?: number;
  budget?: Budget;
  /** Tool calls of one turn at work at once: 8. */
  parallel?: number;
  /** After a crash during a model call: call again (default), or leave it to a person. */
  modelCalls?: "repeatable" | "once";
  /** tell (default): the model reads of a failed call. fail: the run fails. */
  onToolFailure?: "tell" | "fail";
  /** Of model calls. */
  retry?: Retry;
  /** A run that takes longer fails with category TIMEOUT. */
  timeout?: Duration;
}

export type AgentInput<K> = {
  readonly prompt?: string;
  readonly messages?: readonly Omit<Message, "id">[];
  /** At most this much for this run, beside the agent's own budget. An agent that calls this one as a tool gives a part of what it has left. */
  readonly allowance?: Allowance;
} & (K extends S ? { readonly context: In<K> } : {});

interface AgentEnd {
  /** The text of the last reply. */
  readonly text: string;
  readonly messages: readonly Message[];
  /** Model calls. */
  readonly turns: number;
  /** Own calls and those of children. */
  readonly usage: Usage;
}
/** budget: used up. length: the reply was cut. refused: the provider's filter. invalid: the output does not validate. model: a person gave the model up. */
export type StoppedReason = "budget" | "length" | "refused" | "invalid" | "model";
export type AgentOutput<X> =
  | (AgentEnd & { readonly stopped?: undefined; readonly output: X })
  | (AgentEnd & { readonly stopped: StoppedReason; readonly output?: undefined });

/** The part of an agent's state that others may look at. */
export type AgentChannels = {
  messages: Channel<Message[], Frozen<Message> | readonly Frozen<Message>[] | { readonly remove: string | readonly string[] }>;
};
