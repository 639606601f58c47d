// The order in which a run ends, in one log: what is open closes first, an effect in flight is aborted, awaited and recorded, one in doubt
// is put to a person, compensations run in reverse order of completion, the late one too, and nothing follows the end. Guards K19 as a whole.
import { describe, expect, it } from "vitest";
import { anySchema, deferred, storeKinds, testClusters } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { workflow } from "../../workflow/define.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it.each(["cancel", "fail"] as const)(
    "a run that ends by %s closes, awaits, asks, undoes, and ends, in this order",
    proves("K19", "I8"),
    async (how) => {
      const l = await fresh(kind);
      const [slow, done] = [deferred<number>(), [] as string[]];
      let aborted = false;
      const undo = (name: string): { compensate: () => void } => ({ compensate: () => void done.push(`undo ${name}`) });
      const wf = workflow({ name: "wf", signals: { never: anySchema() } }, async (ctx) => {
        await ctx.step("first", () => 1, undo("first"));
        await ctx.step("second", () => 2, undo("second"));
        const open = [
          ctx.receive("never"),
          ctx.sleep("long", "20s"),
          ctx.step("late", (s) => (s.signal.addEventListener("abort", () => (aborted = true)), slow.promise), {
            ...undo("late"),
            repeatable: true,
          }),
          ctx.step("doubtful", () => new Promise<never>(() => {}), { once: true, timeout: "5s", ...undo("doubtful") }),
        ];
        for (const p of open) p.catch(() => {});
        await ctx.sleep("moment", 100);
        if (how === "fail") ctx.fail("broken");
        await Promise.all(open);
        await ctx.step("new", () => done.push("a new step"));
      });
      const { engine, client } = await l.engine([wf]);
      const h = await engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepCompleted moment");
      if (how === "cancel") await h.cancel("enough");
      await l.advanceUntilLine(h.runId, "StepFailed never");
      await l.platform.advance(1_000);
      expect([aborted, done]).toEqual([true, []]);
      slow.open(3);
      await l.advanceUntilLine(h.runId, "StepCompleted late");
      await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
      await l.platform.advance(8_000);
      expect(done, "one in doubt is decided first").toEqual([]);
      const [d] = await client.decisions();
      await l.advanceUntil(client.resolve(d!.decisionId, { happened: true, result: 4, by: "ann", reason: "asked" }));
      await l.advanceUntil(h.result().catch(() => {}));
      expect(done).toEqual(["undo doubtful", "undo late", "undo second", "undo first"]);
      const lines = await l.lines(h.runId);
      const at = (line: string): number => lines.indexOf(line);
      expect(at("StepFailed never")).toBeLessThan(at("StepCompleted late"));
      expect(at("StepCompleted late")).toBeLessThan(at("StepCompleted doubtful"));
      expect(lines.slice(at("StepCompleted doubtful") + 1)).toEqual([
        ...["doubtful", "late", "second", "first"].flatMap((n) => [`StepStarted ${n}/~compensate`, `StepCompleted ${n}/~compensate`]),
        how === "cancel" ? "RunCancelled" : "RunFailed",
      ]);
      expect(lines.filter((x) => x.endsWith(" new"))).toEqual([]);
      await l.platform.advance(10_000);
      expect(await l.lines(h.runId)).toEqual(lines);
    },
  );

  it("terminate waits for nothing: what is open closes as indeterminate, and nothing follows", proves("K19", "I8"), async () => {
    const l = await fresh(kind);
    const slow = deferred<number>();
    let undone = 0;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("first", () => 1, { compensate: () => void undone++ });
      await ctx.step("slow", () => slow.promise, { once: true, timeout: "1h" });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted slow");
    await h.terminate("now");
    await l.advanceUntil(h.result().catch(() => {}));
    const log = await l.log(h.runId);
    expect(log.slice(-2).map((e) => [e.eventType, e.stepId])).toEqual([
      ["StepFailed", "slow"],
      ["RunCancelled", null],
    ]);
    expect(log.at(-2)!.payload).toContain('"INDETERMINATE"');
    slow.open(2);
    await l.platform.advance(10_000);
    expect([undone, (await l.log(h.runId)).length]).toEqual([0, log.length]);
  });
});
