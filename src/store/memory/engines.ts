// Engines on plain maps: register, renew, declare dead. K1: death is declared one way, before anything of that engine is claimed. Without
// processes to watch, only the lease is evidence here.
import type { EngineRegistration, Renewal } from "../port.ts";
import type { MemoryState } from "./state.ts";

export function registerEngine(s: MemoryState, e: EngineRegistration, now: number): void {
  if (s.engines.get(e.engineId)?.dead) return;
  const serves = e.serves.map((x) => ({ workflow: x.workflow, version: x.version }));
  s.engines.set(e.engineId, {
    engineId: e.engineId,
    leaseUntil: now + e.leaseMs,
    dead: false,
    serves,
    scope: e.scope === undefined ? null : { ...e.scope },
    ...(e.kind === undefined || e.kind === "engine" ? {} : { kind: e.kind }),
    ...(e.works === undefined || e.works === null ? {} : { works: structuredClone(e.works) }),
  });
}

export function renew(s: MemoryState, r: Renewal, now: number): "renewed" | "dead" {
  const row = s.engines.get(r.engineId);
  if (row === undefined || row.dead) return "dead";
  s.engines.set(r.engineId, { ...row, leaseUntil: now + r.leaseMs });
  return "renewed";
}

export function declareDead(s: MemoryState, q: { self: string } | { by: string }, now: number): string[] {
  const buried: string[] = [];
  for (const e of s.engines.values()) {
    const dies = "self" in q ? e.engineId === q.self : e.engineId !== q.by && e.leaseUntil < now;
    if (e.dead || !dies) continue;
    s.engines.set(e.engineId, { ...e, dead: true });
    buried.push(e.engineId);
  }
  // A dead engine's row is kept only while a due run or a dispatch still names it; one without a row counts as dead.
  const owners = new Set<string | null>();
  for (const id of s.unsettled) {
    const run = s.runs.get(id);
    if (run !== undefined && run.dueAt !== null) owners.add(run.owner);
  }
  for (const d of s.dispatches.values()) owners.add(d.worker);
  for (const e of s.engines.values()) if (e.dead && !owners.has(e.engineId)) s.engines.delete(e.engineId);
  return buried.sort();
}
