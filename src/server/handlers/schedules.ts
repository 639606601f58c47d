// Schedules of this tenant, over the client's verbs.
// It must never make the input of a run itself: the engine that has the code does.
import type { HandlersOf } from "../call.ts";
import { namedPage } from "./pages.ts";

type Own =
  | "schedules.put"
  | "schedules.list"
  | "schedules.get"
  | "schedules.pause"
  | "schedules.resume"
  | "schedules.fire"
  | "schedules.remove";

export const scheduleHandlers: HandlersOf<Own> = {
  // What an expression may be is checked by the verb, over every transport.
  "schedules.put": async ({ client }, input) => ({ body: await client.schedules.put(input as never) }),
  "schedules.list": async ({ client }, q) => ({ body: namedPage(await client.schedules.list(), (s) => s.name, q) }),
  "schedules.get": async ({ client }, { name, ...o }) => ({ body: await client.schedules.get(name, o) }),
  "schedules.pause": async ({ client }, { name, ...o }) => ({ body: await client.schedules.pause(name, o) }),
  "schedules.resume": async ({ client }, { name, ...o }) => ({ body: await client.schedules.resume(name, o) }),
  "schedules.fire": async ({ client }, { name, ...o }) => ({ body: await client.schedules.fire(name, o) }),
  "schedules.remove": async ({ client }, { name, ...o }) => ({ body: await client.schedules.remove(name, o) }),
};
