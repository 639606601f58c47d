// The proof of every kind of story an effect may have: the sentence, the verdict, and that nothing is claimed without its class
// and its assumptions. Stories are written down as events, so that what is proved is what a log can say.
import { describe, expect, it } from "vitest";
import type { EventRecord } from "../store/port.ts";
import { openDecisions, parseDecisionId } from "./open-decisions.ts";
import { effectHistories, mayArriveUntil } from "./effect-history.ts";
import { proofOf, type EffectProof, type Proof, type ProofStore } from "./proof.ts";
import { proves } from "../../test/support/proves.ts";

const store: ProofStore = { name: "sqlite", durable: true, unsafe: [], moved: false, incarnation: 1 };
type Line = readonly [type: string, payload?: object, attempt?: number];

/** A log of one step "charge", an event a second. */
function log(...lines: readonly Line[]): EventRecord[] {
  return lines.map(([eventType, payload, attempt = 1], i) => ({
    runSeq: i + 1,
    eventId: `e${i}`,
    eventType,
    stepId: eventType.startsWith("Step") ? "charge" : null,
    logicalAttemptId: attempt,
    engineAttemptId: 1,
    idempotencyKey: `k${i}`,
    emittedAt: 0,
    payload: payload === undefined ? null : JSON.stringify(payload),
    salt: null,
    payloadHash: null,
    link: "",
    persistedAt: i * 1_000,
    stateVersion: i + 1,
  }));
}
const keyed = { kind: "effect", name: "charge", digest: "d", class: "KEYED", key: "order-42", dedupMs: 86_400_000, timeoutMs: 60_000 };
const verified = { kind: "effect", name: "charge", digest: "d", class: "VERIFIED", verified: true, settleMs: 5_000, timeoutMs: 60_000 };
const once = { kind: "effect", name: "charge", digest: "d", class: "AT-MOST-ONCE", key: "order-42", timeoutMs: 60_000 };
const plain = { kind: "effect", name: "charge", digest: "d", class: "UNDECLARED" };
const again: Line = ["pawl.StepRedispatched", { stepId: "charge", engineAttemptId: 2 }];
const doubt: Line = ["pawl.StepInDoubt", { stepId: "charge", reason: "nobody knows", code: "PAWL2001" }];
const failed = (category: string, more: object = {}): Line => ["StepFailed", { category, error: { name: "E", message: "no" }, ...more }];
const retry = { retryAt: "2026-01-01T00:00:00.000Z" };
const done: Line = ["StepCompleted", { result: 1 }];

function prove(lines: readonly Line[], s: ProofStore = store, reused: readonly string[] = []): Proof {
  return proofOf(
    s,
    [{ runId: "r", runChain: "r", histories: effectHistories(log(...lines)), brokenChain: null, reused: new Set(reused) }],
    "order-42",
  );
}
function one(...lines: readonly Line[]): EffectProof & { readonly why: readonly string[] } {
  const p = prove(lines);
  expect(p.effects).toHaveLength(1);
  const [e] = p.effects;
  return { ...e!, why: e!.assumptions.map((n) => p.assumptions[n - 1]!) };
}

