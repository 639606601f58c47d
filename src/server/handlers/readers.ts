// Who reads the log, what they gave up, and what projectors complained about.
// It must never read the store itself: the client does.
import { PawlError } from "../../errors/error.ts";
import type { HandlersOf } from "../call.ts";
import { namedPage, page } from "./pages.ts";

type Own = "consumers.list" | "consumers.dead" | "alerts.list";

export const readerHandlers: HandlersOf<Own> = {
  "consumers.list": async ({ client }, q) => ({ body: namedPage(await client.consumers(), (c) => c.consumer, q) }),
  "consumers.dead": async ({ client }, { consumer, afterRun, afterSeq, ...o }) => {
    if ((afterRun === undefined) !== (afterSeq === undefined)) throw new PawlError("PAWL4011", "give afterRun and afterSeq, or neither");
    const after = afterRun === undefined ? {} : { after: { runId: afterRun, runSeq: afterSeq! } };
    return { body: page(await client.deadLetters(consumer, { ...o, ...after })) };
  },
  "alerts.list": async ({ client }, q) => {
    const { alerts, cursor } = await client.alerts(q);
    return { body: page(alerts, cursor) };
  },
};
