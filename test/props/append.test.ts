// Method: producers append random batches of the events of two runs, at the same time, in any order and again and again, while
// Commits fail before they are written, lose their answer after it, or take their producer with them. Then one more producer
// appends everything. Proves that the log has each key once, in one order, with a whole chain, and that whatever was
// acknowledged is what the log says. Seed and path of a failure are printed by fast-check.
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { PawlError } from "../../src/errors/error.ts";
import type { Appended, AppendRejection } from "../../src/log/append-types.ts";
import { appendAuthority } from "../../src/log/append-authority.ts";
import { verifyChain } from "../../src/events/hash-chain.ts";
import { foldLog } from "../../src/events/fold.ts";
import type { RunEventWrite } from "../../src/core/contract.ts";
import type { Platform } from "../../src/platform/platform.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { testStores, type TestStore } from "../support/test-store.ts";
import { wrapCommit } from "../support/wrap-commit.ts";
import { step, write } from "../log/producer-events.ts";
import { proves } from "../support/proves.ts";

type Fault = "none" | "not written" | "answer lost" | "dies before" | "dies after";
interface Batch {
  readonly producer: number;
  readonly picks: readonly number[];
  readonly validate: boolean;
}

/** Every kind of event, invalid ones too. */
const kinds = [
  { eventType: "RunQueued" },
  { eventType: "RunStarted", payload: { by: "x" } },
  step("StepStarted", "a"),
  step("StepFailed", "a", 1, { error: "no" }),
  step("StepStarted", "a", 2),
  step("StepCompleted", "a", 2, { result: 1 }),
  { eventType: "RunPaused" },
  { eventType: "Noted", payload: { x: "x" } },
  { eventType: "RunFailed" },
];

function faulty(store: FullStore, faults: Fault[]): FullStore {
  return wrapCommit(async (real, batch, renew) => {
    const fault = faults.shift() ?? "none";
    if (fault === "not written") throw new PawlError("PAWL3002", "the line broke");
    if (fault === "dies before") throw new Error("killed");
    const answer = await real(batch, renew);
    if (fault === "answer lost") throw new PawlError("PAWL3002", "the line broke", { outcome: "unknown" });
    if (fault === "dies after") throw new Error("killed");
    return answer;
  })(store);
}

describe.each(testStores)("appends on %s", (name, open) => {
  let b: TestStore;
  let hurried: Platform;
  let n = 0;
  beforeEach(async () => {
    b = await open();
    hurried = { ...b.platform, timer: (_ms, fn) => (setImmediate(fn), () => {}) };
  });
  afterEach(() => b.close());

  const play = async (batches: readonly Batch[], faults: readonly Fault[]): Promise<void> => {
    const runs = [`p-${++n}`, `q-${n}`];
    const universe = runs.flatMap((runId) => kinds.map((k) => ({ runId, ...k })));
    const stores = [b.store, b.store, await b.reopen()];
    const left = [...faults];
    const authorities = stores.map((s) => appendAuthority(faulty(s, left), hurried, { scope: defaultScope }));
    const told: (readonly [RunEventWrite, Appended | AppendRejection])[] = [];
    await Promise.all(
      batches.map(async ({ producer, picks, validate }) => {
        const events = picks.map((p) => write({ ...universe[p % universe.length]!, eventId: randomUUID() }));
        // Whoever dies asks again, with other ids, as a producer does that has lost its registry.
        const authority = authorities[producer]!;
        const answer = await authority.append(events, { validate }).catch(() => authority.append(events, { validate }).catch(() => null));
        answer?.results.forEach((r, i) => told.push([events[i]!, r]));
      }),
    );
    const last = await appendAuthority(stores[2]!, hurried, { scope: defaultScope }).append(universe.map((e) => write(e)));
    expect(last.rejected).toEqual([]);

    for (const runId of runs) {
      const log = await b.store.events({ runId, after: 0, limit: 1_000 });
      expect(log.map((e) => e.runSeq)).toEqual(kinds.map((_k, i) => i + 1));
      expect(new Set(log.map((e) => e.idempotencyKey)).size).toBe(kinds.length);
      expect(verifyChain({ runId, scope: defaultScope, planId: "plan", planVersion: "1" }, log)).toMatchObject({ ok: true });
      const row = (await b.store.run({ runId }))!;
      const { status, headSeq, headLink, stateVersion } = foldLog(log);
      expect([row.status, row.headSeq, row.headLink, row.stateVersion]).toEqual([status ?? "PENDING", headSeq, headLink, stateVersion]);
      const inserted = new Set<string>();
      for (const [event, answer] of told) {
        if (event.runId !== runId || "code" in answer) continue;
        const record = log.find((e) => e.idempotencyKey === event.idempotencyKey)!;
        expect([answer.eventId, answer.runSeq, Date.parse(answer.persistedAt)]).toEqual([
          record.eventId,
          record.runSeq,
          record.persistedAt,
        ]);
        if (!answer.persisted) continue;
        expect(inserted.has(event.idempotencyKey)).toBe(false); // exactly one caller was told that it inserted it
        inserted.add(event.idempotencyKey);
      }
    }
  };

  it(
    "each key once, one order, a whole chain, whatever fails and however many race",
    { ...proves("D-076", "D-141", "P-06", "P-10", "P-12"), timeout: 120_000 },
    async () => {
      const batch = fc.record({
        producer: fc.nat(2),
        picks: fc.array(fc.nat(17), { minLength: 1, maxLength: 8 }),
        validate: fc.boolean(),
      });
      const fault = fc.constantFrom<Fault>("none", "none", "not written", "answer lost", "dies before", "dies after");
      const doses: Readonly<Record<string, number>> = { memory: 60, sqlite: 20 };
      await fc.assert(fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), fc.array(fault, { maxLength: 12 }), play), {
        numRuns: doses[name] ?? 6,
      });
      expect(n).toBeGreaterThanOrEqual(doses[name] ?? 6);
    },
  );
});
