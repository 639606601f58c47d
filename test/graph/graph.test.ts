// State graphs run as a user writes them, on every store: channels, edges, sends, joins, failures that lead to handlers, and the checkpoint that each
// superstep leaves behind in the Commit of its event.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, byId, graph, last, reduce, send, sum } from "../../src/graph.ts";
import { Fatal, workflow } from "../../src/index.ts";
import { payloadOf, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("a loop runs until its edge leads to the end; each superstep is one Commit with its checkpoint", async () => {
    const l = await fresh(kind);
    const g = graph({ name: "loop", state: { text: last(""), rounds: sum() } })
      .nodes({ write: async (s, ctx) => ({ text: await ctx.step("write", () => `${s.text}x`, { repeatable: true }), rounds: 1 }) })
      .edges({ start: "write", write: (s) => (s.rounds < 3 ? "write" : "end") });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, {});
    expect(await l.advanceUntil(h.result())).toEqual({ text: "xxx", rounds: 3 });
    expect(await l.lines(h.runId)).toEqual([
      "RunStarted",
      "pawl.Superstep",
      "StepStarted 1/write/write",
      "StepCompleted 1/write/write",
      "pawl.Superstep",
      "StepStarted 2/write/write",
      "StepCompleted 2/write/write",
      "pawl.Superstep",
      "StepStarted 3/write/write",
      "StepCompleted 3/write/write",
      "pawl.Superstep",
      "RunCompleted",
    ]);
    const log = await l.log(h.runId);
    expect(new Set(log.slice(3, 6).map((e) => e.stateVersion)).size, "outcome, superstep and next start are one Commit").toBe(1);
    const marks = log.filter((e) => e.eventType === "pawl.Superstep");
    for (const [n, mark] of marks.entries()) {
      const row = await l.store.checkpoint({ runId: h.runId, stepId: n });
      expect(row).toMatchObject({
        key: (payloadOf(mark) as { key: string }).key,
        stateVersion: mark.stateVersion,
        body: `{"at":${mark.runSeq}}`,
      });
    }
    expect(marks).toHaveLength(4);
  });

  it("sends become items with parsed inputs, merged in the order in which they were sent, whatever ended first", async () => {
    const l = await fresh(kind);
    const g = graph({
      name: "fan",
      input: z.object({ docs: z.array(z.string()) }),
      begin: (i) => ({ docs: i.docs }),
      state: { docs: append<string>(), read: append<string>(), notes: byId<{ id: string; text: string }>(), longest: reduce("", longer) },
      result: (s) => ({ read: s.read, notes: s.notes, longest: s.longest }),
    })
      .nodes(({ each }) => ({
        read: each(z.object({ doc: z.string(), page: z.number().default(1) }), async ({ doc, page }, _s, ctx) => {
          await ctx.sleep("wait", 1_000 - 100 * doc.length);
          return { read: `${doc}:${page}`, notes: { id: doc.slice(0, 1), text: doc }, longest: doc };
        }),
        drop: () => ({ notes: { remove: "b" } }),
      }))
      .edges({ start: (s) => s.docs.map((doc) => send("read", { doc })), read: "drop", drop: "end" });
    const { engine } = await l.engine([g]);
    const h = await engine.start(g, { docs: ["a", "bbb", "cc", "aaaaa"] });
    expect(await l.advanceUntil(h.result())).toEqual({
      read: ["a:1", "bbb:1", "cc:1", "aaaaa:1"],
      notes: [
        { id: "a", text: "aaaaa" },
        { id: "c", text: "cc" },
      ],
      longest: "aaaaa",
    });
  });

  it("effect nodes are one step each, a sub node is a child run, and a join waits for both", async () => {
    const l = await fresh(kind);
    const inner = workflow({ name: "inner", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2));
    const joined: number[] = [];
    const g = graph({ name: "both", state: { n: sum(1), log: append<string>() } })
      .nodes(({ effect, sub }) => ({
        load: effect(async () => ({ log: "loaded" }), { repeatable: true }),
        slow: () => ({ log: "slow" }),
        deeper: sub(inner, { in: (s) => s.n, out: (r) => ({ n: r }) }),
        report: (s, ctx) => {
          joined.push(ctx.at.superstep);
          return { log: `n ${s.n}` };
        },
      }))
      .edges(
        { start: ["load", "slow"], load: "report", slow: "deeper", deeper: "report", report: "end" },
        { joins: { report: ["load", "deeper"] } },
      );
    const { engine } = await l.engine([g, inner]);
    const h = await engine.start(g, {});
    expect(await l.advanceUntil(h.result())).toEqual({ n: 3, log: expect.arrayContaining(["loaded", "slow", "n 3"]) as unknown });
    expect(joined).toEqual([3]);
    expect(await l.lines(h.runId)).toContain("StepStarted 1/load/load");
    expect(await l.lines(h.runId)).toContain("StepStarted 2/deeper/deeper");
  });

  it("catch leads a failure to its handler; without it the others finish and nothing of the superstep is merged", async () => {
    const l = await fresh(kind);
    const make = (name: string, caught: boolean) =>
      graph({ name, state: { done: append<string>(), why: last("") } })
        .nodes({
          bad: async (_s, ctx) => {
            await ctx.step("bad", () => Promise.reject(new Fatal("no luck")));
          },
          good: async (_s, ctx) => ({ done: await ctx.step("good", () => "good", { repeatable: true }) }),
          help: (_s, ctx) => ({ why: ctx.failures.map((f) => `${f.node} ${f.item} ${f.code} ${f.message}`).join() }),
        })
        .edges(
          { start: ["bad", "good"], bad: "end", good: caught ? "end" : "help", help: "end" },
          caught ? { catch: { bad: "help" } } : {},
        );
    const [with_, without] = [make("with", true), make("without", false)];
    const { engine } = await l.engine([with_, without]);
    const ok = await engine.start(with_, {});
    expect(await l.advanceUntil(ok.result())).toEqual({ done: ["good"], why: "bad 1/bad FAILED no luck" });
    const h = await engine.start(without, {});
    await expect(l.advanceUntil(h.result())).rejects.toThrow("no luck");
    const lines = await l.lines(h.runId);
    expect(lines).toContain("StepCompleted 1/good/good");
    expect(lines.filter((x) => x === "pawl.Superstep")).toHaveLength(1);
  });
});

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}
