// Forking a graph after any of its supersteps: the new run begins with that state and the same random numbers, takes over what may not be repeated, and
// leaves the other run as it is. What is edited is another call, or a question to a person.
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, reduce, send, sum } from "../../src/graph.ts";
import { task, workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { independentKey, readSteps } from "./independent.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});
const fresh = testClusters();
const why = { by: "ann", reason: "another way" };

/** A loop with an effect of each class; `sent` is what the outside saw. */
function shop(rounds: number, sent: string[]) {
  return graph({ name: "shop", state: { paid: append<string>(), dice: append<number>(), note: last(""), rounds: sum() } })
    .nodes({
      pay: async (s, ctx) => {
        const n = s.rounds;
        if (n === 1) ctx.label("two paid");
        const send = (what: string) => (x: { key: string }) => {
          sent.push(`${what} ${n} ${x.key}`);
          return `${what} ${n}`;
        };
        await ctx.step("read", send("read"), { repeatable: true, input: n });
        const keyed = await ctx.step("charge", send("charge"), { key: `charge-${n}`, dedup: "1d", input: { n, note: s.note } });
        const once = await ctx.step("post", send("post"), { once: true, input: { n, note: s.note } });
        return { paid: [keyed, once], dice: Math.floor(ctx.random() * 1e6), rounds: 1 };
      },
    })
    .edges({ start: "pay", pay: (s) => (s.rounds < rounds ? "pay" : "end") });
}

describe.each(storeKinds)("%s", (kind) => {
  it("adopts at each of 50 supersteps: nothing that may not be repeated is sent", proves("LX-15"), async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const g = shop(50, sent);
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "shop" });
    const end = await l.advanceUntil(h.result());
    for (let at = 0; at <= 50; at += kind === "memory" ? 1 : 10) {
      sent.length = 0;
      const fork = await h.fork({ at, id: `shop-${at}`, ...why });
      expect(await l.advanceUntil(fork.result()), `after superstep ${at}`).toEqual(end);
      expect(sent.filter((x) => !x.startsWith("read"))).toEqual([]);
      expect(sent.filter((x) => x.startsWith("read"))).toHaveLength(50 - at);
    }
  });
});

describe.each(testStores)("%s", (_name, make) => {
  it("a fork after every superstep repeats no effect, ends as the run did, and stands on its own", proves("LX-10", "LX-15"), async () => {
    const s = await make();
    open.push(s);
    const sent: string[] = [];
    const g = shop(5, sent);
    const { engine } = await s.engine({ workflows: [g] });
    const h = await engine.start(g, {}, { id: "shop" });
    const end = await h.result();
    const before = await s.store.events({ runId: h.runId, after: 0, limit: 1_000 });
    const once = sent.filter((x) => !x.startsWith("read"));
    expect(once).toHaveLength(10);
    for (let at = 0; at <= 5; at++) {
      sent.length = 0;
      const named = at === 2 ? "two paid" : at;
      expect((await s.store.checkpoint({ runId: h.runId, stepId: at }))!.label).toBe(at === 2 ? "two paid" : null);
      expect((await h.state({ at: named }))!.superstep).toBe(at);
      const fork = await h.fork({ at: named, id: `shop-${at}`, ...why });
      expect(await fork.result(), `after superstep ${at}`).toEqual(end);
      expect(
        sent.filter((x) => !x.startsWith("read")),
        "nothing that may not be repeated",
      ).toEqual([]);
      expect(sent.length, "with live calls for what may").toBe(5 - at);
      const steps = readSteps(await s.store.events({ runId: fork.runId, after: 0, limit: 1_000 }));
      expect(steps.map((x) => x.n)).toEqual(Array.from({ length: 6 - at }, (_, i) => at + i));
      for (const x of steps) {
        const key = independentKey(fork.runId, x.n, x.frontier, x.values);
        expect([x.key, (await s.store.checkpoint({ runId: fork.runId, stepId: x.n }))!.key]).toEqual([key, key]);
      }
      expect((await fork.state({ at }))!.values).toEqual((await h.state({ at }))!.values);
      expect(await fork.state({ at: 9 })).toBeUndefined();
    }
    expect(await s.store.events({ runId: h.runId, after: 0, limit: 1_000 })).toEqual(before);
  });
});

