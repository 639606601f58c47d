// Reading the audit log: newest first, a page at a time, by run, by id, by time and by who. Outcomes are shown with what they are the outcome
// of. A page looks at a bounded number of records: it may be empty and have a cursor. It writes nothing.
import { isWellFormedText } from "../core/names.ts";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import { runRowKey } from "../store/keys.ts";
import {
  auditCollections,
  auditKey,
  auditKeyForm,
  auditRecord,
  auditTimeKey,
  keyOfIndex,
  type AuditCollections,
  type AuditRow,
} from "./audit-rows.ts";
import type { AuditPage, AuditQuery } from "./types.ts";

const pageSize = 500;
/** Records that one page looks at. */
const scanMax = 5_000;

export async function readAudit(store: FullStore, scope: Scope, q: AuditQuery): Promise<AuditPage> {
  const { limit = 50 } = q;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  if (q.cursor !== undefined && !auditKeyForm.test(q.cursor))
    throw new PawlError("PAWL4011", "cursor is invalid: pass one that a listing returned");
  const c = auditCollections(scope);
  const { collection, prefix } = placeOf(c, q);
  // Later times have smaller keys.
  const [since, until] = [parseTime(q.since, "since"), parseTime(q.until, "until")];
  const before = since === undefined ? `${prefix}:` : `${prefix}${auditTimeKey(since)}0`;
  const from = until === undefined ? prefix : `${prefix}${auditTimeKey(until)}0`;
  let after = q.cursor !== undefined && prefix + q.cursor > from ? prefix + q.cursor : from;

  const found: AuditRow[] = [];
  for (let scanned = 0; ;) {
    const rows = await store.kv.list({ collection, limit: pageSize, before, ...(after === "" ? {} : { after }) });
    const keys = rows.map((r) => (prefix === "" ? r.key : keyOfIndex(r.key)));
    const records = prefix === "" ? rows.map((r) => r.value) : (await store.kv.get(c.rows, keys)).map((r) => r.value);
    const parsed = records.map((v) => JSON.parse(v) as AuditRow).toSorted((a, b) => (auditKey(a) < auditKey(b) ? -1 : 1));
    for (const r of parsed) {
      if (r.type === "outcome" || (q.subject !== undefined && !isBy(r, q.subject))) continue;
      found.push(r);
      if (found.length === limit) return { records: await withOutcomes(store, c, found), cursor: auditKey(r) };
    }
    scanned += rows.length;
    after = rows.at(-1)?.key ?? after;
    if (rows.length < pageSize) return { records: await withOutcomes(store, c, found) };
    if (scanned >= scanMax) return { records: await withOutcomes(store, c, found), cursor: prefix === "" ? after : keyOfIndex(after) };
  }
}

function placeOf(c: AuditCollections, q: AuditQuery): { readonly collection: string; readonly prefix: string } {
  if (q.run !== undefined && q.id !== undefined) throw new PawlError("PAWL4011", "ask by run or by id, not by both");
  for (const text of [q.run, q.id, q.subject])
    if (text !== undefined && (typeof text !== "string" || text === "" || !isWellFormedText(text)))
      throw new PawlError("PAWL4011", "run, id and subject are text that is not empty");
  if (q.run !== undefined) return { collection: c.byRun, prefix: `${runRowKey(q.run)}/` };
  if (q.id !== undefined) return { collection: c.byId, prefix: `${runRowKey(q.id)}/` };
  return { collection: c.rows, prefix: "" };
}

function isBy(r: AuditRow, subject: string): boolean {
  return r.act?.principal?.subject === subject || r.act?.principal?.onBehalfOf === subject;
}

async function withOutcomes(store: FullStore, c: AuditCollections, rows: readonly AuditRow[]): Promise<AuditPage["records"]> {
  const ids = rows.flatMap((r) => (r.type === "granted" && r.decisionId !== undefined ? [r.decisionId] : []));
  const pointers = ids.length === 0 ? [] : await store.kv.get(c.outcomes, ids);
  const ends =
    pointers.length === 0
      ? []
      : await store.kv.get(
          c.rows,
          pointers.map((p) => p.value),
        );
  const outcomes = new Map(ends.map((e) => JSON.parse(e.value) as AuditRow).map((r) => [r.decisionId, r]));
  return rows.map((r) => auditRecord(r, r.type === "granted" ? outcomes.get(r.decisionId) : undefined));
}

function parseTime(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || ms < 0) throw new PawlError("PAWL4011", `${what} is not a time: ${JSON.stringify(String(text).slice(0, 40))}`);
  return ms;
}
