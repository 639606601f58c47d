// Proves the public shape of events: exactly which members a write and a record have, what each must be, and that a write
// from outside is checked as a whole, naming every member that is wrong.
import { describe, expect, expectTypeOf, it } from "vitest";
import { runEventTypes, stepEventTypes } from "../core/model.ts";
import type { EventRecord } from "../store/port.ts";
import type { RunEventRecord, RunEventWrite } from "../core/contract.ts";
import { isStepEvent, toRecord, validateWrite } from "./envelope.ts";
import { idempotencyKey } from "./keys.ts";

const run = { runId: "r1", scope: { tenantId: "acme", projectId: "shop", environmentId: "prod" }, workflow: "order", version: "1" };
const stored: EventRecord = {
  runSeq: 4,
  eventId: "0b6d4f1e-6d5b-4f6e-9d53-3a0a5c9b7e11",
  eventType: "StepCompleted",
  stepId: "charge",
  logicalAttemptId: 2,
  engineAttemptId: 3,
  idempotencyKey: "k",
  emittedAt: 1_760_000_000_123,
  payload: '{"result":{"n":1}}',
  salt: "ab",
  payloadHash: "cd",
  link: "ef",
  persistedAt: 1_760_000_000_456,
  stateVersion: 2,
};
const written = (more: Record<string, unknown> = {}): Record<string, unknown> => {
  const w: Record<string, unknown> = {
    eventId: stored.eventId,
    eventType: "StepStarted",
    runId: "r1",
    tenantId: "acme",
    projectId: "shop",
    environmentId: "prod",
    planId: "order",
    planVersion: "1",
    stepId: "charge",
    engineAttemptId: 1,
    logicalAttemptId: 1,
    emittedAt: "2026-01-31T12:00:00.000Z",
    ...more,
  };
  for (const k of Object.keys(w)) if (w[k] === undefined) delete w[k];
  const fields = { ...(w as unknown as RunEventWrite), stepId: (w["stepId"] as string | undefined) ?? null };
  return { idempotencyKey: keyOrNone(fields), ...w };
};
function keyOrNone(fields: Parameters<typeof idempotencyKey>[0]): string {
  try {
    return idempotencyKey(fields);
  } catch {
    return "none";
  }
}
const pointers = (x: unknown): readonly string[] => {
  const r = validateWrite(x);
  return r.ok ? [] : r.errors.map((e) => e.pointer);
};

describe("toRecord", () => {
  it("D-025 D-026 D-027 D-028 D-029 D-030 D-031 D-038 D-039 D-088 D-089 D-090 D-091 shows the fourteen members, runSeq and persistedAt", () => {
    expect(toRecord(run, stored)).toEqual({
      eventId: stored.eventId,
      eventType: "StepCompleted",
      runId: "r1",
      tenantId: "acme",
      projectId: "shop",
      environmentId: "prod",
      planId: "order",
      planVersion: "1",
      stepId: "charge",
      engineAttemptId: 3,
      logicalAttemptId: 2,
      idempotencyKey: "k",
      emittedAt: "2025-10-09T08:53:20.123Z",
      payload: { result: { n: 1 } },
      runSeq: 4,
      persistedAt: "2025-10-09T08:53:20.456Z",
    });
  });

  it("D-037 D-059 a run-level event has no member stepId, and one without payload no member payload", () => {
    const record = toRecord(run, { ...stored, eventType: "RunPaused", stepId: null, payload: null });
    expect("stepId" in record || "payload" in record).toBe(false);
  });

  it("a payload that is no JSON is shown as text", () => {
    expect(toRecord(run, { ...stored, payload: "{" }).payload).toBe("{");
  });

  it("D-036 only the four step events are step events", () => {
    expect(stepEventTypes.every(isStepEvent)).toBe(true);
    expect([...runEventTypes, "pawl.StepInDoubt", "StepX", "constructor"].some(isStepEvent)).toBe(false);
  });
});

describe("types", () => {
  it("D-087 D-088 D-089 D-090 D-091 eventType is open, a write has no place, a record always has one", () => {
    const open: RunEventWrite["eventType"] = "something.new";
    expect(open).toBe("something.new");
    expectTypeOf<RunEventWrite>().not.toHaveProperty("runSeq");
    expectTypeOf<RunEventWrite>().not.toHaveProperty("persistedAt");
    expectTypeOf<RunEventRecord["runSeq"]>().toEqualTypeOf<number>();
    expectTypeOf<RunEventRecord["persistedAt"]>().toEqualTypeOf<string>();
    // @ts-expect-error P-18: a run-level event cannot name a step
    const wrong: Pick<Extract<RunEventWrite, { stepId?: never }>, "eventType" | "stepId"> = { eventType: "RunStarted", stepId: "charge" };
    expect(validateWrite(written(wrong)).ok).toBe(false);
  });
});

