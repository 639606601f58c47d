// Runs workflow code once, lets its owner die just before the end, and lets a second owner replay it from the log: both
// must have seen the same. What a test of the authoring API is made of. For tests; nothing in the package imports it.
import { expect } from "vitest";
import { workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow, Ctx } from "../../src/workflow/types.ts";
import type { TestCluster } from "./test-cluster.ts";

export interface ReplayedRun<T> {
  readonly result: T;
  readonly lines: readonly string[];
  readonly runId: string;
}

export async function runAndReplay<T>(
  l: TestCluster,
  code: (ctx: Ctx<any, any, any>) => Promise<T>,
  also: readonly AnyWorkflow[] = [],
): Promise<ReplayedRun<T>> {
  const seen: unknown[] = [];
  const wf = workflow({ name: "twice" }, async (ctx) => {
    const value = await code(ctx as never);
    seen.push(value);
    await ctx.sleep("last", "5s");
    return value;
  });
  const a = await l.engine([wf, ...also], { lease: "1s" });
  const h = await a.engine.start(wf);
  await l.advanceUntilLine(h.runId, "StepStarted last");
  a.kill();
  const b = await l.engine([wf, ...also], { lease: "1s" });
  const end = await l.advanceUntil(b.client.waitForEnd(h.runId));
  expect(end.status).toBe("COMPLETED");
  expect(seen).toEqual([end.result, end.result]);
  b.kill();
  return { result: end.result as T, lines: await l.lines(h.runId), runId: h.runId };
}
