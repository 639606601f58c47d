// Retention as a user meets it, on every store: what each stage leaves of a run, what a late caller is told, what keeps a run.
// The store's own rules are the suite's; here they are seen from the client, the engine and a verifier.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AuditLog } from "../../src/access/audit-log.ts";
import { readAudit } from "../../src/access/audit-read.ts";
import { removeOldAudit } from "../../src/access/audit-retention.ts";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { createCommit } from "../../src/engine/create-run.ts";
import { workflow } from "../../src/workflow/define.ts";
import { verify } from "../../src/verify.ts";
import type { RunEventWrite } from "../../src/index.ts";
import { write } from "../log/producer-events.ts";
import { anySchema, testClusters, storeKinds } from "../support/test-cluster.ts";
import { openArchiveStore, availableKinds, platform, until, type ArchiveStore } from "./archive-stores.ts";
import { proves } from "../support/proves.ts";

const child = workflow({ name: "child", input: anySchema<string>() }, async (ctx, word) => ctx.step("say", () => `child ${word}`));
const parent = workflow({ name: "parent", signals: { go: anySchema<string>() } }, async (ctx) => {
  const said = await ctx.call(child, "x", { id: `${ctx.run.workflowId}/child` });
  return `${said} ${await ctx.receive("go")}`;
});
const simple = workflow(
  { name: "simple", input: anySchema<string>(), signals: { word: anySchema<string>() }, views: { v: anySchema<string>() } },
  async (ctx, secret) => {
    ctx.publish("v", secret);
    const word = await ctx.receive("word");
    await ctx.step("pay", () => secret, { once: true });
    return `${secret} ${word}`;
  },
);
const failing = workflow({ name: "failing" }, async (ctx) => {
  await ctx.step("kept", () => "kept");
  throw new Error("in vain");
});
const workflows = [child, parent, simple, failing];

const all = { keepPayloads: 0, keepRuns: 0, keepKeys: 0 } as const;
const codes = (page: string): unknown => expect.objectContaining({ page });

