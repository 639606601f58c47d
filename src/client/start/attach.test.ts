// Attaching to a run that has continued as new: the caller knows only the input it once gave. Guards that the program that
// started a line of runs can be started again at any time of its life.
import { expect, it } from "vitest";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import { workflow } from "../../workflow/define.ts";
import { openEngine } from "../engine.ts";

it("the first input attaches to a run that continued as new; another input is still refused", async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const count = workflow(
    { name: "count", input: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value: value as number }) } } },
    async (ctx, n) => {
      await ctx.sleep("pause", "1m");
      return n < 3 ? ctx.continueAsNew(n + 1) : n;
    },
  );
  const { engine } = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows: [count] });
  const first = await engine.start(count, 1, { id: "line" });
  await platform.advance(60_000);
  const again = await engine.start(count, 1, { id: "line" });
  expect(again.created).toBe(false);
  expect(again.runId).not.toBe(first.runId);
  await expect(engine.start(count, 2, { id: "line" })).rejects.toMatchObject({ code: "PAWL4009" });
  const result = again.result();
  await platform.advance(120_000);
  expect(await result).toBe(3);
  await engine.stop();
});
