// The reducer against the declared table, event by event, and the normaliser before it. The oracle is written out here, apart from
// the reducer and apart from the engine's fold; a random stream must give the same whatever comes twice and wherever one stops.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contractFile, matchesSchema, type Schema } from "../../test/support/contract-schema.ts";
import type { RunEventRecord } from "../core/contract.ts";
import { idempotencyKey } from "../events/event-key.ts";
import { readVersion1 } from "../compat.ts";
import { requireVersion2 } from "./record-version.ts";
import { projector } from "./projector.ts";
import { proves } from "../../test/support/proves.ts";

type Told = readonly [string, (string | undefined)?, number?];

const uuid = (n: number): string => `0000000${n % 10}-0000-4000-9000-${String(n).padStart(12, "0")}`;

function record([eventType, stepId, attempt = 1]: Told, runSeq: number): RunEventRecord {
  const run = { runId: "r", planId: "p", planVersion: "1" };
  return {
    eventId: uuid(runSeq),
    eventType,
    ...run,
    tenantId: "t",
    projectId: "j",
    environmentId: "e",
    ...(stepId === undefined ? {} : { stepId }),
    engineAttemptId: 1,
    logicalAttemptId: attempt,
    idempotencyKey: idempotencyKey({ ...run, stepId: stepId ?? null, logicalAttemptId: attempt, eventType }),
    emittedAt: "2020-01-01T00:00:00.000Z",
    runSeq,
    persistedAt: new Date(1_800_000_000_000 + runSeq * 1_000).toISOString(),
  } as RunEventRecord;
}
const log = (...told: readonly Told[]): RunEventRecord[] => told.map((t, i) => record(t, i + 1));
const reduced = (records: readonly RunEventRecord[], policy: "mark" | "freeze" = "mark") => {
  const p = projector({ policy });
  return p.reduceAll(p.empty("r"), records);
};

const transitions = contractFile("transitions.json") as {
  runEventTypes: string[];
  stepEventTypes: string[];
  run: Record<string, { from: string[]; to: string }>;
  step: Record<string, { from: string; to: string; while: string[] }>;
};

/** The contract's table, read from its file: statuses after a list of events, without the invalid ones. */
function oracle(records: readonly RunEventRecord[]) {
  let status = "none";
  const steps = new Map<string, string>();
  const bad: number[] = [];
  const state = (id: string, n: number): string => {
    const known = steps.get(`${id}#${n}`);
    if (known !== undefined) return known;
    return n === 1 || ["SUCCESS", "FAILED", "SKIPPED"].includes(steps.get(`${id}#${n - 1}`) ?? "") ? "PENDING" : "none";
  };
  for (const e of records) {
    const [run, step] = [transitions.run[e.eventType], transitions.step[e.eventType]];
    if (Object.hasOwn(transitions.run, e.eventType) && run !== undefined) {
      if (run.from.includes(status)) status = run.to;
      else bad.push(e.runSeq);
    } else if (Object.hasOwn(transitions.step, e.eventType) && step !== undefined) {
      const id = e.stepId!;
      if (step.while.includes(status) && state(id, e.logicalAttemptId) === step.from) steps.set(`${id}#${e.logicalAttemptId}`, step.to);
      else bad.push(e.runSeq);
    }
  }
  return { status: status === "none" ? null : status, steps: [...steps], bad };
}

const anyEvent: fc.Arbitrary<Told> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...transitions.runEventTypes).map((t): Told => [t]) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...transitions.stepEventTypes), fc.constantFrom("a", "b"), fc.constantFrom(1, 1, 2, 3))
      .map(([t, s, n]): Told => [t, s, n]),
  },
  { weight: 2, arbitrary: fc.constantFrom("pawl.Note", "acme.New", "constructor", "__proto__", "RunQUEUED").map((t): Told => [t]) },
);

