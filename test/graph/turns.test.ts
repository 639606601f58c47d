// A graph that begins where an earlier run of its id stood: a retry continues at the last superstep before anything that was undone, and the next turn
// begins with the state that the last run left.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, sum } from "../../src/graph.ts";
import { task } from "../../src/index.ts";
import { replayGraph } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { independentKey, readSteps } from "./independent.ts";

const fresh = testClusters();
const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});

/** Five rounds; round `breaksAt` fails while `isBroken`, and round `paysAt` does what is undone. */
function rounds(calls: string[], o: { breaksAt: number; paysAt?: number; isBroken: () => boolean }) {
  const pay = task({ name: "pay", input: z.number() }, (n) => (calls.push(`pay ${n}`), n), {
    key: (n) => `pay-${n}`,
    dedup: "24h",
    compensate: { undo: (n) => void calls.push(`refund ${n}`), repeatable: true },
  });
  return graph({ name: "rounds", state: { got: append<string>(), dice: append<number>(), n: sum() }, tasks: [pay] })
    .nodes({
      work: async (s, ctx) => {
        const got = await ctx.step("work", () => (calls.push(`work ${s.n}`), `w${s.n}`), { key: "same key", dedup: "1d", input: s.n });
        if (s.n === o.paysAt) await ctx.do(pay, s.n);
        if (s.n === o.breaksAt && o.isBroken()) ctx.fail("broken");
        return { got, dice: Math.floor(ctx.random() * 1e6), n: 1 };
      },
    })
    .edges({ start: "work", work: (s) => (s.n < 5 ? "work" : "end") });
}

describe.each(storeKinds)("%s", (kind) => {
  it("a retry begins at the last superstep, with the same random numbers, and repeats nothing", proves("LX-10"), async () => {
    const l = await fresh(kind);
    const calls: string[] = [];
    let isBroken = true;
    const g = rounds(calls, { breaksAt: 3, isBroken: () => isBroken });
    const { engine, client } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "r" });
    await expect(l.advanceUntil(h.result())).rejects.toThrow("broken");
    isBroken = false;
    const again = await h.retry();
    const end = (await l.advanceUntil(again.result())) as { dice: number[] };
    expect(calls).toEqual(["work 0", "work 1", "work 2", "work 3", "work 4"]);
    const log = await l.log(again.runId);
    expect(payloadOf(log[0])).toMatchObject({ retryOf: h.runId, begin: { runId: h.runId, superstep: 3 } });
    const steps = readSteps(log);
    expect(steps.map((s) => s.n)).toEqual([3, 4, 5]);
    for (const s of steps) expect(s.key).toBe(independentKey(again.runId, s.n, s.frontier, s.values));
    expect((await l.lines(again.runId)).filter((x) => x.startsWith("StepStarted"))).toEqual([
      "StepStarted 4/work/work",
      "StepStarted 5/work/work",
    ]);
    // What was completed in the superstep that failed is taken over; the same key in a superstep that is not run again is another call.
    expect(payloadOf(log.find((e) => e.eventType === "StepCompleted" && e.stepId === "4/work/work"))).toMatchObject({ via: "adopted" });
    expect(end.dice).toHaveLength(5);
    expect(end.dice.slice(0, 3)).toEqual((await client.state(h.runId))!.values["dice"]);
    expect((await replayGraph(g, again.events({ follow: false }))).mismatches).toEqual([]);
  });

  it("what was undone is before it: the retry begins at the superstep before the first undone effect", proves("LX-10"), async () => {
    const l = await fresh(kind);
    const calls: string[] = [];
    let isBroken = true;
    const g = rounds(calls, { breaksAt: 3, paysAt: 1, isBroken: () => isBroken });
    let e = await l.engine([g], { lease: "1s" });
    const h = await e.engine.start(g, {}, { id: "r" });
    await expect(l.advanceUntil(h.result())).rejects.toThrow("broken");
    expect(calls.filter((c) => c.startsWith("refund"))).toEqual(["refund 1"]);
    calls.length = 0;
    const failing = await h.retry();
    expect(payloadOf((await l.log(failing.runId))[0])).toMatchObject({ begin: { runId: h.runId, superstep: 1 } });
    await expect(l.advanceUntil(failing.result())).rejects.toThrow("broken");
    expect(calls).toEqual(["pay 1", "refund 1"]); // its own, once
    calls.length = 0;
    isBroken = false;
    const again = await failing.retry();
    await l.advanceUntilLine(again.runId, "StepStarted 2/work/work").catch(() => {});
    e.kill(); // its own log says where it began
    e = await l.engine([g], { lease: "1s" });
    const { result } = await l.advanceUntil(e.client.waitForEnd(again.runId));
    expect(result).toMatchObject({ n: 5, got: ["w0", "w1", "w2", "w3", "w4"] });
    expect(calls).toEqual(["pay 1", "work 4"]);
  });

  it("a retry that names a step, or sends one again, begins from the input as before", async () => {
    const l = await fresh(kind);
    const calls: string[] = [];
    let isBroken = true;
    const g = rounds(calls, { breaksAt: 2, isBroken: () => isBroken });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "r" });
    await expect(l.advanceUntil(h.result())).rejects.toThrow("broken");
    isBroken = false;
    const again = await h.retry({ rerun: ["1/work/work"], by: "ann", reason: "lost" });
    expect(payloadOf((await l.log(again.runId))[0])["begin"]).toBeUndefined();
    expect(await l.advanceUntil(again.result())).toMatchObject({ n: 5 });
    expect(calls.filter((c) => c === "work 0")).toHaveLength(2);
  });
});

