// What steps and nodes of a graph say while they run, as items of its stream. It holds what the reader has not taken yet: pieces of one text as one piece, and
// no more than a bound. The run never waits for it, so a reader that is too slow misses the rest of what an attempt says; the log has its outcome.
import type { GraphLiveItem, GraphStreamMode } from "../../api/types/graph-stream.ts";
import { textLength, type Streamed, type StepStreams } from "../../engine/streams/step-streams.ts";
import { isStreamPart } from "../../tools/stream-part.ts";

/** What one reader may be behind. */
const waitingMax = 10_000;
const lengthMax = 1024 * 1024;

export class LiveItems {
  readonly #modes: ReadonlySet<GraphStreamMode>;
  readonly #silence: () => void;
  #waiting: GraphLiveItem[] = [];
  #length = 0;
  /** Steps of whose open attempt something was left out. */
  readonly #cut = new Set<string>();
  #wake: (() => void) | null = null;

  constructor(streams: Pick<StepStreams, "listen">, runId: string, modes: readonly GraphStreamMode[]) {
    this.#modes = new Set(modes);
    this.#silence = streams.listen(runId, (s) => this.#hear(s));
  }

  /** What was said since it was last asked. */
  take(): readonly GraphLiveItem[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
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
    if (item.mode === "reset") {
      if (!this.#modes.has("tokens") && !this.#modes.has("custom")) return;
      this.#forget(item);
    } else if (!this.#modes.has(item.mode) || this.#isCut(item)) return;
    if (!this.#joinLast(item)) this.#waiting.push(item);
    this.#wake?.();
    this.#wake = null;
  }

  /** What the attempts before said is void, read or not. This is how a reader learns it: it is never left out. */
  #forget({ runId, stepId }: StepSays): void {
    this.#cut.delete(JSON.stringify([runId, stepId]));
    this.#waiting = this.#waiting.filter((w) => w.runId !== runId || w.stepId !== stepId);
    this.#length = this.#waiting.reduce((n, w) => n + lengthOf(w), 0);
  }

  /** True: there is no room for it, or there was none for something of its attempt. A text with a hole would be another text. */
  #isCut(item: Exclude<GraphLiveItem, { mode: "reset" }>): boolean {
    const attempt = item.attempt === undefined ? null : JSON.stringify([item.runId, item.stepId]);
    if (attempt !== null && this.#cut.has(attempt)) return true;
    const length = lengthOf(item);
    if (this.#length + length <= lengthMax && this.#waiting.length < waitingMax) {
      this.#length += length;
      return false;
    }
    if (attempt !== null) this.#cut.add(attempt);
    return true;
  }

  #joinLast(item: GraphLiveItem): boolean {
    if (item.mode !== "tokens") return false;
    const last = this.#waiting.at(-1);
    if (last?.mode !== "tokens" || !isSameText(last, item)) return false;
    this.#waiting[this.#waiting.length - 1] = { ...last, part: { ...last.part, delta: last.part.delta + item.part.delta } };
    return true;
  }
}

type StepSays = Extract<GraphLiveItem, { mode: "reset" }>;
type Tokens = Extract<GraphLiveItem, { mode: "tokens" }>;
function isSameText(a: Tokens, b: Tokens): boolean {
  return a.runId === b.runId && a.stepId === b.stepId && a.attempt === b.attempt && a.part.type === b.part.type && a.part.id === b.part.id;
}

function lengthOf(item: GraphLiveItem): number {
  if (item.mode === "reset") return 0;
  return item.mode === "tokens" ? item.part.delta.length : textLength(item.value);
}

function itemOf(s: Streamed): GraphLiveItem {
  const { runId } = s;
  if (s.type === "custom") return { mode: "custom", runId, item: s.item, value: s.value };
  const { stepId, attempt } = s;
  if (s.type === "reset") return { mode: "reset", runId, stepId, attempt };
  if (isStreamPart(s.value)) return { mode: "tokens", runId, stepId, attempt, part: s.value };
  return { mode: "custom", runId, stepId, attempt, value: s.value };
}
