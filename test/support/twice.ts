// Runs workflow code once, lets its owner die just before the end, and lets a second owner replay it from the log: both
// must have seen the same. What a test of the authoring API is made of. For tests; nothing in the package imports it.
import { expect } from "vitest";
import { workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow, Ctx } from "../../src/workflow/types.ts";
import type { Lab } from "./lab.ts";

export interface Twice<T> {
  readonly result: T;
  readonly lines: readonly string[];
  readonly runId: string;
}

export async function twice<T>(
  l: Lab,
  code: (ctx: Ctx<any, any, any>) => Promise<T>,
  also: readonly AnyWorkflow[] = [],
): Promise<Twice<T>> {
  const seen: unknown[] = [];
  const wf = workflow({ name: "twice" }, async (ctx) => {
    const value = await code(ctx as never);
    seen.push(value);
    await ctx.sleep("last", "5s");
    return value;
  });
  const a = await l.engine([wf, ...also], { lease: "1s" });
  const h = await a.engine.start(wf);
  await l.reached(h.runId, "StepStarted last");
  a.die();
  const b = await l.engine([wf, ...also], { lease: "1s" });
  const end = await l.until(b.client.end(h.runId));
  expect(end.status).toBe("COMPLETED");
  expect(seen).toEqual([end.result, end.result]);
  b.die();
  return { result: end.result as T, lines: await l.lines(h.runId), runId: h.runId };
}
