// An order that is undone when it cannot be completed: each step says how to compensate it, and ctx.fail (or any uncaught error)
// runs the compensations in reverse order of completion before the run fails.
import { PawlError, run, workflow } from "pawl";
import { z } from "zod";

const order = workflow(
  { name: "order", input: z.object({ orderId: z.string(), weightKg: z.number() }), id: (i) => i.orderId },
  async (ctx, input) => {
    await ctx.step("reserve", () => console.log("reserve stock"), {
      repeatable: true,
      compensate: () => console.log("release stock"),
    });
    await ctx.step("charge", () => ({ chargeId: "ch_1" }), {
      key: `charge-${input.orderId}`,
      dedup: "24h",
      compensate: (charge) => console.log(`refund ${charge.chargeId}`),
    });
    if (input.weightKg > 30) ctx.fail("too heavy to ship", { weightKg: input.weightKg });
    await ctx.step("ship", () => console.log("ship"), { repeatable: true });
    return "shipped";
  },
);

console.log(await run(order, { orderId: "light", weightKg: 2 }));
try {
  await run(order, { orderId: "heavy", weightKg: 300 });
} catch (e) {
  if (e instanceof PawlError) console.log(`${e.code} ${e.message}`);
}
