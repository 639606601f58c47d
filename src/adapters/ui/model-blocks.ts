// What one model call has shown so far, piece by piece, and what is missing of it once its reply is recorded. Pieces are provisional: the record is
// right. Where the record does not continue what was shown, the call says so, and nothing more is shown on top of it.
import type { Part } from "../../tools/messages.ts";
import type { StreamPart } from "../../tools/models.ts";
import type { UiChunk } from "./chunks.ts";

interface Block {
  readonly type: "text" | "reasoning";
  readonly id: string;
  text: string;
}

export class ModelBlocks {
  /** The logical attempt that is shown. */
  attempt = 0;
  readonly #stepId: string;
  readonly #blocks: Block[] = [];
  readonly #inputs = new Set<string>();

  constructor(stepId: string) {
    this.#stepId = stepId;
  }

  /** Something of this attempt was shown. */
  get hasShown(): boolean {
    return this.#blocks.length > 0 || this.#inputs.size > 0;
  }

  piece(p: StreamPart): UiChunk[] {
    if (p.type === "tool-input") {
      const chunks: UiChunk[] = [];
      if (!this.#inputs.has(p.id)) chunks.push({ type: "tool-input-start", toolCallId: p.id, toolName: p.tool });
      this.#inputs.add(p.id);
      return [...chunks, { type: "tool-input-delta", toolCallId: p.id, inputTextDelta: p.delta }];
    }
    const id = `${this.#stepId}:${p.type}:${p.id}`;
    const known = this.#blocks.find((b) => b.id === id);
    const block = known ?? { type: p.type, id, text: "" };
    if (known === undefined) this.#blocks.push(block);
    block.text += p.delta;
    const start: UiChunk[] = known === undefined ? [{ type: `${p.type}-start`, id }] : [];
    return [...start, { type: `${p.type}-delta`, id, delta: p.delta }];
  }

  /** What is missing of the recorded reply; null: it is not what was shown. */
  rest(content: readonly Part[]): UiChunk[] | null {
    const chunks: UiChunk[] = [];
    const seen = { text: 0, reasoning: 0 };
    for (const [i, part] of content.entries()) {
      if (part.type !== "text" && part.type !== "reasoning") {
        chunks.push(...wholePart(part));
        continue;
      }
      const shown = this.#blocks.filter((b) => b.type === part.type)[seen[part.type]++];
      if (shown !== undefined && !part.text.startsWith(shown.text)) return null;
      const id = shown?.id ?? `${this.#stepId}:${part.type}:${i}`;
      if (shown === undefined) chunks.push({ type: `${part.type}-start`, id });
      const missing = part.text.slice(shown?.text.length ?? 0);
      if (missing !== "") chunks.push({ type: `${part.type}-delta`, id, delta: missing });
      chunks.push({ type: `${part.type}-end`, id });
    }
    const tooMany = (["text", "reasoning"] as const).some((t) => this.#blocks.filter((b) => b.type === t).length > seen[t]);
    return tooMany ? null : chunks;
  }
}

/** Parts that come at once. */
function wholePart(part: Part): UiChunk[] {
  switch (part.type) {
    case "tool-call": {
      const by = part.byProvider === true ? { providerExecuted: true } : {};
      return [{ type: "tool-input-available", toolCallId: part.id, toolName: part.tool, input: part.input, ...by }];
    }
    case "tool-result":
      if (part.outcome !== "done") return [{ type: "tool-output-error", toolCallId: part.id, errorText: JSON.stringify(part.output) }];
      return [{ type: "tool-output-available", toolCallId: part.id, output: part.output, providerExecuted: true }];
    case "source":
      if (part.url === undefined) return [];
      return [{ type: "source-url", sourceId: part.id, url: part.url, ...(part.title === undefined ? {} : { title: part.title }) }];
    case "file": {
      const url = typeof part.data === "string" ? `data:${part.mediaType};base64,${part.data}` : part.data.url;
      return [{ type: "file", url, mediaType: part.mediaType }];
    }
    default:
      return [];
  }
}
