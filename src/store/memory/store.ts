// The memory store: the executable specification of the port. Plain code over plain maps; the other stores are compared
// with it, answer by answer. Each verb is one synchronous step, so it is atomic, and many engines of one thread may
// share one state. It forgets everything with the process and says so in its capabilities.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { batchCrashPoints, hintsOfBatch, sqlCapabilities } from "../batch-rules.ts";
import { encodeEffectCursor, decodeEffectCursor, decodeCursor, scopeKey } from "../keys.ts";
import { type FullStore, refuseSql } from "../full-store.ts";
import type { Capabilities, Commit, CommitAnswer, EffectQuery, EffectRecord, Renewal, RunQuery, RunRow, StoreInfo } from "../port.ts";
import { headsOf, ledgerOneByOne, payloadsOneByOne, reusedOneByOne } from "../one-by-one.ts";
import { areUnusual, isFiltered, isInOrder, matchesQuery, runsPage, scanMaxDefault, scanOrder } from "../run-scan.ts";
import { checkEffectQuery, checkEngine, checkPost, checkQuery, checkText, refusalReason } from "../check-text.ts";
import { memoryArchive } from "./archive.ts";
import { memoryAudit } from "./audit.ts";
import { claim, ownedRuns } from "./claim.ts";
import { declareDead, registerEngine, renew } from "./engines.ts";
import { applyCommit } from "./commit.ts";
import { post, readInbox } from "./inbox.ts";
import { memoryFeed } from "./feed.ts";
import { memoryKv } from "./kv.ts";
import { memoryQueues } from "./queues.ts";
import { copyEngine, copyRun, latestRun, type MemoryState, memoryState, scopedKey } from "./state.ts";

export interface MemoryOptions {
  /** For tests of whatever a lesser store cannot do. */
  readonly capabilities?: Partial<Capabilities>;
  /** Several stores over one state are to each other what several connections to one database are. */
  readonly state?: MemoryState;
}

