// Investigations as rows: one for each, and one that says which is open for a run, so that there is at most one. A closed one stays as it was. They are
// no part of a run's log, and nothing here touches a run (TX-13).
import type { InvestigationCause, InvestigationView } from "../../api/types/queues.ts";
import type { Scope } from "../../core/model.ts";
import { toTimeText } from "../../events/envelope.ts";
import type { FullStore } from "../../store/full-store.ts";
import { runRowKey, scopedCollection } from "../../store/keys.ts";
import type { KvRow } from "../../store/reader-store.ts";

interface Note {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}
export interface InvestigationRow {
  readonly runId: string;
  readonly n: number;
  readonly why: InvestigationCause;
  readonly openedAt: number;
  readonly snapshot: unknown;
  readonly notes: readonly Note[];
  readonly closed?: Note & { readonly as: "resolved" | "failed" | "cancelled" };
}

const allOf = (scope: Scope): string => scopedCollection("investigations", scope);
const openOf = (scope: Scope): string => scopedCollection("investigations-open", scope);
const keyOf = (runId: string, n: number): string => runRowKey(runId, String(n).padStart(6, "0"));
const pageSize = 200;

/** false: one is open already. */
export async function insertInvestigation(
  store: FullStore,
  scope: Scope,
  row: Omit<InvestigationRow, "n">,
): Promise<InvestigationRow | false> {
  const earlier = await readInvestigations(store, scope, { run: row.runId, limit: Number.POSITIVE_INFINITY });
  const made: InvestigationRow = { ...row, n: earlier.length + 1 };
  const answer = await store.kv.put([
    { collection: openOf(scope), key: runRowKey(row.runId), value: JSON.stringify({ runId: row.runId, n: made.n }), expect: 0 },
    { collection: allOf(scope), key: keyOf(row.runId, made.n), value: JSON.stringify(made), expect: 0 },
  ]);
  return answer.kind === "put" ? made : false;
}

/** Changes the one that is open; undefined: none is. */
export async function changeOpen(
  store: FullStore,
  scope: Scope,
  runId: string,
  to: (row: InvestigationRow) => InvestigationRow,
): Promise<InvestigationRow | undefined> {
  for (;;) {
    const [open] = await store.kv.get(openOf(scope), [runRowKey(runId)]);
    if (open === undefined) return undefined;
    const { n } = JSON.parse(open.value) as { readonly n: number };
    const [stored] = await store.kv.get(allOf(scope), [keyOf(runId, n)]);
    if (stored === undefined) return undefined;
    const next = to(JSON.parse(stored.value) as InvestigationRow);
    const answer = await store.kv.put([
      { collection: allOf(scope), key: stored.key, value: JSON.stringify(next), expect: stored.version },
      ...(next.closed === undefined ? [] : [{ collection: openOf(scope), key: open.key, value: null, expect: open.version }]),
    ]);
    if (answer.kind === "put") return next;
  }
}

export async function readInvestigations(
  store: FullStore,
  scope: Scope,
  q: { readonly open?: boolean; readonly why?: InvestigationCause; readonly run?: string; readonly limit: number },
): Promise<readonly InvestigationRow[]> {
  const prefix = q.run === undefined ? undefined : runRowKey(q.run);
  const found: InvestigationRow[] = [];
  const collection = q.open === true ? openOf(scope) : allOf(scope);
  let after = prefix === undefined || q.open === true ? undefined : `${prefix}/`;
  for (;;) {
    const bounds = prefix === undefined || q.open === true ? {} : { before: `${prefix}0` };
    const rows = await store.kv.list({ collection, ...bounds, ...(after === undefined ? {} : { after }), limit: pageSize });
    const full = q.open === true ? await recordsOf(store, scope, rows) : rows;
    for (const r of full) {
      const row = JSON.parse(r.value) as InvestigationRow;
      const fits =
        (q.open !== false || row.closed !== undefined) &&
        (q.why === undefined || row.why === q.why) &&
        (q.run === undefined || row.runId === q.run);
      if (fits) found.push(row);
      if (found.length >= q.limit) return found;
    }
    after = rows.at(-1)?.key;
    if (rows.length < pageSize) return found;
  }
}

/** The number of the one that is open; undefined: none is. */
export async function openOne(store: FullStore, scope: Scope, runId: string): Promise<number | undefined> {
  const [open] = await store.kv.get(openOf(scope), [runRowKey(runId)]);
  return open === undefined ? undefined : (JSON.parse(open.value) as { readonly n: number }).n;
}

async function recordsOf(store: FullStore, scope: Scope, open: readonly KvRow[]): Promise<readonly KvRow[]> {
  if (open.length === 0) return [];
  const keys = open
    .map((r) => JSON.parse(r.value) as { readonly runId: string; readonly n: number })
    .map(({ runId, n }) => keyOf(runId, n));
  return store.kv.get(allOf(scope), keys);
}

export function investigationView({ openedAt, notes, closed, ...row }: InvestigationRow): InvestigationView {
  const note = ({ at, by, reason }: Note): { readonly at: string; readonly by: string; readonly reason: string } => ({
    at: toTimeText(at),
    by,
    reason,
  });
  return {
    ...row,
    openedAt: toTimeText(openedAt),
    notes: notes.map(note),
    ...(closed === undefined ? {} : { closed: { ...note(closed), as: closed.as } }),
  };
}
