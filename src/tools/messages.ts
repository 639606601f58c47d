// What is said between a program, a model and its tools, as plain data: it is recorded as it is. Nothing here knows a provider; what
// only one provider understands stays in `provider` and is given back to that provider alone.
import type { Json } from "../workflow/types.ts";

interface Keeps {
  /** The provider's own data (signatures, item ids, cache marks), kept as it is and given back only to that provider. */
  readonly provider?: Json;
}

export interface TextPart extends Keeps {
  readonly type: "text";
  readonly text: string;
}

export interface FilePart extends Keeps {
  readonly type: "file";
  readonly mediaType: string;
  /** Base64, or where it is. */
  readonly data: string | { readonly url: string };
  readonly filename?: string;
}

/** The recorded output that asked for a tool call: set by `ctx.model`, recorded with the call's start. */
export interface CallCause {
  /** The model's step. */
  readonly stepId: string;
  /** The number of the part in the model's reply. */
  readonly part: number;
}

/** A model asks for a tool. */
export interface ToolCall extends Keeps {
  readonly type: "tool-call";
  /** The provider's id of this call. It is not an identity: a model that asks again makes a new one. */
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  /** The provider ran it itself: nothing is to be done. */
  readonly byProvider?: boolean;
  readonly cause?: CallCause;
}

/** How a tool call ended. failed: it surely did not happen. unknown: nobody knows, do not repeat it. refused: a person said no. */
export type ToolOutcome = "done" | "failed" | "unknown" | "refused";

export interface ToolResult extends Keeps {
  readonly type: "tool-result";
  /** The id of the call that it answers. */
  readonly id: string;
  readonly tool: string;
  readonly output: Json | { readonly content: readonly (TextPart | FilePart)[] };
  readonly outcome: ToolOutcome;
  /** The step of an equal call that this run had made: its result was reused. */
  readonly repeatOf?: string;
}

export type Part =
  | TextPart
  | ({ readonly type: "reasoning"; readonly text: string } & Keeps)
  | FilePart
  | ({ readonly type: "source"; readonly id: string; readonly url?: string; readonly mediaType?: string; readonly title?: string } & Keeps)
  | ({ readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string } & Keeps)
  /** Anything else a provider returned; given back to it as it is. */
  | ({ readonly type: "custom"; readonly kind: string } & Keeps)
  | ToolCall
  | ToolResult;

export interface Message extends Keeps {
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: readonly Part[];
}

/** The message that answers a call of a tool, as agents and tools nodes make it. */
export interface ToolMessage extends Message {
  readonly role: "tool";
  readonly content: readonly ToolResult[];
}
