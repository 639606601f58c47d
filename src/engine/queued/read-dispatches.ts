// All dispatches of a run, however many: a wide run may have thousands on its queues, and the one that is looked for may be the newest. It reads, and
// must never decide from a part of them.
import type { DispatchRow } from "../../store/port.ts";
import type { RunHost } from "../run-host.ts";

const pageRows = 1_000;

export async function readDispatches({ store, scope }: RunHost, runId: string): Promise<readonly DispatchRow[]> {
  const all: DispatchRow[] = [];
  for (;;) {
    const after = all.at(-1)?.dispatchId;
    const page = await store.queues.rows({ scope, runId, limit: pageRows, ...(after === undefined ? {} : { after }) });
    all.push(...page);
    if (page.length < pageRows) return all;
  }
}