const chat = graph({
  name: "chat",
  input: z.object({ text: z.string() }),
  begin: (i) => ({ said: `you: ${i.text}`, turns: 1 }),
  state: { said: append<string>(), turns: sum(), mood: last("calm") },
  result: (s) => s.said,
})
  .nodes({
    reply: async (s, ctx) => {
      const heard = s.said.at(-1)!;
      if (heard.includes("break")) ctx.fail("it broke");
      if (heard.includes("wait")) await ctx.sleep("w", "10s");
      return { said: await ctx.step("reply", () => `bot: ${s.turns}`, { once: true }) };
    },
  })
  .edges({ start: "reply", reply: "end" });

describe.each(testStores)("%s", (_name, make) => {
  it("a turn begins with the state of the last one; of many at once one wins; the same request is one turn", proves("LX-15"), async () => {
    const s = await make();
    open.push(s);
    const { engine, client } = await s.engine({ workflows: [chat] });
    const first = await engine.start(chat, { text: "a" }, { id: "chat-1" });
    expect(await first.result()).toEqual(["you: a", "bot: 1"]);
    const second = await first.next({ text: "b" });
    expect(second.workflowId).toBe("chat-1");
    expect(await second.result()).toEqual(["you: a", "bot: 1", "you: b", "bot: 2"]);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => second.next({ text: `c${i}` })));
    const made = asked.flatMap((a) => (a.status === "fulfilled" ? [a.value] : []));
    expect(made).toHaveLength(1);
    for (const a of asked) if (a.status === "rejected") expect(["PAWL4002", "PAWL4010"]).toContain((a.reason as { code: string }).code);
    await client.waitForEnd(made[0]!.runId);
    const requestId = "0b7c3f0e-7f0c-4d5c-9e0b-5b1f6a0f3a11";
    const [one, two] = [
      await client.next("chat-1", { text: "d" }, { requestId }),
      await client.next("chat-1", { text: "d" }, { requestId }),
    ];
    expect([one.runId, one.replayed, two.replayed]).toEqual([two.runId, false, true]);
    await expect(client.next("chat-1", { text: "other" }, { requestId })).rejects.toMatchObject({ code: "PAWL4053" });
    expect((await client.waitForEnd(one.runId)).result).toHaveLength(8);
    await expect(second.next({ text: "late" })).rejects.toMatchObject({ code: "PAWL4002" });
    const steps = readSteps(await s.store.events({ runId: one.runId, after: 0, limit: 100 }));
    expect(steps.map((x) => x.n)).toEqual([0, 1]);
    for (const x of steps) expect(x.key).toBe(independentKey(one.runId, x.n, x.frontier, x.values));
  });

  it("a retry of a failed graph begins where it failed", async () => {
    const s = await make();
    open.push(s);
    const calls: string[] = [];
    let isBroken = true;
    const g = rounds(calls, { breaksAt: 3, paysAt: 2, isBroken: () => isBroken });
    const { engine } = await s.engine({ workflows: [g] });
    const h = await engine.start(g, {}, { id: "r" });
    await expect(h.result()).rejects.toThrow("broken");
    isBroken = false;
    calls.length = 0;
    const again = await h.retry();
    expect(await again.result()).toMatchObject({ n: 5, got: ["w0", "w1", "w2", "w3", "w4"] });
    expect(calls).toEqual(["pay 2", "work 4"]);
    expect(readSteps(await s.store.events({ runId: again.runId, after: 0, limit: 100 })).map((x) => x.n)).toEqual([2, 3, 4, 5]);
  });
});

