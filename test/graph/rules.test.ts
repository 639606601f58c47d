// The rules of a graph, each at its edge: order keys, merging, random numbers, limits, deadlines, scopes that are left open, code that changed, and what
// is refused when a graph is defined or when a node returns it.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { itemPath, orderKey, runSeed } from "../../src/core/graph/order.ts";
import { append, byId, graph, last, legacyOrderKey, reduce, send, sum } from "../../src/graph.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { deferred, payloadOf, testClusters } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { readSteps } from "./independent.ts";

const fresh = testClusters();

/** Runs it to its end; the error if it fails. */
async function outcome(g: AnyWorkflow, input: unknown = {}): Promise<unknown> {
  const l = await fresh("memory");
  const { engine } = await l.engine([g]);
  const h = await (engine.start as (...a: unknown[]) => ReturnType<typeof engine.start>)(g, input);
  return l.advanceUntil(h.result()).catch((e: unknown) => e);
}

describe("order and random numbers", () => {
  it("the legacy order key is the first 8 bytes over parent and edge", proves("LX-01"), () => {
    const bytes = Buffer.concat([Buffer.from("plän"), Buffer.from([0, 0, 0, 7])]);
    expect(legacyOrderKey("plän", 7)).toBe(createHash("sha256").update(bytes).digest().readBigUInt64BE());
  });

  it("10,000 order keys have no collision, dense or diverse", proves("LX-04"), () => {
    const dense = Array.from({ length: 10_000 }, (_, i) => orderKey(sha256Hex, { path: "", node: "a", superstep: 1 }, i));
    const diverse = Array.from({ length: 10_000 }, (_, i) =>
      orderKey(sha256Hex, { path: itemPath(sha256Hex, "", BigInt(i)), node: `n${i % 97}`, superstep: i % 31 }, i % 5),
    );
    expect([new Set(dense).size, new Set(diverse).size]).toEqual([10_000, 10_000]);
    expect(dense.every((k) => k >= 0n && k < 1n << 64n)).toBe(true);
  });

  it("an item draws the same numbers on every run of the same id: run seed XOR order key", proves("LX-05"), async () => {
    expect(runSeed(sha256Hex, "run-1")).toBe(createHash("sha256").update("run-1").digest().readBigInt64BE());
    const g = graph({ name: "draw", state: { draws: append<number>() } })
      .nodes({ a: (_s, ctx) => ({ draws: Array.from({ length: 100 }, () => ctx.random()) }), b: (_s, ctx) => ({ draws: ctx.random() }) })
      .edges({ start: ["a", "b"], a: "end", b: "end" });
    const seen = new Set<string>();
    for (let i = 0; i < 10; i++) {
      const l = await fresh("memory", 7);
      const { engine } = await l.engine([g]);
      const h = await engine.start(g, {});
      const { draws } = await l.advanceUntil(h.result());
      const [step] = readSteps(await l.log(h.runId));
      expect(BigInt(step!.seed)).toBe(runSeed(sha256Hex, h.runId));
      expect(new Set(draws).size).toBe(101);
      seen.add(JSON.stringify([h.runId, draws]));
    }
    expect(seen.size).toBe(1);
  });

  it("items begin and are merged by order key, never by when they ended", proves("LX-02", "L-47"), async () => {
    const began: string[] = [];
    const g = graph({ name: "order", state: { ended: append<string>(), merged: append<string>() }, concurrency: 3 })
      .nodes(({ each }) => ({
        work: each(z.object({ n: z.number() }), async ({ n }, _s, ctx) => {
          began.push(ctx.at.item);
          await ctx.sleep("wait", 1_000 - 90 * n);
          return { merged: `${n}` };
        }),
      }))
      .edges({ start: () => Array.from({ length: 10 }, (_, n) => send("work", { n })), work: "end" });
    const result = (await outcome(g)) as { merged: string[] };
    expect(result.merged).toEqual(Array.from({ length: 10 }, (_, n) => `${n}`));
    expect(began).toEqual(Array.from({ length: 10 }, (_, i) => `1/work${i === 0 ? "" : `~${i + 1}`}`));
  });

  it("never more items at work than concurrency says", proves("LX-16"), async () => {
    let [now, most] = [0, 0];
    const g = graph({ name: "bound", state: { n: sum() }, concurrency: 3 })
      .nodes(({ each }) => ({
        work: each(z.number(), async (_n, _s, ctx) => {
          most = Math.max(most, ++now);
          await ctx.sleep("wait", 100);
          now--;
          return { n: 1 };
        }),
      }))
      .edges({ start: () => Array.from({ length: 20 }, (_, i) => send("work", i)), work: "end" });
    expect(await outcome(g)).toEqual({ n: 20 });
    expect(most).toBe(3);
  });
});

