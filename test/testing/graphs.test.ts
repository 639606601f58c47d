// testEngine and graphs: each superstep is run again over its record when a result is asked for, so that a reducer or a node that is not pure turns a test
// red. What the log does not say, such as the run's own id and the engine's limits, the replay is given.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, last, reduce, sum } from "../../src/graph.ts";
import { firstDivergence, replayGraph, testEngine, type TestEngine, type TestEngineOpts } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";

const open: TestEngine[] = [];
afterEach(async () => {
  for (const t of open.splice(0)) await t.stop();
});
async function bed(o: TestEngineOpts): Promise<TestEngine> {
  const t = await testEngine(o);
  open.push(t);
  return t;
}

let times = 0;
const counting = graph({ name: "counting", state: { n: sum(), total: reduce(0, (a: number, b: number) => a + b + ++times) } })
  .nodes({ add: () => ({ n: 1, total: 1 }) })
  .edges({ start: "add", add: (s) => (s.n < 3 ? "add" : "end") });

it("a reducer that counts fails the result with superstep and channel; guard says otherwise", proves("LX-06"), async () => {
  const t = await bed({ workflows: [counting] });
  const h = await t.start(counting, {}, { id: "c" });
  await expect(h.result()).rejects.toMatchObject({
    code: "PAWL1006",
    message: expect.stringMatching(/superstep 1, .*state differs.*\/total/),
  });
  const warned: string[] = [];
  const warns = await bed({ workflows: [counting], guard: "warn", log: (level, message) => void warned.push(`${level} ${message}`) });
  expect(await warns.run(counting, {})).toMatchObject({ n: 3 });
  expect(warned.filter((w) => w.startsWith("warn superstep"))).toHaveLength(3);
  const off = await bed({ workflows: [counting], guard: "off" });
  expect(await off.run(counting, {})).toMatchObject({ n: 3 });
});

it("a node that counts is found, too; one that only remembers its run, the time and its random numbers is not", async () => {
  let calls = 0;
  const impure = graph({ name: "impure", state: { n: last(0) } })
    .nodes({ a: () => ({ n: ++calls }) })
    .edges({ start: "a", a: "end" });
  const pure = graph({
    name: "pure",
    state: { seen: append<unknown>(), text: last("") },
    views: { v: z.number() },
    result: (s) => s.seen.length,
  })
    .nodes({
      a: async (_s, ctx) => {
        ctx.emit({ half: true });
        ctx.publish("v", 1);
        await ctx.sleep("rest", "1h");
        return { seen: [ctx.run.workflowId, ctx.run.runId, ctx.now(), ctx.random(), ctx.uuid()], text: "x".repeat(1_500_000) };
      },
      b: (s) => ({ text: s.text.slice(1) }),
    })
    .edges({ start: "a", a: "b", b: "end" });
  const limits = { valueBytesMax: 2_000_000 };
  const t = await bed({ workflows: [impure, pure], limits });
  await expect(t.run(impure, {})).rejects.toMatchObject({ code: "PAWL1006", message: expect.stringContaining("superstep 1, node a") });
  const h = await t.start(pure, {}, { id: "order-17" });
  expect(await h.result()).toBe(5);
  // The same of a log alone: what it does not say is given.
  const facts = { workflowId: "order-17", limits };
  expect((await replayGraph(pure, h.events(), facts)).mismatches).toEqual([]);
  expect(await firstDivergence(pure, h.events(), facts)).toBeUndefined();
  expect(await firstDivergence(pure, h.events(), { limits })).toMatchObject({ what: "output", superstep: 1, diff: [{ path: "/seen/0" }] });
});

it("what is refused in a node is refused in its replay: an emitted value and a view that have no encoding", async () => {
  const g = graph({ name: "refused", state: { why: append<string>() }, views: { v: z.any() } })
    .nodes({
      emits: (_s, ctx) => ctx.emit(() => 1),
      shows: (_s, ctx) => ctx.publish("v", () => 1),
      help: (_s, ctx) => ({ why: ctx.failures.map((f) => f.code) }),
    })
    .edges({ start: ["emits", "shows"], emits: "end", shows: "end", help: "end" }, { catch: { emits: "help", shows: "help" } });
  const t = await bed({ workflows: [g] });
  expect(await t.run(g, {})).toEqual({ why: ["PAWL1003", "PAWL1003"] });
});

it("the next turn and a fork are handles that move the clock", async () => {
  const g = graph({ name: "naps", state: { n: sum() } })
    .nodes({
      nap: async (_s, ctx) => {
        await ctx.sleep("nap", "2d");
        return { n: 1 };
      },
    })
    .edges({ start: "nap", nap: "end" });
  const t = await bed({ workflows: [g] });
  const first = await t.start(g, {}, { id: "naps" });
  expect(await first.result()).toEqual({ n: 1 });
  const second = await first.next({});
  expect(await second.result()).toEqual({ n: 2 });
  const plan = await second.fork({ at: 0, dryRun: true });
  expect(plan.dryRun).toBe(true);
  const other = await second.fork({ at: 0, id: "other", by: "ann", reason: "again" });
  expect(await other.result()).toEqual({ n: 2 });
});
