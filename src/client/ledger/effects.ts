// The ledger as a client sees it, and what follows from it: records of effects with the contract's field names (W-012 …
// W-021), and the proof of a run or of a key. The log is the truth; a record's result is read from the event it names.
import { revive } from "../../codec/value.ts";
import { effectPhases, effectStatuses, guaranteeClasses } from "../../core/model.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import { verifyChain } from "../../events/hash-chain.ts";
import { effectHistories, type EffectHistory } from "../../events/effect-history.ts";
import { toTimeText } from "../../events/envelope.ts";
import { readPayload, type StepCompletedPayload } from "../../events/payload.ts";
import { countText } from "../../events/key-count.ts";
import { proofOf, type Proof, type ProofRun } from "../../events/proof.ts";
import { effectKey } from "../../store/keys.ts";
import type { EffectRecord, EventRecord, RunRow } from "../../store/port.ts";
import { listRunChain } from "./run-chain-runs.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { requirePayloads } from "../archive/availability.ts";
import type { EffectFilter, EffectView } from "../types.ts";

export async function readEffectPage(c: LocalClientDeps, q: EffectFilter = {}): Promise<{ effects: EffectView[]; cursor?: string }> {
  const { limit = 50, ...rest } = q;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  checkWord("status", q.status, effectStatuses);
  checkWord("phase", q.phase, effectPhases);
  checkWord("class", q.class, guaranteeClasses);
  const page = await c.store.effects({ scope: c.scope, limit, ...rest });
  const reused = new Map<string, boolean>();
  const effects: EffectView[] = [];
  for (const e of page.effects) {
    if (e.key !== null && !reused.has(e.key)) reused.set(e.key, await isKeyReused(c, e.key));
    effects.push(await effectView(c, e, e.key !== null && reused.get(e.key) === true));
  }
  return { effects, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) };
}

function checkWord(what: string, given: unknown, known: readonly string[]): void {
  if (given !== undefined && !(known as readonly unknown[]).includes(given))
    throw new PawlError("PAWL4011", `${what}: ${JSON.stringify(given)} is none of ${known.join(", ")}`);
}

/** K24: across operations the same key with other arguments is shown, not refused. */
async function isKeyReused(c: LocalClientDeps, key: string): Promise<boolean> {
  const { effects } = await c.store.effects({ scope: c.scope, key, limit: 100 });
  return new Set(effects.map((e) => e.argsDigest)).size > 1;
}