/** A store in memory: the specification that every other store is compared with. For tests. */
export function memoryStore(platform: Platform, o: MemoryOptions = {}): FullStore {
  const s = o.state ?? memoryState(platform);
  const capabilities: Capabilities = { ...sqlCapabilities, persistence: "volatile", sql: false, ...o.capabilities };
  const crashPointsOf = batchCrashPoints(platform);
  let closed = false;
  const leave = new Set<() => void>();
  /** The store's clock, and the gate of every verb. */
  const now = (): number => {
    if (closed) throw new PawlError("PAWL3009", "the memory store is closed");
    return Math.floor(platform.uptimeMs() + s.clockOffset);
  };

  return {
    name: "memory",
    capabilities: () => capabilities,
    async info(): Promise<StoreInfo> {
      const nowMs = now();
      const identity = `memory:${s.storeId}`;
      const engines = [...s.engines.values()].map(copyEngine).sort((a, b) => (a.engineId < b.engineId ? -1 : 1));
      const format = { format: 8, oldestReader: 1, oldestWriter: 8, incarnation: 1 };
      return { storeId: s.storeId, ...format, identity, identityRecorded: identity, unsafe: [], nowMs, engines };
    },
    async registerEngine(e) {
      checkEngine(e);
      registerEngine(s, e, now());
    },
    async renew(r) {
      return renew(s, r, now());
    },
    async declareDead(q) {
      return declareDead(s, q, now());
    },
    async claim(q) {
      checkText("claim", q.engineId, q.runId, ...q.tokens);
      const claimed = claim(s, q, now());
      if (claimed.length > 0) platform.hit("engine:claim");
      return claimed;
    },
    async ownedRuns(q) {
      return ownedRuns(s, q);
    },
    async commit(batch: readonly Commit[], renewal?: Renewal) {
      const at = now();
      const points = crashPointsOf(batch);
      points.before();
      const answers = batch.map((c): CommitAnswer => {
        const reason = refusalReason(c);
        return reason === null ? applyCommit(s, c, at) : { kind: "refused", reason };
      });
      const renewed = renewal === undefined ? null : renew(s, renewal, at);
      points.after();
      s.hints.emit(hintsOfBatch(batch, answers, s.hints.wantsEvents));
      return { answers, renewal: renewed };
    },
    lacks: ["transactions"],
    async transact() {
      now();
      return refuseSql("memory");
    },
    async post(p) {
      const at = now();
      checkPost(p);
      // W-076: without conditional writes there is no insert-or-read, and nothing else will do.
      if (!capabilities.conditionalBatch) throw new PawlError("PAWL3006", "memory: idempotent delivery needs conditionalBatch");
      platform.hit("engine:post");
      const answer = post(s, p, at);
      platform.hit("engine:posted");
      if (answer.kind === "accepted" && !answer.replayed) s.hints.emit([{ kind: "inbox", runId: answer.record.runId }]);
      return answer;
    },
    async inbox(q) {
      now();
      return readInbox(s, q);
    },
    async run(q) {
      now();
      const row =
        "runId" in q
          ? s.runs.get(q.runId)
          : "workflowId" in q
            ? latestRun(s, q.scope, q.workflowId)
            : s.runs.get(s.startKeys.get(scopedKey(q.scope, q.idempotencyKey)) ?? "");
      return row === undefined ? undefined : copyRun(row);
    },
    heads(runIds) {
      return headsOf(this, runIds);
    },
    payloadsAt(places) {
      return payloadsOneByOne(this, places);
    },
    reusedKeys(q) {
      return reusedOneByOne(this, q);
    },
    ledgerParts(q) {
      return ledgerOneByOne(this, q);
    },
    async runs(q) {
      now();
      checkQuery(q);
      return listRuns(s, q);
    },
    async events(q) {
      now();
      const events = s.logs.get(q.runId)?.events ?? [];
      if ("after" in q)
        return events
          .filter((e) => e.runSeq > q.after)
          .slice(0, q.limit)
          .map((e) => ({ ...e }));
      const wanted = new Set<string | number>("runSeqs" in q ? q.runSeqs : "idempotencyKey" in q ? [q.idempotencyKey] : q.idempotencyKeys);
      return events.filter((e) => wanted.has("runSeqs" in q ? e.runSeq : e.idempotencyKey)).map((e) => ({ ...e }));
    },
    async views(runId) {
      now();
      return Object.fromEntries([...(s.views.get(runId) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    async effects(q) {
      now();
      checkEffectQuery(q);
      return listEffects(s, q);
    },
    async checkpoint(q) {
      now();
      const all = s.checkpoints.get(q.runId) ?? [];
      const found = all.filter((c) => q.stepId === undefined || c.stepId === q.stepId).toSorted((a, b) => b.stepId - a.stepId)[0];
      return found === undefined ? undefined : { ...found };
    },
    async snapshots(q) {
      now();
      const all = (s.snapshots.get(q.runId) ?? []).filter((x) => q.upTo === undefined || x.at <= q.upTo);
      return all.slice(0, q.limit).map((x) => ({ ...x }));
    },
    queues: memoryQueues(s, platform, now),
    kv: memoryKv(s, now),
    feed: memoryFeed(s, now),
    audit: memoryAudit(s, now),
    archive: memoryArchive(s, platform, now),
    watch(listener, watching) {
      now();
      const off = s.hints.add(listener, watching);
      leave.add(off);
      return () => {
        off();
        leave.delete(off);
      };
    },
    async close() {
      closed = true;
      for (const off of leave) off();
      leave.clear();
    },
  };
}

function listRuns(s: MemoryState, q: RunQuery): Awaited<ReturnType<FullStore["runs"]>> {
  const scope = scopeKey(q.scope);
  const after = q.cursor === undefined ? undefined : decodeCursor(q.cursor);
  const order = scanOrder(q, areUnusual);
  const isNext = (r: RunRow): boolean =>
    scopeKey(r.scope) === scope &&
    isInOrder(q, order, r) &&
    (after === undefined || r.createdAt < after.createdAt || (r.createdAt === after.createdAt && r.runId < after.runId));
  const rows = [...s.runs.values()].filter(isNext);
  rows.sort((a, b) => b.createdAt - a.createdAt || (a.runId < b.runId ? 1 : -1));
  const end = isFiltered(q, order) ? rows[Math.max(1, q.scanMax ?? scanMaxDefault) - 1] : undefined;
  const looked = end === undefined ? rows : rows.slice(0, rows.indexOf(end) + 1);
  return runsPage(looked.filter((r) => matchesQuery(q, r)).map(copyRun), q.limit, end);
}

function listEffects(s: MemoryState, q: EffectQuery): { effects: EffectRecord[]; cursor?: string } {
  const scope = scopeKey(q.scope);
  const after = q.cursor === undefined ? undefined : decodeEffectCursor(q.cursor);
  const matches = (e: EffectRecord): boolean =>
    scopeKey(e.scope) === scope &&
    (q.key === undefined || e.key === q.key) &&
    (q.name === undefined || e.name === q.name) &&
    (q.receiver === undefined || e.receiver === q.receiver) &&
    (q.worker === undefined || e.worker === q.worker) &&
    (q.stepId === undefined || e.stepId === q.stepId) &&
    (q.workflowId === undefined || s.runs.get(e.runId)?.workflowId === q.workflowId) &&
    (q.class === undefined || e.class === q.class) &&
    (q.status === undefined || e.status === q.status) &&
    (q.phase === undefined || e.phase === q.phase) &&
    (after === undefined || e.runId < after.runId || (e.runId === after.runId && e.seq > after.seq));
  const ledgers = q.runId === undefined ? [...s.effects.values()] : [s.effects.get(q.runId) ?? new Map<number, EffectRecord>()];
  const found = ledgers.flatMap((l) => [...l.values()]).filter(matches);
  found.sort((a, b) => (a.runId === b.runId ? a.seq - b.seq : a.runId < b.runId ? 1 : -1));
  const effects = found.slice(0, q.limit).map((e) => ({ ...e, scope: { ...e.scope } }));
  const last = effects.at(-1);
  return found.length > q.limit && last !== undefined ? { effects, cursor: encodeEffectCursor(last) } : { effects };
}
