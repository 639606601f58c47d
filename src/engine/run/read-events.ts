// A run's whole log, page by page, in order. For code that needs all of it: an owner, a line, a proof. It must never be called on the
// path of a step.
import type { EventRecord, Store } from "../../store/port.ts";

const pageSize = 1_000;

/** All of them, or those after one. */
export async function readEvents(store: Store, runId: string, from: number = 0): Promise<EventRecord[]> {
  const all: EventRecord[] = [];
  for (;;) {
    const page = await store.events({ runId, after: all.at(-1)?.runSeq ?? from, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