describe("merging", () => {
  const two = (conflict: "fail" | "highest", order: readonly string[]): AnyWorkflow =>
    graph({ name: `conflict-${conflict}-${order.join("")}`, state: { who: last("", { conflict }) } })
      .nodes({ a: () => ({ who: "a" }), b: () => ({ who: "b" }) })
      .edges({ start: order as never, a: "end", b: "end" });

  it("two writers of one value fail the run; or the higher order key wins, and is counted", proves("LX-20"), async () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      expect(await outcome(two("fail", order))).toMatchObject({ message: expect.stringContaining("was set by 1/") });
      expect(await outcome(two("highest", order))).toEqual({ who: order[1] });
    }
    const l = await fresh("memory");
    const g = two("highest", ["a", "b"]);
    const { engine } = await l.engine([g]);
    const h = await (engine.start as (...a: unknown[]) => ReturnType<typeof engine.start>)(g, {});
    await l.advanceUntil(h.result());
    expect(payloadOf((await l.log(h.runId)).findLast((e) => e.eventType === "pawl.Superstep"))["counters"]).toEqual({ conflicts: 1 });
  });

  it("branches see the state as it was, and no changes of each other", proves("LX-07"), async () => {
    const seen: unknown[] = [];
    const g = graph({ name: "isolated", state: { tags: last(new Map([["a", 1]])), list: append<string>() } })
      .nodes({
        a: (s) => {
          (s.tags as Map<string, number>).set("b", 2);
          return { list: "a" };
        },
        b: (s) => (seen.push([s.tags.size, s.list.length, Object.isFrozen(s), Object.isFrozen(s.list)]), { list: "b" }),
        c: (s) => {
          (s.list as string[]).push("x");
        },
      })
      .edges({ start: ["a", "b"], a: "end", b: "c", c: "end" });
    expect(await outcome(g)).toMatchObject({ message: expect.stringContaining("not extensible") });
    expect(seen).toEqual([[1, 0, true, true]]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no sum");
      },
      "the reducer of channel n failed: no sum",
    ],
    ["returns a promise", async () => 1, "returned a promise"],
    ["returns what cannot be stored", () => () => 1, "channel n"],
    ["returns nothing", () => undefined as never, "the reducer of channel n returned nothing"],
  ])("a reducer that %s fails the run, and nothing of the superstep is merged", proves("LX-06"), async (_what, f, says) => {
    const g = graph({
      name: "bad-reducer",
      state: { n: reduce(0, f as unknown as (a: number, b: number) => number), list: append<string>() },
    })
      .nodes({ a: () => ({ n: 1, list: "a" }) })
      .edges({ start: "a", a: "end" });
    expect(await outcome(g)).toMatchObject({ message: expect.stringContaining(says) });
  });

  it("a reducer that changes what it was given fails at once: values are frozen", proves("LX-06"), async () => {
    const g = graph({ name: "impure", state: { n: reduce<number[], number>([], (a, b) => (a.push(b), a)) } })
      .nodes({ a: () => ({ n: 1 }) })
      .edges({ start: "a", a: "end" });
    expect(await outcome(g)).toMatchObject({ message: expect.stringContaining("not extensible") });
  });

  it.each([
    ["an unknown channel", { nope: 1 }, "no channel is called that"],
    ["a list", [1], "returned a list"],
    ["text", "x", "returned a string"],
    ["a Map, which has no members of its own", new Map([["n", 1]]), "returned something that is not a plain object (Map)"],
    ["no number for a sum", { n: "1" }, "takes a finite number"],
    ["an item without an id", { items: { x: 1 } }, "takes items with an id"],
    ["what cannot be stored", { any: () => 1 }, "any of node a"],
    ["ill-formed text", { any: "\ud800" }, "any of node a"],
  ])("a node that returns %s fails", proves("L-42", "L-12"), async (_what, update, says) => {
    const g = graph({ name: "bad-update", state: { n: sum(), items: byId(), any: last<unknown>(null) } })
      .nodes({ a: () => update as never })
      .edges({ start: "a", a: "end" });
    expect(await outcome(g)).toMatchObject({ message: expect.stringContaining(says) });
  });
});

