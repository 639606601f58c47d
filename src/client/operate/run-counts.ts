// How many runs match, by status, workflow and error code, each up to 1,000. Each status is one page of the store's listing, so a count reads a
// bounded number of rows however many runs there are; where it stopped looking, it says so.
import type { RunCounts } from "../../api/types/operate.ts";
import type { RunFilter } from "../../api/types/run.ts";
import { runStatuses, type RunStatus } from "../../core/model.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { toRunQuery } from "../lists/list-runs.ts";

const max = 1_000;

export async function countRuns(c: LocalClientDeps, q: Omit<RunFilter, "limit" | "cursor"> = {}): Promise<RunCounts> {
  const query = toRunQuery(c.scope, q);
  const byStatus: Partial<Record<RunStatus, number>> = {};
  const byWorkflow = new Map<string, number>();
  const byErrorCode = new Map<string, number>();
  let more = false;
  for (const status of new Set(q.status ?? runStatuses)) {
    const page = await c.store.runs({ ...query, status: [status], limit: max });
    if (page.runs.length > 0) byStatus[status] = page.runs.length;
    if (page.cursor !== undefined) more = true;
    for (const run of page.runs) {
      add(byWorkflow, run.workflow);
      if (run.errorCode !== null) add(byErrorCode, run.errorCode);
    }
  }
  return {
    max,
    byStatus,
    byWorkflow: sorted(byWorkflow),
    byErrorCode: sorted(byErrorCode),
    ...(more ? { more } : {}),
  };
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, Math.min(max, (counts.get(name) ?? 0) + 1));
}