describe.each(storeKinds)("%s", (kind) => {
  it("an edited state makes other calls under keys of their own; two forks never share one", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    const g = shop(3, sent);
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "shop" });
    await l.advanceUntil(h.result());
    sent.length = 0;
    const forks = [];
    for (const note of ["red", "blue"]) {
      const f = await h.fork({ at: 1, id: `shop-${note}`, update: { note }, ...why });
      const end = await l.advanceUntil(f.result());
      expect(end).toMatchObject({ note, rounds: 3 });
      forks.push(f);
    }
    const charges = sent.filter((x) => x.startsWith("charge 1"));
    expect(charges).toEqual(forks.map((f) => `charge 1 charge-1~${f.runId}`));
    expect(sent.filter((x) => x.startsWith("post"))).toHaveLength(4);
    const first = (await l.log(forks[0]!.runId))[0]!;
    expect(payloadOf(first)).toMatchObject({
      fork: { runId: h.runId, superstep: 1, effects: "adopt", update: { note: "red" }, by: "ann", reason: "another way" },
    });
    const steps = (await l.log(forks[0]!.runId)).filter((e) => e.eventType === "StepStarted" && e.stepId === "2/pay/charge");
    expect(payloadOf(steps[0]!)).toMatchObject({ attemptOf: "charge-1", line: { runId: h.runId, was: "completed", then: "newKey" } });
  });

  it("a step without a declared input is a person's to decide once the state was edited, and adopted when not", async () => {
    const l = await fresh(kind);
    let sent = 0;
    const g = graph({ name: "mail", state: { to: last("ann"), done: sum() } })
      .nodes({
        look: () => ({}),
        mail: async (_s, ctx) => ({ done: await ctx.step("mail", () => ++sent, { once: true }) }),
      })
      .edges({ start: "look", look: "mail", mail: "end" });
    const { engine, client } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "mail" });
    expect(await l.advanceUntil(h.result())).toEqual({ to: "ann", done: 1 });
    const plan = await h.fork({ at: 1, update: { to: "bob" }, dryRun: true });
    expect(plan).toMatchObject({ superstep: 1, next: [{ node: "mail" }], steps: [{ stepId: "2/mail/mail", outlook: "needs a decision" }] });
    expect((await h.fork({ at: 1, dryRun: true })).steps).toMatchObject([{ stepId: "2/mail/mail", outlook: "kept" }]);
    expect((await h.fork({ at: 1, effects: "new", dryRun: true })).steps).toMatchObject([{ outlook: "may repeat" }]);
    const same = await h.fork({ at: 1, id: "mail-same", ...why });
    expect(await l.advanceUntil(same.result())).toEqual({ to: "ann", done: 1 });
    const edited = await h.fork({ at: 1, id: "mail-edited", update: { to: "bob" }, ...why });
    await l.advanceUntilLine(edited.runId, "pawl.StepInDoubt");
    expect(sent).toBe(1);
    await l.platform.advance(3_600_000); // past the time in which it could still arrive
    const [decision] = await client.decisions();
    await l.advanceUntil(client.resolve(decision!.decisionId, { happened: false, by: "ann", reason: "bob has none" }));
    expect(await l.advanceUntil(edited.result())).toEqual({ to: "bob", done: 2 });
    const anew = await h.fork({ at: 1, id: "mail-new", effects: "new", ...why });
    expect(await l.advanceUntil(anew.result())).toEqual({ to: "ann", done: 3 });
  });

  it("a fork of a run that is open takes nothing over; a fork survives a kill; its retry continues at the superstep that failed", async () => {
    const l = await fresh(kind);
    const sent: string[] = [];
    let isBroken = true;
    const g = graph({ name: "wait", state: { got: append<string>(), n: sum() } })
      .nodes({
        act: async (s, ctx) => ({
          got: await ctx.step("act", (x) => (sent.push(x.key), `act ${s.n}`), { once: true, input: s.n }),
          n: 1,
        }),
        hold: async (_s, ctx) => {
          await ctx.sleep("hold", "1h");
          await ctx.step("check", () => (isBroken ? Promise.reject(new Error("broken")) : 1), { repeatable: true, retry: { attempts: 1 } });
        },
      })
      .edges({ start: "act", act: (s) => (s.n < 2 ? "act" : "hold"), hold: "end" });
    const e = await l.engine([g], { lease: "1s" });
    const h = await e.engine.start(g, {}, { id: "wait" });
    await l.advanceUntilLine(h.runId, "StepStarted 3/hold/hold");
    await expect(h.fork({ at: 1, id: "early", ...why })).rejects.toMatchObject({ code: "PAWL4010" });
    const f = await h.fork({ at: 1, id: "early", effects: "new", ...why });
    await l.advanceUntilLine(f.runId, "StepStarted 3/hold/hold");
    expect([sent.length, new Set(sent).size]).toEqual([3, 3]);
    e.kill();
    const next = await l.engine([g], { lease: "1s" });
    await expect(l.advanceUntil(next.client.waitForEnd(f.runId), 7_200_000)).resolves.toMatchObject({ status: "FAILED" });
    isBroken = false;
    const again = await next.client.retry(f.runId);
    await expect(l.advanceUntil(next.client.waitForEnd(again.runId), 7_200_000)).resolves.toMatchObject({
      status: "COMPLETED",
      result: { got: ["act 0", "act 1"], n: 2 },
    });
    expect((await next.client.history(again.runId)).map((s) => s.superstep)).toEqual([3, 2]);
    expect(sent).toHaveLength(3);
  });

  it("sends, joins and reducers go on; child runs are taken over and never undone by the fork", async () => {
    const l = await fresh(kind);
    let undone = 0;
    let made = 0;
    const undo = task({ name: "undo", input: z.number() }, () => ++undone, { repeatable: true });
    const inner = workflow({ name: "inner", input: z.number() }, async (ctx, n) => ctx.step("make", () => (made++, n * 2), { once: true }));
    const g = graph({ name: "fan", state: { docs: append<string>(), best: reduce("", longer), twice: sum() }, tasks: [undo] })
      .nodes(({ each, sub }) => ({
        plan: () => ({ docs: ["aa", "bbb"] }),
        read: each(z.object({ doc: z.string() }), ({ doc }) => ({ best: doc })),
        child: sub(inner, { in: (s) => s.docs.length, out: (n) => ({ twice: n }), compensate: undo }),
        stop: (s, ctx) => (s.best === "dddd" ? ctx.fail("no") : {}),
      }))
      .edges({ start: "plan", plan: (s) => s.docs.map((doc) => send("read", { doc })), read: "child", child: "stop", stop: "end" });
    const { engine, client } = await l.engine([g, inner]);
    const h = await engine.start(g, {}, { id: "fan" });
    expect(await l.advanceUntil(h.result())).toEqual({ docs: ["aa", "bbb"], best: "bbb", twice: 4 });
    const f = await h.fork({ at: 1, id: "fan-2", ...why });
    expect(await l.advanceUntil(f.result())).toEqual({ docs: ["aa", "bbb"], best: "bbb", twice: 4 });
    const failing = await h.fork({ at: 2, id: "fan-3", update: { best: "dddd" }, ...why });
    await expect(l.advanceUntil(client.waitForEnd(failing.runId))).resolves.toMatchObject({ status: "FAILED" });
    expect([made, undone], "what the other run did stays done").toEqual([1, 0]);
  });

  it("what cannot be forked is refused with a reason, and the same request again is answered", async () => {
    const l = await fresh(kind);
    const g = shop(2, []);
    const plain = workflow({ name: "plain" }, async (ctx) => ctx.step("s", () => 1));
    const { engine, client } = await l.engine([g, plain]);
    const h = await engine.start(g, {}, { id: "shop" });
    await l.advanceUntil(h.result());
    const p = await engine.start(plain, undefined, { id: "p" });
    await l.advanceUntil(p.result());
    await expect(client.fork("p", { id: "q", ...why })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(client.fork("nobody", { id: "q", ...why })).rejects.toMatchObject({ code: "PAWL4001" });
    await expect(h.fork({ at: 9, id: "q", ...why })).rejects.toMatchObject({
      code: "PAWL4011",
      message: expect.stringContaining("0 to 2"),
    });
    await expect(h.fork({ id: "q", update: { nope: 1 } as never, ...why })).rejects.toMatchObject({ code: "PAWL1051" });
    await expect(h.fork({ id: "q", update: { rounds: "x" as never }, ...why })).rejects.toMatchObject({ code: "PAWL1051" });
    await expect(h.fork({ id: "q", by: "ann" } as never)).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(h.fork({ id: "q", dryrun: true, ...why } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(h.fork({ id: "shop", ...why })).rejects.toMatchObject({ code: "PAWL4002" });
    const first = await client.fork("shop", { at: 1, id: "q", ...why });
    expect(await client.fork("shop", { at: 1, id: "q", ...why })).toEqual({ ...first, replayed: true });
    await expect(client.fork("shop", { at: 2, id: "q", ...why })).rejects.toMatchObject({ code: "PAWL4002" });
    await l.advanceUntil(client.waitForEnd(first.runId));
  });
});

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}