describe.each(storeKinds)("%s", (kind) => {
  it("what is no next turn is refused, and a killed or cancelled turn is one turn", async () => {
    const l = await fresh(kind);
    let e = await l.engine([chat], { lease: "1s" });
    const h = await e.engine.start(chat, { text: "wait" }, { id: "c" });
    await l.advanceUntilLine(h.runId, "StepStarted 1/reply/w");
    await expect(h.next({ text: "x" })).rejects.toMatchObject({
      code: "PAWL4010",
      message: expect.stringContaining("when this one has ended"),
    });
    await l.advanceUntil(h.result());
    await expect(h.next({ txt: "x" } as never)).rejects.toMatchObject({ code: "PAWL1008" });
    await expect(h.next({ text: "x" }, { requestId: "r2" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(h.next({ text: "x" }, { requestID: "r2" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    const turn = await h.next({ text: "wait again" });
    await l.advanceUntilLine(turn.runId, "StepStarted 1/reply/w");
    const log = await l.log(turn.runId);
    await e.client.control(turn.runId, "cancel", { timeoutMs: 0 }); // read again from its first event
    e.kill();
    e = await l.engine([chat], { lease: "1s" });
    expect((await l.advanceUntil(e.client.waitForEnd(turn.runId))).status).toBe("CANCELLED");
    expect((await l.log(turn.runId)).slice(0, log.length)).toEqual(log);
    // A turn that failed or was cancelled leaves the state that it began with.
    const third = await e.client.next("c", { text: "again" });
    expect((await l.advanceUntil(e.client.waitForEnd(third.runId))).result).toEqual([
      "you: wait",
      "bot: 1",
      "you: wait again",
      "you: again",
      "bot: 3",
    ]);
  });

  it("new channels of new code have their initial values in the next turn; a channel that is gone is a person's to decide", async () => {
    const l = await fresh(kind);
    const node = { a: () => ({ n: 1 }) };
    const edges = { start: "a", a: "end" } as const;
    const old = graph({ name: "g", state: { n: sum() } })
      .nodes(node)
      .edges(edges);
    const e = await l.engine([old]);
    const h = await e.engine.start(old, {}, { id: "g" });
    await l.advanceUntil(h.result());
    await l.advanceUntil(e.engine.stop());
    const wider = graph({ name: "g", state: { n: sum(), note: last("new") } })
      .nodes(node)
      .edges(edges);
    const f = await l.engine([wider]);
    const turn = await f.client.next("g", {});
    expect((await l.advanceUntil(f.client.waitForEnd(turn.runId))).result).toEqual({ n: 2, note: "new" });
    await l.advanceUntil(f.engine.stop());
    const narrower = graph({ name: "g", state: { m: sum() } })
      .nodes({ a: () => ({ m: 1 }) })
      .edges(edges);
    const k = await l.engine([narrower]);
    const lost = await k.client.next("g", {});
    await l.advanceUntilLine(lost.runId, "pawl.Diverged").catch(() => {});
    const [d] = await k.client.decisions();
    expect(d).toMatchObject({ kind: "diverged", reason: expect.stringContaining("channel n of graph g has changed") });
  });
});
