// Engines as rows: renew, declare dead, retire. K1: death is declared one way, before anything of that engine is claimed, and only on
// evidence that holds for the row as it is when it is written (K2).
import type { Renewal } from "../port.ts";
import type { BoundSession } from "./wire/session.ts";

/** K2: a lock that nobody holds proves death only if the last renewal is older than this. */
const silentMs = 750;

export async function renew(r: BoundSession, renewal: Renewal): Promise<boolean> {
  return (await r.execute("renew", r.settings.clock(), renewal.engineId, renewal.leaseMs)).changes === 1;
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
