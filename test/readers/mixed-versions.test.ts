// A system that moves from version 1 of the event contract to version 2: its producers move first, each at some event of its run, and consumers
// read both until a date. What engines wrote is the truth; the older part of it is put into the old form. Through pawl and pawl/compat only.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readVersion1 } from "../../src/compat.ts";
import { engine, projector, type RunEventRecord, workflow } from "../../src/index.ts";
import { proves } from "../support/proves.ts";

let stop = async (): Promise<void> => {};
let log: RunEventRecord[] = [];
beforeAll(async () => {
  const order = workflow({ name: "order" }, async (ctx) => {
    await ctx.step("reserve", () => "r-1");
    await Promise.all([ctx.step("charge", () => 500), ctx.step("pack", () => "paper")]);
    await ctx.step("ship", () => {
      throw new Error("too heavy");
    });
  });
  const e = await engine({ store: "memory:", workflows: [order] });
  stop = () => e.stop();
  const h = await e.start(order, undefined, { id: "o-1" });
  await h.result().catch(() => {});
  for await (const event of h.events()) log.push(event);
  // A minute between two of them: where the window ends is then a place in the log.
  log = log.map((event, i) => ({ ...event, persistedAt: time(i) }));
});
afterAll(() => stop());

const time = (i: number): string => new Date(Date.UTC(2026, 4, 31, 12, i)).toISOString();

/** As version 1 had it: no ids, no attempts, no key, another name for the time, and a run-level event that names the run. */
function asVersion1(event: RunEventRecord): RunEventRecord {
  const { eventId: _, emittedAt, logicalAttemptId: __, engineAttemptId: ___, idempotencyKey: ____, ...rest } = event;
  return { stepId: "RUN", ...rest, occurredAt: emittedAt } as unknown as RunEventRecord;
}

const reduced = (records: readonly RunEventRecord[], until?: string) => {
  const p = projector(until === undefined ? {} : { normalise: readVersion1({ until }) });
  const { state, alerts } = p.reduceAll(p.empty(log[0]!.runId), records);
  return { run: state.run, steps: [...state.steps.values()], alerts };
};

it("what engines write is of version 2: it needs no window", proves("P-46"), () => {
  expect(log.map((e) => e.eventType)).toContain("RunFailed");
  expect(reduced(log).run.status).toBe("FAILED");
});

it(
  "wherever its producer moved, a run reads as if it had always been of version 2, and the same every time",
  proves("D-140", "P-46"),
  () => {
    const whole = reduced(log);
    const after = time(log.length);
    fc.assert(
      fc.property(fc.nat({ max: log.length }), fc.nat({ max: log.length }), (moved, again) => {
        const mixed = log.map((e, i) => (i < moved ? asVersion1(e) : e));
        // At least once: some of it comes again, as it was.
        const read = reduced([...mixed.slice(0, again), ...mixed], after);
        expect(read).toEqual(whole);
        expect(reduced(mixed, after)).toEqual(read);
      }),
    );
  },
);

it(
  "the window ends at a date: what has the old form and was persisted later is refused, whatever came before",
  proves("D-140", "P-46"),
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: log.length }), fc.nat({ max: log.length }), (moved, end) => {
        const mixed = log.map((e, i) => (i < moved ? asVersion1(e) : e));
        const read = (): unknown => reduced(mixed, time(end));
        if (end >= moved) expect(read()).toEqual(reduced(log));
        else
          expect(read).toThrow(expect.objectContaining({ code: "PAWL4032", data: expect.objectContaining({ runSeq: log[end]!.runSeq }) }));
        expect(() => reduced(mixed)).toThrow(expect.objectContaining({ code: "PAWL4032" }));
      }),
    );
  },
);
