// Proves the transition table against a second statement of it, exhaustively: every event type in every state of the run and
// of the step. The guard's answers are what keeps an invalid event from ever being emitted.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEventTypes, stepEventTypes, type RunStatus, type StepStatus } from "./model.ts";
import { applyTransition, checkTransition, emptyDerived, nextRunStatus, type Derived } from "./transitions.ts";
import { proves } from "../../test/support/proves.ts";

const statuses: readonly (RunStatus | null)[] = [null, "PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"];
const settled: readonly (RunStatus | null)[] = ["COMPLETED", "FAILED", "CANCELLED"];
const stepStatuses: readonly StepStatus[] = ["PENDING", "RUNNING", "SUCCESS", "FAILED", "SKIPPED"];
const runEvent = (eventType: string) => ({ eventType, stepId: null, logicalAttemptId: 1 });
const stepEvent = (eventType: string, logicalAttemptId = 1, stepId = "s") => ({ eventType, stepId, logicalAttemptId });
const at = (status: RunStatus | null, step?: { attempt: number; status: StepStatus }): Derived => ({
  status,
  steps: new Map(step ? [["s", step]] : []),
});

const sources: Readonly<Record<string, [to: RunStatus, from: readonly (RunStatus | null)[]]>> = {
  RunQueued: ["PENDING", [null]],
  RunStarted: ["RUNNING", [null, "PENDING"]],
  RunPaused: ["PAUSED", ["RUNNING"]],
  RunResumed: ["RUNNING", ["PAUSED"]],
  RunCompleted: ["COMPLETED", ["RUNNING"]],
  RunFailed: ["FAILED", ["PENDING", "RUNNING", "PAUSED"]],
  RunCancelled: ["CANCELLED", ["PENDING", "RUNNING", "PAUSED"]],
};
const ids: Readonly<Record<string, readonly string[]>> = {
  RunQueued: ["D-004", "D-015"],
  RunStarted: ["D-005", "D-092"],
  RunPaused: ["D-010", "D-093"],
  RunResumed: ["D-011", "D-094"],
  RunCompleted: ["D-012", "D-095"],
  RunFailed: ["D-013", "D-096"],
  RunCancelled: ["D-014", "D-097"],
};

describe("run-level events", () => {
  for (const type of runEventTypes) {
    const [to, from] = sources[type] as (typeof sources)[string];
    it(
      `${type} leads to ${to} from ${from.map((s) => s ?? "none").join(", ")} and from nowhere else`,
      proves(...(ids[type] ?? []), "T-15", "TX-01"),
      () => {
        for (const status of statuses) {
          const d = at(status);
          const ok = from.includes(status);
          expect(nextRunStatus(status, type), `${status}`).toBe(ok ? to : undefined);
          expect(checkTransition(d, runEvent(type)).ok, `${status}`).toBe(ok);
          applyTransition(d, runEvent(type));
          // Applied without being permitted, it still corrupts nothing.
          expect(d.status).toBe(ok ? to : status);
        }
      },
    );
  }

  it("a settled run takes no event at all, not even one that would change nothing", proves("I8", "D-104"), () => {
    for (const status of settled) {
      for (const type of [...runEventTypes, "pawl.ViewPublished", "SomethingNew"])
        expect(checkTransition(at(status), runEvent(type)).ok).toBe(false);
      for (const type of stepEventTypes)
        expect(checkTransition(at(status, { attempt: 1, status: "RUNNING" }), stepEvent(type)).ok).toBe(false);
    }
  });

  it("unknown and pawl events are let through and leave the state as it is", proves("D-023", "K21"), () => {
    for (const type of ["pawl.StepRedispatched", "SomethingNew", "constructor", "__proto__", "toString"]) {
      const d = at("PAUSED", { attempt: 2, status: "RUNNING" });
      expect(nextRunStatus("PAUSED", type)).toBe("PAUSED");
      expect(checkTransition(d, runEvent(type))).toEqual({ ok: true });
      applyTransition(d, runEvent(type));
      expect(d).toEqual(at("PAUSED", { attempt: 2, status: "RUNNING" }));
    }
    expect(nextRunStatus(null, "pawl.Patched")).toBeUndefined();
    expect(checkTransition(emptyDerived(), runEvent("pawl.Patched")).ok).toBe(false);
  });
});

const stepRules: Readonly<Record<string, [ids: readonly string[], from: StepStatus, to: StepStatus]>> = {
  StepStarted: [["D-006", "D-098"], "PENDING", "RUNNING"],
  StepCompleted: [["D-007", "D-099"], "RUNNING", "SUCCESS"],
  StepFailed: [["D-008", "D-100", "D-107"], "RUNNING", "FAILED"],
  StepSkipped: [["D-009", "D-101"], "PENDING", "SKIPPED"],
};

