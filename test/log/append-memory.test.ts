// What the append authority remembers, and what it must not believe: runs that it wrote last, payloads that are gone, rejections
// and alerts. On every store; what goes into a log and what is answered is in append.test.ts.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import type { Client } from "../../src/client/types.ts";
import { PawlError, type RunEventWrite } from "../../src/index.ts";
import { verifyChain } from "../../src/events/hash-chain.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { life, write } from "./producer-events.ts";
import { proves } from "../support/proves.ts";

describe.each(testStores)("what is remembered on %s", (_, open) => {
  let b: TestStore;
  let client: Client;
  beforeEach(async () => {
    b = await open();
    client = b.client();
  });
  afterEach(() => b.close());

  const log = async (runId = "r-1") => b.store.events({ runId, after: 0, limit: 10_000 });

  it(
    "a run that was removed and made again under its id is another one, whatever an authority remembers of the first",
    proves("K22", "D-141"),
    async () => {
      await client.append(life("r-1"));
      b.advanceClock(7_200_000);
      const keep = { keepPayloads: "1h", keepRuns: "1h", keepKeys: "1h" } as const;
      for (const _pass of ["log", "keys"]) await client.applyRetention(keep);
      expect(await b.store.run({ runId: "r-1" })).toBeUndefined();
      await b.client(await b.reopen()).append(write({ eventType: "RunStarted", payload: { again: 1 } }));
      expect(await client.append(write({ eventType: "Noted" }))).toMatchObject({ runSeq: 2, persisted: true });
      const run = { runId: "r-1", scope: defaultScope, planId: "plan", planVersion: "1" };
      expect(verifyChain(run, await log())).toMatchObject({ ok: true, sealedThrough: 1 });
    },
  );

  it(
    "what an answer says is written down before it is given: a shelf that is closed refuses the append",
    proves("D-076", "D-113"),
    async () => {
      const sent = write({ eventType: "RunStarted", payload: { n: 1 } });
      await client.append(sent);
      const closed = new PawlError("PAWL3004", "no room");
      const shelves = { ...b.store.kv, put: async () => Promise.reject(closed) };
      const other = b.client({ ...b.store, kv: shelves });
      await expect(other.append({ ...sent, payload: { n: 2 } })).rejects.toBe(closed);
      await expect(other.append(write({ eventType: "RunResumed" }), { validate: true })).rejects.toBe(closed);
    },
  );

  it(
    "a payload that has expired is neither the same nor another; a log that was removed takes no more",
    proves("D-076", "P-14"),
    async () => {
      const events = life("r-1");
      await client.append(events);
      const keep = { keepPayloads: "1h", keepRuns: "30d", keepKeys: "400d" } as const;
      b.advanceClock(7_200_000);
      await client.applyRetention(keep);
      const expired = await client.append(events.filter((e) => e.payload !== undefined).map((e) => ({ ...e, payload: { another: 1 } })));
      expect(expired.deduped.map((a) => a.samePayload)).toEqual([null, null, null, null]);
      expect((await client.alerts({ run: "r-1" })).alerts).toEqual([]);
      const again = await client.append(events.map((e) => ({ ...e, payload: { another: 1 } })));
      expect(again.deduped.map((a) => a.samePayload)).toEqual([false, null, false, null, false, null, null]);
      b.advanceClock(31 * 86_400_000);
      await client.applyRetention(keep);
      const { rejected } = await client.append(events);
      expect(rejected.map((r) => r.code)).toEqual(events.map(() => "PAWL4040"));
      b.skipVerification();
    },
  );

  it("an empty payload is a payload, and is told from none", proves("D-058", "D-059"), async () => {
    const [said, silent] = [write({ eventType: "RunStarted", payload: {} }), write({ eventType: "Noted" })];
    await client.append([said, silent]);
    const [first, second] = await client.events("r-1");
    expect(first).toHaveProperty("payload", {});
    expect(second).not.toHaveProperty("payload");
    const { payload: _, ...without } = said;
    expect(await client.append([said, without as RunEventWrite, { ...silent, payload: {} }])).toMatchObject({
      deduped: [{ samePayload: true }, { samePayload: false }, { samePayload: false }],
    });
  });

  it("a step of a run that producers write began and ended when the store says, whatever their clocks say", proves("D-040"), async () => {
    const emittedAt = "2001-01-01T00:00:00.000Z";
    const events = ["RunStarted", "StepStarted", "StepCompleted"].map((eventType) =>
      write({ eventType, emittedAt, ...(eventType === "RunStarted" ? {} : { stepId: "s-1" }) }),
    );
    await client.append(events);
    const log = await client.events("r-1");
    const [step] = await client.steps("r-1");
    expect([step?.startedAt, step?.endedAt]).toEqual([log[1]?.persistedAt, log[2]?.persistedAt]);
    expect(log.map((e) => e.emittedAt)).toEqual([emittedAt, emittedAt, emittedAt]);
  });

  it(
    "a process that never saw the run derives what its log says: PENDING is also the word for a run that nothing began",
    proves("D-118"),
    async () => {
      await client.append(write({ eventType: "Odd" }));
      for (const eventType of ["RunFailed", "RunCancelled"]) await b.client(await b.reopen()).append(write({ eventType }));
      expect((await b.store.run({ runId: "r-1" }))?.status).toBe("PENDING"); // nothing had begun, so nothing ended
    },
  );
});
