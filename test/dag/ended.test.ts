// Where the steps of a run that is over stand: what never began never will, and nothing is said to be ready, at work or waiting. And a list that stops at
// its first failure has failed, although some of its items never began.
import { describe, expect, it } from "vitest";
import { dag, dagFromTemplate, Fatal, task, workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { anySchema, deferred, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("a cancelled run has no step that is ready, at work or waiting", proves("T-59"), async () => {
    const l = await fresh(kind);
    const wf = dag({ name: "cut" }, (t) => {
      const list = t.task("list", {}, () => [1, 2, 3, 4]);
      const one = t.each("one", list, (n, s) => (n === 1 ? 1 : stopped(s.signal)), { id: (n) => `i${n}`, concurrency: 1 });
      const shares = t.batch(
        "shares",
        { list },
        () => [1, 2, 3],
        (s) => (s.cursor === 1 ? 1 : stopped(s.signal)),
        { workersMax: 1 },
      );
      const nap = t.sleep("nap", { list }, "1d");
      const go = t.receive("go", { list }, { name: "go", payload: anySchema<number>() });
      const again = t.task("again", { list }, () => Promise.reject(new Error("not yet")), { retry: { attempts: 9, initial: "1h" } });
      const held = t.task("held", { list }, () => Promise.reject(new Fatal("no")), { onFailure: "hold" });
      const asked = t.task("asked", { list }, () => 1, { approve: "may it?" });
      const queued = t.task("queued", { list }, () => 1, { queue: "nobody" });
      const next = t.task("next", { one, shares, nap }, () => 1);
      return t.task("end", { next, go, again, held, asked, queued }, () => 1, { trigger: "all-done" });
    });
    const { engine, client } = await l.engine([wf], { queues: {} });
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted one/i2");
    await l.advanceUntilLine(h.runId, "StepStarted shares/2");
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    await h.cancel("enough");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    const why = await client.why("r");
    expect(Object.fromEntries(why.map((w) => [w.stepId, w.readiness]))).toEqual({
      list: "succeeded",
      one: "failed",
      shares: "failed",
      nap: "failed",
      go: "failed",
      again: "failed",
      held: "failed",
      asked: "failed",
      queued: "failed",
      next: "blocked",
      end: "blocked",
    });
    expect(await client.evaluate("r")).toMatchObject({ status: "blocked-by-failures", final: true, alreadyFinal: true });
    expect(why.at(-1)!.sentence).toBe("end can never begin: next, go, again, held, asked, queued failed");
  });

  it("a step of a workflow that waited for its next attempt when its run was cancelled has failed", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "code" }, (ctx) =>
      ctx.step("again", () => Promise.reject(new Error("not yet")), { retry: { attempts: 9, initial: "1h" } }),
    );
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepFailed again");
    expect((await client.why("r")).map((w) => [w.readiness, w.next !== undefined])).toEqual([["waiting-for-retry", true]]);
    await h.cancel("enough");
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    expect((await client.why("r")).map((w) => [w.readiness, w.sentence, w.next])).toEqual([
      ["failed", "again failed, and its run ended before the next attempt: not yet", undefined],
    ]);
  });

  it("a list whose run ended between two of its items has not succeeded, and says so", proves("T-59"), async () => {
    const l = await fresh(kind);
    const gate = deferred();
    const wf = dag({ name: "between" }, (t) => {
      const list = t.task("list", {}, () => ["a", "b", "c"]);
      // It does not listen: what it has begun it completes, and then nothing begins any more.
      const each = t.each("each", list, () => gate.promise, { id: (n) => n, concurrency: 1 });
      return t.task("end", { each }, () => 1);
    });
    const { engine, client } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted each/a");
    await h.cancel("enough");
    await l.platform.advance(1_000);
    gate.open();
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ code: "PAWL1014" });
    expect((await l.lines(h.runId)).includes("StepCompleted each/a")).toBe(true);
    const [, each, end] = await client.why("r");
    expect([each!.readiness, each!.sentence]).toEqual(["blocked", "each never ended: its run is over"]);
    expect([end!.readiness, end!.waitsFor]).toEqual(["blocked", ["each"]]);
  });

  it(
    "a list that stops at its first failure has failed while the rest of the run goes on, in code and as data",
    proves("T-58"),
    async () => {
      const l = await fresh(kind);
      const gate = deferred();
      const any = anySchema<any>();
      const bad = task({ name: "bad", input: any }, () => Promise.reject(new Fatal("bad")));
      const slow = task({ name: "slow", input: any }, () => gate.promise);
      const inCode = dag({ name: "code" }, (t) => {
        const list = t.task("list", {}, () => [1, 2, 3]);
        const each = t.each(
          "each",
          list,
          (): number => {
            throw new Fatal("bad");
          },
          { id: (n) => `${n}`, concurrency: 1, failFast: true },
        );
        const after = t.task("after", { each }, () => 1);
        return t.task("other", { list, after }, () => gate.promise, { trigger: "all-done" });
      });
      const asData = dagFromTemplate(
        {
          namespace: "shop",
          name: "data",
          version: "1",
          steps: [
            { name: "each", type: "each", handler: "bad", over: "/input/list", id: "/item", concurrency: 1, failFast: true },
            { name: "after", handler: "slow", needs: ["each"] },
            { name: "other", handler: "slow" },
          ],
        },
        [bad, slow],
      );
      const { engine, client } = await l.engine([inCode, asData]);
      const runs = [await engine.start(inCode, undefined, { id: "code" }), await engine.start(asData, { list: [1, 2, 3] }, { id: "data" })];
      for (const h of runs) {
        await l.advanceUntilLine(h.runId, "StepStarted other");
        await l.advanceUntilLine(h.runId, "StepFailed each/1");
        const labels = Object.fromEntries((await client.why(h.runId)).map((w) => [w.stepId, w.readiness]));
        expect(labels).toMatchObject({ each: "failed", after: "blocked", other: "running" });
      }
      gate.open();
      for (const h of runs) await expect(l.advanceUntil(h.result() as Promise<unknown>)).rejects.toMatchObject({ message: "bad" });
    },
  );
});

/** Ends when it is asked to, and not before. */
function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }));
}
