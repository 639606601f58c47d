// The contract's files against the code: the schemas accept exactly what the code accepts, and what engines write is valid by
// them. The code's types and tables are made from the files (tools/generate); what it does at run time is compared here.
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSettled, runEventTypes, runStatuses, stepEventTypes } from "../../src/core/contract.ts";
import { toRecord, validateWrite } from "../../src/events/envelope.ts";
import { idempotencyKey } from "../../src/events/event-key.ts";
import { membersOf } from "../evidence/archive.ts";
import { richArchive, richRun } from "../evidence/rich-run.ts";
import { testClusters } from "../support/test-cluster.ts";
import { contractFile, matchesSchema, type Schema } from "../support/contract-schema.ts";
import { proves } from "../support/proves.ts";

const fresh = testClusters();
const write = contractFile("RunEventWrite.schema.json") as Schema;
const record = contractFile("RunEventRecord.schema.json") as Schema;
const base = {
  eventId: "0d3c6a9e-4f0c-4a8e-9d5d-3d4c0f7dbb8a",
  eventType: "StepStarted",
  runId: "r1",
  tenantId: "t",
  projectId: "p",
  environmentId: "e",
  planId: "order",
  planVersion: "1",
  stepId: "charge",
  engineAttemptId: 1,
  logicalAttemptId: 1,
  idempotencyKey: "",
  emittedAt: "2026-11-16T12:00:00.000Z",
  payload: {},
};
it("a program that has the package finds each file by the package's name", () => {
  const { resolve } = createRequire(import.meta.url);
  const files = ["schema/RunEventWrite.schema.json", "schema/transitions.json", "vectors/RunEvents.v2.0.1.idempotency_vectors.json"];
  for (const file of files) expect(resolve(`pawl/contract/${file}`)).toMatch(new RegExp(`/contract/${file}$`));
});

type Write = Record<string, unknown>;
/** With the key of its fields, if they have one: only then do schema and code look at the same thing. */
const keyed = (w: Write): Write => {
  try {
    return { ...w, idempotencyKey: idempotencyKey({ ...(w as any), stepId: w["stepId"] ?? null }) };
  } catch {
    return { ...w, idempotencyKey: "0".repeat(64) };
  }
};