describe("step events", () => {
  for (const type of stepEventTypes) {
    const [carries, from, to] = stepRules[type] as (typeof stepRules)[string];
    it(`${type} leads from ${from} to ${to} and from no other state`, proves(...carries, "T-15", "TX-01"), () => {
      // A step that is not there is PENDING in its first attempt.
      const fresh = at("RUNNING");
      expect(checkTransition(fresh, stepEvent(type)).ok).toBe(from === "PENDING");
      for (const status of stepStatuses.slice(1)) {
        const d = at("RUNNING", { attempt: 1, status });
        expect(checkTransition(d, stepEvent(type)).ok, status).toBe(from === status);
      }
      const d = from === "PENDING" ? fresh : at("RUNNING", { attempt: 1, status: "RUNNING" });
      applyTransition(d, stepEvent(type));
      expect(d.steps.get("s")).toEqual({ attempt: 1, status: to });
    });
  }

  it("a paused run drains what it began and begins nothing; one that has not started has no steps", proves("K13", "D-104"), () => {
    const running = { attempt: 1, status: "RUNNING" } as const;
    expect(checkTransition(at("PAUSED", { ...running }), stepEvent("StepCompleted")).ok).toBe(true);
    expect(checkTransition(at("PAUSED", { ...running }), stepEvent("StepFailed")).ok).toBe(true);
    expect(checkTransition(at("PAUSED"), stepEvent("StepStarted")).ok).toBe(false);
    expect(checkTransition(at("PAUSED"), stepEvent("StepSkipped")).ok).toBe(false);
    for (const status of [null, "PENDING"] as const) {
      for (const type of stepEventTypes) expect(checkTransition(at(status, { ...running }), stepEvent(type)).ok).toBe(false);
    }
  });

  it("the first logical attempt is 1, and the next is consecutive and begins only when the last has ended", proves("D-041"), () => {
    expect(checkTransition(at("RUNNING"), stepEvent("StepStarted", 0)).ok).toBe(false);
    expect(checkTransition(at("RUNNING"), stepEvent("StepStarted", 2)).ok).toBe(false);
    expect(checkTransition(at("RUNNING", { attempt: 1, status: "RUNNING" }), stepEvent("StepStarted", 2)).ok).toBe(false);
    for (const ended of ["SUCCESS", "FAILED", "SKIPPED"] as const) {
      expect(checkTransition(at("RUNNING", { attempt: 1, status: ended }), stepEvent("StepStarted", 2)).ok).toBe(true);
      expect(checkTransition(at("RUNNING", { attempt: 1, status: ended }), stepEvent("StepStarted", 3)).ok).toBe(false);
      expect(checkTransition(at("RUNNING", { attempt: 1, status: ended }), stepEvent("StepStarted", 1)).ok).toBe(false);
    }
    expect(checkTransition(at("RUNNING", { attempt: 2, status: "RUNNING" }), stepEvent("StepCompleted", 1)).ok).toBe(false);
    const d = at("RUNNING", { attempt: 1, status: "FAILED" });
    applyTransition(d, stepEvent("StepStarted", 2));
    expect(d.steps.get("s")).toEqual({ attempt: 2, status: "RUNNING" });
  });

  it("an outcome is recorded once for a logical attempt", proves("I2"), () => {
    const d = at("RUNNING", { attempt: 1, status: "RUNNING" });
    applyTransition(d, stepEvent("StepCompleted"));
    for (const type of stepEventTypes) expect(checkTransition(d, stepEvent(type)).ok).toBe(false);
  });
});

describe("the guard's answer", () => {
  it("carries the four fields that the payload of this condition must have", proves("D-108"), () => {
    expect(checkTransition(at("COMPLETED"), runEvent("RunPaused"))).toEqual({
      ok: false,
      invalidTransitionDetected: true,
      expectedState: "RUNNING",
      actualState: "COMPLETED",
      attemptedEventType: "RunPaused",
    });
    expect(checkTransition(at("RUNNING", { attempt: 1, status: "SUCCESS" }), stepEvent("StepFailed"))).toEqual({
      ok: false,
      invalidTransitionDetected: true,
      expectedState: "attempt 1 RUNNING",
      actualState: "attempt 1 SUCCESS",
      attemptedEventType: "StepFailed",
    });
    expect(checkTransition(at("PAUSED"), stepEvent("StepStarted"))).toMatchObject({
      expectedState: "run RUNNING",
      actualState: "run PAUSED",
    });
    expect(checkTransition(at("RUNNING"), { eventType: "StepStarted", stepId: null, logicalAttemptId: 1 }).ok).toBe(false);
  });

  it("asking changes nothing", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...statuses),
        fc.constantFrom(...stepStatuses),
        fc.constantFrom(...runEventTypes, ...stepEventTypes, "x"),
        fc.integer({ min: 0, max: 3 }),
        (status, step, type, attempt) => {
          const d = at(status, { attempt: 1, status: step });
          checkTransition(d, { eventType: type, stepId: type.startsWith("Step") ? "s" : null, logicalAttemptId: attempt });
          expect(d).toEqual(at(status, { attempt: 1, status: step }));
        },
      ),
      { numRuns: 200 },
    );
  });

  it(
    "whatever is offered, a guarded log keeps every step to one outcome per attempt and ends with its terminal event",
    proves("D-104", "T-15"),
    () => {
      const anyEvent = fc.record({
        eventType: fc.constantFrom(...runEventTypes, ...stepEventTypes, "pawl.Patched"),
        stepId: fc.constantFrom("s", "t"),
        logicalAttemptId: fc.integer({ min: 1, max: 3 }),
      });
      fc.assert(
        fc.property(fc.array(anyEvent, { maxLength: 60 }), (offered) => {
          const d = emptyDerived();
          const kept: string[] = [];
          for (const e of offered) {
            const event = { ...e, stepId: e.eventType.startsWith("Step") ? e.stepId : null };
            if (!checkTransition(d, event).ok) continue;
            applyTransition(d, event);
            kept.push(`${event.eventType} ${event.stepId} ${event.stepId === null ? "" : event.logicalAttemptId}`);
          }
          const terminal = kept.findIndex((k) => /^Run(Completed|Failed|Cancelled)/.test(k));
          expect(terminal === -1 || terminal === kept.length - 1).toBe(true);
          const outcomes = kept.filter((k) => /^Step(Completed|Failed|Skipped)/.test(k)).map((k) => k.split(" ").slice(1).join(" "));
          expect(new Set(outcomes).size).toBe(outcomes.length);
        }),
        { numRuns: 200 },
      );
    },
  );
});
