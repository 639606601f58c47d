// How a run ends, on every store: never in silence. A step that nobody awaits is named, a call after the end or inside a step is
// refused with its code, and whoever waits for a run that can no longer go on is told why.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import type { Ctx } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { deferred } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { posted } from "../support/posted.ts";

const codeOf = (p: Promise<unknown>): Promise<unknown> =>
  p.then(
    () => "settled",
    (e: { code: string }) => e.code,
  );
const bare = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;

describe.each(testStores)("ends on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const logged = (): { lines: string[]; log: (level: string, message: string) => void } => {
    const lines: string[] = [];
    return { lines, log: (level, message) => void lines.push(`${level}: ${message}`) };
  };

  it(
    "a step that nobody awaits is named by the run's last event, its end and the log; what had not begun never does",
    proves("K19"),
    async () => {
      const sent: string[] = [];
      const running = deferred();
      const wf = workflow({ name: "hasty" }, async (ctx) => {
        void ctx.step("late", (s) => {
          sent.push("late");
          running.open();
          return new Promise((_, no) => s.signal.addEventListener("abort", () => no(new Error("stopped"))));
        });
        await ctx.step("first", () => running.promise.then(() => 1));
        void ctx.step("mail", () => sent.push("mail"));
        void ctx.sleep("nap", "1h"); // a wait that nobody needs does nothing outside: it is not named
        return "done";
      });
      const { lines, log } = logged();
      const { engine, client } = await b.engine({ workflows: [wf], log });
      const h = await engine.start(wf, undefined, { id: "w" });
      expect(await h.result()).toBe("done");
      expect(sent).toEqual(["late"]);
      const end = (await client.events("w")).at(-1)!;
      expect(end).toMatchObject({ eventType: "RunCompleted", payload: { result: "done", abandoned: ["late", "mail"] } });
      expect((await client.waitForEnd("w")).abandoned).toEqual(["late", "mail"]);
      expect(lines.filter((x) => x.startsWith("warn") && x.includes("late, mail") && x.includes("PAWL1031"))).toHaveLength(1);
      expect((await h.steps()).map((s) => [s.stepId, s.status])).toEqual([
        ["late", "FAILED"],
        ["first", "SUCCESS"],
        ["mail", "FAILED"],
        ["nap", "FAILED"],
      ]);
    },
  );

  it("a run that leaves nothing behind says nothing of it; one that fails is stopped in the middle of things", proves("K19"), async () => {
    const whole = workflow({ name: "whole" }, (ctx) => Promise.all([ctx.step("a", () => 1), ctx.step("b", () => 2)]));
    const fails = workflow({ name: "fails" }, async (ctx) => {
      void ctx.step("a", () => 1);
      throw new Error("no");
    });
    const { lines, log } = logged();
    const { engine, client } = await b.engine({ workflows: [whole, fails], log });
    expect(await engine.run(whole, undefined, { id: "w" })).toEqual([1, 2]);
    expect(await codeOf(engine.run(fails, undefined, { id: "f" }))).toBe("PAWL1013");
    for (const id of ["w", "f"]) expect((await client.waitForEnd(id)).abandoned).toBeUndefined();
    expect(lines.filter((x) => x.includes("PAWL1031"))).toEqual([]);
  });

  it("after the end every call of ctx is refused with PAWL1015, and none hangs", proves("K15", "I8"), async () => {
    let ctx!: Ctx<any, any, any>;
    const child = workflow({ name: "child" }, async () => 1);
    const wf = workflow({ name: "wf", signals: { go: bare }, updates: { u: { input: bare } }, views: { v: bare } }, async (c) => {
      ctx = c as never;
      return ctx.step("a", () => 1);
    });
    const { engine, client } = await b.engine({ workflows: [wf, child] });
    expect(await engine.run(wf, undefined, { id: "w" })).toBe(1);
    const head = (await client.get("w"))!.headSeq;
    const calls: Record<string, () => unknown> = {
      step: () => ctx.step("b", () => 2),
      tx: () => ctx.tx("t", () => 1),
      sleep: () => ctx.sleep("s", 1),
      sleepUntil: () => ctx.sleepUntil("s", new Date()),
      receive: () => ctx.receive("go"),
      call: () => ctx.call(child),
      start: () => ctx.start(child),
      map: () => ctx.map("m", [1], { key: String }, (_, c) => c.step("x", () => 1)),
      publish: () => ctx.publish("v", 1),
      onUpdate: () => ctx.onUpdate("u", () => {}),
      patched: () => ctx.patched("p"),
      uuid: () => ctx.uuid(),
      random: () => ctx.random(),
    };
    const codes = await Promise.all(Object.entries(calls).map(async ([name, call]) => [name, await codeOf(Promise.resolve().then(call))]));
    expect(codes).toEqual(Object.keys(calls).map((name) => [name, "PAWL1015"]));
    expect((await client.get("w"))!.headSeq).toBe(head);
  });

  it("a call of ctx inside a step is named as that: the step fails at once, nothing of the call is recorded", proves("K15"), async () => {
    let tries = 0;
    const inside = workflow({ name: "inside" }, (ctx) =>
      ctx.step(
        "outer",
        async () => {
          tries++;
          await Promise.resolve();
          return ctx.step("inner", () => 1);
        },
        { retry: { attempts: 5 } },
      ),
    );
    const id = workflow({ name: "id" }, (ctx) => ctx.step("outer", () => ctx.uuid()));
    const { engine, client } = await b.engine({ workflows: [inside, id] });
    const failed = await engine.run(inside, undefined, { id: "w" }).catch((e: { message: string; cause: { code: string } }) => e);
    expect(failed).toMatchObject({ message: "step inner was called inside step outer" });
    expect(tries).toBe(1);
    expect((await client.steps("w")).map((s) => s.stepId)).toEqual(["outer"]);
    const drawn = await engine.run(id, undefined, { id: "u" }).catch((e: { message: string }) => e);
    expect(drawn).toMatchObject({ message: "uuid was called inside step outer" });
  });

  it(
    "whoever waits for a run that pauses as diverged is told the reason, in every process; or waits on, if asked to",
    proves("K20"),
    async () => {
      let fixed = false;
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("before", () => 1);
        if (!fixed) await new Promise((r) => setTimeout(r, 1));
        return ctx.step("after", () => 2);
      });
      const { engine, client } = await b.engine({ workflows: [wf], idle: "1h" });
      const apart = b.client(await b.reopen());
      expect(await codeOf(engine.run(wf))).toBe("PAWL1007");
      const h = await engine.start(wf, undefined, { id: "w" });
      const waits = h.result({ whenDiverged: "wait" });
      await expect(h.result()).rejects.toMatchObject({
        code: "PAWL1007",
        data: { runId: h.runId, status: "PAUSED", category: "DIVERGED" },
      });
      await expect(apart.waitForEnd("w", { whenDiverged: "reject" })).rejects.toMatchObject({ code: "PAWL1007" });
      await expect(h.result()).rejects.toThrow(
        /^run \S+ is paused: the code waits, after step before \(\S*ends\.test\.ts:\d+:\d+\), for something that is not recorded: usually an await/,
      );
      fixed = true;
      await client.control("w", "resume", posted);
      expect(await waits).toBe(2);
      expect(await h.result()).toBe(2);
    },
  );

  it("they are told while another step of that run is still at work", proves("K20"), async () => {
    const work = deferred();
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const busy = ctx.step("busy", () => work.promise);
      await new Promise((r) => setTimeout(r, 1));
      await ctx.step("after", () => 2);
      return busy;
    });
    const { engine } = await b.engine({ workflows: [wf] });
    expect(await codeOf(engine.run(wf, undefined, { id: "w" }))).toBe("PAWL1007");
    work.open();
  });
});
