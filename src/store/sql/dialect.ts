// What the databases do differently, for the verbs that are not on the path of a step: how tables and columns are called, how a
// transaction is run, what a row looks like. Those verbs are written once, over this (archive, audit, listings); statements write
// `?` for a value. Hot verbs never come here: each database has its own statements for them.
import type { RunStatus, Scope } from "../../core/model.ts";
import type { CopiedMessage } from "../archive.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, InboxRow, RunRow } from "../port.ts";
import type { KvRow } from "../reader-store.ts";
import { type ScanOrder, unusualStatuses } from "../run-scan.ts";

export type SqlParameter = string | number | boolean | null;
export type SqlRow = Readonly<Record<string, unknown>>;
export type QueryFn = (text: string, values?: readonly SqlParameter[]) => Promise<readonly SqlRow[]>;
type Table =
  | "runs"
  | "events"
  | "inbox"
  | "accepted"
  | "views"
  | "checkpoints"
  | "snapshots"
  | "effects"
  | "shelves"
  | "consumers"
  | "feed"
  | "dispatches";

/** Columns and their values for one value of the port, in one order. */
export interface Columns<T> {
  readonly names: string;
  readonly of: (value: T) => readonly SqlParameter[];
}

/** The record of an acceptance, as it comes in with its run. */
export interface AcceptedCopy {
  readonly runId: string;
  readonly inboxId: number;
  readonly key: string;
  readonly acceptedAt: number;
  readonly expiresAt: number | null;
  readonly response: string;
}

/** Each column with the value that it takes. */
export function columnsOf<T>(columns: Readonly<Record<string, (value: T) => SqlParameter>>): Columns<T> {
  const getters = Object.values(columns);
  return { names: Object.keys(columns).join(", "), of: (value) => getters.map((get) => get(value)) };
}

export interface Dialect {
  /** One statement that reads. `name`: of a text that is always the same, where the database can prepare it once. */
  read(text: string, values: readonly SqlParameter[], name?: string): Promise<readonly SqlRow[]>;
  /** One transaction, run again when others were in the way; the crash points are before and after the end of one that changed something. */
  transact<T>(body: (ask: QueryFn) => Promise<T>, changed: (value: T) => boolean): Promise<T>;
  /** The store's time inside a transaction. */
  nowMs(ask: QueryFn): Promise<number>;
  /** A table's full name. */
  table(name: Table): string;
  /** What keeps a row from everybody else until the transaction ends. */
  readonly forUpdate: string;
  /** The column of the inbox that makes a message one message, the same of accepted records, and what they hold for a key. */
  readonly dedupColumn: string;
  readonly acceptedKeyColumn: string;
  keyValue(key: string): SqlParameter;
  /** SHA-256 of a message's key, in hex, from what its column holds. */
  keyDigest(stored: string): string;
  /** What the columns of a scope and of a workflowId hold. */
  scopeValue(scope: string): SqlParameter;
  keyText(text: string): SqlParameter;
  readonly kvNames: string;
  readonly kvKeyColumn: string;
  readonly effectKeyColumn: string;
  /** Effects in doubt, written out as their index needs it. */
  readonly inDoubt: string;
  /** Whether `(a, b) < (?, ?)` is read as a range of an index. */
  readonly comparesRows: boolean;
  /** Where rows of one order are read from: the index that has it, where the database would not choose it by itself. */
  runsIndex(order: ScanOrder): string;
  /** Whether an index lists the runs of these statuses in order, and the condition under which it is used. */
  readonly listsStatuses: (statuses: readonly RunStatus[]) => boolean;
  ofStatuses(statuses: readonly RunStatus[]): { readonly text: string; readonly values: readonly SqlParameter[] };
  /** The scope, beside something that finds fewer rows: said so that no index on scopes is taken for the better one. */
  readonly scopeBeside: string;
  /** A run has this tag. */
  tag(key: string, value: string): { readonly text: string; readonly values: readonly SqlParameter[] };
  readonly runs: Columns<RunRow>;
  readonly events: Columns<{ readonly runId: string; readonly event: EventRecord }>;
  readonly inbox: Columns<{ readonly runId: string; readonly message: CopiedMessage; readonly wakes: boolean }>;
  readonly accepted: Columns<AcceptedCopy>;
  readonly checkpoints: Columns<CheckpointRecord>;
  readonly effects: Columns<EffectRecord>;
  toRun(r: SqlRow): RunRow;
  toEvent(r: SqlRow): EventRecord;
  toInbox(r: SqlRow): InboxRow;
  toCheckpoint(r: SqlRow): CheckpointRecord;
  /** Where the column of the scope may hold a hash, it is the one that was asked for. */
  toEffect(r: SqlRow, scope: Scope): EffectRecord;
  toKvRow(r: SqlRow): KvRow;
}

/** Where an index holds unusual runs only: the statement must say so in the same words. */
export const ofUnusual: { readonly text: string; readonly values: readonly SqlParameter[] } = {
  text: `status in (${unusualStatuses.map((s) => `'${s}'`).join(", ")})`,
  values: [],
};

const rowsAtOnce = 200;
const charsAtOnce = 1_000_000;

/** A statement as a database reads it that numbers its parameters. */
export function numbered(text: string): string {
  let n = 0;
  return text.replaceAll("?", () => `$${++n}`);
}

export const marks = (values: readonly unknown[]): string => values.map(() => "?").join(", ");

export async function lockRun(d: Dialect, ask: QueryFn, runId: string): Promise<RunRow | undefined> {
  const [row] = await ask(`select ${d.runs.names} from ${d.table("runs")} where run_id = ?${d.forUpdate}`, [runId]);
  return row === undefined ? undefined : d.toRun(row);
}

/** Text, whichever way the driver gives it: some give bytes. */
export function textValue(v: unknown): string {
  return typeof v === "string" ? v : (v as Uint8Array).toString();
}

export async function insertRows<T>(d: Dialect, ask: QueryFn, table: Table, c: Columns<T>, values: readonly T[]): Promise<void> {
  for (const rows of rowsBySize(values.map((v) => c.of(v))))
    await ask(`insert into ${d.table(table)} (${c.names}) values ${rows.map((r) => `(${marks(r)})`).join(", ")}`, rows.flat());
}

/** So many rows at once, and so much text, that no server finds the statement too long. */
function rowsBySize(rows: readonly (readonly SqlParameter[])[]): (readonly SqlParameter[])[][] {
  const all: (readonly SqlParameter[])[][] = [];
  let chars = charsAtOnce;
  for (const r of rows) {
    const size = r.reduce<number>((n, v) => n + (typeof v === "string" ? v.length : 8), 0);
    if (chars + size > charsAtOnce || (all.at(-1)?.length ?? 0) >= rowsAtOnce) {
      all.push([]);
      chars = 0;
    }
    all.at(-1)?.push(r);
    chars += size;
  }
  return all;
}

export function chunks<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, i) => all.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce));
}