describe.each(availableKinds)("on %s", (kind) => {
  let g: ArchiveStore;
  let client: Client;
  let engine: Awaited<ReturnType<ArchiveStore["engine"]>>["engine"];
  beforeEach(async () => {
    g = await openArchiveStore(kind);
    ({ engine, client } = await g.engine({ workflows }));
  });
  afterEach(() => g.close());

  const ended = async (id: string): Promise<string> => {
    const { runId } = await engine.start(simple, "secret", { id, idempotencyKey: `key ${id}` });
    await client.signal(id, "word", "word", { signalId: "w" });
    expect(await client.waitForEnd(runId, { timeoutMs: 20_000 })).toMatchObject({ result: "secret word" });
    return runId;
  };

  it(
    "payloads expire and the log still proves what happened, in which order and when",
    { ...proves("P-14", "D-142"), timeout: 30_000 },
    async () => {
      const runId = await ended("o-1");
      const before = await client.events(runId);
      expect(await client.applyRetention({ keepPayloads: 0 }, { dryRun: true })).toMatchObject({ looked: 1, expired: 1 });
      expect(await client.events(runId)).toEqual(before);
      expect(await client.applyRetention({ keepPayloads: 0 })).toMatchObject({ looked: 1, expired: 1, purged: 0, forgotten: 0, kept: {} });
      expect(await client.applyRetention({ keepPayloads: 0 })).toMatchObject({ expired: 0 });

      const after = await client.events(runId);
      expect(after.map((e) => [e.runSeq, e.eventId, e.eventType, e.persistedAt])).toEqual(
        before.map((e) => [e.runSeq, e.eventId, e.eventType, e.persistedAt]),
      );
      expect(JSON.stringify(after) + JSON.stringify(await g.store.archive.copyRun(runId))).not.toContain("secret");
      const v = verify(await client.evidence(runId));
      expect(v.checks.filter((c) => c.state === "fail")).toEqual([]);
      expect(v.ok).toBe(true);
      expect((await verifyStore(g.store, defaultScope)).findings).toEqual([]);
      expect((await client.steps(runId)).map((s) => [s.stepId, s.status])).toContainEqual(["pay", "SUCCESS"]);
      expect(await client.get("o-1")).toMatchObject({ status: "COMPLETED", expiredAt: expect.any(String) as string });
      for (const refused of [() => client.waitForEnd(runId), () => client.proof(runId), () => client.retry(runId, { fromStep: "pay" })])
        await expect(refused()).rejects.toEqual(codes("PAWL4041"));
      expect((await engine.start(simple, "secret", { id: "o-1" })).created).toBe(false);
      expect(await client.view("o-1", "v")).toBeUndefined();
    },
  );

  it(
    "a run whose payloads are half gone is one whose payloads are gone, and the next pass takes the rest",
    { ...proves("P-14", "D-142"), timeout: 30_000 },
    async () => {
      const runId = await ended("o-1");
      const unlessHeld = { collection: "hold", keys: ["none"] };
      const half = { stage: "expire", endedBefore: Number.MAX_SAFE_INTEGER, unlessHeld, limit: 2 } as const;
      expect(await g.store.archive.prune({ ...half, runId })).toEqual({ kind: "pruned", more: true });
      expect((await verifyStore(g.store, defaultScope)).findings).toEqual([]);
      expect(verify(await client.evidence(runId)).checks.filter((c) => c.state === "fail")).toEqual([]);
      await expect(client.proof(runId)).rejects.toEqual(codes("PAWL4041"));
      await expect(client.waitForEnd(runId, { timeoutMs: 20_000 })).rejects.toEqual(codes("PAWL4041"));

      const load = (eventType: string, n = 1, payload?: Readonly<Record<string, unknown>>): RunEventWrite =>
        write({ runId: "load-7", eventType, logicalAttemptId: n, ...(payload === undefined ? {} : { payload }) });
      const notes = Array.from({ length: 600 }, (_n, i) => load("shop.Note", i + 1, { secret: i }));
      await client.append([load("RunStarted"), ...notes, load("RunCompleted")]);
      const secrets = async (): Promise<number> => (await client.events("load-7")).filter((e) => e.payload !== undefined).length;
      expect(await g.store.archive.prune({ ...half, runId: "load-7", limit: 500 })).toEqual({ kind: "pruned", more: true });
      expect(await secrets()).toBe(100);
      expect(await client.applyRetention({ keepPayloads: 0 })).toMatchObject({ expired: 1 });
      expect(await secrets()).toBe(0);
      expect(await client.applyRetention({ keepPayloads: 0 })).toMatchObject({ expired: 0, kept: {} });
      // A producer that comes late.
      await client.append(load("shop.Late", 1, { secret: true }));
      expect(await client.applyRetention({ keepPayloads: 0 })).toMatchObject({ expired: 1 });
      expect(await secrets()).toBe(0);
      expect((await verifyStore(g.store, defaultScope)).findings).toEqual([]);
      expect(verify(await client.evidence("load-7")).ok).toBe(true);
    },
  );

  it(
    "a run whose log is gone is still known by its id, its key and its messages",
    { ...proves("W-128", "W-134", "Q-14"), timeout: 30_000 },
    async () => {
      const runId = await ended("o-1");
      expect(await client.applyRetention({ keepRuns: 0 })).toMatchObject({ purged: 1, expired: 0, forgotten: 0 });
      expect(await client.get(runId)).toMatchObject({ status: "COMPLETED", purgedAt: expect.any(String) as string });
      const again = await engine.start(simple, "secret", { id: "o-1" });
      expect([again.created, again.runId]).toEqual([false, runId]);
      await expect(again.result()).rejects.toMatchObject({ page: "PAWL4040", data: { status: "COMPLETED" } });
      await expect(engine.start(simple, "other", { id: "o-1" })).rejects.toEqual(codes("PAWL4009"));
      expect((await engine.start(simple, "secret", { idempotencyKey: "key o-1" })).runId).toBe(runId);
      await expect(engine.start(simple, "other", { idempotencyKey: "key o-1" })).rejects.toEqual(codes("PAWL4053"));
      expect((await client.signal("o-1", "word", "twice", { signalId: "w" })).replayed).toBe(true);
      await expect(client.signal("o-1", "word", "late", { signalId: "x" })).rejects.toEqual(codes("PAWL4003"));
      for (const what of ["events", "steps", "evidence", "proof"] as const)
        await expect(client[what](runId)).rejects.toEqual(codes("PAWL4040"));
      expect((await verifyStore(g.store, defaultScope)).findings).toEqual([]);
      expect((await client.effects()).effects).toEqual([]);
    },
  );

  it(
    "when the keys are gone too, the same start and the same message are new ones",
    { ...proves("W-081", "W-094"), timeout: 30_000 },
    async () => {
      const runId = await ended("o-1");
      expect(await client.applyRetention(all)).toMatchObject({ purged: 1, forgotten: 1 });
      expect(await client.get(runId)).toBeUndefined();
      const again = await engine.start(simple, "other", { id: "o-1", idempotencyKey: "key o-1" });
      expect(again.created).toBe(true);
      expect((await client.signal("o-1", "word", "word", { signalId: "w" })).replayed).toBe(false);
      expect(await again.result({ timeout: "20s" })).toBe("other word");
    },
  );

  it(
    "a family is kept until the run at its top has ended, and while that one is held",
    { ...proves("W-128", "I11"), timeout: 30_000 },
    async () => {
      await engine.start(parent, undefined, { id: "p-1" });
      await until(async () => (await client.get("p-1/child"))?.status === "COMPLETED" && (await client.get("p-1"))?.waiting === "signal");
      expect(await client.applyRetention(all)).toMatchObject({ looked: 1, purged: 0, kept: { open: 1 } });
      await client.signal("p-1", "go", "now");
      expect((await client.waitForEnd("p-1", { timeoutMs: 20_000 })).result).toBe("child x now");

      const held = await client.hold("p-1", { by: "ann", reason: "case 17" });
      expect(await client.hold("p-1", { by: "bob", reason: "me too" })).toEqual(held);
      expect(await client.holds()).toEqual({ holds: [expect.objectContaining({ workflowId: "p-1", by: "ann", reason: "case 17" })] });
      expect(await client.applyRetention(all)).toMatchObject({ looked: 2, purged: 0, kept: { held: 2 } });
      const elsewhere = { ...defaultScope, tenantId: "else" };
      const stranger = localClient({ store: g.store, platform, scope: elsewhere, limits: checkLimits(), engine: null, retainMs: null });
      expect(await stranger.holds()).toEqual({ holds: [] }); // I11
      await expect(client.release("p-1/child", { by: "ann", reason: "x" })).rejects.toEqual(codes("PAWL4010"));
      await client.release("p-1", { by: "eve", reason: "case 17 is closed" });
      const [record] = await g.store.kv.list({ collection: "hold.released", limit: 9 });
      expect(JSON.parse(record!.value)).toMatchObject({ by: "ann", releasedBy: "eve", because: "case 17 is closed" });
      expect(await client.applyRetention(all)).toMatchObject({ purged: 2, forgotten: 2, kept: {} });
      expect((await g.store.runs({ scope: defaultScope, limit: 9 })).runs).toEqual([]);
    },
  );

  it("a run and the one that retried it go together once both have ended", { timeout: 30_000 }, async () => {
    const { runId } = await engine.start(failing, undefined, { id: "f-1" });
    await client.waitForEnd(runId, { timeoutMs: 20_000 });
    const retried = await client.retry(runId);
    await client.waitForEnd(retried.runId, { timeoutMs: 20_000 });
    expect(await client.applyRetention(all)).toMatchObject({ looked: 2, purged: 2 });
    expect(await client.applyRetention(all)).toMatchObject({ kept: {} });
    expect(await client.get("f-1")).toBeUndefined();
  });
});

