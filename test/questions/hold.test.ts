// onFailure: "hold" of a step outside a plan: its final failure is a question to a person, the code does not see it, nothing is undone meanwhile,
// and the answer counts after the engine that asked has died.
import { describe, expect, it } from "vitest";
import { Fatal, workflow, type DecisionAnswer } from "../../src/index.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const who = { by: "ann", reason: "the provider is back" };

describe.each(storeKinds)("%s", (kind) => {
  it.each([
    [{ ...who, retry: true }, "said 2", []],
    [{ ...who, complete: true, result: "by hand" }, "by hand", []],
    [{ ...who, fail: true }, "gone: no model answers", ["undone"]],
  ] as const)("a held step waits for a person: %j", async (answer, result, undone) => {
    const l = await fresh(kind);
    let calls = 0;
    const acts: string[] = [];
    const wf = workflow({ name: "talk" }, async (ctx) => {
      await ctx.step("book", () => "booked", { compensate: () => void acts.push("undone") });
      const said = await ctx
        .step(
          "model",
          () => {
            if (++calls === 1) throw new Fatal("no model answers");
            return `said ${calls}`;
          },
          { repeatable: true, onFailure: "hold" },
        )
        .catch((e: Error) => `gone: ${e.message}`);
      if (said.startsWith("gone")) ctx.fail(said);
      return said;
    });
    const first = await l.engine([wf], { lease: "1s" });
    const h = await first.engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    first.kill();
    const { engine } = await l.engine([wf], { lease: "1s" });
    await l.platform.advance(15_000);
    const [d] = await l.advanceUntil(engine.decisions());
    expect(d).toMatchObject({ kind: "failure", code: "PAWL2012", reason: "no model answers" });
    expect([calls, acts]).toEqual([1, []]);
    await l.advanceUntil(engine.resolve(d!.decisionId, answer as DecisionAnswer));
    const again = (await engine.get(wf, "r"))!;
    expect(await l.advanceUntil(again.result().catch((e: Error) => e.message))).toBe(result);
    expect(acts).toEqual(undone);
  });

  it("a store with a held step is sound", async () => {
    const l = await fresh(kind); // closing it compares every table with the log
    const wf = workflow({ name: "stuck" }, async (ctx) => ctx.step("s", () => Promise.reject(new Fatal("no")), { onFailure: "hold" }));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    await l.platform.settle();
    expect(await h.status()).toEqual({ status: "RUNNING", waiting: "decision" });
  });

  it("anything but hold or throw is refused", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "odd" }, async (ctx) => ctx.step("s", () => 1, { onFailure: "wait" as never }));
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await expect(l.advanceUntil(h.result())).rejects.toThrow('onFailure of a step must be "hold" or "throw"');
  });
});
