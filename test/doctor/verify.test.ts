// The check of a whole store, on every store: it says nothing about a store that engines wrote, however it was left and however
// busy it is, and it finds, names and locates whatever is changed past the store, table by table and field by field.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { auditRun } from "../../src/client/audit/audit-run.ts";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { workflow } from "../../src/index.ts";
import { write } from "../log/producer-events.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import type { Tampering } from "../support/tamper.ts";
import { keptDatabases, type Kind } from "../upgrade/database-dump.ts";
import { restoreDatabase } from "../upgrade/restored-database.ts";
import { fillStore, type FilledStore } from "./filled-store.ts";
import { proves } from "../support/proves.ts";

const wrong = "f".repeat(64);
type Row = Readonly<Record<string, unknown>>;

/** One field of one row, changed; `finds` is what must be found of it. */
interface Damage {
  readonly what: string;
  readonly of: (f: FilledStore) => Omit<Tampering, "set">;
  readonly field: string;
  readonly to: string | number | boolean | null;
  readonly finds?: Row;
}
const run = (f: FilledStore): Omit<Tampering, "set"> => ({ table: "runs", runId: f.runId });
const event =
  (at: number) =>
  (f: FilledStore): Omit<Tampering, "set"> => ({ table: "events", runId: f.runId, at });
const damages: readonly Damage[] = [
  { what: "status", of: run, field: "status", to: "FAILED" },
  {
    what: "status",
    of: run,
    field: "status",
    to: "RUNNING",
    finds: { table: "runs", field: "status", expected: "COMPLETED", found: "RUNNING" },
  },
  { what: "headSeq", of: run, field: "headSeq", to: 3 },
  { what: "headLink", of: run, field: "headLink", to: wrong },
  { what: "stateVersion", of: run, field: "stateVersion", to: 1 },
  { what: "persistedAt", of: run, field: "persistedAt", to: 1 },
  { what: "createdAt", of: run, field: "createdAt", to: 1 },
  { what: "inputDigest", of: run, field: "inputDigest", to: wrong },
  { what: "rootRunId", of: run, field: "rootRunId", to: "another" },
  { what: "generation", of: run, field: "generation", to: 7 },
  { what: "waiting", of: run, field: "waiting", to: "timer", finds: { table: "runs", field: "waiting", expected: null } },
  { what: "dueAt", of: run, field: "dueAt", to: 5 },
  { what: "purgedAt", of: run, field: "purgedAt", to: 5 },
  { what: "origin", of: run, field: "origin", to: "engines", finds: { table: "runs", field: "origin", found: "engines" } },
  { what: "parent", of: (f) => ({ table: "runs", runId: f.childId }), field: "parentStepId", to: "nowhere" },
  { what: "an event's type", of: event(2), field: "eventType", to: "StepSkipped", finds: { table: "events", field: "link", seq: 2 } },
  { what: "an event's key", of: event(2), field: "idempotencyKey", to: wrong },
  { what: "an event's link", of: event(2), field: "link", to: wrong },
  { what: "an event's payload", of: event(2), field: "payload", to: '{"changed":true}' },
  { what: "an event's hash", of: event(2), field: "payloadHash", to: wrong, finds: { table: "events", field: "link", seq: 2 } },
  { what: "an event's time", of: event(1), field: "persistedAt", to: 1, finds: { table: "events", field: "persistedAt", seq: 2 } },
  {
    what: "an event's attempt",
    of: event(4),
    field: "logicalAttemptId",
    to: 9,
    finds: { table: "events", field: "idempotencyKey", seq: 4 },
  },
  ...(["status", "phase", "class", "key", "name", "stepId", "workflowId", "argsDigest", "error", "worker"] as const).map((field) => ({
    what: `the ledger's ${field}`,
    of: (f: FilledStore) => ({ table: "effects" as const, runId: f.runId, at: 4 }),
    field,
    to: field === "status" ? "failed" : field === "phase" ? "doubt" : field === "class" ? "ATOMIC" : "another",
  })),
  ...(["attempts", "engineAttempts", "eventSeq", "createdAt", "updatedAt"] as const).map((field) => ({
    what: `the ledger's ${field}`,
    of: (f: FilledStore) => ({ table: "effects" as const, runId: f.runId, at: 4 }),
    field,
    to: 99,
  })),
  {
    what: "a view",
    of: (f) => ({ table: "views", runId: f.runId, at: "stage" }),
    field: "value",
    to: '"elsewhere"',
    finds: { table: "views", field: "stage" },
  },
  { what: "a signal taken in", of: (f) => ({ table: "inbox", runId: f.runId, at: f.taken }), field: "consumed", to: false },
  { what: "a signal not taken in", of: (f) => ({ table: "inbox", runId: f.runId, at: f.spare }), field: "consumed", to: true },
  { what: "an update's answer", of: (f) => ({ table: "inbox", runId: f.runId, at: f.update }), field: "reply", to: '{"ok":true}' },
  { what: "an acceptance", of: (f) => ({ table: "accepted", runId: f.runId, at: f.taken }), field: "acceptedAt", to: 1 },
  { what: "a checkpoint", of: (f) => ({ table: "checkpoints", runId: f.checkpointed, at: 1 }), field: "persistedAt", to: 1 },
  { what: "a checkpoint's version", of: (f) => ({ table: "checkpoints", runId: f.checkpointed, at: 1 }), field: "stateVersion", to: 9 },
];

