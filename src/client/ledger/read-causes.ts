// Why an effect happened: the causes of a run's effects, or of every effect under a key. Read from the logs, which are the truth; the ledger only says
// where to look. It must never guess: what a log does not say is left out.
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import { causesOf, type Cause } from "../../events/causes.ts";
import type { EffectRecord, RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { requirePayloads } from "../archive/availability.ts";
import { effectsOfKey } from "./effects.ts";

const pageMax = 500;

export async function readCauses(c: LocalClientDeps, id: string, row: RunRow | undefined): Promise<readonly Cause[]> {
  if (row !== undefined) return causesOfRun(c, row);
  const effects = await effectsOfKey(c, id);
  if (effects.length === 0) throw new PawlError("PAWL4001", `there is no run and no effect ${id}`, { data: { id } });
  const causes: Cause[] = [];
  for (const runId of new Set(effects.map((e) => e.runId))) {
    const own = await c.store.run({ runId });
    if (own !== undefined) causes.push(...(await causesOfRun(c, own)).filter((x) => x.effect.key === id));
  }
  return causes;
}

async function causesOfRun(c: LocalClientDeps, row: RunRow): Promise<readonly Cause[]> {
  requirePayloads(row);
  const keys = new Map((await effectsOfRun(c, row)).map((e) => [e.stepId, e.key ?? undefined]));
  return causesOf(row.runId, await readEvents(c.store, row.runId), (stepId) => keys.get(stepId));
}

async function effectsOfRun(c: LocalClientDeps, row: RunRow): Promise<EffectRecord[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.store.effects({ scope: c.scope, runId: row.runId, limit: pageMax, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
