// A run's whole log, page by page, in order. For code that needs all of it: an owner, a line, a proof. It must never be called on the
// path of a step.
import type { EventRecord, Store } from "../../store/port.ts";

const pageSize = 1_000;

export async function readEvents(store: Store, runId: string): Promise<EventRecord[]> {
  const all: EventRecord[] = [];
  for (;;) {
    const page = await store.events({ runId, after: all.at(-1)?.runSeq ?? 0, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
