// What the log of a run says: events, steps, views, projections, proofs, evidence; and events that producers outside append.
// It must never read the store itself: the client does.
import { PawlError } from "../../errors/error.ts";
import type { HandlersOf } from "../call.ts";
import { notBuilt } from "./not-built.ts";
import { page } from "./pages.ts";

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
  "runs.events": async ({ client }, { id, after = 0, before, limit = 100, types }) => {
    const events = await client.events(id, { after, limit });
    const last = events.at(-1)?.runSeq;
    const wanted = events.filter(
      (e) => (before === undefined || e.runSeq < before) && (types === undefined || types.includes(e.eventType)),
    );
    const more = events.length === limit && last !== undefined && (before === undefined || last + 1 < before);
    return { body: page(wanted, more ? String(last) : undefined) };
  },
  "runs.event": async ({ client }, { id, seq }) => {
    const [event] = await client.events(id, { after: seq - 1, limit: 1 });
    if (event?.runSeq !== seq) throw new PawlError("PAWL4001", `run ${id} has no event ${seq}`, { data: { id, seq } });
    return { body: event };
  },
  "runs.steps": async ({ client }, { id, ...o }) => {
    const { steps, cursor } = await client.stepPage(id, o);
    return { body: page(steps, cursor) };
  },
  "runs.timeline": notBuilt("runs.timeline"),
  "runs.view": async ({ client }, { id, name }) => ({ body: { value: await client.view(id, name) } }),
  "runs.projection": async ({ client }, { id, projector }) => {
    // null: no projector has made anything of it yet.
    return { body: (await client.projection(id, projector === undefined ? {} : { name: projector })) ?? null };
  },
  "runs.proof": async ({ client }, { id }) => ({ body: await client.proof(id) }),
  "runs.verify": notBuilt("runs.verify"),
  "runs.evidence": async ({ client, server }, { id, signer, ...o }) => {
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
