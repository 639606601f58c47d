// A run that lives long: after each round it continues as new, with an empty log under the same id. Signals that were not received
// yet move to the next run. `result()` waits for the last run.
import { run, workflow } from "pawl";
import { z } from "zod";

const poller = workflow(
  { name: "poller", input: z.object({ round: z.number(), seen: z.array(z.string()) }) },
  async (ctx, { round, seen }) => {
    const headline = await ctx.step("fetch", () => `headline ${round}`, { repeatable: true, timeout: "30s" });
    await ctx.step("tell", () => console.log(headline));
    const next = [...seen, headline];
    if (round === 3) return next;
    await ctx.sleep("pause", "50ms");
    return ctx.continueAsNew({ round: round + 1, seen: next });
  },
);

console.log(await run(poller, { round: 1, seen: [] }, { id: "news" }));
