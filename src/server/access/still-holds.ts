// Whether the credential of a caller that was let in a while ago still holds: streams and waits outlive revocations. It must never answer for a store
// that is away: that says nothing about a credential.
import type { Platform } from "../../platform/platform.ts";
import type { Caller } from "./caller.ts";

export async function stillHolds(caller: Pick<Caller, "recheck" | "expiresAt">, platform: Pick<Platform, "wallMs">): Promise<boolean> {
  const holds = await caller.recheck().catch(() => true);
  return holds && (caller.expiresAt === undefined || caller.expiresAt > platform.wallMs());
}
