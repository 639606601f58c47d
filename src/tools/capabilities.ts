// What a tool needs, and what an agent grants: asked before anything of a call is prepared or sent. Fails closed: what nobody grants is denied, and a tool that needs
// nothing is nobody's business. Pure: the same call is judged alike on every replay.
import { PawlError } from "../errors/error.ts";

/** allow: sent. ask: a person approves each call. deny, and all that is not named: not sent. */
export type GrantedCapabilities = Readonly<Record<string, "allow" | "ask" | "deny">>;

/** Null: it may be sent; a text: a person approves it first. Throws PAWL1086 where it may not be sent. */
export function judgeNeeds(tool: string, needs: readonly string[], granted: GrantedCapabilities | undefined): string | null {
  const missing = needs.filter((n) => !isGranted(granted, n));
  if (missing.length > 0)
    throw new PawlError("PAWL1086", `tool ${tool} needs ${missing.join(", ")}, which is not granted: it was not sent`);
  const asks = needs.filter((n) => granted?.[n] === "ask");
  return asks.length === 0 ? null : `tool ${tool} needs ${asks.join(", ")}: approve this call?`;
}

function isGranted(granted: GrantedCapabilities | undefined, need: string): boolean {
  if (granted === undefined || !Object.hasOwn(granted, need)) return false;
  return granted[need] === "allow" || granted[need] === "ask";
}

export function checkNeeds(tool: string, needs: unknown): readonly string[] {
  if (needs === undefined) return [];
  if (!Array.isArray(needs) || needs.some((n) => typeof n !== "string" || n === ""))
    throw new PawlError("PAWL5001", `needs of tool ${tool} is a list of capabilities, such as ["payments"]`);
  return [...(needs as readonly string[])];
}

export function checkCapabilities(what: string, granted: unknown): GrantedCapabilities | undefined {
  if (granted === undefined) return undefined;
  if (typeof granted !== "object" || granted === null || Array.isArray(granted))
    throw new PawlError("PAWL5001", `capabilities of ${what} is an object, such as { payments: "ask" }`);
  for (const [name, verdict] of Object.entries(granted))
    if (verdict !== "allow" && verdict !== "ask" && verdict !== "deny")
      throw new PawlError("PAWL5001", `capabilities of ${what}: ${name} is "allow", "ask" or "deny"`);
  return granted as GrantedCapabilities;
}
