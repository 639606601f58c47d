// Layer 2 on every store: an append with validation takes what the transition table permits and rejects the rest for good, the
// same way every time. It is an option and never the only layer: without it the same event is stored, for readers to judge.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendAuthority } from "../../src/log/append-authority.ts";
import { defaultScope } from "../../src/client/environment.ts";
import type { AppendAuthority } from "../../src/log/append-types.ts";
import type { PawlError, RunEventWrite } from "../../src/index.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { life, step, write } from "./producer-events.ts";
import { proves } from "../support/proves.ts";

const failure = (p: Promise<unknown>): Promise<PawlError> =>
  p.then(
    () => Promise.reject(new Error("it was taken")),
    (e: unknown) => e as PawlError,
  );
/** All that a caller can see of a rejection. */
const shape = (e: PawlError): object => ({ code: e.code, page: e.page, message: e.message, data: e.data, outcome: e.outcome });

describe.each(testStores)("validation on %s", (_, open) => {
  let b: TestStore;
  let strict: AppendAuthority;
  const authority = (store: FullStore = b.store): AppendAuthority =>
    appendAuthority(store, b.platform, { scope: defaultScope, validate: true });
  beforeEach(async () => {
    b = await open();
    strict = authority();
  });
  afterEach(() => b.close());
  const types = async (runId = "r-1") => (await b.store.events({ runId, after: 0, limit: 1_000 })).map((e) => e.eventType);

  it(
    "what the table permits is taken, what it does not is INVALID_TRANSITION with the states, and no record is made",
    proves("D-109", "D-111", "P-35"),
    async () => {
      expect((await strict.append(life("good"))).rejected).toEqual([]);
      const retried = [
        { eventType: "RunStarted" },
        step("StepStarted", "a"),
        step("StepFailed", "a"),
        step("StepStarted", "a", 2),
        step("StepCompleted", "a", 2),
      ];
      expect((await strict.append(retried.map((e) => write({ runId: "retried", ...e })))).rejected).toEqual([]);

      const early = await failure(strict.append(write(step("StepStarted", "a"))));
      expect(shape(early)).toMatchObject({ code: "INVALID_TRANSITION", page: "PAWL4021", outcome: "none" });
      expect(early.data).toMatchObject({ expectedState: "run RUNNING", actualState: "run none", attemptedEventType: "StepStarted" });
      expect(await b.store.run({ runId: "r-1" })).toBeUndefined();

      await strict.append(write({ eventType: "RunStarted" }));
      for (const [e, expectedState, actualState] of [
        [step("StepCompleted", "b"), "attempt 1 RUNNING", "none"],
        [step("StepStarted", "b", 2), "attempt 2 PENDING", "none"],
        [{ eventType: "RunQueued" }, "none", "RUNNING"],
        [{ eventType: "RunResumed" }, "PAUSED", "RUNNING"],
      ] as const)
        expect((await failure(strict.append(write(e)))).data).toEqual({
          runId: "r-1",
          idempotencyKey: write(e).idempotencyKey,
          headSeq: 1,
          expectedState,
          actualState,
          attemptedEventType: e.eventType,
        });
      await strict.append(write({ eventType: "RunCompleted" }));
      for (const e of [{ eventType: "RunFailed" }, { eventType: "Anything" }, step("StepStarted", "c")])
        expect(await failure(strict.append(write(e)))).toMatchObject({ code: "INVALID_TRANSITION" });
      expect(await types()).toEqual(["RunStarted", "RunCompleted"]);
      expect(await types("retried")).toEqual(retried.map((e) => e.eventType));
    },
  );

  it(
    "the same invalid append gets the same rejection, also elsewhere and when it would be legal by now, until it is forgotten",
    proves("D-112", "D-113"),
    async () => {
      await strict.append(write({ eventType: "RunQueued" }));
      const early = write(step("StepStarted", "a"));
      const first = await failure(strict.append(early));
      await strict.append(write({ eventType: "RunStarted" }));
      const elsewhere = authority(await b.reopen());
      for (const a of [strict, elsewhere]) {
        const again = await failure(a.append({ ...early, eventId: randomUUID(), emittedAt: "2027-01-01T00:00:00.000Z" }));
        expect(shape(again)).toEqual(shape(first));
        const { rejected, deduped, appended } = await a.append([early]);
        expect([deduped, appended]).toEqual([[], []]); // nothing was persisted, so there is nothing to answer with
        expect(rejected).toMatchObject([{ code: first.code, message: first.message, data: first.data }]);
      }
      expect(await types()).toEqual(["RunQueued", "RunStarted"]);
      expect(await elsewhere.clearRejection("r-1", early.idempotencyKey)).toBe(true);
      expect(await elsewhere.clearRejection("r-1", early.idempotencyKey)).toBe(false);
      expect(await strict.append(early)).toMatchObject({ persisted: true, runSeq: 3 });
    },
  );

  it("whoever rejects the same append at the same moment answers with the rejection that was written down", proves("D-113"), async () => {
    await strict.append(write({ eventType: "RunQueued" }));
    const early = write(step("StepStarted", "a"));
    const first = await failure(strict.append(early));
    await strict.append(write({ eventType: "Noted" }));
    // It looked before the first one wrote, and judges by a longer log.
    let looks = 0;
    const get: FullStore["kv"]["get"] = async (...q) => (looks++ === 0 ? [] : b.store.kv.get(...q));
    const blind = { ...b.store, kv: { ...b.store.kv, get } };
    expect(shape(await failure(authority(blind).append(early)))).toEqual(shape(first));
    expect(looks).toBeGreaterThan(1);
  });

  it(
    "a duplicate is found before transitions are looked at: a valid event sent again is never rejected",
    proves("D-074", "D-077"),
    async () => {
      const events = life("r-1");
      await strict.append(events);
      const again = await authority(await b.reopen()).append(events);
      expect([again.deduped.length, again.rejected]).toEqual([events.length, []]);
      const loose = write({ runId: "r-2", ...step("StepCompleted", "x") });
      await b.client().append(loose); // stored without validation
      expect(await strict.append(loose)).toMatchObject({ idempotent: true });
    },
  );

  it("without validation the same event is stored, changes no state, and is there for readers to find", proves("D-110"), async () => {
    const client = b.client();
    await client.append([write({ eventType: "RunStarted" }), write({ eventType: "RunCompleted" })]);
    const late = write({ eventType: "RunFailed" });
    expect(await failure(strict.append(late))).toMatchObject({ code: "INVALID_TRANSITION" });
    expect(await client.append(late)).toMatchObject({ persisted: true, runSeq: 3 });
    const later = write({ eventType: "RunCancelled" });
    expect(await strict.append(later, { validate: false })).toMatchObject({ persisted: true, runSeq: 4 });
    expect(await client.append({ ...late, eventId: randomUUID() }, { validate: true })).toMatchObject({ eventId: late.eventId });
    expect(await client.get("r-1")).toMatchObject({ status: "COMPLETED" });
  });

  it("a rejection rests on what the log says now, never on what this process remembers of it", async () => {
    await strict.append(write({ eventType: "RunQueued" }));
    await authority(await b.reopen()).append(write({ eventType: "RunStarted" }));
    expect(await strict.append(write(step("StepStarted", "a")))).toMatchObject({ runSeq: 3, persisted: true });
  });

  it("a log of any length is read to its end before an event is judged", proves("D-111"), async () => {
    const n = b.name === "memory" ? 2_100 : 3; // more than two pages of it, where it costs nothing
    const notes = Array.from({ length: n }, (_x, i) => write({ eventType: "Noted", logicalAttemptId: i + 1 }));
    await b.client().append([write({ eventType: "RunStarted" }), ...notes, write(step("StepStarted", "a"))]);
    expect(await authority(await b.reopen()).append(write(step("StepCompleted", "a")))).toMatchObject({ persisted: true, runSeq: n + 3 });
  });

  it("in a batch the valid events go on, in their order, and each rejection stands on its own", proves("D-111"), async () => {
    const events: RunEventWrite[] = [
      write({ eventType: "RunStarted" }),
      write(step("StepCompleted", "a")),
      write(step("StepStarted", "a")),
      write(step("StepStarted", "a")), // the same again, in one batch
      write({ eventType: "RunCompleted" }),
      write(step("StepCompleted", "a", 1, { late: true })), // the key of the second one
    ];
    const batch = await strict.append(events);
    expect(batch.results.map((r) => ("code" in r ? r.code : r.runSeq))).toEqual([1, "INVALID_TRANSITION", 2, 2, 3, "INVALID_TRANSITION"]);
    expect(batch.rejected[1]?.data).toEqual(batch.rejected[0]?.data);
    expect(await types()).toEqual(["RunStarted", "StepStarted", "RunCompleted"]);
  });
});
