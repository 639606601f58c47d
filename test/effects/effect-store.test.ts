// Split mode: results kept in an effect store of its own, before the store is told. Every window between the two is reached,
// with an engine that dies in it, and in none of them is the effect repeated; what is kept is written back.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fileEffectStore, workflow, type EffectStore, type RunEventRecord, type StepOpts } from "../../src/index.ts";
import vectors from "../../contract/vectors/ProvableSemantics.vectors.json" with { type: "json" };
import { aetherisTraceKey, invocationKey } from "../../src/events/event-key.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { effectStoreSuite } from "../../src/store/suite/effect-store.ts";
import { testStores } from "../support/test-store.ts";
import { effectStoreKinds, type TestEffectStore } from "../support/effect-stores.ts";
import { testClusters, storeKinds } from "../support/test-cluster.ts";
import { effectTest } from "./effect-test.ts";
import { proves } from "../support/proves.ts";

const places: TestEffectStore[] = [];
const madeBy = async (make: () => Promise<TestEffectStore>): Promise<TestEffectStore> => {
  const made = await make();
  places.push(made);
  return made;
};
afterEach(async () => {
  for (const x of places.splice(0)) await x.remove();
});

describe.each(effectStoreKinds)("an effect store: %s", (_, make) => {
  for (const c of effectStoreSuite)
    it(c.title, proves(...c.ids), async () => {
      const { open } = await madeBy(make);
      await expect(c.run(open)).resolves.toBeUndefined();
    });
});

describe("keys", () => {
  it("the internal key is SHA-256 of run, step, name and canonical arguments, joined by NUL", proves("A-22", "A-26", "A-27"), () => {
    for (const v of vectors.invocationKey) expect(invocationKey(v.jobId, v.nodeId, v.toolName, v.canonicalArgs)).toBe(v.expected);
    expect(invocationKey("a", "b", "c", "")).not.toBe(invocationKey("a", "b", "c", "{}"));
  });

  it("the external key has its exact form, and attempt 0 when there is none", proves("A-28"), () => {
    for (const v of vectors.externalKey) expect(aetherisTraceKey(v.jobId, v.stepId, v.attemptId)).toBe(v.expected);
  });

  it("a file that is kept is whole: nothing half written stands beside it", async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-kept-"));
    await fileEffectStore(dir).put({ version: 1, runId: "r", key: "k", stepId: "s", result: "1", keptAt: 1 });
    expect(readdirSync(dir)).toHaveLength(1);
    rmSync(dir, { recursive: true, force: true });
  });
});

/** The store without its ledger: as if what follows the events had not been written. */
const withoutLedger = (s: FullStore): FullStore => ({
  ...s,
  commit: (batch, renew) =>
    s.commit(
      batch.map((c) => ({ ...c, effects: [] })),
      renew,
    ),
});

interface Dies {
  readonly hit?: string;
  readonly afterPut?: boolean;
  readonly wrap?: (s: FullStore) => FullStore;
}