describe("sentences", () => {
  it("KEYED: attempted twice and took effect once, because every send had the same key inside the receiver's window", () => {
    const e = one(["StepStarted", keyed], again, done);
    expect([e.verdict, e.sends, e.events]).toEqual(["once", 2, [1, 2, 3]]);
    expect(e.sentence).toBe(
      "charge for order-42 was attempted at most 2 times and took effect once, because its outcome is recorded, and every send had the same key inside the receiver's window (KEYED).",
    );
    expect(e.why).toContain("the receiver of charge honours key order-42 for 24 h, as its dedup declares");
  });

  it("a single send rests on nothing of the receiver's", () => {
    const e = one(["StepStarted", keyed], done);
    expect(e.sentence).toBe("charge for order-42 was attempted once and took effect once, because its outcome is recorded (KEYED).");
    expect(e.why.join()).not.toContain("honours");
  });

  it("VERIFIED: rests on verify and on no request being later than its limits say", () => {
    const e = one(["StepStarted", verified], again, done);
    expect(e.verdict).toBe("once");
    expect(e.why).toContain("verify of charge tells the truth about the receiver");
    expect(e.why).toContain("no request of charge arrives later than 65 s after it was sent, as its timeout and settle declare");
    expect(one(["StepStarted", verified], ["StepCompleted", { result: 1, via: "verify" }]).sentence).toContain(
      "because verify found it done",
    );
    // A later attempt asks first: its start is no send of its own.
    expect(
      one(["StepStarted", verified], failed("FAILED", retry), ["StepStarted", { retry: true }, 2], ["StepCompleted", { via: "verify" }])
        .sends,
    ).toBe(1);
  });

  it("AT-MOST-ONCE: once, at most once, or in doubt; never more", () => {
    expect(one(["StepStarted", once], done).verdict).toBe("once");
    expect(one(["StepStarted", once], failed("FAILED")).verdict).toBe("at-most-once");
    expect(one(["StepStarted", once], doubt)).toMatchObject({
      verdict: "in-doubt",
      sentence: "charge for order-42 was attempted once; whether it took effect is not known: nobody knows (AT-MOST-ONCE).",
    });
    expect(one(["StepStarted", once]).verdict).toBe("in-doubt");
  });

  it("an answer rests on the person who gave it", () => {
    const by = { stepId: "charge", decisionId: "r:2", by: "ann", reason: "asked the bank" };
    const yes = one(
      ["StepStarted", once],
      doubt,
      ["pawl.DecisionAnswered", { ...by, answer: "happened" }],
      ["StepCompleted", { via: "decision" }],
    );
    expect([yes.verdict, yes.events]).toEqual(["once", [1, 2, 3, 4]]);
    expect(yes.why).toContain("ann was right that it happened: asked the bank");
    const no = one(
      ["StepStarted", once],
      doubt,
      ["pawl.DecisionAnswered", { ...by, answer: "did-not-happen" }],
      failed("NOT_SENT", { ...retry, via: "decision" }),
      ["StepStarted", {}, 2],
      done,
    );
    expect([no.verdict, no.sends]).toEqual(["once", 2]);
    expect(no.why).toContain("ann was right that it did not happen: asked the bank");
    const held: Line = ["pawl.StepHeld", { stepId: "charge", error: { message: "no" }, category: "FAILED" }];
    const again = one(
      ["StepStarted", plain],
      held,
      ["pawl.DecisionAnswered", { ...by, answer: "retry" }],
      ["StepStarted", {}, 2],
      held,
      ["pawl.DecisionAnswered", { ...by, answer: "skip" }],
      ["StepSkipped", {}],
    );
    expect(again.why.filter((w) => w.startsWith("ann"))).toEqual(["ann was right that it is to be skipped: asked the bank"]);
  });

  it("REPEATABLE and UNDECLARED: once only where the log shows a single call", () => {
    expect(one(["StepStarted", plain], done).verdict).toBe("once");
    expect(one(["StepStarted", plain], again, done)).toMatchObject({ verdict: "at-least-once", sends: 2 });
    expect(one(["StepStarted", plain], again, failed("FAILED")).verdict).toBe("at-least-once");
  });

  it("a step that gave its place up is called again: each call counts, and what an earlier one did is not known", () => {
    const yielded: Line = ["pawl.StepYielded", { stepId: "charge", detail: { cursor: 1 }, via: "queue" }];
    const nobody: Line = failed("NOT_SENT", { claimedAt: null });
    expect(one(["StepStarted", plain], yielded, yielded, done)).toMatchObject({ verdict: "at-least-once", sends: 3, events: [1, 2, 3, 4] });
    expect(one(["StepStarted", { ...plain, via: "queue" }], yielded, nobody)).toMatchObject({ verdict: "at-most-once", sends: 1 });
    expect(one(["StepStarted", keyed], yielded, done).why).toContain(
      "the receiver of charge honours key order-42 for 24 h, as its dedup declares",
    );
  });

  it("what nobody claimed says nothing of a call before it", () => {
    const lapsed: Line = ["pawl.StepRedispatched", { stepId: "charge", engineAttemptId: 2, via: "queue", worker: "w", claimedAt: 5 }];
    const nobody: Line = failed("NOT_SENT", { claimedAt: null });
    const queued = { ...plain, via: "queue" };
    expect(one(["StepStarted", queued], nobody).verdict).toBe("not-at-all");
    expect(one(["StepStarted", queued], lapsed, nobody)).toMatchObject({ verdict: "at-most-once", sends: 1 });
  });

  it("what certainly did not happen, and what happened without a result", () => {
    expect(one(["StepStarted", once], failed("NOT_SENT")).verdict).toBe("not-at-all");
    expect(one(["StepStarted", once], failed("NOT_SENT", retry), ["StepStarted", {}, 2], failed("NOT_SENT")).verdict).toBe("not-at-all");
    expect(one(["StepStarted", keyed], again, failed("NOT_SENT")).verdict).toBe("at-most-once"); // the first send is unknown
    expect(one(["StepStarted", verified], failed("FAILED", { diagnosis: "verify says not-completed" })).verdict).toBe("at-most-once");
    expect(one(["StepStarted", once], doubt, failed("NOT_SENT", { via: "decision" })).verdict).toBe("not-at-all");
    expect(one(["StepStarted", verified], failed("RESULT_UNAVAILABLE"))).toMatchObject({ verdict: "once" });
    expect(one(["StepStarted", { ...plain, kind: "tx", class: "ATOMIC" }], again, done)).toMatchObject({
      verdict: "once",
      sentence: "charge took effect once, because its rows and the step's outcome are one commit of the store (ATOMIC).",
    });
    expect(one(["StepStarted", { ...plain, kind: "tx", class: "ATOMIC" }], failed("FAILED")).verdict).toBe("not-at-all");
  });
});

