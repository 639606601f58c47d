// Checks and repairs on plain maps: what the SQL stores do by statement, said plainly. Rows are replaced, never changed in
// place. It decides nothing: what is wrong, and what would be right, is found out above.
// A repair changes nothing unless the run's row is still the one that was looked at.
import { isSettled } from "../../core/model.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { Audit, Repair, MessageRow } from "../audit.ts";
import { itemsOf, type InboxItem, type MemoryState, putItem } from "./state.ts";

/** `open` throws when the store is closed. */
export function memoryAudit(s: MemoryState, open: () => void): Audit {
  return {
    async size(after) {
      open();
      let events = 0;
      for (const [runId, log] of s.logs) if (runId > after) events += log.events.length;
      return { runs: [...s.runs.keys()].filter((id) => id > after).length, events };
    },
    async runIds({ after, limit }) {
      open();
      const tables = [s.runs, s.logs, s.inboxByRun, s.effects, s.views, s.checkpoints, s.snapshots, s.dispatchesByRun];
      const ids = new Set(tables.flatMap((table) => [...table.keys()]));
      return [...ids]
        .filter((id) => id > after)
        .sort((a, b) => (a < b ? -1 : 1))
        .slice(0, limit);
    },
    async messages(runId) {
      open();
      return itemsOf(s, runId).map((item) => toMessage(s, item));
    },
    async checkpoints(runId) {
      open();
      return (s.checkpoints.get(runId) ?? []).map((c) => ({ ...c })).sort((a, b) => a.stepId - b.stepId);
    },
    async repair(m) {
      open();
      return repair(s, m);
    },
  };
}

function toMessage(s: MemoryState, { row, dedupKey }: InboxItem): MessageRow {
  const known = dedupKey === null ? undefined : s.accepted.get(dedupKey);
  const accepted = known === undefined ? null : { runId: known.runId, inboxId: known.inboxId, acceptedAt: known.acceptedAt };
  return { ...row, dedup: dedupKey === null ? null : sha256Hex(dedupKey), accepted };
}

function repair(s: MemoryState, m: Repair): "repaired" | "changed" {
  const row = s.runs.get(m.runId);
  const { stateVersion, epoch, commitId } = m.expect;
  if (row === undefined || row.stateVersion !== stateVersion || row.fence.epoch !== epoch || row.commitId !== commitId) return "changed";
  s.runs.set(m.runId, { ...row, ...m.run });
  if (isSettled(m.run.status)) s.unsettled.delete(m.runId);
  else s.unsettled.add(m.runId);
  const ledger = s.effects.get(m.runId) ?? new Map();
  for (const seq of m.effects.remove) ledger.delete(seq);
  for (const e of m.effects.put) ledger.set(e.seq, { ...e, scope: { ...e.scope } });
  s.effects.set(m.runId, ledger);
  const views = s.views.get(m.runId) ?? new Map<string, string>();
  for (const name of m.views.remove) views.delete(name);
  for (const v of m.views.put) views.set(v.name, v.value);
  s.views.set(m.runId, views);
  for (const id of m.consumed) {
    const item = s.inbox.get(id);
    if (item?.row.runId === m.runId) putItem(s, { ...item, row: { ...item.row, taken: true, consumed: true } });
  }
  if (m.checkpoints !== undefined) {
    const { put, remove } = m.checkpoints;
    const gone = new Set([...remove, ...put.map((c) => c.stepId)]);
    s.checkpoints.set(m.runId, [...(s.checkpoints.get(m.runId) ?? []).filter((c) => !gone.has(c.stepId)), ...put]);
  }
  if (m.snapshots !== undefined)
    s.snapshots.set(
      m.runId,
      m.snapshots.toSorted((a, b) => b.at - a.at),
    );
  return "repaired";
}
