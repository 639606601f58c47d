// The ledger as a client sees it, and what follows from it: records of effects with the contract's field names (W-012 …
// W-021), and the proof of a run or of a key. The log is the truth; a record's result is read from the event it names.
import { revive } from "../codec/value.ts";
import { readEvents } from "../engine/load.ts";
import { PawlError } from "../errors/error.ts";
import { verifyChain } from "../log/chain.ts";
import { effectStories, type EffectStory } from "../log/effect-story.ts";
import { timeText } from "../log/envelope.ts";
import { readPayload, type StepCompletedPayload } from "../log/payload.ts";
import { proofOf, type Proof, type ProofRun } from "../log/proof.ts";
import { effectKey } from "../store/keys.ts";
import type { EffectRecord, RunRow } from "../store/port.ts";
import type { LocalContext } from "./local.ts";
import { withPayloads } from "./removed.ts";
import type { EffectFilter, EffectView } from "./types.ts";

export async function listEffects(c: LocalContext, q: EffectFilter = {}): Promise<{ effects: EffectView[]; cursor?: string }> {
  const { limit = 50, ...rest } = q;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  const page = await c.store.effects({ scope: c.scope, limit, ...rest });
  const reused = new Map<string, boolean>();
  const effects: EffectView[] = [];
  for (const e of page.effects) {
    if (e.key !== null && !reused.has(e.key)) reused.set(e.key, await isReused(c, e.key));
    effects.push(await effectView(c, e, e.key !== null && reused.get(e.key) === true));
  }
  return { effects, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
}

/** K24: across operations the same key with other arguments is shown, not refused. */
async function isReused(c: LocalContext, key: string): Promise<boolean> {
  const { effects } = await c.store.effects({ scope: c.scope, key, limit: 100 });
  return new Set(effects.map((e) => e.argsDigest)).size > 1;
}

async function effectView(c: LocalContext, e: EffectRecord, reused: boolean): Promise<EffectView> {
  const result = e.status === "completed" && e.error === null ? await resultOf(c, e) : undefined;
  const error = e.error === null ? undefined : (JSON.parse(e.error) as EffectView["error"]);
  return {
    effectId: `${e.runId}:${e.seq}`,
    version: e.version,
    workflowId: e.workflowId,
    "activityName": e.name,
    operationId: `${e.runId}/${e.stepId}`,
    ...(e.key === null ? {} : { idempotencyKey: e.key }),
    storageKey: effectKey(e),
    status: e.status,
    phase: e.phase,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    createdAt: timeText(e.createdAt),
    updatedAt: timeText(e.updatedAt),
    runId: e.runId,
    stepId: e.stepId,
    class: e.class,
    attempts: e.attempts,
    engineAttempts: e.engineAttempts,
    ...(e.argsDigest === null ? {} : { argsDigest: e.argsDigest }),
    ...(e.receiver === null ? {} : { receiver: e.receiver }),
    ...(reused ? { argumentsDiffer: true } : {}),
  };
}

async function resultOf(c: LocalContext, e: EffectRecord): Promise<unknown> {
  const [event] = await c.store.events({ runId: e.runId, after: e.eventSeq - 1, limit: 1 });
  const { result } = readPayload<StepCompletedPayload>(event?.payload ?? null);
  return result === undefined ? undefined : revive(result);
}

/** Of a run; else of every effect under this key. */
export async function prove(c: LocalContext, id: string, row: RunRow | undefined): Promise<Proof> {
  if (row !== undefined) return proofOf(await storeOf(c), [await proofRun(c, row, () => true)], row.workflowId);
  const { effects } = await c.store.effects({ scope: c.scope, key: id, limit: 1_000 });
  if (effects.length === 0) throw new PawlError("PAWL4001", `there is no run and no effect ${id}`, { data: { id } });
  const runs: ProofRun[] = [];
  for (const runId of new Set(effects.map((e) => e.runId))) {
    const own = await c.store.run({ runId });
    const steps = new Set(effects.filter((e) => e.runId === runId).map((e) => e.stepId));
    if (own !== undefined) runs.push(await proofRun(c, own, (s) => steps.has(s.stepId)));
  }
  return proofOf(await storeOf(c), runs, `key ${id}`);
}

async function proofRun(c: LocalContext, row: RunRow, wanted: (s: EffectStory) => boolean): Promise<ProofRun> {
  const events = await readEvents(c.store, withPayloads(row).runId);
  const stories = row.origin === "external" ? [] : effectStories(events).filter(wanted);
  const chain = verifyChain({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version }, events);
  const reused = new Set<string>();
  for (const s of stories) if (s.key !== undefined && !reused.has(s.key) && (await isReused(c, s.key))) reused.add(s.key);
  return { runId: row.runId, stories, brokenChain: chain.ok ? null : `event ${chain.runSeq}`, reused };
}

async function storeOf(c: LocalContext): Promise<Parameters<typeof proofOf>[0]> {
  const info = await c.store.info();
  return {
    name: c.store.name,
    durable: c.store.capabilities().persistence === "durable",
    unsafe: info.unsafe,
    moved: info.identity !== info.identityRecorded,
    incarnation: info.incarnation,
  };
}
