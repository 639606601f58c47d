// A graph as a stream over HTTP: server-sent events that are opened again at the place where the line broke, so that no item of the log is left out and none
// comes twice. What steps said has no place: on a new line the server says it again from its start, and a `reset` before it voids what was given. With
// `follow: false` it is one page after the other, until nothing is left.
import type { GraphLiveItem, GraphStreamItem, GraphStreamOptions } from "../../api/types/graph-stream.ts";
import { decode } from "../../codec/value.ts";
import type { HttpCaller } from "./call.ts";
import { framesOf } from "./follow.ts";

export async function* streamRun(c: HttpCaller, id: string, o: GraphStreamOptions = {}): AsyncGenerator<GraphStreamItem> {
  const { modes, after, signal } = o;
  const asked = { id, ...(modes === undefined ? {} : { modes }) };
  if (o.follow === false) return yield* pages(c, asked, after);
  let place: string | undefined;
  const said = new SaidBefore();
  const input = (): Readonly<Record<string, unknown>> => {
    said.lineOpens();
    return { ...asked, ...(after === undefined ? {} : { after }) };
  };
  for await (const frame of framesOf(c, "runs.stream", input, () => place, signal)) {
    if (frame.event !== "item") continue;
    if (frame.id !== undefined) place = frame.id;
    const item = decode(frame.data) as GraphStreamItem;
    if (item.mode === "tokens" || item.mode === "custom") yield* said.voidBefore(item);
    yield item;
    if (item.mode === "end") return;
  }
}

/** Which steps said something on a line that was cut. */
class SaidBefore {
  readonly #now = new Set<string>();
  readonly #before = new Set<string>();

  lineOpens(): void {
    for (const step of this.#now) this.#before.add(step);
    this.#now.clear();
  }
  *voidBefore(item: Exclude<GraphLiveItem, { mode: "reset" }>): Generator<GraphStreamItem> {
    const { runId, stepId, attempt } = item;
    if (stepId === undefined || attempt === undefined) return;
    const step = `${runId} ${stepId}`;
    this.#now.add(step);
    if (this.#before.delete(step)) yield { mode: "reset", runId, stepId, attempt };
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
    if (last === undefined || !("superstep" in last)) return;
    from = last.superstep;
  }
}
