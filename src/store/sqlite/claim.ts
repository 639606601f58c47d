// Ownership as SQL. K1: death is declared one way, in a write of its own, before anything of that engine is claimed; the
// claim tests that the owner is none or dead, never a time. Looking for candidates needs no lock, so an idle engine
// never takes the write lock; the claim looks again inside its transaction.
import type { RunStatus, Waiting } from "../../core/model.ts";
import { scopeKey } from "../keys.ts";
import type { ClaimedRun, ClaimQuery } from "../port.ts";
import { type ClaimCandidate, claimOrder, isPinned, serveRank, waitingSince } from "../rules.ts";
import type { Row } from "./wire/driver.ts";
import { type Statements, toRun } from "./rows.ts";

interface Ranked {
  readonly c: ClaimCandidate;
  readonly rank: number;
  /** Dead, or none. */
  readonly owner: string | null;
}

export function isLive(st: Statements, engineId: string): boolean {
  return st.engine.get(engineId)?.["dead"] === 0;
}

/** What this engine could claim now, best first, of the longest due in a window: so many of each version. */
export function candidates(st: Statements, q: ClaimQuery, now: number, window: number): readonly Ranked[] {
  const scope = scopeKey(q.scope);
  const limit = Math.min(q.limit, q.tokens.length);
  if (limit <= 0) return [];
  const found = new Map<string, Ranked>();
  const add = (r: Row): void => {
    const c = toCandidate(r, now);
    const rank = serveRank(q.serves, c) ?? (q.control && r["controlled"] === 1 ? 2 : undefined);
    if (rank !== undefined && !found.has(c.runId)) found.set(c.runId, { c, rank, owner: r["owner"] as string | null }); // woken and due: its message counts too
  };
  if (q.runId !== undefined) {
    const row = st.one.get(q.runId, scope);
    if (row !== undefined) add(row);
    return [...found.values()];
  }
  for (const r of st.woken.all(scope)) add(r);
  const owners = [null, ...st.deadOwners.all().map((r) => r["owner"] as string)];
  for (const owner of owners) {
    for (const s of q.serves) for (const r of st.due.all(owner, scope, s.workflow, s.version, now, window)) add(r);
  }
  // Other versions of a served workflow come after all of the engine's own: looked for only while there is room.
  const own = [...found.values()].filter((f) => f.rank === 0).length;
  if (own < limit) {
    const names = new Set(q.serves.map((s) => s.workflow));
    for (const owner of owners) {
      for (const workflow of names) {
        for (const v of st.versions.all(owner, scope, workflow)) {
          const version = v["version"] as string;
          if (q.serves.some((s) => s.workflow === workflow && s.version === version)) continue;
          for (const r of st.dueLoose.all(owner, scope, workflow, version, now, window)) add(r);
        }
      }
    }
  }
  return [...found.values()].sort(claimOrder).slice(0, limit);
}

/** Inside a write transaction: each run under a new epoch and token of its own (I4: nobody else ever holds that pair). */
export function claim(st: Statements, q: ClaimQuery, now: number): ClaimedRun[] {
  const engine = st.engine.get(q.engineId);
  if (engine?.["dead"] !== 0 || engine["kind"] !== "engine") return [];
  const rows: ClaimedRun[] = [];
  for (const { c, owner } of candidates(st, q, now, 2 * q.limit + 8)) {
    const row = st.claim.get(q.engineId, q.tokens[rows.length] ?? "", c.runId);
    if (row !== undefined) rows.push(owner === null ? toRun(row) : { ...toRun(row), takenFrom: owner });
  }
  return rows;
}

function toCandidate(r: Row, now: number): ClaimCandidate {
  const [dueAt, createdAt] = [r["due_at"] as number | null, r["created_at"] as number];
  return {
    runId: r["run_id"] as string,
    workflow: r["workflow"] as string,
    version: r["version"] as string,
    pinned: isPinned({ exactVersion: r["exact_version"] === 1, persistedAt: r["persisted_at"] as number }, now),
    status: r["status"] as RunStatus,
    waiting: r["waiting"] as Waiting | null,
    createdAt,
    since: waitingSince({ dueAt, createdAt }, (r["arrived_at"] as number | null | undefined) ?? null, now),
  };
}
