// Retention beside an engine: that it comes again, ends between two transactions when it is stopped, and goes on after a failure.
// The store here is a stub with runs that are always old; what a pass takes away is in test/archive.
import { expect, it } from "vitest";
import { virtualPlatform } from "../../platform/virtual.ts";
import type { PruneAnswer, PruneQuery } from "../../store/archive.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import { BackgroundRetention } from "./background-retention.ts";
import { proves } from "../../../test/support/proves.ts";

const scope = { tenantId: "t", projectId: "p", environmentId: "e" };

function lab(prune: (q: PruneQuery) => Promise<PruneAnswer>) {
  const platform = virtualPlatform();
  const told: string[] = [];
  const asked: string[] = [];
  const row = (runId: string) => ({
    runId,
    workflow: "w",
    version: "1",
    status: "COMPLETED",
    persistedAt: 0,
    parentRunId: null,
    purgedAt: null,
    expiredAt: null,
  });
  const store = {
    info: async () => ({ nowMs: platform.wallMs() }),
    runs: async () => ({ runs: ["a", "b", "c"].map((id) => row(id) as unknown as RunRow) }),
    feed: { consumers: async () => [] },
    events: async () => [],
    kv: { list: async () => [] },
    run: async () => undefined,
    archive: {
      prune: (q: PruneQuery) => {
        asked.push(q.runId);
        return prune(q);
      },
    },
  } as unknown as FullStore;
  const log = (_level: string, message: string): void => void told.push(message);
  const keeping = new BackgroundRetention({ store, scope, platform, log }, { keepRuns: "1h", every: "10s" });
  keeping.start();
  return { platform, keeping, asked, told };
}

it("stopped in a pass, it lets the transaction under way end, begins no other, and never comes again", proves("W-134"), async () => {
  let end = (): void => {};
  const { platform, keeping, asked } = lab(() => new Promise((resolve) => (end = () => resolve({ kind: "pruned", more: true }))));
  await platform.advance(10_000);
  expect(asked).toEqual(["a"]);
  let stopped = false;
  const stop = keeping.stop().then(() => (stopped = true));
  await platform.settle();
  expect(stopped).toBe(false);
  end();
  await platform.advance(60_000);
  await stop;
  expect(asked).toEqual(["a"]);
  expect(platform.timers()).toBe(0);
});

it("a pass that fails is told, and the next one comes in its time", proves("W-128"), async () => {
  let broken = true;
  const { platform, keeping, asked, told } = lab(async () => {
    if (broken) throw new Error("the store is away");
    return { kind: "pruned", more: false };
  });
  await platform.advance(10_000);
  expect([asked, told]).toEqual([["a"], ["retention: the store is away"]]);
  broken = false;
  await platform.advance(9_000);
  expect(asked).toEqual(["a"]);
  await platform.advance(2_000);
  expect(asked).toEqual(["a", "a", "b", "c"]);
  expect(told.slice(1)).toEqual(["retention"]);
  await keeping.stop();
});
