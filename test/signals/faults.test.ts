// A signal whose acceptance cannot be told, a run that has ended, a run that goes on as another: what the sender hears,
// and that nothing is delivered twice or lost (I9). The fault must never show the payload.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inspect } from "node:util";
import { z } from "zod";
import { PawlError, workflow } from "../../src/index.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { openEngine } from "../../src/client/engine.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { proves } from "../support/proves.ts";

const one = workflow({ name: "one", signals: { go: z.any() } }, async (ctx) => ctx.receive("go"));
const chain = workflow({ name: "chain", input: z.array(z.any()), signals: { go: z.any() } }, async (ctx, got) => {
  const next = [...got, await ctx.receive("go")];
  return next.length < 4 ? ctx.continueAsNew(next) : next;
});

describe.each(testStores)("faults of signals on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());

  it(
    "a payload without its record is a fault that names the signal, shows no payload, and enqueues nothing",
    proves("W-078", "W-082", "W-085", "W-086", "W-087"),
    async () => {
      const client = b.client();
      const { runId } = await client.start({ workflow: "one", allowUnknown: true, id: "w" });
      const secret = "card 4111-1111";
      const { result } = await client.signal("w", "go", { secret }, { signalId: "s" });
      await b.forgetAccepted(result.signalStorageKey);
      const faults: PawlError[] = [];
      for (const who of [client, b.client(await b.reopen()), client]) {
        const error = await who.signal("w", "go", { secret }, { signalId: "s" }).catch((e: unknown) => e);
        expect(error).toBeInstanceOf(PawlError);
        faults.push(error as PawlError);
      }
      for (const f of faults) {
        expect(f.code).toBe("SignalAcceptanceIndeterminate");
        expect(f.name).toBe("SignalAcceptanceIndeterminate");
        expect(f.outcome).toBe("unknown");
        expect(f.data).toEqual({
          workflowId: "w",
          signalName: "go",
          signalId: "s",
          correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          retryable: false,
        });
        expect(JSON.stringify(f) + inspect(f, { depth: 9, showHidden: true }) + String(f.stack)).not.toContain("4111-1111");
      }
      expect(new Set(faults.map((f) => f.data["correlationId"])).size).toBe(3);
      expect(await b.store.inbox({ runId, all: true })).toHaveLength(1);

      // Retryable once an operator has looked: the payload gives up its claim, and the next request is a first one.
      await b.releaseKey(result.signalStorageKey);
      expect((await client.signal("w", "go", { secret }, { signalId: "s" })).replayed).toBe(false);
      expect(await b.store.inbox({ runId, all: true })).toHaveLength(2);
    },
  );

  it("a settled run refuses a signal, and still answers a duplicate of one it accepted", proves("I9"), async () => {
    const { engine } = await b.engine({ workflows: [one] });
    const h = await engine.start(one, undefined, { id: "w" });
    const first = await h.signal("go", 1, { signalId: "s" });
    expect(await h.result()).toBe(1);
    await expect(h.signal("go", 2, { signalId: "t" })).rejects.toMatchObject({
      code: "PAWL4003",
      data: { runId: h.runId, status: "COMPLETED" },
    });
    await expect(h.signal("go", 2)).rejects.toMatchObject({ code: "PAWL4003" });
    expect(await h.signal("go", 2, { signalId: "s" })).toMatchObject({ result: first.result, replayed: true });
    await expect(b.client().signal("nobody", "go", 1)).rejects.toMatchObject({ code: "PAWL4001" });
    expect(await b.store.inbox({ runId: h.runId, all: true })).toHaveLength(1);
  });

  it("what a workflowId accepted is remembered across its runs, and a new signal goes to the latest", proves("I9", "W-051"), async () => {
    const { engine } = await b.engine({ workflows: [one] });
    const old = await engine.start(one, undefined, { id: "w" });
    const first = await old.signal("go", "old", { signalId: "s" });
    expect(await old.result()).toBe("old");
    const next = await engine.start(one, undefined, { id: "w", onConflict: "restart" });
    expect(next.runId).not.toBe(old.runId);
    expect(await next.signal("go", "twice", { signalId: "s" })).toMatchObject({ result: first.result, replayed: true });
    expect((await old.signal("go", "new", { signalId: "t" })).replayed).toBe(false);
    expect(await next.result()).toBe("new");
  });

  it(
    "signals that a run did not receive go on with the run that continues it, in order, none lost and none twice",
    proves("K18", "I9"),
    async () => {
      const { engine, client } = await b.engine({ workflows: [chain] });
      const h = await engine.start(chain, [], { id: "w" });
      for (const n of [1, 2, 3]) await h.signal("go", n, { signalId: `s${n}` });
      for (const n of [1, 2, 3]) expect((await h.signal("go", n, { signalId: `s${n}` })).replayed).toBe(true);
      await h.signal("go", 4);
      expect(await h.result()).toEqual([1, 2, 3, 4]);
      const { runs } = await client.list({ workflowId: "w" });
      expect(runs.map((r) => r.status)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED"]);
      for (const r of runs) expect((await b.store.inbox({ runId: r.runId })).length).toBe(0);
    },
  );

  it("a run without an id of its own is still reached by its handle after it continued as another", proves("I9"), async () => {
    const { engine, client } = await b.engine({ workflows: [chain] });
    const h = await engine.start(chain, []);
    expect(h.workflowId).toBe(h.runId);
    await h.signal("go", 1);
    while ((await client.get(h.runId))?.status !== "COMPLETED") await client.waitForChange(h.runId, { timeoutMs: 20 });
    expect(await client.waitForEnd(h.runId, { timeoutMs: 50 }).catch((e: { code: string }) => e.code)).toBe("PAWL4006");
    for (const n of [2, 3, 4]) await h.signal("go", n);
    expect(await h.result()).toEqual([1, 2, 3, 4]);
  });

  it(
    "a signal that its workflow does not declare, or whose schema refuses it, is refused by the handle before anything is stored",
    proves("I9"),
    async () => {
      const strict = workflow({ name: "strict", signals: { go: z.object({ n: z.number() }) } }, async (ctx) => ctx.receive("go"));
      const { engine } = await b.engine({ workflows: [strict] });
      const h = await engine.start(strict, undefined, { id: "w" });
      await expect(h.signal("nope" as "go", { n: 1 })).rejects.toMatchObject({ code: "PAWL1016" });
      await expect(h.signal("go", { n: "x" } as never)).rejects.toMatchObject({ code: "PAWL1008" });
      expect(await b.store.inbox({ runId: h.runId, all: true })).toEqual([]);
      // Past every sender's check the run itself sets it aside, visibly, and waits on.
      const past = { scope: defaultScope, target: { workflowId: "w" }, kind: "signal", name: "go", id: "bad", retainMs: null } as const;
      await b.store.post({ ...past, payload: '{"n":"x"}' });
      await h.signal("go", { n: 2 });
      expect(await h.result()).toEqual({ n: 2 });
      const events = await b.client().events("w");
      expect(events.filter((e) => e.eventType === "pawl.SignalRejected").map((e) => JSON.stringify(e.payload))).toEqual([
        expect.stringContaining('"bad"'),
      ]);
    },
  );
});

it("on a store without conditionalBatch a signal fails at once, and nothing is read or written instead", proves("W-076"), async () => {
  const platform = virtualPlatform();
  const real = memoryStore(platform, { capabilities: { conditionalBatch: false } });
  const { engine } = await openEngine(
    { platform, log: () => {}, open: async () => real },
    { store: real, workflows: [one], checkpointOwnership: "single-owner" },
  );
  const h = await engine.start(one, undefined, { id: "w" });
  await expect(h.signal("go", 1, { signalId: "s" })).rejects.toMatchObject({ code: "CheckpointOwnershipCapabilityError" });
  expect(await real.inbox({ runId: h.runId, all: true })).toEqual([]);
});
