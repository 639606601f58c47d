// Waiting for a child that another step started, across a change of owner. Guards that every payload in the log can be read
// again: a run that waits for its child must never be lost to its own record.
import { expect, it } from "vitest";
import { openEngine } from "../../client/engine.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import { workflow } from "../../workflow/define.ts";
import { proves } from "../../../test/support/proves.ts";

it("a run that waits for the result of a started child is taken over by the next engine", proves("K13"), async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const around = { platform, log: () => {}, open: async () => store };
  const child = workflow({ name: "child" }, async (ctx) => {
    await ctx.sleep("nap", "1m");
    return "grown";
  });
  const parent = workflow({ name: "parent" }, async (ctx) => (await ctx.start(child)).result());
  const first = await openEngine(around, { workflows: [parent, child], store });
  const { runId } = await first.engine.start(parent);
  await platform.settle();
  const stopped = first.engine.stop();
  await platform.settle();
  await stopped;
  for (const e of await store.events({ runId, after: 0, limit: 100 })) if (e.payload !== null) JSON.parse(e.payload);

  const second = await openEngine(around, { workflows: [parent, child], store });
  const end = second.client.waitForEnd(runId);
  await platform.advance(61_000);
  expect(await end).toMatchObject({ status: "COMPLETED", result: "grown" });
  await second.engine.stop();
});
