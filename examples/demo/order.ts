// The demo's workflow: reserve, charge, ship. The charge declares a key, how long the bank remembers it, and how to look it up, so
// after a crash at the worst moment Pawl asks the bank.
import { workflow } from "pawl";
import { z } from "zod";
import type { bank } from "./bank.ts";

export function orderWorkflow(b: ReturnType<typeof bank>) {
  return workflow({ name: "order", input: z.object({ orderId: z.string(), cents: z.number().int() }) }, async (ctx, order) => {
    const shelf = await ctx.step("reserve", () => "shelf 7", { repeatable: true });

    const charge = await ctx.step("charge", (s) => b.charge(s.key, order.cents), {
      key: `charge-${order.orderId}`,
      dedup: "24h",
      verify: async (s) => {
        const found = await b.lookup(s.key);
        return found === undefined ? { state: "not-completed" } : { state: "completed-with-result", result: found };
      },
    });

    await ctx.step("ship", () => `parcel from ${shelf}`, { repeatable: true });
    return { chargeId: charge.chargeId };
  });
}
