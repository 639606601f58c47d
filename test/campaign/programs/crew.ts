// One process of the worker campaign: an owner, which keeps orders in flight and runs no step, or a worker, which runs steps and owns no order. An order is
// a chain of steps of every class on one queue. It is there to be killed, stopped and cut off; it never decides what is right.
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { engine, task, worker, workflow, type TaskOpts } from "../../../src/index.ts";
import { openStore } from "../../../src/open.ts";
import { systemPlatform } from "../../../src/platform/system.ts";
import type { FullStore } from "../../../src/store/full-store.ts";
import { badWeather, withBug, type Bug } from "./bugs.ts";
import { insist } from "./insist.ts";
import { note, readLedger } from "./ledger.ts";

export interface CrewDuty {
  readonly role: "owner" | "worker";
  readonly store: string;
  readonly ledger: string;
  /** Ids of its orders begin with this. */
  readonly name: string;
  /** Orders that an owner keeps in flight; 0: it only finishes what others left. */
  readonly orders: number;
  /** How long an effect takes at most. */
  readonly holdMs: number;
  readonly bug?: Bug;
  /** The seed of a store that loses answers of every verb. */
  readonly weather?: number;
}
const wanted = JSON.parse(process.argv[2] ?? "{}") as CrewDuty;
const { ledger, role } = wanted;

const steps = ["plain", "keyed", "verified", "again", "once"] as const;
type StepName = (typeof steps)[number];
const sent = (run: string, step: StepName) => readLedger(ledger).find((l) => l.kind === "effect" && l.run === run && l.step === step);
const options: Readonly<Record<StepName, TaskOpts<string, number>>> = {
  plain: {},
  keyed: { key: (id) => `${id} keyed`, dedup: "1h", timeout: "10s" },
  verified: {
    verify: async (id) => {
      const found = sent(id, "verified");
      return found?.kind === "effect" ? { state: "completed-with-result", result: found.fence } : { state: "not-completed" };
    },
    timeout: "2s",
    settle: "200ms",
  },
  again: { repeatable: true },
  once: { once: true, timeout: "10s" },
};
const make = (step: StepName) =>
  task(
    { name: step, input: z.string() },
    async (run: string, s): Promise<number> => {
      const fence = Number(s.fence);
      note(ledger, { kind: "effect", run, place: steps.indexOf(step), step, key: s.key, fence });
      await pause(Math.random() * wanted.holdMs);
      return fence;
    },
    { ...options[step], queue: "work" } as TaskOpts<string, any>,
  );
const tasks = { plain: make("plain"), keyed: make("keyed"), verified: make("verified"), again: make("again"), once: make("once") };
const order = workflow({ name: "queued-order", input: z.object({ id: z.string(), once: z.boolean() }) }, async (ctx, { id, once }) => {
  for (const step of steps) if (step !== "once" || once) await ctx.do(tasks[step], id);
  return 7;
});

async function opened(): Promise<FullStore> {
  let store = await openStore(wanted.store, systemPlatform());
  if (wanted.weather !== undefined) store = badWeather(store, ledger, wanted.weather);
  return wanted.bug === undefined ? store : withBug(store, wanted.bug);
}
const log = (): void => {};

if (role === "worker") {
  const app = await insist(async () =>
    worker({ store: await opened(), tasks: Object.values(tasks), queues: { work: { concurrency: 8 } }, lease: "1s", log }),
  );
  console.log("ready");
  createInterface({ input: process.stdin }).on("line", () => void app.stop({ grace: "1s" }).finally(() => process.exit(0)));
} else {
  const app = await insist(async () => engine({ store: await opened(), workflows: [order], queues: {}, lease: "1s", log }));
  console.log("ready");
  let enough = false;
  createInterface({ input: process.stdin }).on("line", () => {
    enough = true;
    void app.stop({ grace: 1_000 }).finally(() => process.exit(0));
  });
  const lane = async (at: number): Promise<void> => {
    for (let n = 0; !enough; n++) {
      const id = `${wanted.name}-${at}-${n}`;
      const h = await insist(() => app.start(order, { id, once: (at + n) % 4 === 0 }, { id }));
      note(ledger, { kind: "accepted", run: id });
      for (;;) {
        // An order in doubt waits for a person: the next one does not wait for it.
        const { status, waiting } = await insist(() => h.status());
        if (waiting === "decision" || !["PENDING", "RUNNING", "PAUSED"].includes(status)) break;
        await pause(100);
      }
    }
  };
  await Promise.all(Array.from({ length: wanted.orders }, (_, i) => lane(i)));
}
