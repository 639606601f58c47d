// Where a forked graph begins: what the log of the run that it was forked from folds to after the superstep that was named. Once its own log has that
// state, as its first superstep, the other run is not read any more. It runs no code of the author's, and must never write.
import type { ForkOrder } from "../../events/payload.ts";
import { graphFold, type GraphState } from "../../core/fold/graph.ts";
import type { EventRecord, Store } from "../../store/port.ts";
import type { ForkPoint } from "../calls.ts";
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

/** Null: the run was not forked. "lost": nobody knows its beginning any more. */
export async function readForkPoint(store: Store, runId: string, fork: ForkOrder | undefined): Promise<ForkPoint | "lost" | null> {
  if (fork === undefined) return null;
  const own = stateAfter(await readEvents(store, runId), fork.superstep);
  if (own !== undefined) return { state: own, update: undefined };
  const source = await store.run({ runId: fork.runId });
  if (source === undefined || source.expiredAt !== null || source.purgedAt !== null) return "lost";
  const state = stateAfter(await readEvents(store, fork.runId), fork.superstep);
  return state === undefined || state.key !== fork.key ? "lost" : { state, update: fork.update };
}
