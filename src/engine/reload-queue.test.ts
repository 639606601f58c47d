// An engine that was declared dead, begins again under a new id and claims the very run that it had to abandon: it holds that run
// once, however long reading it takes. Held twice, both would send what is open, under one fence.
import { describe, expect, it } from "vitest";
import { deferred, testClusters, storeKinds } from "../../test/support/test-cluster.ts";
import type { FullStore } from "../store/full-store.ts";
import { workflow } from "../workflow/define.ts";
import { proves } from "../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a run that its reborn owner claims while it wants to read it again is held once, and its open step is sent once",
    proves("I4"),
    async () => {
      const l = await fresh(kind);
      const sent: string[] = [];
      const done = deferred<string>();
      const wf = workflow({ name: "wf" }, async (ctx) =>
        ctx.step("s", (s) => {
          sent.push(s.fence);
          return done.promise;
        }),
      );
      // Reading a log takes longer than the engine waits before it looks again for a run that it lost.
      const wrap = (s: FullStore): FullStore => ({
        ...s,
        events: async (q) => {
          await new Promise<void>((resolve) => void l.platform.timer(400, resolve));
          return s.events(q);
        },
      });
      const a = await l.engine([wf], { lease: "1s", wrap });
      const h = await a.engine.start(wf);
      await l.platform.settle();
      expect(sent).toEqual(["1"]);
      await l.store.declareDead({ self: a.core.engineId });
      await l.platform.advance(5_000);
      expect((await l.row(h.runId)).fence.epoch).toBe(2);
      expect(sent).toEqual(["1", "2"]);
      done.open("paid");
      expect((await l.advanceUntil(a.client.waitForEnd(h.runId))).result).toBe("paid");
      expect(await l.lines(h.runId)).toEqual([
        "RunStarted",
        "StepStarted s",
        "pawl.TakenOver",
        "pawl.StepRedispatched",
        "StepCompleted s",
        "RunCompleted",
      ]);
    },
  );
});
