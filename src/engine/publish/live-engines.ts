// Which engines are alive, what they serve, and which version of a workflow a start without a version gets. Pure: it looks at what was read
// and reads nothing itself.
import type { Scope } from "../../core/model.ts";
import type { PublishedWorkflow } from "./published-workflows.ts";
import type { EngineRow, StoreInfo } from "../../store/port.ts";
import { isOfTenant } from "../../store/rules.ts";

/** The versions of a workflow that live engines have code for. */
export function servedVersions(info: StoreInfo, scope: Scope, workflow: string): ReadonlySet<string> {
  const serves = liveEngines(info, scope).flatMap((e) => e.serves);
  return new Set(serves.filter((s) => s.workflow === workflow).map((s) => s.version));
}

/** Those of this tenant that were not declared dead and whose leases have not run out. */
export function liveEngines(info: StoreInfo, scope: Scope): readonly EngineRow[] {
  return info.engines.filter((e) => isOfTenant(e, scope) && !e.dead && e.leaseUntil > info.nowMs);
}

/** An engine other than this one is alive and has code for exactly this version. */
export function isServedByOther(info: StoreInfo, scope: Scope, engineId: string, workflow: string, version: string): boolean {
  const others = liveEngines(info, scope).filter((e) => e.engineId !== engineId);
  return others.some((e) => e.serves.some((s) => s.workflow === workflow && s.version === version));
}

/** The version of a start that names none: the newest that a live engine serves, else the one that was published last. */
export function newestVersion(published: readonly PublishedWorkflow[], serving: ReadonlySet<string>): string | undefined {
  const newest = (rows: readonly PublishedWorkflow[]): string | undefined =>
    [...rows].sort((a, b) => b.publishedAt - a.publishedAt || b.version.localeCompare(a.version, "en", { numeric: true }))[0]?.version;
  return newest(published.filter((p) => serving.has(p.version))) ?? [...serving][0] ?? newest(published);
}
