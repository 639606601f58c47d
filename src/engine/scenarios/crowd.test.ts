// Which runs stay in memory and which leave. Guards that an engine full of sleepers keeps rows, not heaps, and that a
// short nap does not cost a run its place. No time passes in these tests but what they let pass.
import { expect, it } from "vitest";
import { openEngine } from "../../client/engine.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import { workflow } from "../../workflow/define.ts";
import { proves } from "../../../test/support/proves.ts";

const long = workflow({ name: "long" }, async (ctx) => {
  await ctx.sleep("night", "1m");
  return "rested";
});
const short = workflow({ name: "short" }, async (ctx) => {
  await ctx.sleep("nap", "1s");
  return "rested";
});

it("above a fifth of its room an engine lets go of runs that wait for long, and keeps those that are soon due", proves("K18"), async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const { engine, core } = await openEngine(
    { platform, log: () => {}, open: async () => store },
    { workflows: [long, short], store, liveRunsMax: 10 },
  );
  const first = [await engine.start(long), await engine.start(long)];
  await platform.advance(1);
  expect(first.map((h) => core.isLive(h.runId))).toEqual([true, true]); // room enough: they stay for their idle time

  const more = [await engine.start(long), await engine.start(long)];
  const nap = await engine.start(short);
  await platform.advance(1);
  expect(more.map((h) => core.isLive(h.runId))).toEqual([false, false]);
  expect(await store.run({ runId: more[0]!.runId })).toMatchObject({ owner: null, waiting: "timer", status: "RUNNING" });
  expect(core.isLive(nap.runId)).toBe(true);

  const napped = nap.result();
  await platform.advance(1_000);
  expect(await napped).toBe("rested");
  const all = Promise.all([...first, ...more].map((h) => h.result()));
  await platform.advance(60_000);
  expect(await all).toEqual(["rested", "rested", "rested", "rested"]);
  await engine.stop();
});
