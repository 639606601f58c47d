// The determinism guard: what workflow code may not reach for is refused with the line and the remedy, or warned about; step
// functions, verifiers, compensations, transactions and everything outside of runs are left alone; nothing stays patched.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { workflow, type Ctx } from "../../src/index.ts";
import { guardMachine } from "../../src/platform/determinism-guard.ts";
import { agent, scripted } from "../../src/agents.ts";
import { graph, last } from "../../src/graph.ts";
import { replay, testEngine, type TestEngine } from "../../src/testing.ts";
import { proves } from "../support/proves.ts";

const open: TestEngine[] = [];
afterEach(async () => {
  for (const t of open.splice(0)) await t.stop();
});

/** The failure of a run whose code does this. */
async function failureOf(code: (ctx: Ctx) => unknown, guard: "refuse" | "warn" | "off" = "refuse"): Promise<string> {
  const logs: string[] = [];
  const wf = workflow({ name: "wf" }, async (ctx) => {
    await ctx.step("first", () => 1, { repeatable: true }); // so that it is a continuation, not the first turn
    await code(ctx);
    await code(ctx);
    return "ran";
  });
  const t = await testEngine({ workflows: [wf], guard, log: (level, message) => void (level !== "info" && logs.push(message)) });
  open.push(t);
  const end = await t.run(wf).catch((e: Error) => e.message);
  return [end, ...logs].join("\n---\n");
}

const refused: Readonly<Record<string, (ctx: Ctx) => unknown>> = {
  "Date.now()": () => Date.now(),
  "new Date()": () => new Date(),
  "Date()": () => Date(),
  "performance.now()": () => performance.now(),
  "Math.random()": () => Math.random(),
  "crypto.randomUUID()": () => crypto.randomUUID(),
  "crypto.getRandomValues()": () => crypto.getRandomValues(new Uint8Array(1)),
  "fetch()": () => fetch("http://127.0.0.1:9"),
  "setTimeout()": () => setTimeout(() => {}, 1),
  "setInterval()": () => setInterval(() => {}, 1_000),
  "setImmediate()": () => setImmediate(() => {}),
};
for (const [what, code] of Object.entries(refused)) {
  it(`${what} in workflow code is refused, with the line and what to write instead`, proves("AX-37"), async () => {
    const said = await failureOf(code);
    expect(said).toContain(`${what} in the code of workflow wf is not the same on every replay: use `);
    expect(said).toMatch(/\ntest\/testing\/guard\.test\.ts:\d+:\d+\n/);
    expect(said).toMatch(new RegExp(`\\n> +\\d+ \\| .*${what.replaceAll(/[().]/g, "\\$&").slice(0, -2)}`));
    expect(said).toMatch(/\n +\| +\^/);
  });
}

it("in a node of a graph and in an agent's instructions it is refused, too", proves("AX-37"), async () => {
  const dice = graph({ name: "dice", state: { n: last(0) } })
    .nodes({ roll: () => ({ n: Math.random() }) })
    .edges({ start: "roll", roll: "end" });
  const late = agent({ name: "late", model: scripted(["hello"]), instructions: () => `It is ${Date.now()}.` });
  const t = await testEngine({ workflows: [dice, late] });
  open.push(t);
  await expect(t.run(dice, {})).rejects.toThrow("Math.random() in the code of workflow dice is not the same on every replay");
  await expect(t.run(late, { prompt: "hi" })).rejects.toThrow("Date.now() in the code of workflow late is not the same on every replay");
});

it("code that depends on a variable of its module does not fit its own log, and replay says where", proves("AX-37"), async () => {
  let started = 0;
  const wf = workflow({ name: "wf" }, async (ctx) => ctx.step(started++ === 0 ? "first" : "later", () => 1, { repeatable: true }));
  const t = await testEngine({ workflows: [wf] });
  open.push(t);
  const h = await t.start(wf);
  await h.result();
  await expect(replay(wf, h.events())).rejects.toThrow("the code calls later where the record has effect first");
});

it("in the handler of an update it is refused too, and the update says why", async () => {
  const wf = workflow({ name: "wf", updates: { tick: { input: z.null(), output: z.number() } } }, async (ctx) => {
    ctx.onUpdate("tick", () => Date.now());
    await ctx.sleep("long", "1h");
  });
  const t = await testEngine({ workflows: [wf] });
  open.push(t);
  const h = await t.start(wf);
  await expect(h.update("tick", null)).rejects.toThrow("Date.now() in the code of workflow wf");
});

it("with warn it is told once for each place, and the code goes on", async () => {
  const said = await failureOf(() => Date.now(), "warn");
  expect(said).toMatch(/^ran\n/);
  expect(said.match(/Date\.now\(\) in the code/g)).toHaveLength(1);
  expect(await failureOf(() => Date.now(), "off")).toBe("ran");
});

it("what a step, its verify, its compensation and a transaction do is their own business, and so is dates of a given time", async () => {
  const used = new Set<string>();
  const machine = (by: string) => (): number => {
    const seen = [new Date(), Math.random(), crypto.randomUUID()];
    used.add(by);
    return Date.now() + seen.length;
  };
  const wf = workflow({ name: "wf" }, async (ctx) => {
    const at: Date = await ctx.step("when", () => new Date(machine("step")()), { repeatable: true });
    await ctx.step("asked", machine("asked"), {
      timeout: 100,
      settle: 100,
      verify: async () => (machine("verify")(), { state: "completed-with-result" as const, result: 1 }),
      compensate: machine("compensation"),
    });
    await ctx.tx("rows", async () => machine("tx")());
    await ctx.map("each", [1, 2], { key: String }, async (n, c) =>
      c.step("one", async () => (await Promise.resolve(), machine(`item ${n}`)())),
    );
    if (!(at instanceof Date) || !(new Date(at) instanceof Date) || new Date(0).getTime() !== 0) throw new Error("no date");
    ctx.fail("undo it");
  });
  const t = await testEngine({ workflows: [wf], store: "sqlite:" });
  open.push(t);
  t.crashAt("asked:D");
  await expect(t.run(wf)).rejects.toThrow("undo it");
  expect([...used].sort()).toEqual(["asked", "compensation", "item 1", "item 2", "step", "tx", "verify"]);
});

it("outside of runs nothing changes, and nothing stays when the last guard is taken off", () => {
  const before = [Date, setTimeout, setInterval, setImmediate, fetch, Math.random, performance.now, crypto.randomUUID];
  const one = guardMachine();
  const two = guardMachine();
  expect(Date).not.toBe(before[0]);
  expect([typeof Date.now(), typeof Date(), new Date() instanceof Date, new Date(5).getTime(), new Date().constructor === Date]).toEqual([
    "number",
    "string",
    true,
    5,
    true,
  ]);
  class Day extends Date {}
  expect(new Day() instanceof Day).toBe(true);
  expect([Math.random() < 1, typeof performance.now(), crypto.randomUUID().length, Date.UTC(2020, 0)]).toEqual([
    true,
    "number",
    36,
    1_577_836_800_000,
  ]);
  clearTimeout(setTimeout(() => {}, 1));
  one();
  one();
  expect(Date).not.toBe(before[0]);
  two();
  expect([Date, setTimeout, setInterval, setImmediate, fetch, Math.random, performance.now, crypto.randomUUID]).toEqual(before);
  expect(Object.hasOwn(performance, "now") || Object.hasOwn(crypto, "randomUUID")).toBe(false);
  expect(new Date().constructor).toBe(before[0]);
});
