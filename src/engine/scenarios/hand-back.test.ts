// An engine that stops while a run is being replayed hands it back as it was. Guards that giving up in the middle of the
// record is never taken for a divergence, and never delays what the run waits for.
import { expect, it } from "vitest";
import { openEngine } from "../../client/engine.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { memoryStore } from "../../store/memory/store.ts";
import { workflow } from "../../workflow/define.ts";
import { proves } from "../../../test/support/proves.ts";

it("a run that is handed back in the middle of its record is neither diverged nor forgotten", proves("K13", "K18"), async () => {
  const platform = virtualPlatform();
  const store = memoryStore(platform);
  const around = { platform, log: () => {}, open: async () => store };
  const wf = workflow({ name: "wf" }, async (ctx) => {
    for (let i = 0; i < 20; i++) await ctx.step("s", () => i);
    await ctx.sleep("nap", "1m");
    return "done";
  });
  const first = await openEngine(around, { workflows: [wf], store });
  const { runId } = await first.engine.start(wf);
  await platform.settle();
  await first.engine.stop();
  const parked = await store.run({ runId });
  await store.post({
    scope: parked!.scope,
    target: { runId },
    kind: "control",
    name: "none such",
    id: "wake",
    payload: null,
    retainMs: null,
  });

  const second = await openEngine(around, { workflows: [wf], store });
  expect(second.core.isLive(runId)).toBe(true); // its record is being replayed
  const stopped = second.engine.stop();
  await platform.settle();
  await stopped;
  expect(await store.run({ runId })).toMatchObject({ status: "RUNNING", owner: null, dueAt: platform.wallMs(), headSeq: parked!.headSeq });

  const third = await openEngine(around, { workflows: [wf], store });
  const result = third.client.waitForEnd(runId);
  await platform.advance(60_000);
  expect(await result).toMatchObject({ status: "COMPLETED", result: "done" });
  await third.engine.stop();
});
