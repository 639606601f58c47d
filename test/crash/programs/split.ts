// An engine in split mode in a process of its own, with its effect store in the database of the run store. One step may be sent
// once. "hold": it stays where its result is kept and the store knows nothing of it, says so, and waits for its death. Without
// it, it goes on until the run has settled or waits for a person, tells what it sees, and ends by itself: the effect store stays open.
import { setTimeout as sleep } from "node:timers/promises";
import { engine, workflow, type EffectStore } from "../../../src/index.ts";
import { mysqlEffectStore } from "../../../src/mysql.ts";
import { postgresEffectStore } from "../../../src/postgres.ts";
import { send } from "./receiver.ts";

const [url = "", ledger = "", mode = ""] = process.argv.slice(2);
const real = await (url.startsWith("mysql") ? mysqlEffectStore(url) : postgresEffectStore(url));
const holding: EffectStore = {
  ...real,
  async put(e) {
    await real.put(e);
    console.log(`kept ${e.result}`);
    await new Promise(() => {});
  },
};

const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.step("before", () => 1);
  const charge = (s: { readonly fence: string }): string => {
    send(ledger, { key: "charge", fence: s.fence });
    return `paid under ${s.fence}`;
  };
  return ctx.step("charge", charge, { once: true });
});

const e = await engine({ store: url, workflows: [order], lease: "600s", effectStore: mode === "hold" ? holding : real });
const handle = await e.start(order, undefined, { id: "o" });
let state = await handle.status();
while (state.status === "PENDING" || (state.status === "RUNNING" && state.waiting !== "decision")) {
  await sleep(20);
  state = await handle.status();
}
let outcome: unknown = null;
for await (const x of handle.events()) if (x.eventType === "StepCompleted" && x.stepId === "charge") outcome = x.payload;
console.log(`seen ${JSON.stringify({ status: state.status, waiting: state.waiting, outcome })}`);
await e.stop();
