// Compensations that declare a guarantee, on every store: each class in the window where nobody knows whether the undoing happened,
// with an engine that dies in it. The counts are of what reached the outside world; the ledger must say the same.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fileEffectStore, task, workflow, type Compensation, type EffectStore, type Verdict, type Workflow } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

type Given = Exclude<Compensation<[result: { id: string }]>, (...args: never[]) => unknown>;
type Options = Omit<Given, "undo">;
interface Row {
  readonly name: string;
  readonly opts: Options;
  /** How often the undoing is asked for, when its engine dies after the first time and another takes over. */
  readonly sends: number;
  readonly ends: "undone" | "decision" | "failed";
  readonly class: string;
  readonly key?: string;
}
const says = (v: Verdict<unknown>) => async (): Promise<Verdict<unknown>> => v;

const rows: readonly Row[] = [
  { name: "none", opts: {}, sends: 2, ends: "undone", class: "UNDECLARED" },
  { name: "repeatable", opts: { repeatable: true }, sends: 2, ends: "undone", class: "REPEATABLE" },
  { name: "once", opts: { once: true }, sends: 1, ends: "decision", class: "AT-MOST-ONCE" },
  { name: "key", opts: { key: (c) => `refund-${c.id}` }, sends: 1, ends: "decision", class: "AT-MOST-ONCE", key: "refund-key" },
  { name: "keyed", opts: { key: (c) => `refund-${c.id}`, dedup: "1d" }, sends: 2, ends: "undone", class: "KEYED", key: "refund-keyed" },
  {
    name: "forgotten",
    opts: { key: (c) => `refund-${c.id}`, dedup: "5s", timeout: "1s" },
    sends: 1,
    ends: "decision",
    class: "KEYED",
    key: "refund-forgotten",
  },
  {
    name: "found",
    opts: { verify: async (c) => ({ state: "completed-with-result", result: c.id }) },
    sends: 1,
    ends: "undone",
    class: "VERIFIED",
  },
  {
    name: "not-completed",
    opts: { verify: says({ state: "not-completed" }), timeout: "1s", settle: 10 },
    sends: 2,
    ends: "undone",
    class: "VERIFIED",
  },
  { name: "lost", opts: { verify: says({ state: "completed-result-unavailable" }) }, sends: 1, ends: "failed", class: "VERIFIED" },
  { name: "unknown", opts: { verify: says({ state: "indeterminate" }) }, sends: 1, ends: "decision", class: "VERIFIED" },
];

