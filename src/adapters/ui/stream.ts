// uiMessageStream: a run as the AI SDK's UI message stream, the turn so far from the log and then live. It holds nothing that the log does not have, so a
// reader that lost its connection asks again and gets the whole message. A slow reader holds nobody up: the run never waits for it.
import type { RunEventRecord } from "../../core/contract.ts";
import type { Streamed } from "../../engine/streams/step-streams.ts";
import { isStreamPart } from "../../tools/stream-part.ts";
import { uiEvent, uiStreamHeaders, type UiChunk } from "./chunks.ts";
import { UiTurn } from "./turn.ts";

/** A run's handle, as far as it is read here. */
export interface UiRun {
  readonly runId: string;
  events(o?: { after?: number; follow?: boolean; signal?: AbortSignal }): AsyncIterable<RunEventRecord>;
  /** Tokens, where the run is at work in this process. Without it, replies appear when they are recorded. */
  listen?(listener: (s: Streamed) => void): () => void;
}
/**
 * A run of an agent as the chunks of an AI SDK UI message stream: the turn so far, then live. It ends with the run, or with `abort` when a
 * reply that was shown in part begins again; asking again serves the message from its start.
 *
 * @example
 * for await (const chunk of uiMessageStream(handle)) console.log(chunk.type);
 */
export function uiMessageStream(h: UiRun, o: { signal?: AbortSignal } = {}): ReadableStream<UiChunk> {
  const gone = new AbortController();
  return new ReadableStream<UiChunk>({
    start: (controller) => {
      void fill(h, controller, o.signal === undefined ? gone.signal : AbortSignal.any([gone.signal, o.signal]));
    },
    cancel: () => gone.abort(),
  });
}

async function fill(h: UiRun, controller: ReadableStreamDefaultController<UiChunk>, reader: AbortSignal): Promise<void> {
  const turn = new UiTurn(h.runId);
  // Over: the reader has gone, or the message has ended, also by what no event says.
  const over = new AbortController();
  const leave = (): void => over.abort();
  reader.addEventListener("abort", leave, { once: true });
  if (reader.aborted) leave();
  const send = (chunks: readonly UiChunk[]): void => {
    if (over.signal.aborted) return;
    for (const c of chunks) controller.enqueue(c);
    if (turn.isOver) leave();
  };
  const say = (s: Streamed): void => {
    if (s.runId !== h.runId || s.type === "custom") return; // a child's reply is a tool's business, not this message's
    if (s.type === "reset") send(turn.reset(s.stepId));
    else if (isStreamPart(s.value)) send(turn.piece(s.stepId, s.attempt, s.value));
  };
  // Before the log is read, so that nothing is missed; shown after it, so that what an earlier attempt left does not look new.
  let early: Streamed[] | null = [];
  const silent = h.listen?.((s) => (early === null ? say(s) : void early.push(s)));
  try {
    send(turn.begin());
    let after = 0;
    for await (const e of h.events()) {
      after = e.runSeq;
      send(turn.take(e));
      if (over.signal.aborted) break;
    }
    for (const s of early) say(s);
    early = null;
    if (!over.signal.aborted) await follow(h, after, over.signal, (e) => send(turn.take(e)));
    controller.close();
  } catch (e) {
    controller.error(e);
  } finally {
    silent?.();
    reader.removeEventListener("abort", leave);
  }
}

/** Ends with its signal at once: what still waits for an event ends by itself. */
async function follow(h: UiRun, after: number, signal: AbortSignal, take: (e: RunEventRecord) => void): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
  const events = h.events({ after, follow: true, signal })[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([events.next(), stopped]);
    if (next === undefined || next.done === true) return;
    take(next.value);
    if (signal.aborted) return;
  }
}

/**
 * The same as the answer to an HTTP request, as the AI SDK's client reads it. Mount it as a route: it works with every server that answers
 * with a `Response`.
 *
 * @example
 * app.get("/chat/:id/stream", async (c) => {
 *   const handle = await pawl.get(support, c.req.param("id"));
 *   return handle === undefined ? c.body(null, 204) : uiMessageResponse(handle, { signal: c.req.raw.signal });
 * });
 */
export function uiMessageResponse(h: UiRun, o: { signal?: AbortSignal; headers?: Readonly<Record<string, string>> } = {}): Response {
  const encoder = new TextEncoder();
  const body = uiMessageStream(h, o).pipeThrough(
    new TransformStream<UiChunk, Uint8Array>({
      transform: (chunk, controller) => controller.enqueue(encoder.encode(uiEvent(chunk))),
      flush: (controller) => controller.enqueue(encoder.encode(uiEvent("[DONE]"))),
    }),
  );
  return new Response(body, { headers: { ...uiStreamHeaders, ...o.headers } });
}
