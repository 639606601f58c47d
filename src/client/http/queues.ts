// Queues, steps and investigations over HTTP: each verb is one operation. An act carries its requestId from the first try on. It must never
// interpret an answer.
import type { Client } from "../types.ts";
import { type HttpCaller, readAll } from "./call.ts";
import { pollForAct } from "./waits.ts";

type QueueSurface = Pick<Client, "queues" | "act" | "investigations">;

export function httpQueues(caller: HttpCaller): QueueSurface {
  const { call } = caller;
  return {
    act: (id, step, act, { timeoutMs, signal, ...o }) => pollForAct(caller, { id, step, ...act, ...o }, { timeoutMs, signal }),
    queues: {
      list: () => readAll((cursor) => call("queues.list", cursor)),
      set: (name, settings, o) => call("queues.set", { name, ...settings, ...o }),
      pause: (name, o) => call("queues.pause", { name, ...o }),
      resume: (name, o) => call("queues.resume", { name, ...o }),
      workers: () => readAll((cursor) => call("queues.workers", cursor)),
    },
    investigations: {
      list: async ({ open, ...q } = {}) => {
        const state = open === undefined ? {} : { state: open ? ("open" as const) : ("closed" as const) };
        return (await call("investigations.list", { ...q, ...state })).items;
      },
      open: (id, o) => call("investigations.open", { id, ...o }),
      note: (id, o) => call("investigations.note", { id, ...o }),
      close: (id, as, o) => call("investigations.close", { id, as, ...o }),
    },
  };
}
