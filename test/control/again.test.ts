// Requests that are sent again, on every store: a retry, a restart, a start whose input would not be taken today. Each acts once and is answered
// the same. And what became of a message, for a sender that asks later.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/client/types.ts";
import { workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";
import { anySchema } from "../support/test-cluster.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const fails = workflow({ name: "fails" }, async (ctx) => {
  await ctx.step("one", () => 1);
  throw new Error("no");
});
const waits = workflow({ name: "waits", signals: { go: anySchema<number>() } }, async (ctx) => ctx.receive("go"));

describe.each(testStores)("sent again on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    client = b.client();
  });
  afterEach(() => b.close());
  const runsOf = async (workflowId: string): Promise<number> => (await client.list({ workflowId, limit: 100 })).runs.length;

  it("a retry under one requestId makes one run, whatever has become of that since", proves("K19", "I8"), async () => {
    const e = await b.engine({ workflows: [fails] });
    const { runId } = await e.engine.start(fails, undefined, { id: "w" });
    expect((await client.waitForEnd(runId)).status).toBe("FAILED");
    const requestId = randomUUID();
    const first = await client.retry("w", { requestId });
    expect(first).toMatchObject({ workflowId: "w", replayed: false });
    // The workflowId has a newer run by now, which runs, and then has failed as well.
    for (let n = 0; n < 2; n++) {
      for (const id of ["w", runId]) expect(await client.retry(id, { requestId })).toEqual({ ...first, replayed: true });
      expect((await client.waitForEnd(first.runId)).status).toBe("FAILED");
    }
    const atOnce = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => client.retry("w", { requestId: atOnce })));
    expect(new Set(answers.map((a) => a.runId)).size).toBe(1);
    expect(answers.filter((a) => !a.replayed)).toHaveLength(1);
    expect(await runsOf("w")).toBe(3);
    await expect(client.retry("w", { requestId, fromStep: "one" })).rejects.toMatchObject({ page: "PAWL4053" });
    await expect(client.retry("w", { requestId: "r1" })).rejects.toMatchObject({ page: "PAWL4011" });
    const [newest] = (await client.list({ workflowId: "w" })).runs;
    expect(newest?.runId).toBe(answers[0]!.runId);
  });

  it("a restart under one key ends what is in its way once, without any engine, and never its own run", proves("K19", "C2"), async () => {
    const e = await b.engine({ workflows: [waits] });
    const old = await e.engine.start(waits, undefined, { id: "w" });
    await expect.poll(async () => (await client.get(old.runId))?.waiting, { timeout: 20_000 }).toBe("signal");
    await e.engine.stop({ grace: 1_000 });
    const ask = { workflow: "waits", allowUnknown: true, id: "w", idempotencyKey: "k", onConflict: "restart" } as const;
    const first = await client.start(ask);
    expect(first).toMatchObject({ created: true, replayed: false });
    expect((await client.get(old.runId))?.status).toBe("CANCELLED");
    for (let n = 0; n < 2; n++) expect(await client.start(ask)).toMatchObject({ runId: first.runId, created: false, replayed: true });
    expect((await client.get(first.runId))?.status).toBe("PENDING");
    expect((await b.store.inbox({ runId: old.runId, all: true })).filter((r) => r.name === "terminate")).toHaveLength(1);
    expect(await b.store.inbox({ runId: first.runId, all: true })).toEqual([]);
    expect(await runsOf("w")).toBe(2);
  });

  it("a restart that was cut short after the end of the old run continues when it is sent again", proves("K19"), async () => {
    const e = await b.engine({ workflows: [waits] });
    const old = await e.engine.start(waits, undefined, { id: "w" });
    await e.engine.stop({ grace: 1_000 });
    const ask = { workflow: "waits", allowUnknown: true, id: "w", idempotencyKey: "k", onConflict: "restart" } as const;
    // The caller has gone while the old run was ending: its end stays asked for.
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(client.start(ask, { signal: gone })).rejects.toThrow("gone");
    expect((await b.store.inbox({ runId: old.runId, all: true })).filter((r) => r.name === "terminate")).toHaveLength(1);
    expect(await client.start(ask)).toMatchObject({ created: true });
    expect((await b.store.inbox({ runId: old.runId, all: true })).filter((r) => r.name === "terminate")).toHaveLength(1);
    expect(await runsOf("w")).toBe(2);
  });

  it("a start under a known key is answered although its input would be refused today", proves("C2"), async () => {
    const [wide, narrow] = [10, 5].map((max) => workflow({ name: "strict", input: z.number().max(max) }, async (_ctx, n) => n));
    const before = await b.engine({ workflows: [wide!] });
    const ask = { id: "w", idempotencyKey: "k", onConflict: "reject" } as const;
    const first = await before.engine.start(wide!, 7, ask);
    expect(await first.result()).toBe(7);
    await before.engine.stop({ grace: 1_000 });
    const after = await b.engine({ workflows: [narrow!] });
    const again = await after.engine.start(narrow!, 7, ask);
    expect([again.runId, again.created]).toEqual([first.runId, false]);
    for (const other of [
      { ...ask, idempotencyKey: "other" },
      { id: "w2", onConflict: "reject" },
    ] as const)
      await expect(after.engine.start(narrow!, 7, other)).rejects.toMatchObject({ page: "PAWL1008" });
    await expect(after.engine.start(narrow!, 8, ask)).rejects.toMatchObject({ page: "PAWL1008" });
  });

  it("what became of a signal and of an update can be asked for later", proves("I9"), async () => {
    const wf = workflow(
      {
        name: "talks",
        signals: { go: z.number().refine((n) => n % 2 === 0, "must be even"), never: anySchema<number>() },
        updates: { add: { input: z.number(), output: z.number() } },
      },
      async (ctx) => {
        ctx.onUpdate("add", (n: number) => {
          if (n < 0) throw new Error("negative");
          return n + 1;
        });
        await ctx.receive("go");
        await ctx.receive("never");
      },
    );
    const first = await b.engine({ workflows: [wf] });
    const { runId } = await first.engine.start(wf, undefined, { id: "w" });
    await expect.poll(async () => (await client.get(runId))?.waiting, { timeout: 20_000 }).toBe("signal");
    await first.engine.stop({ grace: 1_000 });
    expect(await client.signalState("w", "go", "odd")).toBeUndefined();
    expect(await client.signal("w", "go", 3, { signalId: "odd" })).toMatchObject({ state: "accepted", replayed: false });
    expect(await client.signal("w", "go", 4, { signalId: "even" })).toMatchObject({ state: "accepted" });
    expect(await client.signalState("w", "go", "odd")).toMatchObject({ state: "accepted", result: { signalId: "odd" } });
    const again = await client.signal("w", "go", 4, { signalId: "even" });
    expect(again).toMatchObject({ replayed: true, state: "accepted" });
    expect(again.payloadDiffers).toBeUndefined();
    expect(await client.signal("w", "go", 6, { signalId: "even" })).toMatchObject({ replayed: true, payloadDiffers: true });

    await b.engine({ workflows: [wf] });
    const state = async (id: string): Promise<string | undefined> => (await client.signalState("w", "go", id))?.state;
    await expect.poll(() => state("even"), { timeout: 20_000 }).toBe("delivered");
    await expect.poll(() => state("odd"), { timeout: 20_000 }).toBe("rejected");
    expect((await client.signalState(runId, "go", "odd"))?.reason).toContain("even");
    expect(await client.signal("w", "go", 3, { signalId: "odd" })).toMatchObject({ replayed: true, state: "rejected" });
    expect(await client.update("w", "add", 1, { updateId: "u" })).toBe(2);
    expect(await client.updateState("w", "add", "u")).toMatchObject({ state: "delivered", answer: 2 });
    await expect(client.update("w", "add", -1, { updateId: "n" })).rejects.toMatchObject({ page: "PAWL4007" });
    expect(await client.updateState("w", "add", "n")).toMatchObject({ state: "delivered", reason: "negative" });
    await expect(client.signalState("nobody", "go", "x")).resolves.toBeUndefined();
  });
});
