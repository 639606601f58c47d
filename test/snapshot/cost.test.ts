// What snapshots cost: how much is written, and how much an owner reads of a run that leaves memory after each of its outcomes. PAWL_SNAPSHOT_WIDE=1
// takes the plan of 5,000 nodes.
import { expect, it } from "vitest";
import { dag } from "../../src/index.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import { openEngine } from "../../src/client/engine.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { anySchema } from "../support/test-cluster.ts";
import { advanceUntil } from "./forks.ts";

const isWide = process.env["PAWL_SNAPSHOT_WIDE"] === "1";
const [depth, width] = isWide ? [100, 50] : [20, 20];

/** What one event costs to read, beside its payload. */
const eventBytes = 512;
const sizeOf = (payload: string | null): number => eventBytes + (payload?.length ?? 0);

interface Cost {
  loads: number;
  events: number;
  bytes: number;
  bodyBytes: number;
  bodies: number;
}

/** Counts what is read of a run, and the snapshots that are written. */
function countingStore(store: FullStore, c: Cost): FullStore {
  return {
    ...store,
    async events(q) {
      const found = await store.events(q);
      c.events += found.length;
      for (const e of found) c.bytes += sizeOf(e.payload);
      return found;
    },
    async payloadsAt(places) {
      const found = await store.payloadsAt(places);
      c.events += found.length;
      for (const e of found) c.bytes += sizeOf(e.payload);
      return found;
    },
    async snapshots(q) {
      const found = await store.snapshots(q);
      c.loads++;
      for (const s of found) c.bytes += s.body.length;
      return found;
    },
    commit(batch, renewal) {
      for (const b of batch) {
        if (b.snapshot === undefined) continue;
        c.bodies++;
        c.bodyBytes += b.snapshot.body.length;
      }
      return store.commit(batch, renewal);
    },
  };
}

/** Layers of nodes that wait for a signal each: every node of a layer needs one of the layer before. */
function waitingLayers(): AnyWorkflow {
  return dag({ name: "waiting", version: "1" }, (t) => {
    let before: { id: string }[] = [];
    for (let d = 0; d < depth; d++)
      before = Array.from({ length: width }, (_, w) =>
        t.receive(`n${d}.${w}`, (before.length === 0 ? {} : { a: before[w] }) as never, {
          name: `s${d}.${w}`,
          payload: anySchema<number>(),
        }),
      );
    return t.task("end", Object.fromEntries(before.map((n, i) => [`k${i}`, n])) as never, (() => "done") as never);
  }) as unknown as AnyWorkflow;
}

it(
  "a run that leaves memory after each outcome reads a few times its log in all, and its snapshots stay below three times the log",
  { timeout: isWide ? 1_800_000 : 120_000 },
  async () => {
    const platform = virtualPlatform({ seed: 9 });
    const state = memoryState(platform);
    const store = memoryStore(platform, { state });
    const cost: Cost = { loads: 0, events: 0, bytes: 0, bodyBytes: 0, bodies: 0 };
    const counted = countingStore(memoryStore(platform, { state }), cost);
    const wf = waitingLayers();
    const opened = await openEngine(
      { platform, log: () => {}, open: async () => counted },
      { workflows: [wf], store: counted, idle: "1ms" },
    );
    const start = opened.engine.start as unknown as (
      w: AnyWorkflow,
    ) => Promise<{ runId: string; signal(n: string, v: unknown): Promise<void>; result(): Promise<unknown> }>;
    const h = await advanceUntil(platform, start(wf));
    for (let d = 0; d < depth; d++)
      for (let w = 0; w < width; w++) {
        h.signal(`s${d}.${w}`, w).catch(() => {});
        await platform.advance(20);
      }
    expect(await advanceUntil(platform, h.result())).toBe("done");
    await advanceUntil(platform, opened.engine.stop());
    const log = await store.events({ runId: h.runId, after: 0, limit: 1_000_000 });
    const logBytes = log.reduce((n, e) => n + sizeOf(e.payload), 0);
    const report = {
      ...cost,
      log: log.length,
      logBytes,
      events: cost.events / log.length,
      bytes: cost.bytes / logBytes,
      bodyBytes: cost.bodyBytes / logBytes,
    };
    if (isWide) console.log(JSON.stringify(report));
    expect(cost.loads).toBeGreaterThan(depth * width * 0.9);
    expect(report.bodyBytes).toBeLessThan(3);
    expect(report.events).toBeLessThan(3);
    if (!isWide) expect(report.bytes).toBeLessThan(4);
  },
);
