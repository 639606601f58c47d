// A run whose only effect a person must approve, in a process that is killed: it says when it waits, and what came of it. Started
// again it is the same program; the requests are counted in a ledger that the engine never reads.
import { engine, workflow, type StepError } from "../../../src/index.ts";
import { send } from "./receiver.ts";

const [store = "", ledger = "", cls = ""] = process.argv.slice(2);
const guarantee = cls === "KEYED" ? { key: "order-1", dedup: "1d" as const } : { once: true as const };
const pay = workflow({ name: "pay" }, async (ctx) =>
  ctx
    .step<string>("pay", (s) => (send(ledger, { key: s.key, fence: s.fence }), "paid"), { ...guarantee, approve: "pay order-1?" })
    .catch((e: StepError) => e.category),
);
const e = await engine({ store: `sqlite:${store}`, workflows: [pay], onDecision: (d) => console.log(`asked ${d.kind} ${d.decisionId}`) });
const handle = await e.start(pay, undefined, { id: "order-1" });
console.log("ready");
console.log(`result ${await handle.result()}`);
await e.stop();
