// Ownership as SQL. K1: death is declared one way, before anything of that engine is claimed; the claim tests that the owner
// is none or dead, never a time. Looking and claiming are one statement that steps over rows somebody else has locked, so
// that claims are disjoint and wait for nobody (T-43).
import { scopeKey } from "../keys.ts";
import type { ClaimQuery, RunRow } from "../port.ts";
import { claimWindow } from "../rules.ts";
import { textArray } from "./wire/array-parameters.ts";
import { toRun } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";

/** K2: a lock that nobody holds proves death only if the last renewal is older than this. */
const silentMs = 750;

export async function claim(r: BoundSession, q: ClaimQuery): Promise<RunRow[]> {
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
  return rows.map(toRun);
}

/** `evidence`: whether this process may trust what it sees of other engines' locks. */
export async function declareDead(r: BoundSession, by: string, evidence: boolean): Promise<string[]> {
  const { rows } = await r.execute("declare", r.settings.clock(), by, evidence, silentMs);
  await r.execute("forget");
  await r.executeUnprepared("quiet");
  return rows.map((x) => String(x["engine_id"])).sort();
}

export async function retireEngine(r: BoundSession, engineId: string): Promise<string[]> {
  const { rows } = await r.execute("retire", engineId);
  await r.execute("forget");
  return rows.map((x) => String(x["engine_id"]));
}