describe("the reducer", () => {
  it(
    "agrees with the contract's table on any stream, and raises an alert for exactly the invalid events",
    proves("D-114", "D-115", "D-116", "P-35"),
    () => {
      fc.assert(
        fc.property(fc.array(anyEvent, { maxLength: 60 }), (told) => {
          const records = log(["RunStarted"], ...told);
          const { state, alerts } = reduced(records);
          const truth = oracle(records);
          expect(state.run.status).toBe(truth.status);
          expect([...state.steps.values()].map((s) => [`${s.stepId}#${s.logicalAttemptId}`, s.status])).toEqual(truth.steps);
          expect(alerts.map((a) => a.runSeq)).toEqual(truth.bad);
          expect(state.run).toMatchObject({ watermark: records.length, invalidEvents: truth.bad.length });
          expect(state.run.openSteps).toBe(truth.steps.filter(([, s]) => s === "RUNNING").length);
          expect(state.run.condition).toBe(truth.bad.length === 0 ? null : "INCONSISTENT");
        }),
        { numRuns: 300 },
      );
    },
  );

  it(
    "is the same whatever is delivered twice, in which pieces, and wherever it stopped, under either policy",
    proves("D-117", "P-06", "P-09", "P-37"),
    () => {
      fc.assert(
        fc.property(
          fc.constantFrom("mark" as const, "freeze" as const),
          fc.array(anyEvent, { maxLength: 30 }),
          fc.array(fc.nat(40), { maxLength: 40 }),
          (policy, told, backs) => {
            const records = log(["RunQueued"], ...told);
            const p = projector({ policy });
            const once = p.reduceAll(p.empty("r"), records);
            let state = p.empty("r");
            const alerts = new Map<string, unknown>();
            let at = 0;
            const jumps = [...backs];
            while (at < records.length) {
              const answer = p.reduce(state, records[at]!);
              // A restart: state goes through text, and delivery begins again somewhere before.
              state = {
                run: JSON.parse(JSON.stringify(answer.state.run)),
                steps: new Map(JSON.parse(JSON.stringify([...answer.state.steps]))),
              };
              for (const a of answer.alerts) {
                expect(alerts.has(a.eventId)).toBe(false);
                alerts.set(a.eventId, a);
              }
              at = Math.max(0, at + 1 - (jumps.pop() ?? 0));
            }
            expect(state.run).toEqual(once.state.run);
            expect([...state.steps]).toEqual([...once.state.steps]);
            expect([...alerts.values()]).toEqual(once.alerts);
          },
        ),
        { numRuns: 200 },
      );
    },
  );

  it(
    "policy mark: the event is ignored, the run marked INCONSISTENT, its terminal status unchanged, and what is valid goes on",
    proves("D-118"),
    () => {
      const { state, alerts } = reduced(
        log(
          ["RunStarted"],
          ["StepCompleted", "a"],
          ["StepStarted", "a"],
          ["StepCompleted", "a"],
          ["RunCompleted"],
          ["RunFailed"],
          ["StepStarted", "b"],
        ),
      );
      expect(state.run).toMatchObject({ status: "COMPLETED", condition: "INCONSISTENT", invalidEvents: 3, watermark: 7, reducedTo: 7 });
      expect(state.run.firstInvalid).toMatchObject({
        runSeq: 2,
        eventType: "StepCompleted",
        priorState: "PENDING",
        attemptedState: "SUCCESS",
      });
      expect([...state.steps.values()]).toMatchObject([{ stepId: "a", logicalAttemptId: 1, status: "SUCCESS" }]);
      expect(alerts.map((a) => a.runSeq)).toEqual([2, 6, 7]);
    },
  );

  it(
    "policy freeze: reductions stop at the last valid runSeq and the run is STALLED_INVALID_TRANSITION, while the watermark goes on",
    proves("D-119"),
    () => {
      const { state, alerts } = reduced(
        log(["RunStarted"], ["StepStarted", "a"], ["RunResumed"], ["StepCompleted", "a"], ["RunCompleted"], ["RunFailed"]),
        "freeze",
      );
      expect(state.run).toMatchObject({
        status: "RUNNING",
        condition: "STALLED_INVALID_TRANSITION",
        reducedTo: 2,
        watermark: 6,
        invalidEvents: 1,
      });
      expect([...state.steps.values()]).toMatchObject([{ stepId: "a", status: "RUNNING" }]);
      expect(alerts.map((a) => a.runSeq)).toEqual([3]);
    },
  );

  it(
    "an alert says who, what, where and between which states, as its schema has it",
    proves("D-121", "D-122", "D-123", "D-124", "D-125", "D-126", "D-127", "D-128", "D-129", "D-130", "D-131"),
    () => {
      const [run, , step] = reduced(log(["RunStarted"], ["RunQueued"], ["StepFailed", "a"], ["StepStarted", "a", 3])).alerts;
      const whole = {
        code: "INVALID_TRANSITION",
        runId: "r",
        tenantId: "t",
        projectId: "j",
        environmentId: "e",
        eventId: uuid(2),
        eventType: "RunQueued",
        logicalAttemptId: 1,
        runSeq: 2,
        persistedAt: new Date(1_800_000_002_000).toISOString(),
        priorState: "RUNNING",
        attemptedState: "PENDING",
        runStatus: "RUNNING",
        policy: "mark",
      };
      expect(run).toEqual(whole);
      expect(step).toMatchObject({ stepId: "a", logicalAttemptId: 3, priorState: "none", attemptedState: "RUNNING", runSeq: 4 });
      const schema = contractFile("InvalidTransitionAlert.schema.json") as Schema;
      for (const alert of [run, step]) expect(matchesSchema(alert, schema)).toBe(true);
    },
  );

  it(
    "an unknown type moves the watermark and changes nothing else, whatever it is called and carries",
    proves("D-016", "D-018", "D-023", "P-36"),
    () => {
      const known = log(["RunStarted"], ["StepStarted", "a"]);
      const strange = ["acme.New", "constructor", "toString", "StepStarted2"].map((t, i) => ({
        ...record([t], 3 + i),
        extra: { any: [1] },
      }));
      const { state, alerts } = reduced([...known, ...strange]);
      const before = reduced(known).state;
      expect(state.run).toEqual({ ...before.run, watermark: 6, reducedTo: 6, asOf: strange[3]!.persistedAt });
      expect([...state.steps]).toEqual([...before.steps]);
      expect(alerts).toEqual([]);
      expect(reduced([...log(["RunStarted"], ["RunCompleted"]), record(["acme.After"], 3)]).alerts).toEqual([]);
    },
  );

  it("a record without a place in the log, or of another run, changes nothing and is refused", proves("D-022"), () => {
    const p = projector();
    const [e] = log(["RunStarted"]);
    const { runSeq: _, persistedAt: __, ...write } = e!;
    for (const bad of [write, { ...e!, runSeq: 0 }, { ...e!, runSeq: 1.5 }, { ...e!, persistedAt: "soon" }, { ...e!, runId: "other" }]) {
      const state = p.empty("r");
      expect(() => p.reduce(state, bad as RunEventRecord)).toThrow(expect.objectContaining({ code: "PAWL4033" }));
      expect(state).toEqual(p.empty("r"));
    }
  });

  it("a step event that names no step, and a run-level event that names one, are invalid and corrupt nothing", proves("D-116"), () => {
    const { stepId: _, ...nameless } = record(["StepStarted", "a"], 2);
    const named = { ...record(["RunCompleted"], 3), stepId: "a" } as unknown as RunEventRecord;
    const { state, alerts } = reduced([record(["RunStarted"], 1), nameless as unknown as RunEventRecord, named]);
    expect(state.run).toMatchObject({ status: "RUNNING", openSteps: 0, invalidEvents: 2 });
    expect(alerts).toHaveLength(2);
  });

  it("gaps in runSeq are passed over, and what comes late is what came twice", proves("D-089"), () => {
    const records = [record(["RunStarted"], 5), record(["StepStarted", "a"], 90), record(["RunPaused"], 91)];
    const { state } = reduced([...records, record(["RunCompleted"], 17)]);
    expect(state.run).toMatchObject({ status: "PAUSED", watermark: 91, openSteps: 1, condition: null });
  });
});

