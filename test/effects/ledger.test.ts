// The record of an effect, on every store: what it holds, under which key, that none collides with another, who has none, and
// that it can be found by whatever a person knows.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NotSent, task, workflow } from "../../src/index.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import { testStores } from "../support/test-store.ts";
import { effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const charge = task({ name: "charge", input: z.object({ order: z.string(), cents: z.number() }) }, (i) => ({ charged: i.cents }), {
  key: (i) => i.order,
  dedup: "1d",
});

describe.each(testStores)("the ledger on %s", (name, open) => {
  const p = effectTest(open);

  /** A function with a name of its own, which no record shows. */
  const handOver = (): number => 1;

  it(
    "a record has the contract's fields, its own key and its times",
    proves("W-005", "W-006", "W-007", "W-009", "W-010", "W-012", "W-013", "W-014", "W-015", "W-016", "W-020", "W-021", "W-022"),
    async () => {
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.do(charge, { order: "o:1", cents: 700 }, { name: "pay" });
        await ctx.step("ship", handOver, { key: "s-1", dedup: "1d" });
        await ctx.map("each", ["a", "b"], { key: (x) => x }, (x, c) => c.step("mail", () => x, { once: true }));
        await ctx.step("free", () => 1);
      });
      const e = await p.engine({ workflows: [wf] });
      const at = p.testStore().platform.wallMs();
      const h = await e.engine.start(wf, undefined, { id: "order/7" });
      await h.result();
      const { effects } = await e.client.effects({ runId: h.runId });
      expect(effects.map((x) => x.activityName)).toEqual(["pay", "ship", "mail", "mail"]);
      const [pay, ship, a, b] = effects;
      expect(pay).toEqual({
        effectId: expect.stringMatching(/^[0-9a-f-]{36}:\d+$/) as string,
        version: 1,
        workflowId: "order/7",
        activityName: "pay",
        operationId: `${h.runId}/pay`,
        idempotencyKey: "o:1",
        storageKey: `eff:default:default:default:order%2F7:pay:${h.runId}/pay:o%3A1`,
        status: "completed",
        phase: "settled",
        result: { charged: 700 },
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        runId: h.runId,
        stepId: "pay",
        class: "KEYED",
        attempts: 1,
        engineAttempts: 1,
        argsDigest: sha256Hex('{"cents":700,"order":"o:1"}'),
      });
      expect(Date.parse(pay!.createdAt)).toBeGreaterThanOrEqual(Math.floor(at) - 1);
      expect(Date.parse(pay!.updatedAt)).toBeGreaterThanOrEqual(Date.parse(pay!.createdAt));
      expect(ship?.idempotencyKey).toBe("s-1");
      // Parallel branches have deterministic operations of their own, and keys made of them.
      expect([a!.operationId, b!.operationId]).toEqual([`${h.runId}/each/a/mail`, `${h.runId}/each/b/mail`]);
      expect(new Set(effects.map((x) => x.idempotencyKey)).size).toBe(4);
      expect(new Set(effects.map((x) => x.storageKey)).size).toBe(4);
      for (const x of effects) expect(x.storageKey).not.toMatch(/^(wf|sig|upd|ctl|chd|ntc|op):/);
    },
  );

  it("effects are found by whom they act on, as their authors named it; a compensation acts on the same unless it says otherwise", async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("charge", () => 1, { once: true, receiver: "stripe", compensate: { undo: () => 1, once: true } });
      await ctx.step("mail", () => 1, { once: true, receiver: "ses", compensate: { undo: () => 1, once: true, receiver: "desk" } });
      await ctx.step("other", () => 1, { once: true });
      ctx.fail("no");
    });
    const e = await p.engine({ workflows: [wf] });
    const { runId } = await e.engine.start(wf);
    expect((await e.client.waitForEnd(runId)).status).toBe("FAILED");
    const of = async (receiver: string): Promise<unknown[]> =>
      (await e.client.effects({ receiver })).effects.map((x) => [x.stepId, x.receiver]);
    expect(await of("stripe")).toEqual([
      ["charge", "stripe"],
      ["charge/~compensate", "stripe"],
    ]);
    expect(await of("desk")).toEqual([["mail/~compensate", "desk"]]);
    expect(await of("Stripe")).toEqual([]);
    const nobody = (await e.client.effects({ runId })).effects.find((x) => x.stepId === "other");
    expect(nobody).not.toHaveProperty("receiver");
  });

  it(
    "a call that no recorded outcome led to has no stable operation: it is not run, and nothing is recorded of it",
    proves("W-008"),
    async () => {
      const wf = workflow({ name: "wf" }, async (ctx) => {
        void ctx.sleep("meanwhile", "1h"); // something is open, so that the call itself is what is refused
        await new Promise((resolve) => setTimeout(resolve, 5));
        await ctx.step("charge", () => p.send("charge"), { key: "k", dedup: "1d" });
      });
      const e = await p.engine({ workflows: [wf] });
      const h = await e.engine.start(wf);
      await p.until(async () => (await h.status()).waiting === "decision");
      const [d] = await e.engine.decisions();
      expect(d).toMatchObject({ kind: "diverged", code: "PAWL1007", reason: expect.stringContaining("step charge was called") as string });
      expect((await e.client.effects()).effects).toEqual([]);
      expect(p.sent.get("charge")).toBeUndefined();
    },
  );

  it("the same key with other arguments is another operation's: both run, and it is shown", proves("W-004", "K24"), async () => {
    const wf = workflow({ name: "wf", input: z.number() }, async (ctx, cents) => ctx.do(charge, { order: "o-1", cents }));
    const e = await p.engine({ workflows: [wf] });
    const one = await e.engine.start(wf, 1);
    const two = await e.engine.start(wf, 2);
    expect([await one.result(), await two.result()]).toEqual([{ charged: 1 }, { charged: 2 }]);
    const { effects } = await e.engine.effects({ key: "o-1" });
    expect(effects.map((x) => [x.runId, x.argumentsDiffer])).toEqual([
      [two.runId, true],
      [one.runId, true],
    ]);
    expect((await one.proof()).assumptions.join()).toContain("key o-1 was used by another operation with other arguments");
    const third = await e.engine.start(wf, 1, { id: "own" });
    await third.result();
    expect((await e.engine.effects({ name: "charge", limit: 1 })).effects[0]?.runId).toBe(third.runId);
  });

  it("the same operation with other arguments is refused: the run stops before anything is sent", proves("K24", "K17"), async () => {
    const wf = (cents: number): ReturnType<typeof workflow> =>
      workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
        await ctx.step("charge", () => p.send("charge"), { key: "o-1", dedup: "1d", input: { cents } });
        await ctx.receive("go");
      }) as never;
    const first = wf(1);
    const a = await p.engine({ workflows: [first] });
    const h = await a.engine.start(first);
    await p.until(async () => (await h.status()).waiting === "signal");
    const b = await p.takeOver(a, { workflows: [wf(2)] });
    await b.client.signal(h.runId, "go", 1);
    await p.until(async () => (await b.client.get(h.runId))?.waiting === "decision");
    expect(p.sent.get("charge")).toBe(1);
    expect((await b.engine.decisions())[0]).toMatchObject({ kind: "diverged", runId: h.runId, code: "PAWL1006" });
  });

  it.skipIf(name === "memory")(
    "an ATOMIC effect is recorded in the transaction that makes it, and rolled back with it",
    proves("I5"),
    async () => {
      const wf = workflow({ name: "wf", input: z.boolean() }, async (ctx, ok) =>
        ctx
          .tx("reserve", async (db) => {
            const { rows } = await db.sql`select 1 as one`;
            if (!ok) throw new Error("sold out");
            return rows.length;
          })
          .catch(() => "rolled back"),
      );
      const e = await p.engine({ workflows: [wf] });
      const [good, bad] = [await e.engine.start(wf, true), await e.engine.start(wf, false)];
      expect([await good.result(), await bad.result()]).toEqual([1, "rolled back"]);
      expect(await p.record(e, good.runId)).toMatchObject({ class: "ATOMIC", status: "completed", result: 1, phase: "settled" });
      expect(await p.record(e, bad.runId)).toMatchObject({ class: "ATOMIC", status: "failed", error: { message: "sold out" } });
      expect((await e.engine.effects({ class: "ATOMIC" })).effects).toHaveLength(2);
    },
  );

  it("an effect that declares nothing has no record, unless the engine is asked to keep all", proves("W-011", "W-039"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("free", () => 1));
    const e = await p.engine({ workflows: [wf] });
    const h = await e.engine.start(wf);
    await h.result();
    expect((await e.client.effects()).effects).toEqual([]);
    await e.stop();
    const all = await p.engine({ workflows: [wf], ledger: "all" });
    const again = await all.engine.start(wf);
    await again.result();
    expect(await p.record(all, again.runId)).toMatchObject({ class: "UNDECLARED", status: "completed", result: 1 });
    await expect(p.engine({ workflows: [wf], ledger: "some" as never })).rejects.toMatchObject({ code: "PAWL5001" });
  });

  it(
    "a run that ends takes what it will not try again with it: indeterminate if it may have been sent, else cancelled",
    proves("K19"),
    async () => {
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const why = ctx.run.workflowId === "indeterminate" ? new Error("no") : new NotSent("no");
        void ctx.step("late", () => Promise.reject(why), { key: "k", dedup: "1d", retry: { attempts: 3, initial: "1h" } });
        await ctx.sleep("a moment", 50);
      });
      const e = await p.engine({ workflows: [wf] });
      for (const status of ["indeterminate", "cancelled"]) {
        const h = await e.engine.start(wf, undefined, { id: status });
        await h.result();
        expect(await p.record(e, h.runId)).toMatchObject({ status, phase: "settled" });
      }
    },
  );
});
