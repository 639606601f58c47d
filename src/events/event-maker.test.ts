// Proves the producer's path to an event: its ids, keys, hashes and links, what it refuses, and that a Commit asked again
// brings the same event, never a second one. The maker is the only way the engine gets an event.
import { beforeEach, describe, expect, it } from "vitest";
import { runEventTypes, stepEventTypes } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import { systemPlatform } from "../platform/system.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import { memoryStore } from "../store/memory/store.ts";
import type { Commit, EventRecord, EventWrite } from "../store/port.ts";
import { chainLink } from "../../test/support/chain-link.ts";
import { payloadHash, verifyChain } from "./hash-chain.ts";
import { toRecord, validateWrite } from "./envelope.ts";
import { idempotencyKey } from "./event-key.ts";
import { EventMaker, type EventDraft } from "./event-maker.ts";
import { proves } from "../../test/support/proves.ts";

const scope = { tenantId: "acme", projectId: "shop", environmentId: "prod" };
const run = { runId: "0199f3c2-7b1e-7d44-8a55-2f6b0c9d1e70", scope, planId: "order", planVersion: "1" };
const start = { seq: 0, link: "", sealedAt: null };
const broken = expect.objectContaining({ code: "PAWL3007" });
const draft = (eventType: string, more: Partial<EventDraft> = {}): EventDraft => ({
  eventType,
  stepId: eventType.startsWith("Step") ? "charge" : null,
  logicalAttemptId: 1,
  engineAttemptId: 1,
  emittedAt: 1_760_000_000_123,
  payload: null,
  ...more,
});
const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let platform: Platform;
let maker: EventMaker;
beforeEach(() => {
  platform = virtualPlatform({ seed: 7 });
  maker = new EventMaker(run, platform, start);
});

