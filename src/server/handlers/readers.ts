// Who reads the log, what they gave up, and what projectors complained about.
// It must never read the store itself: the client does.
import type { HandlersOf } from "../call.ts";
import { page } from "./pages.ts";

type Own = "consumers.list" | "consumers.dead" | "alerts.list";

export const readerHandlers: HandlersOf<Own> = {
  "consumers.list": async ({ client }) => ({ body: page(await client.consumers()) }),
  "consumers.dead": async ({ client }, { consumer, ...o }) => ({ body: page(await client.deadLetters(consumer, o)) }),
  "alerts.list": async ({ client }, q) => {
    const { alerts, cursor } = await client.alerts(q);
    return { body: page(alerts, cursor) };
  },
};
