// A pause that lets finish what is in flight: it is told of when it takes long, once for each pause, counted from the pause, and
// takes whatever ends later. On a virtual clock; a limit is shorter here where only the order of things matters.
import { describe, expect, it } from "vitest";
import { workflow } from "../../workflow/define.ts";
import { deferred, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "a pause starts nothing, waits for what is in flight, tells once after five minutes, and takes what ends later",
    proves("P-39"),
    async () => {
      const l = await fresh(kind);
      const [slow, began] = [deferred(), deferred()];
      const ran: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const first = await ctx.step("slow", async () => {
          began.open();
          await slow.promise;
          return "late";
        });
        return [first, await ctx.step("next", () => ran.push("next"))];
      });
      const { engine, logs } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntil(began.promise);
      await l.advanceUntil(h.pause("a look"));
      const overdue = (): number =>
        logs.filter((x) => x.level === "warn" && x.message.endsWith("was paused 300 s ago, and steps are still running: slow")).length;
      await l.platform.advance(299_000);
      expect(await h.status()).toEqual({ status: "PAUSED", waiting: "drain" });
      expect([overdue(), engine.metrics().includes("pawl_drain_timeouts_total 0\n")]).toEqual([0, true]);
      await l.platform.advance(2_000);
      await l.platform.advance(600_000);
      expect([overdue(), engine.metrics().includes("pawl_drain_timeouts_total 1\n")]).toEqual([1, true]);
      slow.open();
      await l.platform.settle();
      expect(await l.lines(h.runId)).toEqual(["RunStarted", "StepStarted slow", "RunPaused", "StepCompleted slow"]);
      expect([(await h.status()).status, ran]).toEqual(["PAUSED", []]);
      await l.advanceUntil(h.resume());
      expect(await l.advanceUntil(h.result())).toEqual(["late", 1]);
    },
  );

  it(
    "the time counts from the pause, whatever ends meanwhile; who is told hears what is in flight, and of each pause once",
    proves("P-39"),
    async () => {
      const l = await fresh(kind);
      const gates = { a: deferred(), b: deferred(), c: deferred() };
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const nap = ctx.sleep("nap", "40s");
        await Promise.all((["a", "b", "c"] as const).map((name) => ctx.step(name, () => gates[name].promise)));
        await nap;
      });
      const { engine, logs } = await l.engine([wf], { limits: { drainMsMax: 10_000 } });
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted c");
      const told = (): string[] => logs.flatMap((x) => /and steps are still running: (.*)$/.exec(x.message)?.slice(1) ?? []);
      await l.advanceUntil(h.pause());
      await l.platform.advance(7_000);
      gates.a.open();
      await l.platform.advance(2_000);
      expect(told()).toEqual([]);
      await l.platform.advance(1_500);
      expect(told()).toEqual(["b, c"]);
      gates.b.open();
      await l.platform.advance(12_000);
      expect(told()).toEqual(["b, c"]);
      await l.advanceUntil(h.resume());
      await l.advanceUntil(h.pause());
      await l.platform.advance(9_000);
      expect(told()).toEqual(["b, c"]);
      await l.platform.advance(1_500);
      expect(told()).toEqual(["b, c", "c"]);
      gates.c.open();
      await l.advanceUntil(h.resume());
      await l.advanceUntil(h.result());
    },
  );
});
