// aiSdkModel: a language model of the AI SDK as a model of Pawl. It asks once: retries belong to the step, so the SDK's own are not used.
// What the provider's failure says about trying again is passed on to the step's policy.
import { PawlError } from "../../errors/error.ts";
import { Fatal } from "../../errors/step-errors.ts";
import type { Model } from "../../tools/models.ts";
import { askAgainAfter, waitAskedMs } from "../retry-after.ts";
import { readPieces } from "./pieces.ts";
import { callOptions } from "./prompt.ts";
import { modelReply } from "./reply.ts";
import type { AiSdkModel, AiSdkReply } from "./shapes.ts";

export interface AiSdkModelOpts {
  /** Ask for the reply in pieces, so that listeners see its tokens: true unless given. */
  readonly stream?: boolean;
}

/**
 * A language model of the AI SDK, of any version from 5 to 7, for `agent` and `ctx.model`.
 *
 * @example
 * const model = aiSdkModel(anthropic("claude-sonnet-4-5"));
 */
export function aiSdkModel(m: AiSdkModel, o: AiSdkModelOpts = {}): Model {
  const version = (m as AiSdkModel | undefined)?.specificationVersion;
  if (version !== "v2" && version !== "v3" && version !== "v4")
    throw new PawlError(
      "PAWL5001",
      `aiSdkModel() takes a language model of the AI SDK (specification v2, v3 or v4), not ${version === undefined ? typeof m : `one of ${String(version)}`}`,
    );
  const { provider, modelId } = m;
  return {
    id: modelId,
    provider,
    async generate(request, s) {
      try {
        const options = callOptions(request, { version, provider }, s.signal);
        if (o.stream === false) return modelReply((await m.doGenerate(options)) as AiSdkReply, provider);
        const { stream } = (await m.doStream(options)) as { stream: Parameters<typeof readPieces>[0] };
        return modelReply(await readPieces(stream, s), provider);
      } catch (e) {
        throw failureOf(e, s.signal);
      }
    },
  };
}

/** Errors of the SDK that come again however often one asks. */
const final = new Set([
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_UnsupportedFunctionalityError",
]);

/** The SDK's own error says whether asking again may help, and when. */
function failureOf(e: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(e instanceof Error)) return e;
  const { isRetryable, responseHeaders } = e as { isRetryable?: unknown; responseHeaders?: Readonly<Record<string, string>> };
  if (isRetryable === false || final.has(e.name)) return new Fatal(e.message, { cause: e });
  const delayMs = isRetryable === true ? waitAskedMs((name) => responseHeaders?.[name] ?? null) : undefined;
  return delayMs === undefined ? e : askAgainAfter(delayMs, e.message, e);
}
