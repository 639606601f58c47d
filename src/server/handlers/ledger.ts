// Recorded effects, how often they may have happened, and what waits for a person.
// It must never read the store itself: the client does.
import type { DecisionAnswer } from "../../api/types/ledger.ts";
import { isWaitEnded, type HandlersOf } from "../call.ts";
import { page } from "./pages.ts";

type Own = "effects.list" | "effects.proof" | "decisions.list" | "decisions.resolve";

export const ledgerHandlers: HandlersOf<Own> = {
  "effects.list": async ({ client }, q) => {
    const { effects, cursor } = await client.effects(q);
    return { body: page(effects, cursor) };
  },
  "effects.proof": async ({ client }, { key }) => ({ body: await client.proof(key) }),
  "decisions.list": async ({ client }, q) => {
    const { decisions, cursor } = await client.decisionPage(q);
    return { body: page(decisions, cursor) };
  },
  "decisions.resolve": async (call, { decisionId, answer, requestId, wait }) => {
    const { client, signal } = call;
    const given = answer as DecisionAnswer; // the client signs it in the caller's name
    const asked = requestId === undefined ? {} : { requestId };
    const resolved = await client
      .resolve(decisionId, given, { ...asked, signal, ...(wait === undefined ? {} : { timeoutMs: wait * 1_000 }) })
      .catch((e: unknown) => {
        if (!isWaitEnded(call, e)) throw e;
        return client.resolve(decisionId, given, { ...asked, timeoutMs: 0 }); // it is accepted: what is known of it now
      });
    const replayed = resolved.replayed === true;
    return { body: resolved, replayed, ...(resolved.state === "posted" ? { outcome: "pending", at: ["decisions"] } : {}) };
  },
};
