// One action on many runs: ordered once, worked by whichever process is there, every run asked exactly once. The processes are real where they are
// killed: after they asked and before they counted.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { requestIdFor } from "../../src/client/batches/batch-rows.ts";
import { connect } from "../../src/client.ts";
import type { Client } from "../../src/client/types.ts";
import { isUuidV4 } from "../../src/core/names.ts";
import { workflow } from "../../src/index.ts";
import { killChildren, startChild } from "../support/child-process.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

let broken = true;
const order = workflow({ name: "order" }, (ctx) =>
  ctx.step("pay", () => {
    if (broken) throw new Error("the bank is down");
    return 1;
  }),
);
const waiter = workflow({ name: "waiter", signals: { go: z.any() } }, (ctx) => ctx.receive("go"));
const why = { reason: "the bank is back" };
const failed = { status: ["FAILED"], workflow: "order" } as const;

describe.each(testStores)("batches on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    broken = true;
    b = await open();
    client = b.client();
  });
  afterEach(() => b.close());
  const over = (batchId: string): Promise<void> =>
    vi.waitFor(async () => expect((await client.batches.get(batchId)).state).not.toBe("working"), { timeout: 30_000, interval: 50 });
  const failedOrders = async (n: number): Promise<Awaited<ReturnType<TestStore["engine"]>>> => {
    const e = await b.engine({ workflows: [order, waiter] });
    const ids = Array.from({ length: n }, (_x, i) => `o-${i}`);
    await Promise.all(ids.map((id) => e.engine.start(order, undefined, { id }).then((h) => h.result().catch(() => {}))));
    b.advanceClock(5);
    return e;
  };

  it("an engine retries every run that failed before the batch, and none that failed later", async () => {
    const e = await failedOrders(25);
    const { batchId, state } = await client.batches.create({ filter: failed, action: "retry", ...why });
    expect(state).toBe("working");
    b.advanceClock(5);
    await e.engine.run(order, undefined, { id: "later" }).catch(() => {});
    broken = false;
    await over(batchId);
    const batch = await client.batches.get(batchId);
    expect(batch).toMatchObject({ state: "done", done: 25, skipped: 0, failed: 0, failures: [], reason: why.reason, action: "retry" });
    for (let i = 0; i < 25; i++) expect((await client.waitForEnd(`o-${i}`)).status).toBe("COMPLETED");
    expect((await client.get("later"))!.status).toBe("FAILED");
    // The same again finds that a newer run is there.
    const again = await client.batches.create({
      filter: { ...failed, until: new Date(b.platform.wallMs() + 60_000).toISOString() },
      action: "retry",
      ...why,
    });
    await over(again.batchId);
    expect(await client.batches.get(again.batchId)).toMatchObject({ done: 1, skipped: 25, failed: 0 });
    expect((await client.batches.list()).batches.map((x) => x.batchId)).toEqual([again.batchId, batchId]);
    const first = await client.batches.list({ limit: 1 });
    expect((await client.batches.list({ limit: 1, cursor: first.cursor! })).batches[0]?.batchId).toBe(batchId);
  });

  it("a dry run says what would match and does nothing; max bounds a batch", async () => {
    await failedOrders(7);
    const dry = await client.batches.create({ filter: failed, action: "retry", dryRun: true, ...why });
    expect(dry).toMatchObject({ state: "dry-run", matches: 7 });
    expect(dry.sample).toHaveLength(7);
    expect((await client.batches.list()).batches).toEqual([]);
    expect((await client.batches.create({ filter: failed, action: "retry", dryRun: true, max: 3, ...why })).matches).toBe(3);
    const { batchId } = await client.batches.create({ filter: failed, action: "retry", max: 3, ...why });
    await over(batchId);
    expect(await client.batches.get(batchId)).toMatchObject({ state: "done", done: 3, skipped: 0, failed: 0 });
  });

  it("a process without an engine works it while it waits; what the status does not permit is skipped", async () => {
    const e = await b.engine({ workflows: [waiter, order] });
    for (const id of ["a", "b", "c"]) await e.engine.start(waiter, undefined, { id });
    await client.control("c", "pause");
    await e.engine.stop();
    b.advanceClock(5);
    const { batchId } = await client.batches.create({ filter: { workflow: "waiter" }, action: "pause", ...why });
    const batch = await client.batches.wait(batchId);
    expect(batch).toMatchObject({ state: "done", done: 2, skipped: 1, failed: 0 });
    expect((await client.get("a"))!.because).toMatchObject({ code: "paused", text: `It is paused: ${why.reason}.` });
    expect(
      (await client.batches.wait((await client.batches.create({ filter: { workflow: "waiter" }, action: "terminate", ...why })).batchId))
        .done,
    ).toBe(3);
    for (const id of ["a", "b", "c"]) expect((await client.get(id))!.status).toBe("CANCELLED");
  });

  it("the same requestId is the same batch; a stopped one asks nobody more", async () => {
    await failedOrders(2).then((e) => e.engine.stop());
    const request = { filter: failed, action: "retry", requestId: crypto.randomUUID(), ...why } as const;
    const first = await client.batches.create(request);
    expect((await client.batches.create(request)).batchId).toBe(first.batchId);
    await expect(client.batches.create({ ...request, action: "cancel" })).rejects.toMatchObject({ code: "PAWL4053" });
    expect((await client.batches.stop(first.batchId, { reason: "wrong" })).state).toBe("stopped");
    expect(await client.batches.wait(first.batchId)).toMatchObject({ state: "stopped", done: 0 });
    expect((await client.list(failed)).runs).toHaveLength(2);
  });

  it("what is wrong with an order is refused", async () => {
    const create = (x: object): Promise<unknown> => client.batches.create({ filter: failed, action: "retry", ...why, ...x } as never);
    await expect(create({ reason: " " })).rejects.toMatchObject({ page: "PAWL4090" });
    await expect(create({ action: "explode" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(create({ max: 0 })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(create({ requestId: "x" })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(create({ filter: { status: ["DEAD"] } })).rejects.toMatchObject({ code: "PAWL4011" });
    await expect(client.batches.get("nothing")).rejects.toMatchObject({ code: "PAWL4132" });
  });
});

it("an id for each batch and run is a UUID of version 4, always the same", () => {
  const ids = Array.from({ length: 100 }, (_, i) => requestIdFor("b", `r${i}`));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(isUuidV4(id)).toBe(true);
  expect(requestIdFor("b", "r1")).toBe(ids[1]);
});

describe("killed processes", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pawl-batch-"));
  });
  afterEach(async () => {
    await killChildren();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    "a batch whose workers are killed after acting and before counting retries each run once and counts each once",
    { timeout: 240_000 },
    async () => {
      const [store, ledger] = [join(folder, "state.db"), join(folder, "ledger.txt")];
      writeFileSync(ledger, "");
      const start = (env: Record<string, string>): ReturnType<typeof startChild> =>
        startChild("test/operate/programs/batch-engine.js", { args: [store, ledger], env });
      const first = start({});
      await first.waitForLine("ready");
      const client = await connect({ store: `sqlite:${store}` });
      const runs = 45;
      for (let i = 0; i < runs; i++) await client.start({ workflow: "order", input: `o-${i}`, id: `o-${i}` });
      for (let i = 0; i < runs; i++) expect((await client.waitForEnd(`o-${i}`)).status).toBe("FAILED");
      first.signal("SIGKILL");
      await first.ended;
      const { batchId } = await client.batches.create({ filter: failed, action: "retry", reason: "the bank is back" });
      // Twice killed between what a page asked for and the write of its place: once on the first page, once on the next.
      for (const crash of ["engine:batch#1", "engine:batch#2"]) expect((await start({ PAWL_CRASH: crash }).ended).code).not.toBe(0);
      const last = start({});
      await vi.waitFor(async () => expect((await client.batches.get(batchId)).state).toBe("done"), { timeout: 120_000, interval: 100 });
      expect(await client.batches.get(batchId)).toMatchObject({ done: runs, skipped: 0, failed: 0 });
      for (let i = 0; i < runs; i++) {
        expect((await client.waitForEnd(`o-${i}`)).status).toBe("COMPLETED");
        expect((await client.list({ workflowId: `o-${i}` })).runs).toHaveLength(2);
      }
      last.send("stop");
      await last.ended;
      await client.close();
    },
  );
});