describe("the whole proof", () => {
  it("never says exactly once, and every sentence has its class and at least one assumption", proves("W-002"), () => {
    const histories: Line[][] = [
      [["StepStarted", keyed], again, done],
      [["StepStarted", verified], done],
      [["StepStarted", once], doubt],
      [["StepStarted", plain], again, done],
    ];
    for (const lines of histories) {
      const p = prove(lines);
      expect(JSON.stringify(p)).not.toMatch(/exactly/i);
      for (const e of p.effects) {
        expect(e.sentence).toContain(`(${e.class})`);
        expect(e.assumptions.length).toBeGreaterThan(0);
      }
    }
  });

  it("what a verifier did not confirm later is said, with its events, and so is who went on from it", proves("A-33", "A-35"), () => {
    const against = { stepId: "charge", verifier: "bank", reason: "no such charge", epoch: 2 };
    const warned = one(["StepStarted", keyed], done, ["pawl.ConfirmationFailed", { ...against, mode: "warn" }]);
    expect(warned.sentence).toBe(
      "charge for order-42 was attempted once and took effect once, because its outcome is recorded; read back later, bank did not confirm it: no such charge (KEYED).",
    );
    const claim = "charge took effect as recorded, although bank did not confirm it at event 3: no such charge";
    expect([warned.verdict, warned.events, warned.why.includes(claim)]).toEqual(["once", [1, 2, 3], true]);
    const asked: Line[] = [
      ["StepStarted", keyed],
      done,
      ["pawl.ConfirmationFailed", { ...against, mode: "human" }],
      ["pawl.DecisionNeeded", { reason: "not confirmed", code: "PAWL2007", unconfirmed: ["charge"] }],
      ["pawl.DecisionAnswered", { decisionId: "r:4", answer: "accept", by: "ann", reason: "the bank moved it" }],
    ];
    const accepted = one(...asked);
    expect(accepted.why.slice(-2)).toEqual([claim, "ann was right to answer accept to that: the bank moved it"]);
    expect(accepted.events).toEqual([1, 2, 3, 5]);
    expect(one(["StepStarted", keyed], done).why.join()).not.toContain("confirm");
    // An answer to a question of another kind says nothing of it.
    const other = one(...asked.slice(0, 3), ["pawl.DecisionNeeded", { reason: "five claims" }], asked[4]!);
    expect(other.why.join()).not.toContain("ann");
  });

  it("the store's weaknesses are assumptions: memory, unsafe settings, another identity, a restore", () => {
    const p = prove(
      [["StepStarted", once], done],
      { name: "memory", durable: false, unsafe: ["synchronous=off"], moved: true, incarnation: 3 },
      ["order-42"],
    );
    const all = p.assumptions.join("\n");
    for (const text of [
      "held in memory",
      "unsafe setting synchronous=off",
      "not the file or server",
      "restored 2 time(s)",
      "used by another operation",
    ])
      expect(all).toContain(text);
    const broken = proofOf(
      store,
      [
        {
          runId: "r",
          runChain: "r",
          histories: effectHistories(log(["StepStarted", once], done)),
          brokenChain: "event 2",
          reused: new Set(),
        },
      ],
      "x",
    );
    expect([broken.verdict, broken.effects[0]?.verdict]).toEqual(["in-doubt", "in-doubt"]);
    expect(broken.sentence).toContain("the log of run r was altered or has a gap (event 2)");
  });

  it(
    "a key of two operations is one for a receiver that deduplicates: in its window, the same receiver, the same arguments",
    proves("K24", "I7"),
    () => {
      const wait: Line = ["RunStarted"];
      const use = (first: object, second: object, reused: readonly string[] = []): unknown => {
        const runs = [log(["StepStarted", first], done), log(wait, wait, ["StepStarted", second], done)].map((events, i) => ({
          runId: `r${i}`,
          runChain: `r${i}`,
          histories: effectHistories(events),
          brokenChain: null,
          reused: new Set(reused),
        }));
        const { verdict, key } = proofOf(store, runs, "key order-42", [], "order-42");
        return [verdict, key?.verdict, key?.sends, key?.deduplicated];
      };
      expect(use(keyed, keyed)).toEqual(["once", "once", 2, true]);
      const twice = ["at-least-once", "at-least-once", 2, false];
      expect(use({ ...keyed, dedupMs: 1_000 }, { ...keyed, dedupMs: 1_000 })).toEqual(twice);
      expect(use({ ...keyed, receiver: "bank" }, { ...keyed, receiver: "shop" })).toEqual(twice);
      expect(use(keyed, { ...keyed, name: "refund" })).toEqual(twice);
      expect(use(keyed, keyed, ["order-42"])).toEqual(twice);
      expect(use(keyed, once)).toEqual(twice);
    },
  );

  it("the verdict is the worst of its effects, and a run without effects is said to have none", () => {
    const both = [...effectHistories(log(["StepStarted", once], done)), ...effectHistories(log(["StepStarted", once], doubt))];
    const p = proofOf(store, [{ runId: "r", runChain: "r", histories: both, brokenChain: null, reused: new Set() }], "order-42");
    expect([p.verdict, p.sentence]).toEqual([
      "in-doubt",
      "of 2 effects of order-42, 1 took effect once, 1 not known, under 2 assumptions.",
    ]);
    expect(prove([["StepStarted", { kind: "timer", name: "t", digest: "d" }]]).sentence).toBe(
      "order-42 has no effects, under 1 assumption.",
    );
  });
});

