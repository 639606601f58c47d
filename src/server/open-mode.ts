// Open mode: everybody who reaches the server may do everything. For loopback only, which the start-up gates make sure of. The guard still refuses
// foreign pages: open mode is ambient authority.
import type { Scope } from "../core/model.ts";
import { accessScopes } from "../core/principal.ts";
import type { Authenticator } from "./caller.ts";

export function openMode(tenant: Scope): Authenticator {
  const caller = {
    principal: { kind: "person", subject: "local" },
    scopes: accessScopes,
    tenant,
    by: "open",
    ambient: true,
    recheck: () => Promise.resolve(true),
  } as const;
  return { authenticate: () => Promise.resolve({ kind: "caller", caller }) };
}
