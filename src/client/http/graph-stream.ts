// A graph as a stream over HTTP: server-sent events that are opened again at the place where the line broke, so that no item is left out and none comes
// twice. With `follow: false` it is one page after the other, until nothing is left.
import type { GraphStreamItem, GraphStreamOptions } from "../../api/types/graph-stream.ts";
import { decode } from "../../codec/value.ts";
import type { HttpCaller } from "./call.ts";
import { framesOf } from "./follow.ts";

export async function* streamRun(c: HttpCaller, id: string, o: GraphStreamOptions = {}): AsyncGenerator<GraphStreamItem> {
  const { modes, after, signal } = o;
  const asked = { id, ...(modes === undefined ? {} : { modes }) };
  if (o.follow === false) return yield* pages(c, asked, after);
  let place: string | undefined;
  const input = (): Readonly<Record<string, unknown>> => ({ ...asked, ...(after === undefined ? {} : { after }) });
  for await (const frame of framesOf(c, "runs.stream", input, () => place, signal)) {
    if (frame.event !== "item") continue;
    if (frame.id !== undefined) place = frame.id;
    const item = decode(frame.data) as GraphStreamItem;
    yield item;
    if (item.mode === "end") return;
  }
}

async function* pages(
  c: HttpCaller,
  asked: { readonly id: string; readonly modes?: NonNullable<GraphStreamOptions["modes"]> },
  after: number | undefined,
): AsyncGenerator<GraphStreamItem> {
  for (let from = after; ;) {
    const { items } = await c.call("runs.stream", { ...asked, ...(from === undefined ? {} : { after: from }) });
    yield* items;
    const last = items.at(-1);
    if (last === undefined || last.mode === "end") return;
    from = last.superstep;
  }
}
