// Claims of queued steps. Looking needs no lock, so a worker that finds nothing disturbs nobody. Taking holds the queue's row: shared where
// nothing is counted, alone where there is a limit; then it locks as many rows as are wanted, best first, past those that somebody else is
// taking. What the lock shows counts, not what was seen before.
import { scopeKey } from "../../keys.ts";
import type { DispatchRow, QueueClaim, QueueClaimAnswer } from "../../port.ts";
import { claimDeadline, claimRoom, isLimited, nextPermitAt, tatAfter } from "../../queue-rules.ts";
import { int, text, toQueue } from "../rows.ts";
import type { Sql } from "../sql.ts";
import type { Connection, Row } from "../wire/driver.ts";
import { keyText, scopeBytesMax } from "../wire/literal.ts";
import { lockDispatches } from "./ends.ts";

/** How many of the first are looked at for a claim of so many: others may be claiming the same ones at this moment. */
const windowFactor = 16;
const windowMax = 256;
/** Tasks that are looked for at once. */
const tasksMax = 64;

interface Candidate {
  readonly id: number;
  readonly rankAt: number;
}
export interface FoundReady {
  readonly kind: "found";
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** Whether the queue has limits: then its row is held alone. */
  readonly limited: boolean;
}

export function scopeText(q: { readonly scope: QueueClaim["scope"] }): string {
  return keyText(scopeKey(q.scope), scopeBytesMax);
}

const notTaken = (nextAt: number | null): QueueClaimAnswer => ({ kind: "claimed", rows: [], more: false, nextAt });

/** Why nothing may be claimed, by the queue's row; undefined: something may. */
function refusal(row: Row | undefined, q: QueueClaim): QueueClaimAnswer | undefined {
  if (row === undefined || row["version"] === null || int(row, "version") !== q.version) return { kind: "moved" };
  return toQueue(row).paused === null ? undefined : { kind: "paused" };
}

/** The best of what could be claimed now; or the answer, where nothing can. */
export async function findReady(db: Connection, sql: Sql, q: QueueClaim): Promise<FoundReady | QueueClaimAnswer> {
  const scope = scopeText(q);
  const asked = Math.min(q.limit, q.tokens.length);
  const [row = {}] = (await db.query(sql.queue.queue(scope, q.queue, q.worker))).rows;
  if (int(row, "alive") !== 1) return { kind: "dead" };
  const refused = refusal(row, q);
  if (refused !== undefined) return refused;
  const { config } = toQueue(row);
  const nextAt = nextPermitAt(config.rate, int(row, "tat_us"), int(row, "now_ms"));
  const window = Math.min(windowMax, Math.max(1, asked) * windowFactor);
  const found: Candidate[] = [];
  const tasks = [...new Set(q.tasks)];
  for (let i = 0; i < tasks.length && asked > 0; i += tasksMax) {
    const parts = tasks.slice(i, i + tasksMax).map((t) => sql.queue.ready(scope, q, t, window));
    for (const r of (await db.query(parts.join(" union all "))).rows) found.push({ id: int(r, "dispatch_id"), rankAt: int(r, "rank_at") });
  }
  if (found.length === 0) return notTaken(nextAt);
  const candidates = found.sort((a, b) => a.rankAt - b.rankAt || a.id - b.id).slice(0, window);
  return { kind: "found", candidates, limited: isLimited(config) };
}

/** Inside a transaction. Who counts is alone, and counts in a statement after the lock. */
export async function takeReady(db: Connection, sql: Sql, q: QueueClaim, { candidates, limited }: FoundReady): Promise<QueueClaimAnswer> {
  const scope = scopeText(q);
  const [row] = (await db.query(sql.queue.lockQueue(scope, q.queue, limited ? "update" : "share"))).rows;
  if ((await db.query(sql.queue.alive(q.worker))).rows.length === 0) return { kind: "dead" };
  const refused = refusal(row, q);
  if (refused !== undefined || row === undefined) return refused ?? { kind: "moved" };
  const { config } = toQueue(row);
  // The same version with other limits than were seen: a restored database. Asked again, it is seen as it is.
  if (!limited && isLimited(config)) return { kind: "busy" };
  const [tatUs, nowMs] = [int(row, "tat_us"), int(row, "now_ms")];
  const claimed = config.concurrency === null ? 0 : int((await db.query(sql.queue.claimedCount(scope, q.queue))).rows[0] ?? {}, "n");
  const n = claimRoom(q, config, claimed, tatUs, nowMs);
  const { taken, missed } = await lockBest(db, sql, candidates, n, nowMs);
  const { rate } = config;
  const tatNow = rate === null || taken.length === 0 ? tatUs : tatAfter(rate, tatUs, nowMs, taken.length);
  if (tatNow !== tatUs) await db.query(sql.queue.writeQueue(scope, q.queue, { tat_us: tatNow }));
  const tokens = taken.map((d, i) => ({ id: d.dispatchId, token: q.tokens[i] ?? "" }));
  if (tokens.length > 0) await db.query(sql.queue.take(q.worker, nowMs, q.beginWithinMs, tokens));
  const rows = taken.map((d, i): DispatchRow => {
    const deadlineAt = claimDeadline(d.timeoutMs, nowMs, q.beginWithinMs);
    return { ...d, scope: { ...q.scope }, worker: q.worker, token: tokens[i]?.token ?? "", claimedAt: nowMs, deadlineAt };
  });
  return { kind: "claimed", rows, more: rows.length < n && missed > 0, nextAt: nextPermitAt(rate, tatNow, nowMs) };
}

/** As many as are still wanted at a time, so that a worker that claims at the same moment finds the next ones free. */
async function lockBest(
  db: Connection,
  sql: Sql,
  candidates: readonly Candidate[],
  n: number,
  nowMs: number,
): Promise<{ taken: DispatchRow[]; missed: number }> {
  const taken: DispatchRow[] = [];
  let missed = 0;
  for (let at = 0; taken.length < n && at < candidates.length;) {
    const next = candidates.slice(at, at + n - taken.length);
    at += next.length;
    const locked = await lockDispatches(
      db,
      sql,
      next.map((c) => c.id),
      false,
    );
    const free = locked.filter((d) => d.worker === null && !d.held);
    // Somebody else has the rest, or had it since the look.
    missed += next.length - free.length;
    if (free.length === 0) continue;
    const running = new Set((await db.query(sql.queue.running([...new Set(free.map((d) => d.runId))]))).rows.map((r) => text(r, "run_id")));
    const byId = new Map(free.map((d) => [d.dispatchId, d]));
    for (const { id } of next) {
      const d = byId.get(id);
      if (d !== undefined && running.has(d.runId) && (d.expiresAt === null || d.expiresAt > nowMs)) taken.push(d);
    }
  }
  return { taken, missed };
}
