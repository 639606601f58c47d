// Workflows that call, start and continue workflows: results, failures, conflicts, timeouts, handles. Guards that a child's
// fate is recorded like any other outcome (K9) and read back by a second owner. Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { defaultScope } from "../client/environment.ts";
import type { StepError } from "../errors/step-errors.ts";
import { anySchema, testClusters, payloadOf, storeKinds } from "../../test/support/test-cluster.ts";
import { runAndReplay } from "../../test/support/run-and-replay.ts";
import { workflow } from "./define.ts";
import { proves } from "../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("call runs another workflow to its end and gives back its result, or its failure", proves("K8"), async () => {
    const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) => {
      if (n < 0) ctx.fail("negative", { n });
      return ctx.step("double", () => n * 2);
    });
    const l = await fresh(kind);
    const { result, lines } = await runAndReplay(
      l,
      async (ctx) => [
        await ctx.call(child, 21, { id: "the-child" }),
        await ctx.call(child, -1).catch((e: StepError) => [e.category, e.message, e.step]),
      ],
      [child],
    );
    expect(result).toEqual([42, ["CHILD_FAILED", "negative", "child"]]);
    const row = await l.byWorkflowId("the-child");
    expect(row).toMatchObject({ status: "COMPLETED", parentStepId: "child" });
    expect(lines.filter((x) => x.startsWith("StepStarted child"))).toEqual(["StepStarted child", "StepStarted child~2"]);
  });

  it(
    "call and start of an id that has a run fail with CONFLICT, which is recorded; the run that is there stays as it is",
    proves("K9"),
    async () => {
      const child = workflow({ name: "child" }, async () => "first");
      const l = await fresh(kind);
      const { result } = await runAndReplay(
        l,
        async (ctx) => {
          const h = await ctx.start(child, undefined, { id: "taken" });
          const why = (e: StepError): string => `${e.category} ${(e.cause as { code?: string }).code}`;
          return [
            await h.result(),
            await ctx.call(child, undefined, { id: "taken" }).catch(why),
            await ctx.start(child, undefined, { id: "taken" }).then(() => "started", why),
          ];
        },
        [child],
      );
      expect(result).toEqual(["first", "CONFLICT PAWL4002", "CONFLICT PAWL4002"]);
      const all = await l.store.runs({ scope: defaultScope, workflowId: "taken", limit: 10 });
      expect(all.runs).toHaveLength(1);
    },
  );

  it("a child that continued as new hears its parent's signal, and its cancel, where it goes on", proves("I9"), async () => {
    const child = workflow({ name: "child", input: anySchema<number>(), signals: { go: anySchema<string>() } }, async (ctx, n) => {
      if (n < 2) ctx.continueAsNew(n + 1);
      return `${n} ${await ctx.receive("go")}`;
    });
    const l = await fresh(kind);
    const { result } = await runAndReplay(
      l,
      async (ctx) => {
        const h = await ctx.start(child, 0, { id: "line" });
        const gone = await ctx.start(child, 0, { id: "other line" });
        await ctx.sleep("while they continue", "10s");
        await h.signal("go", "on");
        await gone.cancel("enough");
        return h.result();
      },
      [child],
    );
    expect(result).toBe("2 on");
    expect(await l.byWorkflowId("other line")).toMatchObject({ status: "CANCELLED", generation: 3 });
  });

  it("call gives up after its timeout and cancels the called run", proves("K8"), async () => {
    const child = workflow({ name: "child" }, async (ctx) => {
      await ctx.sleep("long", "1h");
    });
    const l = await fresh(kind);
    const { result } = await runAndReplay(
      l,
      async (ctx) =>
        ctx.call(child, undefined, { id: "slow", timeout: "10s" }).then(
          () => "ended",
          (e: StepError) => e.category,
        ),
      [child],
    );
    expect(result).toBe("TIMEOUT");
    const row = await l.byWorkflowId("slow");
    expect(row.status).toBe("CANCELLED");
  });

  it("start goes on at once; its handle waits for the end as often as it is asked, signals and cancels", proves("K8"), async () => {
    const child = workflow({ name: "child", signals: { go: anySchema<string>() } }, async (ctx) => ctx.receive("go"));
    const l = await fresh(kind);
    const { result } = await runAndReplay(
      l,
      async (ctx) => {
        const a = await ctx.start(child, undefined, { id: "a" });
        const b = await ctx.start(child);
        await a.signal("go", "now");
        await b.cancel("enough");
        const [x, y] = await Promise.all([a.result(), a.result()]);
        return [a.workflowId, x, y, await a.result(), await b.result().catch((e: StepError) => [e.category, e.message])];
      },
      [child],
    );
    expect(result).toEqual(["a", "now", "now", "now", ["CANCELLED", "enough"]]);
    expect(await l.byWorkflowId("a")).toMatchObject({ status: "COMPLETED" });
  });

  it("what is asked of a run while it goes on as another reaches that one: a cancel, a pause, an update", proves("K18"), async () => {
    const l = await fresh(kind);
    let finish = (): void => {};
    const wf = workflow(
      {
        name: "wf",
        input: anySchema<number>(),
        updates: { who: { input: anySchema(), output: anySchema<number>() } },
        signals: { end: anySchema() },
      },
      async (ctx, n) => {
        ctx.onUpdate("who", () => n);
        if (n > 1) return void (await ctx.receive("end"));
        void ctx.step("slow", () => new Promise<void>((resolve) => (finish = resolve)));
        await ctx.step("quick", () => 1);
        return ctx.continueAsNew(n + 1); // "slow" is awaited first
      },
    );
    const { engine } = await l.engine([wf]);
    const continuing = async (id: string) => {
      const h = await engine.start(wf, 1, { id });
      await l.advanceUntilLine(h.runId, "StepCompleted quick");
      return h;
    };
    const asked = await continuing("asked");
    const answer = asked.update("who", null);
    await asked.pause("wait");
    await l.platform.settle();
    finish();
    await l.platform.advance(1_000);
    const next = (await engine.get(wf, "asked"))!;
    expect([next.runId === asked.runId, (await next.status()).status]).toEqual([false, "PAUSED"]);
    await next.resume();
    expect(await l.advanceUntil(answer)).toBe(2);
    await next.signal("end", null);
    await l.advanceUntil(asked.result());

    const unwanted = await continuing("unwanted");
    await unwanted.cancel("no more");
    await l.platform.settle();
    finish();
    await expect(l.advanceUntil(unwanted.result())).rejects.toMatchObject({
      code: "PAWL1014",
      message: expect.stringContaining("no more"),
    });
  });

  it("whoever attaches to a run goes on with all that it called, although the engine was told of none of it", proves("I12"), async () => {
    const l = await fresh(kind);
    const third = workflow({ name: "third" }, async (ctx) => {
      await ctx.sleep("nap", "10s");
      return "done";
    });
    const second = workflow({ name: "second", input: anySchema<number>() }, async (ctx, n) => {
      if (n < 2) ctx.continueAsNew(n + 1);
      return ctx.call(third);
    });
    const first = workflow({ name: "first", input: anySchema<boolean>() }, async (ctx, calls) =>
      calls ? ctx.call(second, 1) : (await ctx.start(second, 1)).result(),
    );
    const lines = [true, false];
    const a = await l.engine([first], { lease: "1s" });
    for (const calls of lines) await a.engine.start(first, calls, { id: `calls ${calls}` });
    await l.platform.advance(2_000);
    expect((await a.engine.list({ workflow: "third" })).runs).toHaveLength(2);
    a.kill();
    for (const calls of lines) {
      const b = await l.engine([first], { lease: "1s" });
      expect(await l.advanceUntil(b.engine.run(first, calls, { id: `calls ${calls}` }))).toBe("done");
      b.kill();
    }
  });

  it("a handle of a run that continued as new controls the run that goes on, and no other", proves("K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
      if (n < 3) ctx.continueAsNew(n + 1);
      await ctx.sleep("nap", "1h");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, 1, { id: "line" });
    const last = await l.advanceUntil(
      (async () => {
        for (;;) {
          const row = await l.byWorkflowId("line");
          if (row.generation === 3) return row.runId;
          await l.platform.advance(50);
        }
      })(),
    );
    await h.pause("wait");
    await l.advanceUntilLine(last, "RunPaused");
    await h.resume();
    await h.cancel("enough");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014", message: expect.stringContaining("enough") });
    const again = await engine.start(wf, 3, { id: "line", onConflict: "restart" });
    await expect(h.cancel("again")).rejects.toMatchObject({ code: "PAWL4003" });
    await again.terminate("over");
    await expect(l.advanceUntil(again.result())).rejects.toMatchObject({ code: "PAWL1014" });
  });

  it("continueAsNew ends the run and begins the next with what was not consumed, in one Commit", proves("K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", input: anySchema<number>(), signals: { s: anySchema<string>() } }, async (ctx, n) => {
      const got = await ctx.receive("s");
      if (got === "end") return n;
      return ctx.continueAsNew(n + 1);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, 1, { id: "line", tags: { a: "b" } });
    for (const s of ["x", "y", "end"]) await h.signal("s", s);
    expect(await l.advanceUntil(h.result())).toBe(3);
    const runs = await l.store.runs({ scope: defaultScope, workflowId: "line", limit: 10 });
    expect(runs.runs.map((r) => [r.generation, r.status, r.tags])).toEqual([3, 2, 1].map((g) => [g, "COMPLETED", { a: "b" }]));
    const first = await l.log(h.runId);
    expect(first.at(-1)).toMatchObject({ eventType: "RunCompleted" });
    expect(payloadOf(first.at(-1))).toMatchObject({ continuedAs: runs.runs[1]!.runId });
  });

  it(
    "a run that continues has children of its own; one that is retried or restarted goes on with those of its line",
    proves("K9", "K19"),
    async () => {
      const l = await fresh(kind);
      let broken = true;
      const child = workflow({ name: "child", input: anySchema<number>() }, async (ctx, n) =>
        ctx.step("work", () => {
          if (broken && n === 0) throw new Error("broken");
          return n;
        }),
      );
      const wf = workflow({ name: "wf", input: anySchema<number>() }, async (ctx, n) => {
        const got: number = await ctx.call(child, n);
        return n > 0 ? ctx.continueAsNew(n - 1) : `end ${got}`;
      });
      const { engine } = await l.engine([wf, child]);
      const h = await engine.start(wf, 2, { id: "line" });
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "broken" });
      broken = false;
      const last = (await engine.get(wf, "line"))!;
      expect(await l.advanceUntil((await last.retry()).result())).toBe("end 0");
      expect(await l.advanceUntil((await engine.start(wf, 1, { id: "line", onConflict: "restart" })).result())).toBe("end 0");
      const ids = (await engine.list({ workflow: "child" })).runs.map((r) => r.workflowId);
      expect(ids).toHaveLength(6);
      expect(new Set(ids).size).toBe(4); // the retried one's and the restarted one's are the failed one's
      expect(ids.at(-1)).toBe("line/child"); // of the first run, as it always was
    },
  );

  it("a child of a run with the longest of ids has an id that every store can hold", proves("K9"), async () => {
    const l = await fresh(kind);
    const child = workflow({ name: "child" }, async (ctx) => ctx.run.workflowId.length);
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.call(child));
    const { engine } = await l.engine([wf, child]);
    const id = "i".repeat(512);
    expect(await l.advanceUntil(engine.run(wf, undefined, { id }))).toBeLessThanOrEqual(512);
  });
});
