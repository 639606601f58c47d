// What a batch decided, sent: one statement of many rows for each kind of write, whatever the size of the batch. Only a
// statement that would not fit into the server's packet is cut in two. It decides nothing; the order of the kinds is the
// order in which a Commit writes them. Who hit which rule is told apart here, by the statement that hit it.
import { noticeKey } from "../keys.ts";
import { sha256Hex } from "../../platform/hash.ts";
import { bareControls } from "../rules.ts";
import type { InboxKind } from "../port.ts";
import type { Connection } from "./driver.ts";
import { type Writes } from "./draft.ts";
import { isDuplicate } from "./errors.ts";
import { lit, type Literal, tuple, Unwritable } from "./literal.ts";
import { fromEvent, fromRun } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** A run, a start key, a workflowId or a notice was there first, written since the rows were read: decide again. */
export class Overtaken extends Error {}
/** An event of this runSeq or key is already in the log (K9). */
export class Clash extends Error {}

export interface Seams {
  readonly sql: Sql;
  /** Bytes of the longest statement that the server takes. */
  readonly packetBytesMax: number;
}

/** Statements stay below this even where the server takes more: a parser's memory is not free. */
const statementBytesMax = 4_194_304;

export function dedupHash(key: string): string {
  return sha256Hex(key);
}

/** In the order of the columns of sql.insertInbox. */
export function inboxValues(
  r: { readonly runId: string; readonly kind: InboxKind; readonly name: string; readonly id: string; readonly payload: string | null },
  at: number,
  hash: string,
): Literal[] {
  const control = r.kind === "control" && bareControls.includes(r.name);
  return [r.runId, r.kind, r.name, r.id, r.payload, at, control, hash, 0, 0, 1, null];
}

export async function flush(db: Connection, s: Seams, w: Writes): Promise<void> {
  const { sql } = s;
  if (w.created.size > 0) {
    const rows = [...w.created.values()].map((r) => tuple(fromRun(r)));
    await overtaking(() => sendRows(db, s, sql.insertRuns, rows));
  }
  if (w.changed.size > 0) {
    const { before, fillers, after } = sql.putRuns;
    const rows = [...w.changed.values()].map((r) => {
      const own = [
        r.runId,
        r.status,
        r.waiting,
        r.owner,
        r.stateVersion,
        r.commitId,
        r.headSeq,
        r.headLink,
        r.persistedAt,
        r.dueAt,
        r.exactVersion,
      ];
      return `(${own.map(lit).join(",")},${fillers})`;
    });
    await sendRows(db, s, before, rows, after);
  }
  if (w.events.length > 0) {
    const rows = w.events.map((e) => tuple(fromEvent(e.runId, e.event)));
    try {
      await sendRows(db, s, sql.insertEvents, rows);
    } catch (e) {
      throw isDuplicate(e) ? new Clash() : e;
    }
  }
  if (w.taken.length > 0) await db.query(sql.mark("taken", w.taken));
  if (w.consumed.length > 0) await db.query(sql.mark("consumed", w.consumed));
  if (w.replies.length > 0) await db.query(checked(s, sql.reply(w.replies)));
  if (w.settled.length > 0) await db.query(sql.quiet(w.settled));
  if (w.views.length > 0) {
    const rows = w.views.map(([runId, name, value]) => tuple([runId, name, value]));
    await sendRows(db, s, sql.putViews.before, rows, sql.putViews.after);
  }
  if (w.notices.length > 0) {
    const rows = w.notices.map(({ notice, at }) =>
      tuple(inboxValues({ ...notice, runId: notice.toRunId }, at, dedupHash(noticeKey(notice)))),
    );
    await overtaking(() => sendRows(db, s, sql.insertInbox, rows));
  }
  for (const m of w.moves) {
    await db.query(sql.moveAccepted(m.from, m.to));
    await db.query(sql.moveInbox(m.from, m.to, m.wakes));
  }
}

async function overtaking(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (e) {
    throw isDuplicate(e) ? new Overtaken() : e;
  }
}

/** A statement that the server would end the connection over is refused here, as content. */
function checked(s: Seams, text: string): string {
  if (text.length * 3 > s.packetBytesMax && Buffer.byteLength(text) + 64 > s.packetBytesMax) {
    throw new Unwritable(`a statement of more than ${s.packetBytesMax} bytes (max_allowed_packet)`);
  }
  return text;
}

async function sendRows(db: Connection, s: Seams, before: string, rows: readonly string[], after = ""): Promise<void> {
  const limit = Math.min(statementBytesMax, s.packetBytesMax) / 3;
  let from = 0;
  while (from < rows.length) {
    let chars = 0;
    let to = from;
    while (to < rows.length && (to === from || chars + (rows[to]?.length ?? 0) < limit)) chars += rows[to++]?.length ?? 0;
    await db.query(checked(s, `${before}${rows.slice(from, to).join(",")}${after}`));
    from = to;
  }
}
