// Workflows that run workflows: ctx.call waits for the child, which is cancelled with its parent; ctx.start returns a handle at
// once. A child is a run like any other, with its own log and id.
import { run, workflow } from "pawl";
import { z } from "zod";

const pack = workflow({ name: "pack", input: z.object({ item: z.string() }) }, async (ctx, { item }) =>
  ctx.step("wrap", () => `${item} in paper`, { repeatable: true }),
);

const survey = workflow({ name: "survey", signals: { answer: z.number() } }, async (ctx) => {
  const stars = await ctx.receive("answer", { timeout: "30d" });
  return stars ?? 0;
});

const parcel = workflow({ name: "parcel", input: z.object({ items: z.array(z.string()) }) }, async (ctx, { items }) => {
  const packed = await Promise.all(items.map((item) => ctx.call(pack, { item }, { id: `${ctx.run.workflowId}/${item}` })));
  const asked = await ctx.start(survey);
  await asked.signal("answer", 5);
  return { packed, stars: await asked.result() };
});

console.log(await run(parcel, { items: ["cup", "vase"] }, { id: "parcel-1" }));
