// The pieces of doStream, put together to the parts that doGenerate would return, while each goes out at once. A stream that ends without its
// `finish` was cut: that is a failure, never a short reply.
import type { ModelScope } from "../../tools/models.ts";
import type { AiSdkContent, AiSdkMetadata, AiSdkPiece, AiSdkReply } from "./shapes.ts";

/** A text or a reasoning that is still coming. */
interface OpenBlock {
  type: "text" | "reasoning";
  text: string;
  citations?: unknown;
  providerMetadata?: AiSdkMetadata;
}

/** Reads the stream to its end. Throws what the provider reports as an error. */
export async function readPieces(stream: ReadableStream<AiSdkPiece>, s: ModelScope): Promise<AiSdkReply> {
  const content: (OpenBlock | AiSdkContent)[] = [];
  const open = new Map<string, OpenBlock>();
  const tools = new Map<string, string>();
  let end: AiSdkPiece | undefined;
  let response: { id?: string; modelId?: string } | undefined;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value: p } = await reader.read();
      if (done) break;
      switch (p.type) {
        case "text-start":
        case "reasoning-start": {
          const block: OpenBlock = { type: p.type === "text-start" ? "text" : "reasoning", text: "", ...about(p) };
          content.push(block);
          open.set(`${block.type} ${p.id}`, block);
          break;
        }
        case "text-delta":
        case "reasoning-delta": {
          const block = open.get(`${p.type === "text-delta" ? "text" : "reasoning"} ${p.id}`);
          if (block === undefined) throw new Error(`the model's stream continues ${p.type.slice(0, -6)} ${p.id}, which it never began`);
          block.text += p.delta ?? "";
          Object.assign(block, about(p));
          s.stream({ type: block.type, id: p.id ?? "", delta: p.delta ?? "" });
          break;
        }
        case "text-end":
        case "reasoning-end":
          // What is known only at the end, such as a signature, belongs to the whole block.
          Object.assign(open.get(`${p.type === "text-end" ? "text" : "reasoning"} ${p.id}`) ?? {}, about(p));
          break;
        case "tool-input-start":
          tools.set(p.id ?? "", p.toolName ?? "");
          break;
        case "tool-input-delta":
          s.stream({ type: "tool-input", id: p.id ?? "", tool: tools.get(p.id ?? "") ?? "", delta: p.delta ?? "" });
          break;
        case "response-metadata":
          response = {
            ...response,
            ...(p.id === undefined ? {} : { id: p.id }),
            ...(p.modelId === undefined ? {} : { modelId: p.modelId }),
          };
          break;
        case "error":
          throw p.error instanceof Error ? p.error : Object.assign(new Error(errorText(p.error)), { cause: p.error });
        case "finish":
          end = p;
          break;
        case "stream-start":
        case "tool-input-end":
        case "ping":
        case "raw":
          break;
        default:
          content.push(p);
      }
    }
  } catch (e) {
    await reader.cancel().catch(() => {});
    throw e;
  }
  if (end === undefined) throw new Error("the model's stream ended before its reply did");
  return { content, finishReason: end.finishReason, usage: end.usage, providerMetadata: end.providerMetadata, response };
}

function about(p: AiSdkPiece): { providerMetadata?: AiSdkMetadata; citations?: unknown } {
  return {
    ...(p.providerMetadata === undefined ? {} : { providerMetadata: p.providerMetadata }),
    ...(p.citations === undefined ? {} : { citations: p.citations }),
  };
}

function errorText(e: unknown): string {
  if (typeof e === "string") return e;
  const { message } = (e ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : `the model reported an error: ${JSON.stringify(e)?.slice(0, 300)}`;
}
