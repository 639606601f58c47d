// A run in the middle of its work, all that is derived from its events deleted: the ledger, the views, and what its row says of
// itself (the engine keeps no other checkpoints). It is made again from the events, and the run goes on as its untouched twin does. On every store.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const ids = ["whole", "deleted"] as const;

describe.each(testStores)("on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "all that is derived deleted, a run is made again from its events, and ends as its twin does",
    proves("C20", "AX-35", "AX-36"),
    async () => {
      const ran: string[] = [];
      const wf = workflow({ name: "wf", signals: { go: z.string() }, views: { stage: z.string() } }, async (ctx) => {
        const say = (what: string): string => (ran.push(`${what} of ${ctx.run.workflowId}`), what);
        const paid = await ctx.step("pay", () => say("paid"), { once: true });
        ctx.publish("stage", "paid");
        const kept = await ctx.step("keep", () => say("kept"), { key: `k-${ctx.run.workflowId}`, dedup: "1d" });
        const went = await ctx.receive("go");
        ctx.publish("stage", "gone");
        return [paid, kept, went, await ctx.step("ship", () => say("shipped"), { once: true })];
      });
      const client = b.client();
      const runIds = new Map<string, string>();
      for (const id of ids) runIds.set(id, (await client.start({ workflow: "wf", allowUnknown: true, id })).runId);
      const row = async (id: string): ReturnType<typeof b.store.run> => b.store.run({ runId: runIds.get(id)! });
      const derived = async (id: string): Promise<object> => {
        const r = (await row(id))!;
        const { effects } = await b.store.effects({ scope: r.scope, runId: r.runId, limit: 100 });
        const { status, headSeq, headLink, createdAt, inputDigest, rootRunId } = r;
        return { row: { status, headSeq, headLink, createdAt, inputDigest, rootRunId }, effects, views: await b.store.views(r.runId) };
      };
      const first = await b.engine({ workflows: [wf] });
      for (const id of ids)
        while ((await client.get(id))?.waiting !== "signal") await client.waitForChange(runIds.get(id)!, { timeoutMs: 20 });
      await first.engine.stop();

      const runId = runIds.get("deleted")!;
      const before = await derived("deleted");
      await b.tamper({ table: "effects", runId, set: null });
      await b.tamper({ table: "views", runId, set: null });
      const wrong = {
        status: "PENDING",
        headSeq: 1,
        headLink: "",
        stateVersion: 1,
        persistedAt: 1,
        createdAt: 2,
        inputDigest: "",
        rootRunId: "",
      };
      await b.tamper({ table: "runs", runId, set: { ...wrong, waiting: null } });
      expect(await derived("deleted")).not.toEqual(before);
      b.advanceClock(120_000); // the leases of those that wrote it have ended
      expect(await client.repairStore({ write: true })).toMatchObject({ written: true, left: [] });
      expect(await derived("deleted")).toEqual(before);

      const next = await b.engine({ store: await b.reopen(), workflows: [wf] });
      const logs: unknown[] = [];
      for (const id of ids) {
        await client.signal(id, "go", "went");
        expect(await client.waitForEnd(id), id).toMatchObject({ status: "COMPLETED", result: ["paid", "kept", "went", "shipped"] });
        logs.push((await client.events(id)).map((e) => [e.runSeq, e.eventType, e.stepId, e.payload?.["result"]]));
        expect(await b.store.views(runIds.get(id)!), id).toEqual({ stage: '"gone"' });
      }
      expect(logs[1]).toEqual(logs[0]);
      expect(ran.toSorted()).toEqual(
        ids.flatMap((id) => ["kept", "paid", "shipped"].map((what) => `${what} of ${id}`)).toSorted((x, y) => (x < y ? -1 : 1)),
      );
      expect((await client.verifyStore()).findings).toEqual([]);
      await next.engine.stop();
    },
  );

  it(
    "so is one that sleeps, one between two attempts, and one that waits for a person: each goes on as it was",
    proves("C20", "AX-36"),
    async () => {
      const ran: string[] = [];
      let fails = true;
      const asleep = workflow({ name: "asleep" }, async (ctx) => {
        await ctx.sleep("nap", "2s");
        return "woke";
      });
      const tries = workflow({ name: "tries" }, (ctx) =>
        ctx.step(
          "try",
          ({ attempt }) => {
            ran.push(`try ${attempt.logical}`);
            if (fails) throw new Error("not yet");
            return `done at ${attempt.logical}`;
          },
          { key: "t", dedup: "1d", retry: { attempts: 3, initial: "2s", backoff: "fixed" } },
        ),
      );
      const asks = workflow({ name: "asks" }, (ctx) =>
        ctx.step("once", () => (ran.push("once"), new Promise<string>(() => {})), { once: true, timeout: "50ms" }),
      );
      const workflows = [asleep, tries, asks];
      const waits = { asleep: "timer", tries: "retry", asks: "decision" } as const;
      const client = b.client();
      for (const { name } of workflows) await client.start({ workflow: name, allowUnknown: true, id: name });
      const first = await b.engine({ workflows });
      for (const [id, waiting] of Object.entries(waits))
        while ((await client.get(id))?.waiting !== waiting) await client.waitForChange(id, { timeoutMs: 20 });
      await first.engine.stop();
      const state = async (): Promise<unknown> =>
        Promise.all(
          workflows.map(async ({ name: id }) => {
            const { runId, scope, status, headSeq, headLink } = (await b.store.run({ runId: (await client.get(id))!.runId }))!;
            const { effects } = await b.store.effects({ scope, runId, limit: 100 });
            return { id, status, headSeq, headLink, effects }; // what it waits for is found by the engine that looks
          }),
        );
      const before = await state();
      for (const { name: id } of workflows) {
        const { runId } = (await client.get(id))!;
        if (id !== "asleep") await b.tamper({ table: "effects", runId, set: null });
        await b.tamper({
          table: "runs",
          runId,
          set: { status: "PENDING", headSeq: 1, headLink: "", stateVersion: 1, persistedAt: 1, waiting: null },
        });
      }
      b.advanceClock(120_000);
      expect(await client.repairStore({ write: true })).toMatchObject({ written: true, left: [] });
      expect(await state()).toEqual(before);

      fails = false;
      const next = await b.engine({ store: await b.reopen(), workflows });
      expect(await client.waitForEnd("asleep")).toMatchObject({ status: "COMPLETED", result: "woke" });
      expect(await client.waitForEnd("tries")).toMatchObject({ status: "COMPLETED", result: "done at 2" });
      while ((await client.get("asks"))?.waiting !== "decision") await client.waitForChange("asks", { timeoutMs: 20 });
      const [d] = await client.decisions();
      await client.resolve(d!.decisionId, { happened: true, result: "it did", by: "ann", reason: "asked" });
      expect(await client.waitForEnd("asks")).toMatchObject({ status: "COMPLETED", result: "it did" });
      expect(ran.toSorted()).toEqual(["once", "try 1", "try 2"]);
      expect((await client.verifyStore()).findings).toEqual([]);
      await next.engine.stop();
    },
  );
});
