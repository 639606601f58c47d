// Legal hold: a run that is held loses nothing to retention, nor do the runs that it called. Who held it and why is on record
// while it is held, and who released it afterwards; both in one write. A hold is no part of the run's log: it says nothing of
// what happened, and may be placed on a run that has long ended.
import type { Scope } from "../core/model.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "../core/names.ts";
import { holdShelf, runKey } from "../engine/retention.ts";
import { PawlError } from "../errors/error.ts";
import { timeText } from "../log/envelope.ts";
import { scopeKey } from "../store/keys.ts";
import type { RunRow } from "../store/port.ts";
import type { ShelfRow } from "../store/shelf.ts";
import type { LocalContext } from "./local.ts";
import type { HoldView } from "./archive-types.ts";

const releasedShelf = "hold.released";
const pageSize = 200;

interface Held {
  readonly scope: string;
  readonly workflowId: string;
  readonly by: string;
  readonly reason: string;
}

function view(row: ShelfRow): HoldView {
  const { workflowId, by, reason } = JSON.parse(row.value) as Held;
  return { runId: decodeURIComponent(row.key), workflowId, by, reason, since: timeText(row.at) };
}

export async function hold(c: LocalContext, run: RunRow, o: { readonly by: string; readonly reason: string }): Promise<HoldView> {
  const said = { by: said512(o.by, "who holds it (by)"), reason: said512(o.reason, "a reason") };
  const value = JSON.stringify({ scope: scopeKey(run.scope), workflowId: run.workflowId, ...said } satisfies Held);
  await c.store.shelves.put([{ shelf: holdShelf, key: runKey(run.runId), value, expect: 0 }]);
  // Put now, or there before: the first hold stands until it is released.
  const found = await holdOf(c, run.runId);
  if (found === undefined)
    throw new PawlError("PAWL4010", `run ${run.runId} was released at the same moment`, { data: { runId: run.runId } });
  return found;
}

export async function release(c: LocalContext, run: RunRow, o: { readonly by: string; readonly reason: string }): Promise<HoldView> {
  const said = { releasedBy: said512(o.by, "who releases it (by)"), because: said512(o.reason, "a reason") };
  const [row] = await c.store.shelves.get(holdShelf, [runKey(run.runId)]);
  if (row === undefined) throw new PawlError("PAWL4010", `run ${run.runId} is not held`, { data: { runId: run.runId } });
  const record = { ...(JSON.parse(row.value) as Held), since: timeText(row.at), ...said };
  const answer = await c.store.shelves.put([
    { shelf: holdShelf, key: row.key, value: null, expect: row.version },
    { shelf: releasedShelf, key: `${row.key}/${c.platform.uuidV7()}`, value: JSON.stringify(record) },
  ]);
  if (answer.kind === "conflict")
    throw new PawlError("PAWL4010", `run ${run.runId} was released by somebody else`, { data: { runId: run.runId } });
  return view(row);
}

export async function holdOf(c: Pick<LocalContext, "store">, runId: string): Promise<HoldView | undefined> {
  const [row] = await c.store.shelves.get(holdShelf, [runKey(runId)]);
  return row === undefined ? undefined : view(row);
}

/** In the order of run ids; `cursor` is the last run id of the page before. */
export async function listHolds(
  c: LocalContext,
  o: { limit?: number; cursor?: string } = {},
): Promise<{ holds: HoldView[]; cursor?: string }> {
  const { limit = 50 } = o;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  const holds: HoldView[] = [];
  let after = o.cursor === undefined ? undefined : runKey(o.cursor);
  for (;;) {
    const page = await c.store.shelves.list({ shelf: holdShelf, limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const row of page) {
      if (holds.length === limit) return { holds, cursor: holds.at(-1)?.runId ?? "" };
      if (ofScope(row, c.scope)) holds.push(view(row));
    }
    if (page.length < pageSize) return { holds };
    after = page.at(-1)?.key;
  }
}

/** I11: the holds of another scope are not seen. */
function ofScope(row: ShelfRow, scope: Scope): boolean {
  return (JSON.parse(row.value) as Held).scope === scopeKey(scope);
}

function said512(text: unknown, what: string): string {
  if (typeof text !== "string" || text.trim() === "" || !isWellFormedText(text) || utf8Length(text) > nameBytesMax)
    throw new PawlError("PAWL4011", `a hold needs ${what}: well-formed text of 1 to ${nameBytesMax} bytes`);
  return text;
}