describe.each(testStores)("compensations on %s", (_, open) => {
  const p = effectTest(open);
  const keys = new Map<string, Set<string>>();
  const refund = (id: string, key: string): number => {
    keys.set(id, (keys.get(id) ?? new Set()).add(key));
    return p.send(id);
  };

  it(
    "a compensation has the class its author declared: sent again, asked, or put to a person",
    proves("K19", "K25", "K27", "I6", "I7"),
    async () => {
      keys.clear();
      const wf = workflow({ name: "wf" }, async (ctx) => {
        const row = rows.find((r) => r.name === ctx.run.workflowId)!;
        await ctx.step("charge", () => ({ id: row.name }), {
          compensate: { undo: (c, s) => (refund(c.id, s.key) === 1 ? never() : undefined), ...row.opts } as Given,
        });
        ctx.fail("no");
      });
      const a = await p.engine({ workflows: [wf] });
      const runIds = new Map<string, string>();
      for (const r of rows) runIds.set(r.name, (await a.engine.start(wf, undefined, { id: r.name })).runId);
      await p.until(() => rows.every((r) => p.sent.get(r.name) === 1));
      const b = await p.takeOver(a, { workflows: [wf] });
      for (const r of rows) {
        const runId = runIds.get(r.name)!;
        if (r.ends === "decision") await p.until(async () => (await b.client.get(runId))?.waiting === "decision");
        else expect((await b.client.waitForEnd(runId)).status, r.name).toBe("FAILED");
        expect(p.sent.get(r.name), r.name).toBe(r.sends);
        expect(keys.get(r.name)?.size, `${r.name}: one key, however often`).toBe(1);
        const events = await b.client.events(runId);
        const started = events.find((e) => "stepId" in e && e.stepId === "charge/~compensate" && e.eventType === "StepStarted");
        expect(started?.payload, r.name).toMatchObject({ class: r.class, of: "charge", ...(r.key === undefined ? {} : { key: r.key }) });
        const last = events.at(-1);
        if (r.ends === "failed") expect(last?.payload, r.name).toMatchObject({ compensationsFailed: ["charge"] });
        if (r.ends === "undone") expect(last?.payload, r.name).not.toHaveProperty("compensationsFailed");
        const { effects } = await b.client.effects({ runId });
        if (r.class === "UNDECLARED" || r.class === "REPEATABLE") expect(effects, r.name).toEqual([]);
        else {
          expect(effects, r.name).toHaveLength(1);
          const phase = r.ends === "decision" ? "doubt" : "settled";
          const status = r.ends === "decision" ? "indeterminate" : "completed";
          expect(effects[0], r.name).toMatchObject({ stepId: "charge/~compensate", class: r.class, phase, status });
          if (r.key !== undefined) expect(effects[0]?.idempotencyKey).toBe(r.key);
        }
      }
      // A person ends what only a person can: it happened, it did not, or it is given up.
      const decisions = await b.engine.decisions();
      expect(decisions.map((d) => `${d.kind} ${d.workflowId}`).toSorted()).toEqual(
        rows
          .filter((r) => r.ends === "decision")
          .map((r) => `compensation ${r.name}`)
          .toSorted(),
      );
      const of = (name: string): string => decisions.find((d) => d.workflowId === name)!.decisionId;
      const who = { by: "ann", reason: "asked the bank" };
      await b.engine.resolve(of("once"), { ...who, happened: true });
      await b.engine.resolve(of("key"), { ...who, fail: true });
      p.testStore().advanceClock(120_000); // no request of it can still arrive
      await b.engine.resolve(of("forgotten"), { ...who, happened: false });
      for (const [name, failed, sends] of [
        ["once", false, 1],
        ["key", true, 1],
        ["forgotten", false, 2],
      ] as const) {
        const { runId } = (await b.client.get(name))!;
        expect((await b.client.waitForEnd(runId)).status).toBe("FAILED");
        expect("compensationsFailed" in ((await b.client.events(runId)).at(-1)!.payload as object), name).toBe(failed);
        expect(p.sent.get(name), name).toBe(sends);
      }
      const proof = await b.client.proof(runIds.get("keyed")!);
      // What it rests on is named with the line that declares it.
      expect(proof.assumptions.join("\n")).toMatch(
        /honours key refund-keyed for 24 h, as its dedup declares at test\/effects\/compensation\.test\.ts:\d+:\d+/,
      );
      expect(proof.effects.find((e) => e.stepId === "charge/~compensate")).toMatchObject({
        verdict: "once",
        sentence:
          "charge (compensation) for refund-keyed was attempted at most 2 times and took effect once, because its outcome is recorded, and every send had the same key inside the receiver's window (KEYED).",
      });
    },
  );

  it("it is recovered by what was recorded when it began, whatever the code declares today", proves("K19", "I6"), async () => {
    const wf = (opts: { once: true } | { repeatable: true }): Workflow<"wf", undefined, unknown> =>
      workflow({ name: "wf" }, async (ctx) => {
        await ctx.step("charge", () => ({ id: "c" }), { compensate: { undo: () => (p.send("refund"), never()), ...opts } });
        ctx.fail("no");
      });
    const before = wf({ once: true });
    const a = await p.engine({ workflows: [before] });
    const { runId } = await a.engine.start(before);
    await p.until(() => p.sent.get("refund") === 1);
    const b = await p.takeOver(a, { workflows: [wf({ repeatable: true })] });
    await p.until(async () => (await b.client.get(runId))?.waiting === "decision");
    expect(p.sent.get("refund")).toBe(1);
  });

  it(
    "a failed compensation that can be asked is asked; its retries and limits are its own; one without its key is never sent",
    proves("K19"),
    async () => {
      let asked = 0;
      const charge = task({ name: "charge", input: z.object({ id: z.string() }) }, async (i) => ({ charged: i.id }), {
        retry: { attempts: 9 },
        compensate: {
          undo: (r, i, s) => {
            p.send(`${r.charged} ${i.id} ${s.key}`);
            throw new Error("no line");
          },
          key: (r, i) => `refund-${r.charged}-${i.id}`,
          dedup: "1d",
          verify: async (r, i) => (
            asked++,
            r.charged === i.id && asked === 2 ? { state: "completed-with-result", result: 1 } : { state: "not-completed" }
          ),
          retry: { attempts: 2, initial: 1 },
        },
      });
      const bad = workflow({ name: "bad" }, async (ctx) => {
        await ctx.step("charge", () => 1, {
          compensate: {
            undo: () => p.send("bad"),
            key: () => {
              throw new Error("no number");
            },
          },
        });
        ctx.fail("no");
      });
      const wf = workflow({ name: "wf" }, async (ctx) => {
        await ctx.do(charge, { id: "c1" });
        ctx.fail("no");
      });
      const e = await p.engine({ workflows: [wf, bad] });
      const h = await e.engine.start(wf);
      expect((await e.client.waitForEnd(h.runId)).status).toBe("FAILED");
      // Sent, asked before the second attempt, sent again under the same key, asked when nothing is left: that time it says done.
      expect([...p.sent]).toEqual([["c1 c1 refund-c1-c1", 2]]);
      expect(asked).toBe(2);
      const undone = (await e.client.steps(h.runId)).find((s) => s.stepId === "charge/~compensate");
      expect(undone).toMatchObject({ status: "SUCCESS", class: "KEYED", attempts: 2 });
      expect((await e.client.proof(h.runId)).assumptions.join("\n")).toMatch(/declares at test\/effects\/compensation\.test\.ts:\d+:\d+/);
      const b = await e.engine.start(bad);
      expect((await e.client.waitForEnd(b.runId)).status).toBe("FAILED");
      const events = await e.client.events(b.runId);
      expect(events.at(-1)?.payload).toMatchObject({ compensationsFailed: ["charge"] });
      expect(events.find((x) => x.eventType === "StepFailed")?.payload).toMatchObject({ error: { message: "no number" } });
      expect(p.sent.get("bad")).toBeUndefined();
    },
  );

  it(
    "with an effect store a compensation's result is kept, and written back by whoever finds it",
    proves("A-05", "A-11", "C8"),
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
      try {
        const kept = fileEffectStore(dir);
        const dying: EffectStore = {
          ...kept,
          put: async (e) => {
            await kept.put(e);
            if (e.stepId === "charge/~compensate") await never();
          },
        };
        const wf = workflow({ name: "wf" }, async (ctx) => {
          await ctx.step("charge", () => 1, { compensate: { undo: () => p.send("refund"), once: true } });
          ctx.fail("no");
        });
        const a = await p.engine({ workflows: [wf], effectStore: dying });
        const { runId } = await a.engine.start(wf);
        await p.until(() => p.sent.get("refund") === 1);
        const b = await p.takeOver(a, { workflows: [wf], effectStore: kept });
        expect((await b.client.waitForEnd(runId)).status).toBe("FAILED");
        expect(p.sent.get("refund")).toBe(1);
        const done = (await b.client.events(runId)).findLast((e) => e.eventType === "StepCompleted");
        expect(done?.payload).toMatchObject({ via: "kept", result: 1 });
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );
});
