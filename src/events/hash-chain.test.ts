// Proves the hash chain (K22): its exact text, and that any change to any field, any order, any time that is sealed is seen.
// The golden link must never change: it is in the logs of users.
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { canonicalJson } from "../codec/canonical.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import type { EventRecord } from "../store/port.ts";
import { canonicalWrite, chainFrame, payloadHash, verifyChain, type ChainEvent } from "./hash-chain.ts";
import { chainLink } from "../../test/support/chain-link.ts";
import { EventMaker } from "./event-maker.ts";
import { proves } from "../../test/support/proves.ts";

const run = { runId: "r1", scope: { tenantId: "acme", projectId: "shop", environmentId: "prod" }, planId: "order", planVersion: "1" };
const event: ChainEvent = {
  runSeq: 2,
  eventId: "0b6d4f1e-6d5b-4f6e-9d53-3a0a5c9b7e11",
  eventType: "StepStarted",
  stepId: "charge",
  logicalAttemptId: 1,
  engineAttemptId: 1,
  idempotencyKey: "ab".repeat(32),
  emittedAt: 1_760_000_000_123,
  payloadHash: "cd".repeat(32),
  stateVersion: 1,
};

describe("the text of a link", () => {
  it("is link, sealed time and canonical write, with the payload's hash in the place of the payload", proves("K22"), () => {
    const write =
      `{"emittedAt":1760000000123,"engineAttemptId":1,"environmentId":"prod","eventId":"0b6d4f1e-6d5b-4f6e-9d53-3a0a5c9b7e11","eventType":"StepStarted",` +
      `"idempotencyKey":"${"ab".repeat(32)}","logicalAttemptId":1,"payloadHash":"${"cd".repeat(32)}","planId":"order","planVersion":"1","projectId":"shop",` +
      `"runId":"r1","runSeq":2,"stateVersion":1,"stepId":"charge","tenantId":"acme"}`;
    expect(canonicalWrite(chainFrame(run), event, 1)).toBe(write);
    expect(chainLink("", null, run, event)).toBe(sha256Hex(`\n\n${write}`));
    expect(chainLink("ff", 1000, run, event)).toBe(sha256Hex(`ff\n1000\n${write}`));
    expect(chainLink("ff", 1000, run, event)).toBe("30a9a6943f42f27a8f40b47b29f341014fc979598d48e9fc6165e27b93901d9d");
  });

  it("the hand-made text is RFC 8785, whatever the ids hold", proves("K22"), () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 });
    const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    const anyRun = fc.record({ runId: text, tenantId: text, projectId: text, environmentId: text, planId: text, planVersion: text });
    fc.assert(
      fc.property(
        anyRun,
        text,
        fc.option(text, { nil: null }),
        count,
        count,
        fc.boolean(),
        (r, eventType, stepId, runSeq, emittedAt, hashed) => {
          const { tenantId, projectId, environmentId, ...rest } = r;
          const e = { ...event, eventType, stepId, runSeq, emittedAt, payloadHash: hashed ? event.payloadHash : null };
          const byHand = canonicalWrite(chainFrame({ ...rest, scope: { tenantId, projectId, environmentId } }), e, e.stateVersion);
          expect(byHand).toBe(canonicalJson({ ...r, ...e }));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("payloadHash is over salt and payload", proves("K22"), () => {
    expect(payloadHash("ab", "{}")).toBe(sha256Hex("ab\n{}"));
    expect(payloadHash("ac", "{}")).not.toBe(payloadHash("ab", "{}"));
  });
});

describe("verifyChain", () => {
  let log: EventRecord[];
  beforeEach(() => {
    const maker = new EventMaker(run, virtualPlatform({ seed: 3 }), { seq: 0, link: "", sealedAt: null });
    log = [];
    const commits: readonly (readonly string[])[] = [
      ["RunQueued", "RunStarted", "StepStarted"],
      ["StepCompleted", "StepStarted"],
      ["StepCompleted", "RunCompleted"],
    ];
    for (const [i, types] of commits.entries()) {
      for (const [j, eventType] of types.entries()) {
        const draft = {
          eventType,
          stepId: eventType.startsWith("Step") ? `s${i + j}` : null,
          logicalAttemptId: 1,
          engineAttemptId: 1,
          emittedAt: 50 + i,
          payload: j === 0 ? `{"n":${i}}` : null,
        };
        log.push({ ...maker.make(draft, i + 1), stateVersion: i + 1, persistedAt: 1000 * (i + 1) });
      }
      maker.onCommitted(1000 * (i + 1));
    }
  });
  const change = (at: number, patch: Partial<EventRecord>): EventRecord[] => log.map((e, i) => (i === at ? { ...e, ...patch } : e));

  it("an untouched log is sound, and its times are sealed up to the last Commit but one", proves("K22"), () => {
    expect(verifyChain(run, log)).toEqual({ ok: true, head: log.at(-1)?.link, sealedThrough: 5 });
    expect(verifyChain(run, log.slice(0, 3))).toEqual({ ok: true, head: log[2]?.link, sealedThrough: 0 });
    expect(verifyChain(run, [])).toEqual({ ok: true, head: "", sealedThrough: 0 });
  });

  it("a change of any field of any event is seen", proves("K22"), () => {
    for (const at of log.keys()) {
      const e = log[at] as EventRecord;
      const patches: readonly Partial<EventRecord>[] = [
        { eventId: "0b6d4f1e-6d5b-4f6e-9d53-3a0a5c9b7e12" },
        { eventType: "RunFailed" },
        { stepId: "other" },
        { logicalAttemptId: 2 },
        { engineAttemptId: 2 },
        { idempotencyKey: "00" },
        { emittedAt: e.emittedAt + 1 },
        { payload: '{"n":9}' },
        { payloadHash: "00".repeat(32) },
        { link: "00".repeat(32) },
        { stateVersion: e.stateVersion + 10 },
      ];
      for (const patch of patches)
        expect(verifyChain(run, change(at, patch)), `${at} ${JSON.stringify(patch)}`).toMatchObject({ ok: false });
    }
  });

  it("the scope and plan of the run are in every link", proves("K22"), () => {
    for (const other of [
      { runId: "r2" },
      { planId: "x" },
      { planVersion: "2" },
      { scope: { ...run.scope, tenantId: "x" } },
      { scope: { ...run.scope, projectId: "x" } },
      { scope: { ...run.scope, environmentId: "x" } },
    ]) {
      expect(verifyChain({ ...run, ...other }, log)).toMatchObject({ ok: false, runSeq: 1 });
    }
  });

  it("a changed time is seen when it is sealed, and the head's is not yet", proves("K22"), () => {
    const later = (from: number, to: number): EventRecord[] =>
      log.map((e, i) => (i >= from && i < to ? { ...e, persistedAt: e.persistedAt + 1 } : e));
    expect(verifyChain(run, later(0, 3))).toMatchObject({ ok: false, runSeq: 4 });
    expect(verifyChain(run, later(3, 5))).toMatchObject({ ok: false, runSeq: 6 });
    expect(verifyChain(run, later(5, 7))).toMatchObject({ ok: true, sealedThrough: 5 });
  });

  it("events of one Commit share their time", proves("K22"), () => {
    expect(verifyChain(run, change(6, { persistedAt: 3001 }))).toEqual({
      ok: false,
      runSeq: 7,
      problem: "events of one Commit differ in persistedAt",
    });
  });

  it("a removed, repeated, moved or inserted event is seen", proves("K22"), () => {
    for (const at of log.keys()) {
      const without = log.toSpliced(at, 1);
      // The last event can be cut off unseen by the chain alone: the head link in the run's row tells.
      expect(verifyChain(run, without).ok).toBe(at === log.length - 1);
      expect(verifyChain(run, log.toSpliced(at, 0, log[at] as EventRecord))).toMatchObject({ ok: false, problem: "runSeq does not rise" });
    }
    expect(verifyChain(run, log.toReversed())).toMatchObject({ ok: false });
    expect(verifyChain(run, change(0, { runSeq: 0 }))).toMatchObject({ ok: false, runSeq: 0 });
    expect(verifyChain(run, change(3, { stateVersion: 0 }))).toMatchObject({ ok: false, problem: "stateVersion goes back" });
  });

  it("a payload may expire with its salt and the chain still holds; one that appears is seen", proves("K22"), () => {
    expect(verifyChain(run, change(0, { payload: null, salt: null }))).toMatchObject({ ok: true });
    expect(verifyChain(run, change(1, { payload: "{}" }))).toEqual({ ok: false, runSeq: 2, problem: "the payload has no hash" });
    expect(verifyChain(run, change(0, { salt: "00" }))).toEqual({ ok: false, runSeq: 1, problem: "the payload does not match its hash" });
  });

  it("a log that begins with runSeq 0 is none, also where every link is right", proves("K22", "P-15"), () => {
    for (const runSeq of [0, -1, 0.5]) {
      const e = { ...event, runSeq, payloadHash: null };
      const first: EventRecord = { ...e, payload: null, salt: null, persistedAt: 6, link: chainLink("", null, run, e) };
      expect(verifyChain(run, [first])).toMatchObject({ ok: false, problem: "runSeq is not a whole number of at least 1" });
    }
  });

  it("gaps in runSeq are no fault", proves("D-089"), () => {
    const maker = new EventMaker(run, virtualPlatform(), { seq: 0, link: "", sealedAt: null });
    const first = {
      ...maker.make({ eventType: "RunStarted", stepId: null, logicalAttemptId: 1, engineAttemptId: 1, emittedAt: 1, payload: null }, 1),
      persistedAt: 5,
      stateVersion: 1,
    };
    const gap = { ...event, runSeq: 9, stateVersion: 2, payloadHash: null };
    const second: EventRecord = { ...gap, payload: null, salt: null, persistedAt: 6, link: chainLink(first.link, 5, run, gap) };
    expect(verifyChain(run, [first, second])).toMatchObject({ ok: true, sealedThrough: 1 });
  });
});
