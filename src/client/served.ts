// Who would take a run on: whether its owner is alive, and whether an engine has its workflow's code.
// Engines come and go: an answer is true at the time it was read, and nothing may depend on it for safety.
import type { Scope } from "../core/model.ts";
import type { RunRow, StoreInfo } from "../store/port.ts";
import { isOfTenant } from "../store/rules.ts";
import type { Client } from "./types.ts";

const isAlive = (info: StoreInfo, e: StoreInfo["engines"][number]): boolean => !e.dead && e.leaseUntil > info.nowMs;

/** An engine of this tenant that has the workflow's code is alive. */
export function isServed(info: StoreInfo, scope: Scope, workflow: string): boolean {
  return info.engines.some((e) => isAlive(info, e) && isOfTenant(e, scope) && e.serves.some((s) => s.workflow === workflow));
}

/** The engine that owns it is alive. */
export function isOwned(info: StoreInfo, row: RunRow | undefined): boolean {
  return row !== undefined && row.owner !== null && info.engines.some((e) => e.engineId === row.owner && isAlive(info, e));
}

/** An engine of this tenant is alive. */
export function hasEngines(info: StoreInfo, scope: Scope): boolean {
  return info.engines.some((e) => isAlive(info, e) && isOfTenant(e, scope));
}

/** Whether an engine that has the workflow's code is alive. */
export async function hasLiveEngine(client: Client, workflow: string): Promise<boolean> {
  return (await client.info()).engines.some((e) => e.alive && e.serves.some((s) => s.workflow === workflow));
}
