// Webhooks over HTTP: the verbs of endpoints as operations. A secret of the caller's own and permissions of the sending process cannot travel; they
// are refused before anything is sent. Delivering is the work of a process on the store.
import { PawlError } from "../../errors/error.ts";
import type { Webhooks } from "../../webhooks/types.ts";
import { type HttpCaller, readAll } from "./call.ts";

export function httpWebhooks({ call }: HttpCaller): Webhooks {
  return {
    add: (e) => {
      const { secret, allowInsecure, ...rest } = e;
      stays({ secret, allowInsecure });
      return call("webhooks.add", rest);
    },
    list: () => readAll((cursor) => call("webhooks.list", cursor)),
    remove: async (endpointId, o) => {
      await call("webhooks.remove", { endpointId, reason: o?.reason ?? "" });
    },
    pause: (endpointId, reason) => call("webhooks.pause", { endpointId, ...(reason === undefined ? {} : { reason }) }),
    resume: (endpointId) => call("webhooks.resume", { endpointId }),
    rotate: (endpointId, { secret, window, ...o } = {}) => {
      stays({ secret });
      return call("webhooks.rotate", { endpointId, ...o, ...(window === undefined ? {} : { window: String(window) }) });
    },
    test: (endpointId, o = {}) => {
      stays({ ...o });
      return call("webhooks.test", { endpointId });
    },
    replay: (endpointId, what) => call("webhooks.replay", { endpointId, what }),
    deliveries: async (endpointId, o = {}) => (await call("webhooks.deliveries", { endpointId, ...o })).items,
    dead: async (endpointId, o = {}) => (await call("webhooks.deliveries", { endpointId, ...o, state: "dead" })).items,
    deliver: () => {
      throw notWithWebhooks("deliver");
    },
  };
}

function stays(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) if (value !== undefined && value !== false) throw notWithWebhooks(name);
}

function notWithWebhooks(what: string): PawlError {
  return new PawlError("PAWL4086", `${what} of webhooks needs the store itself: a client over HTTP cannot do it`);
}