describe.each(testStores)("windows of split mode on %s", (_, open) => {
  const p = effectTest(open);
  const payloadOf = (e: RunEventRecord | undefined): unknown => e?.payload;

  /** One step; the first engine dies where `dies` says, another takes over, and what comes of it is told. */
  async function crash(dies: Dies, opts: StepOpts<unknown>, make: () => Promise<TestEffectStore>) {
    const real = await (await madeBy(make)).open();
    let sent = 0;
    const traces: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      const result = await ctx.step<unknown>("s", (s) => (traces.push(s.aetherisTraceKey), `sent ${++sent}`), opts);
      await ctx.step("after", () => 1, { repeatable: true }); // the run has not ended when the outcome of s is in the log
      return result;
    });
    const first: { die(): void } = { die: () => {} };
    const dying: EffectStore = {
      ...real,
      put: async (e) => {
        await real.put(e);
        if (dies.afterPut === true) first.die();
      },
    };
    const { hit, wrap } = dies;
    const a = await p.engine(
      { workflows: [wf], effectStore: dying },
      { ...(hit === undefined ? {} : { onHit: (x) => x === hit }), ...(wrap === undefined ? {} : { wrap }) },
    );
    first.die = () => a.kill();
    // Queued by somebody who has no code for it, so that an engine that dies at once leaves the run behind.
    const { runId } = await p.testStore().client().start({ workflow: "wf" });
    await p.until(() => !a.alive);
    const left = (await p.testStore().client().get(runId))?.status;
    const b = await p.takeOver(a, { workflows: [wf], effectStore: real });
    await p.until(async () => {
      const r = await b.client.get(runId);
      return r?.status === "COMPLETED" || r?.waiting === "decision";
    });
    const { waiting } = (await b.client.get(runId))!;
    const result = waiting === "decision" ? undefined : (await b.client.waitForEnd(runId)).result;
    const events = await b.client.events(runId);
    await b.stop(); // the next crash of this test is another engine's
    await real.close();
    return { sent, left, result, waiting, events, traces };
  }
  const once: StepOpts<unknown> = { once: true, input: { b: 2, a: 1 } };

  it(
    "start, function, kept result, outcome with its record: in this order, both payloads with the key",
    proves("A-03", "A-15", "A-16", "A-17", "A-18", "A-19", "A-20", "A-21", "A-24"),
    async () => {
      for (const [kind, make] of effectStoreKinds) {
        const order: string[] = [];
        const real = await (await madeBy(make)).open();
        const wf = workflow({ name: "wf" }, async (ctx) =>
          ctx.step("s", () => (order.push("function"), 7), { once: true, input: { b: 2, a: 1 } }),
        );
        const watch = (s: FullStore): FullStore => ({
          ...s,
          commit: async (batch, renew) => {
            const answer = await s.commit(batch, renew);
            for (const c of batch)
              for (const e of c.events) order.push(`${e.eventType}${(c.effects ?? []).map((x) => ` ${x.status}`).join("")}`);
            return answer;
          },
        });
        const effectStore = { ...real, put: async (k: Parameters<EffectStore["put"]>[0]) => (await real.put(k), void order.push("kept")) };
        const e = await p.engine({ workflows: [wf], effectStore }, { wrap: watch });
        const h = await e.engine.start(wf, undefined, { id: kind });
        expect(await h.result()).toBe(7);
        expect(order, kind).toEqual([
          "RunStarted indeterminate",
          "StepStarted indeterminate",
          "function",
          "kept",
          "StepCompleted completed",
          "RunCompleted completed",
        ]);
        const events = await e.client.events(h.runId);
        const key = invocationKey(h.runId, "s", "s", '{"a":1,"b":2}');
        for (const type of ["StepStarted", "StepCompleted"])
          expect(payloadOf(events.find((x) => x.eventType === type))).toMatchObject({ invocation: key });
        expect(await real.get(h.runId, key)).toMatchObject({ stepId: "s", result: "7" });
        await e.stop();
        await real.close();
      }
    },
  );

  it("window 1, before the start is recorded: it runs once", proves("A-09"), async () => {
    for (const [, make] of effectStoreKinds) expect(await crash({ hit: "s:A" }, once, make)).toMatchObject({ sent: 1, result: "sent 1" });
  });

  it("window 2, after the effect and before its result is kept: never repeated, a person decides", proves("A-10", "A-14"), async () => {
    for (const [, make] of effectStoreKinds)
      expect(await crash({ hit: "s:D" }, once, make)).toMatchObject({ sent: 1, waiting: "decision" });
  });

  it(
    "window 3, kept and not in the log: the result is written back, nothing is sent",
    proves("A-02", "A-05", "A-06", "A-11", "A-23", "A-25", "A-26", "A-27", "C8", "AX-07", "AX-08"),
    async () => {
      const declared: StepOpts<unknown>[] = [
        { once: true },
        { key: "k", dedup: "1d" },
        { verify: async () => ({ state: "indeterminate" }) },
      ];
      for (const [i, [, make]] of effectStoreKinds.entries()) {
        const c = await crash({ afterPut: true }, declared[i % declared.length]!, make);
        expect(c).toMatchObject({ sent: 1, result: "sent 1" });
        expect(payloadOf(c.events.find((x) => x.eventType === "StepCompleted"))).toMatchObject({ via: "kept", result: "sent 1" });
      }
    },
  );

  it("window 4, in the log and not in the ledger: the log's result is used, nothing is sent", proves("A-04", "A-07", "A-12"), async () => {
    p.testStore().skipVerification(); // a ledger without its records is not what an engine leaves
    for (const [, make] of effectStoreKinds)
      expect(await crash({ hit: "s:E", wrap: withoutLedger }, once, make)).toMatchObject({ sent: 1, left: "RUNNING", result: "sent 1" });
  });

  it("window 5, in log and ledger: the recorded result is used", proves("A-13"), async () => {
    for (const [, make] of effectStoreKinds)
      expect(await crash({ hit: "s:E" }, once, make)).toMatchObject({ sent: 1, left: "RUNNING", result: "sent 1" });
  });

  it("the external key is given to the step, and a take-over changes its attempt", proves("A-29", "A-30"), async () => {
    const c = await crash({ hit: "s:D" }, { repeatable: true }, effectStoreKinds[0]![1]);
    expect(c.sent).toBe(2);
    const runId = /^aetheris:([^:]+):s:1$/.exec(c.traces[0] ?? "")?.[1];
    expect(c.traces).toEqual([`aetheris:${runId}:s:1`, `aetheris:${runId}:s:2`]);
  });
});

const fresh = testClusters();

describe.each(storeKinds)("an effect store that fails, on %s", (kind) => {
  it("a result that cannot be kept is recorded all the same; one that cannot be looked for is not sent again", async () => {
    const l = await fresh(kind);
    let sent = 0;
    const broken: EffectStore = {
      name: "broken",
      put: () => Promise.reject(new Error("full")),
      get: () => Promise.reject(new Error("away")),
      close: async () => {},
    };
    const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", () => ++sent, { key: "k", dedup: "1d" }));
    const a = await l.engine([wf], { effectStore: broken });
    expect(await l.advanceUntil(a.engine.run(wf))).toBe(1);
    expect(a.logs.some((x) => x.message.includes("could not be stored in the effect store: full"))).toBe(true);
    const b = await l.engine([wf], { lease: "1s", effectStore: broken, onHit: (p) => p === "s:D" });
    void b.engine.start(wf, undefined, { id: "w" });
    await l.platform.advance(2_000);
    await l.engine([wf], { lease: "1s", effectStore: broken });
    await l.platform.advance(20_000);
    expect(sent).toBe(2); // one each; the second is not sent again while nobody can look
    expect((await l.byWorkflowId("w")).status).toBe("RUNNING");
  });
});
