// Schedules as rows of the store: one for each schedule, one for each due time, and one for each engine that says which schedules are in its
// code. A fire replaces the schedule's row and adds that of the due time, both by compare-and-swap, in the Commit that creates the run. So a
// due time is fired once, however many engines try. Rows are read here and turned into writes here; nothing here decides.
import { canonicalJson } from "../codec/canonical.ts";
import type { Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { runRowKey, scopedCollection } from "../store/keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvRow, KvWrite } from "../store/reader-store.ts";
import type { ScheduleTerms } from "./define.ts";
import type { FireView, ScheduleOrderView } from "./types.ts";

/** What a schedule says, as it was put last. */
export interface StoredTerms extends ScheduleTerms {
  readonly workflow: string;
  /** Encoded; null: none. `code`: a function of the due time, which engines have. */
  readonly input: { readonly value: string | null } | { readonly code: true };
}

export interface ScheduleRow extends StoredTerms {
  /** Of what it says: another one is another definition. */
  readonly digest: string;
  /** What an interval without `from` is counted from. */
  readonly anchor: number;
  /** The next due time as the engine that fired last computed it; null: it is over. */
  readonly next: number | null;
  /** The last due time that was dealt with: none before it is ever due again, even if a clock goes back. */
  readonly lastDue: number | null;
  readonly lastRun?: { readonly runId: string; readonly workflowId: string };
  readonly paused?: OrderRecord;
  /** How many due times were recorded. */
  readonly fires: number;
  /** What people asked of it last, newest first. */
  readonly orders: readonly (OrderRecord & { readonly order: ScheduleOrderView["order"] })[];
}
export interface OrderRecord {
  readonly at: number;
  readonly by?: string;
  readonly reason?: string;
}

export interface StoredSchedule {
  readonly row: ScheduleRow;
  readonly version: number;
}

/** One due time, or many that were missed at once. */
export interface FireRow {
  readonly due: number;
  readonly did: FireView["did"];
  readonly runId?: string;
  readonly because?: string;
  readonly before?: number;
}

/** So many records of due times are kept for a schedule. */
export const firesKept = 1_000;
const pageSize = 200;
const digits = 16;
/** Larger than every due time: what is newer has a smaller key, and is read first. */
const latest = 9_000_000_000_000_000;

const schedulesOf = (scope: Scope): string => scopedCollection("schedules", scope);
const firesOf = (scope: Scope): string => scopedCollection("schedule-fires", scope);
const codeOf = (scope: Scope): string => scopedCollection("schedule-code", scope);
const fireKey = (name: string, due: number): string => runRowKey(name, String(latest - due).padStart(digits, "0"));

export function termsDigest(t: StoredTerms): string {
  const { name, when, overlap, catchupMs, workflow, input } = t;
  return sha256Hex(canonicalJson({ name, when, overlap, catchupMs, workflow, input } as never));
}

/** The id of the run of one due time. */
export function runIdOf(name: string, due: number): string {
  return `${name}/${new Date(due).toISOString()}`;
}
/** Its start key: however often it is tried, it is one run. */
export function startKeyOf(name: string, due: number): string {
  return `sch/${name}/${due}`;
}

export function putSchedule(scope: Scope, row: ScheduleRow, expect: number): KvWrite {
  return { collection: schedulesOf(scope), key: runRowKey(row.name), value: JSON.stringify(row), expect };
}
/** Takes a schedule away, and keeps who asked for that, and what it was. */
export function dropSchedule(scope: Scope, s: StoredSchedule, by: OrderRecord, id: string): readonly KvWrite[] {
  const key = runRowKey(s.row.name);
  const value = JSON.stringify({ ...by, schedule: s.row });
  return [
    { collection: schedulesOf(scope), key, value: null, expect: s.version },
    { collection: scopedCollection("schedule-removed", scope), key: `${key}/${id}`, value },
  ];
}
export function putFire(scope: Scope, name: string, f: FireRow): KvWrite {
  return { collection: firesOf(scope), key: fireKey(name, f.due), value: JSON.stringify(f), expect: 0 };
}

export async function readSchedule(store: FullStore, scope: Scope, name: string): Promise<StoredSchedule | undefined> {
  const [row] = await store.kv.get(schedulesOf(scope), [runRowKey(name)]);
  return row === undefined ? undefined : parseSchedule(row);
}

export async function listSchedules(store: FullStore, scope: Scope): Promise<readonly StoredSchedule[]> {
  return (await readAll(store, schedulesOf(scope))).map(parseSchedule);
}

/** Newest first. */
export async function readFires(store: FullStore, scope: Scope, name: string, limit: number): Promise<readonly FireView[]> {
  const rows = await store.kv.list({ ...firesRange(scope, name), limit });
  return rows.map((r) => {
    const { due, before, ...f } = JSON.parse(r.value) as FireRow;
    return { due: toTimeText(due), ...f, ...(before === undefined ? {} : { before: toTimeText(before) }), at: toTimeText(r.at) };
  });
}

/** Those of the due times that have a record. */
export async function recordedDues(store: FullStore, scope: Scope, name: string, dues: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await store.kv.get(
    firesOf(scope),
    dues.map((due) => fireKey(name, due)),
  );
  return new Set(rows.map((r) => (JSON.parse(r.value) as FireRow).due));
}

/** Takes away the records of due times after the newest `keep`. */
export async function dropOldFires(store: FullStore, scope: Scope, name: string, keep: number): Promise<void> {
  const { collection, before, after: first } = firesRange(scope, name);
  let after = first;
  if (keep > 0) {
    const kept = await store.kv.list({ collection, after, before, limit: keep });
    if (kept.length < keep) return;
    after = kept.at(-1)!.key;
  }
  for (;;) {
    const rows = await store.kv.list({ collection, after, before, limit: pageSize });
    if (rows.length > 0) await store.kv.put(rows.map(({ key }) => ({ collection, key, value: null })));
    if (rows.length < pageSize) return;
  }
}

/** Which schedules are in the code of this engine, so that others can tell what left the code. */
export async function writeCode(store: FullStore, scope: Scope, engineId: string, names: readonly string[]): Promise<void> {
  await store.kv.put([{ collection: codeOf(scope), key: runRowKey(engineId), value: JSON.stringify(names) }]);
}

/** By engine; rows of engines that are not alive are taken away. */
export async function readCode(store: FullStore, scope: Scope, alive: readonly string[]): Promise<ReadonlySet<string>> {
  const keys = new Set(alive.map((id) => runRowKey(id)));
  const rows = await readAll(store, codeOf(scope));
  const gone = rows.filter((r) => !keys.has(r.key));
  if (gone.length > 0)
    await store.kv.put(gone.slice(0, pageSize).map(({ collection, key, version }) => ({ collection, key, value: null, expect: version })));
  return new Set(rows.filter((r) => keys.has(r.key)).flatMap((r) => JSON.parse(r.value) as string[]));
}

/** What a refused write found instead. */
export function foundSchedule(scope: Scope, rows: readonly KvRow[]): StoredSchedule | undefined {
  const row = rows.find((r) => r.collection === schedulesOf(scope));
  return row === undefined ? undefined : parseSchedule(row);
}

function firesRange(scope: Scope, name: string): { readonly collection: string; readonly after: string; readonly before: string } {
  // "0" is the character after "/": all due times of one name lie between the two.
  return { collection: firesOf(scope), after: `${runRowKey(name)}/`, before: `${runRowKey(name)}0` };
}

function parseSchedule(r: KvRow): StoredSchedule {
  return { row: JSON.parse(r.value) as ScheduleRow, version: r.version };
}

async function readAll(store: FullStore, collection: string): Promise<KvRow[]> {
  const found: KvRow[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.key) {
    const rows = await store.kv.list({ collection, ...(after === undefined ? {} : { after }), limit: pageSize });
    found.push(...rows);
    if (rows.length < pageSize) return found;
  }
}
