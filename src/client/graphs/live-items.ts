// What steps and nodes of a graph say while they run, as items of its stream. It holds what the reader has not taken yet: pieces of one text as one piece, and
// no more than a bound. The run never waits for it, so a reader that is too slow misses the rest of what an attempt says; the log has its outcome.
import type { GraphLiveItem, GraphStreamMode } from "../../api/types/graph-stream.ts";
import type { Streamed, StepStreams } from "../../engine/streams/step-streams.ts";
import { isStreamPart } from "../../tools/stream-part.ts";

/** What one reader may be behind. */
const waitingMax = 10_000;
const textMax = 1024 * 1024;

export class LiveItems {
  readonly #modes: ReadonlySet<GraphStreamMode>;
  readonly #silence: () => void;
  #waiting: GraphLiveItem[] = [];
  #textLength = 0;
  #wake: (() => void) | null = null;

  constructor(streams: Pick<StepStreams, "listen">, runId: string, modes: readonly GraphStreamMode[]) {
    this.#modes = new Set(modes);
    this.#silence = streams.listen(runId, (s) => this.#hear(s));
  }

  /** What was said since it was last asked. */
  take(): readonly GraphLiveItem[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#textLength = 0;
    return taken;
  }
  /** Calls back once when something is there. The last one who asks is called. */
  whenSaid(wake: () => void): void {
    if (this.#waiting.length > 0) wake();
    else this.#wake = wake;
  }
  close(): void {
    this.#silence();
  }

  #hear(s: Streamed): void {
    const item = itemOf(s);
    if (item.mode === "reset" ? !(this.#modes.has("tokens") || this.#modes.has("custom")) : !this.#modes.has(item.mode)) return;
    if (!this.#joinLast(item)) {
      if (this.#waiting.length >= waitingMax) return;
      this.#waiting.push(item);
    }
    this.#wake?.();
    this.#wake = null;
  }

  /** True: it continues the text that waits, or there is no room for it. */
  #joinLast(item: GraphLiveItem): boolean {
    if (item.mode !== "tokens") return false;
    const { part } = item;
    this.#textLength += part.delta.length;
    if (this.#textLength > textMax) return true;
    const last = this.#waiting.at(-1);
    if (last?.mode !== "tokens" || !isSameText(last, item)) return false;
    this.#waiting[this.#waiting.length - 1] = { ...last, part: { ...last.part, delta: last.part.delta + part.delta } };
    return true;
  }
}

type Tokens = Extract<GraphLiveItem, { mode: "tokens" }>;
function isSameText(a: Tokens, b: Tokens): boolean {
  return a.runId === b.runId && a.stepId === b.stepId && a.attempt === b.attempt && a.part.type === b.part.type && a.part.id === b.part.id;
}

function itemOf(s: Streamed): GraphLiveItem {
  const { runId } = s;
  if (s.type === "custom") return { mode: "custom", runId, item: s.item, value: s.value };
  const { stepId, attempt } = s;
  if (s.type === "reset") return { mode: "reset", runId, stepId, attempt };
  if (isStreamPart(s.value)) return { mode: "tokens", runId, stepId, attempt, part: s.value };
  return { mode: "custom", runId, stepId, attempt, value: s.value };
}
