// What operators look at, on every store: counts, timelines, pages of a log, the check of one run. None of it changes anything, and each reads a
// bounded part where the store may be large.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Client } from "../../src/client/types.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { workflow } from "../../src/index.ts";
import { sha256Hex } from "../../src/platform/crypto/hash.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const order = workflow({ name: "order", input: z.any(), signals: { go: z.any() } }, async (ctx, input) => {
  await ctx.step("one", () => 1);
  await ctx.step("two", () => {
    if (input === "fail") throw new Error("no");
  });
  return input === "wait" ? ctx.receive("go") : 2;
});
let release = (): void => {};
const paying = workflow({ name: "paying" }, (ctx) =>
  ctx.step("pay", () => new Promise<void>((resolve) => (release = resolve)), { key: "pay-1", dedup: "24h" }),
);
const long = workflow({ name: "long" }, async (ctx) => {
  for (let i = 0; i < 450; i++) await ctx.step(`s${i}`, () => i);
});

let failures = 0;
const flaky = workflow({ name: "flaky" }, (ctx) =>
  ctx.step(
    "call",
    () => {
      if (failures++ < 2) throw new Error("not yet");
    },
    { retry: { attempts: 3, initial: "1ms" } },
  ),
);

describe.each(testStores)("looking on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    client = b.client();
  });
  afterEach(() => b.close());

  it("counts by status, workflow and error code", async () => {
    const { engine } = await b.engine({ workflows: [order] });
    for (const id of ["a", "b"]) await engine.run(order, undefined, { id });
    await engine.run(order, "fail", { id: "f" }).catch(() => {});
    await engine.start(order, "wait", { id: "w" });
    await vi.waitFor(async () => expect((await client.count()).byStatus).toEqual({ COMPLETED: 2, FAILED: 1, RUNNING: 1 }), {
      timeout: 20_000,
    });
    const counts = await client.count();
    expect(counts).toMatchObject({ max: 1_000, byWorkflow: { order: 4 } });
    expect(Object.values(counts.byErrorCode)).toEqual([1]);
    expect(counts.more).toBeUndefined();
    expect((await client.count({ status: ["FAILED"] })).byStatus).toEqual({ FAILED: 1 });
    expect(await client.count({ workflow: "nothing" })).toEqual({ max: 1_000, byStatus: {}, byWorkflow: {}, byErrorCode: {} });
  });

  it("a timeline has a bar for each step, or for neighbours where there are many", async () => {
    const { engine } = await b.engine({ workflows: [order, long] });
    await engine.run(order, undefined, { id: "a" });
    const few = await client.timeline("a");
    expect(few.bars.map((x) => [x.name, x.status, x.steps, x.attempts])).toEqual([
      ["one", "SUCCESS", 1, 1],
      ["two", "SUCCESS", 1, 1],
    ]);
    expect(few.gaps).toEqual([]);
    expect(Date.parse(few.to)).toBeGreaterThanOrEqual(Date.parse(few.bars[1]!.endedAt!));
    await engine.run(long, undefined, { id: "l" });
    const { bars } = await client.timeline("l");
    expect(bars.length).toBeLessThanOrEqual(400);
    expect(bars.reduce((n, x) => n + x.steps, 0)).toBe(450);
    expect(bars[0]).toMatchObject({ stepId: "s0", name: "s0 … s1", steps: 2, status: "SUCCESS" });
  });

  it("a timeline has each try of a step that was tried again, and none of a step that was not", async () => {
    failures = 0;
    const { engine } = await b.engine({ workflows: [flaky, order] });
    await engine.run(flaky, undefined, { id: "f" });
    const [bar] = (await client.timeline("f")).bars;
    expect(bar).toMatchObject({ attempts: 3, status: "SUCCESS", endedAt: bar!.tries![2]!.to });
    expect(bar!.tries!.map((t) => t.status)).toEqual(["FAILED", "FAILED", "SUCCESS"]);
    const times = bar!.tries!.flatMap((t) => [Date.parse(t.from), Date.parse(t.to!)]);
    expect(times).toEqual(times.toSorted((x, y) => x - y));
    await engine.run(order, undefined, { id: "a" });
    expect((await client.timeline("a")).bars[0]).not.toHaveProperty("tries");
  });

  it("pages of a log: after, before, of some types, one event", async () => {
    const { engine } = await b.engine({ workflows: [order] });
    await engine.run(order, undefined, { id: "a" });
    const all = await client.events("a");
    const head = all.length;
    const seqs = (page: readonly { readonly runSeq: number }[]): number[] => page.map((e) => e.runSeq);
    expect(seqs(await client.events("a", { before: head, limit: 2 }))).toEqual([head - 2, head - 1]);
    expect(seqs(await client.events("a", { before: 3, limit: 10 }))).toEqual([1, 2]);
    expect(seqs(await client.events("a", { before: 1 }))).toEqual([]);
    expect((await client.events("a", { types: ["StepCompleted"] })).map((e) => e.stepId)).toEqual(["one", "two"]);
    expect((await client.events("a", { types: ["StepCompleted"], before: head, limit: 1 })).map((e) => e.stepId)).toEqual(["two"]);
    expect(await client.event("a", 1)).toEqual(all[0]);
    await expect(client.event("a", head + 1)).rejects.toMatchObject({ code: "PAWL4132" });
    await expect(client.events("a", { before: -1 })).rejects.toMatchObject({ code: "PAWL4011" });
  });

  it("a check of one run names its hashes, its open effects, and what does not fit", proves("AX-27", "AX-28", "AX-30"), async () => {
    const { engine } = await b.engine({ workflows: [order] });
    await engine.run(order, undefined, { id: "a" });
    await engine.run(order, undefined, { id: "b" });
    const before = await client.events("a");
    const found = await client.verifyRun("a");
    const row = (await b.store.run({ runId: found.runId }))!;
    expect(found).toEqual({
      runId: row.runId,
      ok: true,
      stepsHash: sha256Hex(`${sha256Hex(JSON.stringify(["order", "1"]))}\none:SUCCESS\ntwo:SUCCESS`),
      eventChainRoot: row.headLink,
      ledger: { ok: true, pendingKeys: [] },
      replay: { ok: true },
    });
    const other = await client.verifyRun("b");
    expect([other.stepsHash === found.stepsHash, other.eventChainRoot === found.eventChainRoot]).toEqual([true, false]);
    expect(await client.events("a")).toEqual(before);
    expect(await client.verifyRun("a")).toEqual(found);
  });

  it(
    "a check of one run finds a changed time, a changed outcome and an effect that is still open",
    proves("AX-27", "AX-29", "AX-30"),
    async () => {
      const { engine } = await b.engine({ workflows: [order, paying] });
      for (const id of ["a", "b"]) await engine.run(order, undefined, { id });
      const [a, other] = [await client.verifyRun("a"), await client.verifyRun("b")];
      b.skipVerification();
      await b.tamper({ table: "events", runId: a.runId, at: 2, set: { persistedAt: 1 } });
      const changed = await client.verifyRun("a");
      expect([changed.ok, changed.replay.ok, changed.ledger.ok]).toEqual([false, false, true]);
      expect(changed.replay.error).toMatch(/^events /);
      expect([changed.eventChainRoot === a.eventChainRoot, changed.stepsHash]).toEqual([false, a.stepsHash]);
      await b.tamper({ table: "events", runId: other.runId, at: 3, set: { eventType: "StepSkipped" } });
      expect((await client.verifyRun("b")).stepsHash).not.toBe(other.stepsHash);
      await engine.start(paying, undefined, { id: "p" });
      await vi.waitFor(async () => expect((await client.verifyRun("p")).ledger).toEqual({ ok: true, pendingKeys: ["pay-1"] }), {
        timeout: 20_000,
      });
      release();
      await client.waitForEnd("p");
      const paid = await client.verifyRun("p");
      expect(paid).toMatchObject({ ok: true, ledger: { ok: true, pendingKeys: [] } });
      const [effect] = (await b.store.effects({ scope: defaultScope, runId: paid.runId, limit: 1 })).effects;
      await b.tamper({ table: "effects", runId: paid.runId, at: effect!.seq, set: { status: "failed" } });
      expect(await client.verifyRun("p")).toMatchObject({ ok: false, ledger: { ok: false } });
      await expect(client.verifyRun("nothing")).rejects.toMatchObject({ code: "PAWL4001" });
    },
  );
});
