// What the log of a run says: events, steps, views, projections, proofs, evidence; and events that producers outside append.
// It must never read the store itself: the client does.
import { PawlError } from "../../errors/error.ts";
import type { HandlersOf } from "../call.ts";
import { hidePayloads } from "../hide.ts";
import { page } from "./pages.ts";
import { someEffects } from "./proofs.ts";

type Own =
  | "runs.events"
  | "runs.event"
  | "runs.steps"
  | "runs.timeline"
  | "runs.view"
  | "runs.projection"
  | "runs.proof"
  | "runs.verify"
  | "runs.evidence"
  | "events.append";

export const logHandlers: HandlersOf<Own> = {
  "runs.events": async ({ client }, { id, limit = 100, payloads, ...q }) => {
    const events = await client.events(id, { ...q, limit });
    // The next page follows the last event; of those before one, it precedes the first.
    const next = q.before === undefined ? events.at(-1)?.runSeq : events[0]?.runSeq;
    const body = page(events, events.length === limit && next !== undefined ? String(next) : undefined);
    return { body: payloads === "none" ? (hidePayloads("runs.events", body) as typeof body) : body };
  },
  "runs.event": async ({ client }, { id, seq }) => ({ body: await client.event(id, seq) }),
  "runs.steps": async ({ client }, { id, ...o }) => {
    const { steps, cursor } = await client.stepPage(id, o);
    return { body: page(steps, cursor) };
  },
  "runs.timeline": async ({ client }, { id }) => ({ body: await client.timeline(id) }),
  "runs.view": async ({ client }, { id, name }) => ({ body: { value: await client.view(id, name) } }),
  "runs.projection": async ({ client }, { id, projector }) => {
    // null: no projector has made anything of it yet.
    return { body: (await client.projection(id, projector === undefined ? {} : { name: projector })) ?? null };
  },
  "runs.proof": async ({ client }, { id, ...o }) => ({ body: someEffects(await client.proof(id), o) }),
  "runs.verify": async ({ client }, { id }) => ({ body: await client.verifyRun(id) }),
  "runs.evidence": async ({ client, caller, server }, { id, signer, ...asked }) => {
    const sees = caller.scopes.includes("payloads");
    if (!sees && asked.payloads === true)
      throw new PawlError("PAWL4081", "evidence with payloads needs the scope payloads", { data: { scope: "payloads" } });
    const o = sees ? asked : { ...asked, payloads: false };
    const sign = signer === undefined ? undefined : server.signers.get(signer);
    if (signer !== undefined && sign === undefined) throw new PawlError("PAWL4011", `this server has no signer ${JSON.stringify(signer)}`);
    return {
      body: await client.evidence(id, sign === undefined ? o : { ...o, key: sign }),
      file: { type: "application/zip", name: "evidence.zip" },
    };
  },
  "events.append": async ({ client }, { event, events, ...o }) => {
    if ((event === undefined) === (events === undefined)) throw new PawlError("PAWL4011", "a request has either event or events");
    return { body: event === undefined ? await client.append(events!, o) : await client.append(event, o) };
  },
};
