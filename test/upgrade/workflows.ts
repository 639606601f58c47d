// The workflows whose runs the kept databases hold, one for each state that a run can be left in. The databases name their
// steps and versions, so nothing here may change: a new need is a new workflow. For tests; nothing in the package imports it.
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";

/** Ends at once, with a view. */
const settled = workflow({ name: "settled", input: z.number(), views: { seen: z.number() } }, async (ctx, n) => {
  ctx.publish("seen", n);
  return ctx.step("double", () => n * 2);
});

/** Sleeps, then goes on. */
const sleeping = workflow({ name: "sleeping" }, async (ctx) => {
  const before = await ctx.step("before", () => "slept");
  await ctx.sleep("nap", "5s");
  return ctx.step("after", () => `${before} well`);
});

/** Waits for `go`; what came for `later` meanwhile is kept for it. */
const listening = workflow(
  {
    name: "listening",
    signals: { go: z.string(), later: z.string() },
    updates: { rename: { input: z.string(), output: z.string() } },
    views: { name: z.string() },
  },
  async (ctx) => {
    ctx.onUpdate("rename", (to) => {
      ctx.publish("name", to);
      return `renamed ${to}`;
    });
    const go = await ctx.receive("go");
    return [go, await ctx.receive("later"), await ctx.receive("later")];
  },
);

/** Sends something that may not be sent twice. */
const doubtful = workflow({ name: "doubtful" }, async (ctx) => {
  const order = await ctx.step("order", () => 7);
  return ctx.step("charge", () => `charged ${order}`, { once: true });
});

/** Is cut short in its second step, which may run again. */
const halfway = workflow({ name: "halfway" }, async (ctx) => {
  const one = await ctx.step("one", () => 1);
  const two = await ctx.step("two", () => 2, { repeatable: true });
  return one + two + (await ctx.step("three", () => 3));
});

/** Waits for a child that waits for a signal. */
const child = workflow({ name: "child", signals: { answer: z.number() } }, async (ctx) => ctx.receive("answer"));
const parent = workflow({ name: "parent" }, async (ctx) => `the child said ${await ctx.call(child, undefined, { id: "the-child" })}`);

export const kept = { settled, sleeping, listening, doubtful, halfway, child, parent };
export const all: readonly AnyWorkflow[] = Object.values(kept);
