// A DAG as data: order.json says what needs what; this program has the handlers. Equal input is the same run,
// so the second start finds the first.
import { readFileSync } from "node:fs";
import { dagFromTemplate, engine, task } from "pawl";
import { z } from "zod";

const given = z.object({ input: z.object({ id: z.string(), cents: z.number() }) });
const handlers = [
  task({ name: "shop.route", input: given }, ({ input }) => (input.cents < 10_000 ? "small" : "large")),
  task({ name: "shop.sign", input: given }, ({ input }) => ({ signed: input.id })),
  task(
    { name: "shop.charge", input: z.object({ orderId: z.string(), cents: z.number() }) },
    ({ orderId, cents }) => ({ id: `charge-${orderId}`, cents }),
    { key: (i) => `order-${i.orderId}`, dedup: "24h" },
  ),
  task({ name: "shop.mail", input: z.object({ to: z.string(), paid: z.number() }) }, ({ to, paid }) => `${to} knows of ${paid}`, {
    repeatable: true,
  }),
];

const order = dagFromTemplate(JSON.parse(readFileSync(new URL("order.json", import.meta.url), "utf8")), handlers);
const app = await engine({ workflows: [order] });
const small = await app.start(order, { id: "o-1", cents: 500, people: [{ email: "ann@example.org" }] });
console.log(await small.result());
const same = await app.start(order, { people: [{ email: "ann@example.org" }], cents: 500, id: "o-1" });
console.log(same.runId === small.runId, (await small.steps()).map((s) => `${s.stepId} ${s.status}`).join(", "));
console.log(await app.run(order, { id: "o-2", cents: 50_000 }));
await app.stop();
