// Tokens, the audit log, and who the caller is. A token is made by the caller, so that it has at most the caller's scopes and life. A secret is in
// the one answer that hands it out.
import { tokenVerbs } from "../../access/tokens.ts";
import type { TokenVerbs } from "../../access/types.ts";
import { toTimeText } from "../../events/envelope.ts";
import { noSuchRun } from "../../client/find-run.ts";
import type { Call, HandlersOf } from "../call.ts";
import { page } from "./pages.ts";

type Own = "tokens.create" | "tokens.list" | "tokens.revoke" | "tokens.share" | "audit.list" | "me";

function tokensOf({ caller, server }: Call): TokenVerbs {
  const { principal, tokenId, scopes, queues, expiresAt } = caller;
  return tokenVerbs(server, {
    subject: principal.subject,
    scopes,
    ...(queues === undefined ? {} : { queues }),
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

export const accessHandlers: HandlersOf<Own> = {
  "tokens.create": async (call, wanted) => ({ body: await tokensOf(call).create(wanted), outcome: "created", at: ["tokens"] }),
  "tokens.list": async (call, q) => {
    const { tokens, cursor } = await tokensOf(call).list(q);
    return { body: page(tokens, cursor) };
  },
  "tokens.revoke": async (call, { tokenId, reason }) => ({ body: await tokensOf(call).revoke(tokenId, { reason }) }),
  "tokens.share": async (call, { id, ...wanted }) => {
    const run = await call.client.get(id);
    if (run === undefined) throw noSuchRun(id);
    return { body: await tokensOf(call).share(run.runId, wanted), outcome: "created", at: ["tokens"] };
  },
  "audit.list": async ({ client }, q) => {
    const { records, cursor } = await client.audit(q);
    return { body: page(records, cursor) };
  },
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