describe("limits and progress", () => {
  it("an empty frontier without an end is no progress, at once, with the last nodes", proves("LX-18"), async () => {
    const g = graph({ name: "stuck", state: { n: sum() } })
      .nodes({ a: () => ({ n: 1 }), b: () => ({ n: 1 }) })
      .edges({ start: ["a", "b"], a: () => [], b: () => [] });
    expect(await outcome(g)).toMatchObject({ message: expect.stringMatching(/no edge led to "end"; the last nodes: .*a/) });
  });

  it("maxSteps ends a loop; failures of several items are all named", proves("LX-18"), async () => {
    const loop = graph({ name: "loop", state: { n: sum() }, maxSteps: 5 })
      .nodes({ a: () => ({ n: 1 }) })
      .edges({ start: "a", a: (s) => (s.n < 0 ? "end" : "a") });
    expect(await outcome(loop)).toMatchObject({ message: expect.stringContaining("maxSteps is 5") });
    const both = graph({ name: "both", state: { n: sum() } })
      .nodes({
        a: () => {
          throw new Error("first");
        },
        b: () => {
          throw new Error("second");
        },
      })
      .edges({ start: ["a", "b"], a: "end", b: "end" });
    expect(await outcome(both)).toMatchObject({
      message: expect.stringContaining("2 items of superstep 1 failed: 1/a: first; 1/b: second"),
    });
  });

  it("a state over its limit fails before it is merged", async () => {
    const l = await fresh("memory");
    const g = graph({ name: "big", state: { text: last("") } })
      .nodes({ a: () => ({ text: "x".repeat(2_000) }) })
      .edges({ start: "a", a: "end" });
    const { engine } = await l.engine([g], { limits: { stateBytesMax: 1_000 } });
    const h = await engine.start(g, {});
    await expect(l.advanceUntil(h.result())).rejects.toThrow("the limit is 1000");
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.Superstep")).toHaveLength(1);
  });

  it("the inputs of the next items count as state, in every superstep: they are recorded with it", async () => {
    const sending = (name: string, times: number, start: boolean): AnyWorkflow => {
      const edge = () => Array.from({ length: times }, () => send("work", "x".repeat(398))); // 400 bytes each
      return graph({ name, state: { n: sum() } })
        .nodes(({ each }) => ({ a: () => ({ n: 1 }), work: each(z.string(), () => ({ n: 1 })) }))
        .edges({ start: start ? edge : "a", a: edge, work: "end" });
    };
    const l = await fresh("memory");
    const all = [sending("fits", 2, false), sending("first", 3, true), sending("second", 3, false)];
    const { engine } = await l.engine(all, { limits: { stateBytesMax: 1_000 } });
    const run = (g: AnyWorkflow) => (engine.start as (...a: unknown[]) => ReturnType<typeof engine.start>)(g, {});
    expect(await l.advanceUntil((await run(all[0]!)).result())).toEqual({ n: 3 });
    for (const [i, g] of all.slice(1).entries()) {
      const h = await run(g);
      await expect(l.advanceUntil(h.result())).rejects.toThrow("and the inputs of its next items would be 1201 bytes, the limit is 1000");
      expect((await l.lines(h.runId)).filter((x) => x === "pawl.Superstep")).toHaveLength(i);
    }
  });

  it("an input that names no channel, has a value that it does not take, or is no object, is refused before anything is stored", async () => {
    const l = await fresh("memory");
    const g = graph({ name: "in", state: { n: sum() } })
      .nodes({ a: () => ({ n: 1 }) })
      .edges({ start: "a", a: "end" });
    const { engine, client } = await l.engine([g]);
    await expect(engine.start(g, { m: 1 } as never)).rejects.toMatchObject({ code: "PAWL1008", message: "input: no channel is called m" });
    await expect(engine.start(g, 7 as never)).rejects.toMatchObject({ code: "PAWL1008" });
    const wrong = { code: "PAWL1008", message: "input: channel n takes a finite number" };
    await expect(engine.start(g, { n: "1" } as never)).rejects.toMatchObject(wrong);
    // Also by a process that has no code, from what the engine has published.
    const other = await l.engine([]);
    for (const input of [{ m: 1 }, 7, { n: "1" }])
      await expect(l.advanceUntil(other.client.start({ workflow: "in", input }))).rejects.toMatchObject({ code: "PAWL1008" });
    expect((await client.list()).runs).toEqual([]);
    const h = await engine.start(g, { n: 1 });
    expect(await l.advanceUntil(h.result())).toEqual({ n: 2 });
  });

  it("a list that grows over its limit fails there, and not before", async () => {
    const l = await fresh("memory");
    const g = graph({ name: "grows", state: { list: append<string>() } })
      .nodes({ a: () => ({ list: "é".repeat(98) }) }) // 198 bytes and a comma
      .edges({ start: "a", a: () => "a" });
    const { engine } = await l.engine([g], { limits: { stateBytesMax: 1_000 } });
    const h = await engine.start(g, {});
    await expect(l.advanceUntil(h.result())).rejects.toThrow("would be 1195 bytes, the limit is 1000");
    expect((await h.state())!.values.list).toHaveLength(5);
  });

  it.each([
    ["names no node", () => "nowhere", "no node is called that"],
    ["sends to no node", () => send("nowhere", {}), "no node is called that"],
    ["sends what the node refuses", () => send("work", { n: "x" }), "input of work"],
    [
      "throws",
      () => {
        throw new Error("no idea");
      },
      "no idea",
    ],
    ["returns a promise", async () => "end", "returned a promise"],
    ["returns something else", () => 7, "neither a node's name"],
  ])("an edge that %s fails the run with its name", async (_what, edge, says) => {
    const g = graph({ name: "bad-edge", state: { n: sum() } })
      .nodes(({ each }) => ({ a: () => ({ n: 1 }), work: each(z.object({ n: z.number() }), () => {}) }))
      .edges({ start: "a", a: edge as never, work: "end" });
    expect(await outcome(g)).toMatchObject({ message: expect.stringContaining(says) });
  });

  it("more items than a superstep may have are refused in every superstep, the first one too; nothing of them is recorded", async () => {
    const l = await fresh("memory");
    const crowd = (name: string, start: boolean): AnyWorkflow =>
      graph({ name, state: { n: sum() } })
        .nodes(({ each }) => ({ a: () => ({ n: 1 }), work: each(z.number(), () => ({ n: 1 })) }))
        .edges({
          start: start ? () => Array.from({ length: 10_001 }, (_, i) => send("work", i)) : "a",
          a: () => Array.from({ length: 10_001 }, (_, i) => send("work", i)),
          work: "end",
        });
    const both = [crowd("first", true), crowd("second", false)];
    const { engine } = await l.engine(both);
    for (const [i, g] of both.entries()) {
      const h = await (engine.start as (...a: unknown[]) => ReturnType<typeof engine.start>)(g, {});
      await expect(l.advanceUntil(h.result())).rejects.toThrow(`superstep ${i + 1} of graph ${g.name} would have 10001 items`);
      expect((await l.lines(h.runId)).filter((x) => x === "pawl.Superstep")).toHaveLength(i);
    }
  });

  it("a part is at most 256 KiB as it is stored, whatever the alphabet and however many quotes", async () => {
    for (const text of ["plain ", "列表", '"\\"', "😀", "\u0001"]) {
      const g = graph({ name: "parts", state: { list: append<string>() }, result: (s) => s.list.length })
        .nodes({ a: () => ({ list: Array.from({ length: 3 }, () => text.repeat(40_000)) }) })
        .edges({ start: "a", a: "end" });
      const l = await fresh("memory");
      const { engine } = await l.engine([g]);
      const h = await engine.start(g, {});
      expect(await l.advanceUntil(h.result())).toBe(3);
      const parts = (await l.log(h.runId)).filter((e) => e.eventType === "pawl.SuperstepPart");
      expect(parts.length).toBeGreaterThan(1);
      for (const p of parts) expect(Buffer.byteLength(p.payload!)).toBeLessThanOrEqual(262_144);
      expect((await h.state())!.values.list).toEqual(Array.from({ length: 3 }, () => text.repeat(40_000)));
    }
  });

  it("a large superstep is written in parts, and read again", async () => {
    const l = await fresh("memory");
    const g = graph({ name: "large", state: { list: append<string>() }, signals: { go: z.string() } })
      .nodes({
        a: () => ({ list: Array.from({ length: 400 }, (_, i) => `${i}😀`.repeat(100)) }),
        wait: async (_s, ctx) => void (await ctx.receive("go")),
      })
      .edges({ start: "a", a: "wait", wait: "end" });
    const one = await l.engine([g]);
    const h = await one.engine.start(g, {}, { id: "x" });
    await l.advanceUntilLine(h.runId, "StepStarted 2/wait/go");
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.SuperstepPart").length).toBeGreaterThan(0);
    one.kill();
    const two = await l.engine([g]);
    const again = (await two.engine.get(g, "x"))!;
    await again.signal("go", "1");
    expect((await l.advanceUntil(again.result())).list).toHaveLength(400);
  });
});

