// Workflows that a run can be caught in, for tests that move them: asleep, waiting for a signal while another is kept, in the
// middle of a step, with a child, before a person, in the middle of an update. What they do outside is counted in `world`.
import { task, workflow } from "../../src/workflow/define.ts";
import { anySchema } from "../support/test-cluster.ts";

/** What was done outside, in order; and what a slow step waits for. */
export const world: { done: string[]; gate: Promise<void> } = { done: [], gate: Promise.resolve() };

const pay = task(
  { name: "pay", input: anySchema<{ id: string }>() },
  async ({ id }) => {
    world.done.push(`pay ${id}`);
    return "paid";
  },
  { key: ({ id }) => id, dedup: "1d" },
);

const below = workflow({ name: "below", signals: { end: anySchema<string>() } }, async (ctx) => {
  await ctx.step("first", () => void world.done.push("below first"));
  return `below ${await ctx.receive("end")}`;
});

export const above = workflow({ name: "above", signals: { go: anySchema<string>(), kept: anySchema<string>() } }, async (ctx) => {
  await ctx.do(pay, { id: ctx.run.workflowId });
  const child = await ctx.start(below, undefined, { id: `${ctx.run.workflowId}/below` });
  const go = await ctx.receive("go");
  const kept = await ctx.receive("kept");
  return `${go} ${kept} ${await child.result()}`;
});

export const asleep = workflow({ name: "asleep" }, async (ctx) => {
  await ctx.step("before", () => void world.done.push("before"));
  await ctx.sleep("rest", "1500ms");
  await ctx.step("after", () => void world.done.push("after"));
  return "woke";
});

export const quick = workflow({ name: "quick" }, async (ctx) => ctx.step("done", () => "done"));

export const busy = workflow({ name: "busy" }, async (ctx) => {
  const slow = await ctx.step(
    "slow",
    async () => {
      world.done.push("slow");
      await world.gate;
      return "slow";
    },
    { repeatable: true },
  );
  return `${slow} done`;
});

export const doubtful = workflow({ name: "doubtful" }, async (ctx) => {
  await ctx.step(
    "once",
    async () => {
      world.done.push("once");
      await new Promise(() => {}); // no answer comes
    },
    { once: true, timeout: "50ms" },
  );
  return "went on";
});

export const asked = workflow(
  {
    name: "asked",
    signals: { word: anySchema<string>(), end: anySchema<string>() },
    updates: { question: { input: anySchema<string>(), output: anySchema<string>() } },
    views: { n: anySchema<number>() },
  },
  async (ctx) => {
    let answered = false;
    ctx.publish("n", 1);
    ctx.onUpdate("question", async (q) => {
      const word = await ctx.receive("word");
      answered = true;
      return `${q}: ${word}`;
    });
    await ctx.receive("end");
    return answered ? "answered" : "not answered";
  },
);

export const movableWorkflows = [above, below, asleep, quick, busy, doubtful, asked];