describe("validateWrite", () => {
  it("D-024 D-034 D-036 a complete write is accepted, without members that are not the envelope's", () => {
    const w = written({ payload: { a: 1 } });
    expect(validateWrite({ ...w, extra: 5 })).toEqual({ ok: true, write: w });
    expect(validateWrite(written({ eventType: "RunStarted", stepId: undefined })).ok).toBe(true);
    expect(validateWrite(written({ eventType: "something.new", stepId: undefined })).ok).toBe(true);
  });

  const required: readonly (readonly [id: string, field: string])[] = [
    ["D-024", "eventId"],
    ["D-025", "eventType"],
    ["D-026", "runId"],
    ["D-027", "tenantId"],
    ["D-028", "projectId"],
    ["D-029", "environmentId"],
    ["D-030", "planId"],
    ["D-031", "planVersion"],
    ["D-032 D-042", "engineAttemptId"],
    ["D-033", "logicalAttemptId"],
    ["D-035", "emittedAt"],
    ["D-036", "stepId"],
  ];
  it.each(required)("%s a write without %s is refused, naming it", (_, field) => {
    for (const value of [undefined, "", null]) expect(pointers(written({ [field]: value }))).toContain(`/${field}`);
  });

  it("D-024 an eventId that is no v4 is refused", () => {
    for (const eventId of [
      "0199f3c2-7b1e-7d44-8a55-2f6b0c9d1e70",
      "0b6d4f1e-6d5b-5f6e-9d53-3a0a5c9b7e11",
      "0b6d4f1e-6d5b-4f6e-7d53-3a0a5c9b7e11",
      "0b6d4f1e-6d5b-4f6e-cd53-3a0a5c9b7e11",
      "0b6d4f1e6d5b4f6e9d533a0a5c9b7e11",
      "x",
    ]) {
      expect(pointers(written({ eventId }))).toEqual(["/eventId"]);
    }
  });

  it("D-032 D-033 D-041 attempts are whole numbers of at least 1", () => {
    for (const n of [0, -1, 1.5, "1", Number.NaN]) {
      expect(pointers(written({ engineAttemptId: n }))).toEqual(["/engineAttemptId"]);
      expect(pointers(written({ logicalAttemptId: n }))).toEqual(["/logicalAttemptId"]);
    }
  });

  it("D-035 emittedAt is RFC 3339 in UTC with milliseconds", () => {
    for (const emittedAt of [
      "2026-01-31T12:00:00Z",
      "2026-01-31T12:00:00.000+00:00",
      "2026-02-30T12:00:00.000Z",
      "2026-01-31 12:00:00.000Z",
      "2026-01-31T25:00:00.000Z",
      5,
    ]) {
      expect(pointers(written({ emittedAt }))).toEqual(["/emittedAt"]);
    }
  });

  it("D-036 D-037 stepId is there on a step's event and nowhere else", () => {
    expect(pointers(written({ stepId: undefined }))).toEqual(["/stepId"]);
    expect(pointers(written({ eventType: "RunStarted" }))).toEqual(["/stepId"]);
    expect(pointers(written({ eventType: "something.new" }))).toEqual(["/stepId"]);
    for (const stepId of [null, "", 1]) {
      expect(pointers(written({ stepId }))).toEqual(["/stepId"]);
      expect(pointers(written({ eventType: "RunStarted", stepId }))).toEqual(["/stepId"]);
    }
  });

  it("D-034 D-060 a key that is not the formula's is refused", () => {
    expect(pointers({ ...written(), idempotencyKey: "ab".repeat(32) })).toEqual(["/idempotencyKey"]);
    expect(pointers({ ...written(), idempotencyKey: undefined })).toEqual(["/idempotencyKey"]);
  });

  it("D-071 D-072 a '|' or the reserved RUN in a field of the key is refused", () => {
    for (const more of [
      { runId: "a|b" },
      { planId: "a|b" },
      { planVersion: "a|b" },
      { stepId: "a|b" },
      { stepId: "RUN" },
      { eventType: "a|b", stepId: undefined },
    ]) {
      expect(pointers(written(more))).toEqual(["/idempotencyKey"]);
    }
  });

  it("what is no object is refused, and all problems are named at once", () => {
    for (const x of [null, undefined, 5, "x", []])
      expect(validateWrite(x)).toEqual({ ok: false, errors: [{ pointer: "", message: "must be an object" }] });
    expect(pointers({}).length).toBe(11);
  });
});