describe.each(storeKinds)("in the background, on %s", (kind) => {
  const lab = testClusters();

  it("the age of a called run counts from the end of the run at the top of its family", proves("W-128", "W-134"), async () => {
    const l = await lab(kind);
    const { engine, client } = await l.engine(workflows);
    await l.advanceUntil(engine.start(parent, undefined, { id: "p-1" }));
    await l.advanceUntilLine((await l.byWorkflowId("p-1")).runId, "StepStarted go");
    await l.platform.advance(120_000);
    await client.signal("p-1", "go", "now");
    await l.advanceUntil(client.waitForEnd("p-1"));
    const keep = { keepRuns: "60s", keepKeys: "60s" } as const;
    await l.platform.advance(40_000);
    expect(await l.advanceUntil(client.applyRetention(keep))).toMatchObject({ purged: 0, kept: { young: 1 } });
    expect(await client.get("p-1/child")).toMatchObject({ status: "COMPLETED" });
    await l.platform.advance(30_000);
    expect(await l.advanceUntil(client.applyRetention(keep))).toMatchObject({ purged: 2, forgotten: 2, kept: {} });
  });

  it(
    "run state goes after its 90 days and its keys after a year; the audit log has its own seven, and an archive stays as it was made",
    proves("P-48"),
    async () => {
      const l = await lab(kind);
      const { engine: app, client: first } = await l.engine(workflows);
      const { runId } = await l.advanceUntil(app.start(failing, undefined, { id: "f-1" }));
      await l.advanceUntil(first.waitForEnd(runId));
      const archive = await first.evidence(runId);
      await l.advanceUntil(app.stop());
      const parts = { store: l.store, platform: l.platform, scope: defaultScope };
      const audit = new AuditLog({ ...parts, log: () => {} });
      const written = audit.begin({ operation: "runs.terminate", runId });
      (await l.advanceUntil(written)).end(200);
      await l.advanceUntil(audit.close());
      const local = localClient({ ...parts, limits: checkLimits(), engine: null, retainMs: null });
      const keep = { keepRuns: "90d", keepKeys: "365d" } as const;
      const dayMs = 86_400_000;
      const after = async (days: number): Promise<unknown> => {
        await l.platform.advance(days * dayMs);
        await l.advanceUntil(local.applyRetention(keep));
        await l.advanceUntil(removeOldAudit(l.store, defaultScope));
        const run = await l.store.run({ runId });
        const { records } = await readAudit(l.store, defaultScope, { run: runId });
        return [run === undefined ? "forgotten" : run.purgedAt === null ? "whole" : "purged", records.length];
      };
      expect([await after(89), await after(2), await after(273), await after(2)]).toEqual([
        ["whole", 1],
        ["purged", 1],
        ["purged", 1],
        ["forgotten", 1],
      ]);
      expect(verify(archive).ok).toBe(true);
      expect([await after(2_556 - 366 - 1), await after(3)]).toEqual([
        ["forgotten", 1],
        ["forgotten", 0],
      ]);
    },
  );

  it("an engine removes what is old enough now and then, and runs go on meanwhile", async () => {
    const l = await lab(kind);
    const retention = { keepPayloads: "10s", keepRuns: "30s", keepKeys: "60s", every: "5s" } as const;
    const { engine, client } = await l.engine(workflows, { retention });
    const { runId } = await l.advanceUntil(engine.start(failing, undefined, { id: "f-1" }));
    await l.advanceUntil(client.waitForEnd(runId));
    await l.platform.advance(8_000);
    expect((await l.row(runId)).expiredAt).toBeNull();
    await l.platform.advance(10_000);
    expect([(await l.row(runId)).expiredAt !== null, (await l.row(runId)).purgedAt]).toEqual([true, null]);
    await l.platform.advance(20_000);
    expect((await l.row(runId)).purgedAt).not.toBeNull();
    await l.platform.advance(30_000);
    expect(await l.store.run({ runId })).toBeUndefined();
  });

  it("a run that retries one whose log is gone waits for a person, and does no step again", proves("K19"), async () => {
    const l = await lab(kind);
    const { engine, client } = await l.engine(workflows);
    const { runId } = await l.advanceUntil(engine.start(failing, undefined, { id: "f-1" }));
    await l.advanceUntil(client.waitForEnd(runId));
    expect(await l.advanceUntil(client.applyRetention({ keepRuns: 0 }))).toMatchObject({ purged: 1 });
    // As if the log had gone between a retry's look at it and its Commit.
    const old = await l.row(runId);
    const again = { runId: "again", workflowId: "f-1", definition: { name: "failing", version: "1" }, input: null, parsed: true, tags: {} };
    const line = { supersedes: runId, originalRunId: runId, rootRunId: old.rootRunId, retryOf: runId };
    await l.store.commit([createCommit({ scope: defaultScope, platform: l.platform }, { ...again, ...line })]);
    for (let n = 0; n < 100 && (await l.row("again")).waiting !== "decision"; n++) await l.platform.advance(100);
    expect(await l.lines("again")).toEqual(["RunQueued", "pawl.DecisionNeeded"]);
  });

  it("a policy that contradicts itself is refused before the engine begins", async () => {
    const l = await lab(kind);
    await expect(l.engine(workflows, { retention: { keepRuns: "2d", keepKeys: "1d" } })).rejects.toEqual(codes("PAWL5001"));
    await expect(l.engine(workflows, { retention: { keepPayloads: "3d", keepRuns: "2d" } })).rejects.toEqual(codes("PAWL5001"));
  });
});
