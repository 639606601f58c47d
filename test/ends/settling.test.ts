// Settling from beginning to end, on every store: a paused run is cancelled with steps done, one in flight and waits open; another is
// terminated. Guards the order of K19 in one log, and that nothing follows its last event, whoever asks.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { posted } from "../support/posted.ts";

describe.each(testStores)("settling on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "resumed, waits closed, the effect in flight awaited, all undone from the last to the first, the end; then nothing more",
    proves("K19", "I8"),
    async () => {
      const undone: string[] = [];
      let inFlight = false;
      const undo = (name: string): { once: true; compensate: () => void } => ({ once: true, compensate: () => void undone.push(name) });
      const wf = workflow({ name: "wf", signals: { never: z.any() } }, async (ctx) => {
        await ctx.step("a", () => "a", undo("a"));
        await ctx.step("b", () => "b", undo("b"));
        void ctx.receive("never").catch(() => {});
        void ctx.sleep("nap", "1h").catch(() => {});
        // Asked to stop, it ends well: late, and to be undone like the others.
        const ended = (stop: AbortSignal): Promise<string> => new Promise((yes) => stop.addEventListener("abort", () => yes("late")));
        const late = ctx.step("late", (s) => ((inFlight = true), ended(s.signal)), undo("late"));
        await late.catch(() => {});
        await ctx.step("more", () => undone.push("never done")).catch(() => {});
      });
      const { engine, client } = await b.engine({ workflows: [wf] });
      const h = await engine.start(wf, undefined, { id: "w" });
      while (!inFlight) await client.waitForChange(h.runId, { timeoutMs: 20 });
      await client.control("w", "pause", posted);
      while ((await client.get("w"))?.status !== "PAUSED") await client.waitForChange(h.runId, { timeoutMs: 20 });
      const paused = (await client.events("w")).length;
      await h.cancel("enough");
      expect(await client.waitForEnd("w")).toMatchObject({ status: "CANCELLED" });
      const log = await client.events("w");
      const lines = log
        .slice(paused)
        .map((e) => [e.eventType, e.stepId, (e.payload?.["category"] as string | undefined) ?? ""].join(" ").trim());
      expect(lines[0]).toBe("RunResumed");
      const at = (line: string): number => lines.findIndex((l) => l.startsWith(line));
      const closed = lines.filter((l) => l.endsWith("ABANDONED"));
      expect(closed.map((l) => l.split(" ").slice(0, 2).join(" ")).toSorted()).toEqual(["StepFailed nap", "StepFailed never"]);
      const order = [
        at("StepFailed never"),
        at("StepCompleted late"),
        lines.findIndex((l) => l.startsWith("StepStarted")),
        lines.length - 1,
      ];
      expect(order, lines.join("\n")).toEqual(order.toSorted((x, y) => x - y));
      expect(order.every((x) => x >= 0)).toBe(true);
      const begun = lines.filter((l) => l.startsWith("StepStarted"));
      expect(begun, "no new steps but compensations").toEqual(["late", "b", "a"].map((x) => `StepStarted ${x}/~compensate`));
      expect(lines.at(-1)).toBe("RunCancelled");
      expect(undone).toEqual(["late", "b", "a"]);

      // Nothing follows it, whoever asks for what.
      const refused = { code: "PAWL4003" };
      await expect(client.signal("w", "never", 1)).rejects.toMatchObject(refused);
      for (const what of ["pause", "resume", "cancel", "terminate"] as const)
        await expect(client.control("w", what, posted), what).rejects.toMatchObject(refused);
      expect(await client.events("w")).toEqual(log);
    },
  );

  it("terminate waits for nothing: what is in flight is closed as indeterminate, and nothing is undone", proves("K19", "I8"), async () => {
    const undone: string[] = [];
    let inFlight = false;
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("done", () => 1, { once: true, compensate: () => void undone.push("done") });
      await ctx.step("sent", () => ((inFlight = true), new Promise(() => {})), { once: true });
    });
    const { engine, client } = await b.engine({ workflows: [wf] });
    const h = await engine.start(wf, undefined, { id: "w" });
    while (!inFlight) await client.waitForChange(h.runId, { timeoutMs: 20 });
    await client.control("w", "terminate", posted);
    await client.waitForEnd("w");
    const { effects } = await client.effects({ runId: h.runId });
    expect(effects.map((e) => [e.stepId, e.status, e.phase])).toEqual([
      ["done", "completed", "settled"],
      ["sent", "indeterminate", "settled"],
    ]);
    expect((await client.steps("w")).map((s) => s.status)).toEqual(["SUCCESS", "FAILED"]);
    expect(undone).toEqual([]);
  });
});
