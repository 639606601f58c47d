// The consumer SDK as users call it, on every store: records in order, what a handler is told, failures and dead letters, taking a
// consumer away, and an engine that ends its readers before its store. Option errors have a code.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { Client } from "../../src/client/types.ts";
import { workflow, type RunEventRecord } from "../../src/index.ts";
import { consumerCollection } from "../../src/readers/kv-keys.ts";
import { subscribe } from "../../src/readers/subscribe.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { forge } from "./forged-run.ts";
import { proves } from "../support/proves.ts";

const long = { timeout: 20_000, interval: 5 };
const one = workflow({ name: "one" }, (ctx) => ctx.step("a", () => "done"));

describe.each(testStores)("subscribe on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    b.skipVerification();
    client = b.client();
  });
  afterEach(() => b.close());

  it(
    "hands over public records, unknown ones as they are, one after the other, and tells the watermark",
    proves("D-016", "D-017", "D-018", "P-37"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"], ["acme.Odd", null, 1, '{"any":["body"]}'], ["RunCompleted"]);
      const seen: { event: RunEventRecord; watermark: number }[] = [];
      let inside = 0;
      const handler = async (event: RunEventRecord, { watermark }: { watermark: number }): Promise<void> => {
        expect(inside++).toBe(0);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push({ event, watermark });
        inside--;
      };
      await (
        await client.subscribe({ consumer: "c", handler, batch: 2, once: true })
      ).done;
      expect(seen.map((s) => s.event)).toEqual(await client.events("r"));
      expect(seen.map((s) => s.watermark)).toEqual([0, 0, 2]);
      expect(seen[1]?.event.payload).toEqual({ any: ["body"] });
    },
  );

  it(
    "a failing event is shown with its error, becomes a dead letter after N failures, and an unsubscribed consumer leaves nothing",
    proves("P-37"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"], ["bad"], ["RunCompleted"]);
      const seen: number[] = [];
      const told: number[] = [];
      const options = {
        consumer: "c",
        deadLetterAfter: 2,
        once: true,
        handler: (e: RunEventRecord, d: { failures: number }): void => {
          if (e.eventType === "bad") {
            told.push(d.failures);
            throw new Error(`no ${"x".repeat(2_000)}`);
          }
          seen.push(e.runSeq);
        },
      };
      await (
        await client.subscribe(options)
      ).done;
      const [shown] = await client.consumers();
      expect(shown).toMatchObject({
        consumer: "c",
        waiting: 0,
        active: false,
        deadLetters: 0,
        held: [{ runId: "r", watermark: 1, failures: 1 }],
      });
      expect(shown?.held[0]?.error).toMatch(/^no x+$/);
      expect(shown?.held[0]?.error.length).toBe(500);
      b.advanceClock(60_000);
      await (
        await client.subscribe(options)
      ).done;
      expect([seen, told]).toEqual([
        [1, 3],
        [0, 1],
      ]);
      expect(await client.consumers()).toMatchObject([{ held: [], deadLetters: 1 }]);
      expect(await client.deadLetters("c", { run: "r" })).toMatchObject([{ runSeq: 2, eventType: "bad", failures: 2 }]);
      expect(await client.deadLetters("c", { after: { runId: "r", runSeq: 2 } })).toEqual([]);
      await client.unsubscribe("c");
      expect(await client.consumers()).toEqual([]);
      expect(await client.deadLetters("c")).toEqual([]);
      await (
        await client.subscribe({ ...options, handler: (e) => void seen.push(e.runSeq) })
      ).done;
      expect(seen.slice(2)).toEqual([1, 2, 3]);
    },
  );

  it(
    "a consumer that leaves while a run is held back, and one whose process died, are shown as they are and leave nothing behind",
    proves("P-37"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"], ["bad"]);
      const handler = (): void => {
        throw new Error("no");
      };
      await (
        await client.subscribe({ consumer: "c", handler, once: true })
      ).done;
      const id = { scope: defaultScope, name: "c" };
      const rows = async (): Promise<string[]> => {
        const kinds = await Promise.all(
          ["from", "desk", "mark", "held", "dead"].map((kind) => b.store.kv.list({ collection: consumerCollection(kind, id), limit: 10 })),
        );
        return kinds.flat().map((r) => r.collection.slice(0, r.collection.indexOf(":")));
      };
      expect(await rows()).toEqual(["from", "desk", "mark", "held"]);
      // Somebody who died at work: at work until its lease has run out.
      await b.store.kv.put([
        { collection: consumerCollection("desk", id), key: "holder", value: JSON.stringify({ holder: "gone", leaseMs: 10_000 }) },
      ]);
      expect(await client.consumers()).toMatchObject([{ active: true }]);
      b.advanceClock(10_001);
      expect(await client.consumers()).toMatchObject([{ active: false }]);
      await client.unsubscribe("c");
      expect(await rows()).toEqual([]);
      const seen: string[] = [];
      const now = { consumer: "c", from: "now", once: true, handler: (e: RunEventRecord) => void seen.push(e.runId) } as const;
      await (
        await client.subscribe(now)
      ).done;
      await forge(b.store, b.platform, "s").add(["RunStarted"]);
      await (
        await client.subscribe(now)
      ).done;
      expect(seen).toEqual(["s"]);
    },
  );

  it(
    "what a slow handler was given is acknowledged about every second, and failures are told of the event that failed",
    proves("P-37"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"], ["a"], ["bad"], ["b"], ["c"]);
      let [slow, refuse] = [0, true];
      const told: string[] = [];
      const platform = { ...b.platform, monotonicMs: () => b.platform.monotonicMs() + slow };
      const handler = (e: RunEventRecord, d: { watermark: number; failures: number }): void => {
        slow += 600;
        told.push(`${e.runSeq} after ${d.watermark}, ${d.failures}`);
        if (e.eventType === "bad" && refuse) throw new Error("no");
      };
      const once = async (): Promise<void> =>
        (await subscribe({ store: b.store, platform, scope: defaultScope }, { consumer: "c", handler, once: true, leaseMs: 60_000 })).done;
      await once();
      expect(told.splice(0)).toEqual(["1 after 0, 0", "2 after 0, 0", "3 after 2, 0"]);
      refuse = false;
      b.advanceClock(60_000);
      await once();
      expect(told).toEqual(["3 after 2, 1", "4 after 2, 0", "5 after 4, 0"]);
    },
  );

  it("a run that a consumer holds back keeps its log until its events were handled or given up", proves("W-128", "P-37"), async () => {
    await forge(b.store, b.platform, "r", { status: "COMPLETED" }).add(["RunStarted", null, 1, '{"n":1}'], ["RunCompleted"]);
    let down = true;
    const seen: RunEventRecord[] = [];
    const handler = (e: RunEventRecord): void => {
      if (down) throw new Error("the ledger is closed");
      seen.push(e);
    };
    await (
      await client.subscribe({ consumer: "c", handler, once: true })
    ).done;
    b.advanceClock(2 * 3_600_000);
    const before = await client.events("r");
    for (const keep of [{ keepPayloads: "1h" }, { keepRuns: "1h", keepKeys: "1h" }] as const)
      for (const dryRun of [true, false])
        expect(await client.applyRetention(keep, { dryRun })).toMatchObject({
          looked: 1,
          expired: 0,
          purged: 0,
          forgotten: 0,
          kept: { awaited: 1 },
        });
    down = false;
    await (
      await client.subscribe({ consumer: "c", handler, once: true })
    ).done;
    expect(seen).toEqual(before);
    expect(await client.applyRetention({ keepRuns: "1h", keepKeys: "1h" })).toMatchObject({ purged: 1, forgotten: 1, kept: {} });
  });

  it("an engine's readers follow what it does, count, and end with it", async () => {
    const { engine } = await b.engine({ workflows: [one] });
    const seen: string[] = [];
    const reading = await engine.subscribe({ consumer: "c", from: "now", handler: (e) => void seen.push(e.eventType) });
    const projecting = await engine.project();
    await engine.run(one, undefined, { id: "x" });
    await forge(b.store, b.platform, "bad").add(["RunPaused"]);
    await expect
      .poll(() => seen, long)
      .toEqual(expect.arrayContaining(["RunStarted", "StepStarted", "StepCompleted", "RunCompleted", "RunPaused"]));
    await expect.poll(() => engine.metrics(), long).toContain("pawl_alerts_total 1\n");
    expect(engine.metrics()).toMatch(/^pawl_projector_lag \d+$/m);
    await engine.stop();
    await Promise.all([reading.done, projecting.done]);
    expect(await client.projection("x")).toMatchObject({ status: "COMPLETED" });
    expect((await client.consumers()).map((c) => [c.consumer, c.active])).toEqual([
      ["c", false],
      ["projector", false],
    ]);
  });

  it(
    "a name has one trade: a subscriber never takes the events of a projector or a webhook, nor they its own",
    proves("P-37"),
    async () => {
      await forge(b.store, b.platform, "r").add(["RunStarted"]);
      const handler = (): void => {};
      const subscribed = async (consumer: string): Promise<void> => (await client.subscribe({ consumer, handler, once: true })).done;
      const projected = async (name: string): Promise<void> => (await client.project({ name, once: true })).done;
      const taken = { code: "PAWL5001" };
      await projected("reports");
      await subscribed("billing");
      for (const name of ["projector", "reports", "webhook/shop"]) await expect(subscribed(name), name).rejects.toMatchObject(taken);
      for (const name of ["billing", "webhook/shop"]) await expect(projected(name), name).rejects.toMatchObject(taken);
      for (const name of ["billing", "webhook/shop"]) await expect(client.rebuild({ name }), name).rejects.toMatchObject(taken);
      await expect(client.unsubscribe("webhook/shop")).rejects.toMatchObject(taken);
      await projected("reports");
      await subscribed("billing");
      expect((await client.consumers()).map((c) => c.consumer).toSorted()).toEqual(["billing", "reports"]);
    },
  );

  it("PAWL5001 options that cannot be meant are refused before anything is written", async () => {
    const handler = (): void => {};
    for (const bad of [{ batch: 0 }, { concurrency: 1.5 }, { deadLetterAfter: -1 }, { leaseMs: 0 }, { from: "then" }, { handler: "x" }])
      await expect(async () => client.subscribe({ consumer: "c", handler, ...bad } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(async () => client.project({ policy: "C" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    await expect(client.rebuild({ mode: "HALF" } as never)).rejects.toMatchObject({ code: "PAWL5001" });
    for (const consumer of ["two words", "", "é", "x".repeat(129), undefined as never])
      await expect(client.subscribe({ consumer, handler })).rejects.toMatchObject({ code: "PAWL5001" });
    expect(await client.consumers()).toEqual([]);
    expect(await b.store.kv.list({ collection: "projector:default/default/default", limit: 1 })).toEqual([]);
  });
});
