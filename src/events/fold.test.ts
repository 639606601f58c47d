// Proves that a log folds to the state it describes, that unknown and broken events change nothing, and that nothing in a
// payload can make a reader fail.
import { describe, expect, it } from "vitest";
import type { EventRecord } from "../store/port.ts";
import { foldLog } from "./fold.ts";
import { proves } from "../../test/support/proves.ts";

let seq = 0;
const e = (eventType: string, more: Partial<EventRecord> = {}): EventRecord => {
  seq++;
  return {
    runSeq: seq,
    eventId: `e${seq}`,
    eventType,
    stepId: eventType.startsWith("Step") ? "charge" : null,
    logicalAttemptId: 1,
    engineAttemptId: 1,
    idempotencyKey: `k${seq}`,
    emittedAt: 1,
    payload: null,
    salt: null,
    payloadHash: null,
    link: `l${seq}`,
    persistedAt: 1000 + seq,
    stateVersion: seq,
    ...more,
  };
};
const log = (make: () => EventRecord[]): EventRecord[] => {
  seq = 0;
  return make();
};
const started = '{"kind":"effect","name":"charge","class":"KEYED","key":"k-1","digest":"d"}';

describe("fold", () => {
  it("an empty log says nothing", () => {
    expect(foldLog([])).toEqual({ status: null, headSeq: 0, headLink: "", stateVersion: 0, persistedAt: 0, steps: [], problems: [] });
  });

  it("gives the run's status, its head, and its steps in the order they began", () => {
    const events = log(() => [
      e("RunQueued"),
      e("RunStarted"),
      e("StepStarted", { payload: started }),
      e("StepStarted", { stepId: "wait", payload: '{"kind":"timer","name":"wait"}' }),
      e("StepCompleted"),
      e("StepSkipped", { stepId: "mail" }),
    ]);
    expect(foldLog(events)).toEqual({
      status: "RUNNING",
      headSeq: 6,
      headLink: "l6",
      stateVersion: 6,
      persistedAt: 1006,
      steps: [
        {
          stepId: "charge",
          kind: "effect",
          name: "charge",
          class: "KEYED",
          key: "k-1",
          status: "SUCCESS",
          attempts: 1,
          engineAttempts: 1,
          startedAt: 1003,
          endedAt: 1005,
        },
        {
          stepId: "wait",
          kind: "timer",
          name: "wait",
          class: null,
          status: "RUNNING",
          attempts: 1,
          engineAttempts: 1,
          startedAt: 1004,
          endedAt: null,
        },
        {
          stepId: "mail",
          kind: null,
          name: null,
          class: null,
          status: "SKIPPED",
          attempts: 1,
          engineAttempts: 1,
          startedAt: 1006,
          endedAt: 1006,
        },
      ],
      problems: [],
    });
  });

  it("a failed step shows when it is tried again, until it is", () => {
    const events = log(() => [
      e("RunStarted"),
      e("StepStarted", { payload: started }),
      e("StepFailed", { payload: '{"retryAt":"2026-01-31T12:00:00.000Z"}' }),
      e("StepStarted", { logicalAttemptId: 2 }),
      e("StepFailed", { logicalAttemptId: 2 }),
    ]);
    expect(foldLog(events.slice(0, 3)).steps[0]).toMatchObject({
      status: "FAILED",
      attempts: 1,
      retryAt: "2026-01-31T12:00:00.000Z",
      endedAt: 1003,
    });
    const second = foldLog(events.slice(0, 4)).steps[0];
    expect(second).toMatchObject({ status: "RUNNING", attempts: 2, name: "charge", key: "k-1", startedAt: 1002, endedAt: null });
    expect(second).not.toHaveProperty("retryAt");
    expect(foldLog(events).steps[0]).toMatchObject({ status: "FAILED", attempts: 2, endedAt: 1005 });
    expect(foldLog(events).steps[0]).not.toHaveProperty("retryAt");
  });

  it("a re-dispatch counts engine attempts and leaves the step's state alone", proves("K21"), () => {
    const events = log(() => [
      e("RunStarted"),
      e("StepStarted", { payload: started }),
      e("pawl.StepRedispatched", { payload: '{"stepId":"charge","engineAttemptId":2}' }),
      e("pawl.StepRedispatched", { payload: '{"stepId":"charge","engineAttemptId":3}', logicalAttemptId: 2 }),
    ]);
    expect(foldLog(events).steps).toEqual([expect.objectContaining({ status: "RUNNING", attempts: 1, engineAttempts: 3 })]);
    const retried = [...events, e("StepFailed", { engineAttemptId: 3 }), e("StepStarted", { logicalAttemptId: 2 })];
    expect(foldLog(retried).steps[0]).toMatchObject({ attempts: 2, engineAttempts: 1 });
  });

  it("unknown and pawl events move the head and nothing else", proves("D-016", "D-023", "K21"), () => {
    const events = log(() => [e("RunStarted"), e("StepStarted", { payload: started }), e("RunPaused")]);
    const before = foldLog(events);
    const after = foldLog([
      ...events,
      e("something.new", { payload: '{"status":"FAILED"}' }),
      e("pawl.ViewPublished", { logicalAttemptId: 3 }),
    ]);
    expect(after).toEqual({ ...before, headSeq: 5, headLink: "l5", stateVersion: 5, persistedAt: 1005 });
  });

  it("an invalid event is listed and changes no state", () => {
    const events = log(() => [
      e("RunStarted"),
      e("StepStarted"),
      e("StepStarted"),
      e("RunResumed"),
      e("StepCompleted"),
      e("StepFailed"),
      e("RunCompleted"),
      e("RunFailed"),
      e("pawl.Patched"),
    ]);
    const folded = foldLog(events);
    expect(folded.status).toBe("COMPLETED");
    expect(folded.steps).toEqual([expect.objectContaining({ status: "SUCCESS", attempts: 1, endedAt: 1005 })]);
    expect(folded.problems.map((p) => [p.runSeq, p.eventId, p.attemptedEventType, p.expectedState, p.actualState])).toEqual([
      [3, "e3", "StepStarted", "attempt 1 PENDING", "attempt 1 RUNNING"],
      [4, "e4", "RunResumed", "PAUSED", "RUNNING"],
      [6, "e6", "StepFailed", "attempt 1 RUNNING", "attempt 1 SUCCESS"],
      [8, "e8", "RunFailed", "PENDING or RUNNING or PAUSED", "COMPLETED"],
      [9, "e9", "pawl.Patched", "PENDING or RUNNING or PAUSED", "COMPLETED"],
    ]);
  });

  it("payloads that cannot be read, or hold something else, say nothing", () => {
    for (const payload of [
      "{",
      "null",
      "5",
      '"x"',
      "[]",
      '{"kind":5,"name":null,"class":{},"key":[],"retryAt":7,"stepId":5,"engineAttemptId":"9"}',
    ]) {
      const events = log(() => [
        e("RunStarted"),
        e("StepStarted", { payload }),
        e("pawl.StepRedispatched", { payload }),
        e("StepFailed", { payload }),
      ]);
      expect(foldLog(events).steps).toEqual([
        {
          stepId: "charge",
          kind: null,
          name: null,
          class: null,
          status: "FAILED",
          attempts: 1,
          engineAttempts: 1,
          startedAt: 1002,
          endedAt: 1004,
        },
      ]);
    }
  });
});
