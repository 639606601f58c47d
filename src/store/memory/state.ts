// What the memory store holds: plain maps, one per table of the SQL stores. Several stores may be opened over one state,
// as several connections are over one file. Rows are replaced, never changed in place, and copied on the way out.
import type { Platform } from "../../platform/platform.ts";
import { Hints } from "../hints.ts";
import { scopeKey } from "../keys.ts";
import type {
  AcceptedRecord,
  CheckpointRecord,
  DispatchRow,
  EffectRecord,
  EngineRow,
  EventRecord,
  InboxRow,
  RunRow,
  SnapshotRecord,
} from "../port.ts";
import type { KvRow } from "../reader-store.ts";
import type { Scope } from "../../core/model.ts";
import type { MemoryConsumer } from "./feed.ts";
import type { MemoryQueue } from "./queues.ts";

/** One log: the events in runSeq order and the two uniqueness rules over them (P-12). */
export interface Log {
  readonly events: EventRecord[];
  readonly seqs: Set<number>;
  readonly keys: Set<string>;
}

/** An inbox row and the key that makes it insert-or-nothing; null once a later message may take the key (W-081). */
export interface InboxItem {
  readonly row: InboxRow;
  readonly dedupKey: string | null;
}

export interface MemoryState {
  readonly storeId: string;
  /** The store's time minus the machine's uptime: nobody can set it. */
  readonly clockOffset: number;
  readonly runs: Map<string, RunRow>;
  /** The ids of unsettled runs: what a claim looks at. */
  readonly unsettled: Set<string>;
  /** Run ids of one workflowId, in order of generation. */
  readonly generations: Map<string, string[]>;
  readonly startKeys: Map<string, string>;
  readonly logs: Map<string, Log>;
  readonly inbox: Map<number, InboxItem>;
  readonly inboxByRun: Map<string, Set<number>>;
  readonly dedup: Map<string, number>;
  readonly accepted: Map<string, AcceptedRecord>;
  readonly views: Map<string, Map<string, string>>;
  /** Those of one run, in the order they were written. */
  readonly checkpoints: Map<string, readonly CheckpointRecord[]>;
  /** The ledger: the records of one run by seq. */
  readonly effects: Map<string, Map<number, EffectRecord>>;
  readonly engines: Map<string, EngineRow>;
  readonly kv: Map<string, Map<string, KvRow>>;
  /** By scope and name, each with the feed rows that wait for it. */
  readonly consumers: Map<string, MemoryConsumer>;
  /** By scope and name. */
  readonly queues: Map<string, MemoryQueue>;
  readonly dispatches: Map<number, DispatchRow>;
  readonly dispatchesByRun: Map<string, readonly number[]>;
  /** Those of one run, newest first. */
  readonly snapshots: Map<string, readonly SnapshotRecord[]>;
  readonly hints: Hints;
  nextDispatchId: number;
  nextInboxId: number;
  nextFeedPosition: number;
}

export function memoryState(platform: Platform): MemoryState {
  return {
    storeId: platform.uuidV4(),
    clockOffset: platform.wallMs() - platform.uptimeMs(),
    runs: new Map(),
    unsettled: new Set(),
    generations: new Map(),
    startKeys: new Map(),
    logs: new Map(),
    inbox: new Map(),
    inboxByRun: new Map(),
    dedup: new Map(),
    accepted: new Map(),
    views: new Map(),
    checkpoints: new Map(),
    effects: new Map(),
    engines: new Map(),
    kv: new Map(),
    consumers: new Map(),
    queues: new Map(),
    dispatches: new Map(),
    dispatchesByRun: new Map(),
    snapshots: new Map(),
    hints: new Hints(),
    nextDispatchId: 1,
    nextInboxId: 1,
    nextFeedPosition: 1,
  };
}

export function scopedKey(scope: Scope, id: string): string {
  return `${scopeKey(scope)}/${encodeURIComponent(id)}`;
}

export function latestRun(s: MemoryState, scope: Scope, workflowId: string): RunRow | undefined {
  const last = s.generations.get(scopedKey(scope, workflowId))?.at(-1);
  return last === undefined ? undefined : s.runs.get(last);
}

