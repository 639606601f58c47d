// Consumers of a log: a reader with a checkpoint, a follower, the owner itself. Their progress is runSeq, in order, one by
// one, over events they know and events they do not; a hint is never a fact. Nothing here may depend on a clock.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { workflow } from "../../src/index.ts";
import { EventMaker } from "../../src/events/event-maker.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Hint } from "../../src/store/port.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const two = workflow({ name: "two", input: z.number() }, async (ctx, n) => (await ctx.step("a", () => n)) + (await ctx.step("b", () => n)));
const serves = [{ workflow: "two", version: "1" }];

describe.each(testStores)("consumers on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  /** An owner of a later version leaves an event that this one has never heard of, and lets the run go. */
  async function plant(runId: string): Promise<void> {
    await b.store.registerEngine({ engineId: "later", leaseMs: 60_000, serves });
    const [row] = await b.store.claim({ engineId: "later", scope: defaultScope, serves, control: false, runId, limit: 1, tokens: ["t"] });
    if (row === undefined) throw new RangeError("not claimed");
    const maker = new EventMaker({ runId, scope: defaultScope, planId: "two", planVersion: "1" }, b.platform, {
      seq: row.headSeq,
      link: row.headLink,
      sealedAt: row.persistedAt,
    });
    const proto = {
      eventType: "acme.Audited",
      stepId: null,
      logicalAttemptId: 1,
      engineAttemptId: 1,
      emittedAt: b.platform.wallMs(),
      payload: '{"by":{"any":["body"]}}',
    };
    const { answers } = await b.store.commit([
      {
        commitId: "planted",
        runId,
        expect: { fence: row.fence, stateVersion: row.stateVersion },
        events: [maker.make(proto, row.stateVersion + 1)],
        status: row.status,
        waiting: null,
        due: { at: 0, inMs: null },
        release: true,
        notBefore: null,
        taken: [],
        consumed: [],
        replies: [],
        views: [],
        children: [],
        notices: [],
        moveInboxTo: null,
      },
    ]);
    expect(answers).toMatchObject([{ kind: "committed" }]);
  }

  it(
    "an event of an unknown type is shown as it is, moves every checkpoint by one, and changes no state",
    proves("D-017", "D-018", "D-019", "D-020"),
    async () => {
      const client = b.client();
      const { runId } = await client.start({ workflow: "two", allowUnknown: true, input: 2, id: "x" });
      await plant(runId);
      expect(await client.get("x")).toMatchObject({ status: "PENDING", headSeq: 2 });
      const { engine } = await b.engine({ workflows: [two] });
      expect(await (await engine.get(two, "x"))?.result()).toBe(4);

      // A reader that takes one event at a time, and begins anew from its checkpoint each time.
      const seen: { readonly seq: number; readonly type: string; readonly payload: unknown }[] = [];
      for (let watermark = 0; ;) {
        const [e] = await b.client(await b.reopen()).events("x", { after: watermark, limit: 1 });
        if (e === undefined) break;
        expect(e.runSeq).toBe(watermark + 1);
        watermark = e.runSeq;
        seen.push({ seq: e.runSeq, type: e.eventType, payload: e.payload });
      }
      expect(seen.map((e) => e.type)).toEqual([
        "RunQueued",
        "acme.Audited",
        "RunStarted",
        "StepStarted",
        "StepCompleted",
        "StepStarted",
        "StepCompleted",
        "RunCompleted",
      ]);
      expect(seen[1]?.payload).toEqual({ by: { any: ["body"] } });

      const followed: number[] = [];
      for await (const e of (await engine.get(two, "x"))!.events({ follow: true, after: 1 })) followed.push(e.runSeq);
      expect(followed).toEqual([2, 3, 4, 5, 6, 7, 8]);
    },
  );

  it(
    "hints carry no place in the log and decide nothing: false ones change no state, and followers go by runSeq",
    proves("D-021", "D-022"),
    async () => {
      const listeners = new Set<(h: Hint) => void>();
      const noisy: FullStore = {
        ...b.store,
        watch(listener) {
          listeners.add(listener);
          const off = b.store.watch(listener);
          return () => {
            listeners.delete(listener);
            off();
          };
        },
      };
      const gate: { open?: () => void } = {};
      const held = workflow({ name: "held" }, async (ctx) => {
        await ctx.step("hold", () => new Promise<void>((resolve) => (gate.open = resolve)));
        return ctx.step("then", () => "done");
      });
      const { engine } = await b.engine({ store: noisy, workflows: [held] });
      const h = await engine.start(held, undefined, { id: "n" });
      await expect.poll(() => gate.open, { timeout: 20_000 }).toBeDefined();
      const followed: string[] = [];
      const following = (async () => {
        for await (const e of h.events({ follow: true })) followed.push(`${e.runSeq} ${e.eventType}`);
      })();
      const lie = async (): Promise<void> => {
        for (const kind of ["settled", "inbox", "due", "reply", "any"] as const)
          for (const tell of listeners)
            for (const runId of [h.runId, "nobody", undefined]) tell(runId === undefined ? { kind } : { kind, runId });
        await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const before = await b.store.run({ runId: h.runId });
      for (let i = 0; i < 5; i++) await lie();
      expect(await b.store.run({ runId: h.runId })).toEqual(before);
      expect(await h.status()).toEqual({ status: "RUNNING" });
      gate.open!();
      await lie();
      expect(await h.result()).toBe("done");
      await following;
      expect(followed).toEqual(["1 RunStarted", "2 StepStarted", "3 StepCompleted", "4 StepStarted", "5 StepCompleted", "6 RunCompleted"]);
    },
  );
});
