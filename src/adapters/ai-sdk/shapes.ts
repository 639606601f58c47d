// The AI SDK's models by shape: LanguageModelV2, V3 and V4. Pawl depends on none of its packages; what differs between the versions is
// said here, and read in prompt.ts and reply.ts. Types only.
import type { Json } from "../../workflow/types.ts";

export type SpecificationVersion = "v2" | "v3" | "v4";

/** LanguageModelV2, V3 and V4 of @ai-sdk/provider. */
export interface AiSdkModel {
  readonly specificationVersion: SpecificationVersion;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: any): PromiseLike<any>;
  doStream(options: any): PromiseLike<any>;
}

/** What a provider says about a part: by provider's name, then free. */
export type AiSdkMetadata = Readonly<Record<string, Json>>;

/** A part of a reply, whole: what doGenerate returns, and what the pieces of doStream add up to. */
export interface AiSdkContent {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly url?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly data?: unknown;
  readonly citations?: unknown;
  readonly approvalId?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
  readonly preliminary?: boolean;
  readonly providerExecuted?: boolean;
  readonly providerMetadata?: AiSdkMetadata;
}

/** v2: numbers; v3 and v4: totals with their parts. */
export interface AiSdkUsage {
  readonly inputTokens?: number | { readonly total?: number; readonly cacheRead?: number; readonly cacheWrite?: number };
  readonly outputTokens?: number | { readonly total?: number; readonly reasoning?: number };
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
}

/** What a whole reply is made of, from either way of asking. */
export interface AiSdkReply {
  readonly content: readonly AiSdkContent[];
  readonly finishReason: string | { readonly unified: string } | undefined;
  readonly usage: AiSdkUsage | undefined;
  readonly providerMetadata?: AiSdkMetadata | undefined;
  readonly response?: { readonly id?: string; readonly modelId?: string } | undefined;
}

/** One piece of doStream. */
export interface AiSdkPiece extends AiSdkContent {
  readonly delta?: string;
  readonly error?: unknown;
  readonly modelId?: string;
  readonly usage?: AiSdkUsage;
  readonly finishReason?: string | { readonly unified: string };
}
