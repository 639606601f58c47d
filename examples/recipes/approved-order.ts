// The workflow of docs/migration.md: an effect with a key, a timer, a message from outside with a time limit. Keep it short: the page
// shows it next to the same workflow written for other engines.
import { workflow } from "pawl";
import { z } from "zod";

/** A payment provider that deduplicates by key. */
const charge = async (id: string, key: string) => ({ chargeId: `ch_${id}_${key}` });

export const order = workflow(
  { name: "order", input: z.object({ id: z.string() }), signals: { approved: z.object({ by: z.string() }) } },
  async (ctx, { id }) => {
    const { chargeId } = await ctx.step("charge", (s) => charge(id, s.key), { key: id, dedup: "24h", retry: { attempts: 5 } });
    await ctx.sleep("cool off", "1h");
    const answer = await ctx.receive("approved", { timeout: "3d" });
    if (answer === undefined) return ctx.fail("nobody answered");
    return { chargeId, by: answer.by };
  },
);
// const run = await app.start(order, { id: "o-1" }, { id: "o-1" });
// await run.signal("approved", { by: "ann" }, { signalId: "mail-77" });
