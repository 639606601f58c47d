// The engine as a producer of events: ids that outlive replays, payloads wherever there is something to say, the store's
// clock for every window, and silence where the log forbids the next event. Seen through the client, on memory and SQLite.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { openEngine } from "../../src/client/engine.ts";
import { Fatal, workflow, type RunEventRecord } from "../../src/index.ts";
import { EventMaker } from "../../src/events/event-maker.ts";
import type { Commit, EventWrite } from "../../src/store/port.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const one = workflow({ name: "one", input: z.number() }, async (ctx, n) => ctx.step("a", () => n));
const serves = [{ workflow: "one", version: "1" }];
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const payloadOf = (events: readonly RunEventRecord[], type: string): unknown => events.find((e) => e.eventType === type)?.payload;

describe.each(testStores)("the producer on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it("an event emitted again under another id is answered with the id that is recorded, which stays", proves("D-055"), async () => {
    const { engine, client } = await b.engine({ workflows: [one] });
    await engine.run(one, 1, { id: "x" });
    const log = await client.events("x");
    for (const { runSeq, persistedAt: _persisted, ...write } of log) {
      const answer = await client.append({ ...write, eventId: randomUUID() } as never);
      expect(answer).toMatchObject({ eventId: log[runSeq - 1]?.eventId, runSeq, idempotent: true, persisted: false });
    }
    expect(await client.events("x")).toEqual(log);
  });

  it(
    "ids made in replayed code or in a step are the same after a replay, and so are the log's own",
    proves("D-043", "D-056", "D-057"),
    async () => {
      const made: string[] = [];
      const drawn: string[] = [];
      const ids = workflow({ name: "ids", signals: { go: z.any() } }, async (ctx) => {
        const first = ctx.uuid();
        const random = await ctx.step("random", () => {
          drawn.push(first);
          made.push(randomUUID());
          return made.at(-1)!;
        });
        await ctx.receive("go");
        return [first, random, ctx.uuid()];
      });
      const before = await b.engine({ workflows: [ids] });
      await before.engine.start(ids, undefined, { id: "x" });
      await expect.poll(async () => (await before.client.get("x"))?.waiting, { timeout: 20_000 }).toBe("signal");
      const log = await before.client.events("x");
      await before.engine.stop();
      const after = await b.engine({ store: await b.reopen(), workflows: [ids] });
      await after.client.signal("x", "go", null);
      const end = (await after.client.waitForEnd("x")) as { result: string[] };
      // The code ran twice, the step once: what the first owner drew is what the second returned.
      expect([drawn, made]).toEqual([[end.result[0]], [end.result[1]]]);
      expect(end.result[0]).toMatch(v4);
      expect(new Set(end.result).size).toBe(3);
      const whole = await after.client.events("x");
      expect(whole.slice(0, log.length)).toEqual(log);
      for (const e of whole) expect([e.eventId, e.engineAttemptId]).toEqual([expect.stringMatching(v4), 1]);
    },
  );

  it("errors, outputs and reasons are in the payload of the event that has them", proves("D-058"), async () => {
    const talk = workflow({ name: "talk", signals: { go: z.any() } }, async (ctx) => {
      await ctx.step("bad", () => Promise.reject(new Fatal("no such account"))).catch(() => {});
      await ctx.step("good", () => ({ n: 7 }));
      await ctx.receive("go");
    });
    const { engine, client } = await b.engine({ workflows: [talk, one] });
    const h = await engine.start(talk, undefined, { id: "x" });
    await expect.poll(async () => (await h.status()).waiting, { timeout: 20_000 }).toBe("signal");
    const reach = async (status: string): Promise<void> => {
      await expect.poll(async () => (await h.status()).status, { timeout: 20_000 }).toBe(status);
    };
    await h.pause("lunch");
    await reach("PAUSED");
    await h.resume("back");
    await reach("RUNNING");
    await h.cancel("no longer wanted");
    await reach("CANCELLED");
    const log = await client.events("x");
    expect(payloadOf(log, "StepFailed")).toMatchObject({ error: { message: "no such account" } });
    expect(payloadOf(log, "StepCompleted")).toMatchObject({ result: { n: 7 } });
    expect(payloadOf(log, "RunPaused")).toMatchObject({ reason: "lunch" });
    expect(payloadOf(log, "RunResumed")).toMatchObject({ reason: "back" });
    expect(payloadOf(log, "RunCancelled")).toMatchObject({ reason: "no longer wanted" });
    await engine.run(one, 5, { id: "y" });
    expect(payloadOf(await client.events("y"), "RunCompleted")).toMatchObject({ result: 5 });
  });

  it("what is shown and sorted by time goes by persistedAt, however wrong the engine's clock is", proves("D-040"), async () => {
    const ahead = { ...b.platform, wallMs: () => b.platform.wallMs() + 3_600_000 };
    const { engine, client } = await openEngine(
      { platform: ahead, log: () => {}, open: async () => b.store },
      { store: b.store, workflows: [one] },
    );
    const from = b.platform.wallMs();
    await engine.run(one, 1, { id: "x" });
    const until = b.platform.wallMs();
    await engine.stop();
    const log = await client.events("x");
    const near = 60_000; // the store's clock and this machine's need not agree to the millisecond; the engine's is an hour off
    const inside = (text: string | undefined): boolean => Date.parse(text ?? "") >= from - near && Date.parse(text ?? "") <= until + near;
    expect(log.every((e) => inside(e.persistedAt))).toBe(true);
    const [step] = await client.steps("x");
    const run = await client.get("x");
    expect([step?.startedAt, step?.endedAt, run?.createdAt, run?.updatedAt].every(inside)).toBe(true);
    expect(step?.endedAt).toBe(log.find((e) => e.eventType === "StepCompleted")?.persistedAt);
  });

  /** A rogue owner writes what the transition table forbids, past the engine's guard. */
  async function rogue(runId: string, events: (maker: EventMaker, version: number) => EventWrite[]): Promise<void> {
    await b.store.registerEngine({ engineId: "rogue", leaseMs: 60_000, serves });
    const [row] = await b.store.claim({ engineId: "rogue", scope: defaultScope, serves, control: false, runId, limit: 1, tokens: ["t"] });
    const maker = new EventMaker({ runId, scope: defaultScope, planId: "one", planVersion: "1" }, b.platform, {
      seq: row!.headSeq,
      link: row!.headLink,
      sealedAt: row!.persistedAt,
    });
    const none = {
      notBefore: null,
      taken: [],
      consumed: [],
      replies: [],
      views: [],
      children: [],
      notices: [],
      moveInboxTo: null,
    } as const;
    const commit: Commit = {
      commitId: "rogue",
      runId,
      expect: { fence: row!.fence, stateVersion: row!.stateVersion },
      events: events(maker, row!.stateVersion + 1),
      status: row!.status,
      waiting: null,
      due: { at: 0, inMs: null },
      release: true,
      ...none,
    };
    expect((await b.store.commit([commit])).answers).toMatchObject([{ kind: "committed" }]);
  }
  const proto = (eventType: string, stepId: string | null) => ({
    eventType,
    stepId,
    logicalAttemptId: 1,
    engineAttemptId: 1,
    emittedAt: 1,
    payload: null,
  });

  it("what the producer's guard was bypassed with is still not believed by whoever folds the log", proves("D-102"), async () => {
    b.skipVerification();
    const client = b.client();
    const { runId } = await client.start({ workflow: "one", allowUnknown: true, input: 3, id: "x" });
    await rogue(runId, (maker, version) => [maker.make(proto("StepCompleted", "ghost"), version)]);
    expect(await client.steps("x")).toEqual([]);
    const { engine } = await b.engine({ workflows: [one] });
    expect(await (await engine.get(one, "x"))?.result()).toBe(3);
    expect((await client.steps("x")).map((s) => s.stepId)).toEqual(["a"]);
  });

  it(
    "where the log forbids the next event the engine says so, emits nothing more for that run, and serves the others",
    proves("D-103", "D-105", "D-106"),
    async () => {
      b.skipVerification();
      const client = b.client();
      const bad = await client.start({ workflow: "one", allowUnknown: true, input: 1, id: "bad" });
      await rogue(bad.runId, (maker, version) => [maker.make(proto("RunCancelled", null), version)]);
      const before = await client.events("bad");
      const good = await client.start({ workflow: "one", allowUnknown: true, input: 2, id: "good" });
      const said: string[] = [];
      await b.engine({ workflows: [one], log: (level, message) => said.push(`${level} ${message}`) });
      expect(await client.waitForEnd(good.runId)).toMatchObject({ result: 2 });
      await expect.poll(() => said.join("\n"), { timeout: 20_000 }).toContain("invalid transition: RunStarted");
      expect(await client.events("bad")).toEqual(before);
    },
  );
});
