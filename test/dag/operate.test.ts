// Where a DAG's run stands: evaluate and why, as an operator asks them, from a client without the code. A run ends once, however many ask for it; who
// comes second is answered, not refused. And the registry of templates, by its verbs.
import { describe, expect, it } from "vitest";
import { localClient } from "../../src/client/local-client.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { dag, dagFromTemplate, Fatal, task, workflow } from "../../src/index.ts";
import { defaultLimits } from "../../src/core/limits.ts";
import { proves } from "../support/proves.ts";
import { anySchema, deferred, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
/** A client on the same store, in a process that has no code of any workflow. */
const clientOf = (l: TestCluster) =>
  localClient({ store: l.store, platform: l.platform, scope: defaultScope, limits: defaultLimits, engine: null } as never);

describe.each(storeKinds)("%s", (kind) => {
  it("not ready is an answer; why names what a step waits for; a final failure outranks ready work", proves("T-50", "TX-03"), async () => {
    const l = await fresh(kind);
    const gate = deferred();
    const wf = dag({ name: "standing" }, (t) => {
      const slow = t.task("slow", {}, () => gate.promise);
      const bad = t.task("bad", {}, () => {
        throw new Fatal("no such row");
      });
      const next = t.task("next", { slow }, () => 1);
      t.task("never", { bad }, () => 1);
      return next;
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepFailed bad");
    const client = clientOf(l);
    expect(await client.evaluate("r")).toEqual({
      runId: h.runId,
      status: "blocked-by-failures",
      counts: { running: 1, failed: 1, "waiting-for-dependencies": 1, blocked: 1 },
      final: false,
      alreadyFinal: false,
    });
    const why = await client.why("r");
    expect(why.map((w) => [w.stepId, w.readiness, w.waitsFor])).toEqual([
      ["slow", "running", []],
      ["bad", "failed", []],
      ["next", "waiting-for-dependencies", ["slow"]],
      ["never", "blocked", ["bad"]],
    ]);
    expect((await client.why("r", "never"))[0]!.sentence).toBe("never can never begin: bad failed");
    await expect(client.why("r", "nobody")).rejects.toMatchObject({ code: "PAWL4011" });
    gate.open();
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no such row" });
  });

  it("why does not say of a step that it is at work when its engine is dead", async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "charges" }, (ctx) => ctx.step("charge", () => deferred().promise));
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted charge");
    const said = async (): Promise<readonly string[]> => (await clientOf(l).why("r")).map((w) => `${w.readiness}: ${w.sentence}`);
    expect(await said()).toEqual(["running: charge is at work"]);
    e.kill();
    await l.platform.advance(20_000);
    expect(await said()).toEqual(["running: charge had begun when its engine died; the next engine continues it, by its class"]);
  });

  it("why says of a node what its log knows: why it was skipped, and what it waits for", async () => {
    const l = await fresh(kind);
    const wf = dag({ name: "sentences" }, (t) => {
      const way = t.decide("way", {}, ["left", "right"], () => "left");
      const right = t.task("right", { way }, () => 1, { on: way.on("right") });
      const no = t.task("no", {}, () => 1, { when: () => false });
      return t.receive("go", { right, no }, { name: "go", payload: anySchema<number>() }) && t.sleep("rest", { way }, "1h");
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntilLine(h.runId, "StepStarted rest");
    const said = new Map((await clientOf(l).why("r")).map((w) => [w.stepId, w.sentence]));
    expect([said.get("right"), said.get("no"), said.get("rest")]).toEqual([
      "right was skipped: another branch was chosen (way)",
      "no was skipped: its condition was not met",
      "rest sleeps",
    ]);
  });

  it("why answers for one item of a list, which the plan does not know", async () => {
    const l = await fresh(kind);
    const wf = dag({ name: "items" }, (t) => {
      const rows = t.task("rows", {}, () => [1, 2]);
      return t.each("clean", rows, (n) => n, { id: (n) => `r${n}`, repeatable: true });
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, undefined, { id: "r" });
    await l.advanceUntil(h.result());
    const client = clientOf(l);
    expect((await client.why("r", "clean/r2")).map((w) => [w.stepId, w.readiness])).toEqual([["clean/r2", "succeeded"]]);
    await expect(client.why("r", "clean/r3")).rejects.toMatchObject({ code: "PAWL4011" });
  });

  it(
    "two finalisers at once: the run ends once, and who comes second learns that it had ended",
    proves("T-51", "T-52", "T-53", "C12", "TX-17"),
    async () => {
      for (let dieAt = 0; dieAt < 12; dieAt += 1) {
        const l = await fresh(kind, dieAt + 1);
        const wf = dag({ name: "ends" }, (t) => {
          const a = t.task("a", {}, () => 1);
          return t.task("b", { a }, () => 2);
        });
        let hits = 0;
        const first = await l.engine([wf], { onHit: () => dieAt > 0 && ++hits === dieAt });
        void first.engine.start(wf, undefined, { id: "r" }).catch(() => {});
        await l.platform.settle();
        const second = await l.engine([wf]);
        const h = await l.advanceUntil(second.engine.start(wf, undefined, { id: "r" }));
        const client = clientOf(l);
        const [x, y] = await l.advanceUntil(Promise.all([client.evaluate("r"), client.evaluate("r")]));
        for (const e of [x, y]) expect(["has-ready-steps", "processing", "waiting-for-dependencies", "all-complete"]).toContain(e.status);
        expect(await l.advanceUntil(h.result())).toBe(2);
        const [u, v] = await Promise.all([client.evaluate("r"), client.evaluate("r")]);
        for (const e of [u, v])
          expect(e).toMatchObject({ status: "all-complete", final: true, alreadyFinal: true, counts: { succeeded: 2 } });
        expect((await l.lines(h.runId)).filter((line) => line === "RunCompleted")).toEqual(["RunCompleted"]);
      }
    },
  );

  it("templates are registered, read, listed and retired; a retired version starts nothing new", async () => {
    const l = await fresh(kind);
    const client = clientOf(l);
    const template = { namespace: "shop", name: "order", version: "1", steps: [{ name: "a", handler: "first" }] } as const;
    expect(await client.templates.put(template)).toMatchObject({ created: true, namespace: "shop" });
    expect(await client.templates.put({ steps: template.steps, version: "1", name: "order", namespace: "shop" })).toMatchObject({
      created: false,
    });
    await expect(client.templates.put({ ...template, description: "other" })).rejects.toMatchObject({ code: "PAWL1026" });
    await expect(client.templates.put({ ...template, version: "2", colour: "red" })).rejects.toMatchObject({ code: "PAWL1025" });
    await client.templates.put({ ...template, version: "2" });
    await client.templates.put({ ...template, namespace: "shop2" });
    expect(await client.templates.get("shop", "order", "1")).toMatchObject({ template, version: "1" });
    expect(await client.templates.get("shop", "nobody")).toBeUndefined();
    expect((await client.templates.list({ namespace: "shop" })).items.map((t) => t.version)).toEqual(["1", "2"]);
    const page = await client.templates.list({ limit: 2 });
    expect((await client.templates.list({ limit: 2, cursor: page.nextCursor! })).items.map((t) => t.namespace)).toEqual(["shop2"]);
    const wf = dagFromTemplate(template, [task({ name: "first", input: anySchema() }, () => 1)]);
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf, { n: 1 });
    await client.templates.retire("shop", "order", "1", { by: "ann", reason: "replaced" });
    await expect(engine.start(wf, { n: 2 })).rejects.toMatchObject({ code: "PAWL4010" });
    expect(await l.advanceUntil(h.result())).toEqual({ a: 1 });
    await expect(client.templates.retire("shop", "order", "9", { by: "ann", reason: "x" })).rejects.toMatchObject({ code: "PAWL4132" });
  });
});
