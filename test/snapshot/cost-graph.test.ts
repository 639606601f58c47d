// What snapshots of a state graph cost, by how its state grows: a list that is appended to, a value that is overwritten, notes that are compacted, a counter,
// and 500 sends of 10 KB. All bodies together stay below three times the log, the log grows by what changed, and an owner that begins in the middle reads at
// most two bodies' worth of it.
import { expect, it } from "vitest";
import { z } from "zod";
import { append, byId, graph, last, send, sum } from "../../src/graph.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const eventBytes = 512;
const sizeOf = (e: { readonly payload: string | null }): number => eventBytes + (e.payload?.length ?? 0);
const text = (n: number): string => `${n} `.padEnd(500, "abcdefghij");
const rounds = 300;
const bodyMin = 131_072;

const state = { list: append<string>(), value: last(""), notes: byId<{ id: string; text: string }>(), n: sum() };
type Change = (n: number) => object;

/** A loop that changes its state so, and then waits. */
function growing(change: Change): AnyWorkflow {
  return graph({ name: "growing", state, signals: { go: z.string() } })
    .nodes({
      work: async (s, ctx) => ({ n: 1, ...change(await ctx.step("work", () => s.n, { repeatable: true })) }),
      wait: async (_s, ctx) => void (await ctx.receive("go")),
    })
    .edges({ start: "work", work: (s) => (s.n < rounds ? "work" : "wait"), wait: "end" }) as unknown as AnyWorkflow;
}

const sending = graph({ name: "sending", state, signals: { go: z.string() } })
  .nodes(({ each }) => ({
    one: each(z.object({ text: z.string() }), async (i, _s, ctx) => ({
      n: await ctx.step("one", () => i.text.length, { repeatable: true }),
    })),
    wait: async (_s, ctx) => void (await ctx.receive("go")),
  }))
  .edges({
    start: () => Array.from({ length: 500 }, (_, i) => send("one", { text: `${i} `.padEnd(10_000, "x") })),
    one: "wait",
    wait: "end",
  }) as unknown as AnyWorkflow;

it.each([
  ["appends to a list", growing((n) => ({ list: text(n) })), 2_500],
  ["overwrites a value", growing((n) => ({ value: text(n) })), 2_500],
  [
    "keeps ten notes and removes the others",
    growing((n) => ({
      notes: n % 10 === 9 ? { remove: Array.from({ length: 9 }, (_, i) => `${n - 1 - i}`) } : { id: `${n}`, text: text(n) },
    })),
    2_500,
  ],
  ["counts", growing(() => ({})), 1_500],
  ["sends 500 inputs of 10 KB", sending, null],
] as const)(
  "a graph that %s",
  async (_what, wf, perRound) => {
    const l = await fresh("memory");
    const bodies: number[] = [];
    const counting = (s: FullStore): FullStore => ({
      ...s,
      commit: (batch, renewal) => {
        for (const c of batch) if (c.snapshot !== undefined) bodies.push(c.snapshot.body.length);
        return s.commit(batch, renewal);
      },
    });
    const one = await l.engine([wf], { wrap: counting });
    const h = await (one.engine.start as (...a: unknown[]) => Promise<{ runId: string }>)(wf, {}, { id: "g" });
    while ((await l.row(h.runId)).waiting !== "signal") await l.platform.advance(250);
    one.kill();
    const log = await l.log(h.runId);
    const logBytes = log.reduce((sum, e) => sum + sizeOf(e), 0);
    expect(
      bodies.reduce((a, b) => a + b, 0),
      "all bodies",
    ).toBeLessThan(3 * logBytes);
    if (perRound !== null) {
      const supersteps = log.filter((e) => e.eventType === "pawl.Superstep");
      const [early, late] = [supersteps.slice(10, 60), supersteps.slice(-60, -10)].map((some) =>
        some.reduce((sum, e) => sum + sizeOf(e), 0),
      );
      expect(late! / early!, "bytes of a superstep do not grow with the state").toBeLessThan(1.15);
      expect(logBytes / rounds).toBeLessThan(3 * perRound);
    }
    const read = { bytes: 0 };
    const reading = (s: FullStore): FullStore => ({
      ...s,
      events: async (q) => {
        const events = await s.events(q);
        if (q.runId === h.runId) for (const e of events) read.bytes += sizeOf(e);
        return events;
      },
    });
    const outside = await l.engine([]); // runs none of it: the signal is there before the next owner
    await outside.client.signal(h.runId, "go", "now");
    await l.engine([wf], { wrap: reading });
    while ((await l.row(h.runId)).status !== "COMPLETED") await l.platform.advance(250);
    const largest = Math.max(bodyMin, ...bodies);
    // The superstep in flight, and the one before it: a body describes a superstep that is acknowledged, so it comes with a later Commit.
    const marks = log.filter((e) => e.eventType === "pawl.Superstep").map((e) => e.runSeq);
    const inFlight = log.filter((e) => e.runSeq > marks.at(-2)!).reduce((sum, e) => sum + sizeOf(e), 0);
    const widest = Math.max(...log.map(sizeOf)) * 2;
    expect(read.bytes, "read by the next owner").toBeLessThan(2 * largest + inFlight + widest + 16_384);
  },
  120_000,
);
