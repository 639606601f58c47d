// The runs of a run chain as a store has them: those that retry or restart each other. It must never pass over a run that is known and
// whose log is not here: what that one sent makes every proof say less.
import type { MissingRun } from "../../log/evidence-run-chain.ts";
import type { RunRow, Store } from "../../store/port.ts";

/** Its log says no more what it sent. */
export function isLogRemoved(r: Pick<RunRow, "expiredAt" | "purgedAt">): boolean {
  return r.expiredAt !== null || r.purgedAt !== null;
}

/** Every run of the run chain whose log can be read, oldest first, and those whose logs do not say all. A moved run is among both. */
export async function listRunChain(
  store: Store,
  row: RunRow,
): Promise<{ readonly runs: readonly RunRow[]; readonly missing: readonly MissingRun[] }> {
  const runs = await underOneId(store, row);
  runs.sort((a, b) => a.generation - b.generation);
  const here = new Set(runs.map((r) => r.runId));
  const absent = runs.flatMap((r) =>
    r.runId === r.rootRunId || r.originalRunId === null || here.has(r.originalRunId) ? [] : [r.originalRunId],
  );
  for (const r of await underOtherIds(store, row)) absent.push(r.runId);
  const missing: MissingRun[] = [...new Set(absent)].map((runId) => ({ runId, reason: "absent" }));
  for (const r of runs)
    if (isLogRemoved(r)) missing.push({ runId: r.runId, reason: "expired" });
    else if (r.origin === "moved") missing.push({ runId: r.runId, reason: "moved" });
  return { runs: runs.filter((r) => !isLogRemoved(r)), missing };
}

type Narrow = { readonly workflowId: string } | { readonly parentRunId: string; readonly workflow: string };

async function ofRoot(store: Store, row: RunRow, narrow: Narrow): Promise<RunRow[]> {
  const found: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.runs({ scope: row.scope, ...narrow, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.runs.filter((r) => r.rootRunId === row.rootRunId));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
const underOneId = (store: Store, row: RunRow): Promise<RunRow[]> => ofRoot(store, row, { workflowId: row.workflowId });

/**
 * A child that a later run of its caller's line called under another id: it is of the same line, and an archive has the runs of one id.
 * It is found by its callers, which may have other ids themselves.
 */
async function underOtherIds(store: Store, row: RunRow): Promise<RunRow[]> {
  if (row.parentRunId === null) return [];
  const parent = await store.run({ runId: row.parentRunId });
  if (parent === undefined) return [];
  const callers = [...(await underOneId(store, parent)), ...(await underOtherIds(store, parent))];
  const found: RunRow[] = [];
  for (const { runId } of callers)
    if (runId !== parent.runId) found.push(...(await ofRoot(store, row, { parentRunId: runId, workflow: row.workflow })));
  return found.filter((r) => r.workflowId !== row.workflowId);
}
