// A plan, on every store of a cluster: it is in the log before any of its calls is sent, nobody asks the planner again, without a plan the run fails, and a new plan is a
// new record that names the one it replaces. Then versions: a planner, a tool or a workflow of another version than the log's.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { plan, tool, toolbox, type Plan, type PlannedCall, type Planner } from "../../src/agents.ts";
import { aetherisDecisionId, aetherisStepId, aetherisSteps } from "../../src/compat.ts";
import { graph, last, send } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { payloadOf, storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
const never = (): Promise<never> => new Promise(() => {});
const input = z.object({ n: z.number() });

/** A planner that counts how often it is asked, and a tool that counts what it sent. */
function shop(o: { plans?: readonly unknown[]; version?: string; stuckAt?: number } = {}) {
  const asked: unknown[] = [];
  const sent: number[] = [];
  const planner: Planner<{ goal: string }> = {
    name: "planner",
    version: o.version ?? "1",
    plan: (i) => {
      asked.push(i);
      const made = o.plans?.[asked.length - 1] ?? [
        { tool: "pay", input: { n: 1 }, label: `first of ${asked.length}` },
        { tool: "pay", input: { n: 2 } },
      ];
      return made as readonly PlannedCall[];
    },
  };
  const stuck = { at: o.stuckAt };
  const pay = tool({ name: "pay", description: "Pay", input }, (i) => (sent.push(i.n), i.n === stuck.at ? never() : i.n), {
    repeatable: true,
  });
  return { asked, sent, planner, pay, stuck };
}
const starts = async (l: TestCluster, runId: string) => (await l.log(runId)).filter((e) => e.eventType === "StepStarted");

it("step ids of Aetheris: the formula, by its golden vector, and labels are in no id", proves("AX-01"), async () => {
  expect(aetherisStepId("job-1", "0123456789abcdef", 0, "tool")).toBe("8dcacd8c4ce9dca1");
  expect(aetherisDecisionId("abc")).toBe("ba7816bf8f01cfea");
  expect(new Set([0, 1, 10].flatMap((i) => ["a", "b"].map((t) => aetherisStepId("j", "d", i, t)))).size).toBe(6);
});

it("old events of Aetheris: without a step id the node's id counts, and an end without a result type is a success", proves("AX-04"), () => {
  const steps = aetherisSteps([
    { type: "job_created", payload: {} },
    { type: "node_started", payload: { node_id: "n1" } },
    { type: "node_finished", payload: { node_id: "n1", payload_results: 7 } },
    { type: "node_started", payload: { node_id: "n2", step_id: "s2" } },
    { type: "node_finished", payload: { node_id: "n2", step_id: "s2", result_type: "permanent_failure" } },
    { type: "node_started", payload: { node_id: "n3", step_id: "" } },
    { type: "node_finished", payload: { node_id: "n4", step_id: "", result_type: "side_effect_committed" } },
  ]);
  expect(steps).toEqual([
    { stepId: "n1", resultType: "success", done: true, result: 7 },
    { stepId: "s2", resultType: "permanent_failure", done: false },
    { stepId: "n3", resultType: "open", done: false },
    { stepId: "n4", resultType: "side_effect_committed", done: true },
  ]);
});

describe.each(storeKinds)("%s", (kind) => {
  it(
    "it is recorded before its calls are sent, with its hashes, and a later owner asks nobody",
    proves("AX-01", "AX-02", "AX-25"),
    async () => {
      const l = await fresh(kind);
      const { asked, sent, planner, pay, stuck } = shop({ stuckAt: 2 });
      const wf = workflow({ name: "planned" }, async (ctx) => {
        const p = await plan(ctx, "plan", planner, { goal: "pay" }, { tools: [pay] });
        const box = toolbox(ctx, [pay]);
        for (const call of p.calls) await box.run(call);
        return p;
      });
      const dead = await l.engine([wf], { lease: "1s" });
      const h = await dead.engine.start(wf, undefined, { id: "r" });
      await l.advanceUntilLine(h.runId, "StepStarted pay~2");
      dead.kill();
      stuck.at = undefined;
      const { engine, client } = await l.engine([wf], { lease: "1s" });
      const p = (await l.advanceUntil((await engine.get(wf, "r"))!.result())) as Plan;
      expect([asked.length, sent]).toEqual([1, [1, 2, 2]]);
      const log = await l.log(h.runId);
      const [made, first] = [
        log.findIndex((e) => e.eventType === "StepCompleted" && e.stepId === "plan"),
        log.findIndex((e) => e.stepId === "pay"),
      ];
      expect(made).toBeLessThan(first);
      expect(payloadOf(log.find((e) => e.stepId === "plan"))["plan"]).toEqual({ planner: "planner", version: "1", inputHash: p.inputHash });
      expect(payloadOf(log[made])["result"]).toMatchObject({ planHash: p.planHash });
      const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
      expect(p.planHash).toBe(sha256('[{"input":{"n":1},"tool":"pay"},{"input":{"n":2},"tool":"pay"}]'));
      expect(p.inputHash).toBe(sha256('{"goal":"pay"}'));
      expect(p.decisionId).toBe(p.planHash.slice(0, 16));
      expect(p.calls.map((c) => c.id)).toEqual([0, 1].map((i) => aetherisStepId(h.runId, p.decisionId, i, "pay")));
      const causes = await client.causes("r");
      expect(causes.map((c) => [c.by.stepId, c.by.part, c.plan?.planHash, c.model.promptHash])).toEqual([
        ["plan", 0, p.planHash, p.inputHash],
        ["plan", 1, p.planHash, p.inputHash],
      ]);
    },
  );

  it("labels change neither the hash nor the ids; another call does", proves("AX-01"), async () => {
    const l = await fresh(kind);
    const of = (label: string, n: number) => [{ tool: "pay", input: { n }, label }];
    const { planner, pay } = shop({ plans: [of("a", 1), of("b", 1), of("a", 2)] });
    const wf = workflow({ name: "labels" }, async (ctx) => {
      const made: Plan[] = [];
      for (const n of ["x", "y", "z"]) made.push(await plan(ctx, n, planner, { goal: n }, { tools: [pay] }));
      return made;
    });
    const { engine } = await l.engine([wf]);
    const [a, b, c] = (await l.advanceUntil(engine.run(wf))) as Plan[];
    expect([a!.planHash === b!.planHash, a!.calls[0]!.id === b!.calls[0]!.id, a!.calls[0]!.label, b!.calls[0]!.label]).toEqual([
      true,
      true,
      "a",
      "b",
    ]);
    expect([a!.planHash === c!.planHash, a!.inputHash === b!.inputHash]).toEqual([false, false]);
  });

  it.each([
    ["nothing", undefined],
    ["an empty list", []],
    ["a tool that nobody has", [{ tool: "steal", input: {} }]],
    ["no call", [{ input: {} }]],
  ])("no plan (%s): the run fails, and nothing is sent", proves("AX-02"), async (_, made) => {
    const l = await fresh(kind);
    const { sent, pay } = shop();
    const planner = { name: "planner", version: "1", plan: () => made as never };
    const wf = workflow({ name: "unplanned" }, async (ctx) => {
      const p = await plan(ctx, "plan", planner, {}, { tools: [pay] });
      for (const call of p.calls) await toolbox(ctx, [pay]).run(call);
    });
    const { engine } = await l.engine([wf]);
    const h = await engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: expect.stringContaining("plan") as string });
    expect(sent).toEqual([]);
    expect(payloadOf((await l.log(h.runId)).at(-1))).toMatchObject({ error: { code: "PAWL1076" } });
  });

  it("in a graph the recorded plan drives the sends; a new plan is a new record that names the old one", proves("AX-02"), async () => {
    const l = await fresh(kind);
    const { asked, sent, planner, pay } = shop({ plans: [[{ tool: "pay", input: { n: 1 } }], [{ tool: "pay", input: { n: 5 } }]] });
    const call = z.any();
    const g = graph({ name: "planned-graph", state: { plan: last<Plan | null>(null), paid: last(0), rounds: last(0) } })
      .nodes(({ each }) => ({
        think: async (s, ctx) => ({
          rounds: s.rounds + 1,
          plan: await plan(
            ctx,
            "plan",
            planner,
            { goal: "pay" },
            s.plan === null ? { tools: [pay] } : { tools: [pay], replaces: { plan: s.plan as Plan, why: "not enough" } },
          ),
        }),
        act: each(call, async (c, _s, ctx) => {
          const { output } = (await ctx.tools([pay]).run(c as never)) as { output: number };
          return { paid: output };
        }),
      }))
      .edges({
        start: "think",
        think: (s) => (s.plan as Plan).calls.map((c) => send("act", c)),
        act: (s) => (s.rounds < 2 ? "think" : "end"),
      });
    const { engine, client } = await l.engine([g]);
    const h = await engine.start(g, {}, { id: "g" });
    await l.advanceUntil(h.result());
    expect([asked.length, sent]).toEqual([2, [1, 5]]);
    const plans = (await starts(l, h.runId))
      .map((e) => payloadOf(e)["plan"] as Record<string, string> | undefined)
      .filter((p) => p !== undefined);
    const causes = await client.causes("g");
    expect(plans.map((p) => [p["replaces"], p["why"]])).toEqual([
      [undefined, undefined],
      [causes[0]!.plan!.decisionId, "not enough"],
    ]);
    expect(causes[1]!.plan!.replaces).toBe(causes[0]!.plan!.decisionId);
  });

  it.each(["planner", "tool", "workflow"] as const)(
    "another version of its %s: allowed, warned of, or refused",
    proves("AX-38"),
    async (which) => {
      const make = (version: string, stuckAt?: number) => {
        const made = shop({ version: which === "planner" ? version : "1", ...(stuckAt === undefined ? {} : { stuckAt }) });
        const v = which === "tool" ? { version } : {};
        const pay = tool({ name: "pay", description: "Pay", input }, (i) => (i.n === stuckAt ? never() : i.n), { repeatable: true, ...v });
        const wf = workflow({ name: "bound", version: which === "workflow" ? version : "1" }, async (ctx) => {
          const p = await plan(ctx, "plan", made.planner, { goal: "pay" }, { tools: [pay] });
          for (const call of p.calls) await toolbox(ctx, [pay]).run(call);
          return "paid";
        });
        return { wf, asked: made.asked };
      };
      for (const mode of ["allow", "warn", "strict"] as const) {
        const l = await fresh(kind);
        const first = make("1", 2);
        const dead = await l.engine([first.wf], { lease: "1s" });
        const h = await dead.engine.start(first.wf, undefined, { id: "r" });
        await l.advanceUntilLine(h.runId, "StepStarted pay~2");
        dead.kill();
        const next = make("2");
        const e = await l.engine([next.wf], { lease: "1s", onVersionChange: mode });
        if (mode === "strict") {
          await l.advanceUntilLine(h.runId, "RunPaused");
          const said = payloadOf((await l.log(h.runId)).find((x) => x.eventType === "RunPaused"));
          expect(said).toMatchObject({ code: "PAWL1006", expected: "1", found: "2" });
          expect(said["message"]).toContain(which);
        } else expect(await l.advanceUntil((await e.engine.get(next.wf, "r"))!.result())).toBe("paid");
        const warned = e.logs.filter((x) => x.level === "warn" && x.message.includes("was 1 when it was recorded, and is 2"));
        expect([mode, warned.length > 0]).toEqual([mode, mode === "warn"]);
        expect(e.core.metrics.get("pawl_version_changes_total") > 0).toBe(mode !== "allow");
        expect(next.asked).toEqual([]);
      }
    },
  );
});
