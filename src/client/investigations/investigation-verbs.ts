// Investigations in process: list, open, note, close. Each says who and why. A record has a snapshot of how its run stood; nothing of the run is
// changed by opening, noting or closing (TX-13).
import type { InvestigationCause } from "../../api/types/queues.ts";
import { PawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { whyOfRun } from "../operate/why.ts";
import { askedBy } from "../queues/queue-verbs.ts";
import { changeOpen, insertInvestigation, investigationView, readInvestigations } from "./investigation-rows.ts";
import type { InvestigationVerbs } from "./types.ts";

const stepsKept = 100;
const causes: readonly InvestigationCause[] = ["stale", "attempts-exhausted", "no-worker", "poison", "by-hand"];
const ends: readonly string[] = ["resolved", "failed", "cancelled"];

export function investigationVerbs(c: LocalClientDeps, find: (id: string) => Promise<RunRow>): InvestigationVerbs {
  const nowMs = async (): Promise<number> => (await c.store.info()).nowMs;
  const missing = (run: string): PawlError => new PawlError("PAWL4132", `no investigation of ${run} is open`, { data: { run } });
  return {
    list: async ({ limit = 100, ...q } = {}) => {
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
        throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
      if (q.why !== undefined && !causes.includes(q.why)) throw new PawlError("PAWL4011", `why must be one of ${causes.join(", ")}`);
      const run = q.run === undefined ? {} : { run: (await find(q.run)).runId };
      return (await readInvestigations(c.store, c.scope, { ...q, ...run, limit })).map(investigationView);
    },
    open: async (run, o) => {
      const who = askedBy(c, o);
      const row = await find(run);
      const made = await openInvestigation(c, row, "by-hand", { at: await nowMs(), ...who });
      if (made === false) throw new PawlError("PAWL4010", `an investigation of ${run} is open already`, { data: { runId: row.runId } });
      return investigationView(made);
    },
    note: async (run, o) => {
      const who = askedBy(c, o);
      const at = await nowMs();
      const changed = await changeOpen(c.store, c.scope, (await find(run)).runId, (r) => ({ ...r, notes: [...r.notes, { at, ...who }] }));
      if (changed === undefined) throw missing(run);
      return investigationView(changed);
    },
    close: async (run, as, o) => {
      const who = askedBy(c, o);
      if (!ends.includes(as)) throw new PawlError("PAWL4011", `an investigation is closed as ${ends.join(", ")}`);
      const at = await nowMs();
      const changed = await changeOpen(c.store, c.scope, (await find(run)).runId, (r) => ({ ...r, closed: { at, ...who, as } }));
      if (changed === undefined) throw missing(run);
      return investigationView(changed);
    },
  };
}

/** A record without a snapshot is worth nothing: it is always taken. */
export async function openInvestigation(
  c: LocalClientDeps,
  row: RunRow,
  why: InvestigationCause,
  first: { readonly at: number; readonly by: string; readonly reason: string },
): ReturnType<typeof insertInvestigation> {
  const steps = (await whyOfRun(c, row)).filter((s) => s.readiness !== "succeeded").slice(0, stepsKept);
  const snapshot = { status: row.status, waiting: row.waiting, headSeq: row.headSeq, owner: row.owner, steps };
  return insertInvestigation(c.store, c.scope, { runId: row.runId, why, openedAt: first.at, snapshot, notes: [first] });
}
