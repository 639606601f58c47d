// The committer beside a store that it can watch: what goes into which batch, and that one is under way at a time. The store
// here only answers; whether Commits are right is not asked.
import { expect, it } from "vitest";
import { defaultLimits } from "../core/limits.ts";
import { virtualPlatform } from "../platform/virtual.ts";
import type { FullStore } from "../store/full-store.ts";
import type { Commit, CommitAnswer } from "../store/port.ts";
import { Committer } from "./committer.ts";
import { Metrics } from "./metrics.ts";
import { StoreClock } from "./store-clock.ts";
import { proves } from "../../test/support/proves.ts";

it("one batch is under way at a time; the next gathers all who came meanwhile, up to its limit", proves("K6"), async () => {
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  const answered: CommitAnswer = { kind: "committed", persistedAt: 1, dueAt: null, children: [] };
  const commit = (batch: readonly Commit[]): Promise<unknown> => {
    sizes.push(batch.length);
    return new Promise((resolve) => held.push(() => resolve({ answers: batch.map(() => answered), renewal: null })));
  };
  const platform = virtualPlatform();
  const committer = new Committer({
    platform,
    clock: new StoreClock(platform),
    store: { commit } as unknown as FullStore,
    limits: defaultLimits,
    metrics: new Metrics(),
    log: () => {},
    hasSingleRun: () => false,
    renewal: () => null,
  });
  const submit = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i++) committer.submit({ runId: `r${i}` } as Commit, 1, { answered: () => {}, failed: () => {} });
    await platform.settle();
  };
  await submit(100);
  await submit(100);
  await submit(200);
  expect(sizes).toEqual([100]);
  held[0]?.();
  await submit(0);
  expect(sizes).toEqual([100, 256]);
  held[1]?.();
  await submit(0);
  expect(sizes).toEqual([100, 256, 44]);
});