describe("deadlines and open scopes", () => {
  it("a node past its time fails with its name and duration, and its waits are closed", proves("LX-17"), async () => {
    const l = await fresh("memory");
    const g = graph({ name: "late", state: { why: last("") }, signals: { go: z.string() } })
      .nodes(({ node }) => ({
        slow: node(async (_s, ctx) => ({ why: await ctx.receive("go") }), { timeout: "2s" }),
        help: (_s, ctx) => ({ why: ctx.failures[0]!.message }),
      }))
      .edges({ start: "slow", slow: "end", help: "end" }, { catch: { slow: "help" } });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    expect(await l.advanceUntil(h.result())).toEqual({ why: "node slow did not end within 2000 ms" });
    const log = await l.log(h.runId);
    expect(payloadOf(log.find((e) => e.eventType === "StepFailed"))["category"]).toBe("ABANDONED");
    const [started, fired] = ["StepStarted", "StepCompleted"].map((t) =>
      log.find((e) => e.eventType === t && e.stepId === "1/slow/node%20deadline")!,
    );
    const tookMs = Number(fired!.persistedAt) - Number(started!.persistedAt);
    expect(tookMs >= 2_000 && tookMs <= 2_020, `${tookMs}`).toBe(true);
  });

  it("a cancel reaches running nodes within a second", proves("LX-17"), async () => {
    const l = await fresh("memory");
    const stopped = deferred<number>();
    const g = graph({ name: "cancelled", state: { n: sum() } })
      .nodes({
        a: async (_s, ctx) =>
          void (await ctx.step(
            "a",
            (s) =>
              new Promise((_r, no) =>
                s.signal.addEventListener("abort", () => (stopped.open(l.platform.wallMs()), no(new Error("stopped")))),
              ),
            { repeatable: true },
          )),
      })
      .edges({ start: "a", a: "end" });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    await l.advanceUntilLine(h.runId, "StepStarted 1/a/a");
    const from = l.platform.wallMs();
    await h.cancel("enough");
    expect((await l.advanceUntil(stopped.promise)) - from).toBeLessThan(1_000);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ name: "RunCancelled" });
  });

  it("the loser of a race and a step that nobody awaits end with their node; a signal for a closed wait stays", async () => {
    const l = await fresh("memory");
    const tried: number[] = [];
    const g = graph({ name: "open", state: { got: append<string>() }, signals: { go: z.string() } })
      .nodes({
        race: async (_s, ctx) => {
          const lost = ctx.step(
            "lost",
            (s) => (tried.push(1), new Promise((_r, no) => s.signal.addEventListener("abort", () => no(new Error("aborted"))))),
            {
              repeatable: true,
              retry: { attempts: 5 },
            },
          );
          lost.catch(() => {});
          await Promise.race([ctx.receive("go"), ctx.sleep("short", 100)]);
          return { got: "timer" };
        },
        then: async (_s, ctx) => ({ got: await ctx.receive("go") }),
      })
      .edges({ start: "race", race: "then", then: "end" });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    await l.advanceUntilLine(h.runId, "StepStarted 2/then/go");
    await h.signal("go", "kept");
    expect(await l.advanceUntil(h.result())).toEqual({ got: ["timer", "kept"] });
    expect(tried).toEqual([1]);
    const log = await l.log(h.runId);
    const failed = log.filter((e) => e.eventType === "StepFailed").map((e) => [e.stepId, payloadOf(e)["category"]]);
    expect(failed).toEqual([
      ["1/race/go", "ABANDONED"],
      ["1/race/lost", "FAILED"],
    ]);
    const ends = log.map((e) => e.eventType);
    expect(ends.lastIndexOf("StepFailed")).toBeLessThan(ends.indexOf("pawl.Superstep", ends.indexOf("pawl.Superstep") + 1));
  });
});

