// The client's start, by name: what it answers a caller. A run that this process' engine can begin is served; of any other the store is asked,
// after the run was created, so that an engine's own starts read nothing more.
import type { StartedRun, StartRequest } from "../../api/types/run.ts";
import type { ClientContext } from "../client-deps.ts";
import { servedVersions } from "../../engine/publish/live-engines.ts";
import type { StartWait } from "../types.ts";
import { resolveStart } from "./start.ts";

export async function startByName(c: ClientContext, r: StartRequest, o: StartWait = {}): Promise<StartedRun> {
  const { runId, workflowId, created, replayed = false, unchecked } = await resolveStart(c, r, undefined, o);
  const served = c.engine?.definition(r.workflow) !== undefined || servedVersions(await c.store.info(), c.scope, r.workflow).size > 0;
  return { runId, workflowId, created, replayed, served, ...(unchecked === undefined ? {} : { unchecked }) };
}
