// Where a graph begins that continues another run: a fork, a retry, the next turn. It is what the log of that run folds to after the superstep that was
// named. Once its own log has that state, as its first superstep, the other run is not read any more. It runs no code of the author's, and must
// never write.
import type { RunStartPayload } from "../../events/payload.ts";
import { graphFold, type GraphState } from "../../core/fold/graph.ts";
import { firstSuperstep } from "../../events/payload.ts";
import type { EventRecord, Store } from "../../store/port.ts";
import type { ForkPoint } from "../calls.ts";
import { BaseFold } from "../snapshot/base.ts";
import { readEvents } from "../run/read-events.ts";

/** The state after this superstep; undefined: the log has no such one. */
export function stateAfter(events: Iterable<EventRecord>, superstep: number): GraphState | undefined {
  const state = graphFold.empty();
  for (const e of events) {
    graphFold.add(state, e);
    if (e.eventType === graphFold.mark && state.n === superstep) return state;
  }
  return undefined;
}

/**
 * The superstep at which a retry of a graph begins: the last one before anything that the retry would have to know of, because it was undone, may have to be
 * undone or confirmed, must be recognised when it is asked for again, or is shown as a view. Undefined: the run began there, or never did.
 */
export function retryPoint(events: Iterable<EventRecord>): { readonly superstep: number; readonly key: string } | undefined {
  const fold = new BaseFold();
  let marks = 0;
  let found: { superstep: number; key: string } | undefined;
  for (const e of events) {
    fold.add(e);
    if (e.eventType !== graphFold.mark || fold.mark !== graphFold.mark) continue;
    if (fold.refs.size + fold.undoLost.length + fold.toolCalls.refs.length + fold.viewsPublished > 0) break;
    const { n: superstep, key } = fold.style!.state as GraphState;
    if (marks++ > 0) found = { superstep, key };
  }
  return found;
}

/** Null: the run begins from its input. "lost": nobody knows its beginning any more. */
export async function readForkPoint(store: Store, runId: string, start: RunStartPayload): Promise<ForkPoint | "lost" | null> {
  const order = start.begin ?? start.fork;
  if (order === undefined) return null;
  const isTurn = start.begin?.turn === true;
  const own = stateAfter(await readEvents(store, runId), firstSuperstep(start));
  if (own !== undefined) return { state: own, update: undefined, isTurn: false };
  const source = await store.run({ runId: order.runId });
  if (source === undefined || source.expiredAt !== null || source.purgedAt !== null) return "lost";
  const state = stateAfter(await readEvents(store, order.runId), order.superstep);
  if (state === undefined || state.key !== order.key) return "lost";
  return { state, update: start.begin === undefined ? start.fork?.update : undefined, isTurn };
}
