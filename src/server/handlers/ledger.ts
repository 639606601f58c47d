// Recorded effects, how often they may have happened, and what waits for a person.
// It must never read the store itself: the client does.
import type { UiChunk } from "../../adapters/ui/chunks.ts";
import { UiTurn } from "../../adapters/ui/turn.ts";
import type { GraphStreamItem } from "../../api/types/graph-stream.ts";
import type { DecisionAnswer } from "../../api/types/ledger.ts";
import { PawlError } from "../../errors/error.ts";
import { isWaitEnded, type HandlersOf } from "../call.ts";
import { someEffects } from "./proofs.ts";
import { page, slicePage } from "./pages.ts";

type Own =
  | "runs.causes"
  | "runs.usage"
  | "runs.state"
  | "runs.history"
  | "runs.stream"
  | "runs.message"
  | "runs.io"
  | "effects.list"
  | "effects.proof"
  | "decisions.list"
  | "decisions.resolve"
  | "questions.list"
  | "questions.answer";

export const ledgerHandlers: HandlersOf<Own> = {
  "effects.list": async ({ client }, q) => {
    const { effects, cursor } = await client.effects(q);
    return { body: page(effects, cursor) };
  },
  "runs.state": async ({ client }, { id, at, label }) => {
    const asked = label ?? at;
    return { body: (await client.state(id, asked === undefined ? {} : { at: asked })) ?? null };
  },
  "runs.history": async ({ client }, { id, beforeStep, limit }) => {
    const o = { ...(beforeStep === undefined ? {} : { before: beforeStep }), ...(limit === undefined ? {} : { limit }) };
    return { body: page(await client.history(id, o)) };
  },
  "runs.stream": async ({ client, signal }, { id, limit = 100, ...o }) => {
    const items: GraphStreamItem[] = [];
    for await (const item of client.streamGraph(id, { ...o, follow: false, signal })) {
      const before = items.at(-1);
      const isNext = before === undefined || superstepOf(item) !== superstepOf(before);
      if (items.length >= limit && isNext) break;
      items.push(item);
    }
    return { body: page(items) };
  },
  "runs.message": async ({ client }, { id, ...o }) => {
    const run = await client.get(id);
    if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${id}`, { data: { id } });
    const { runId } = run;
    const turn = new UiTurn(runId);
    const chunks: UiChunk[] = turn.begin();
    let after = 0;
    for (let events = await client.events(runId); events.length > 0; events = await client.events(runId, { after })) {
      for (const e of events) chunks.push(...turn.take(e));
      after = events.at(-1)!.runSeq;
    }
    return { body: slicePage(chunks, o) };
  },
  "runs.io": async ({ client }, { id, superstep }) => ({
    body: page(await client.io(id, superstep ?? (await client.state(id))?.superstep ?? 0)),
  }),
  "runs.usage": async ({ client }, { id }) => ({ body: await client.usage(id) }),
  "runs.causes": async ({ client }, { id, ...o }) => ({ body: slicePage(await client.causes(id), o) }),
  "effects.proof": async ({ client }, { key, ...o }) => ({ body: someEffects(await client.proof(key), o) }),
  "decisions.list": async ({ client }, q) => {
    const { decisions, cursor } = await client.decisionPage(q);
    return { body: page(decisions, cursor) };
  },
  "questions.list": async ({ client }, { id }) => ({ body: page(await client.questions(id)) }),
  "questions.answer": async (call, { questionId, value, wait, ...o }) => {
    const { client, signal } = call;
    const answered = await client
      .answer(questionId, value, { ...o, signal, ...(wait === undefined ? {} : { timeoutMs: wait * 1_000 }) })
      .catch((e: unknown) => {
        if (!isWaitEnded(call, e)) throw e;
        return client.answer(questionId, value, { ...o, timeoutMs: 0 }); // it is accepted: what is known of it now
      });
    const { replayed } = answered;
    return { body: answered, replayed, ...(answered.state === "posted" ? { outcome: "pending", at: ["decisions"] } : {}) };
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

/** Items of one superstep stay on one page. */
function superstepOf(item: GraphStreamItem): number | undefined {
  return "superstep" in item ? item.superstep : undefined;
}
