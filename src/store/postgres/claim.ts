// The claim as SQL. K1: it tests that the owner is none or dead, never a time. Looking and claiming are one statement that steps over rows
// somebody else has locked, so that claims are disjoint and wait for nobody (T-43).
import { scopeKey } from "../keys.ts";
import type { ClaimedRun, ClaimQuery } from "../port.ts";
import { claimWindow } from "../rules.ts";
import { textArray } from "./wire/array-parameters.ts";
import { toRun } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";

export async function claim(r: BoundSession, q: ClaimQuery): Promise<ClaimedRun[]> {
  const limit = Math.min(q.limit, q.tokens.length);
  if (limit <= 0) return [];
  const common = [
    r.settings.clock(),
    q.engineId,
    scopeKey(q.scope),
    textArray(q.serves.map((s) => s.workflow)),
    textArray(q.serves.map((s) => s.version)),
    q.control,
  ] as const;
  const tokens = textArray(q.tokens);
  const { rows } =
    q.runId === undefined
      ? await r.execute("claimDue", ...common, limit, claimWindow(limit), tokens)
      : await r.execute("claimOne", ...common, q.runId, tokens);
  return rows.map((row) => {
    const takenFrom = row["taken_from"] as string | null;
    return takenFrom === null ? toRun(row) : { ...toRun(row), takenFrom };
  });
}
