// A graph that was killed in its 900th superstep and then cancelled: what its supersteps booked is undone once each, the last one first, by an
// engine that never ran any of it.
import { expect, it } from "vitest";
import { z } from "zod";
import { graph, sum } from "../../src/graph.ts";
import { task } from "../../src/index.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

it.each(storeKinds)("killed at superstep 900, then cancelled: undone once, in reverse, on %s", { timeout: 300_000 }, async (kind) => {
  const l = await fresh(kind);
  const undone: number[] = [];
  const book = task({ name: "book", input: z.number() }, (n) => n, {
    key: (n) => `booking-${n}`,
    dedup: "24h",
    compensate: { undo: (n) => void undone.push(n), repeatable: true },
  });
  const g = graph({ name: "long", state: { n: sum() }, signals: { go: z.any() }, tasks: [book], maxSteps: 2_000 })
    .nodes({
      a: async (s, ctx) => {
        if (s.n % 3 === 0) await ctx.do(book, s.n);
        else await ctx.step("s", () => s.n, { repeatable: true });
        if (s.n === 905) await ctx.receive("go");
        return { n: 1 };
      },
    })
    .edges({ start: "a", a: (s) => (s.n < 1_500 ? "a" : "end") });
  let supersteps = 0;
  const one = await l.engine([g], { lease: "1s", onHit: (point) => point === "engine:superstepped" && ++supersteps === 900 });
  const h = await one.engine.start(g, {}, { id: "long" });
  for (let spent = 0; one.alive && spent < 600; spent++) await l.platform.advance(250);
  expect(one.alive).toBe(false);
  const before = await l.log(h.runId);
  expect(before.filter((e) => e.eventType === "pawl.Superstep").length).toBeGreaterThanOrEqual(900);
  const two = await l.engine([g], { lease: "1s" });
  await l.advanceUntilLine(h.runId, "StepStarted 906/a/go");
  await two.client.control("long", "cancel", { reason: "enough" } as never);
  const end = await l.advanceUntil(two.client.waitForEnd(h.runId));
  expect(end.status).toBe("CANCELLED");
  const booked = Array.from({ length: 302 }, (_, i) => i * 3);
  expect(undone).toEqual(booked.toReversed());
});
