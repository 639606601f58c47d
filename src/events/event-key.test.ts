// Proves the key derivation (D-060 … D-086) against golden vectors computed apart from this code, against a second
// implementation by property, and that no two facts share a preimage. The vectors must never change.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEventTypes, stepEventTypes } from "../core/model.ts";
import { idempotencyKey, keyPreimage, type KeyFields } from "./event-key.ts";
import { proves } from "../../test/support/proves.ts";

interface Vector extends Omit<KeyFields, "stepId"> {
  readonly name: string;
  readonly stepId?: string;
  readonly stepIdNormalized: string;
  readonly preimage: string;
  readonly expectedSha256Hex: string;
}
const file = "RunEvents.v2.0.1.idempotency_vectors.json";
const vectors = JSON.parse(readFileSync(new URL(`../../contract/vectors/${file}`, import.meta.url), "utf8")) as Vector[];
const fieldsOf = (v: Vector): KeyFields => ({ ...v, stepId: v.stepId ?? null });
const ids = ["D-133", "D-134", "D-135", "D-136", "D-137"];
const published = [
  "7f4b974658a54fb2aee9ecb9cefebd2eec27f3fd01f0f8c0d031dfc4a5b96e3c",
  "204197f81e5dc1a8491d8e411c440a730c51a741cd48a74863d3e5c4c452640d",
  "599945c1a8023ece5d2ae5132a4397b8cfbe9fa1c4c08d6fc4193a9bd9a2ebcd",
  "b5a178e6f30962ca3d17b573c0d4c5f96d7623be5fe62a972644785fc05a003b",
  "6bfdbe26d62eac0c00cf2683aae31115e76e4d33d515e39957627be091367b31",
];
const base: KeyFields = { runId: "r1", stepId: "charge", logicalAttemptId: 1, eventType: "StepStarted", planId: "order", planVersion: "1" };
const refused = expect.objectContaining({ code: "PAWL1001" });

describe("golden vectors", () => {
  for (const [i, v] of vectors.entries()) {
    it(`${v.name}: preimage and digest are exactly these`, proves(...ids.slice(i, i + 1), "D-082", "D-083", "D-084"), () => {
      expect(keyPreimage(fieldsOf(v))).toBe(v.preimage);
      expect(idempotencyKey(fieldsOf(v))).toBe(v.expectedSha256Hex);
      expect(v.expectedSha256Hex).toBe(published[i] ?? createHash("sha256").update(v.preimage, "utf8").digest("hex"));
    });
  }

  it(
    "the file covers run and step level, several attempts and several plan versions",
    proves("D-078", "D-079", "D-080", "D-081", "D-086"),
    () => {
      expect(vectors.slice(0, 5).map((v) => v.expectedSha256Hex)).toEqual(published);
      expect(vectors.slice(0, 5).map((v) => v.stepId)).toEqual(["model.orders", undefined, "model.orders", undefined, "seed.customers"]);
      const typesOf = (level: "run" | "step"): string[] =>
        vectors.filter((v) => (v.stepId === undefined) === (level === "run")).map((v) => v.eventType);
      expect(typesOf("run")).toEqual(expect.arrayContaining([...runEventTypes]));
      expect(typesOf("step")).toEqual(expect.arrayContaining([...stepEventTypes]));
      expect([...new Set(vectors.map((v) => v.logicalAttemptId))]).toEqual(
        expect.arrayContaining([1, 2, 3, 9, 10, 12, 99, 100, 1_000, 2 ** 31, 2 ** 53 - 1]),
      );
      expect([...new Set(vectors.map((v) => v.planVersion))]).toEqual(
        expect.arrayContaining(["1", "2", "3", "V1", "007", "1.1", "1.10", "2026-11-16", "1.10.0-rc.1+build.5"]),
      );
      const beside = readFileSync(new URL("../../contract/schema/README.md", import.meta.url), "utf8");
      expect(beside).toContain(`| \`../vectors/${file}\` |`);
    },
  );

  it("every vector carries exactly the named fields, with stepId absent at run level", proves("D-138"), () => {
    const run = [
      "name",
      "runId",
      "stepIdNormalized",
      "logicalAttemptId",
      "eventType",
      "planId",
      "planVersion",
      "preimage",
      "expectedSha256Hex",
    ];
    for (const v of vectors) {
      expect(Object.keys(v).toSorted()).toEqual((v.stepIdNormalized === "RUN" ? run : [...run, "stepId"]).toSorted());
      expect([typeof v.logicalAttemptId, typeof v.planVersion]).toEqual(["number", "string"]);
    }
  });
});

