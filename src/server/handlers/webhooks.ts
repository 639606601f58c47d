// Endpoints that events are sent to. A caller over HTTP may choose
// no secret and lift no restriction: those members are not in the input.
import type { Duration } from "../../core/duration.ts";
import type { HandlersOf } from "../call.ts";
import { namedPage, page } from "./pages.ts";

type Own =
  | "webhooks.add"
  | "webhooks.list"
  | "webhooks.pause"
  | "webhooks.resume"
  | "webhooks.rotate"
  | "webhooks.test"
  | "webhooks.replay"
  | "webhooks.deliveries"
  | "webhooks.remove";

export const webhookHandlers: HandlersOf<Own> = {
  "webhooks.add": async ({ client }, endpoint) => {
    const added = await client.webhooks.add(endpoint);
    return { body: added, outcome: "created", at: ["webhooks"] };
  },
  "webhooks.list": async ({ client }, q) => ({ body: namedPage(await client.webhooks.list(), (e) => e.id, q) }),
  "webhooks.pause": async ({ client }, { endpointId, reason }) => ({ body: await client.webhooks.pause(endpointId, reason) }),
  "webhooks.resume": async ({ client }, { endpointId }) => ({ body: await client.webhooks.resume(endpointId) }),
  "webhooks.rotate": async ({ client }, { endpointId, scheme, window }) => {
    const o = { ...(scheme === undefined ? {} : { scheme }), ...(window === undefined ? {} : { window: window as Duration }) };
    return { body: await client.webhooks.rotate(endpointId, o) };
  },
  "webhooks.test": async ({ client }, { endpointId }) => ({ body: await client.webhooks.test(endpointId) }),
  "webhooks.replay": async ({ client }, { endpointId, what }) => ({ body: await client.webhooks.replay(endpointId, what) }),
  "webhooks.deliveries": async ({ client }, { endpointId, ...o }) => ({ body: page(await client.webhooks.deliveries(endpointId, o)) }),
  "webhooks.remove": async ({ client }, { endpointId }) => {
    await client.webhooks.remove(endpointId);
    return { body: { removed: true } };
  },
};
