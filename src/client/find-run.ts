// From an id to its run. An id is a runId, or a workflowId, which means its latest run. Runs of another tenant are not found (I11).
// It must never say more of them than that.
import type { Scope } from "../core/model.ts";
import { checkId } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import type { RunRow } from "../store/port.ts";
import type { LocalClientDeps } from "./client-deps.ts";

/** A runId, or a workflowId, which means its latest run. */
export async function findRun(c: Pick<LocalClientDeps, "store" | "scope">, id: string): Promise<RunRow | undefined> {
  const byRun = await c.store.run({ runId: checkId(id, "the run's id") });
  // I11: another tenant's run is not found.
  if (byRun !== undefined && sameScope(byRun.scope, c.scope)) return byRun;
  return c.store.run({ scope: c.scope, workflowId: id });
}

export function sameScope(a: Scope, b: Scope): boolean {
  return a.tenantId === b.tenantId && a.projectId === b.projectId && a.environmentId === b.environmentId;
}

/** The same, where there must be one. */
export async function requireRun(c: LocalClientDeps, id: string): Promise<RunRow> {
  const row = await findRun(c, id);
  if (row === undefined) throw noSuchRun(id);
  return row;
}

export function noSuchRun(id: string): PawlError {
  return new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
}
