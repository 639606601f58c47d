// One process of the fan-out tests: an owner of a run with a step for each of many items, which it leaves to workers, or a worker. Every effect is a line in
// a file that no engine reads. The worker holds the items named `held` until a file is there; `once` fails at its first attempt, `never` at every one.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { dag, engine, Fatal, task, worker } from "../../../src/index.ts";
import { send } from "../../crash/programs/receiver.ts";

interface Wanted {
  readonly role: "owner" | "worker";
  readonly store: string;
  readonly ledger: string;
  readonly id: string;
  readonly items: number;
  readonly go: string;
}
const { role, store, ledger, id, items, go } = JSON.parse(process.argv[2] ?? "{}") as Wanted;

const item = task(
  { name: "item", input: z.string() },
  async (name, s) => {
    send(ledger, { key: name, fence: s.fence });
    while (name.startsWith("held") && !existsSync(go)) await sleep(10);
    if (name === "never") throw new Fatal("no such item");
    if (name === "once" && s.attempt.logical === 1) throw new Error("not yet");
    return name;
  },
  { queue: "items", repeatable: true, retry: { attempts: 2, initial: "10ms" } },
);
const names = [...Array.from({ length: 10 }, (_, i) => `held-${i}`), "once", "never"];
export const wide = dag({ name: "wide", version: "1", input: z.number() }, (t) => {
  const all = t.task("all", {}, ({ input }) => [...names, ...Array.from({ length: input - names.length }, (_, i) => `item-${i}`)]);
  return t.each("each", all, item, { id: (n) => n, input: (n) => n });
});

const log = (level: string, message: string): void => console.log(`log ${level} ${message}`);
if (role === "owner") {
  const app = await engine({ store, workflows: [wide], queues: {}, lease: "2s", log });
  await app.start(wide, items, { id });
} else await worker({ store, tasks: [item], queues: { items: { concurrency: 20 } }, lease: "2s", log });
console.log("ready");
