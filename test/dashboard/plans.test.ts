// Plans of tool calls in the dashboard, in a real browser: what the planner made, what a later plan replaces and why, what became of each call, and
// that the words of others stay text. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { plan, tool, toolbox, type Planner } from "../../src/agents.ts";
import { workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { axeFindings } from "./axe.ts";
import { hasBrowser, openWorld, type World } from "./world.ts";

const bad = `<img src=x onerror="window.hit=1"> \u202egnp.exe`;
const planner: Planner<{ goal: string }> = {
  name: `desk ${bad}`,
  version: "3",
  plan: ({ goal }) => [
    { tool: "look", input: { n: 1 }, label: `first, to ${goal} ${bad}` },
    { tool: "refund", input: { n: 75 }, label: "if somebody agrees" },
    { tool: "refund", input: { n: 99 } },
  ],
};
const input = z.object({ n: z.number() });
const look = tool({ name: "look", description: "Look", input }, (i) => i.n, { repeatable: true });
const refund = tool({ name: "refund", description: "Refund", input }, (i) => i.n, { once: true, approve: (i) => i.n === 75 });
const tools = [look, refund] as const;
const planned = workflow({ name: "planned" }, async (ctx) => {
  const first = await plan(ctx, "plan", planner, { goal: "look" }, { tools });
  const replaces = { plan: first, why: "the customer wrote again" };
  const second = await plan(ctx, "plan", planner, { goal: "refund" }, { tools, replaces });
  const box = toolbox(ctx, tools);
  for (const call of second.calls) await box.run(call);
  return second.planHash;
});
const none = workflow({ name: "none" }, async (ctx) => {
  await plan(ctx, "plan", { ...planner, plan: () => [] }, { goal: "x" }, { tools });
});

describe.skipIf(!hasBrowser)("plans in the dashboard", () => {
  let w: World;
  beforeAll(async () => {
    w = await openWorld({ seeded: false, workflows: { planned, none } as unknown as Record<string, AnyWorkflow> });
  });
  afterAll(() => w.close());

  it("who made it, its hashes, what it replaces, and each call with what became of it, while it goes on", async () => {
    const run = await w.app.start(planned, undefined, { id: "p" });
    const page = await w.open(`#/runs/${run.runId}`);
    const plans = page.getByRole("region", { name: "Plans of tool calls" });
    await plans.getByText("if somebody agrees").first().waitFor();
    await plans.getByText("open", { exact: true }).waitFor();
    const text = await plans.innerText();
    for (const shown of [
      "version 3",
      "the customer wrote again",
      `first, to refund <img src=x onerror="window.hit=1"> ⟨U+202E⟩gnp.exe`,
      "completed",
    ])
      expect(text).toContain(shown);
    // All three calls of the plan that was replaced, and the last one of the other.
    expect(text.match(/not sent/g)).toHaveLength(4);
    expect(await page.evaluate("[window.hit, document.querySelectorAll('#main img').length]")).toEqual([undefined, 0]);
    const [d] = await w.app.decisions();
    await w.app.resolve(d!.decisionId, { approve: true, by: "ann", reason: "fine" });
    const hash = await run.result();
    await expect.poll(async () => (await plans.innerText()).match(/not sent/g)?.length).toBe(3);
    expect(await plans.innerText()).toContain(hash.slice(0, 8));
    await plans.getByRole("link", { name: "completed" }).first().click();
    expect(page.url()).toContain("step=look");
    expect(await axeFindings(page)).toEqual([]);
    expect(w.problems).toEqual([]);
  });

  it("a planner that gave none", async () => {
    const run = await w.app.start(none, undefined, { id: "n" });
    await expect(run.result()).rejects.toThrow("no plan");
    const page = await w.open(`#/runs/${run.runId}`);
    await page.getByRole("region", { name: "Plan of tool calls" }).getByText("No plan: the planner gave no plan").waitFor();
    expect(w.problems).toEqual([]);
  });
});
