// Legal hold: a run that is held loses nothing to retention, nor do the runs that it called. Who held it and why is on record
// while it is held, and who released it afterwards; both in one write. A hold is no part of the run's log: it says nothing of
// what happened, and may be placed on a run that has long ended.
import type { Scope } from "../../core/model.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "../../core/names.ts";
import { holdShelf, holdKey } from "../../engine/upkeep/retention.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { scopeKey } from "../../store/keys.ts";
import type { RunRow } from "../../store/port.ts";
import type { KvRow } from "../../store/reader-store.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import type { HoldView } from "./types.ts";

const releasedCollection = "hold.released";
const pageSize = 200;

interface HoldRecord {
  readonly scope: string;
  readonly workflowId: string;
  readonly by: string;
  readonly reason: string;
}

function holdView(row: KvRow): HoldView {
  const { workflowId, by, reason } = JSON.parse(row.value) as HoldRecord;
  return { runId: decodeURIComponent(row.key), workflowId, by, reason, since: toTimeText(row.at) };
}

export async function holdRun(c: LocalClientDeps, run: RunRow, o: { readonly by: string; readonly reason: string }): Promise<HoldView> {
  const said = { by: checkStatedText(o.by, "who holds it (by)"), reason: checkStatedText(o.reason, "a reason") };
  const value = JSON.stringify({ scope: scopeKey(run.scope), workflowId: run.workflowId, ...said } satisfies HoldRecord);
  await c.store.kv.put([{ collection: holdShelf, key: holdKey(run.runId), value, expect: 0 }]);
  // Put now, or there before: the first hold stands until it is released.
  const found = await holdOf(c, run.runId);
  if (found === undefined)
    throw new PawlError("PAWL4010", `run ${run.runId} was released at the same moment`, { data: { runId: run.runId } });
  return found;
}

export async function releaseRun(c: LocalClientDeps, run: RunRow, o: { readonly by: string; readonly reason: string }): Promise<HoldView> {
  const said = { releasedBy: checkStatedText(o.by, "who releases it (by)"), because: checkStatedText(o.reason, "a reason") };
  const [row] = await c.store.kv.get(holdShelf, [holdKey(run.runId)]);
  if (row === undefined) throw new PawlError("PAWL4010", `run ${run.runId} is not held`, { data: { runId: run.runId } });
  const record = { ...(JSON.parse(row.value) as HoldRecord), since: toTimeText(row.at), ...said };
  const answer = await c.store.kv.put([
    { collection: holdShelf, key: row.key, value: null, expect: row.version },
    { collection: releasedCollection, key: `${row.key}/${c.platform.uuidV7()}`, value: JSON.stringify(record) },
  ]);
  if (answer.kind === "conflict")
    throw new PawlError("PAWL4010", `run ${run.runId} was released by somebody else`, { data: { runId: run.runId } });
  return holdView(row);
}

export async function holdOf(c: Pick<LocalClientDeps, "store">, runId: string): Promise<HoldView | undefined> {
  const [row] = await c.store.kv.get(holdShelf, [holdKey(runId)]);
  return row === undefined ? undefined : holdView(row);
}

/** In the order of run ids; `cursor` is the last run id of the page before. */
export async function listHolds(
  c: LocalClientDeps,
  o: { limit?: number; cursor?: string } = {},
): Promise<{ holds: HoldView[]; cursor?: string }> {
  const { limit = 50 } = o;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  const holds: HoldView[] = [];
  let after = o.cursor === undefined ? undefined : holdKey(o.cursor);
  for (;;) {
    const page = await c.store.kv.list({ collection: holdShelf, limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const row of page) {
      if (holds.length === limit) return { holds, cursor: holds.at(-1)?.runId ?? "" };
      if (isOfScope(row, c.scope)) holds.push(holdView(row));
    }
    if (page.length < pageSize) return { holds };
    after = page.at(-1)?.key;
  }
}

/** I11: the holds of another scope are not seen. */
function isOfScope(row: KvRow, scope: Scope): boolean {
  return (JSON.parse(row.value) as HoldRecord).scope === scopeKey(scope);
}

function checkStatedText(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "" || !isWellFormedText(text) || utf8Length(text) > nameBytesMax)
    throw new PawlError("PAWL4011", `a hold needs ${what}: well-formed text of 1 to ${nameBytesMax} bytes`);
  return text;
}
