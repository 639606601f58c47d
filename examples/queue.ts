// Steps that run on a queue. Start this program in several processes: each of them claims what it has room for, and one that is killed leaves
// its steps to the others, as the class of each step permits.
import { engine, task, worker, workflow } from "pawl";
import { z } from "zod";

/** KEYED: the bank remembers a key for a day, so a charge whose worker died is sent again under the same key. */
export const charge = task(
  { name: "charge", input: z.object({ orderId: z.string(), cents: z.number() }) },
  async ({ orderId, cents }, s) => {
    console.log(`charge ${orderId}: ${cents} cents under ${s.key}`);
    return { receipt: `${orderId}-paid` };
  },
  { queue: { name: "payments", priority: 5 }, key: (i) => `order-${i.orderId}`, dedup: "24h", timeout: "30s" },
);

export const order = workflow({ name: "order", input: z.object({ id: z.string() }) }, async (ctx, { id }) => {
  const { receipt } = await ctx.do(charge, { orderId: id, cents: 500 });
  return receipt;
});

// An engine that leaves its queued steps to workers, and a worker. Usually they are two programs.
const app = await engine({ workflows: [order], queues: {} });
const payments = await worker({ tasks: [charge], queues: { payments: { concurrency: 20 } } });
console.log(await app.run(order, { id: "17" }, { id: "order-17" }));
await payments.stop();
await app.stop();
