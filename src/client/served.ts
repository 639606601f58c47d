// Who would take a run on: whether its owner is alive, whether an engine has its workflow's code, and which version a start that names
// none gets. Engines come and go: an answer is true at the time it was read, and nothing may depend on it for safety.
import type { RunRow, StoreInfo } from "../store/port.ts";
import type { Client } from "./types.ts";

const isAlive = (info: StoreInfo, e: StoreInfo["engines"][number]): boolean => !e.dead && e.leaseUntil > info.nowMs;

/** An engine that has the workflow's code is alive. */
export function isServed(info: StoreInfo, workflow: string): boolean {
  return info.engines.some((e) => isAlive(info, e) && e.serves.some((s) => s.workflow === workflow));
}

/** The engine that owns it is alive. */
export function isOwned(info: StoreInfo, row: RunRow | undefined): boolean {
  return row !== undefined && row.owner !== null && info.engines.some((e) => e.engineId === row.owner && isAlive(info, e));
}

export function hasEngines(info: StoreInfo): boolean {
  return info.engines.some((e) => isAlive(info, e));
}

/** Whether an engine that has the workflow's code is alive. */
export async function hasLiveEngine(client: Client, workflow: string): Promise<boolean> {
  return (await client.info()).engines.some((e) => e.alive && e.serves.some((s) => s.workflow === workflow));
}

/** The version that a live engine serves, else the one that the newest run of this workflow has. */
export async function servedVersion(client: Client, workflow: string): Promise<string | undefined> {
  const engines = (await client.info()).engines.filter((e) => e.alive);
  const served = engines.flatMap((e) => e.serves).find((w) => w.workflow === workflow);
  return served?.version ?? (await client.list({ workflow, limit: 1 })).runs[0]?.version;
}
