// Ownership on plain maps: the claim. K1: it tests that the owner is none or declared dead, never a time. It must never hand one run to
// two engines: each claim has an epoch and a token of its own.
import { isSettled } from "../../core/model.ts";
import { scopeKey } from "../keys.ts";
import type { ClaimedRun, ClaimQuery, RunRow } from "../port.ts";
import { codelessControls, type ClaimCandidate, claimOrder, isPinned, serveRank, waitingSince } from "../rules.ts";
import { copyRun, itemsOf, type MemoryState } from "./state.ts";

function isLive(s: MemoryState, engineId: string): boolean {
  return s.engines.get(engineId)?.dead === false;
}

export function ownedRuns(s: MemoryState, q: { readonly engineId: string; readonly limit: number }): string[] {
  const mine = [...s.unsettled].map((id) => s.runs.get(id)).filter((r) => r?.owner === q.engineId && r.dueAt !== null);
  return mine.slice(0, q.limit).map((r) => r!.runId);
}

export function claim(s: MemoryState, q: ClaimQuery, now: number): ClaimedRun[] {
  if (!isLive(s, q.engineId) || s.engines.get(q.engineId)?.kind !== undefined) return [];
  const scope = scopeKey(q.scope);
  const ids = q.runId === undefined ? [...s.unsettled] : [q.runId];
  const ranked: { c: ClaimCandidate; run: RunRow; rank: number }[] = [];
  for (const id of ids) {
    const run = s.runs.get(id);
    if (run === undefined || run.origin !== "engine" || isSettled(run.status) || scopeKey(run.scope) !== scope) continue;
    if (run.owner !== null && isLive(s, run.owner)) continue;
    const untaken = itemsOf(s, id).filter((i) => !i.row.taken);
    const awake = (run.dueAt !== null && run.dueAt <= now) || untaken.length > 0;
    if (q.runId === undefined && !awake) continue;
    const controlled = q.control && untaken.some((i) => i.row.kind === "control" && codelessControls.includes(i.row.name));
    const arrivedAt = untaken.length === 0 ? null : Math.min(...untaken.map((i) => i.row.acceptedAt));
    const c = { ...run, pinned: isPinned(run, now), since: waitingSince(run, arrivedAt, now) };
    const rank = serveRank(q.serves, c) ?? (controlled ? 2 : undefined);
    if (rank !== undefined) ranked.push({ c, run, rank });
  }
  ranked.sort(claimOrder);
  return ranked.slice(0, Math.min(q.limit, q.tokens.length)).map(({ run }, i) => {
    const row: RunRow = {
      ...run,
      owner: q.engineId,
      fence: { epoch: run.fence.epoch + 1, token: q.tokens[i] ?? "" },
      idleClaims: run.idleClaims + 1,
    };
    s.runs.set(row.runId, row);
    return run.owner === null ? copyRun(row) : { ...copyRun(row), takenFrom: run.owner };
  });
}