describe("derivation", () => {
  const field = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((s) => !s.includes("|") && !s.includes("\0") && s !== "RUN");
  const anyFields = fc.record({
    runId: field,
    stepId: fc.option(field, { nil: null }),
    logicalAttemptId: fc.integer({ min: 1, max: 1e6 }),
    eventType: field,
    planId: field,
    planVersion: field,
  });

  it(
    "the key is SHA-256 over the UTF-8 of six fields in order, joined by '|'",
    proves("D-060", "D-061", "D-062", "D-063", "D-064", "D-065", "D-073"),
    () => {
      fc.assert(
        fc.property(anyFields, (e) => {
          const bytes = Buffer.concat(
            [e.runId, e.stepId ?? "RUN", e.logicalAttemptId.toString(10), e.eventType, e.planId, e.planVersion].flatMap((part, i) =>
              i === 0 ? [Buffer.from(part, "utf8")] : [Buffer.from([0x7c]), Buffer.from(part, "utf8")],
            ),
          );
          expect(Buffer.from(keyPreimage(e), "utf8")).toEqual(bytes);
          expect(idempotencyKey(e)).toBe(createHash("sha256").update(bytes).digest("hex"));
        }),
        { numRuns: 200 },
      );
    },
  );

  it("each of the six fields changes the key", proves("D-061"), () => {
    const others: readonly Partial<KeyFields>[] = [
      { runId: "r2" },
      { stepId: "ship" },
      { stepId: null },
      { logicalAttemptId: 2 },
      { eventType: "StepFailed" },
      { planId: "refund" },
      { planVersion: "2" },
    ];
    const keys = [base, ...others.map((o) => ({ ...base, ...o }))].map(idempotencyKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("text is verbatim: case, spaces and Unicode form all count", proves("D-066"), () => {
    const texts = ["charge", "Charge", " charge", "charge ", "caf\u00e9", "cafe\u0301", "\uff23harge"];
    expect(new Set(texts.map((stepId) => idempotencyKey({ ...base, stepId }))).size).toBe(texts.length);
    expect(keyPreimage({ ...base, stepId: " Cafe\u0301 " })).toBe("r1| Cafe\u0301 |1|StepStarted|order|1");
  });

  it("the attempt is written in base ten without leading zeros", proves("D-067"), () => {
    expect([0, 1, 10, 1_000_000, 2 ** 53 - 1].map((n) => keyPreimage({ ...base, logicalAttemptId: n }).split("|")[2])).toEqual([
      "0",
      "1",
      "10",
      "1000000",
      "9007199254740991",
    ]);
  });

  it("a step's event has its stepId there, a run's has RUN", proves("D-068", "D-069"), () => {
    expect(keyPreimage(base).split("|")[1]).toBe("charge");
    expect(keyPreimage({ ...base, stepId: null, eventType: "RunStarted" })).toBe("r1|RUN|1|RunStarted|order|1");
  });

  it("tenant, project, environment and engine attempt do not take part", proves("D-070", "D-085"), () => {
    const more = {
      ...base,
      tenantId: "t",
      projectId: "p",
      environmentId: "e",
      engineAttemptId: 7,
      eventId: "x",
      emittedAt: 5,
      payload: "{}",
    };
    expect(idempotencyKey(more)).toBe(idempotencyKey(base));
    const others = { ...more, tenantId: "t2", projectId: "p2", environmentId: "e2", engineAttemptId: 8 };
    expect(idempotencyKey(others)).toBe(idempotencyKey(base));
  });

  it("a '|' in any field is refused, and the field is named", proves("D-071", "D-072"), () => {
    for (const name of ["runId", "eventType", "planId", "planVersion", "stepId"] as const) {
      for (const text of ["a|b", "|", "a|", "|b|c"]) {
        expect(() => idempotencyKey({ ...base, [name]: text })).toThrow(
          expect.objectContaining({ code: "PAWL1001", message: `${name} must not contain '|'` }),
        );
      }
    }
  });

  it("RUN as a stepId, empty fields, ill-formed text and attempts below 1 are refused", () => {
    expect(() => idempotencyKey({ ...base, stepId: "RUN" })).toThrow(refused);
    for (const name of ["runId", "eventType", "planId", "planVersion", "stepId"] as const) {
      for (const text of ["", "a\ud800", "\udc00", "a\0"]) expect(() => idempotencyKey({ ...base, [name]: text })).toThrow(refused);
    }
    for (const n of [0, -1, 1.5, Number.NaN, 2 ** 53])
      expect(() => idempotencyKey({ ...base, logicalAttemptId: n })).toThrow(expect.objectContaining({ code: "PAWL3007" }));
  });

  it("two facts that differ have keys that differ", () => {
    const tricky = fc.constantFrom("a", "b", "1", "2", "RUN2", "a1", "1a");
    const fields = fc.record({
      runId: tricky,
      stepId: fc.option(tricky, { nil: null }),
      logicalAttemptId: fc.integer({ min: 1, max: 12 }),
      eventType: tricky,
      planId: tricky,
      planVersion: tricky,
    });
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        expect(idempotencyKey(a) === idempotencyKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 300 },
    );
  });
});
