// A tool call whose process died after it acted (windows 2 and 3 of the source): with an effect store its result is written back and nothing is sent;
// without one, configuration says what becomes of it: a person decides, it fails for good, or it is sent again.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, scripted, tool } from "../../src/agents.ts";
import { fileEffectStore, task, workflow, type EffectStore } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
const never = (): Promise<never> => new Promise(() => {});
const pays = { name: "pay", description: "Pay", input: z.object({ n: z.number() }) };
const call = { calls: [{ tool: "pay", input: { n: 1 } }] };
const model = () => scripted([call, call, "done"], { by: "conversation" });
const told = (out: { messages: readonly { content: readonly { type: string }[] }[] }) =>
  out.messages.flatMap((m) =>
    m.content.flatMap((p) => (p.type === "tool-result" ? [p as unknown as { outcome: string; output: unknown }] : [])),
  );

/** Looks again as the clock moves. */
async function whenSo(l: TestCluster, fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise<void>((resolve) => void l.platform.timer(10, resolve));
}

describe.each(storeKinds)("%s", (kind) => {
  it(
    "with an effect store: what the tool returned is written back from it, and nothing is sent again",
    proves("A-05", "A-11"),
    async () => {
      const l = await fresh(kind);
      const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
      try {
        const kept = fileEffectStore(dir);
        const sent: number[] = [];
        let isKept = false;
        // Its process dies when the tool's result is kept, before the store is told.
        const put: EffectStore["put"] = async (e) => {
          await kept.put(e);
          if (sent.length === 0) return;
          isKept = true;
          await never();
        };
        const pay = tool(pays, (i) => (sent.push(i.n), "re_1"), { once: true });
        const a = agent({ name: "kept", model: model(), tools: [pay] });
        const dead = await l.engine([a], { lease: "1s", effectStore: { ...kept, put } });
        await dead.engine.start(a, { prompt: "x" }, { id: "r" });
        await l.advanceUntil(whenSo(l, () => isKept));
        dead.kill();
        const { engine } = await l.engine([a], { lease: "1s", effectStore: kept });
        const h = (await engine.get(a, "r"))!;
        const out = await l.advanceUntil(h.result());
        expect(sent).toEqual([1]);
        expect(told(out).map((p) => [p.outcome, p.output])).toEqual([
          ["done", "re_1"],
          ["done", "re_1"],
        ]);
        const log = await l.log(h.runId);
        const end = log.find((e) => e.eventType === "StepCompleted" && e.stepId === "3/tools/pay")!;
        expect(JSON.parse(end.payload!)).toMatchObject({ via: "kept", result: "re_1" });
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );

  it.each([
    ["fail", { once: true, onDoubt: "fail" }, 1, "unknown"],
    ["retry", { repeatable: true }, 2, "done"],
  ] as const)("without one, by configuration: %s", proves("A-10", "AX-35"), async (_, o, sends, outcome) => {
    const l = await fresh(kind);
    const sent: number[] = [];
    const pay = tool(pays, (i) => (sent.push(i.n), sent.length === 1 ? never() : "re_1"), o as { once: true });
    const a = agent({ name: "lost", model: scripted([call, "done"], { by: "conversation" }), tools: [pay] });
    const first = await l.engine([a], { lease: "1s" });
    const { runId } = await first.engine.start(a, { prompt: "x" }, { id: "r" });
    await l.advanceUntilLine(runId, "StepStarted 3/tools/pay");
    await l.advanceUntil(whenSo(l, () => sent.length > 0));
    first.kill();
    const { engine } = await l.engine([a], { lease: "1s" });
    const out = await l.advanceUntil((await engine.get(a, "r"))!.result());
    expect(sent).toHaveLength(sends);
    expect(told(out).map((p) => p.outcome)).toEqual([outcome]);
    expect(await l.advanceUntil(engine.decisions())).toEqual([]);
  });
});

it("onDoubt of a step: it fails as INDETERMINATE; beside repeatable it is refused", async () => {
  const l = await fresh("memory");
  let sent = 0;
  const wf = workflow({ name: "steps" }, async (ctx) => {
    try {
      await ctx.step("pay", () => (sent++, never()), { once: true, onDoubt: "fail" });
      return "?";
    } catch (e) {
      return (e as { category?: string }).category;
    }
  });
  const first = await l.engine([wf], { lease: "1s" });
  await first.engine.start(wf, undefined, { id: "r" });
  await l.advanceUntil(whenSo(l, () => sent > 0));
  first.kill();
  const { engine } = await l.engine([wf], { lease: "1s" });
  expect(await l.advanceUntil((await engine.get(wf, "r"))!.result())).toBe("INDETERMINATE");
  expect(sent).toBe(1);
  expect(() => task({ name: "t", input: z.any() }, () => 1, { repeatable: true, onDoubt: "fail" } as never)).toThrow("onDoubt");
});