describe("the normaliser", () => {
  const old = (e: Record<string, unknown>): RunEventRecord => {
    const {
      eventId: _,
      emittedAt: __,
      engineAttemptId: ___,
      logicalAttemptId: ____,
      idempotencyKey: _____,
      ...rest
    } = record(["RunStarted"], 7);
    return { ...rest, occurredAt: "2019-05-01T00:00:00.000Z", ...e } as unknown as RunEventRecord;
  };
  const open = { until: "2099-01-01T00:00:00.000Z" };

  it("inside the window an event of version 1 becomes one of version 2, the same every time", proves("D-140", "P-07", "P-46"), () => {
    const normal = readVersion1(open);
    const now = normal(old({ stepId: "RUN", payload: { by: "x" } }));
    expect(now).toEqual({
      ...record(["RunStarted"], 7),
      eventId: "00000000-0000-4000-8000-000000000007",
      emittedAt: "2019-05-01T00:00:00.000Z",
      payload: { by: "x", sourceOccurredAt: "2019-05-01T00:00:00.000Z" },
    });
    expect(normal(old({ stepId: "RUN", payload: { by: "x" } }))).toEqual(now);
    expect(normal(now)).toBe(now);
    expect(normal(old({ eventType: "StepStarted", stepId: "a", payload: [1] }))).toMatchObject({
      stepId: "a",
      logicalAttemptId: 1,
      engineAttemptId: 1,
      payload: { value: [1], sourceOccurredAt: "2019-05-01T00:00:00.000Z" },
      idempotencyKey: record(["StepStarted", "a"], 1).idempotencyKey,
    });
    const unknown = normal(old({ eventType: "acme.Old", stepId: "a" }));
    expect(unknown).toMatchObject({ payload: { stepId: "a" } });
    expect(unknown).not.toHaveProperty("stepId");
    expect(
      projector({ normalise: readVersion1(open) }).reduce(projector({ normalise: readVersion1(open) }).empty("r"), old({})).state.run
        .status,
    ).toBe("RUNNING");
  });

  it(
    "outside the window it is refused, by the time at which it was persisted and no clock",
    proves("D-040", "D-140", "P-07", "P-46"),
    () => {
      const at = record(["RunStarted"], 7).persistedAt;
      const later = new Date(Date.parse(at) + 1).toISOString();
      expect(readVersion1({ until: later })(old({}))).toMatchObject({ runSeq: 7 });
      for (const until of [at, "2020-01-01T00:00:00.000Z"])
        expect(() => readVersion1({ until })(old({}))).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      expect(() => requireVersion2(old({}))).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      expect(() => readVersion1(open)(old({ planVersion: undefined }))).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      expect(() => readVersion1(open)(old({ eventType: "StepStarted" }))).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      expect(() => readVersion1({ until: "next year" })).toThrow(expect.objectContaining({ code: "PAWL5001" }));
      // Time under its old name is the mark of version 1, whatever else is there.
      const both = { ...record(["RunStarted"], 7), occurredAt: "2019-05-01T00:00:00.000Z" };
      expect(() => requireVersion2(both)).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      expect(readVersion1(open)(both)).toMatchObject({ emittedAt: both.emittedAt, payload: { sourceOccurredAt: both.occurredAt } });
      const current = record(["StepStarted", "a"], 3);
      expect(requireVersion2(current)).toBe(current);
    },
  );
});
