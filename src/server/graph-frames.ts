// The frames of a graph's stream. A frame's id is its item's place: the superstep, and the item's number in that superstep, counted over the modes that were
// asked for. It must never give an id that a later connection could read as another place.
import type { StreamPlace } from "../client/graphs/stream-fold.ts";
import type { StreamedItem } from "../client/graphs/stream.ts";
import { PawlError } from "../errors/error.ts";
import { type SseConnection, sseFrame } from "./http/sse-connection.ts";
import { type Encoding, encodeValue } from "./wire.ts";

export async function showGraph(
  connection: SseConnection,
  runId: string,
  items: AsyncGenerator<StreamedItem>,
  encoding: Encoding,
): Promise<void> {
  for await (const { item, place } of items) {
    await connection.room();
    if (connection.signal.aborted) break;
    const id = place === undefined ? undefined : `${encodeURIComponent(runId)}:${place.superstep}.${place.index}`;
    connection.send(sseFrame("item", encodeValue(item, encoding), id));
  }
  connection.end();
}

export function lastGraphPlace(header: string | null, runId: string): StreamPlace | undefined {
  if (header === null || header === "") return undefined;
  const found = /^(.+):(\d{1,15})\.(\d{1,15})$/.exec(header);
  if (found === null || found[1] !== encodeURIComponent(runId))
    throw new PawlError("PAWL4011", "Last-Event-ID is not a place in the stream of this run: leave it out to begin at the start");
  return { superstep: Number(found[2]), index: Number(found[3]) };
}