describe("one event", () => {
  it(
    "every known event can be made, and is a valid write",
    proves("D-004", "D-005", "D-006", "D-007", "D-008", "D-009", "D-010", "D-011", "D-012", "D-013", "D-014"),
    () => {
      for (const eventType of [...runEventTypes, ...stepEventTypes]) {
        const e = maker.make(draft(eventType), 1);
        expect(e.eventType).toBe(eventType);
        const {
          runSeq: _seq,
          persistedAt: _at,
          ...write
        } = toRecord({ ...run, workflow: "order", version: "1" }, { ...e, persistedAt: 5, stateVersion: 1 });
        expect(validateWrite(write)).toEqual({ ok: true, write });
      }
      expect(runEventTypes.length + stepEventTypes.length).toBe(11);
    },
  );

  it("the eventId is a random v4: two makers of the same event give it different ids", proves("D-024", "D-050", "D-054"), () => {
    const random = systemPlatform();
    const makeOne = (): string => new EventMaker(run, random, start).make(draft("RunStarted", { payload: "{}" }), 1).eventId;
    const ids = Array.from({ length: 50 }, makeOne);
    for (const id of ids) expect(id).toMatch(v4);
    expect(new Set(ids).size).toBe(50);
  });

  it("the key is the formula's, and knows nothing of the engine attempt", proves("D-034"), () => {
    const e = maker.make(draft("StepStarted", { logicalAttemptId: 3, engineAttemptId: 9 }), 1);
    expect(e.idempotencyKey).toBe(
      idempotencyKey({
        runId: run.runId,
        stepId: "charge",
        logicalAttemptId: 3,
        eventType: "StepStarted",
        planId: "order",
        planVersion: "1",
      }),
    );
  });

  it("attempts and the producer's time are what the producer said", proves("D-032", "D-033", "D-035", "D-038", "D-042", "D-044"), () => {
    const e = maker.make(draft("StepFailed", { logicalAttemptId: 2, engineAttemptId: 4, emittedAt: 99 }), 1);
    expect([e.logicalAttemptId, e.engineAttemptId, e.emittedAt]).toEqual([2, 4, 99]);
  });

  it("a step's event without a step, and a run's or unknown one with a step, are never made", proves("D-036", "D-037"), () => {
    for (const type of stepEventTypes) expect(() => maker.make(draft(type, { stepId: null }), 1)).toThrow(broken);
    for (const type of [...runEventTypes, "pawl.StepRedispatched", "Unknown"])
      expect(() => maker.make(draft(type, { stepId: "charge" }), 1)).toThrow(broken);
    expect(() => maker.make(draft("StepStarted", { stepId: "" }), 1)).toThrow(expect.objectContaining({ code: "PAWL1001" }));
    expect(() => maker.make(draft("StepStarted", { stepId: "RUN" }), 1)).toThrow(expect.objectContaining({ code: "PAWL1001" }));
  });

  it("attempts below 1 are never made", proves("D-041"), () => {
    expect(() => maker.make(draft("StepStarted", { logicalAttemptId: 0 }), 1)).toThrow(broken);
    expect(() => maker.make(draft("StepStarted", { engineAttemptId: 0 }), 1)).toThrow(broken);
  });

  it("a refused event leaves the maker where it was", () => {
    expect(() => maker.make(draft("StepStarted", { stepId: "a|b" }), 1)).toThrow("stepId must not contain '|'");
    expect(maker.head).toEqual(start);
    expect(maker.make(draft("RunStarted"), 1).runSeq).toBe(1);
  });

  it("a payload is kept with its salted hash; without one there is neither", proves("D-059", "K22"), () => {
    const e = maker.make(draft("RunCompleted", { payload: '{"result":1}' }), 1);
    expect(e.payload).toBe('{"result":1}');
    expect(e.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(e.payloadHash).toBe(payloadHash(e.salt as string, '{"result":1}'));
    expect(maker.make(draft("RunStarted"), 1)).toMatchObject({ payload: null, salt: null, payloadHash: null });
  });

  it("the same payload has another salt and hash each time", proves("K22"), () => {
    const random = systemPlatform();
    const hashes = Array.from(
      { length: 20 },
      () => new EventMaker(run, random, start).make(draft("RunStarted", { payload: "{}" }), 1).payloadHash,
    );
    expect(new Set(hashes).size).toBe(20);
  });
});

describe("the chain", () => {
  const records: EventRecord[] = [];
  const commit = (m: EventMaker, drafts: readonly EventDraft[], stateVersion: number, persistedAt: number): void => {
    for (const d of drafts) records.push({ ...m.make(d, stateVersion), persistedAt, stateVersion });
    m.onCommitted(persistedAt);
  };
  beforeEach(() => {
    records.length = 0;
  });

  it("links and runSeq go on from the head, within a Commit and across Commits", proves("K22", "D-089"), () => {
    commit(maker, [draft("RunStarted", { payload: "{}" }), draft("StepStarted")], 1, 1000);
    commit(maker, [draft("StepCompleted", { payload: "{}" })], 2, 2000);
    const [a, b, c] = records as [EventRecord, EventRecord, EventRecord];
    expect([a.runSeq, b.runSeq, c.runSeq]).toEqual([1, 2, 3]);
    expect(a.link).toBe(chainLink("", null, run, a));
    expect(b.link).toBe(chainLink(a.link, null, run, b));
    expect(c.link).toBe(chainLink(b.link, 1000, run, c));
    expect(verifyChain(run, records)).toEqual({ ok: true, head: c.link, sealedThrough: 2 });
  });

  it("a maker made from the head of a log continues the same chain", proves("K22"), () => {
    commit(maker, [draft("RunStarted")], 1, 1000);
    const head = records.at(-1) as EventRecord;
    commit(
      new EventMaker(run, platform, { seq: head.runSeq, link: head.link, sealedAt: head.persistedAt }),
      [draft("StepStarted")],
      2,
      1500,
    );
    expect(verifyChain(run, records)).toMatchObject({ ok: true, sealedThrough: 1 });
  });

  it("an acknowledged Commit without events seals nothing anew", proves("K22"), () => {
    commit(maker, [draft("RunStarted")], 1, 1000);
    maker.onCommitted(5000);
    commit(maker, [draft("StepStarted")], 3, 6000);
    expect(verifyChain(run, records)).toMatchObject({ ok: true });
  });

  it("a second Commit cannot be begun before the first one's time is known", () => {
    maker.make(draft("RunStarted"), 1);
    expect(() => maker.make(draft("StepStarted"), 2)).toThrow(broken);
    expect(() => maker.fork()).toThrow(broken);
  });

  it("a fork leaves its origin where it is", () => {
    commit(maker, [draft("RunStarted")], 1, 1000);
    const fork = maker.fork();
    const lost = fork.make(draft("StepStarted"), 2);
    expect(maker.head.seq).toBe(1);
    const kept = maker.make(draft("StepStarted"), 2);
    expect(kept.runSeq).toBe(lost.runSeq);
    expect(verifyChain(run, [...records, { ...kept, persistedAt: 2000, stateVersion: 2 }])).toMatchObject({ ok: true });
  });

  it("a head with events and no time, or a time and no events, is refused", () => {
    expect(() => new EventMaker(run, platform, { seq: 3, link: "x", sealedAt: null })).toThrow(broken);
    expect(() => new EventMaker(run, platform, { seq: 0, link: "", sealedAt: 5 })).toThrow(broken);
  });

  it("runSeq never leaves the exact integers", () => {
    const last = new EventMaker(run, platform, { seq: Number.MAX_SAFE_INTEGER, link: "x", sealedAt: 5 });
    expect(() => last.make(draft("StepStarted"), 9)).toThrow(broken);
  });
});

describe("an event and its id are stored together", () => {
  const fence = { epoch: 1, token: "t1" };
  const commitOf = (commitId: string, events: readonly EventWrite[], expect_: Commit["expect"]): Commit => ({
    commitId,
    runId: run.runId,
    expect: expect_,
    events,
    status: "RUNNING",
    waiting: null,
    due: { at: 0, inMs: null },
    release: false,
    notBefore: null,
    taken: [],
    consumed: [],
    replies: [],
    views: [],
    children: [],
    notices: [],
    moveInboxTo: null,
  });
  const create: Commit["expect"] = {
    create: {
      scope,
      workflowId: "order-7",
      workflow: "order",
      version: "1",
      tags: {},
      inputDigest: "d",
      idempotencyKey: null,
      deadlineInMs: null,
      originalRunId: null,
      rootRunId: run.runId,
      parentRunId: null,
      parentStepId: null,
      supersedes: null,
      owner: "e1",
      fence,
    },
  };

  it(
    "a Commit asked again brings the same eventId, and the log holds it once, under its key",
    proves("D-045", "D-049", "D-051", "D-052"),
    async () => {
      const store = memoryStore(platform);
      const event = maker.make(draft("RunStarted"), 1);
      const first = commitOf("c1", [event], create);
      expect((await store.commit([first])).answers[0]?.kind).toBe("committed");
      expect((await store.commit([first])).answers[0]?.kind).toBe("duplicate");
      const log = await store.events({ runId: run.runId, after: 0, limit: 10 });
      expect(log.map((e) => [e.idempotencyKey, e.eventId])).toEqual([[event.idempotencyKey, event.eventId]]);
    },
  );

  it(
    "after a restart the log gives the id back, and the same fact under a new id is never stored beside it",
    proves("D-053", "D-054"),
    async () => {
      const store = memoryStore(platform);
      const event = maker.make(draft("RunStarted"), 1);
      await store.commit([commitOf("c1", [event], create)]);
      const head = (await store.events({ runId: run.runId, after: 0, limit: 10 })).at(-1) as EventRecord;
      const restarted = new EventMaker(run, platform, { seq: head.runSeq, link: head.link, sealedAt: head.persistedAt });
      const twin = restarted.make(draft("RunStarted"), 2);
      expect(twin.idempotencyKey).toBe(event.idempotencyKey);
      expect(twin.eventId).not.toBe(event.eventId);
      expect((await store.commit([commitOf("c2", [twin], { fence, stateVersion: 1 })])).answers[0]?.kind).toBe("refused");
      expect((await store.events({ runId: run.runId, after: 0, limit: 10 })).map((e) => e.eventId)).toEqual([event.eventId]);
    },
  );
});
