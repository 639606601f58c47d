// A run as the AI SDK's UI message stream, over this server: the turn so far from the log, then live. Tokens are heard only where the run is at work in this
// process; elsewhere a reply appears when it is recorded, and the answer's header says which of the two it is. It must never show anything but what is recorded or being streamed.
import { uiEvent, uiStreamHeaders, type UiChunk } from "../adapters/ui/chunks.ts";
import { uiMessageStream, type UiRun } from "../adapters/ui/stream.ts";
import type { LocalClientDeps } from "../client/client-deps.ts";
import { requireRun } from "../client/find-run.ts";
import { follow } from "../client/streams/follow.ts";
import type { RunRow } from "../store/port.ts";
import type { SseConnection, SseFrame } from "./http/sse-connection.ts";

const encoder = new TextEncoder();
const frameOf = (chunk: UiChunk | "[DONE]"): SseFrame => encoder.encode(uiEvent(chunk));

/** The last chunk of a stream that the server ends: a reader of the AI SDK knows no other. It asks again, and gets the message from its start. */
export function messageFarewell(why: string): SseFrame {
  return frameOf({ type: "abort", reason: `the stream ended: ${why}; ask again` });
}

/** `live`: its tokens are shown as they arrive. `recorded`: another process runs it, or nobody does now. */
export function messageHeaders({ engine }: LocalClientDeps, row: RunRow): Readonly<Record<string, string>> {
  return { ...uiStreamHeaders, "pawl-tokens": engine !== null && row.owner === engine.engineId ? "live" : "recorded" };
}

export async function showMessage(connection: SseConnection, client: LocalClientDeps, runId: string): Promise<void> {
  const { engine } = client;
  const run: UiRun = {
    runId,
    events: (o = {}) => eventsOf(client, runId, o),
    ...(engine === null ? {} : { listen: (listener) => engine.streams.listen(runId, listener) }),
  };
  for await (const chunk of uiMessageStream(run, { signal: connection.signal })) {
    await connection.room();
    if (connection.signal.aborted) break;
    connection.send(frameOf(chunk));
  }
  connection.end(frameOf("[DONE]"));
}

async function* eventsOf(
  client: LocalClientDeps,
  runId: string,
  { after = 0, follow: goesOn = false, signal }: { readonly after?: number; readonly follow?: boolean; readonly signal?: AbortSignal },
): ReturnType<UiRun["events"]> extends AsyncIterable<infer E> ? AsyncGenerator<E> : never {
  const until = goesOn ? Number.POSITIVE_INFINITY : (await requireRun(client, runId)).headSeq;
  if (after >= until) return;
  for await (const item of follow(client, runId, { after, ...(signal === undefined ? {} : { signal }) })) {
    if (item.kind !== "event") continue;
    yield item.event;
    if (item.event.runSeq >= until) return;
  }
}
