// engine.run without an id: a run that is new, and awaited where it is started. Guards that whoever awaits it hears the same as
// with an id: the result, the recorded failure, the end of a run that left memory or went on as another, and every refusal as a
// rejection, never as a throw.
import { describe, expect, it } from "vitest";
import { PawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import { workflow } from "../workflow/define.ts";
import { anySchema, testClusters, storeKinds } from "../../test/support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("gives the result, or throws the recorded failure", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      if (n < 0) ctx.fail("negative", { n });
      return { twice: await ctx.step("s", () => n * 2), at: new Date(n) };
    });
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(engine.run(wf, 4))).toEqual({ twice: 8, at: new Date(4) });
    await expect(l.advanceUntil(engine.run(wf, -1))).rejects.toMatchObject({ code: "PAWL1013", message: "negative" });
    expect((await engine.list()).runs.map((r) => r.status).sort()).toEqual(["COMPLETED", "FAILED"]);
  });

  it("a run that leaves memory is awaited in the store", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.sleep("long", "1m");
      return "rested";
    });
    const { engine, core } = await l.engine([wf]);
    const result = engine.run(wf);
    await l.platform.advance(10_000);
    expect(core.liveRuns).toBe(0);
    expect(await l.advanceUntil(result)).toBe("rested");
  });

  it("a run that goes on as another is followed to its end", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      if (n > 0) return ctx.continueAsNew(n - 1);
      return "the last";
    });
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(engine.run(wf, 3))).toBe("the last");
    expect((await engine.list()).runs).toHaveLength(4);
  });

  it("a workflow that names its runs after their input attaches", async () => {
    const l = await fresh(kind);
    let began = 0;
    const wf = workflow({ name: "wf", input: anySchema<string>(), id: (s: string) => `order-${s}` }, async (ctx) =>
      ctx.step("s", () => ++began),
    );
    const { engine } = await l.engine([wf]);
    expect(await l.advanceUntil(Promise.all([engine.run(wf, "7"), engine.run(wf, "7")]))).toEqual([1, 1]);
  });

  it("a schema that takes its time is awaited, and what it refuses begins no run", async () => {
    const l = await fresh(kind);
    const slow = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: async (value: unknown) => (typeof value === "number" ? { value: value + 1 } : { issues: [{ message: "no number" }] }),
      },
    } as const;
    const wf = workflow({ name: "wf", input: slow }, async (_, n) => n);
    const { engine } = await l.engine([wf]);
    const run = (input: unknown): Promise<unknown> => l.advanceUntil(engine.run(wf, input as never));
    expect(await run(1)).toBe(2);
    await expect(run("x")).rejects.toMatchObject({ code: "PAWL1008" });
    expect((await engine.list()).runs).toHaveLength(1);
  });

  it("whatever keeps a run from beginning is a rejection", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<unknown>() }, async () => 0);
    const twin = workflow({ name: "wf", input: anySchema<unknown>() }, async () => 1);
    const { engine } = await l.engine([wf]);
    await expect(engine.run(wf, () => 0)).rejects.toMatchObject({ code: "PAWL1003" });
    await expect(engine.run(twin, 1)).rejects.toMatchObject({ code: "PAWL5004" });
    await expect(engine.run({ name: "wf" } as never, 1 as never)).rejects.toBeInstanceOf(PawlError);
    await l.advanceUntil(engine.stop());
    await expect(engine.run(wf, 1)).rejects.toMatchObject({ code: "PAWL5003" });
  });

  it("a store that refuses the run's first Commit is told of, and the caller is not left waiting", async () => {
    const l = await fresh(kind);
    const refusing = (s: FullStore): FullStore => ({
      ...s,
      commit: async (batch, renewal) =>
        batch.some((c) => "create" in c.expect)
          ? { answers: batch.map(() => ({ kind: "refused" as const, reason: "PAWL3007: not this one" })), renewal: null }
          : s.commit(batch, renewal),
    });
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => 1));
    const { engine } = await l.engine([wf], { wrap: refusing });
    await expect(l.advanceUntil(engine.run(wf))).rejects.toMatchObject({ code: "PAWL3002" });
  });
});
