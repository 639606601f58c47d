// Control as a client asks for it, on every store: what is answered while an engine owns the run and while none does, what the same request
// is answered when it comes again, and that nothing is left open behind it.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { localClient } from "../../src/client/local-client.ts";
import { SharedParts } from "../../src/client/shared-parts.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { anySchema } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const waits = workflow({ name: "waits", signals: { go: anySchema<number>(), never: anySchema<number>() } }, async (ctx) => {
  const first = await ctx.receive("go");
  await ctx.receive("never");
  return first;
});

describe.each(testStores)("control on %s", (_, open) => {
  let b: TestStore;
  let parts: SharedParts;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    parts = new SharedParts({ store: b.store, platform: b.platform, scope: defaultScope });
    const { store, platform } = b;
    client = localClient({ store, platform, parts, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
  });
  afterEach(async () => {
    await parts.close();
    await b.close();
  });

  const types = async (runId: string): Promise<string[]> => (await client.events(runId)).map((e) => e.eventType);
  const aliveEngines = async (): Promise<number> => (await client.info()).engines.filter((e) => e.alive).length;
  /** A run that waits for a signal, and that no engine owns. */
  const parked = async (id = "w"): Promise<string> => {
    const e = await b.engine({ workflows: [waits] });
    const h = await e.engine.start(waits, undefined, { id });
    await expect.poll(async () => (await client.get(h.runId))?.waiting, { timeout: 20_000 }).toBe("signal");
    await e.engine.stop({ grace: 1_000 });
    return h.runId;
  };

  it("without any engine, pause, resume and terminate are applied from here, and nothing stays open", proves("K5"), async () => {
    const runId = await parked();
    const paused = await client.control("w", "pause", { reason: "lunch" });
    expect(paused).toMatchObject({ state: "applied", replayed: false, run: { runId, status: "PAUSED" } });
    expect(paused.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(await client.control("w", "resume")).toMatchObject({ state: "applied", run: { status: "RUNNING" } });
    for (let n = 0; n < 3; n++) {
      await client.control("w", "pause");
      await client.control("w", "resume");
    }
    expect(await client.control("w", "terminate", { reason: "enough" })).toMatchObject({ state: "applied", run: { status: "CANCELLED" } });
    await parts.close();
    expect(parts.applier.isOpen).toBe(false);
    expect(await aliveEngines()).toBe(0);
    expect((await types(runId)).filter((t) => t === "RunPaused")).toHaveLength(4);
  });

  it(
    "the same requestId is answered with what became of it, before any rule, and after the run's end",
    proves("K8", "T-104", "T-106"),
    async () => {
      const runId = await parked();
      const [pause, resume, terminate] = [randomUUID(), randomUUID(), randomUUID()];
      expect(await client.control("w", "pause", { requestId: pause })).toMatchObject({ state: "applied", replayed: false });
      await expect(client.control("w", "pause")).rejects.toMatchObject({ page: "PAWL4010" });
      const again = { state: "applied", replayed: true, requestId: pause };
      expect(await client.control("w", "pause", { requestId: pause })).toMatchObject({ ...again, run: { status: "PAUSED" } });
      await client.control(runId, "resume", { requestId: resume });
      expect(await client.control("w", "pause", { requestId: pause })).toMatchObject({ ...again, run: { status: "RUNNING" } });
      await client.control("w", "terminate", { requestId: terminate });
      for (const [what, requestId] of [
        ["pause", pause],
        ["resume", resume],
        ["terminate", terminate],
      ] as const)
        expect(await client.control("w", what, { requestId, expectHead: 1 })).toMatchObject({ state: "applied", replayed: true });
      await expect(client.control("w", "pause", { requestId: randomUUID() })).rejects.toMatchObject({ page: "PAWL4003" });
      expect((await types(runId)).filter((t) => /Paused|Resumed|Cancelled/.test(t))).toEqual(["RunPaused", "RunResumed", "RunCancelled"]);
    },
  );

  it("two requests with one id at the same time act once", proves("K8"), async () => {
    const runId = await parked();
    const requestId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => client.control("w", "pause", { requestId })));
    expect(answers.map((a) => a.state)).toEqual(["applied", "applied", "applied"]);
    expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
    expect((await types(runId)).filter((t) => t === "RunPaused")).toHaveLength(1);
  });

  it("a cancel waits for an engine that has the code", proves("K5"), async () => {
    const runId = await parked();
    const requestId = randomUUID();
    expect(await client.control("w", "cancel", { requestId })).toMatchObject({
      state: "posted",
      replayed: false,
      run: { status: "RUNNING" },
    });
    expect(await client.control("w", "cancel", { requestId })).toMatchObject({ state: "posted", replayed: true });
    await b.engine({ workflows: [waits] });
    expect((await client.waitForEnd(runId)).status).toBe("CANCELLED");
    expect(await client.control("w", "cancel", { requestId })).toMatchObject({
      state: "applied",
      replayed: true,
      run: { status: "CANCELLED" },
    });
  });

  it("a live engine does it, and none is opened here", proves("K8"), async () => {
    const e = await b.engine({ workflows: [waits] });
    const { runId } = await e.engine.start(waits, undefined, { id: "w" });
    expect(await client.control("w", "pause", { timeoutMs: 30_000 })).toMatchObject({ state: "applied", run: { status: "PAUSED" } });
    expect(await e.client.control("w", "resume", { timeoutMs: 30_000 })).toMatchObject({ state: "applied", run: { status: "RUNNING" } });
    expect(await client.control("w", "cancel", { timeoutMs: 30_000 })).toMatchObject({ state: "applied" });
    expect((await client.waitForEnd(runId)).status).toBe("CANCELLED");
    expect(parts.applier.isOpen).toBe(false);
  });

  it("a head that differs is refused when it is accepted, and when the owner takes it", proves("K8"), async () => {
    const runId = await parked();
    const { headSeq } = (await client.get(runId))!;
    await expect(client.control("w", "pause", { expectHead: headSeq - 1 })).rejects.toMatchObject({ page: "PAWL4083" });
    await expect(client.control("w", "pause", { expectHead: -1 })).rejects.toMatchObject({ page: "PAWL4011" });
    expect(await b.store.inbox({ runId, all: true })).toEqual([]);
    expect(await client.control("w", "pause", { expectHead: headSeq })).toMatchObject({ state: "applied" });
    expect(await client.control("w", "resume", { expectHead: headSeq + 1 })).toMatchObject({ state: "applied" });
    await parts.close();
    // The pause is taken before the cancel: by then the log has moved on.
    await client.control("w", "pause", { timeoutMs: 0 });
    const request = { requestId: randomUUID(), expectHead: (await client.get(runId))!.headSeq };
    expect(await client.control("w", "cancel", request)).toMatchObject({ state: "posted" });
    await b.engine({ workflows: [waits] });
    await expect
      .poll(async () => (await b.store.inbox({ runId, all: true })).find((r) => r.name === "cancel")?.consumed, { timeout: 20_000 })
      .toBe(true);
    await expect(client.control("w", "cancel", request)).rejects.toMatchObject({ page: "PAWL4083", data: { runId } });
    expect(await types(runId)).not.toContain("pawl.CancelRequested");
    expect((await client.get(runId))?.status).toBe("PAUSED");
  });

  it("a dry run writes nothing, and refuses what would be refused", proves("K8"), async () => {
    const runId = await parked();
    const before = (await b.store.info()).engines.length;
    for (const what of ["pause", "cancel", "terminate"] as const)
      expect(await client.control("w", what, { dryRun: true })).toMatchObject({ state: "dry-run", replayed: false, run: { runId } });
    await expect(client.control("w", "resume", { dryRun: true })).rejects.toMatchObject({ page: "PAWL4010" });
    await expect(client.control("w", "pause", { dryRun: true, expectHead: 1 })).rejects.toMatchObject({ page: "PAWL4083" });
    expect(await b.store.inbox({ runId, all: true })).toEqual([]);
    expect((await b.store.info()).engines).toHaveLength(before);
  });

  it("a requestId that is no UUID of version 4 is refused", async () => {
    const runId = await parked();
    for (const requestId of ["r1", "", "018f3b0e-0000-7000-8000-000000000000", 7])
      await expect(client.control("w", "pause", { requestId: requestId as string })).rejects.toMatchObject({ page: "PAWL4011" });
    expect(await b.store.inbox({ runId, all: true })).toEqual([]);
    await expect(client.control("nobody", "pause", { requestId: randomUUID() })).rejects.toMatchObject({ page: "PAWL4001" });
  });
});