describe("RunEventWrite and RunEventRecord", () => {
  it("the schema accepts an event if and only if the code does, whatever one or two members hold", proves("P-15"), () => {
    const values: readonly unknown[] = [
      ["", "x", "RUN", "a|b", "a\0", "\ud800", " ", "é", "StepStarted", "StepSkipped", "RunStarted", "shop.Visited", "constructor"],
      [0, 1, 2, -1, 1.5, 2 ** 53, 2 ** 53 - 1, null, true, {}, undefined],
      ["0D3C6A9E-4F0C-4A8E-9D5D-3D4C0F7DBB8A", "0d3c6a9e-4f0c-1a8e-9d5d-3d4c0f7dbb8a", "0d3c6a9e-4f0c-4a8e-7d5d-3d4c0f7dbb8a"],
      ["2026-02-30T12:00:00.000Z", "2026-11-16T12:00:00Z", "2026-11-16T12:00:00.000+00:00", "2024-02-29T23:59:59.999Z"],
    ].flat();
    const odd = fc.constantFrom(...values, [], ["a"]);
    const change = fc.tuple(fc.constantFrom(...Object.keys(base).filter((k) => k !== "idempotencyKey")), odd);
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const w: Write = { ...base };
        for (const [name, value] of changes) {
          if (value === undefined) delete w[name];
          else w[name] = value;
        }
        const ok = matchesSchema(keyed(w), write);
        expect(validateWrite(keyed(w)).ok, JSON.stringify(w)).toBe(ok);
        if (ok) accepted++;
        else refused++;
      }),
      { numRuns: 3_000, seed: 1 },
    );
    expect([accepted > 200, refused > 200]).toEqual([true, true]);
  });

  it(
    "attempts and runSeq are whole numbers from 1, eventId is a v4, unknown types carry no stepId, further members are let through",
    proves("P-15"),
    () => {
      const ok = keyed(base);
      expect(matchesSchema(ok, write)).toBe(true);
      for (const name of ["engineAttemptId", "logicalAttemptId"])
        for (const n of [0, -1, 1.5, "1"]) expect(matchesSchema({ ...ok, [name]: n }, write)).toBe(false);
      const persisted = { ...ok, runSeq: 1, persistedAt: base.emittedAt };
      expect(matchesSchema(persisted, record)).toBe(true);
      for (const runSeq of [0, -1, 1.5, "1", undefined]) expect(matchesSchema({ ...persisted, runSeq }, record)).toBe(false);
      expect(matchesSchema({ ...ok, eventId: "0d3c6a9e-4f0c-5a8e-9d5d-3d4c0f7dbb8a" }, write)).toBe(false);
      expect(matchesSchema({ ...ok, eventType: "shop.Visited" }, write)).toBe(false);
      expect(matchesSchema({ ...ok, later: { anything: true } }, write)).toBe(true);
      expect(validateWrite({ ...ok, later: true }).ok).toBe(true);
    },
  );

  it(
    "the persisted minimum is correlation, identity and order, attempts, both times and the plan's identity: each is required",
    proves("P-16"),
    () => {
      const { payload: _p, stepId: _s, ...minimum } = { ...base, eventType: "RunStarted", runSeq: 1, persistedAt: base.emittedAt };
      const whole = keyed(minimum);
      expect(matchesSchema(whole, record)).toBe(true);
      expect(Object.keys(whole)).toHaveLength(14);
      for (const name of Object.keys(whole)) expect(matchesSchema({ ...whole, [name]: undefined }, record), name).toBe(false);
    },
  );

  it(
    "occurredAt is no member of the envelope: a producer's own is dropped, and a source's time goes into the payload",
    proves("P-07"),
    () => {
      expect(Object.keys(write["properties"] as object)).not.toContain("occurredAt");
      const check = validateWrite({ ...keyed(base), occurredAt: "2020-01-01T00:00:00.000Z", payload: { sourceOccurredAt: "2020" } });
      expect(check).toMatchObject({ ok: true, write: { payload: { sourceOccurredAt: "2020" } } });
      expect(check.ok && Object.keys(check.write)).not.toContain("occurredAt");
      expect(write["description"]).toContain("A source's own time goes into payload.sourceOccurredAt");
    },
  );

  it("what an engine writes is valid, and has no root member that the contract does not name", proves("P-17"), async () => {
    const l = await fresh();
    const runId = await richRun(l);
    const named = new Set([...Object.keys(write["properties"] as object), ...Object.keys(record["properties"] as object)]);
    const row = await l.row(runId);
    const records = (await l.log(runId)).map((e) => toRecord(row, e));
    expect(records.length).toBeGreaterThan(25);
    for (const r of records) {
      expect(matchesSchema(r, record), JSON.stringify(r)).toBe(true);
      expect(Object.keys(r).filter((n) => !named.has(n))).toEqual([]);
    }
  });
});

describe("transitions.json", () => {
  const table = contractFile("transitions.json") as Schema;

  it("every known type has its row, and the settled states are those that nothing leaves", () => {
    expect([Object.keys(table.run), Object.keys(table.step)]).toEqual([table.runEventTypes, table.stepEventTypes]);
    expect([table.runEventTypes, table.stepEventTypes]).toEqual([[...runEventTypes], [...stepEventTypes]]);
    const left = new Set(Object.values<any>(table.run).flatMap((rule) => rule.from as string[]));
    expect(runStatuses.filter((s) => !left.has(s))).toEqual(table.settled);
    expect(runStatuses.filter(isSettled)).toEqual(table.settled);
    expect(write["if"].properties.eventType.enum).toEqual(table.stepEventTypes);
  });
});

describe("the other files", () => {
  it("an alert names the run, the event, both states and the code, and nothing less", () => {
    const schema = contractFile("InvalidTransitionAlert.schema.json") as Schema;
    const { eventId, eventType, runId, tenantId, projectId, environmentId } = base;
    const event = { eventId, eventType, runId, tenantId, projectId, environmentId, runSeq: 7, persistedAt: base.emittedAt };
    const alert = { ...event, code: "INVALID_TRANSITION", priorState: "COMPLETED", attemptedState: "RUNNING" };
    expect(matchesSchema(alert, schema)).toBe(true);
    for (const name of Object.keys(alert)) expect(matchesSchema({ ...alert, [name]: undefined }, schema), name).toBe(false);
    expect(matchesSchema({ ...alert, code: "OTHER" }, schema)).toBe(false);
  });

  it("the manifest of real evidence is valid by its schema, and every member the schema asks for is needed", async () => {
    const schema = contractFile("EvidenceManifest.schema.json") as Schema;
    const manifest = JSON.parse(membersOf(await richArchive({})).get("manifest.json")!) as Record<string, unknown>;
    expect(matchesSchema(manifest, schema)).toBe(true);
    for (const name of schema["required"] as string[]) expect(matchesSchema({ ...manifest, [name]: undefined }, schema), name).toBe(false);
  });
});
