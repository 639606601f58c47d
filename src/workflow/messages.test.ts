// What reaches a run from outside while it lives: signals, updates; and what it shows: views. Guards that none is lost,
// none is delivered twice, and that a second owner sees the same. Virtual clock; no sleeps.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../client/environment.ts";
import { anySchema, deferred, testClusters, payloadOf, storeKinds } from "../../test/support/test-cluster.ts";
import { wrapCommit } from "../../test/support/wrap-commit.ts";
import { workflow } from "./define.ts";
import { proves } from "../../test/support/proves.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it(
    "receive gives signals in the order of acceptance, one each; with a timeout it gives undefined when none came",
    proves("I9"),
    async () => {
      const l = await fresh(kind);
      const wf = workflow({ name: "wf", signals: { s: z.object({ n: z.number() }).transform((x) => x.n) } }, async (ctx) => {
        const first = await ctx.receive("s");
        const second = await ctx.receive("s", { timeout: "1m" });
        const third = await ctx.receive("s", { timeout: "5s" });
        return { first, second, third, late: third === undefined };
      });
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf);
      await h.signal("s", { n: 1 });
      await h.signal("s", { n: 2 });
      expect(await l.advanceUntil(h.result())).toEqual({ first: 1, second: 2, third: undefined, late: true });
      const third = (await l.log(h.runId)).find((e) => e.stepId === "s~3" && e.eventType === "StepCompleted");
      expect(payloadOf(third)).toMatchObject({ timedOut: true });
    },
  );

  it("receiveAll gives every signal once, in order, across a change of owner", proves("I9"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", signals: { item: anySchema<number>() } }, async (ctx) => {
      const got: number[] = [];
      for await (const n of ctx.receiveAll("item")) {
        if (n < 0) break;
        got.push(n);
      }
      return got;
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    for (const n of [1, 2, 3]) await h.signal("item", n);
    await l.platform.settle();
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    for (const n of [4, 5, -1]) await b.client.signal(h.workflowId, "item", n);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toEqual([1, 2, 3, 4, 5]);
  });

  it("a signal that comes as its receiver gives up is for the next one", proves("I9", "K18"), async () => {
    const l = await fresh(kind);
    const held = deferred();
    let hold = false;
    const wrap = wrapCommit(async (real, batch, renew) => {
      if (hold) await held.promise;
      return real(batch, renew);
    });
    const busy = deferred();
    const wf = workflow({ name: "wf", signals: { s: anySchema<string>() } }, async (ctx) => {
      void ctx.step("keeps a Commit in flight", () => busy.promise);
      return [await ctx.receive("s", { timeout: "1s" }), await ctx.receive("s")];
    });
    const { engine } = await l.engine([wf], { wrap });
    const h = await engine.start(wf);
    await l.platform.advance(900);
    hold = true;
    busy.open();
    await l.platform.advance(200); // the limit passes while the Commit hangs
    await l.store.post({
      scope: defaultScope,
      target: { runId: h.runId },
      kind: "signal",
      name: "s",
      id: "x",
      payload: '"kept"',
      retainMs: null,
    });
    await l.platform.advance(300);
    hold = false;
    held.open();
    expect(await l.advanceUntil(h.result(), 30_000)).toEqual([undefined, "kept"]);
  });

  it("a signal that its schema refuses is set aside once, whoever owns the run next", proves("I9", "K18"), async () => {
    const l = await fresh(kind);
    const number = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (v: unknown) => (typeof v === "number" ? { value: v } : { issues: [{ message: "no number" }] }),
      },
    } as const;
    const wf = workflow({ name: "wf", signals: { s: number } }, async (ctx) => ctx.receive("s"));
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    // Past the check of every sender: from a version of Pawl that had none, or with a schema that was wider then.
    const past = { scope: defaultScope, target: { runId: h.runId }, kind: "signal", name: "s", id: "old", retainMs: null } as const;
    await l.store.post({ ...past, payload: '"seven"' });
    await l.advanceUntilLine(h.runId, "pawl.SignalRejected");
    expect(await l.store.inbox({ runId: h.runId })).toEqual([]);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await b.client.signal(h.runId, "s", 7);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(7);
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.SignalRejected")).toHaveLength(1);
  });

  it("onUpdate answers after its handler, which may take steps; validate refuses before anything is recorded", proves("K14"), async () => {
    const l = await fresh(kind);
    const wf = workflow(
      { name: "wf", updates: { add: { input: anySchema<number>(), output: anySchema<number>() } }, signals: { end: anySchema() } },
      async (ctx) => {
        let sum = 0;
        ctx.onUpdate(
          "add",
          async (n) => {
            sum += await ctx.step("look", () => n);
            if (n === 13) throw new Error("unlucky");
            return sum;
          },
          {
            validate: (n) => {
              if (n < 0) throw new Error("negative");
            },
          },
        );
        await ctx.receive("end");
        return sum;
      },
    );
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    expect(await l.advanceUntil(h.update("add", 2))).toBe(2);
    expect(await l.advanceUntil(h.update("add", 3, { updateId: "u" }))).toBe(5);
    expect(await l.advanceUntil(h.update("add", 3, { updateId: "u" }))).toBe(5);
    await expect(l.advanceUntil(h.update("add", -1))).rejects.toMatchObject({ code: "PAWL4007", data: { refused: true } });
    await expect(l.advanceUntil(h.update("add", 13))).rejects.toMatchObject({
      code: "PAWL4007",
      message: "update add: unlucky",
      data: { refused: false },
    });
    const accepted = (await l.lines(h.runId)).filter((x) => x === "pawl.UpdateAccepted");
    expect(accepted).toHaveLength(3); // 2, 3 and 13; never -1, never "u" twice
    await h.signal("end", null);
    expect(await l.advanceUntil(h.result())).toBe(18);
  });

  it("a validate that answers with a promise permits nothing, and what becomes of the promise ends no process", proves("K16"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", updates: { set: { input: anySchema() } }, signals: { end: anySchema() } }, async (ctx) => {
      ctx.onUpdate("set", () => {}, { validate: (() => Promise.reject(new Error("too late"))) as () => void });
      await ctx.receive("end");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.update("set", 1))).rejects.toMatchObject({
      code: "PAWL4007",
      data: { refused: true },
      cause: { code: "PAWL4011" },
    });
    await h.signal("end", null);
    await l.advanceUntil(h.result());
  });

  it("an update that was answered is handled from the log by the next owner, and not answered again", proves("K13"), async () => {
    const l = await fresh(kind);
    const wf = workflow(
      { name: "wf", signals: { end: anySchema() }, updates: { add: { input: anySchema<number>(), output: anySchema<number>() } } },
      async (ctx) => {
        let sum = 0;
        ctx.onUpdate("add", (n) => (sum += n));
        await ctx.receive("end");
        return sum;
      },
    );
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    expect(await l.advanceUntil(h.update("add", 5))).toBe(5);
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await b.client.signal(h.runId, "end", 0);
    expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).result).toBe(5);
    expect((await l.lines(h.runId)).filter((x) => x.startsWith("pawl.Update"))).toEqual(["pawl.UpdateAccepted", "pawl.UpdateCompleted"]);
  });

  it("an update to a run whose code has ended, and which waits for an effect, is refused at once", proves("K18"), async () => {
    const l = await fresh(kind);
    let finish: (value: string) => void = () => {};
    const wf = workflow({ name: "wf", updates: { u: { input: anySchema(), output: anySchema() } } }, async (ctx) => {
      ctx.onUpdate("u", () => "answered");
      void ctx.step("slow", () => new Promise<string>((resolve) => (finish = resolve)));
      await ctx.sleep("nap", "1s");
      return "ended";
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await l.platform.advance(2_000);
    await expect(l.advanceUntil(h.update("u", 1))).rejects.toMatchObject({ code: "PAWL4007", data: { refused: true } });
    expect(await l.lines(h.runId)).not.toContain("pawl.UpdateAccepted");
    finish("late");
    expect(await l.advanceUntil(h.result())).toBe("ended");
  });

  it("an update that a settled run never answered is refused; one to a settled run too", proves("K18"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", updates: { never: { input: anySchema() } }, signals: { end: anySchema() } }, async (ctx) => {
      ctx.onUpdate("never", async () => {
        await ctx.sleep("long", "1h");
      });
      await ctx.receive("end");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    const asked = h.update("never", 1);
    asked.catch(() => {});
    await l.platform.settle();
    await h.signal("end", null);
    await expect(l.advanceUntil(asked)).rejects.toMatchObject({ code: "PAWL4007", data: { refused: true } });
    await l.advanceUntil(h.result());
    await expect(l.advanceUntil(h.update("never", 2))).rejects.toMatchObject({ code: "PAWL4003" });
  });

  it("publish gives the view what its schema makes of the value, and refuses what it refuses", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", views: { state: z.object({ at: z.string().trim(), n: z.number().default(7) }) } }, async (ctx) => {
      ctx.publish("state", { at: " here " });
      try {
        ctx.publish("state", { at: 5 } as never);
      } catch (e) {
        return (e as { code?: string }).code;
      }
      return "taken";
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    expect(await l.advanceUntil(h.result())).toBe("PAWL1008");
    expect(await h.view("state")).toEqual({ at: "here", n: 7 });
  });

  it("publish shows the latest value, once per publication, also after a change of owner", proves("K13"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf", views: { state: anySchema<string>() }, signals: { go: anySchema() } }, async (ctx) => {
      ctx.publish("state", "one");
      ctx.publish("state", "two");
      await ctx.receive("go");
      ctx.publish("state", "three");
      await ctx.receive("go");
    });
    const a = await l.engine([wf], { lease: "1s" });
    const h = await a.engine.start(wf);
    await l.platform.settle();
    expect(await h.view("state")).toBe("two");
    a.kill();
    const b = await l.engine([wf], { lease: "1s" });
    await b.client.signal(h.workflowId, "go", 1);
    await l.platform.advance(5_000);
    expect(await b.client.view(h.runId, "state")).toBe("three");
    expect((await l.lines(h.runId)).filter((x) => x === "pawl.ViewPublished")).toHaveLength(3);
  });
});
