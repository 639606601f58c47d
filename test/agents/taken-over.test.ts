// A call whose outcome is taken over from the record must never begin, however long the store takes to read the outcome and however soon the start is
// written: the start of such a step is no send. Effects are counted by the receiver; the repeat is asked for by another engine than the one that
// made the call, or by the same one when its starts are written before what follows from them.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool, toolbox, toolTx } from "../../src/agents.ts";
import { workflow } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
const input = z.object({ n: z.number() });
const def = <const N extends string>(name: N) => ({ name, description: name, input });

/** Tools of every class that may not simply be repeated. */
const tools = (acts: string[], sql: boolean) => [
  tool(def("once"), (i) => (acts.push("once"), i.n), { once: true }),
  tool(def("keyed"), (i) => (acts.push("keyed"), i.n), { key: (i) => `keyed:${i.n}`, dedup: "24h" }),
  tool(def("verified"), (i) => (acts.push("verified"), i.n), {
    verify: async () => ({ state: "not-completed" }),
    settle: "1s",
    timeout: "5s",
  }),
  ...(sql ? [toolTx(def("rows"), async (i, db) => (acts.push("rows"), await db.sql`select 1`, i.n))] : []),
];

/** Reads what was recorded before only after so long: the start of a step is written by then. */
const readsSlowly =
  (l: TestCluster, ms: number) =>
  (s: FullStore): FullStore => ({
    ...s,
    payloadsAt: async (places) => {
      await new Promise<void>((resolve) => void l.platform.timer(ms, resolve));
      return s.payloadsAt(places);
    },
  });

describe.each(storeKinds)("%s", (kind) => {
  const sql = kind === "sqlite";
  const names = ["once", "keyed", "verified", ...(sql ? ["rows"] : [])];
  const all = { calls: names.map((name) => ({ tool: name, input: { n: 1 } })) };
  it.each([
    ["from the last superstep", 1_000_000],
    ["from a snapshot", 1],
  ] as const)(
    "a restored agent that is asked again reads the outcome from its log, and sends nothing while it does: %s",
    proves("AX-10", "AX-39"),
    async (_, snapshotTailBytesMin) => {
      const l = await fresh(kind);
      const acts: string[] = [];
      const a = agent({ name: "restored", model: scripted([all, all, all, "done"], { by: "conversation" }), tools: tools(acts, sql) });
      const o = { lease: "1s", limits: { snapshotTailBytesMin } } as const;
      const first = await l.engine([a], { ...o, onHit: (p) => p.includes("4/model") && p.endsWith(":B") });
      const { runId } = await first.engine.start(a, { prompt: "x" }, { id: "r" });
      await l.platform.advance(5_000);
      expect(first.alive).toBe(false);
      // Dies while the outcome is being read, with the start of the repeat in the log.
      const second = await l.engine([a], { ...o, wrap: readsSlowly(l, 700) });
      await l.advanceUntilLine(runId, "StepStarted 5/tools/once");
      second.kill();
      const { engine } = await l.engine([a], { ...o, wrap: readsSlowly(l, 700) });
      const out = await l.advanceUntil((await engine.get(a, "r"))!.result());
      expect([...acts].sort(), "each call was made once").toEqual([...names].sort());
      const results = out.messages.flatMap((m) => (m.role === "tool" ? m.content : []));
      expect(results.map((p) => (p.type === "tool-result" ? [p.outcome, p.output] : p))).toEqual(
        Array.from({ length: 3 * names.length }, () => ["done", 1]),
      );
    },
  );

  it("a start that is written before what follows from it: what is taken over is not sent", proves("AX-10"), async () => {
    const l = await fresh(kind);
    const acts: string[] = [];
    const wf = workflow({ name: "asks-again" }, async (ctx) => {
      const box = toolbox(ctx, tools(acts, sql));
      for (let i = 0; i < 3; i++) for (const name of names) await box.call(name as "once", { n: 1 });
    });
    const { engine } = await l.engine([wf], { limits: { immediateCallsMax: 1 } });
    await l.advanceUntil((await engine.start(wf, undefined, { id: "r" })).result());
    expect(acts).toEqual(names);
  });

  it(
    "a retry whose starts are written first: what the old run did is taken over, what it undid is left to a person",
    proves("K19", "I7"),
    async () => {
      const l = await fresh(kind);
      const acts: string[] = [];
      let mended = false;
      const wf = workflow({ name: "retried" }, async (ctx) => {
        for (let i = 0; i < 4; i++) await ctx.step(`s${i}`, () => void acts.push(`s${i}`), { once: true });
        await ctx.step("paid", () => void acts.push("paid"), { once: true, compensate: () => void acts.push("undo") });
        if (!mended) ctx.fail("no");
      });
      const { engine } = await l.engine([wf], { limits: { immediateCallsMax: 1 } });
      const h = await engine.start(wf, undefined, { id: "r" });
      await expect(l.advanceUntil(h.result())).rejects.toMatchObject({ message: "no" });
      mended = true;
      const again = await h.retry();
      await l.advanceUntilLine(again.runId, "pawl.StepInDoubt");
      expect(acts).toEqual(["s0", "s1", "s2", "s3", "paid", "undo"]);
    },
  );
});
