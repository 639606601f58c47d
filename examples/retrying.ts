// A run failed after it had charged. A retry keeps the charge. If a person orders the charge to be sent again, it is sent with the
// same key and the person's name is recorded. The dry run says beforehand what would happen to each step.
import { engine, workflow } from "pawl";

let inStock = false;
const bank: string[] = [];

const order = workflow({ name: "order" }, async (ctx) => {
  await ctx.step("price", () => 1200);
  await ctx.step("charge", (s) => bank.push(s.key), { key: "order-42", dedup: "24h" });
  await ctx.step("reserve", () => {
    if (!inStock) throw new Error("out of stock");
  });
});

const app = await engine({ store: "memory:", workflows: [order] });
const first = await app.start(order, undefined, { id: "order-42" });
await first.result().catch((e: Error) => console.log(e.message));

inStock = true;
const plan = await first.retry({ dryRun: true, fromStep: "price" });
for (const s of plan.steps) console.log(`${s.stepId}: ${s.outlook} (${s.why})`);

const second = await first.retry({ fromStep: "price" });
await second.result();
console.log("retried:", bank.join(", "));

const third = await second.retry({ rerun: ["charge"], by: "ann", reason: "the bank lost its ledger of today" });
await third.result();
console.log("on ann's order:", bank.join(", "));
await app.stop();
