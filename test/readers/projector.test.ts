// The projector as a service, on every store: projections, alerts and watermarks in one write; the recorded policy; rebuilds;
// restarts. Logs are forged, valid and not, or appended without layer 2: the projector trusts none of them.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readVersion1 } from "../../src/compat.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { Client } from "../../src/client/types.ts";
import { workflow } from "../../src/index.ts";
import { Watermarks } from "../../src/readers/watermarks.ts";
import { keyUnderRun, consumerRunKey, consumerCollection } from "../../src/readers/kv-keys.ts";
import { projector } from "../../src/readers/projector.ts";
import type { ProjectOptions, Alert, Subscription } from "../../src/client/reader-types.ts";
import { contractFile, matchesSchema, type Schema } from "../support/contract-schema.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { forge, type EventSpec } from "./forged-run.ts";
import { proves } from "../support/proves.ts";

const long = { timeout: 20_000, interval: 5 };
const two = workflow({ name: "two", input: z.number() }, async (ctx, n) => (await ctx.step("a", () => n)) + (await ctx.step("b", () => n)));

describe.each(testStores)("the projector on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  const running: Subscription[] = [];
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
    client = b.client();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((s) => s.stop().catch(() => {})));
    await b.close();
  });

  /** One pass over everything that waits. */
  const pass = async (o: ProjectOptions = {}, on: Client = client): Promise<void> => (await on.project({ once: true, ...o })).done;

  it(
    "an engine's run: the projection is what the log says, unknown types and all, and nothing before it was made",
    proves("D-018", "D-019", "D-020", "D-102", "D-114", "P-13"),
    async () => {
      const { engine } = await b.engine({ workflows: [two] });
      const h = await engine.start(two, 2, { id: "x" });
      expect(await client.projection("x")).toBeUndefined();
      expect(await h.result()).toBe(4);
      await pass();
      const events = await client.events("x");
      const seen = await client.projection("x");
      expect(seen).toMatchObject({
        status: "COMPLETED",
        policy: "mark",
        planId: "two",
        openSteps: 0,
        invalidEvents: 0,
        watermark: events.at(-1)!.runSeq,
      });
      expect(seen).not.toHaveProperty("condition");
      expect(seen?.steps.map((s) => [s.stepId, s.logicalAttemptId, s.status])).toEqual([
        ["a", 1, "SUCCESS"],
        ["b", 1, "SUCCESS"],
      ]);
      const ofStep = events.filter((e) => e.stepId === "a").map((e) => e.persistedAt);
      expect([seen?.steps[0]?.startedAt, seen?.steps[0]?.endedAt]).toEqual(ofStep);
      expect((await client.alerts()).alerts).toEqual([]);
    },
  );

  it(
    "layer 2 let it pass, layer 3 does not: an alert, INCONSISTENT for readers, the terminal status unchanged",
    proves("D-110", "D-115", "D-116", "D-118"),
    async () => {
      const run = forge(b.store, b.platform, "bad", { status: "FAILED" });
      await run.add(["RunStarted"], ["StepStarted", "a"], ["StepCompleted", "a"], ["RunCompleted"]);
      await pass();
      expect(await client.projection("bad")).toMatchObject({ status: "COMPLETED", invalidEvents: 0 });
      const [, late] = await run.add(["acme.Note"], ["RunFailed"], ["StepFailed", "a"]);
      await pass();
      expect(await client.projection("bad")).toMatchObject({
        status: "COMPLETED",
        condition: "INCONSISTENT",
        invalidEvents: 2,
        firstInvalid: { runSeq: 6, eventId: late!.eventId, eventType: "RunFailed", priorState: "COMPLETED", attemptedState: "FAILED" },
        watermark: 7,
        steps: [{ stepId: "a", status: "SUCCESS" }],
      });
      expect((await client.alerts({ run: "bad" })).alerts.map((a) => a.runSeq).toSorted((x, y) => x - y)).toEqual([6, 7]);
    },
  );

  it(
    "one alert per run and event, whole, delivered once, however often it is seen",
    proves("D-121", "D-122", "D-123", "D-124", "D-125", "D-126", "D-127", "D-128", "D-129", "D-130", "D-131", "D-132"),
    async () => {
      const run = forge(b.store, b.platform, "bad");
      const [, bad] = await run.add(["RunStarted"], ["RunResumed"]);
      const told: Alert[] = [];
      let down = true;
      const onAlert = async (a: Alert): Promise<void> => {
        await Promise.resolve();
        if (down) throw new Error("nobody answers the phone");
        told.push(a);
      };
      await pass({ onAlert });
      expect((await client.alerts()).alerts).toMatchObject([{ delivered: false }]);
      down = false;
      await pass({ onAlert });
      await pass({ onAlert });
      await client.rebuild();
      await pass({ onAlert, name: "second" }, b.client(await b.reopen()));
      const { alerts } = await client.alerts();
      const record = (await client.events("bad"))[1]!;
      expect(alerts).toEqual([
        {
          code: "INVALID_TRANSITION",
          runId: "bad",
          ...defaultScope,
          eventId: bad!.eventId,
          eventType: "RunResumed",
          logicalAttemptId: 1,
          runSeq: 2,
          persistedAt: record.persistedAt,
          priorState: "RUNNING",
          attemptedState: "RUNNING",
          runStatus: "RUNNING",
          policy: "mark",
          projector: "projector",
          delivered: true,
        },
      ]);
      expect(told).toEqual([{ ...alerts[0], delivered: false }]);
      expect(matchesSchema(alerts[0], contractFile("InvalidTransitionAlert.schema.json") as Schema)).toBe(true);
    },
  );

  it(
    "every alert is handed over once in one pass, however many there are, and those that were refused come again",
    proves("D-115", "D-132"),
    async () => {
      const n = b.name === "memory" ? 520 : 3; // several pages of them, where it costs nothing
      await forge(b.store, b.platform, "bad").add(["RunStarted"], ...Array.from({ length: n }, (): EventSpec => ["RunResumed"]));
      const told: number[] = [];
      let refused = 0;
      const onAlert = (a: Alert): void => {
        if (a.runSeq % 3 === 0 && refused++ < n) throw new Error("not now");
        told.push(a.runSeq);
      };
      const seqs = Array.from({ length: n }, (_, i) => i + 2);
      await pass({ onAlert });
      expect(told.toSorted((x, y) => x - y)).toEqual(seqs.filter((seq) => seq % 3 !== 0));
      refused = n;
      await pass({ onAlert });
      expect(told.toSorted((x, y) => x - y)).toEqual(seqs);
      expect((await client.alerts({ limit: 1_000 })).alerts).toHaveLength(n);
    },
  );

  it(
    "policy freeze freezes the run; the policy is recorded, another is refused, and a rebuild from zero may change it",
    proves("D-119", "D-120", "P-38"),
    async () => {
      const run = forge(b.store, b.platform, "bad");
      await run.add(["RunStarted"], ["StepStarted", "a"], ["StepSkipped", "a"], ["StepCompleted", "a"], ["RunCompleted"]);
      await pass({ policy: "freeze" });
      const frozen = {
        status: "RUNNING",
        condition: "STALLED_INVALID_TRANSITION",
        policy: "freeze",
        reducedTo: 2,
        watermark: 5,
        openSteps: 1,
      };
      expect(await client.projection("bad")).toMatchObject({ ...frozen, steps: [{ stepId: "a", status: "RUNNING" }] });
      const elsewhere = b.client(await b.reopen());
      await expect(elsewhere.project({ policy: "mark" })).rejects.toMatchObject({
        code: "PAWL4031",
        data: { recorded: "freeze", wanted: "mark" },
      });
      await expect(elsewhere.project({ policy: "mark", name: "other" })).rejects.toMatchObject({ code: "PAWL4031" });
      await expect(elsewhere.rebuild({ policy: "mark", mode: "FROM_SNAPSHOT" })).rejects.toMatchObject({ code: "PAWL4031" });
      await pass({}, elsewhere); // without a wish it follows what is recorded
      expect(await client.projection("bad")).toMatchObject(frozen);

      const at = await elsewhere.project({ name: "other" });
      running.push(at);
      await expect.poll(async () => (await client.consumers()).find((c) => c.consumer === "other")?.active, long).toBe(true);
      await expect(client.rebuild({ policy: "mark" })).rejects.toMatchObject({ code: "PAWL4031", data: { projector: "other" } });
      await at.stop();
      expect(await client.rebuild({ policy: "mark" })).toMatchObject({ complete: true, runs: 1, events: 5 });
      expect(await client.projection("bad")).toMatchObject({
        status: "COMPLETED",
        condition: "INCONSISTENT",
        policy: "mark",
        invalidEvents: 1,
        openSteps: 0,
      });
      await expect(client.project({ policy: "freeze" })).rejects.toMatchObject({ code: "PAWL4031" });
    },
  );

  it(
    "a rebuild from zero makes the same again from a corrupted projection, and from a snapshot only what is missing",
    proves("D-020", "P-09", "P-38", "P-13"),
    async () => {
      const runs = [forge(b.store, b.platform, "one"), forge(b.store, b.platform, "two"), forge(b.store, b.platform, "three")];
      for (const r of runs)
        await r.add(
          ["RunStarted"],
          ["StepStarted", "a"],
          ["StepFailed", "a"],
          ["StepStarted", "a", 2],
          ["StepCompleted", "a", 2],
          ["RunPaused"],
        );
      await pass();
      const truth = await Promise.all(runs.map((r) => client.projection(r.runId)));
      expect(truth[0]?.steps).toMatchObject([
        { logicalAttemptId: 1, status: "FAILED" },
        { logicalAttemptId: 2, status: "SUCCESS" },
      ]);
      // Somebody writes into a projection: a status, and a step that never was.
      const consumer = { scope: defaultScope, name: "projector" };
      const collection = consumerCollection("projection", consumer);
      const [row] = await b.store.kv.get(collection, [consumerRunKey("one")]);
      const { build } = JSON.parse(row!.value) as { build: number };
      await b.store.kv.put([
        { collection, key: consumerRunKey("one"), value: JSON.stringify({ ...JSON.parse(row!.value), status: "COMPLETED" }) },
        {
          collection: consumerCollection("step", consumer),
          key: `${consumerRunKey("one")}/${String(build).padStart(16, "0")}/ghost/0000000000000001`,
          value: JSON.stringify({ stepId: "ghost" }),
        },
      ]);
      expect((await client.projection("one"))?.steps).toHaveLength(3);
      const steps: number[] = [];
      const full = await client.rebuild({ onProgress: (p) => void steps.push(p.events) });
      expect(full).toEqual({ runs: 3, runsTotal: 3, events: 18, eventsTotal: 18, complete: true });
      expect(steps.at(-1)).toBe(18);
      expect(await Promise.all(runs.map((r) => client.projection(r.runId)))).toEqual(truth);
      // Nothing is left of the build before, nor of what was written into it.
      expect(await b.store.kv.list({ collection: consumerCollection("step", consumer), limit: 100 })).toHaveLength(6);

      await runs[0]!.add(["RunResumed"], ["RunCompleted"]);
      expect(await client.rebuild({ mode: "FROM_SNAPSHOT" })).toMatchObject({ runs: 3, events: 2, complete: true });
      expect((await new Watermarks(b.store, consumer).read(["one"])).get("one")?.seq).toBe(8); // the watermark goes with the row
      expect(await client.projection("one")).toMatchObject({ status: "COMPLETED", watermark: 8 });
      await pass();
      expect(await client.projection("one")).toMatchObject({ status: "COMPLETED", watermark: 8, invalidEvents: 0 });
    },
  );

  it(
    "a retry that comes pages after the attempt before it is valid, and all attempts are shown, however many",
    proves("P-35", "P-09", "P-13"),
    async () => {
      const n = b.name === "memory" ? 620 : 3; // more than a page of them, where it costs nothing
      const run = forge(b.store, b.platform, "r");
      const all = Array.from({ length: n }, (_, i) => `s${i}`);
      await run.add(["RunStarted"], ...all.map((s): EventSpec => ["StepStarted", s]));
      await run.add(...all.map((s): EventSpec => ["StepFailed", s]));
      await pass();
      await run.add(...all.map((s): EventSpec => ["StepStarted", s, 2]));
      await pass();
      await run.add(...all.map((s): EventSpec => ["StepCompleted", s, 2]), ["RunCompleted"]);
      await pass();
      const shown = (await client.projection("r"))!;
      expect(shown).toMatchObject({ status: "COMPLETED", openSteps: 0, invalidEvents: 0 });
      expect((await client.alerts()).alerts).toEqual([]);
      expect(shown.steps.map((s) => s.status)).toEqual(all.flatMap(() => ["FAILED", "SUCCESS"]));
      expect(new Set(shown.steps.map((s) => s.stepId))).toEqual(new Set(all));
    },
  );

  it("a rebuild that is stopped leaves what was there, and one that did not reach every head is not complete", proves("P-38"), async () => {
    for (const id of ["one", "two"]) await forge(b.store, b.platform, id).add(["RunStarted"], ["StepStarted", "a"]);
    await pass();
    const before = await client.projection("one");
    const stop = AbortSignal.abort();
    expect(await client.rebuild({ signal: stop })).toMatchObject({ runs: 0, complete: false });
    expect(await client.projection("one")).toEqual(before);
    // Killed in the middle: attempts of the build that was never finished lie beside those that are shown.
    const consumer = { scope: defaultScope, name: "projector" };
    const [row] = await b.store.kv.get(consumerCollection("projection", consumer), [consumerRunKey("one")]);
    const { build } = JSON.parse(row!.value) as { build: number };
    const ghost = JSON.stringify({ ...before!.steps[0], stepId: "ghost" });
    await b.store.kv.put([
      { collection: consumerCollection("step", consumer), key: keyUnderRun("one", build + 1, "ghost", 1), value: ghost },
    ]);
    expect(await client.projection("one")).toEqual(before);
    const deaf = b.client({ ...b.store, events: async (q) => ("after" in q && q.runId === "two" ? [] : b.store.events(q)) });
    expect(await deaf.rebuild()).toMatchObject({ runs: 2, complete: false });
    expect(await client.projection("two")).toMatchObject({ status: "RUNNING", watermark: 2 });
  });

  it("a projection that was lost is made again from the log, whatever the watermark claims", proves("D-116", "P-09"), async () => {
    const run = forge(b.store, b.platform, "r");
    await run.add(["RunStarted"], ["StepStarted", "a"]);
    await pass();
    await b.store.kv.put([
      { collection: consumerCollection("projection", { scope: defaultScope, name: "projector" }), key: consumerRunKey("r"), value: null },
    ]);
    b.advanceClock(1); // a build is a time: this one is later than the one that was lost
    await run.add(["StepCompleted", "a"], ["RunCompleted"]);
    await pass();
    expect(await client.projection("r")).toMatchObject({ status: "COMPLETED", invalidEvents: 0, watermark: 4, openSteps: 0 });
  });

  it("alerts are sliced by persistedAt, whatever the producer's clock says", proves("D-040"), async () => {
    const fast = forge(b.store, b.platform, "fast", { skewMs: 86_400_000 });
    const slow = forge(b.store, b.platform, "slow", { skewMs: -86_400_000 });
    await fast.add(["RunCompleted"]);
    b.advanceClock(60_000);
    const between = new Date(b.platform.wallMs() - 30_000).toISOString();
    await slow.add(["RunCompleted"]);
    await pass();
    const ids = async (q: object): Promise<string[]> => (await client.alerts(q)).alerts.map((a) => a.runId);
    expect(await ids({ until: between })).toEqual(["fast"]);
    expect(await ids({ since: between })).toEqual(["slow"]);
    // A window begins with its first moment and ends before its last.
    const [early] = (await client.alerts({ run: "fast" })).alerts;
    expect(await ids({ since: early!.persistedAt, until: between })).toEqual(["fast"]);
    expect(await ids({ until: early!.persistedAt })).toEqual([]);
    const first = await client.alerts({ limit: 1 });
    expect(first.alerts).toHaveLength(1);
    expect(await ids({ cursor: first.cursor! })).toEqual(["slow"]);
  });

  it("a paused run whose steps are still under way is draining, until they have ended", proves("P-39", "D-093"), async () => {
    const run = forge(b.store, b.platform, "r");
    await run.add(["RunStarted"], ["StepStarted", "a"], ["RunPaused"]);
    await pass();
    expect(await client.projection("r")).toMatchObject({ status: "PAUSED", substatus: "DRAINING", openSteps: 1 });
    await run.add(["StepCompleted", "a"]); // a late completion is applied
    await pass();
    expect(await client.projection("r")).toMatchObject({ status: "PAUSED", openSteps: 0, invalidEvents: 0 });
    expect(await client.projection("r")).not.toHaveProperty("substatus");
    await run.add(["RunResumed"], ["StepStarted", "b"]);
    await pass();
    expect(await client.projection("r")).not.toHaveProperty("substatus");
  });

  it("an event of version 1 in the log: held back and said outside the window, reduced inside it", proves("D-140"), async () => {
    const run = forge(b.store, b.platform, "old");
    await run.add(["RunStarted"]);
    // The way version 1 named the run itself; nothing of this version writes it.
    const ancient = {
      ...b.store,
      events: async (q: Parameters<typeof b.store.events>[0]) => (await b.store.events(q)).map((e) => ({ ...e, stepId: "RUN" })),
    };
    const on = b.client(ancient);
    await pass({}, on);
    expect(await client.projection("old")).toBeUndefined();
    expect((await client.consumers())[0]?.held).toMatchObject([
      { runId: "old", watermark: 0, failures: 1, error: expect.stringContaining("PAWL4032") },
    ]);
    b.advanceClock(60_000);
    await pass({ normalise: readVersion1({ until: "2999-01-01T00:00:00.000Z" }) }, on);
    expect(await client.projection("old")).toMatchObject({ status: "RUNNING", watermark: 1 });
    expect((await client.consumers())[0]?.held).toEqual([]);
  });

  it(
    "a stream that is not persisted has an offset of its own, which only rises, and no way to a projection",
    proves("D-021", "D-022"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"]);
      await pass();
      const before = await client.projection("r");
      const stream = client.stream("ticker");
      const other = b.client(await b.reopen()).stream("ticker");
      expect(await stream.offset()).toBe(0);
      expect(await stream.advance(3)).toBe(true);
      expect(await other.offset()).toBe(3);
      expect([await other.advance(2), await other.advance(3), await stream.advance(7)]).toEqual([false, false, true]);
      expect([await stream.offset(), await client.stream("another").offset()]).toEqual([7, 0]);
      // Somebody was quicker between its look and its write: the offset does not fall back.
      let looks = 0;
      const get: typeof b.store.kv.get = async (...q) => (looks++ === 0 ? [] : b.store.kv.get(...q));
      expect(
        await b
          .client({ ...b.store, kv: { ...b.store.kv, get } })
          .stream("ticker")
          .advance(5),
      ).toBe(false);
      expect(await stream.offset()).toBe(7);
      expect(await client.projection("r")).toEqual(before);
      const [record] = await client.events("r");
      const { runSeq: _seq, persistedAt: _at, ...write } = record!;
      const p = projector();
      expect(() => p.reduce(p.empty("r"), write as never)).toThrow(expect.objectContaining({ code: "PAWL4033" }));
    },
  );

  it(
    "any log, in any Commits, with passes and rebuilds in between, gives what reducing it once gives",
    proves("D-116", "D-117", "P-09", "P-37"),
    async () => {
      const anyEvent = fc.oneof(
        fc
          .constantFrom("RunStarted", "RunPaused", "RunResumed", "RunCompleted", "RunCancelled", "acme.X")
          .map((t) => ({ t, s: null, n: undefined })),
        fc.record({
          t: fc.constantFrom("StepStarted", "StepCompleted", "StepFailed", "StepSkipped"),
          s: fc.constantFrom("a", "b"),
          n: fc.constantFrom(1, 2),
        }),
      );
      let n = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
          fc.array(fc.nat(3), { maxLength: 4 }),
          async (commits, between) => {
            const runId = `run-${n++}`;
            const run = forge(b.store, b.platform, runId);
            const seen = new Set<string>();
            for (const [i, events] of commits.entries()) {
              // A log has no event twice: the second of the same step and attempt could not be there.
              const fresh = events.filter((e) => e.s === null || (!seen.has(`${e.t} ${e.s} ${e.n}`) && seen.add(`${e.t} ${e.s} ${e.n}`)));
              if (fresh.length > 0) await run.add(...fresh.map((e): EventSpec => [e.t, e.s, e.n]));
              if (between[i] === 1) await pass();
              if (between[i] === 2) await client.rebuild({ mode: "FROM_SNAPSHOT" });
              if (between[i] === 3) await client.rebuild();
            }
            await pass();
            const p = projector();
            const { state, alerts } = p.reduceAll(p.empty(runId), await client.events(runId));
            const { steps, ...shown } = (await client.projection(runId))!;
            expect(shown).toMatchObject({
              watermark: state.run.watermark,
              invalidEvents: state.run.invalidEvents,
              openSteps: state.run.openSteps,
            });
            expect(shown.status ?? null).toBe(state.run.status);
            expect(steps).toEqual(
              [...state.steps.values()].toSorted((x, y) =>
                x.stepId < y.stepId ? -1 : x.stepId > y.stepId ? 1 : x.logicalAttemptId - y.logicalAttemptId,
              ),
            );
            expect((await client.alerts({ run: runId })).alerts.map((a) => a.eventId).toSorted()).toEqual(
              alerts.map((a) => a.eventId).toSorted(),
            );
          },
        ),
        { numRuns: b.name === "memory" ? 60 : 8 },
      );
    },
  );
});
