// Effects that were under way when their engine died, on every store: what the ledger says of them meanwhile, and what each
// answer of verify, each class and each missing declaration leads to. Many runs die in one crash, each a row of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fileEffectStore, StepError, workflow } from "../../src/index.ts";
import type { EffectStore, StepOpts, Verdict } from "../../src/index.ts";
import { testStores } from "../support/test-store.ts";
import { never, effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

interface Row {
  readonly name: string;
  readonly opts: StepOpts<unknown>;
  /** What the run comes to; "decision" = it waits for a person. */
  readonly ends: string;
  readonly sends: number;
  readonly record: { readonly status: string; readonly phase: string } | null;
}
const says = (v: unknown) => async (): Promise<Verdict<unknown>> => v as Verdict<unknown>;
const doubt = { status: "indeterminate", phase: "doubt" } as const;
const done = { status: "completed", phase: "settled" } as const;

const rows: readonly Row[] = [
  { name: "none", opts: {}, ends: "sent 2", sends: 2, record: null },
  { name: "repeatable", opts: { repeatable: true }, ends: "sent 2", sends: 2, record: null },
  { name: "once", opts: { once: true }, ends: "decision", sends: 1, record: doubt },
  { name: "key", opts: { key: "k1" }, ends: "decision", sends: 1, record: doubt },
  { name: "keyed", opts: { key: "k2", dedup: "1d" }, ends: "sent 2", sends: 2, record: done },
  { name: "forgotten", opts: { key: "k3", dedup: "5s", timeout: "1s" }, ends: "decision", sends: 1, record: doubt },
  {
    name: "not-completed",
    opts: { verify: says({ state: "not-completed" }), timeout: "1s", settle: 10 },
    ends: "sent 2",
    sends: 2,
    record: done,
  },
  {
    name: "with-result",
    opts: { verify: says({ state: "completed-with-result", result: "found" }) },
    ends: "found",
    sends: 1,
    record: done,
  },
  {
    name: "unavailable",
    opts: { verify: says({ state: "completed-result-unavailable" }) },
    ends: "RESULT_UNAVAILABLE",
    sends: 1,
    record: done,
  },
  {
    name: "indeterminate",
    opts: { verify: says({ state: "indeterminate", reason: "the bank is shut" }) },
    ends: "decision",
    sends: 1,
    record: doubt,
  },
  { name: "boolean", opts: { verify: says(true) }, ends: "decision", sends: 1, record: doubt },
  { name: "throws", opts: { verify: () => Promise.reject(new Error("unreachable")) }, ends: "decision", sends: 1, record: doubt },
  {
    name: "contradicts",
    opts: { key: "k4", dedup: "1d", verify: says({ state: "not-completed", result: 1 }) },
    ends: "decision",
    sends: 1,
    record: doubt,
  },
];

describe.each(testStores)("effects under way when their engine died, on %s", (_, open) => {
  const p = effectTest(open);
  const wf = workflow({ name: "wf" }, async (ctx) => {
    const row = rows.find((r) => r.name === ctx.run.workflowId)!;
    return ctx
      .step<unknown>(
        "send",
        () => {
          const n = p.send(row.name);
          return n === 1 ? never() : `sent ${n}`;
        },
        row.opts,
      )
      .catch((e: unknown) => (e as StepError).category);
  });

  it(
    "each class and each answer of verify leads to its own end, and a record never says more than is known",
    proves("W-011", "W-017", "W-024", "W-025", "W-026", "W-027", "W-028", "W-031", "W-036", "W-037", "W-038", "W-039", "W-040", "A-10"),
    async () => {
      const a = await p.engine({ workflows: [wf] });
      const runIds = new Map<string, string>();
      for (const r of rows) runIds.set(r.name, (await a.engine.start(wf, undefined, { id: r.name })).runId);
      await p.until(() => rows.every((r) => p.sent.get(r.name) === 1));
      // Meanwhile every record says indeterminate, dispatched: nothing claims to know how it will end.
      for (const r of rows.filter((x) => x.record !== null)) {
        const record = await p.record(a, runIds.get(r.name)!);
        expect(record, r.name).toMatchObject({ status: "indeterminate", phase: "dispatched" });
        expect(record, r.name).not.toHaveProperty("result");
      }
      const b = await p.takeOver(a, { workflows: [wf] });
      for (const r of rows) {
        const runId = runIds.get(r.name)!;
        if (r.ends === "decision") {
          await p.until(async () => {
            const { status, waiting } = (await b.client.get(runId))!;
            return waiting === "decision" || status !== "RUNNING";
          });
          expect((await b.client.get(runId))?.waiting, r.name).toBe("decision");
        } else expect((await b.client.waitForEnd(runId)).result, r.name).toBe(r.ends);
        expect(p.sent.get(r.name), r.name).toBe(r.sends);
        if (r.record === null) expect((await b.client.effects({ runId })).effects, r.name).toEqual([]);
        else expect(await p.record(b, runId), r.name).toMatchObject(r.record);
      }
      const recordOf = (name: string): ReturnType<typeof p.record> => p.record(b, runIds.get(name)!);
      // W-040: a result is presented only where a durable record or verify supplied it.
      expect((await recordOf("with-result")).result).toBe("found");
      expect(await recordOf("unavailable")).not.toHaveProperty("result");
      expect((await recordOf("unavailable")).error).toMatchObject({ category: "RESULT_UNAVAILABLE" });
      for (const r of rows.filter((x) => x.ends === "decision")) expect(await recordOf(r.name), r.name).not.toHaveProperty("result");
      // W-036, W-037: the diagnosis is kept.
      expect((await recordOf("indeterminate")).error).toEqual({ code: "PAWL2002", reason: "the bank is shut" });
      expect((await recordOf("boolean")).error).toEqual({
        code: "PAWL2002",
        reason: expect.stringContaining("verify gave none of its four answers"),
      });
      expect((await recordOf("throws")).error).toEqual({ code: "PAWL2002", reason: "verify threw Error: unreachable" });
      expect((await recordOf("contradicts")).error).toEqual({
        code: "PAWL2014",
        reason: "verify contradicts itself: not-completed, and a result",
      });
      expect((await recordOf("forgotten")).error).toMatchObject({ code: "PAWL2003" });
      expect((await b.engine.decisions()).map((d) => d.workflowId).toSorted()).toEqual(
        rows
          .filter((r) => r.ends === "decision")
          .map((r) => r.name)
          .toSorted(),
      );
    },
  );

  it(
    "with an effect store: what was kept is written back, what was not is put to a person, what is recorded stays",
    proves("A-05", "A-06", "A-10", "A-11", "A-13", "A-14", "C8", "AX-07", "AX-08", "AX-35", "AX-36"),
    async () => {
      const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
      try {
        const kept = fileEffectStore(dir);
        const dying: EffectStore = {
          ...kept,
          put: async (e) => {
            await kept.put(e);
            if (e.result === '"kept"') await never(); // its process dies before the store is told
          },
        };
        const split = workflow({ name: "split", signals: { go: z.any() } }, async (ctx) => {
          const id = ctx.run.workflowId;
          const result = await ctx.step<string>("send", () => (p.send(id), id === "lost" ? never() : id), { once: true });
          await ctx.receive("go");
          return result;
        });
        const a = await p.engine({ workflows: [split], effectStore: dying });
        const ids = ["kept", "lost", "recorded"];
        for (const id of ids) await a.engine.start(split, undefined, { id });
        await p.until(async () => (await a.client.get("recorded"))?.waiting === "signal" && ids.every((id) => p.sent.get(id) === 1));
        const b = await p.takeOver(a, { workflows: [split], effectStore: kept });
        for (const id of ids) await b.client.signal(id, "go", 1);
        expect([(await b.client.waitForEnd("kept")).result, (await b.client.waitForEnd("recorded")).result]).toEqual(["kept", "recorded"]);
        await p.until(async () => (await b.client.get("lost"))?.waiting === "decision");
        expect(ids.map((id) => p.sent.get(id))).toEqual([1, 1, 1]);
        const completed = (await b.client.events("kept")).find((e) => e.eventType === "StepCompleted");
        expect(completed?.payload).toMatchObject({ via: "kept", result: "kept" });
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  );
});
