// Engines as rows: register, renew, declare dead. K1: death is declared one way, in a write of its own, before anything of that engine is
// claimed. K2: an expired lease proves death, and so does the lock of its file when it can be taken.
import type { EngineRegistration, Renewal } from "../port.ts";
import { engineTexts } from "../sql/columns.ts";
import { checkAdmitted } from "../sql/formats.ts";
import type { EngineLocks } from "./locks.ts";
import { format } from "./migrations.ts";
import { type Statements, toEngine } from "./rows.ts";
import type { FileClock } from "./wire/clock.ts";
import type { Writer } from "./wire/writer.ts";

export interface EngineDeps {
  readonly writer: Writer;
  readonly locks: EngineLocks;
  readonly clock: FileClock;
}

export async function registerEngine({ writer, locks, clock }: EngineDeps, e: EngineRegistration): Promise<void> {
  // K2: the lock first. A row without a lock behind it would look like a live engine that nobody can prove dead.
  // A remote worker has no process here that could hold one: its lease alone decides.
  if (e.kind !== "remote") await locks.acquire(e.engineId);
  const { serves, scope, kind, works } = engineTexts(e);
  await writer.write((st) => {
    const meta = st.meta.get() ?? {};
    checkAdmitted({ format: Number(meta["format"]), oldestWriter: Number(meta["oldest_writer"]) }, format);
    st.enlist.run(e.engineId, clock.now() + e.leaseMs, serves, scope, kind, works);
  });
}

export function renew(st: Statements, r: Renewal, now: number): "renewed" | "dead" {
  return st.renew.run(now + r.leaseMs, r.engineId).changes === 1 ? "renewed" : "dead";
}

export async function declareDead(d: EngineDeps, q: { readonly self: string } | { readonly by: string }): Promise<string[]> {
  if ("self" in q) return writeDeaths(d, [q.self], []);
  const { writer, locks, clock } = d;
  if (clock.wantsToFollow) await writer.write((st) => clock.follow(st));
  const engines = await writer.read((st) => st.engines.all().map(toEngine));
  const proven: string[] = [];
  const lapsed: string[] = [];
  for (const e of engines) {
    if (e.dead || e.engineId === q.by) continue;
    if (e.leaseUntil < clock.now()) lapsed.push(e.engineId);
    else if (e.kind !== "remote" && (await locks.provesDeath(e.engineId))) proven.push(e.engineId);
  }
  if (proven.length + lapsed.length === 0 && !engines.some((e) => e.dead)) return [];
  return writeDeaths(d, proven, lapsed);
}

async function writeDeaths({ writer, locks, clock }: EngineDeps, proven: readonly string[], lapsed: readonly string[]): Promise<string[]> {
  const dead = await writer.write((st) => {
    const at = clock.now();
    const declared = proven.filter((id) => st.declare.run(id).changes === 1);
    declared.push(...lapsed.filter((id) => st.declareLapsed.run(id, at).changes === 1));
    st.forget.run();
    return declared;
  });
  for (const id of dead) locks.removeFile(id);
  return dead.sort();
}
