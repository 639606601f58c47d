// A start by name from a process without the workflow's code, on every store: checked against what engines have published, before anything
// is stored. What nobody published is refused, unless the caller wants it to wait.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { workflow } from "../../src/index.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const order = workflow(
  {
    name: "order",
    input: z.object({ orderId: z.string().min(1), cents: z.int() }),
    signals: { approved: z.object({ by: z.string() }), anything: z.date() },
    updates: { address: { input: z.object({ city: z.string() }), output: z.string() } },
    views: { status: z.string() },
  },
  async (_, i) => i.cents,
);
const derived = workflow(
  { name: "derived", id: (i: { n: number }) => `n-${i.n}`, input: z.object({ n: z.number() }) },
  async (_, i) => i.n,
);
const refined = workflow({ name: "refined", input: z.number().refine((n) => n % 2 === 0) }, async (_, n) => n);
const dated = workflow({ name: "dated", input: z.date() }, async (_, d) => d.getTime());
const free = workflow({ name: "free" }, async (_, x) => x ?? null);

describe.each(testStores)("published on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const stored = async (): Promise<number> => (await b.client().list({ limit: 1_000 })).runs.length;

  it("an unknown workflow or version is refused, and nothing is stored", async () => {
    const client = b.client();
    await expect(client.start({ workflow: "order" })).rejects.toMatchObject({ code: "PAWL4008", outcome: "none" });
    await b.engine({ workflows: [order] });
    const input = { orderId: "o", cents: 1 };
    await expect(client.start({ workflow: "ordr", input })).rejects.toThrow("no engine has published workflow ordr");
    await expect(client.start({ workflow: "order", version: "7", input })).rejects.toThrow(
      "no engine has published version 7 of workflow order; published: 1",
    );
    expect(await stored()).toBe(0);
  });

  it("a run that may wait for its engine is created unchecked and says that nobody serves it", async () => {
    const client = b.client();
    const first = await client.start({ workflow: "order", input: { orderId: "o", cents: 7 }, id: "o", allowUnknown: true });
    expect(first).toMatchObject({ created: true, replayed: false, served: false, unchecked: "no engine has published workflow order" });
    await b.engine({ workflows: [order] });
    expect(await client.waitForEnd("o")).toMatchObject({ status: "COMPLETED", result: 7 });
  });

  it("an input that does not fit is refused with its path, before anything is stored", async () => {
    await b.engine({ workflows: [order] });
    const client = b.client(await b.reopen());
    const bad: readonly (readonly [unknown, string])[] = [
      [undefined, "input: it is missing"],
      ["text", "input: expected object"],
      [{ orderId: "o" }, "cents"],
      [{ orderId: "", cents: 1 }, "input.orderId"],
      [{ orderId: "o", cents: 1.5 }, "input.cents"],
    ];
    for (const [input, text] of bad)
      await expect(client.start({ workflow: "order", input }), text).rejects.toMatchObject({
        code: "PAWL1008",
        message: expect.stringContaining(text) as string,
      });
    expect(await stored()).toBe(0);
    const started = await client.start({ workflow: "order", input: { orderId: "o", cents: 5 } });
    expect(started).toEqual({ runId: started.runId, workflowId: started.runId, created: true, replayed: false, served: true });
    expect((await client.waitForEnd(started.runId)).result).toBe(5);
  });

  it("a workflow that derives its ids wants one from a caller without its code", async () => {
    const { client: own } = await b.engine({ workflows: [derived] });
    const client = b.client();
    const request = { workflow: "derived", input: { n: 3 } };
    await expect(client.start(request)).rejects.toMatchObject({
      code: "PAWL1008",
      message: expect.stringContaining("send id") as string,
    });
    expect(await stored()).toBe(0);
    expect(await own.start(request)).toMatchObject({ workflowId: "n-3", created: true, served: true });
    expect(await client.start({ ...request, id: "n-3" })).toMatchObject({ workflowId: "n-3", created: false, served: true });
  });

  it("what JSON Schema cannot say is started, and the answer says what nobody checked", async () => {
    await b.engine({ workflows: [refined, dated, free] });
    const client = b.client();
    await expect(client.start({ workflow: "refined", input: "x" })).rejects.toMatchObject({ code: "PAWL1008" });
    const odd = await client.start({ workflow: "refined", input: 3 });
    expect(odd.unchecked).toBe("parts of input: only the workflow's code can check them");
    expect(await client.waitForEnd(odd.runId)).toMatchObject({ status: "FAILED", error: { code: "PAWL1008" } });
    expect((await client.start({ workflow: "dated", input: new Date(7) })).unchecked).toBeDefined();
    expect((await client.start({ workflow: "free", input: [1] })).unchecked).toBeUndefined();
    expect((await client.start({ workflow: "free" })).unchecked).toBeUndefined();
  });

  it("without a version the newest that a live engine serves is started, else the one that was published last", async () => {
    const version = (v: string): typeof free => workflow({ name: "free", version: v }, async () => v) as never;
    const one = await b.engine({ workflows: [version("1")] });
    b.advanceClock(5);
    const two = await b.engine({ workflows: [version("2")] });
    const client = b.client();
    const started = async (): Promise<unknown> => {
      const { runId, served } = await client.start({ workflow: "free", delayMs: 3_600_000 });
      return [(await client.get(runId))!.version, served];
    };
    expect(await started()).toEqual(["2", true]);
    await two.engine.stop();
    expect(await started()).toEqual(["1", true]);
    await one.engine.stop();
    expect(await started()).toEqual(["2", false]);
    const exact = await client.start({ workflow: "free", version: "1", delayMs: 3_600_000 });
    expect((await client.get(exact.runId))!.version).toBe("1");
  });

  it("a known start key is answered before anything is checked", async () => {
    const client = b.client();
    const request = { workflow: "order", input: { orderId: "o", cents: "no" }, idempotencyKey: "k" };
    const first = await client.start({ ...request, allowUnknown: true });
    await b.engine({ workflows: [order] });
    const again = await client.start(request);
    expect(again).toMatchObject({ runId: first.runId, created: false, replayed: true });
    await expect(client.start({ ...request, idempotencyKey: "other" })).rejects.toMatchObject({ code: "PAWL1008" });
  });

  it("a restart is checked before the old run is ended", async () => {
    const { client: own } = await b.engine({ workflows: [order] });
    const client = b.client();
    await own.start({ workflow: "order", input: { orderId: "o", cents: 1 }, id: "o", delayMs: 3_600_000 });
    await expect(client.start({ workflow: "order", input: {}, id: "o", onConflict: "restart" })).rejects.toMatchObject({
      code: "PAWL1008",
    });
    expect((await client.get("o"))!.status).toBe("PENDING");
  });

  it("workflows are listed with their schemas; one without a JSON form is null", async () => {
    const e = await b.engine({ workflows: [order, derived] });
    const [first, second] = await b.client(await b.reopen()).workflows();
    expect(first).toMatchObject({ workflow: "derived", latest: "1", served: true, versions: [{ derivesId: true }] });
    expect(second).toMatchObject({
      workflow: "order",
      latest: "1",
      served: true,
      versions: [
        {
          version: "1",
          served: true,
          derivesId: false,
          input: { type: "object", required: ["orderId", "cents"] },
          signals: { approved: { type: "object" }, anything: null },
          updates: { address: { properties: { city: { type: "string" } } } },
          views: { status: { type: "string" } },
        },
      ],
    });
    await e.engine.stop();
    expect((await b.client().workflows()).map((w) => w.served)).toEqual([false, false]);
  });
});
