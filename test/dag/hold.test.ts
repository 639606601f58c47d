// onFailure: "hold": a final failure waits for a person while the other branches continue. Each answer is recorded with who and why, and
// holds after the engine that took the question has died.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { dag, dagFromTemplate, Fatal, remoteTask, task, type DagDef, type DecisionAnswer } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const who = { by: "ann", reason: "looked at it" };

describe.each(storeKinds)("%s", (kind) => {
  const start = async (answer: DecisionAnswer | null, restart: boolean) => {
    const l = await fresh(kind);
    let broken = true;
    const ran: string[] = [];
    const wf = dag({ name: "held", onFailure: "hold" }, (t) => {
      const a = t.task("a", {}, () => {
        ran.push("a");
        if (broken) throw new Fatal("no answer");
        return "fetched";
      });
      const other = t.task("other", {}, () => void ran.push("other"));
      const late = t.task("late", { other }, () => void ran.push("late"));
      return t.task("end", { a, late }, ({ a }) => ({ a: a ?? "nothing" }), { trigger: "none-failed" });
    });
    const first = await l.engine([wf]);
    const h = await first.engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepCompleted late");
    await l.advanceUntilLine(h.runId, "pawl.StepHeld");
    expect(ran).toEqual(["a", "other", "late"]);
    if (restart) first.kill();
    const { engine } = restart ? await l.engine([wf]) : first;
    await l.advanceUntil(l.platform.settle().then(() => l.platform.advance(15_000)));
    const [d] = await l.advanceUntil(engine.decisions());
    expect(d).toMatchObject({ kind: "failure", code: "PAWL2012", reason: "no answer" });
    expect(d!.answers.map((x) => x.answer)).toEqual(["retry", "complete", "resolve", "skip", "fail"]);
    broken = false;
    if (answer !== null) await l.advanceUntil(engine.resolve(d!.decisionId, answer));
    const again = (await engine.get(wf, "r"))!;
    return { l, h, engine, again, ran, d: d! };
  };

  it.each([false, true])("retry sends it again as attempt 2 (restarted: %s)", async (restart) => {
    const { l, h, again, ran } = await start({ ...who, retry: true }, restart);
    expect(await l.advanceUntil(again.result())).toEqual({ a: "fetched" });
    expect(ran.filter((x) => x === "a").length).toBe(2);
    const log = await l.log(h.runId);
    expect(log.filter((e) => e.eventType === "StepStarted" && e.stepId === "a").map((e) => e.logicalAttemptId)).toEqual([1, 2]);
    expect(payloadOf(log.find((e) => e.eventType === "pawl.DecisionAnswered"))).toMatchObject({ ...who, answer: "retry", stepId: "a" });
  });

  it.each([false, true])("complete gives it a result, resolve settles it without one (restarted: %s)", async (restart) => {
    const done = await start({ ...who, complete: true, result: "by hand" }, restart);
    expect(await done.l.advanceUntil(done.again.result())).toEqual({ a: "by hand" });
    const settled = await start({ ...who, resolve: true }, restart);
    expect(await settled.l.advanceUntil(settled.again.result())).toEqual({ a: "nothing" });
    const log = await settled.l.log(settled.h.runId);
    expect(payloadOf(log.find((e) => e.eventType === "StepCompleted" && e.stepId === "a"))).toMatchObject({
      via: "decision",
      resolved: true,
    });
    expect(settled.ran.filter((x) => x === "a").length).toBe(1);
  });

  it.each([false, true])("skip lets its dependents run as their triggers say, fail blocks them (restarted: %s)", async (restart) => {
    const skipped = await start({ ...who, skip: true }, restart);
    expect(await skipped.l.advanceUntil(skipped.again.result())).toEqual({ a: "nothing" });
    const log = await skipped.l.log(skipped.h.runId);
    const skip = log.find((e) => e.eventType === "StepSkipped");
    expect([skip?.stepId, skip?.logicalAttemptId, payloadOf(skip)]).toEqual(["a", 2, { why: "operator", by: [] }]);
    const failed = await start({ ...who, fail: true }, restart);
    await expect(failed.l.advanceUntil(failed.again.result())).rejects.toMatchObject({ message: "no answer" });
    expect(payloadOf((await failed.l.log(failed.h.runId)).at(-1))).toMatchObject({ failed: ["a"], blocked: ["end"] });
  });

  it("an answer that is none is refused, and a cancel asks nobody any more", async () => {
    const { l, engine, again, d } = await start(null, false);
    await expect(l.advanceUntil(engine.resolve(d.decisionId, { ...who, approve: true }))).rejects.toMatchObject({ code: "PAWL4011" });
    await again.cancel("enough");
    await expect(l.advanceUntil(again.result())).rejects.toMatchObject({ code: "PAWL1014" });
    expect(await engine.decisions()).toEqual([]);
  });

  const inCode = { name: "chosen", onFailure: "hold" } as const satisfies DagDef<"chosen", undefined>;
  const plans = {
    "a decision": () =>
      dag(inCode, (t) => {
        const d = t.decide("d", {}, ["x", "y"], () => Promise.reject(new Fatal("no answer")));
        return t.task("x", { d }, () => "ran", { on: d.on("x") });
      }),
    "a decision of a template": () =>
      dagFromTemplate({
        namespace: "n",
        name: "chosen",
        version: "1",
        onFailure: "hold",
        steps: [
          { name: "d", type: "decision", handler: "nobody.chooses", branches: ["x", "y"], queue: { name: "q", within: "1s" } },
          { name: "wait", type: "sleep", delay: "1s", needs: ["d"] },
        ],
      }),
    "the plan of a batch": () =>
      dag(inCode, (t) =>
        t.batch(
          "d",
          {},
          () => Promise.reject(new Fatal("no answer")),
          () => "ran",
        ),
      ),
    "a task elsewhere": () => {
      const far = remoteTask({ name: "far", input: z.object({}), output: z.array(z.string()), queue: { name: "q", within: "1s" } });
      return dag(inCode, (t) => t.do("d", {}, far, () => ({})));
    },
  } as const;

  it.each(Object.keys(plans) as (keyof typeof plans)[])(
    "of %s, a person's result that it cannot have is refused and changes nothing",
    proves("TX-10", "TX-24"),
    async (what) => {
      const l = await fresh(kind);
      const wf = plans[what]() as ReturnType<(typeof plans)["a decision"]>;
      const { engine } = await l.engine([wf]);
      const h = await engine.start(wf, undefined, { id: "r" });
      await l.advanceUntilLine(h.runId, "pawl.StepHeld");
      const [d] = await l.advanceUntil(engine.decisions());
      const before = (await l.log(h.runId)).length;
      for (const wrong of [
        { complete: true, result: "z" },
        { complete: true, result: 5 },
        ...(what === "a task elsewhere" ? [] : [{ resolve: true }]),
      ])
        await expect(l.advanceUntil(engine.resolve(d!.decisionId, { ...who, ...wrong } as DecisionAnswer))).rejects.toMatchObject({
          code: "PAWL4010",
        });
      expect((await l.log(h.runId)).length).toBe(before);
      await l.advanceUntil(engine.resolve(d!.decisionId, { ...who, complete: true, result: ["x"] }));
      await l.advanceUntil(h.result());
    },
  );

  it("the same of a step in doubt whose task is elsewhere", async () => {
    const l = await fresh(kind);
    const o = { once: true, timeout: "5s" } as const;
    const far = remoteTask({ name: "died.of", input: z.object({}), output: z.array(z.string()), queue: "q" }, o);
    const wf = dag({ name: "doubted" }, (t) => t.do("d", {}, far, () => ({})));
    const { engine } = await l.engine([wf], { queues: {}, lease: "1s" });
    let began = false;
    const here = task({ name: "died.of", input: z.object({}) }, () => ((began = true), new Promise<string[]>(() => {})), {
      ...o,
      queue: "q",
    });
    const w = await l.worker({ tasks: [here], queues: { q: {} }, lease: "1s" });
    const h = await engine.start(wf, undefined, { id: "r" });
    while (!began) await l.platform.advance(50);
    w.kill();
    await l.advanceUntilLine(h.runId, "pawl.StepInDoubt");
    const [d] = await l.advanceUntil(engine.decisions());
    const resolve = (result: unknown) => l.advanceUntil(engine.resolve(d!.decisionId, { ...who, happened: true, result }));
    await expect(resolve("z")).rejects.toMatchObject({ code: "PAWL4010", message: expect.stringContaining("result of died.of") as string });
    await resolve(["x"]);
    expect(await l.advanceUntil(h.result())).toEqual(["x"]);
  });
});
