// The registry of event ids on every store: one random id per event, written down before the first append, the same for
// whoever asks, and brought to what the authority returned.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { eventIdRegistry } from "../../src/log/producer.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { wrapCommit } from "../support/wrap-commit.ts";
import { keyOf, write } from "./producer-events.ts";
import { proves } from "../support/proves.ts";

const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const run = { runId: "r-1", planId: "plan", planVersion: "1" };
const key = keyOf({ runId: "r-1", eventType: "RunStarted" });

describe.each(testStores)("the registry on %s", (_, open) => {
  let b: TestStore;
  beforeEach(async () => {
    b = await open();
  });
  afterEach(() => b.close());
  const registry = (store: FullStore = b.store, runId = "r-1") => eventIdRegistry(store, b.platform, defaultScope, runId);

  it(
    "one random UUID v4 per run and key, the same for everybody at once and ever after",
    proves("D-045", "D-049", "D-050", "D-052", "D-053", "D-054"),
    async () => {
      const other = await b.reopen();
      const asked = await Promise.all([b.store, other, b.store, other].map((s) => registry(s).idFor(key)));
      expect(new Set(asked).size).toBe(1);
      expect(asked[0]).toMatch(v4);
      expect(await registry(await b.reopen()).idFor(key)).toBe(asked[0]);
      // The same input under another run, key or tenant has another id: none is derived from what it names.
      const elsewhere = eventIdRegistry(b.store, b.platform, { ...defaultScope, tenantId: "t2" }, "r-1");
      const others = [await registry(b.store, "r-2").idFor(key), await registry().idFor("0".repeat(64)), await elsewhere.idFor(key)];
      expect(new Set([asked[0], ...others]).size).toBe(4);
      await expect(registry().idFor("no key")).rejects.toMatchObject({ code: "PAWL4011" });
    },
  );

  it(
    "the id is written before the append is tried: when that fails, the next try sends the same id",
    proves("D-051", "D-052"),
    async () => {
      const sent: string[] = [];
      const failing = wrapCommit(async (_real, batch) => {
        sent.push(...batch.flatMap((c) => c.events.map((e) => e.eventId)));
        throw new Error("the power went");
      })(b.store);
      await expect(b.client(failing).producer(run).emit({ eventType: "RunStarted" })).rejects.toThrow("the power went");
      expect(await registry().idFor(key)).toBe(sent[0]);
      const emitted = await b.client().producer(run).emit({ eventType: "RunStarted" });
      expect(emitted).toMatchObject({ eventId: sent[0], persisted: true });
    },
  );

  it("what the authority returns is taken over, and is the event's id from then on", proves("D-046", "D-048", "D-055"), async () => {
    const first = write({ eventType: "RunStarted", eventId: randomUUID() });
    await b.client().append(first); // a producer whose registry was lost
    const producer = b.client().producer(run);
    const before = await producer.idFor(key);
    expect(before).not.toBe(first.eventId);
    expect(await producer.emit({ eventType: "RunStarted" })).toMatchObject({ eventId: first.eventId, idempotent: true });
    expect(await registry(await b.reopen()).idFor(key)).toBe(first.eventId);
  });

  it(
    "an id is durable when it is told: one that was taken away meanwhile is made again, one that cannot be kept is not told",
    proves("D-049", "D-051", "D-055"),
    async () => {
      let puts = 0;
      // Somebody was first, and is gone when it is looked at.
      const put: FullStore["kv"]["put"] = async (...q) => (puts++ === 0 ? { kind: "conflict", rows: [] } : b.store.kv.put(...q));
      const told = await registry({ ...b.store, kv: { ...b.store.kv, put } }).idFor(key);
      expect(await registry().idFor(key)).toBe(told);

      const event = write({ eventType: "RunQueued" });
      await b.client().append(event);
      let writes = 0;
      const failing: FullStore["kv"]["put"] = async (...q) =>
        writes++ === 0 ? b.store.kv.put(...q) : Promise.reject(new Error("the power went"));
      const producer = b.client({ ...b.store, kv: { ...b.store.kv, put: failing } }).producer(run);
      await expect(producer.emit({ eventType: "RunQueued" })).rejects.toThrow("the power went");
      expect(await b.client().producer(run).emit({ eventType: "RunQueued" })).toMatchObject({ eventId: event.eventId });
    },
  );

  it(
    "an id that no append would take is not kept, and what an event cannot be is refused with its place",
    proves("D-055", "P-41"),
    async () => {
      const producer = b.client().producer(run);
      for (const eventId of ["another", "", 7 as never])
        await expect(producer.accept({ idempotencyKey: key, eventId })).rejects.toMatchObject({ code: "PAWL4011" });
      const refused = (pointer: string) => ({ code: "SCHEMA_VALIDATION_FAILED", data: { pointer } });
      for (const logicalAttemptId of [0, 1.5, Number.NaN, "1" as never])
        await expect(producer.emit({ eventType: "RunStarted", logicalAttemptId })).rejects.toMatchObject(refused("/logicalAttemptId"));
      for (const emittedAt of [new Date(Number.NaN), new Date(8.64e15), "2026-01-31T12:00:00.000Z" as never])
        await expect(producer.emit({ eventType: "RunStarted", emittedAt })).rejects.toMatchObject(refused("/emittedAt"));
      expect(await producer.emit({ eventType: "RunStarted" })).toMatchObject({ persisted: true });
    },
  );

  it(
    "an event is built whole from what the producer says: attempts of 1, the producer's clock, the key",
    proves("P-18", "D-041", "D-043"),
    async () => {
      const producer = b.client().producer(run);
      const at = new Date("2026-05-05T05:05:05.005Z");
      await producer.emit({ eventType: "RunStarted", emittedAt: at });
      await producer.emit({ eventType: "StepStarted", stepId: "a", engineAttemptId: 3, payload: { n: 1 } });
      const before = b.platform.wallMs();
      await producer.emit({ eventType: "StepFailed", stepId: "a", payload: { error: "no" } });
      await producer.emit({ eventType: "StepStarted", stepId: "a", logicalAttemptId: 2 });
      const events = await b.client().events("r-1");
      expect(events.map((e) => [e.eventType, e.logicalAttemptId, e.engineAttemptId])).toEqual([
        ["RunStarted", 1, 1],
        ["StepStarted", 1, 3],
        ["StepFailed", 1, 1],
        ["StepStarted", 2, 1],
      ]);
      expect(events[0]?.emittedAt).toBe("2026-05-05T05:05:05.005Z");
      expect(Date.parse(events[2]!.emittedAt)).toBeGreaterThanOrEqual(before);
      for (const e of events) expect(e.idempotencyKey).toBe(keyOf(e));
    },
  );
});
