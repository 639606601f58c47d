// Proofs of lines: what was sent by a run and by the runs that retried it is counted together, on every store. The bank's count is
// outside; a verdict may say less than it, never more.
import { describe, expect, it } from "vitest";
import { workflow, type Verdict } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { effectTest } from "./effect-test.ts";

const order = { by: "ann", reason: "the customer asked" };

describe.each(testStores)("proofs of a line on %s", (_, open) => {
  const p = effectTest(open);

  it(
    "a send on a person's order is named with who and why: once under a key, more than once where only verify stands between",
    proves("K19", "I7"),
    async () => {
      const verdicts: Verdict<string>[] = [{ state: "not-completed" }];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("keyed", () => p.send("keyed"), { key: "k", dedup: "1d" });
        await ctx.step<unknown>("verified", () => p.send("verified"), { verify: async () => verdicts[0]!, timeout: 100, settle: 10 });
        ctx.fail("no");
      });
      const e = await p.engine({ workflows: [wf] });
      const first = await e.engine.start(wf);
      await e.client.waitForEnd(first.runId);
      const again = await e.client.retry(first.runId, { rerun: ["keyed", "verified"], ...order });
      await e.client.waitForEnd(again.runId);
      expect([p.sent.get("keyed"), p.sent.get("verified")]).toEqual([2, 2]);
      for (const runId of [first.runId, again.runId]) {
        const [keyed, verified] = (await e.client.proof(runId)).effects;
        expect(keyed).toMatchObject({
          verdict: "once",
          sends: 2,
          sentBy: [first.runId, again.runId],
          orders: [{ runId: again.runId, ...order }],
        });
        expect(keyed?.sentence).toContain("again on the order of ann: the customer asked");
        expect(verified).toMatchObject({ verdict: "at-least-once", sends: 2, sentBy: [first.runId, again.runId] });
      }
    },
  );

  it("what a retry takes over is not sent by it; what it runs again is counted with what was sent before", proves("K19"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("once", () => p.send("once"), { once: true });
      await ctx.step("plain", () => (p.send("plain") < 3 ? Promise.reject(new Error("no")) : "ok"));
    });
    const e = await p.engine({ workflows: [wf] });
    const first = await e.engine.start(wf);
    await e.client.waitForEnd(first.runId);
    const second = await e.client.retry(first.runId);
    await e.client.waitForEnd(second.runId);
    const third = await e.client.retry(second.runId);
    expect((await e.client.waitForEnd(third.runId)).status).toBe("COMPLETED");
    const [once, plain] = (await e.client.proof(third.runId)).effects;
    expect(once).toMatchObject({ verdict: "once", sends: 1, sentBy: [first.runId] });
    expect(plain).toMatchObject({ verdict: "at-least-once", sends: 3, sentBy: [first.runId, second.runId, third.runId] });
    expect((await e.client.proof(first.runId)).effects.map((x) => x.verdict)).toEqual(["once", "at-least-once"]);
  });

  it("a run of the line whose log is not here makes every verdict say less", proves("K19"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("once", () => p.send("once"), { once: true });
      ctx.fail("no");
    });
    const e = await p.engine({ workflows: [wf] });
    const first = await e.engine.start(wf);
    await e.client.waitForEnd(first.runId);
    const second = await e.client.retry(first.runId);
    await e.client.waitForEnd(second.runId);
    const { store } = p.testStore();
    const { nowMs } = await store.info();
    const query = {
      runId: first.runId,
      stage: "expire",
      endedBefore: nowMs + 1,
      unlessHeld: { collection: "hold", keys: [first.runId] },
      limit: 100,
    } as const;
    expect(await store.archive.prune(query)).toMatchObject({ kind: "pruned" });
    const proof = await e.client.proof(second.runId);
    expect(proof.effects[0]).toMatchObject({ verdict: "at-least-once" });
    expect(proof.effects[0]?.sentence).toContain(`what run ${first.runId} of its line sent is not known`);
  });
});
