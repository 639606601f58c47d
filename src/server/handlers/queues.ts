// Queues, the processes that serve them, acts on steps, and records of what somebody should look at. It must never answer for a step itself:
// the client's verbs do.
import type { HandlersOf } from "../call.ts";
import { namedPage, page } from "./pages.ts";

type Own =
  | "steps.act"
  | "queues.list"
  | "queues.set"
  | "queues.pause"
  | "queues.resume"
  | "queues.workers"
  | "investigations.list"
  | "investigations.open"
  | "investigations.note"
  | "investigations.close";

export const queueHandlers: HandlersOf<Own> = {
  "steps.act": async ({ client }, { id, step, do: what, result, wait, ...o }) => {
    const act = what === "complete" ? { do: what, ...(result === undefined ? {} : { result }) } : { do: what };
    const acted = await client.act(id, step, act, { ...o, ...(wait === undefined ? {} : { timeoutMs: wait * 1_000 }) });
    const pending = acted.state === "posted" ? ({ outcome: "pending", at: ["decisions"] } as const) : {};
    return { body: acted, replayed: acted.replayed === true, ...pending };
  },
  "queues.list": async ({ client }, q) => ({ body: namedPage(await client.queues.list(), (x) => x.name, q) }),
  "queues.set": async ({ client }, { name, by, reason, ifVersion, ...settings }) => {
    const who = { reason, ...(by === undefined ? {} : { by }), ...(ifVersion === undefined ? {} : { ifVersion }) };
    return { body: await client.queues.set(name, settings as never, who) };
  },
  "queues.pause": async ({ client }, { name, ...o }) => ({ body: await client.queues.pause(name, o) }),
  "queues.resume": async ({ client }, { name, ...o }) => ({ body: await client.queues.resume(name, o) }),
  "queues.workers": async ({ client }, q) => ({ body: namedPage(await client.queues.workers(), (w) => w.workerId, q) }),
  "investigations.list": async ({ client }, { state, ...q }) => {
    const open = state === undefined ? {} : { open: state === "open" };
    return { body: page(await client.investigations.list({ ...q, ...open })) };
  },
  "investigations.open": async ({ client }, { id, ...o }) => ({ body: await client.investigations.open(id, o) }),
  "investigations.note": async ({ client }, { id, ...o }) => ({ body: await client.investigations.note(id, o) }),
  "investigations.close": async ({ client }, { id, as, ...o }) => ({ body: await client.investigations.close(id, as, o) }),
};
