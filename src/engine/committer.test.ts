// The committer beside a store that it can watch: what goes into which batch, how many are under way at once, who carries
// the renewal. The store here only answers; whether Commits are right is not asked.
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../core/limits.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import type { Commit, CommitAnswer, Store } from "../store/port.ts";
import { Committer } from "./committer.ts";
import { Metrics } from "./metrics.ts";

interface Batch {
  readonly size: number;
  readonly renews: boolean;
  readonly answer: () => void;
}

function bench(batchesAtOnce: number, renews = false): { batches: Batch[]; submit: (n: number) => Promise<void> } {
  const batches: Batch[] = [];
  const answered: CommitAnswer = { kind: "committed", persistedAt: 1, dueAt: null, children: [] };
  const store = {
    batchesAtOnce,
    commit: (batch: readonly Commit[], renewal?: unknown) =>
      new Promise((resolve) => {
        const answer = (): void =>
          resolve({ answers: batch.map(() => answered), renewal: renewal === undefined ? null : ("renewed" as const) });
        batches.push({ size: batch.length, renews: renewal !== undefined, answer });
      }),
  } as unknown as Store;
  const platform = virtualPlatform();
  const committer = new Committer({
    platform,
    store,
    limits: defaultLimits,
    metrics: new Metrics(),
    log: () => {},
    alone: () => false,
    renewal: () => (renews ? { renewal: { engineId: "e", leaseMs: 1 }, answered: () => {} } : null),
  });
  return {
    batches,
    async submit(n) {
      for (let i = 0; i < n; i++) void committer.submit({ runId: `r${i}` } as Commit, 1);
      await platform.settle();
    },
  };
}

const sizes = (batches: readonly Batch[]): number[] => batches.map((b) => b.size);

describe("the committer", () => {
  it("one batch at a time where the store writes one; the next gathers all who came meanwhile", async () => {
    const { batches, submit } = bench(1);
    await submit(100);
    await submit(100);
    await submit(50);
    expect(sizes(batches)).toEqual([100]);
    batches[0]?.answer();
    await submit(0);
    expect(sizes(batches)).toEqual([100, 150]);
  });

  it("a crowd is split between the batches that a store writes at once, and never into more", async () => {
    const { batches, submit } = bench(2);
    await submit(200);
    expect(sizes(batches)).toEqual([100, 100]);
    await submit(200);
    expect(sizes(batches)).toEqual([100, 100]);
    batches[0]?.answer();
    await submit(0);
    expect(sizes(batches)).toEqual([100, 100, 200]);
  });

  it("few share a batch, and wait for the one under way", async () => {
    const { batches, submit } = bench(2);
    await submit(40);
    expect(sizes(batches)).toEqual([40]);
    await submit(40);
    expect(sizes(batches)).toEqual([40]);
    await submit(40);
    expect(sizes(batches)).toEqual([40, 80]);
  });

  it("a renewal rides with one batch at a time: two would wait for each other", async () => {
    const { batches, submit } = bench(2, true);
    await submit(200);
    expect(batches.map((b) => b.renews)).toEqual([true, false]);
    batches[0]?.answer();
    await submit(80);
    expect(batches.map((b) => b.renews)).toEqual([true, false, true]);
  });
});
