// The append authority on every store: runs of external origin, written by producers outside an engine. What is there is
// answered with its record, what is new gets its place from the store, what is invalid leaves nothing behind.
import { createHash, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyChain } from "../../src/events/hash-chain.ts";
import type { Client } from "../../src/client/types.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { defaultLimits } from "../../src/core/limits.ts";
import type { Appended } from "../../src/log/append-types.ts";
import { workflow, type RunEventWrite } from "../../src/index.ts";
import { verify } from "../../src/verify.ts";
import { testStores, memoryTestStore, type TestStore } from "../support/test-store.ts";
import { keyOf, life, step, write } from "./producer-events.ts";
import { proves } from "../support/proves.ts";

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const nothing = { appended: [], deduped: [], rejected: [] };

describe.each(testStores)("append on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    client = b.client();
  });
  afterEach(() => b.close());

  const log = async (runId = "r-1") => b.store.events({ runId, after: 0, limit: 10_000 });
  const types = async (runId = "r-1") => (await log(runId)).map((e) => e.eventType);

  it(
    "the first event creates the run in the same Commit, with its plan, and later ones follow by runSeq",
    proves("D-015", "P-06", "P-11", "P-20"),
    async () => {
      await b.store.feed.join({ scope: defaultScope, name: "c" }, "now");
      const queued = write({ eventType: "RunQueued", payload: { admitted: true } });
      const first = await client.append(queued);
      expect(first).toEqual({
        eventId: queued.eventId,
        runSeq: 1,
        persistedAt: expect.stringMatching(rfc3339),
        idempotent: false,
        persisted: true,
        replayed: false,
        samePayload: true,
      });
      const row = (await b.store.run({ runId: "r-1" }))!;
      expect(row).toMatchObject({
        origin: "external",
        workflow: "plan",
        version: "1",
        workflowId: "r-1",
        status: "PENDING",
        stateVersion: 1,
      });
      // Run, event and outbox row are one Commit: they share its version and its time.
      const [event] = await log();
      expect([event?.stateVersion, event?.persistedAt]).toEqual([row.stateVersion, row.persistedAt]);
      const feed = await b.store.feed.next({ consumer: { scope: defaultScope, name: "c" }, limit: 10 });
      expect(feed).toMatchObject([{ runId: "r-1", headSeq: 1 }]);
      const batch = await client.append(life("r-1").slice(1));
      expect(batch.appended.map((a) => a.runSeq)).toEqual([2, 3, 4, 5, 6, 7]);
      expect(await types()).toEqual([
        "RunQueued",
        "RunStarted",
        "StepStarted",
        "StepCompleted",
        "StepStarted",
        "StepCompleted",
        "RunCompleted",
      ]);
      expect(await client.get("r-1")).toMatchObject({ status: "COMPLETED", workflow: "plan", version: "1" });
    },
  );

  it("a producer's time is kept as it was written, in any form of RFC 3339 in UTC", proves("D-035"), async () => {
    const times = [
      "2026-01-31T12:00:00Z",
      "2026-01-31T12:00:00.5Z",
      "2026-01-31T12:00:00.123456789Z",
      "2026-01-31T12:00:00+00:00",
      "2026-01-31T12:00:00.000Z",
    ];
    await client.append(times.map((emittedAt, i) => write({ eventType: "Noted", logicalAttemptId: i + 1, emittedAt })));
    expect((await client.events("r-1")).map((e) => e.emittedAt)).toEqual(times);
    const base = Date.parse("2026-01-31T12:00:00.000Z");
    expect((await log()).map((e) => e.emittedAt - base)).toEqual([0, 500, 123, 0, 0]);
    // Sent again in another form it is the same event, and what was written first stays.
    const again = { ...write({ eventType: "Noted", emittedAt: "2026-01-31T12:00:00.000Z" }), eventId: (await log())[0]!.eventId };
    expect(await client.append(again)).toMatchObject({ persisted: false, runSeq: 1 });
    expect(verify(await client.evidence("r-1")).checks.filter((c) => c.state === "fail")).toEqual([]);
    const copy = await b.store.archive.copyRun("r-1");
    expect(copy?.events.map((e) => e.emittedText)).toEqual([...times.slice(0, 4), undefined]);
  });

  it(
    "persistedAt is the store's clock at the Commit, emittedAt is the producer's, untouched",
    proves("D-039", "D-090", "P-12"),
    async () => {
      const sent = write({ eventType: "RunStarted", emittedAt: "1999-12-31T23:59:59.999Z" });
      const before = (await b.store.info()).nowMs;
      const answer = await client.append(sent);
      const after = (await b.store.info()).nowMs;
      expect(Date.parse(answer.persistedAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(answer.persistedAt)).toBeLessThanOrEqual(after);
      const [record] = await client.events("r-1");
      expect(record).toEqual({ ...sent, runSeq: 1, persistedAt: answer.persistedAt });
    },
  );

  it(
    "a duplicate succeeds, with the first one's metadata, and inserts nothing",
    proves("D-046", "D-047", "D-048", "D-074", "D-075", "D-076", "D-077", "P-08", "P-10", "P-11"),
    async () => {
      const events = life("r-1");
      const first = await client.append(events);
      const before = await log();
      for (const c of [client, b.client(await b.reopen())]) {
        const again = await c.append(
          events.map((e) => ({ ...e, eventId: randomUUID(), engineAttemptId: 9, emittedAt: "2030-01-01T00:00:00.000Z" })),
        );
        expect(again).toMatchObject({ appended: [], rejected: [] });
        expect(again.deduped).toEqual(first.appended.map((a) => ({ ...a, idempotent: true, persisted: false, replayed: true })));
        expect(await c.append({ ...events[3]!, eventId: randomUUID() })).toEqual(again.deduped[3]);
      }
      expect(await log()).toEqual(before);
      expect((await b.store.run({ runId: "r-1" }))?.stateVersion).toBe(1);
    },
  );

  it("a batch says what was appended and what was there; only what was appended reaches the outbox", proves("P-19"), async () => {
    const consumer = { scope: defaultScope, name: "c" };
    await b.store.feed.join(consumer, "now");
    const [a, s, ...rest] = life("r-1");
    await client.append([a!, s!]);
    const batch = await client.append([s!, rest[0]!, a!, rest[0]!]);
    expect([batch.appended, batch.deduped, batch.rejected].map((x) => x.length)).toEqual([1, 3, 0]);
    expect(batch.results.map((r) => (r as Appended).runSeq)).toEqual([2, 3, 1, 3]);
    expect(batch.results.map((r) => (r as Appended).persisted)).toEqual([false, true, false, false]);
    const heads = async () => (await b.store.feed.next({ consumer, limit: 10 })).map((r) => r.headSeq);
    expect(await heads()).toEqual([2, 3]);
    await client.append([a!, s!, rest[0]!]);
    expect(await heads()).toEqual([2, 3]);
    expect(await client.append([])).toEqual({ results: [], ...nothing });
  });

  it(
    "an invalid event is refused as SCHEMA_VALIDATION_FAILED with its place, and nothing of its batch persists",
    proves("P-41", "P-15", "D-071", "D-072"),
    async () => {
      const good = write({ eventType: "RunStarted" });
      const bad: readonly [object, string][] = [
        [{ ...good, eventId: "no" }, "/eventId"],
        [{ ...good, eventId: "00000000-0000-1000-8000-000000000000" }, "/eventId"],
        [{ ...good, emittedAt: "2026-01-31T12:00:00" }, "/emittedAt"],
        [{ ...good, emittedAt: "2026-01-31T12:00:00.000+01:00" }, "/emittedAt"],
        [{ ...good, emittedAt: "2026-02-30T12:00:00.000Z" }, "/emittedAt"],
        [{ ...good, logicalAttemptId: 0 }, "/logicalAttemptId"],
        [{ ...good, engineAttemptId: 1.5 }, "/engineAttemptId"],
        [{ ...good, idempotencyKey: "0".repeat(64) }, "/idempotencyKey"],
        [{ ...good, stepId: "a" }, "/stepId"],
        [{ ...write({ eventType: "Odd" }), stepId: "a" }, "/stepId"],
        [{ ...write({ eventType: "StepStarted", stepId: "a" }), stepId: undefined }, "/stepId"],
        [write({ eventType: "StepStarted", stepId: "a|b" }), "/idempotencyKey"],
        [write({ eventType: "StepStarted", stepId: "RUN" }), "/idempotencyKey"],
        [write({ eventType: "RunStarted", runId: "r\ud800" }), "/idempotencyKey"],
        [write({ eventType: "RunStarted", runId: "r\0" }), "/idempotencyKey"],
        [write({ eventType: "RunStarted", runId: "x".repeat(513) }), "/runId"],
        [write({ eventType: "Odd\n" }), "/eventType"],
        [write({ eventType: "RunStarted", planId: "x".repeat(513) }), "/planId"],
        [write({ eventType: "RunStarted", planVersion: "x".repeat(513) }), "/planVersion"],
        [write({ eventType: "StepStarted", stepId: "x".repeat(513) }), "/stepId"],
        [write({ eventType: "RunStarted", logicalAttemptId: 2 ** 31 }), "/logicalAttemptId"],
        [{ ...good, engineAttemptId: 2 ** 31 }, "/engineAttemptId"],
        [{ ...good, tenantId: "somebody" }, "/tenantId"],
        [{ ...good, projectId: "somebody" }, "/projectId"],
        [{ ...good, environmentId: "somebody" }, "/environmentId"],
        ...[null, "text", 7, true, [], [{}], 1n].map((payload): [object, string] => [{ ...good, payload }, "/payload"]),
        [{ ...good, payload: { n: 1n } }, "/payload"],
        [{ ...good, payload: { x: "x".repeat(defaultLimits.valueBytesMax - 7) } }, "/payload"],
        [{ ...good, payload: { x: "é".repeat(defaultLimits.valueBytesMax / 2) } }, "/payload"],
        [{}, "/eventId"],
      ];
      for (const [event, pointer] of bad) {
        const refused = { code: "SCHEMA_VALIDATION_FAILED", page: "PAWL4020", outcome: "none" };
        await expect(client.append(event as never), JSON.stringify(pointer)).rejects.toMatchObject({ ...refused, data: { pointer } });
        const second = client.append([good, event as never]);
        await expect(second).rejects.toMatchObject({ ...refused, data: { pointer: `/1${pointer}` } });
      }
      await expect(client.append("text" as never)).rejects.toMatchObject({ code: "SCHEMA_VALIDATION_FAILED" });
      expect(await b.store.run({ runId: "r-1" })).toBeUndefined();
      expect((await client.list()).runs).toEqual([]);
      // What is just inside the bounds is taken, and comes back as it was.
      const most = {
        logicalAttemptId: 2 ** 31 - 1,
        engineAttemptId: 2 ** 31 - 1,
        payload: { x: "x".repeat(defaultLimits.valueBytesMax - 8) },
      };
      const longest = write({ eventType: "StepStarted", stepId: "x".repeat(512), ...most });
      await client.append(longest);
      expect(await client.events("r-1")).toEqual([{ ...longest, runSeq: 1, persistedAt: expect.stringMatching(rfc3339) }]);
    },
  );

  it(
    "further members are passed over, unknown types are run-level and opaque, a source's time is payload",
    proves("P-07", "P-15", "P-17", "P-36"),
    async () => {
      const odd = {
        ...write({ eventType: "Deployed", payload: { sourceOccurredAt: "yesterday", nested: [{ a: null }] } }),
        occurredAt: "x",
        runSeq: 77,
      };
      expect(await client.append(odd as RunEventWrite)).toMatchObject({ runSeq: 1, persisted: true });
      const [record] = await client.events("r-1");
      expect(record).toMatchObject({ eventType: "Deployed", runSeq: 1, payload: { sourceOccurredAt: "yesterday", nested: [{ a: null }] } });
      expect(record).not.toHaveProperty("occurredAt");
      expect(await client.get("r-1")).toMatchObject({ status: "PENDING" });
      await client.append(write({ eventType: "RunStarted" }));
      await client.append(write({ eventType: "Deployed", logicalAttemptId: 2 }));
      expect(await client.get("r-1")).toMatchObject({ status: "RUNNING" });
    },
  );

  it(
    "the same key with another payload keeps the stored one, says so, and leaves one alert without the payload",
    proves("D-076", "D-121", "D-129", "D-130", "D-132"),
    async () => {
      const sent = write({ eventType: "RunStarted", payload: { a: 1, b: [1, 2] } });
      const first = await client.append(sent);
      expect(await client.append({ ...sent, payload: { b: [1, 2], a: 1 } })).toMatchObject({ samePayload: true });
      const alerts = async () => (await client.alerts({ run: "r-1" })).alerts;
      expect(await alerts()).toEqual([]);
      const { payload: _, ...without } = sent;
      for (const other of [{ ...sent, payload: { a: "secret" } }, without as RunEventWrite, { ...sent, payload: {} }])
        expect(await client.append(other)).toEqual({ ...first, idempotent: true, persisted: false, replayed: true, samePayload: false });
      const [alert, ...more] = await alerts();
      expect(more).toEqual([]);
      const [stored] = await log();
      expect(alert).toEqual({
        code: "PAYLOAD_MISMATCH",
        runId: "r-1",
        ...defaultScope,
        eventId: sent.eventId,
        eventType: "RunStarted",
        runSeq: 1,
        persistedAt: first.persistedAt,
        logicalAttemptId: 1,
        // Both under the record's own salt: nobody can guess a payload from them who has not the record.
        priorState: `payload ${stored!.payloadHash!.slice(0, 16)}`,
        attemptedState: `payload ${sha256(`${stored!.salt}\n{"a":"secret"}`).slice(0, 16)}`,
        projector: "append",
        delivered: false,
      });
      expect(JSON.stringify(alert)).not.toContain("secret");
      // A projector that is told to hands it over once, with its own.
      const told: string[] = [];
      const projecting = await client.project({ once: true, onAlert: (a) => void told.push(a.code) });
      await projecting.done;
      expect(told).toEqual(["PAYLOAD_MISMATCH"]);
      expect((await alerts()).map((a) => a.delivered)).toEqual([true]);
      expect((await client.events("r-1"))[0]?.payload).toEqual({ a: 1, b: [1, 2] });
    },
  );

  it(
    "an engine's run is written by its owner only: its events are answered, anything else is refused, alone or in a batch",
    proves("K23"),
    async () => {
      const hello = workflow({ name: "hello" }, async (ctx) => ctx.step("greet", () => "hi"));
      const { engine } = await b.engine({ workflows: [hello] });
      const h = await engine.start(hello, undefined, { id: "h" });
      await h.result();
      const events = await client.events(h.runId);
      const [{ runSeq: __, persistedAt: ___, ...one }] = events as never as [RunEventWrite & { runSeq: number; persistedAt: string }];
      const { planId, planVersion } = one;
      const stranger = write({ runId: h.runId, eventType: "RunPaused", planId, planVersion });
      const batch = await client.append([one as RunEventWrite, stranger, write({ eventType: "RunStarted" })]);
      expect(batch.deduped).toMatchObject([{ eventId: one.eventId, runSeq: 1 }]);
      expect(batch.rejected).toMatchObject([{ code: "PAWL4023", runId: h.runId, idempotencyKey: stranger.idempotencyKey }]);
      expect(batch.appended).toMatchObject([{ runSeq: 1 }]);
      await expect(client.append(stranger)).rejects.toMatchObject({ code: "PAWL4023" });
      expect(await client.events(h.runId)).toEqual(events);
    },
  );

  it("a runId is used once: another plan, or a first event of a run that has begun, is RUN_ALREADY_EXISTS", proves("P-20"), async () => {
    const began = write({ eventType: "RunStarted" });
    await client.append(began, { first: true });
    const exists = { code: "RUN_ALREADY_EXISTS", page: "PAWL4022" };
    await expect(client.append(write({ eventType: "RunPaused" }), { first: true })).rejects.toMatchObject(exists);
    await expect(client.append(write({ eventType: "RunPaused", planVersion: "2" }))).rejects.toMatchObject(exists);
    await expect(client.append(write({ eventType: "RunPaused", planId: "other" }))).rejects.toMatchObject(exists);
    expect(await client.append(began, { first: true })).toMatchObject({ idempotent: true, runSeq: 1 });
    expect(await types()).toEqual(["RunStarted"]);
  });

  it(
    "a run's first events may be more than one transaction takes, and sent again they are answered, whatever was left of them",
    proves("P-20"),
    async () => {
      const notes = Array.from({ length: 1_500 }, (_n, i) => write({ eventType: "shop.Note", logicalAttemptId: i + 1 }));
      const all = [write({ eventType: "RunStarted" }), ...notes];
      const part = await client.append(all.slice(0, 10), { first: true });
      expect(part.appended).toHaveLength(10);
      expect(await client.append(all, { first: true })).toMatchObject({
        appended: { length: 1_491 },
        deduped: { length: 10 },
        rejected: [],
      });
      expect(await client.append(all, { first: true })).toMatchObject({ appended: [], deduped: { length: 1_501 }, rejected: [] });
      const exists = { code: "RUN_ALREADY_EXISTS" };
      await expect(client.append(write({ eventType: "RunPaused" }), { first: true })).rejects.toMatchObject(exists);
      expect(await client.append(notes.slice(0, 2).concat(write({ eventType: "RunPaused" })), { first: true })).toMatchObject({
        deduped: { length: 2 },
        rejected: [exists],
      });
    },
  );

  it(
    "two events under one eventId are two events: both are stored, and their evidence verifies and lists the second",
    proves("D-074"),
    async () => {
      const eventId = randomUUID();
      const [started, paused] = [write({ eventType: "RunStarted", eventId }), write({ eventType: "RunPaused", eventId })];
      await client.append(started);
      expect(await client.append([started, paused])).toMatchObject({
        appended: [{ eventId, runSeq: 2 }],
        deduped: [{ eventId, runSeq: 1 }],
      });
      const v = verify(await client.evidence("r-1"));
      expect(v.ok).toBe(true);
      expect(v.assumed).toContain("its producers gave an eventId to two events: runSeq 2 have one of an earlier event");
      expect(await client.verifyStore()).toMatchObject({ findings: [] });
    },
  );

  it("another tenant's run is neither answered nor written, and nothing of it is told", proves("I11"), async () => {
    const tenant = { tenantId: "t2", projectId: "p", environmentId: "e" };
    const { engine } = await b.engine({ tenant });
    const theirs = { ...write({ eventType: "RunStarted", payload: { is: "secret" } }), ...tenant };
    await engine.append(theirs);
    await expect(client.append(write({ eventType: "RunStarted", payload: { is: "a guess" } }))).rejects.toMatchObject({
      code: "RUN_ALREADY_EXISTS",
      data: { runId: "r-1" },
    });
    expect(await types()).toEqual(["RunStarted"]);
    expect(await client.get("r-1")).toBeUndefined();
  });

  it("a run may have a workflowId of its own: the next one takes it over once the last has ended", async () => {
    await client.append(write({ runId: "one", eventType: "RunStarted" }), { workflowId: "w" });
    const next = write({ runId: "two", eventType: "RunStarted" });
    await expect(client.append(next, { workflowId: "w" })).rejects.toMatchObject({ code: "PAWL4002" });
    await client.append(write({ runId: "one", eventType: "RunCompleted" }));
    expect(await client.append(next, { workflowId: "w" })).toMatchObject({ runSeq: 1 });
    expect(await client.get("w")).toMatchObject({ runId: "two", status: "RUNNING" });
  });

  it("the row says what the transitions derive: an invalid event is stored and changes no state", proves("D-118"), async () => {
    const row = async () => (await b.store.run({ runId: "r-1" }))?.status;
    await client.append(write({ eventType: "Odd" }));
    await client.append(write({ eventType: "RunFailed" }));
    expect(await row()).toBe("PENDING"); // nothing had begun: RunFailed needs a run
    for (const [eventType, status] of [
      ["RunPaused", "PENDING"],
      ["RunStarted", "RUNNING"],
      ["RunPaused", "RUNNING"],
      ["RunResumed", "RUNNING"],
      ["RunCompleted", "COMPLETED"],
      ["RunCancelled", "COMPLETED"],
      ["Odder", "COMPLETED"],
    ] as const) {
      await b.client().append(write({ eventType, logicalAttemptId: eventType === "RunPaused" && status === "RUNNING" ? 1 : 1 }));
      expect([eventType, await row()]).toEqual([eventType, status]);
    }
    expect(await types()).toEqual(["Odd", "RunFailed", "RunPaused", "RunStarted", "RunResumed", "RunCompleted", "RunCancelled", "Odder"]);
  });

  it(
    "many writers at once: each key once, runSeq ascending from one authority, the chain whole",
    proves("D-141", "P-10", "P-12", "K22"),
    async () => {
      const others = [client, b.client(), b.client(await b.reopen()), b.client(await b.reopen())];
      const steps = Array.from({ length: 12 }, (_x, i) => `s${i}`);
      const events = life("r-1", steps);
      const answers = await Promise.all(
        others.flatMap((c, n) => events.map(async (e, i) => [i, await c.append(n === 0 ? e : { ...e, eventId: randomUUID() })] as const)),
      );
      const stored = await log();
      expect(stored.map((e) => e.runSeq)).toEqual(events.map((_e, i) => i + 1));
      expect(new Set(stored.map((e) => e.idempotencyKey)).size).toBe(events.length);
      for (const [i, a] of answers) {
        const record = stored.find((e) => e.idempotencyKey === events[i]!.idempotencyKey)!;
        expect([a.eventId, a.runSeq]).toEqual([record.eventId, record.runSeq]);
      }
      // Of all who appended an event exactly one inserted it.
      for (const [i] of events.entries()) expect(answers.filter(([j, a]) => j === i && a.persisted)).toHaveLength(1);
      const run = { runId: "r-1", scope: defaultScope, planId: "plan", planVersion: "1" };
      expect(verifyChain(run, stored)).toMatchObject({ ok: true, head: stored.at(-1)?.link });
    },
  );

  it("events of many runs in one batch go together, each run in the order given", async () => {
    const runs = Array.from({ length: 20 }, (_x, i) => `r-${i}`);
    const lives = runs.map((r) => life(r));
    const mixed = lives[0]!.flatMap((_e, i) => lives.map((l) => l[i]!));
    const batch = await client.append(mixed);
    expect(batch.appended).toHaveLength(mixed.length);
    expect(batch.results.map((r) => (r as Appended).eventId)).toEqual(mixed.map((e) => e.eventId));
    for (const r of runs) expect((await log(r)).map((e) => e.runSeq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(new Set((await Promise.all(runs.map(log))).flat().map((e) => e.stateVersion))).toEqual(new Set([1]));
  });

  it(
    "the evidence of an external run verifies, also one whose producer broke the order, and says which is which",
    proves("K22"),
    async () => {
      await client.append(life("good"));
      await client.append(write({ runId: "good", eventType: "Noted", payload: { class: "AT-MOST-ONCE", name: "x" } }));
      const good = verify(await client.evidence("good"));
      expect(good.checks.filter((c) => c.state === "fail")).toEqual([]);
      expect(good).toMatchObject({ ok: true, status: "COMPLETED", effects: [] });
      await client.append([
        write({ runId: "bad", ...step("StepCompleted", "a", 3, { class: "KEYED", kind: "timer", until: 9e15 }) }),
        write({ runId: "bad", eventType: "RunStarted", logicalAttemptId: 4, engineAttemptId: 3, payload: {} }),
        write({ runId: "bad", ...step("StepStarted", "a", 1, { class: "AT-MOST-ONCE", key: "k" }) }),
        write({ runId: "bad", ...step("StepFailed", "a", 1, { text: 1 }) }),
        write({ runId: "bad", ...step("StepStarted", "a", 2, { list: ["list"] }) }),
      ]);
      for (const o of [{}, { payloads: false }, { redact: ["**.key"] }]) {
        const bad = verify(await client.evidence("bad", o));
        expect(bad.checks.filter((c) => c.state === "fail")).toEqual([]);
        expect(bad).toMatchObject({ ok: true, status: "RUNNING", effects: [] });
        expect(bad.assumed.join("\n")).toContain("1 event is invalid (not allowed in the state of the run)");
      }
      expect((await client.proof("bad")).effects).toEqual([]);
      expect((await client.verifyStore()).findings).toEqual([]);
      expect(await client.steps("bad")).toMatchObject([{ stepId: "a", attempts: 2, status: "RUNNING" }]);
    },
  );

  it("a run that was moved is written where it went, and there alone; its known events are still answered", proves("K23"), async () => {
    const [first, ...rest] = life("r-1");
    await client.append([first!]);
    const lines: string[] = [];
    for await (const line of client.exportRuns({ ids: ["r-1"], move: true })) lines.push(line);
    const there = await memoryTestStore();
    await there.client().importRuns(async function* () {
      yield* lines;
    });
    expect(await client.append(first!)).toMatchObject({ idempotent: true, runSeq: 1 });
    await expect(client.append(rest[0]!)).rejects.toMatchObject({ code: "PAWL4042" });
    const gone = await there.client().append([first!, ...rest]);
    expect([gone.deduped.length, gone.appended.length]).toEqual([1, rest.length]);
    expect(verify(await there.client().evidence("r-1"))).toMatchObject({ ok: true, status: "COMPLETED" });
    await there.close();
    b.skipVerification(); // here its log ends in the middle
  });

  it("an external run ends for whoever waits for it, with what its last word says, whatever follows", proves("D-118"), async () => {
    await client.append([write({ eventType: "RunStarted" }), write({ eventType: "RunCompleted", payload: { result: 7 } })]);
    await client.append(write({ eventType: "Late", payload: { x: "x" } }));
    expect(await client.waitForEnd("r-1")).toMatchObject({ status: "COMPLETED", result: 7 });
    await client.append([
      write({ runId: "r-2", eventType: "RunStarted" }),
      write({ runId: "r-2", eventType: "RunCompleted", payload: {} }),
    ]);
    expect(await client.waitForEnd("r-2")).toEqual({ runId: "r-2", status: "COMPLETED" });
    await expect(client.retry("r-1", { fromStep: "a" })).rejects.toMatchObject({ code: "PAWL4010" });
    expect(keyOf({ runId: "r-1", eventType: "RunStarted" })).toBe((await log())[0]?.idempotencyKey);
  });
});