describe.each(testStores)("on %s", (kind, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "a store of everything is as its logs say; each changed field is found, named and located, and nothing else is",
    proves("R-05", "C20", "TX-02"),
    async () => {
      const f = await fillStore(b);
      const client = b.client();
      const whole = await client.verifyStore();
      expect(whole.findings).toEqual([]);
      expect(whole).toMatchObject({ ok: true, complete: true, more: 0, busy: [] });
      expect(whole.runs).toBeGreaterThan(7);
      for (const d of damages) {
        const place = d.of(f);
        const was = await valueOf(b, place, d.field);
        if (was === undefined) throw new Error(`${d.what}: there is no such row`);
        await b.tamper({ ...place, set: { [d.field]: d.to } });
        const { findings } = await client.verifyStore({ run: place.runId });
        const seq = typeof place.at === "number" ? { seq: place.at } : {};
        expect(findings, d.what).toContainEqual(
          expect.objectContaining({ table: place.table, field: d.field, runId: place.runId, ...seq, ...d.finds }),
        );
        await b.tamper({ ...place, set: { [d.field]: was } });
      }
      expect((await client.verifyStore()).findings).toEqual([]);
    },
  );

  it("an eventId that another event has is told, beside the link that it breaks", proves("R-05", "C20", "D-045"), async () => {
    const f = await fillStore(b);
    const place = event(4)(f);
    const [third, fourth] = await b.store.events({ runId: place.runId, after: 2, limit: 2 });
    await b.tamper({ ...place, set: { eventId: third!.eventId } });
    const { findings } = await b.client().verifyStore({ run: place.runId });
    expect(findings.filter((x) => x.table === "events").map((x) => [x.field, x.seq])).toEqual([
      ["eventId", 4],
      ["link", 4],
    ]);
    await b.tamper({ ...place, set: { eventId: fourth!.eventId } });
    expect((await b.client().verifyStore({ run: place.runId })).findings).toEqual([]);
  });

  it(
    "a log of any length is read whole, runs since a time are those with a later Commit, and what is not listed is counted",
    proves("R-05", "C20", "D-040", "K22"),
    async () => {
      const n = b.name === "memory" ? 2_100 : 3; // more than two pages of it, where it costs nothing
      const client = b.client();
      await client.append(write({ runId: "old", eventType: "RunStarted" }));
      await client.append([
        write({ runId: "long", eventType: "RunStarted" }),
        ...Array.from({ length: n }, (_x, i) => write({ runId: "long", eventType: "Noted", logicalAttemptId: i + 1 })),
      ]);
      b.advanceClock(60_000);
      const since = new Date((await b.store.info()).nowMs).toISOString();
      await client.append(write({ runId: "long", eventType: "RunCompleted" }));
      expect(await client.verifyStore()).toMatchObject({ ok: true, runs: 2, events: n + 3 });
      expect(await client.verifyStore({ since })).toMatchObject({ ok: true, runs: 1, events: n + 2 });
      for (const runId of ["old", "long"]) await b.tamper({ table: "events", runId, at: 1, set: { emittedAt: 7 } });
      const some = await client.verifyStore({ findingsMax: 1 });
      expect([some.ok, some.findings.length, some.more]).toEqual([false, 1, 1]);
      for (const runId of ["old", "long"])
        await b.tamper({ table: "events", runId, at: 1, set: { emittedAt: Date.parse("2026-01-31T12:00:00.000Z") } });
      expect(await client.verifyStore()).toMatchObject({ ok: true, more: 0 });
    },
  );

  it("a tenant checks its own runs, and whoever operates the store checks those of all", proves("R-05"), async () => {
    const f = await fillStore(b);
    const other = { ...defaultScope, tenantId: "other" };
    const [d] = damages;
    const place = d!.of(f);
    const was = await valueOf(b, place, d!.field);
    await b.tamper({ ...place, set: { [d!.field]: d!.to } });
    expect(await verifyStore(b.store, other)).toMatchObject({ runs: 0, findings: [] });
    const all = await verifyStore(b.store, other, { everyTenant: true });
    expect(all.runs).toBeGreaterThan(7);
    expect(all.findings).toContainEqual(expect.objectContaining({ table: place.table, field: d!.field, runId: place.runId }));
    await b.tamper({ ...place, set: { [d!.field]: was ?? null } });
  });

  it("rows that are gone are found: an event, a record, a view, an acceptance, a run", proves("R-05"), async () => {
    b.skipVerification();
    const f = await fillStore(b);
    const client = b.client();
    const gone = async (t: Omit<Tampering, "set" | "runId">, finds: Row): Promise<void> => {
      await b.tamper({ ...t, runId: f.runId, set: null });
      expect((await client.verifyStore()).findings).toContainEqual(expect.objectContaining({ runId: f.runId, ...finds }));
    };
    await gone({ table: "effects", at: 4 }, { table: "effects", seq: 4, field: "record", expected: "flaky", found: null });
    await gone({ table: "views", at: "total" }, { table: "views", field: "total", found: null });
    await gone({ table: "accepted", at: f.taken }, { table: "accepted", field: "record", seq: f.taken, found: null });
    const { headSeq } = (await b.store.run({ runId: f.runId }))!;
    await gone({ table: "events", at: headSeq }, { table: "runs", field: "headSeq", expected: headSeq - 1, found: headSeq });
    await gone({ table: "events", at: 6 }, { table: "events", field: "link", seq: 7 });
    await gone({ table: "runs" }, { table: "runs", field: "row", found: null });
  });

  it("a projection is what its log makes of it, and no watermark is past the head", proves("R-05"), async () => {
    const { runId } = await fillStore(b);
    const client = b.client();
    await client.rebuild();
    expect((await client.verifyStore()).findings).toEqual([]);
    const collection = "projection:default/default/default/projector";
    const row = (await b.store.kv.get(collection, [runId]))[0]!;
    const change = async (to: Record<string, unknown>): Promise<unknown> => {
      await b.store.kv.put([{ collection, key: runId, value: JSON.stringify({ ...(JSON.parse(row.value) as object), ...to }) }]);
      return (await client.verifyStore()).findings;
    };
    expect(await change({ status: "FAILED" })).toMatchObject([
      { table: "projections", runId, field: "status of projector", expected: "COMPLETED", found: "FAILED" },
    ]);
    expect(await change({ openSteps: 3 })).toMatchObject([
      { table: "projections", runId, field: "openSteps of projector", expected: 0, found: 3 },
    ]);
    expect(await change({ watermark: 999 })).toContainEqual(
      expect.objectContaining({ table: "projections", runId, field: "watermark of projector", found: 999 }),
    );
    expect(await change({})).toEqual([]);
    const torn = { collection, key: runId, value: row.value.slice(0, -1) };
    await b.store.kv.put([torn]);
    expect((await client.verifyStore()).findings).toMatchObject([{ table: "projections", runId, field: "rows of projector", found: null }]);
    await b.store.kv.put([{ ...torn, value: row.value }]);
  });

  it("a row that cannot be read is a finding, and the others are checked all the same", proves("R-05"), async () => {
    const { runId } = await fillStore(b);
    const client = b.client();
    const whole = await client.verifyStore();
    const tags = kind === "memory" ? null : "{}";
    if (tags === null) return; // holds no text that could be torn
    await b.tamper({ table: "runs", runId, set: { tags: "{" } });
    const torn = { table: "runs", runId, field: "row", expected: "a row that can be read", found: null };
    const { findings, runs } = await client.verifyStore();
    expect(findings.filter((f) => f.runId === runId)).toEqual([torn]);
    expect(runs).toBe(whole.runs);
    await b.tamper({ table: "runs", runId, set: { tags } });
  });

  it("the status of a run from outside is the one that its events lead to", proves("R-05"), async () => {
    const client = b.client();
    const producer = client.producer({ runId: "load-7", planId: "load", planVersion: "1" });
    await producer.emit({ eventType: "shop.Seen" });
    expect((await client.verifyStore()).findings).toEqual([]);
    await producer.emit({ eventType: "RunStarted" });
    await producer.emit({ eventType: "RunCompleted" });
    await producer.emit({ eventType: "RunPaused" });
    expect((await client.verifyStore()).findings).toEqual([]);
    await b.tamper({ table: "runs", runId: "load-7", set: { status: "PAUSED" } });
    expect((await client.verifyStore()).findings).toEqual([
      { table: "runs", runId: "load-7", field: "status", expected: "COMPLETED", found: "PAUSED" },
    ]);
    await b.tamper({ table: "runs", runId: "load-7", set: { status: "COMPLETED" } });
  });

  it("a run that an engine is writing is read again, and is never an alarm", proves("R-05"), async () => {
    const busy = workflow({ name: "busy", views: { at: z.number() } }, async (ctx) => {
      for (let i = 0; i < 12; i++) {
        await Promise.all([ctx.step(`a${i}`, () => i, { key: `k${i}`, dedup: "1d" }), ctx.step(`b${i}`, () => i, { once: true })]);
        ctx.publish("at", i);
      }
    });
    const { engine, client } = await b.engine({ workflows: [busy] });
    const runs = await Promise.all(Array.from({ length: 12 }, (_x, i) => engine.start(busy, undefined, { id: `busy-${i}` })));
    let going = true;
    const ended = Promise.all(runs.map((h) => h.result())).finally(() => (going = false));
    let looks = 0;
    do {
      const { findings } = await client.verifyStore();
      expect(findings).toEqual([]);
      looks++;
    } while (going);
    await ended;
    expect(looks).toBeGreaterThan(0);
    expect(await client.verifyStore()).toMatchObject({ ok: true, runs: 12, busy: [] });
  });

  it("a check that was stopped goes on where it was, and still knows what it found", proves("R-05"), async () => {
    b.skipVerification();
    const f = await fillStore(b);
    const client = b.client();
    const ids = await b.store.audit.runIds({ after: "", limit: 1_000 });
    await b.tamper({ table: "runs", runId: ids[0]!, set: { headSeq: 77 } });
    const place = { after: ids[2], runs: 3, events: 30, findings: [], more: 1 };
    await b.store.kv.put([{ collection: "pawl.doctor", key: "verify/default/default/default", value: JSON.stringify(place) }]);
    const resumed = await client.verifyStore({ resume: true });
    expect(resumed).toMatchObject({ ok: false, more: 1, findings: [], resumedAfter: ids[2], runs: ids.length, complete: true });
    expect(await b.store.kv.list({ collection: "pawl.doctor", limit: 10 })).toEqual([]);
    expect((await client.verifyStore({ resume: true })).findings).toMatchObject([{ runId: ids[0], field: "headSeq" }]);
    const stop = new AbortController();
    stop.abort();
    expect(await client.verifyStore({ resume: true, signal: stop.signal })).toMatchObject({ complete: false, runs: 0 });
    const later = new Date((await b.store.info()).nowMs + 60_000).toISOString();
    expect(await client.verifyStore({ since: later })).toMatchObject({ ok: true, runs: 0 });
    expect((await client.verifyStore({ run: f.runId })).runs).toBe(1);
  });
});