export function logOf(s: MemoryState, runId: string): Log {
  let log = s.logs.get(runId);
  if (log === undefined) s.logs.set(runId, (log = { events: [], seqs: new Set(), keys: new Set() }));
  return log;
}

/** Rows of one run in inbox order. */
export function itemsOf(s: MemoryState, runId: string): InboxItem[] {
  const ids = [...(s.inboxByRun.get(runId) ?? [])].sort((a, b) => a - b);
  return ids.map((id) => s.inbox.get(id)).filter((i) => i !== undefined);
}

export function putItem(s: MemoryState, item: InboxItem): void {
  const before = s.inbox.get(item.row.inboxId);
  if (before !== undefined) {
    s.inboxByRun.get(before.row.runId)?.delete(before.row.inboxId);
    if (before.dedupKey !== null) s.dedup.delete(before.dedupKey);
  }
  s.inbox.set(item.row.inboxId, item);
  const ids = s.inboxByRun.get(item.row.runId) ?? new Set();
  s.inboxByRun.set(item.row.runId, ids.add(item.row.inboxId));
  if (item.dedupKey !== null) s.dedup.set(item.dedupKey, item.row.inboxId);
}

export function copyRun(r: RunRow): RunRow {
  return { ...r, scope: { ...r.scope }, fence: { ...r.fence }, tags: { ...r.tags } };
}

export function copyEngine(e: EngineRow): EngineRow {
  const works = e.works === undefined ? {} : { works: structuredClone(e.works) };
  return { ...e, serves: e.serves.map((s) => ({ ...s })), scope: e.scope === null ? null : { ...e.scope }, ...works };
}

/** The tables as they are now: rows are never changed in place, so only the collections are copied. */
export function snapshot(s: MemoryState): MemoryState {
  const copy = (l: Log): Log => ({ events: [...l.events], seqs: new Set(l.seqs), keys: new Set(l.keys) });
  return {
    ...s,
    runs: new Map(s.runs),
    unsettled: new Set(s.unsettled),
    generations: new Map(s.generations),
    startKeys: new Map(s.startKeys),
    logs: new Map([...s.logs].map(([k, l]) => [k, copy(l)])),
    inbox: new Map(s.inbox),
    inboxByRun: new Map([...s.inboxByRun].map(([k, ids]) => [k, new Set(ids)])),
    dedup: new Map(s.dedup),
    accepted: new Map(s.accepted),
    views: new Map([...s.views].map(([k, v]) => [k, new Map(v)])),
    checkpoints: new Map(s.checkpoints),
    effects: new Map([...s.effects].map(([k, v]) => [k, new Map(v)])),
    consumers: new Map([...s.consumers].map(([k, c]) => [k, { ...c, rows: new Map(c.rows) }])),
    kv: new Map([...s.kv].map(([k, rows]) => [k, new Map(rows)])),
    dispatches: new Map(s.dispatches),
    dispatchesByRun: new Map(s.dispatchesByRun),
    snapshots: new Map(s.snapshots),
  };
}

/** Takes everything back to a snapshot, in place: other stores hold the same state. */
export function restore(s: MemoryState, from: MemoryState): void {
  const refill = <K, V>(to: Map<K, V>, was: ReadonlyMap<K, V>): void => {
    to.clear();
    for (const [k, v] of was) to.set(k, v);
  };
  refill(s.runs, from.runs);
  refill(s.generations, from.generations);
  refill(s.startKeys, from.startKeys);
  refill(s.logs, from.logs);
  refill(s.inbox, from.inbox);
  refill(s.inboxByRun, from.inboxByRun);
  refill(s.dedup, from.dedup);
  refill(s.accepted, from.accepted);
  refill(s.views, from.views);
  refill(s.checkpoints, from.checkpoints);
  refill(s.effects, from.effects);
  refill(s.consumers, from.consumers);
  refill(s.kv, from.kv);
  refill(s.dispatches, from.dispatches);
  refill(s.dispatchesByRun, from.dispatchesByRun);
  refill(s.snapshots, from.snapshots);
  s.unsettled.clear();
  for (const id of from.unsettled) s.unsettled.add(id);
  s.nextInboxId = from.nextInboxId;
  s.nextDispatchId = from.nextDispatchId;
}
