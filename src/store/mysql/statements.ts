// What a batch decided, as statements: one statement of many rows for each kind of write, whatever the size of the batch. Only a
// statement that would not fit into the server's packet is cut in two. It decides nothing; the order of the kinds is the
// order in which a Commit writes them. Which Commit hit which rule is found here, by the statement that hit it.
import { sha256Hex } from "../../platform/crypto/hash.ts";
import { codelessControls } from "../rules.ts";
import type { DispatchWrite, InboxKind, RunRow } from "../port.ts";
import type { Queryable } from "./wire/driver.ts";
import { type BatchWrites } from "./batch-plan.ts";
import { isDuplicate } from "./errors.ts";
import { keyText, lit, type Literal, tuple, UnwritableValue } from "./wire/literal.ts";
import { checkpointValues, effectValues, eventValues, runValues } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** A run, a start key, a workflowId or a notice was there first, written since the rows were read: decide again. */
export class LostRace extends Error {}
/** An event, a checkpoint or a dispatch of this place or key is already there (K9). */
export class Clash extends Error {}

export interface StatementLimits {
  readonly sql: Sql;
  /** Bytes of the longest statement that the server takes. */
  readonly packetBytesMax: number;
  /** MariaDB: several statements may be sent as one compound statement. */
  readonly compound: boolean;
}

/** Statements stay below this even where the server takes more: a parser's memory is not free. */
export const statementBytesMax = 4_194_304;

export function dedupHash(key: string): string {
  return sha256Hex(key);
}

/** In the order of the columns of sql.insertInbox. */
export function inboxValues(
  r: {
    readonly runId: string;
    readonly kind: InboxKind;
    readonly name: string;
    readonly id: string;
    readonly payload: string | null;
    readonly by?: string | null;
    readonly payloadDigest?: string;
  },
  at: number,
  hash: string | null,
): Literal[] {
  const control = r.kind === "control" && codelessControls.includes(r.name);
  return [r.runId, r.kind, r.name, r.id, r.payload, at, control, hash, 0, 0, 1, null, r.by ?? null, r.payloadDigest ?? null];
}

/** One statement, and what a duplicate that it meets means. */
export interface Statement {
  readonly text: string;
  readonly onDuplicate: "clash" | "overtaken" | null;
  /** Speaks to other runs, or moves what is in an inbox: after all that the Commit writes to its own. */
  readonly last?: true;
  /** Outside a compound statement: dispatches that are looked for without locks, and what is then sent by their ids. */
  readonly found?: { readonly look: string; readonly then: (ids: readonly number[]) => string };
}

/** `persistedAt`: the time of events and checkpoints, where only the server knows it yet. */
export function statementsOf(s: StatementLimits, w: BatchWrites, persistedAt?: Literal): Statement[] {
  const { sql } = s;
  const all: Statement[] = [];
  const rows = (meets: Statement["onDuplicate"], before: string, values: readonly string[], after = ""): void => {
    for (const text of splitBySize(s, before, values, after)) all.push({ text, onDuplicate: meets });
  };
  const one = (text: string): void => void all.push({ text: checkLength(s, text), onDuplicate: null });
  if (w.created.size > 0) {
    const values = [...w.created.values()].map((r) => tuple(runValues(r)));
    rows("overtaken", sql.insertRuns, values);
  }
  if (w.changed.size > 0) {
    const { before, fillers, after } = sql.putRuns;
    const values = [...w.changed.values()].map((r) => `(${changedValues(r).map(lit).join(",")},${fillers})`);
    rows(null, before, values, after);
  }
  if (w.events.length > 0) {
    const values = w.events.map((e) => tuple(eventValues(e.runId, e.event, persistedAt ?? e.event.persistedAt)));
    rows("clash", sql.insertEvents, values);
  }
  if (w.taken.length > 0) one(sql.mark("taken", w.taken));
  if (w.consumed.length > 0) one(sql.mark("consumed", w.consumed));
  if (w.replies.length > 0) one(sql.reply(w.replies));
  if (w.rejected.length > 0) one(sql.reject(w.rejected));
  if (w.settled.length > 0) one(sql.quiet(w.settled));
  if (w.views.length > 0) rows(null, sql.putViews.before, w.views.map(tuple), sql.putViews.after);
  if (w.effects.length > 0) {
    const values = w.effects.map((x) => tuple(effectValues(x.runId, x.effect, persistedAt ?? x.at)));
    rows(null, sql.putEffects.before, values, sql.putEffects.after);
  }
  if (w.checkpoints.length > 0) {
    const values = w.checkpoints.map((x) => tuple(checkpointValues(x, persistedAt ?? x.persistedAt)));
    rows("clash", sql.insertCheckpoints, values);
  }
  const remove = (look: string): void => {
    all.push({ text: checkLength(s, sql.queue.removeFound(look)), onDuplicate: null, found: { look, then: sql.queue.remove } });
  };
  // All of them at once: rows are taken in the order of their ids, whatever takes them away.
  if (w.settled.length > 0 || w.ends.length > 0) remove(sql.queue.ofCommits(w.settled, w.ends));
  if (w.dispatches.length > 0) {
    const values = w.dispatches.map((x) => tuple(dispatchValues(sql, x.runId, x.dispatch, false, persistedAt ?? x.at)));
    rows("clash", sql.queue.insertDispatches, values);
  }
  if (w.snapshots.length > 0) {
    const values = w.snapshots.map(({ runId, snapshot: x }) => tuple([runId, x.at, x.digest, x.body]));
    rows(null, sql.queue.putSnapshots.before, values, sql.queue.putSnapshots.after);
    for (const { runId, snapshot: x } of w.snapshots) if (x.keep === "last") one(sql.queue.dropSnapshots(runId, x.at));
  }
  if (w.notices.length > 0) {
    const values = w.notices.map(({ notice: n, key, at }) => tuple(inboxValues({ ...n, runId: n.toRunId }, at, dedupHash(key))));
    for (const text of splitBySize(s, sql.insertInbox, values, "")) all.push({ text, onDuplicate: "overtaken", last: true });
  }
  for (const m of w.moves)
    for (const text of [sql.moveAccepted(m.from, m.to), sql.moveInbox(m.from, m.to, m.wakes)])
      all.push({ text: checkLength(s, text), onDuplicate: null, last: true });
  return all;
}

