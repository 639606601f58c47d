// Proofs by key, and of logs that somebody altered, on every store: several operations may share an author key, and the proof of
// the key counts what reached the receiver under it; a log whose chain is broken proves nothing.
import { describe, expect, it } from "vitest";
import { workflow } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";
import { effectTest } from "./effect-test.ts";

describe.each(testStores)("proofs by key on %s", (_, open) => {
  const p = effectTest(open);

  it("a key that three operations of a run sent was sent three times: never once", proves("K24", "I7"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      for (let i = 0; i < 3; i++) await ctx.step("a", () => p.send("SO"), { key: "SO" });
    });
    const e = await p.engine({ workflows: [wf] });
    const { runId } = await e.engine.start(wf);
    await e.client.waitForEnd(runId);
    expect(p.sent.get("SO")).toBe(3);
    const proof = await e.client.proof("SO");
    expect(proof).toMatchObject({
      verdict: "at-least-once",
      key: { key: "SO", verdict: "at-least-once", sends: 3, operations: 3, sentBy: [runId], deduplicated: false },
    });
    expect(proof.sentence).toMatch(
      /^key SO was sent at most 3 times, by 3 operations of 1 run; nothing deduplicated these operations, and together they took effect 3 times; of 3 effects/,
    );
    const ofRun = await e.client.proof(runId);
    expect(ofRun.effects.map((x) => x.sentence)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining("its key SO was used by 3 operations of 1 run") as string),
    );
    expect(ofRun.key).toBeUndefined();
  });

  it("a key of two runs, and of two steps over a retry, is counted over all of them", proves("K24", "I7"), async () => {
    let fails = true;
    const two = workflow({ name: "two" }, async (ctx) => {
      await ctx.step("a", () => p.send("K"), { key: "K" });
      await ctx.step("b", () => p.send("K"), { key: "K" });
      if (fails) ctx.fail("no");
    });
    const e = await p.engine({ workflows: [two] });
    const first = await e.engine.start(two);
    await e.client.waitForEnd(first.runId);
    fails = false;
    await e.client.waitForEnd((await e.client.retry(first.runId)).runId);
    expect(p.sent.get("K")).toBe(2);
    expect((await e.client.proof("K")).key).toMatchObject({ verdict: "at-least-once", sends: 2, operations: 2, sentBy: [first.runId] });
    const other = await e.engine.start(two, undefined, { id: "other" });
    await e.client.waitForEnd(other.runId);
    const { key, verdict } = await e.client.proof("K");
    expect([key?.sends, key?.operations, key?.sentBy.length, verdict]).toEqual([p.sent.get("K"), 4, 2, "at-least-once"]);
    expect((await e.client.proof(other.runId)).effects[0]?.sentence).toContain("its key K was used by 4 operations of 3 runs");
  });

  it("a receiver that deduplicates takes them for one, and the proof rests on that", proves("K24"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      for (let i = 0; i < 2; i++) await ctx.step("a", () => p.send("long"), { key: "long", dedup: "1d" });
    });
    const e = await p.engine({ workflows: [wf] });
    await e.client.waitForEnd((await e.engine.start(wf)).runId);
    const proof = await e.client.proof("long");
    expect(proof).toMatchObject({ verdict: "once", key: { verdict: "once", sends: 2, operations: 2, deduplicated: true } });
    expect(proof.assumptions.join()).toContain("the receiver of a honours key long for 24 h");
  });

  it("one operation under a key is as it was: once", proves("K24"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("a", () => p.send("one"), { key: "one" }));
    const e = await p.engine({ workflows: [wf] });
    const { runId } = await e.engine.start(wf);
    await e.client.waitForEnd(runId);
    expect(await e.client.proof("one")).toMatchObject({ verdict: "once", key: { verdict: "once", sends: 1, operations: 1 } });
    expect((await e.client.proof(runId)).effects[0]?.sentence).not.toContain("was used by");
  });

  it("a log with an event taken out, in the middle or at its end, proves nothing of its run and its line", proves("I7"), async () => {
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("a", () => p.send("a"), { key: "a-key" });
      await ctx.step("b", () => p.send("b"), { key: "b-key" });
      ctx.fail("no");
    });
    const e = await p.engine({ workflows: [wf] });
    p.testStore().skipVerification(); // the log is altered on purpose
    for (const last of [false, true]) {
      const { runId } = await e.engine.start(wf, undefined, { id: `w-${last}` });
      await e.client.waitForEnd(runId);
      const again = await e.client.retry(runId);
      await e.client.waitForEnd(again.runId);
      const events = await e.client.events(runId, { limit: 100 });
      const b = events.find((x) => x.eventType === "StepStarted" && x.stepId === "b")!;
      await p.testStore().tamper({ table: "events", runId, at: last ? events.length : b.runSeq, set: null });
      for (const of of [runId, again.runId]) {
        const proof = await e.client.proof(of);
        expect([proof.verdict, ...new Set(proof.effects.map((x) => x.verdict))]).toEqual(["in-doubt", "in-doubt"]);
        expect(proof.sentence).toContain(`the log of run ${runId} was altered or has a gap`);
      }
      expect((await e.client.proof("a-key")).verdict).toBe("in-doubt");
    }
  });
});
