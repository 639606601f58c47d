// Who would take a run on: whether its owner is alive, and whether an engine has its workflow's code.
// Engines come and go: an answer is true at the time it was read, and nothing may depend on it for safety.
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
