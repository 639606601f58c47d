// Retention: which runs are old enough for which stage, walked page by page, one short transaction per run with a rest after
// each, so that an engine on the same store is never held up. It keeps no state: stopped or killed anywhere, the next pass
// finds what is left, and several at once only find less to do. What nothing may lose is checked by the store (archive.ts).
import { durationMs, type Duration } from "../../core/duration.ts";
import { isSettled, type RunStatus, type Scope } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { SealKey } from "../../log/seal-key-file.ts";
import type { Platform } from "../../platform/platform.ts";
import { Watermarks } from "../../readers/watermarks.ts";
import type { KeptReason, PruneAnswer, PruneQuery, PruneStage } from "../../store/archive.ts";
import { encodeCursor } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import { forgetForks, isForkSource } from "./fork-sources.ts";
import { recordRetiredSeals, sealPayloads } from "./retired-seals.ts";

/** How long each part of a run is kept after its end, and after that of the run at the top of its family; absent = for ever. */
export interface RetentionPolicy {
  /** Inputs, results, errors, messages, views. What is left still proves the order and the times of what happened. */
  readonly keepPayloads?: Duration;
  /** The log and the ledger. */
  readonly keepRuns?: Duration;
  /** What tells a late duplicate of a start or a message from a new one. */
  readonly keepKeys?: Duration;
}

export interface RetentionReport {
  readonly looked: number;
  readonly expired: number;
  readonly purged: number;
  readonly forgotten: number;
  /** Old enough, and kept: how many for which reason. */
  readonly kept: Readonly<Partial<Record<KeptReason, number>>>;
}

export interface PassOptions {
  readonly store: FullStore;
  readonly scope: Scope;
  readonly platform: Platform;
  readonly policy: RetentionPolicy;
  readonly dryRun?: boolean;
  /** Beside an engine: longer rests, and nothing that would keep a process alive. */
  readonly background?: boolean;
  readonly onProgress?: (r: RetentionReport) => void;
  readonly stopped?: () => boolean;
  /** Signs for the sealed logs that it removes; without it they are kept. */
  readonly sealKey?: SealKey | null;
}

/** The collection of holds, and the key of a run in it. */
export const holdShelf = "hold";
export function holdKey(runId: string): string {
  return encodeURIComponent(runId);
}

const settled: readonly RunStatus[] = ["COMPLETED", "FAILED", "CANCELLED"];
const pageSize = 100;
const payloadsAtOnce = 500;
/** Families deeper than this are looked at as if they ended here; nothing makes such. */
const depthMax = 1_000;

export function retentionMs(p: RetentionPolicy): { payloads: number; runs: number; keys: number } {
  const ms = (d: Duration | undefined, what: string): number => (d === undefined ? Number.POSITIVE_INFINITY : durationMs(d, what));
  const runs = ms(p.keepRuns, "keepRuns");
  const given = { payloads: Math.min(ms(p.keepPayloads, "keepPayloads"), runs), runs, keys: ms(p.keepKeys, "keepKeys") };
  if (p.keepPayloads !== undefined && durationMs(p.keepPayloads, "keepPayloads") > runs)
    throw new PawlError("PAWL5001", "keepPayloads is longer than keepRuns: a payload cannot outlive its log");
  if (given.keys < runs) throw new PawlError("PAWL5001", "keepKeys must not be shorter than keepRuns: the keys protect the runs");
  return given;
}

export async function retentionPass(o: PassOptions): Promise<RetentionReport> {
  const keep = retentionMs(o.policy);
  const done = { looked: 0, expired: 0, purged: 0, forgotten: 0, kept: {} as Partial<Record<KeptReason, number>> };
  const { nowMs, storeId } = await o.store.info();
  const shortest = Math.min(keep.payloads, keep.runs, keep.keys);
  if (!Number.isFinite(shortest)) return done;
  const families = new Families(o.store);
  // A run ends after it was created: one that was created later than this is not old enough.
  let cursor: string | undefined = encodeCursor({ createdAt: nowMs - shortest + 1, runId: "" });
  while (cursor !== undefined && o.stopped?.() !== true) {
    const page: Awaited<ReturnType<FullStore["runs"]>> = await o.store.runs({ scope: o.scope, status: settled, limit: pageSize, cursor });
    const readers = (await o.store.feed.consumers(o.scope)).map(({ name }) => new Watermarks(o.store, { scope: o.scope, name }));
    for (const run of page.runs) {
      if (o.stopped?.() === true) break;
      done.looked++;
      await pruneRun({ ...o, readers, storeId }, keep, nowMs, families, run, done);
    }
    o.onProgress?.(done);
    cursor = page.cursor;
  }
  return done;
}

/** With the accounts of those who read along. */
type Pass = PassOptions & { readonly readers: readonly Watermarks[]; readonly storeId: string };
type Counts = { -readonly [K in keyof RetentionReport]: RetentionReport[K] } & { kept: Partial<Record<KeptReason, number>> };

