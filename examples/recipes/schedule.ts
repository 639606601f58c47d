// A loop like cron's: one run with a fixed id sleeps until the next tick, starts the work of that tick as a run of its own, and continues
// as new. However many processes start it, there is one loop. Here a tick is every 200 ms, and the loop ends after three.
import { engine, workflow } from "pawl";
import { z } from "zod";

const report = workflow({ name: "report", input: z.object({ at: z.string() }) }, async (ctx, { at }) =>
  ctx.step("write", () => `report of ${at}`, { key: `report-${at}`, dedup: "7d" }),
);

const every = workflow({ name: "every", input: z.object({ ms: z.number().int().positive() }) }, async (ctx, { ms }) => {
  // The next tick is computed from the store's clock. After a time without any process, missed ticks are skipped.
  const at = new Date((Math.floor(ctx.now().getTime() / ms) + 1) * ms);
  await ctx.sleepUntil("next", at);
  // The tick's id makes it idempotent. It is not awaited: a report that fails does not end the loop.
  await ctx.start(report, { at: at.toISOString() }, { id: `report-${at.toISOString()}` });
  return ctx.continueAsNew({ ms });
});

const pawl = await engine({ workflows: [every, report] });
const loop = await pawl.start(every, { ms: 200 }, { id: "reports" });
const again = await pawl.start(every, { ms: 200 }, { id: "reports" }); // as a second process would
console.log("started", loop.created, again.created);

const done = async () => (await pawl.list({ workflow: "report", status: ["COMPLETED"] })).runs;
while ((await done()).length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
await loop.cancel("three are enough"); // reaches the run that is the loop now
await loop.result().catch((e: Error) => console.log(e.message.replace(/^run \S+/, "the loop")));

const ticks = (await done()).map((r) => Date.parse(r.workflowId.slice("report-".length)));
console.log(
  "on time:",
  ticks.every((t) => t % 200 === 0),
);
await pawl.stop();
