// Sending again, on every store: what a retried, restarted or moved run may do with what its line began, and starts that are sent
// twice. The outside world counts what reached it, by key: the table of sending again is compared with that, not with the log.
import { describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import { replayLines, openArchiveStore, linesOf, availableKinds, until, type ArchiveStore } from "../archive/archive-stores.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";
import { posted } from "../support/posted.ts";

describe.each(testStores)("sending again on %s", (_, open) => {
  const p = effectTest(open);

  it(
    "a retry from a step keeps what completed under a guarantee; an order sends the same key again",
    proves("K19", "I6", "I7"),
    async () => {
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("plain", () => p.send("plain"));
        await ctx.step("keyed", (s) => p.send(s.key), { key: "k", dedup: "1h" });
        await ctx.step("asked", () => p.send("asked"), { verify: async () => Promise.resolve({ state: "not-completed" }) });
        await ctx.step("once", () => p.send("once"), { once: true });
      });
      const { engine } = await p.engine({ workflows: [wf] });
      const first = await engine.start(wf);
      await first.result();
      const second = await first.retry({ fromStep: "plain" });
      await second.result();
      expect([...p.sent]).toEqual([
        ["plain", 2],
        ["k", 1],
        ["asked", 1],
        ["once", 1],
      ]);
      const third = await second.retry({ rerun: ["keyed"], by: "ann", reason: "the bank lost it" });
      await third.result();
      expect([p.sent.get("k"), p.sent.get("once")]).toEqual([2, 1]);
    },
  );

  it("a restart carries what was in flight, under the key it had", proves("K19", "K24", "I7"), async () => {
    const keys: string[] = [];
    let stuck = true;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("charge", (s) => (keys.push(s.key), stuck ? never() : Number(stuck)), {
        verify: async (s) => Promise.resolve({ state: "completed-with-result", result: keys.indexOf(s.key) }),
      });
      await ctx.step("pay", () => p.send("pay"), { once: true });
    });
    const { engine } = await p.engine({ workflows: [wf] });
    await engine.start(wf, undefined, { id: "order" });
    await p.until(() => keys.length === 1);
    stuck = false;
    const next = await engine.start(wf, undefined, { id: "order", onConflict: "restart" });
    await next.result();
    // Asked under the old key, found: nothing was sent again.
    expect([keys.length, p.sent.get("pay")]).toEqual([1, 1]);
  });

  it("for another input a person decides, and the answer counts although the run is paused", proves("K19", "K27", "I7"), async () => {
    let cents = 100;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const id = await ctx.step("charge", () => p.send("charge"), { key: "k", dedup: "1h", input: cents });
      if (cents === 100) ctx.fail("wrong amount");
      return id;
    });
    const { engine, client } = await p.engine({ workflows: [wf] });
    const first = await engine.start(wf, undefined, { id: "order" });
    await expect(first.result()).rejects.toMatchObject({ message: "wrong amount" });
    cents = 200;
    const second = await first.retry();
    await p.until(async () => (await client.decisions()).length === 1);
    const [d] = await client.decisions();
    expect(d?.code).toBe("PAWL4050");
    await second.pause();
    await p.until(async () => (await second.status()).status === "PAUSED");
    expect(
      await client.resolve(d!.decisionId, { by: "ann", reason: "it stands", happened: true, result: 7 }, { timeoutMs: 30_000 }),
    ).toEqual({
      state: "applied",
    });
    expect(await second.status()).toMatchObject({ status: "PAUSED" });
    await second.resume();
    expect(await second.result()).toBe(7);
    expect(p.sent.get("charge")).toBe(1);
  });

  it("the same request to start, sent many times at once and under restart, is one run", proves("C2", "K9"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.sleep("for long", "1h");
    });
    const { engine, client } = await p.engine({ workflows: [wf] });
    await client.start({ workflow: "wf", id: "order" });
    const ask = { id: "order", idempotencyKey: "req-1", onConflict: "restart" } as const;
    const all = await Promise.all(Array.from({ length: 5 }, () => engine.start(wf, undefined, ask)));
    expect([new Set(all.map((h) => h.runId)).size, all.filter((h) => h.created).length]).toEqual([1, 1]);
    await expect(engine.start(wf, undefined, { ...ask, id: "other" })).rejects.toMatchObject({ code: "PAWL4053" });
    expect((await client.get("order"))?.status).not.toBe("CANCELLED");
  });
});

describe("a line that was moved", () => {
  it.each(availableKinds)("is known in the store it came to: %s", { ...proves("K19", "I6", "I7"), timeout: 120_000 }, async (kind) => {
    const grounds: ArchiveStore[] = [await openArchiveStore("memory"), await openArchiveStore(kind)];
    const [from, to] = grounds as [ArchiveStore, ArchiveStore];
    try {
      const sent: string[] = [];
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("done", () => sent.push("done"), { once: true });
        await ctx.step("open", () => sent.push("open") && never(), { once: true });
      });
      const a = await from.engine({ workflows: [wf] });
      const h = await a.engine.start(wf, undefined, { id: "order" });
      await until(async () => sent.includes("open"));
      await h.terminate("stuck");
      await h.result().catch(() => {});
      const second = await a.client.retry("order");
      await until(async () => (await a.client.get(second.runId))?.waiting === "decision");
      await a.client.control(second.runId, "terminate", posted);
      await a.client.waitForEnd(second.runId);
      const lines = await linesOf(a.client.exportRuns({ ids: ["order"], move: true }));
      const b = await to.engine({ workflows: [wf] });
      await b.client.importRuns(replayLines(lines));
      const third = await b.client.retry("order");
      await until(async () => (await b.client.get(third.runId))?.waiting === "decision");
      expect(sent).toEqual(["done", "open"]);
      const copied = (await b.client.events(third.runId)).find((e) => e.eventType === "StepCompleted");
      expect(copied?.payload).toMatchObject({ via: "adopted" });
    } finally {
      for (const g of grounds) await g.close();
    }
  });
});