describe("decisions", () => {
  it("did not happen may be said only after the last dispatch, its limit and its time to settle", proves("K25"), () => {
    const [d] = openDecisions("r", log(["StepStarted", once], again, doubt));
    expect([d?.decisionId, d?.settledAt]).toEqual(["r:3", 1_000 + 60_000 + 5_000]);
    expect(mayArriveUntil({ lastAt: 5, timeoutMs: 4_000, settleMs: 20 })).toBe(4_025);
    expect(mayArriveUntil({ lastAt: 5, timeoutMs: 10, settleMs: 20 })).toBe(1_035); // a second to begin: a limit this short has none to spare
  });

  it("an outcome closes a doubt; a resume closes a divergence; each open question has the id of the event that asked", () => {
    expect(openDecisions("r", log(["StepStarted", once], doubt, done))).toEqual([]);
    const paused: Line = ["RunPaused", { category: "DIVERGED", code: "PAWL1006", message: "no" }];
    expect(openDecisions("r", log(paused)).map((d) => [d.kind, d.decisionId])).toEqual([["diverged", "r:1"]]);
    expect(openDecisions("r", log(["RunPaused", { reason: "by hand" }]))).toEqual([]);
    expect(openDecisions("r", log(paused, ["RunResumed"]))).toEqual([]);
    const needed: Line = ["pawl.DecisionNeeded", { reason: "five claims" }];
    expect(openDecisions("r", log(needed, ["StepStarted", once], doubt)).map((d) => d.kind)).toEqual(["given-up", "effect"]);
    expect(openDecisions("r", log(needed, ["pawl.DecisionAnswered", { answer: "retry" }]))).toEqual([]);
  });

  it.each(["", "r", "r:", ":1", "r:0", "r:1.5", "r:01", "r:-1", "r:x"])("%j is no decision's id", (id) => {
    expect(parseDecisionId(id)).toBeUndefined();
  });

  it("an id names its run and its event, whatever the run's id contains", () => {
    expect(parseDecisionId("a:b:12")).toEqual({ runId: "a:b", runSeq: 12 });
  });
});
