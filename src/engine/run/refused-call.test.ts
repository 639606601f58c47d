// A call that comes while the run is ending is refused and seen: an event, a line in the log, a code. Guards that the event changes
// no state and is recorded once however often the log is read back, and that a run records few of them.
import { describe, expect, it } from "vitest";
import { proves } from "../../../test/support/proves.ts";
import { testClusters, payloadOf, storeKinds } from "../../../test/support/test-cluster.ts";
import { workflow } from "../../workflow/define.ts";
import { recordedRefusalsMax } from "./refused-call.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it.each(["cancel", "deadline"] as const)(
    "what a catch would undo on %s is refused, recorded once across a change of owner, and changes nothing",
    proves("K19", "K21"),
    async (how) => {
      const l = await fresh(kind);
      const told: unknown[] = [];
      const wf = workflow({ name: "wf", timeout: "20s" }, async (ctx) => {
        await ctx.step("reserve", () => 1, { compensate: () => undefined });
        try {
          await ctx.sleep("nap", "1h");
        } catch {
          await ctx
            .step("release", () => told.push("ran"))
            .catch((e: { category: string; cause: { code: string } }) => {
              told.push(`${e.category} ${e.cause.code}`);
            });
        }
      });
      // The first owner dies with the refusal recorded, the second reads it back.
      const a = await l.engine([wf], { lease: "1s", onHit: (p) => p === "reserve/~compensate:B" });
      const h = await a.engine.start(wf);
      await l.advanceUntilLine(h.runId, "StepStarted nap");
      if (how === "cancel") await h.cancel("enough");
      await l.advanceUntilLine(h.runId, "pawl.CallRefused");
      await l.platform.advance(1_000);
      expect(a.alive).toBe(false);
      expect(a.logs.filter((x) => x.level === "warn" && x.message.includes("step release was refused"))).toHaveLength(1);
      const b = await l.engine([wf], { lease: "1s" });
      expect((await l.advanceUntil(b.client.waitForEnd(h.runId))).status).toBe(how === "cancel" ? "CANCELLED" : "FAILED");
      const refused = (await l.log(h.runId)).filter((e) => e.eventType === "pawl.CallRefused");
      expect(refused.map(payloadOf)).toEqual([{ kind: "step", name: "release", why: how }]);
      expect(new Set(told)).toEqual(new Set(["CANCELLED PAWL1020"]));
      expect(b.logs.filter((x) => x.message.includes("was refused"))).toEqual([]);
      expect((await b.client.steps(h.runId)).map((s) => s.stepId)).toEqual(["reserve", "nap", "reserve/~compensate"]);
    },
  );

  it("a run records few of them, however often its code asks", proves("K19"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.sleep("nap", "1h").catch(() => {});
      for (let i = 0; i < recordedRefusalsMax + 10; i++) await ctx.step(`late ${i}`, () => 1).catch(() => {});
    });
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await l.advanceUntilLine(h.runId, "StepStarted nap");
    await h.cancel();
    await l.advanceUntil(e.client.waitForEnd(h.runId));
    const refused = (await l.log(h.runId)).filter((x) => x.eventType === "pawl.CallRefused");
    expect(refused).toHaveLength(recordedRefusalsMax);
    expect([payloadOf(refused[0])["last"], payloadOf(refused.at(-1))["last"]]).toEqual([undefined, true]);
  });
});