async function effectView(c: LocalClientDeps, e: EffectRecord, reused: boolean): Promise<EffectView> {
  const result = e.status === "completed" && e.error === null ? await effectResult(c, e) : undefined;
  const error = e.error === null ? undefined : (JSON.parse(e.error) as EffectView["error"]);
  return {
    effectId: `${e.runId}:${e.seq}`,
    version: e.version,
    workflowId: e.workflowId,
    activityName: e.name,
    operationId: `${e.runId}/${e.stepId}`,
    ...(e.key === null ? {} : { idempotencyKey: e.key }),
    storageKey: effectKey(e),
    status: e.status,
    phase: e.phase,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    createdAt: toTimeText(e.createdAt),
    updatedAt: toTimeText(e.updatedAt),
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

async function effectResult(c: LocalClientDeps, e: EffectRecord): Promise<unknown> {
  const [event] = await c.store.events({ runId: e.runId, after: e.eventSeq - 1, limit: 1 });
  const { result } = readPayload<StepCompletedPayload>(event?.payload ?? null);
  return result === undefined ? undefined : revive(result);
}

/** Of a run with its whole run chain; else of every effect under this key, each over the run chain that it belongs to. */
export async function proveId(c: LocalClientDeps, id: string, row: RunRow | undefined): Promise<Proof> {
  if (row !== undefined) {
    requirePayloads(row); // what is asked about must be there; what else is missing makes the proof say less
    const { runs, missing } = await listRunChain(c.store, row);
    const lost = missing.map((m) => m.runId);
    return proofOf(await proofStore(c), await proofRuns(c, runs, () => true), row.workflowId, lost);
  }
  const effects = await effectsOfKey(c, id);
  if (effects.length === 0) throw new PawlError("PAWL4001", `there is no run and no effect ${id}`, { data: { id } });
  const lines = new Map<string, ProofRun[]>();
  const lost: string[] = [];
  for (const runId of new Set(effects.map((e) => e.runId))) {
    const own = await c.store.run({ runId });
    if (own === undefined || lines.has(own.rootRunId)) continue;
    const { runs, missing } = await listRunChain(c.store, own);
    const steps = new Set(effects.map((e) => e.stepId));
    lines.set(own.rootRunId, await proofRuns(c, runs, (s) => s.key === id || (s.key === undefined && steps.has(s.stepId))));
    lost.push(...missing.map((m) => m.runId));
  }
  return proofOf(await proofStore(c), [...lines.values()].flat(), `key ${id}`, lost, id);
}

async function effectsOfKey(c: LocalClientDeps, key: string): Promise<EffectRecord[]> {
  const all: EffectRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await c.store.effects({ scope: c.scope, key, limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.effects);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

/** K24: what is to be said of a key that several operations used; a step counts once over all runs of its run chain. */
async function sharedKeyReason(c: LocalClientDeps, key: string): Promise<string | null> {
  const page = await c.store.effects({ scope: c.scope, key, limit: 100 });
  const operations = new Set<string>();
  const lines = new Map<string, string>();
  for (const { runId, stepId } of page.effects) {
    if (!lines.has(runId)) lines.set(runId, (await c.store.run({ runId }))?.rootRunId ?? runId);
    operations.add(JSON.stringify([lines.get(runId), stepId]));
  }
  if (operations.size < 2) return null;
  const many = `${page.cursor === undefined ? "" : "at least "}${operations.size} operations of ${countText(lines.size, "run")}`;
  return `its key ${key} was used by ${many}, and each is counted alone here: pawl proof ${key} counts the key`;
}

async function proofRuns(c: LocalClientDeps, runs: readonly RunRow[], wanted: (s: EffectHistory) => boolean): Promise<ProofRun[]> {
  const reused = new Map<string, boolean>();
  const shared = new Map<string, string>();
  return Promise.all(
    runs.map(async (row) => {
      const events = await readEvents(c.store, row.runId);
      const histories = row.origin === "external" ? [] : effectHistories(events).filter(wanted);
      const brokenChain = brokenChainAt(row, events);
      for (const { key } of histories) {
        if (key === undefined || reused.has(key)) continue;
        reused.set(key, await isKeyReused(c, key));
        const others = await sharedKeyReason(c, key);
        if (others !== null) shared.set(key, others);
      }
      const keys = new Set([...reused].flatMap(([key, twice]) => (twice ? [key] : [])));
      return { runId: row.runId, runChain: row.rootRunId, histories, brokenChain, reused: keys, shared };
    }),
  );
}

/** Null: the chain holds, up to the run's head. A run that moved has its log elsewhere. */
function brokenChainAt(row: RunRow, events: readonly EventRecord[]): string | null {
  const chain = verifyChain({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version }, events);
  if (!chain.ok) return `event ${chain.runSeq}`;
  const last = events.at(-1)?.runSeq ?? 0;
  return last < row.headSeq && row.origin !== "moved" ? `event ${last + 1} is missing` : null;
}

async function proofStore(c: LocalClientDeps): Promise<Parameters<typeof proofOf>[0]> {
  const info = await c.store.info();
  return {
    name: c.store.name,
    durable: c.store.capabilities().persistence === "durable",
    unsafe: info.unsafe,
    moved: info.identity !== info.identityRecorded,
    incarnation: info.incarnation,
  };
}