describe("changed code under a live run", () => {
  const waiting = (o: { version?: string; channel?: string; node?: string }): AnyWorkflow =>
    graph({
      name: "changing",
      ...(o.version === undefined ? {} : { version: o.version }),
      state: { [o.channel ?? "n"]: sum() },
      signals: { go: z.string() },
    })
      .nodes({
        first: async (_s, ctx) => void (await ctx.receive("go")),
        [o.node ?? "second"]: async (_s, ctx) => void (await ctx.receive("go")),
      })
      .edges({ start: "first", first: (o.node ?? "second") as never, [o.node ?? "second"]: "end" } as never);

  it.each([
    ["its channels have changed", { channel: "m" }, "channels of graph changing have changed"],
    ["the node that is due is gone", { node: "other" }, "no longer has it"],
    ["it is of another version", { version: "2" }, "begun by version 1"],
  ])("where %s, the run waits for a person", async (_what, change, says) => {
    const l = await fresh("memory");
    const [before, after] = [waiting({}), waiting(change)];
    const one = await l.engine([before]);
    const h = await (one.engine.start as (...a: unknown[]) => ReturnType<typeof one.engine.start>)(before, {}, { id: "c" });
    await l.advanceUntilLine(h.runId, "StepStarted 1/first/go");
    await (h.signal as (n: string, v: string) => Promise<unknown>)("go", "1");
    await l.advanceUntilLine(h.runId, "StepStarted 2/second/go");
    one.kill();
    const two = await l.engine([after]);
    const again = (await two.engine.get(after, "c"))!;
    await (again.signal as (n: string, v: string) => Promise<unknown>)("go", "2");
    await l.advanceUntilLine(h.runId, "RunPaused");
    const paused = payloadOf((await l.log(h.runId)).findLast((e) => e.eventType === "RunPaused"));
    expect(JSON.stringify(paused)).toContain(says);
    expect((await two.engine.decisions()).map((d) => d.kind)).toEqual(["diverged"]);
  });
});