/** In the order of the columns of sql.queue.insertDispatches. `at`: the Commit's time, which only the server may know yet. */
export function dispatchValues(sql: Sql, runId: string, d: DispatchWrite, held: boolean, at: Literal): Literal[] {
  const task = keyText(d.task);
  const boost = d.priority * d.agingMs;
  const rank: Literal = d.since === null ? { sql: `(${lit(at)} - ${lit(boost)})` } : d.since - boost;
  const { worker, token } = d.claimed ?? { worker: null, token: null };
  const claim = [worker, token, worker === null ? null : at];
  const step = [d.seq, d.what, d.stepId, d.attempt, d.engineAttempt, d.queue, task, task === d.task ? null : d.task];
  return [sql.queue.runScope(runId), runId, ...step, rank, held, d.spec, at, d.expiresAt, d.timeoutMs, ...claim];
}

/** In the order of the columns of sql.putRuns, up to the fillers. */
function changedValues(r: RunRow): Literal[] {
  const head = [r.headSeq, r.headLink, r.persistedAt, r.dueAt, r.exactVersion, r.errorCode];
  return [r.runId, r.status, r.waiting, r.owner, r.stateVersion, r.commitId, ...head];
}

/** One after the other, each a round trip. */
export async function sendStatements(db: Queryable, statements: readonly Statement[]): Promise<void> {
  for (const { text, onDuplicate: meets, found } of statements) {
    try {
      if (found === undefined) await db.query(text);
      else {
        const ids = (await db.query(found.look)).rows.map((r) => Number(r["dispatch_id"]));
        if (ids.length > 0) await db.query(found.then(ids));
      }
    } catch (e) {
      if (meets === null || !isDuplicate(e)) throw e;
      throw meets === "clash" ? new Clash() : new LostRace();
    }
  }
}

/** A statement that the server would end the connection over is refused here, as content. */
export function checkLength(s: Pick<StatementLimits, "packetBytesMax">, text: string): string {
  if (text.length * 3 > s.packetBytesMax && Buffer.byteLength(text) + 64 > s.packetBytesMax) {
    throw new UnwritableValue(`a statement of more than ${s.packetBytesMax} bytes (max_allowed_packet)`);
  }
  return text;
}

export function splitBySize(s: StatementLimits, before: string, rows: readonly string[], after: string): string[] {
  const limit = Math.min(statementBytesMax, s.packetBytesMax) / 3;
  const texts: string[] = [];
  for (let from = 0; from < rows.length;) {
    let chars = 0;
    let to = from;
    while (to < rows.length && (to === from || chars + (rows[to]?.length ?? 0) < limit)) chars += rows[to++]?.length ?? 0;
    texts.push(checkLength(s, `${before}${rows.slice(from, to).join(",")}${after}`));
    from = to;
  }
  return texts;
}
