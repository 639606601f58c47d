// The ledger as a client sees it, and what follows from it: records of effects with the contract's field names (W-012 …
// W-021), and the proof of a run or of a key. The log is the truth; a record's result is read from the event it names.
import { revive } from "../../codec/value.ts";
import { effectPhases, effectStatuses, guaranteeClasses } from "../../core/model.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import { verifyChain } from "../../events/hash-chain.ts";
import { withCauses } from "../../events/causes.ts";
import { effectHistories, type EffectHistory } from "../../events/effect-history.ts";
import { toTimeText } from "../../events/envelope.ts";
import { readPayload, type StepCompletedPayload } from "../../events/payload.ts";
import { countText } from "../../events/key-count.ts";
import { proofOf, type Proof, type ProofRun } from "../../events/proof.ts";
import { effectKey } from "../../store/keys.ts";
import type { EffectRecord, EventRecord, RunRow } from "../../store/port.ts";
import { listRunChain } from "./run-chain-runs.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { checkLimit, filterMark, markedCursor, placeOf } from "../lists/list-cursor.ts";
import { requirePayloads } from "../archive/availability.ts";
import type { EffectFilter, EffectView } from "../types.ts";

export async function readEffectPage(c: LocalClientDeps, q: EffectFilter = {}): Promise<{ effects: EffectView[]; cursor?: string }> {
  const { limit: asked, cursor, ...filter } = q;
  const limit = checkLimit(asked, 50);
  checkWord("status", q.status, effectStatuses);
  checkWord("phase", q.phase, effectPhases);
  checkWord("class", q.class, guaranteeClasses);
  const mark = filterMark(c.scope, "effects", filter);
  const from = cursor === undefined ? {} : { cursor: placeOf(cursor, mark) };
  const page = await c.store.effects({ scope: c.scope, limit, ...filter, ...from });
  const keys = new Set(page.effects.flatMap((e) => e.key ?? []));
  const reused = new Set(await c.store.reusedKeys({ scope: c.scope, keys: [...keys] }));
  const ends = await recordedEnds(c, page.effects);
  const effects = page.effects.map((e) => effectView(e, e.key !== null && reused.has(e.key), ends.get(`${e.runId}:${e.seq}`)));
  return { effects, ...(page.cursor === undefined ? {} : { cursor: markedCursor(mark, page.cursor) }) };
}

function checkWord(what: string, given: unknown, known: readonly string[]): void {
  if (given !== undefined && !(known as readonly unknown[]).includes(given))
    throw new PawlError("PAWL4011", `${what}: ${JSON.stringify(given)} is none of ${known.join(", ")}`);
}

function effectView(e: EffectRecord, reused: boolean, end: RecordedEnd | undefined): EffectView {
  const result = end?.result;
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
    ...(e.worker === null ? {} : { worker: e.worker }),
    ...(end?.claimedAt === undefined ? {} : { durationMs: Math.max(0, e.updatedAt - end.claimedAt) }),
    ...(reused ? { argumentsDiffer: true } : {}),
  };
}

/** What the event that a record names says of its end: the result, and since when a worker had it. */
interface RecordedEnd {
  readonly result?: unknown;
  readonly claimedAt?: number;
}

/** Of those that completed or that somebody ran from a queue, by effectId. */
async function recordedEnds(c: LocalClientDeps, effects: readonly EffectRecord[]): Promise<ReadonlyMap<string, RecordedEnd>> {
  const completed = (e: EffectRecord): boolean => e.status === "completed" && e.error === null;
  const wanted = effects.filter((e) => completed(e) || e.worker !== null);
  const found = await c.store.payloadsAt(wanted.map((e) => ({ runId: e.runId, runSeq: e.eventSeq })));
  const payloads = new Map(found.map((p) => [`${p.runSeq}/${p.runId}`, p.payload]));
  const ends = new Map<string, RecordedEnd>();
  for (const e of wanted) {
    const payload = payloads.get(`${e.eventSeq}/${e.runId}`) ?? null;
    const { result, claimedAt } = readPayload<StepCompletedPayload>(payload);
    ends.set(`${e.runId}:${e.seq}`, {
      ...(result === undefined || !completed(e) ? {} : { result: revive(result) }),
      ...(typeof claimedAt === "number" ? { claimedAt } : {}),
    });
  }
  return ends;
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

export async function effectsOfKey(c: LocalClientDeps, key: string): Promise<EffectRecord[]> {
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
      const histories = row.origin === "external" ? [] : withCauses(effectHistories(events).filter(wanted), events);
      const brokenChain = brokenChainAt(row, events);
      // K24: across operations the same key with other arguments is shown, not refused.
      const unknown = [...new Set(histories.flatMap((h) => h.key ?? []))].filter((key) => !reused.has(key));
      const twice = new Set(await c.store.reusedKeys({ scope: c.scope, keys: unknown }));
      for (const key of unknown) {
        reused.set(key, twice.has(key));
        const others = await sharedKeyReason(c, key);
        if (others !== null) shared.set(key, others);
      }
      const keys = new Set([...reused].flatMap(([key, again]) => (again ? [key] : [])));
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