async function pruneRun(
  o: Pass,
  keep: ReturnType<typeof retentionMs>,
  nowMs: number,
  families: Families,
  run: RunRow,
  done: Counts,
): Promise<void> {
  const stages = stagesOf(run, keep, nowMs);
  if (stages.length === 0) return;
  const above = await families.above(run);
  for (const [stage, keepMs] of stages) {
    const because = familyKeeps(above, nowMs - keepMs);
    const answer: PruneAnswer = because === null ? await pruneStage(o, run, stage, nowMs - keepMs, above) : { kind: "kept", because };
    if (answer.kind === "kept") {
      if (answer.because !== "done" && answer.because !== "missing") done.kept[answer.because] = (done.kept[answer.because] ?? 0) + 1;
      return;
    }
    if (stage === "expire") done.expired++;
    else if (stage === "purge") {
      done.purged++;
      if (o.dryRun !== true) await forgetForks(o.store, run.runId);
    } else done.forgotten++;
  }
}

/** What is due of it, in order: a log that goes at once needs no tombstones first. */
function stagesOf(run: RunRow, keep: ReturnType<typeof retentionMs>, nowMs: number): [PruneStage, number][] {
  const age = nowMs - run.persistedAt;
  const stages: [PruneStage, number][] = [];
  if (run.purgedAt === null && age >= keep.runs) stages.push(["purge", keep.runs]);
  else if (run.purgedAt === null && mayHavePayloads(run) && age >= keep.payloads) stages.push(["expire", keep.payloads]);
  if (age >= keep.keys) stages.push(["forget", keep.keys]);
  return stages;
}

/** Of a run that one transaction does not empty some may be left; so may those of events that producers appended afterwards. */
function mayHavePayloads(run: RunRow): boolean {
  return run.expiredAt === null || run.headSeq > payloadsAtOnce || run.persistedAt > run.expiredAt;
}

/** A family is kept together until the run at its top has ended, and counts its age from there. */
function familyKeeps(above: readonly RunRow[], endedBefore: number): KeptReason | null {
  if (above.some((r) => !isSettled(r.status))) return "open";
  return above.some((r) => r.persistedAt > endedBefore) ? "young" : null;
}

async function pruneStage(o: Pass, run: RunRow, stage: PruneStage, endedBefore: number, above: readonly RunRow[]): Promise<PruneAnswer> {
  const unlessHeld = { collection: holdShelf, keys: [run, ...above].map((r) => holdKey(r.runId)) };
  const query = { runId: run.runId, stage, endedBefore, unlessHeld, limit: payloadsAtOnce };
  if (stage !== "forget" && (await isForkSource(o.store, o.scope, run))) return { kind: "kept", because: "open" };
  if (stage !== "forget" && o.readers.length > 0) {
    // A run that a reader holds back has left the feed: its account is read after the feed, so that none slips from one to the other.
    const asked = await o.store.archive.prune({ ...query, dryRun: true });
    if (asked.kind === "kept") return asked;
    if (await isHeldByReader(o.readers, run.runId)) return { kind: "kept", because: "awaited" };
  }
  const dry = o.dryRun === true;
  if (stage === "purge") {
    const kept = await signSeals(o, run, query);
    if (kept !== null) return kept;
  }
  for (;;) {
    const began = o.platform.monotonicMs();
    const answer = await o.store.archive.prune({ ...query, dryRun: dry });
    if (!dry) await pauseAfterWork(o, o.platform.monotonicMs() - began);
    if (answer.kind === "kept" || !answer.more || o.stopped?.() === true) return answer;
  }
}

/** The seals of a log that goes are put on record first, under the key; what nobody can sign for stays. */
async function signSeals(o: Pass, run: RunRow, query: PruneQuery): Promise<PruneAnswer | null> {
  const seals = await sealPayloads(o.store, run);
  if (seals.length === 0) return null;
  const asked = await o.store.archive.prune({ ...query, dryRun: true });
  if (asked.kind === "kept") return asked;
  const key = o.sealKey ?? null;
  if (key !== null && (o.dryRun === true || (await recordRetiredSeals(o.store, o.storeId, key, seals)))) return null;
  return { kind: "kept", because: "sealed" };
}

/** A reader could not handle an event of it yet, and will try again. */
async function isHeldByReader(readers: readonly Watermarks[], runId: string): Promise<boolean> {
  for (const r of readers) if (((await r.read([runId])).get(runId)?.heldUntil ?? null) !== null) return true;
  return false;
}

/** At least as long a rest as the work before it: others come in between. */
function pauseAfterWork(o: PassOptions, tookMs: number): Promise<void> {
  const ms = Math.max(1, tookMs * (o.background === true ? 4 : 1));
  return new Promise((resolve) => void o.platform.timer(ms, resolve, o.background !== true));
}

/** The runs above a run: who called it, who called that one. Settled for good once they are, so they are looked up once. */
class Families {
  readonly #store: FullStore;
  readonly #known = new Map<string, RunRow>();

  constructor(store: FullStore) {
    this.#store = store;
  }

  async above(run: RunRow): Promise<RunRow[]> {
    const all: RunRow[] = [];
    for (let id = run.parentRunId; id !== null && all.length < depthMax;) {
      const row: RunRow | undefined = this.#known.get(id) ?? (await this.#store.run({ runId: id }));
      if (row === undefined) break;
      if (this.#known.size >= depthMax) this.#known.clear();
      if (isSettled(row.status)) this.#known.set(id, row);
      all.push(row);
      id = row.parentRunId;
    }
    return all;
  }
}
