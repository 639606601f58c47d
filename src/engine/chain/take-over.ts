// A run whose owner died: the log says who continued it, from whom, and since when it could have been continued. It is written before the first
// event of the new owner, in the same Commit. It must never make a Commit by itself: claims without a Commit are counted, and a run that kills
// every engine is found by that count (K5). It changes no state (K21).
import { jsonObject, jsonValue, pawlEvents } from "../../events/payload.ts";
import type { ClaimedRun, InboxRow } from "../../store/port.ts";

/** What goes before the first event of this owner; null: nobody died. */
export interface TakeOver {
  readonly eventType: typeof pawlEvents.takenOver;
  readonly stepId: null;
  readonly payload: string;
}

export function takeOverOf(row: ClaimedRun, inbox: readonly InboxRow[]): TakeOver | null {
  if (row.takenFrom === undefined || row.owner === null) return null;
  return {
    eventType: pawlEvents.takenOver,
    stepId: null,
    payload: jsonObject({
      engine: jsonValue(row.owner),
      lost: jsonValue(row.takenFrom),
      fence: String(row.fence.epoch),
      since: jsonValue(runnableSince(row, inbox)),
    }),
  };
}

/** When it was due, or its first message came: until then it waited, and nobody was missing. Undefined: it was at work. */
function runnableSince(row: ClaimedRun, inbox: readonly InboxRow[]): number | undefined {
  const arrived = inbox.flatMap((i) => (i.taken ? [] : [i.acceptedAt]));
  const times = row.dueAt === null ? arrived : [row.dueAt, ...arrived];
  const since = times.length === 0 ? 0 : Math.min(...times);
  return since > row.persistedAt ? since : undefined;
}
