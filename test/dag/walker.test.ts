// DAGs run as a user writes them: branches side by side, decisions, lists, batches, and what is left when something fails. The engine is
// killed at every crash point of some of them: whoever continues does nothing twice and leaves nothing out.
import { describe, expect, it } from "vitest";
import { dag, Fatal, task, workflow } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { proves } from "../support/proves.ts";
import { anySchema, deferred, payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("nodes run when what they need has ended, side by side where they may, and their results go where they are needed", async () => {
    const l = await fresh(kind);
    const double = task({ name: "double", input: anySchema<number>() }, (n) => n * 2);
    const wf = dag({ name: "sums", input: anySchema<{ n: number }>() }, (t) => {
      const a = t.task("a", {}, ({ input }) => input.n);
      const b = t.task("b", { a }, ({ a }) => a + 1);
      const c = t.do("c", { a }, double, ({ a }) => a);
      return t.task("d", { b, c }, ({ b, c }) => ({ b, c }));
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, { n: 5 });
    expect(await l.advanceUntil(h.result())).toEqual({ b: 6, c: 10 });
    const lines = await l.lines(h.runId);
    expect(lines).toEqual([
      "RunStarted",
      "StepStarted a",
      "StepCompleted a",
      "StepStarted b",
      "StepStarted c",
      "StepCompleted b",
      "StepCompleted c",
      "StepStarted d",
      "StepCompleted d",
      "RunCompleted",
    ]);
    const d = (await l.log(h.runId)).find((e) => e.eventType === "StepStarted" && e.stepId === "d");
    expect(payloadOf(d)).toMatchObject({ needs: ["b", "c"] });
  });

  it(
    "a decision chooses branches; the others are skipped with the reason, and a node that converges runs with what was chosen",
    proves("TX-10"),
    async () => {
      const l = await fresh(kind);
      const wf = dag({ name: "route", input: anySchema<{ amount: number }>() }, (t) => {
        const route = t.decide("route", {}, ["auto", "boss"], ({ input }) => (input.amount < 1000 ? "auto" : "boss"));
        const auto = t.task("auto", {}, () => "rule", { on: route.on("auto") });
        const boss = t.task("boss", {}, () => "ann", { on: route.on("boss") });
        const after = t.task("after_boss", { boss }, () => "signed");
        return t.task("end", { auto, boss, after }, ({ auto, boss, after }) => ({ by: auto ?? boss, after }), {
          trigger: "converge",
        });
      });
      const { engine } = await l.engine([wf]);
      const small = await engine.start(wf, { amount: 5 });
      expect(await l.advanceUntil(small.result())).toEqual({ by: "rule" });
      const log = await l.log(small.runId);
      const skipped = log.filter((e) => e.eventType === "StepSkipped").map((e) => [e.stepId, payloadOf(e)]);
      expect(skipped).toEqual([
        ["boss", { why: "not-chosen", by: ["route"] }],
        ["after_boss", { why: "upstream-skipped", by: ["boss"] }],
      ]);
      expect(payloadOf(log.find((e) => e.eventType === "pawl.StepsPlanned"))).toEqual({ by: "route", steps: ["auto"], skipped: ["boss"] });
      const large = await engine.start(wf, { amount: 5000 });
      expect(await l.advanceUntil(large.result())).toEqual({ by: "ann", after: "signed" });
    },
  );

  it("an each runs one step for each item, and all finish although one fails", async () => {
    const l = await fresh(kind);
    const ran: string[] = [];
    const undone: string[] = [];
    const wf = dag({ name: "fan", input: anySchema<string[]>() }, (t) => {
      const items = t.task("items", {}, ({ input }) => input);
      const each = t.each(
        "each",
        items,
        (e) => {
          ran.push(e);
          if (e === "bad") throw new Fatal("bad item");
          return e.toUpperCase();
        },
        { id: (e) => e, concurrency: 2, compensate: (r, item) => void undone.push(`${r} ${item}`) },
      );
      const after = t.task("after", { each }, () => 1);
      t.task("cleanup", { after, each }, ({ each, after }) => ran.push(`cleanup ${each.is} ${after.is}`), { trigger: "all-done" });
      return after;
    });
    const { engine } = await l.engine([wf]);
    const good = await engine.start(wf, ["a", "b", "c"]);
    expect(await l.advanceUntil(good.result())).toBe(1);
    ran.length = 0;
    const h = await engine.start(wf, ["x", "bad", "y"]);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "bad item" });
    expect(ran).toEqual(["x", "bad", "y", "cleanup failed failed"]);
    expect(undone).toEqual(["Y y", "X x"]);
    const end = (await l.log(h.runId)).at(-1);
    expect(payloadOf(end)).toMatchObject({ failed: ["each"], blocked: ["after"] });
  });

  it("a batch plans its work; checkpoints and yields go on where they were; no work leaves a placeholder", proves("TX-11"), async () => {
    const l = await fresh(kind);
    const seen: unknown[] = [];
    const wf = dag({ name: "batch", input: anySchema<number>() }, (t) =>
      t.batch(
        "sum",
        {},
        ({ input }) => Array.from({ length: input }, (_, i) => i * 10),
        async (s) => {
          seen.push([s.cursor, s.carried]);
          if (s.cursor % 10 < 2) return s.yield(s.cursor + 1, (s.carried ?? 0) + 1);
          return { at: s.cursor, carried: s.carried };
        },
        { carried: 100 as number, workersMax: 1 },
      ),
    );
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, 2);
    expect(await l.advanceUntil(h.result())).toEqual([
      { at: 2, carried: 102 },
      { at: 12, carried: 102 },
    ]);
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.StepYielded").length).toBe(4);
    const none = await engine.start(wf, 0);
    expect(await l.advanceUntil(none.result())).toEqual([]);
    expect(await l.lines(none.runId)).toContain("StepCompleted sum/placeholder");
  });

  it("an unknown branch is a final failure, and a decision is not tried again by itself", proves("TX-10"), async () => {
    const l = await fresh(kind);
    let asked = 0;
    const wf = dag({ name: "lost" }, (t) => {
      const route = t.decide("route", {}, ["left"], () => (asked++, "right" as "left"));
      const broken = t.decide("broken", {}, ["left"], () => {
        asked++;
        throw new Error("once");
      });
      const left = t.task("left", {}, () => 1, { on: [route.on("left"), broken.on("left")] });
      return t.task("end", { left }, () => 1);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1013" });
    expect(asked).toBe(2);
    const log = await l.log(h.runId);
    const failed = log
      .filter((e) => e.eventType === "StepFailed")
      .map((e) => [e.stepId, payloadOf(e)["retryAt"], JSON.stringify(payloadOf(e))]);
    expect(failed.map((f) => f.slice(0, 2)).toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
      ["broken", undefined],
      ["route", undefined],
    ]);
    expect(failed.find((f) => f[0] === "route")![2]).toContain("none of its branches");
    expect(payloadOf(log.at(-1))).toMatchObject({ blocked: ["left", "end"] });
    expect((await l.lines(h.runId)).includes("StepStarted left")).toBe(false);
  });

  it("killed anywhere, a batch continues from its last checkpoint, and its steps are made once", proves("TX-11", "TX-12"), async () => {
    let resumed = 0;
    for (let at = 1; at < 45; at += 2) {
      const l = await fresh(kind, at);
      const seen: number[] = [];
      let failures = 0;
      const wf = dag({ name: "sums" }, (t) =>
        t.batch(
          "sum",
          {},
          () => [0 as number],
          async (s) => {
            seen.push(s.cursor);
            if (s.cursor === 1 && failures++ === 0) {
              await s.checkpoint(2, 20);
              throw new Error("after a checkpoint"); // the next attempt continues there
            }
            if (s.cursor < 4) return s.yield(s.cursor + 1, s.cursor * 10);
            return { at: s.cursor, carried: s.carried };
          },
          { carried: 0 as number, retry: { attempts: 5, initial: "1s" }, repeatable: true },
        ),
      );
      let hits = 0;
      const first = await l.engine([wf], { onHit: () => ++hits === at });
      void first.engine.start(wf, undefined, { id: "r" }).catch(() => {});
      await l.platform.settle();
      // What is durable now is where the work continues, never before it.
      const row = await l.byWorkflowId("r");
      const cursors =
        row === undefined
          ? []
          : (await l.log(row.runId)).flatMap((e) => (payloadOf(e)["detail"] as { cursor: number } | undefined)?.cursor ?? []);
      const [recorded, before] = [Math.max(0, ...cursors), seen.length];
      if (recorded > 0) resumed++;
      const second = await l.engine([wf]);
      const h = await l.advanceUntil(second.engine.start(wf, undefined, { id: "r" }));
      expect(await l.advanceUntil(h.result()), `killed at ${at}`).toEqual([{ at: 4, carried: 30 }]);
      expect(Math.min(4, ...seen.slice(before)), `killed at ${at}`).toBeGreaterThanOrEqual(recorded);
      const log = await l.log(h.runId);
      const marks = log.filter((e) => e.eventType === "pawl.StepYielded").map((e) => (payloadOf(e)["detail"] as { cursor: number }).cursor);
      expect(marks).toEqual(marks.toSorted((a, b) => a - b));
      expect(log.filter((e) => e.eventType === "pawl.StepsPlanned").length).toBe(1);
      expect(log.filter((e) => e.eventType === "StepCompleted" && e.stepId === "sum/1").length).toBe(1);
    }
    expect(resumed).toBeGreaterThan(3);
  });

  it("a node may wait, receive a signal and call another workflow", async () => {
    const l = await fresh(kind);
    const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => ctx.step("x", () => n + 1));
    const inner = dag({ name: "inner", input: anySchema<number>() }, (t) => t.task("only", {}, ({ input }) => input * 3));
    const wf = dag({ name: "mixed" }, (t) => {
      const nap = t.sleep("nap", {}, "10s");
      const go = t.receive("go", {}, { name: "go", payload: anySchema<number>() }, { timeout: "1h" });
      const called = t.call("called", { nap, go }, child, ({ go }) => go ?? 0);
      const nested = t.call("nested", { called }, inner, ({ called }) => called);
      return t.task("end", { called, nested }, ({ called, nested }) => [called, nested]);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    await h.signal("go", 4);
    expect(await l.advanceUntil(h.result())).toEqual([5, 15]);
  });

  it("nodes on a queue run by whoever serves it, with what they were given", async () => {
    const l = await fresh(kind);
    const double = task({ name: `double-${kind}`, input: anySchema<number>() }, (n) => n * 2);
    const wf = dag({ name: "queued", input: anySchema<{ n: number }>() }, (t) => {
      const a = t.task("a", {}, ({ input }) => [input.n, input.n + 1], { queue: "work" });
      const b = t.each("b", a, (n) => n * 10, { id: (n) => String(n), queue: { name: "work", priority: 2 } });
      const c = t.do("c", { b }, double, ({ b }) => b.length, { queue: "work" });
      const d = t.decide("d", { c }, ["x", "y"], ({ c }) => (c > 3 ? "x" : "y"), { queue: "work" });
      const x = t.task("x", {}, () => "x", { on: d.on("x") });
      return t.task("end", { b, c, x }, ({ b, c, x }) => ({ b, c, x }));
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, { n: 4 });
    expect(await l.advanceUntil(h.result())).toEqual({ b: [40, 50], c: 4, x: "x" });
    const started = (await l.log(h.runId))
      .filter((e) => e.eventType === "StepStarted")
      .map((e) => [e.stepId, payloadOf(e)["via"] !== undefined]);
    expect(Object.fromEntries(started)).toEqual({ a: true, "b/4": true, "b/5": true, c: true, d: true, x: false, end: false });
  });

  it(
    "a batch on a queue is planned and worked on by whoever serves it; who dies is followed from the last checkpoint",
    proves("TX-12"),
    async () => {
      const l = await fresh(kind);
      const seen: (readonly [number, number | undefined])[] = [];
      const hang = deferred<never>();
      const wf = dag({ name: "queued_batch", namespace: "far", input: anySchema<number>() }, (t) =>
        t.batch(
          "sum",
          {},
          ({ input }) => Array.from({ length: input }, (_, i) => (i + 1) * 100),
          async (s) => {
            seen.push([s.cursor, s.carried]);
            if (s.cursor % 100 < 2) return s.yield(s.cursor + 1, (s.carried ?? 0) + 1);
            if (s.cursor % 100 === 2) {
              await s.checkpoint(s.cursor + 1, 50);
              return hang.promise; // until its worker is killed
            }
            return { at: s.cursor, carried: s.carried };
          },
          { carried: 0 as number, workersMax: 1, queue: { name: "batches", priority: 2 } },
        ),
      );
      const { engine } = await l.engine([wf], { queues: {}, lease: "1s" });
      const h = await engine.start(wf, 1);
      await l.platform.advance(5_000);
      expect(seen, "its owner runs no step").toEqual([]);
      const first = await l.worker({ workflows: [wf], queues: { batches: {} }, lease: "1s" });
      for (let i = 0; seen.length < 3 && i < 100; i++) await l.platform.advance(100);
      await l.platform.advance(500);
      first.kill();
      const second = await l.worker({ workflows: [wf], queues: { batches: {} }, lease: "1s" });
      expect(await l.advanceUntil(h.result())).toEqual([{ at: 103, carried: 50 }]);
      expect(seen).toEqual([
        [100, 0],
        [101, 1],
        [102, 2],
        [103, 50],
      ]);
      const done = (await l.log(h.runId)).filter((e) => e.eventType === "StepCompleted").map((e) => [e.stepId, payloadOf(e)["worker"]]);
      expect(done).toEqual([
        ["sum", first.worker.workerId],
        ["sum/1", second.worker.workerId],
      ]);
    },
  );

  it("a large result that many queued nodes need is stored once; who runs one reads it, also after its owner has died", async () => {
    const l = await fresh(kind);
    const text = "x".repeat(100_000);
    const size =
      (name: string) =>
      ({ big, few }: { readonly big: string; readonly few: number }): string =>
        `${name} ${big.length} ${few}`;
    const wf = dag({ name: "large", input: anySchema<{ n: number }>() }, (t) => {
      const few = t.task("few", {}, ({ input }) => input.n);
      const big = t.task("big", { few }, () => text);
      const all = Array.from({ length: 20 }, (_, i) =>
        t.task(`n${i}`, { big, few }, size(`n${i}`), { queue: "work", retry: { attempts: 2, initial: "1s" } }),
      );
      const first = t.decide("first", { big }, ["yes", "no"], ({ big }) => (big === text ? "yes" : "no"), { queue: "work" });
      const yes = t.task("yes", {}, () => "read", { on: first.on("yes") });
      return t.task("end", { first: yes, ...Object.fromEntries(all.map((n, i) => [`n${i}`, n])) }, (d) => Object.values(d).slice(1));
    });
    const a = await l.engine([wf], { queues: {}, lease: "1s" });
    const h = await a.engine.start(wf, { n: 7 });
    await l.advanceUntilLine(h.runId, "StepStarted n19");
    await l.platform.advance(200);
    const rows = await l.store.queues.rows({ scope: defaultScope, runId: h.runId, limit: 99 });
    const bigAt = (await l.log(h.runId)).find((e) => e.eventType === "StepCompleted" && e.stepId === "big")!.runSeq;
    expect(rows.length).toBe(21);
    for (const d of rows) {
      expect(d.spec.length).toBeLessThan(2_000);
      expect((JSON.parse(d.spec) as { input: { members: object } }).input.members).toMatchObject({ big: { of: "event", seq: bigAt } });
    }
    for (const e of await l.log(h.runId)) if (e.eventType === "StepStarted") expect((e.payload ?? "").length).toBeLessThan(2_000);
    a.kill();
    const b = await l.engine([wf], { queues: {}, lease: "1s" });
    const w = await l.worker({ workflows: [wf], queues: { work: {} }, lease: "1s" });
    await l.platform.advance(300);
    w.kill(); // what it had is dispatched again, by an owner that has read the log
    await l.worker({ workflows: [wf], queues: { work: {} }, lease: "1s" });
    const end = await l.advanceUntil(b.client.waitForEnd(h.runId));
    expect(end.result).toEqual(["read", ...Array.from({ length: 20 }, (_, i) => `n${i} 100000 7`)]);
  });

  it("killed anywhere and again, a DAG ends with the same result and runs no finished node twice", async () => {
    for (let at = 1; at < 60; at += 3) {
      const l = await fresh(kind, at);
      const counts = new Map<string, number>();
      const count = (id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
      const wf = dag({ name: "killed" }, (t) => {
        const items = t.task("items", {}, () => (count("items"), [1, 2, 3, 4]));
        const pick = t.decide("pick", { items }, ["yes", "no"], () => (count("pick"), "yes" as const));
        const no = t.task("no", {}, () => count("no"), { on: pick.on("no") });
        const yes = t.each("yes", items, (n) => (count(`yes/${n}`), n * 2), { id: (n) => `n${n}`, concurrency: 2 });
        const odd = t.task("odd", { yes }, () => 1, { when: ({ yes }) => yes.length > 100 });
        return t.task("end", { yes, no, odd }, ({ yes, no, odd }) => ({ yes, no, odd }), { trigger: "none-failed" });
      });
      let hits = 0;
      const first = await l.engine([wf], { onHit: () => ++hits === at });
      void first.engine.start(wf, undefined, { id: "r" }).catch(() => {});
      await l.platform.settle();
      const second = await l.engine([wf]);
      const h = await l.advanceUntil(second.engine.start(wf, undefined, { id: "r" }));
      expect(await l.advanceUntil(h.result()), `killed at ${at}`).toEqual({ yes: [2, 4, 6, 8] });
      expect(counts.get("no")).toBeUndefined();
      const lines = await l.lines(h.runId);
      for (const step of ["items", "pick", "yes/n1", "yes/n2", "yes/n3", "yes/n4", "end"])
        expect(lines.filter((x) => x === `StepCompleted ${step}`).length, `${step} at ${at}`).toBe(1);
      expect(lines.filter((x) => x.startsWith("StepSkipped"))).toEqual(["StepSkipped no", "StepSkipped odd"]);
    }
  });
});

it("a function that returns no node, or a promise, is told what it must return", () => {
  const task = (t: { task: (id: string, needs: {}, fn: () => number) => unknown }): unknown => t.task("a", {}, () => 1);
  for (const build of [(t: never): void => void task(t), async (t: never) => task(t)])
    expect(() => dag({ name: "none" }, build as never)).toThrow("the function that builds dag none must return a node");
});

it("an option that a node does not have is refused, and the message names the node", () => {
  const go = { name: "go", payload: anySchema<number>() };
  const child = workflow({ name: "child" }, async () => 1);
  const builds: readonly (readonly [(t: any) => unknown, string])[] = [
    [(t) => t.receive("a", {}, go, { timout: "1h" }), 'node a has no option "timout"'],
    [(t) => t.call("a", {}, child, () => undefined, { queue: "q" }), "a has no option queue: a call takes workflowId, timeout and on"],
    [(t) => t.call("a", {}, child, () => undefined, { onFailure: "hold" }), "a has no option onFailure"],
    [
      (t) =>
        t.each(
          "a",
          t.task("l", {}, () => []),
          () => 1,
          { id: String, input: String },
        ),
      "a has no option input: its function gets",
    ],
    [
      (t) =>
        t.each(
          "a",
          t.task("l", {}, () => []),
          () => 1,
          { id: String, failFast: "yes" },
        ),
      "a: failFast must be true or false",
    ],
    [(t) => t.each("a", [1, 2], () => 1, { id: String }), "what a runs over is not a node of this DAG: make the list in a node"],
  ];
  for (const [build, words] of builds) expect(() => dag({ name: "none" }, build as never)).toThrow(words);
});

it("a misspelt option of a node is refused, and the message names the node", () => {
  const misspelt = { retires: 2 } as object;
  const builds: readonly ((t: never) => unknown)[] = [
    (t: { task: (...a: unknown[]) => unknown }) => t.task("a", {}, () => 1, misspelt),
    (t: { decide: (...a: unknown[]) => unknown }) => t.decide("a", {}, ["x"], () => "x", misspelt),
    (t: { batch: (...a: unknown[]) => unknown }) =>
      t.batch(
        "a",
        {},
        () => [],
        () => 1,
        misspelt,
      ),
  ];
  for (const build of builds) expect(() => dag({ name: "none" }, build as never)).toThrow('node a has no option "retires"');
});
