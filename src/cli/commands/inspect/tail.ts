// `pawl tail`: the events of all runs, from now on, as they are recorded. Within a run their order is the log's; between
// runs it is the order in which they were seen. It looks at runs that are not settled and at the newest ones, so that
// none slips by between two looks unless more than a page of them begin and end meanwhile.
import { collectRuns } from "../../../client/lists/list-runs.ts";
import type { Client, RunView } from "../../../client/types.ts";
import { isSettled } from "../../../core/model.ts";
import type { RunEventRecord } from "../../../core/contract.ts";
import { colourAllowed, writeOut } from "../../../platform/terminal.ts";
import type { JsonlOption, LimitOption, StoreOptions } from "../../shared-options.ts";
import { eventLine } from "../../output/event-line.ts";
import { exitCodes } from "../../output/report-error.ts";
import { parseCount } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { paint } from "../../output/colors.ts";
import { printNote, printJsonLine } from "../../output/print.ts";
import { withSession } from "../../session.ts";

export interface TailOptions extends LimitOption, JsonlOption, StoreOptions {
  readonly workflow?: string;
}

const pageSize = 1_000;

export async function tailCommand(_args: readonly string[], o: TailOptions): Promise<number> {
  const limit = parseCount(o.limit, "--limit", 1) ?? Number.POSITIVE_INFINITY;
  const p = paint(colourAllowed("out"));
  return withSession(o, async ({ client, storeLabel: place }) => {
    const interrupt = listenForInterrupt();
    const filter = o.workflow === undefined ? {} : { workflow: o.workflow };
    const seen = new ShownEvents();
    try {
      for (const r of await recentRuns(client, filter)) seen.begin(r);
      printNote(`following ${place}`);
      let left = limit;
      while (left > 0 && !interrupt.happened()) {
        const changed = client.waitForChange(undefined, { timeoutMs: 250 });
        for (const r of await seen.moved(client, await recentRuns(client, filter))) {
          for (const e of await seen.news(client, r)) {
            if (left-- <= 0) break;
            if (o.jsonl === true) printJsonLine(e);
            else writeOut(eventLine(e, p, r.workflowId));
          }
        }
        if (left > 0) await Promise.race([changed, interrupt.requested]);
      }
      return interrupt.happened() ? exitCodes.interrupted : exitCodes.ok;
    } finally {
      interrupt.stopListening();
    }
  });
}

/** Runs that may have news: the unsettled and the newest. */
async function recentRuns(client: Client, filter: { workflow?: string }): Promise<RunView[]> {
  const newest = await collectRuns((q) => client.list(q), filter, 100);
  const open = await collectRuns((q) => client.list(q), { ...filter, status: ["PENDING", "RUNNING", "PAUSED"] }, pageSize);
  const byId = new Map([...newest.runs, ...open.runs].map((r) => [r.runId, r]));
  return [...byId.values()].toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : 0));
}

/** How far each run's log was shown. Settled runs are kept for one more look, then forgotten with the list. */
class ShownEvents {
  readonly #heads = new Map<string, number>();
  #open = new Set<string>();

  begin(r: RunView): void {
    this.#heads.set(r.runId, r.headSeq);
    if (!isSettled(r.status)) this.#open.add(r.runId);
  }

  /** Those that grew; runs that ended and fell out of the lists are asked for by id. */
  async moved(client: Client, runs: readonly RunView[]): Promise<RunView[]> {
    const listed = new Set(runs.map((r) => r.runId));
    const gone: RunView[] = [];
    for (const id of this.#open) {
      const run = listed.has(id) ? undefined : await client.get(id);
      if (run !== undefined) gone.push(run);
    }
    this.#open = new Set(runs.filter((r) => !isSettled(r.status)).map((r) => r.runId));
    for (const id of this.#heads.keys())
      if (!listed.has(id) && !this.#open.has(id) && !gone.some((g) => g.runId === id)) this.#heads.delete(id);
    return [...gone, ...runs].filter((r) => r.headSeq > (this.#heads.get(r.runId) ?? 0));
  }

  async news(client: Client, r: RunView): Promise<readonly RunEventRecord[]> {
    const page = await client.events(r.runId, { after: this.#heads.get(r.runId) ?? 0, limit: pageSize });
    this.#heads.set(r.runId, page.at(-1)?.runSeq ?? r.headSeq);
    return page;
  }
}
