// Tasks with `confirm` under pawl/testing: a test engine that dies asks their verifiers as any engine does, what a mock returned is
// not looked for in the world, and a replay of a recorded run against new code asks nobody.
import { expect, it } from "vitest";
import { z } from "zod";
import { task, workflow, type Json } from "../../src/index.ts";
import { replay, testEngine } from "../../src/testing.ts";

it("a test engine that dies confirms what was recorded; mocks are not looked for, and replay asks nobody", async () => {
  const world = new Map<string, number>();
  let asked = 0;
  const put = task({ name: "put", input: z.string() }, (name) => (world.set(name, 1), 1), {
    confirm: {
      verifier: {
        name: "map",
        check: async (name, recorded) => {
          asked++;
          return world.get(name) === recorded ? { matches: true } : { matches: false, reason: "it is gone" };
        },
      },
    },
  });
  const wf = workflow({ name: "wf", signals: { go: z.any() } }, async (ctx) => {
    const n = await ctx.do(put, "a");
    return [n, await ctx.receive("go")] as Json;
  });
  const t = await testEngine({ workflows: [wf] });
  const run = async (): Promise<unknown> => {
    const h = await t.start(wf);
    await t.until(h, { waiting: "signal" });
    await t.crash();
    await h.signal("go", "on");
    return h.result().catch((e: unknown) => (e as { cause?: { code?: string } }).cause?.code);
  };
  try {
    expect(await run()).toEqual([1, "on"]);
    expect(asked).toBe(1);
    const h = await t.start(wf);
    await t.until(h, { waiting: "signal" });
    const history = [];
    for await (const e of h.events()) history.push(e);
    await replay(wf, history);
    expect(asked).toBe(1);
    await h.terminate("seen");
    t.mock(put, () => 7);
    world.clear();
    expect(await run()).toEqual([7, "on"]);
    expect(asked).toBe(1);
  } finally {
    await t.stop();
  }
});
