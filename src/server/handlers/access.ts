// Tokens, the audit log, and who the caller is. A secret is in the
// one answer that hands it out.
import { toTimeText } from "../../events/envelope.ts";
import type { HandlersOf } from "../call.ts";
import { notBuilt } from "./not-built.ts";

type Own = "tokens.create" | "tokens.list" | "tokens.revoke" | "tokens.share" | "audit.list" | "me";

export const accessHandlers: HandlersOf<Own> = {
  "tokens.create": notBuilt("tokens.create"),
  "tokens.list": notBuilt("tokens.list"),
  "tokens.revoke": notBuilt("tokens.revoke"),
  "tokens.share": notBuilt("tokens.share"),
  "audit.list": notBuilt("audit.list"),
  me: ({ caller, server: { scope } }) =>
    Promise.resolve({
      body: {
        principal: caller.principal,
        tenant: `${scope.tenantId}/${scope.projectId}/${scope.environmentId}`,
        scopes: caller.scopes,
        ...(caller.tokenId === undefined ? {} : { tokenId: caller.tokenId }),
        ...(caller.expiresAt === undefined ? {} : { expiresAt: toTimeText(caller.expiresAt) }),
      },
    }),
};
