// An expense that a person approves: the request is mailed, the run waits for days if needed, and only then is anything paid. The
// bank cannot be asked and does not remember keys, so the payment is sent at most once (class AT-MOST-ONCE). In doubt, a person
// decides. `outside` represents the mail and the bank, and counts what happened.
import { workflow } from "pawl";
import { world } from "pawl/testing";
import { z } from "zod";

export const outside = world();

export const expense = workflow(
  {
    name: "human-approval",
    input: z.object({ id: z.string(), cents: z.number() }),
    id: (i) => i.id,
    signals: { decided: z.object({ by: z.string(), yes: z.boolean() }) },
    views: { state: z.string() },
  },
  async (ctx, { cents }) => {
    await ctx.step("ask", (s) => outside.record("mail", s.key), { repeatable: true }); // twice in the mailbox harms nobody
    ctx.publish("state", "waiting for a decision");
    const decision = await ctx.receive("decided", { timeout: "3d" });
    if (decision?.yes !== true) {
      ctx.publish("state", decision === undefined ? "nobody answered" : `refused by ${decision.by}`);
      return { paid: 0, by: decision?.by ?? null };
    }
    await ctx.step("pay", () => outside.record("payment"), { once: true });
    ctx.publish("state", `paid, approved by ${decision.by}`);
    return { paid: cents, by: decision.by };
  },
);
