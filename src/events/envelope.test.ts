// Proves the public shape of events: exactly which members a write and a record have, what each must be, and that a write
// from outside is checked as a whole, naming every member that is wrong.
import { describe, expect, expectTypeOf, it } from "vitest";
import { runEventTypes, stepEventTypes } from "../core/model.ts";
import type { EventRecord } from "../store/port.ts";
import type { RunEventRecord, RunEventWrite } from "../core/contract.ts";
import { isStepEvent, toRecord, validateWrite } from "./envelope.ts";
import { idempotencyKey } from "./event-key.ts";
import { proves } from "../../test/support/proves.ts";

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
  it(
    "shows the fourteen members, runSeq and persistedAt",
    proves("D-025", "D-026", "D-027", "D-028", "D-029", "D-030", "D-031", "D-038", "D-039", "D-088", "D-089", "D-090", "D-091"),
    () => {
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
    },
  );

  it("a run-level event has no member stepId, and one without payload no member payload", proves("D-037", "D-059"), () => {
    const record = toRecord(run, { ...stored, eventType: "RunPaused", stepId: null, payload: null });
    expect("stepId" in record || "payload" in record).toBe(false);
  });

  it("a payload that is no JSON is shown as text", () => {
    expect(toRecord(run, { ...stored, payload: "{" }).payload).toBe("{");
  });

  it("only the four step events are step events", proves("D-036"), () => {
    expect(stepEventTypes.every(isStepEvent)).toBe(true);
    expect([...runEventTypes, "pawl.StepInDoubt", "StepX", "constructor"].some(isStepEvent)).toBe(false);
  });
});

describe("types", () => {
  it("eventType is open, a write has no place, a record always has one", proves("D-087", "D-088", "D-089", "D-090", "D-091"), () => {
    const open: RunEventWrite["eventType"] = "something.new";
    expect(validateWrite(written({ eventType: open, stepId: undefined })).ok).toBe(true);
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
  it("a complete write is accepted, without members that are not the envelope's", proves("D-024", "D-034", "D-036"), () => {
    const w = written({ payload: { a: 1 } });
    expect(validateWrite({ ...w, extra: 5 })).toEqual({ ok: true, write: w });
    expect(validateWrite(written({ eventType: "RunStarted", stepId: undefined })).ok).toBe(true);
    expect(validateWrite(written({ eventType: "something.new", stepId: undefined })).ok).toBe(true);
  });

  const required: readonly (readonly [field: string, ...ids: string[]])[] = [
    ["eventId", "D-024"],
    ["eventType", "D-025"],
    ["runId", "D-026"],
    ["tenantId", "D-027"],
    ["projectId", "D-028"],
    ["environmentId", "D-029"],
    ["planId", "D-030"],
    ["planVersion", "D-031"],
    ["engineAttemptId", "D-032", "D-042"],
    ["logicalAttemptId", "D-033"],
    ["emittedAt", "D-035"],
    ["stepId", "D-036"],
  ];
  for (const [field, ...ids] of required) {
    it(`a write without ${field} is refused, naming it`, proves(...ids), () => {
      for (const value of [undefined, "", null]) expect(pointers(written({ [field]: value }))).toContain(`/${field}`);
    });
  }

  it("an eventId that is no v4 is refused", proves("D-024"), () => {
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

  it("attempts are whole numbers of at least 1", proves("D-032", "D-033", "D-041"), () => {
    for (const n of [0, -1, 1.5, "1", Number.NaN]) {
      expect(pointers(written({ engineAttemptId: n }))).toEqual(["/engineAttemptId"]);
      expect(pointers(written({ logicalAttemptId: n }))).toEqual(["/logicalAttemptId"]);
    }
  });

  it("emittedAt is RFC 3339 in UTC", proves("D-035"), () => {
    for (const emittedAt of [
      "2026-01-31T12:00:00",
      "2026-01-31T12:00:00.000+01:00",
      "2026-01-31T12:00:00.Z",
      "2026-01-31T12:00:00.0123456789Z",
      "2026-02-30T12:00:00.000Z",
      "2026-01-31 12:00:00.000Z",
      "2026-01-31T25:00:00.000Z",
      5,
    ]) {
      expect(pointers(written({ emittedAt }))).toEqual(["/emittedAt"]);
    }
  });

  it("stepId is there on a step's event and nowhere else", proves("D-036", "D-037"), () => {
    expect(pointers(written({ stepId: undefined }))).toEqual(["/stepId"]);
    expect(pointers(written({ eventType: "RunStarted" }))).toEqual(["/stepId"]);
    expect(pointers(written({ eventType: "something.new" }))).toEqual(["/stepId"]);
    for (const stepId of [null, "", 1]) {
      expect(pointers(written({ stepId }))).toEqual(["/stepId"]);
      expect(pointers(written({ eventType: "RunStarted", stepId }))).toEqual(["/stepId"]);
    }
  });

  it("a key that is not the formula's is refused", proves("D-034", "D-060"), () => {
    expect(pointers({ ...written(), idempotencyKey: "ab".repeat(32) })).toEqual(["/idempotencyKey"]);
    expect(pointers({ ...written(), idempotencyKey: undefined })).toEqual(["/idempotencyKey"]);
  });

  it("a '|' or the reserved RUN in a field of the key is refused", proves("D-071", "D-072"), () => {
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
