// The children of a line, on every store: a run that is retried or restarted calls a child whose earlier run did not complete. What that one
// sent is counted by a bank outside: nothing is sent again without a question (I6, I7).
import { describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

describe.each(testStores)("children of a line on %s", (_, open) => {
  const p = effectTest(open);

  it("a child that failed continues as a retry of itself: what completed in it is kept", proves("K19", "I6", "I7"), async () => {
    let broken = true;
    const pay = workflow({ name: "pay" }, async (ctx) => {
      await ctx.step("once", () => p.send("once"), { once: true });
      await ctx.step("keyed", (s) => p.send(s.key), { key: "k", dedup: "1h" });
      if (broken) ctx.fail("broken");
      return ctx.step("last", () => p.send("last"));
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(pay, undefined));
    const { engine, client } = await p.engine({ workflows: [wf, pay] });
    const first = await engine.start(wf, undefined, { id: "order" });
    await expect(first.result()).rejects.toMatchObject({ message: "broken" });
    broken = false;
    const second = await first.retry();
    expect(await second.result()).toBe(1);
    expect([...p.sent]).toEqual([
      ["once", 1],
      ["k", 1],
      ["last", 1],
    ]);
    const { runs } = await client.list({ workflow: "pay" });
    expect(new Set(runs.map((r) => r.workflowId))).toEqual(new Set(["order/pay"]));
    expect(runs.map((r) => r.status).sort()).toEqual(["COMPLETED", "FAILED"]);
  });

  it("a restart ends the child first, and then asks for what it had in flight", proves("K19", "K24", "I7"), async () => {
    const pay = workflow({ name: "pay" }, async (ctx) => {
      await ctx.step("done", () => p.send("done"), { once: true });
      await ctx.step("open", () => p.send("open") && never(), { once: true, timeout: "1s" });
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(pay, undefined));
    const { engine, client } = await p.engine({ workflows: [wf, pay] });
    await engine.start(wf, undefined, { id: "order" });
    await p.until(() => p.sent.get("open") === 1);
    const next = await engine.start(wf, undefined, { id: "order", onConflict: "restart" });
    await p.until(async () => (await client.decisions()).length > 0);
    for (let seen = ""; (await next.status()).status === "RUNNING";) {
      const [d] = await client.decisions();
      if (d === undefined || d.decisionId === seen) {
        await new Promise((r) => setTimeout(r, 10));
        continue;
      }
      seen = d.decisionId;
      await client.resolve(d.decisionId, { by: "ann", reason: "the bank has it", happened: true, result: 1 });
    }
    await next.result();
    expect([...p.sent]).toEqual([
      ["done", 1],
      ["open", 1],
    ]);
  });
});