/** The field as the port shows it. */
async function valueOf(b: TestStore, t: Omit<Tampering, "set">, field: string): Promise<string | number | boolean | null | undefined> {
  const row = await rowOf(b, t);
  return (row as Record<string, string | number | boolean | null> | undefined)?.[field];
}
async function rowOf(b: TestStore, { table, runId, at }: Omit<Tampering, "set">): Promise<unknown> {
  const { reading } = await auditRun(b.store, runId);
  switch (table) {
    case "runs":
      return b.store.run({ runId });
    case "events":
      return (await b.store.events({ runId, after: Number(at) - 1, limit: 1 }))[0];
    case "effects":
      return reading?.effects.find((e) => e.seq === at);
    case "views":
      return { value: reading?.views[String(at)] };
    case "inbox":
      return reading?.messages.find((m) => m.inboxId === at);
    case "accepted":
      return reading?.messages.find((m) => m.inboxId === at)?.accepted;
    case "checkpoints":
      return (await b.store.audit.checkpoints(runId)).find((c) => c.stepId === at);
  }
}

const kinds: readonly Kind[] = ["sqlite", "postgres", ...(skipsWithoutMariadb() ? [] : (["mysql"] as const))];
describe.each(kinds.flatMap((kind) => keptDatabases(kind).map((d) => ({ kind, ...d }))))("written by $kind of format $format", (d) => {
  it(
    "every table that an earlier version wrote says what its logs say; records of a time before the ledger can be made",
    proves("R-05"),
    async () => {
      const r = await restoreDatabase(d.kind, d.statements);
      try {
        const store = await r.open();
        const client = localClient({
          store,
          platform: r.platform,
          scope: defaultScope,
          limits: checkLimits(),
          engine: null,
          retainMs: null,
        });
        const report = await client.verifyStore();
        expect(report.findings.map((x) => [x.table, x.field, x.found])).toEqual(d.format < 3 ? [["effects", "record", null]] : []);
        expect(report.runs).toBeGreaterThan(5);
        expect(await client.repairStore({ write: true })).toMatchObject({ repaired: report.findings, left: [] });
        expect((await client.verifyStore()).findings).toEqual([]);
        await store.close();
      } finally {
        await r.remove();
      }
    },
  );
});
