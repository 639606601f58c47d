// Whether a credential that was accepted a while ago is still valid: streams and waits can last longer than their credential. It must never decide
// while the store cannot be reached: that says nothing about a credential.
import type { Platform } from "../../platform/platform.ts";
import type { Caller } from "./caller.ts";

export async function stillHolds(caller: Pick<Caller, "recheck" | "expiresAt">, platform: Pick<Platform, "wallMs">): Promise<boolean> {
  const holds = await caller.recheck().catch(() => true);
  return holds && (caller.expiresAt === undefined || caller.expiresAt > platform.wallMs());
}
