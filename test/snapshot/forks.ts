// Copies of a store in memory, each with a clock and ids of its own made from one seed: what a new owner commits in one of them can be compared
// with what it commits in another, byte for byte. It must never share anything that changes with the store that it was copied from.
import { openEngine } from "../../src/client/engine.ts";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { Hints } from "../../src/store/hints.ts";
import { snapshot as copyTables, type MemoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { Commit, SnapshotRecord } from "../../src/store/port.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";

export interface ForkResult {
  /** The Commits of the run, as text. */
  readonly commits: readonly string[];
  readonly used: number;
  readonly ignored: number;
}

const startUptimeMs = 1_000_000;

export function forkState(s: MemoryState, nowMs: number): MemoryState {
  return { ...copyTables(s), engines: new Map(s.engines), hints: new Hints(), clockOffset: nowMs - startUptimeMs };
}

/** Runs what is in the store for a while, with these rows as the snapshots of the run. */
export async function commitsOfFork(
  s: MemoryState,
  nowMs: number,
  runId: string,
  rows: readonly SnapshotRecord[],
  workflows: readonly AnyWorkflow[],
  o: { readonly forMs: number; readonly limits: EngineOpts["limits"]; readonly without?: readonly string[] },
): Promise<ForkResult> {
  const platform = virtualPlatform({ seed: 4_711, startMs: nowMs });
  const state = forkState(s, nowMs);
  state.snapshots.set(runId, rows);
  for (const other of o.without ?? []) state.unsettled.delete(other);
  const commits: string[] = [];
  const store = recordCommits(memoryStore(platform, { state }), (c) => {
    if (c.runId === runId) commits.push(JSON.stringify(c));
  });
  const opened = await openEngine({ platform, log: () => {}, open: async () => store }, { workflows, store, limits: o.limits! });
  await platform.advance(o.forMs);
  const { metrics } = opened.core;
  const result = { commits, used: metrics.get("pawl_snapshots_used_total"), ignored: metrics.get("pawl_snapshots_ignored_total") };
  const stopped = opened.engine.stop();
  await advanceUntil(platform, stopped);
  return result;
}

export function recordCommits(store: FullStore, seen: (c: Commit) => void): FullStore {
  return {
    ...store,
    commit: (batch, renewal) => {
      for (const c of batch) seen(c);
      return store.commit(batch, renewal);
    },
  };
}

export async function advanceUntil<T>(platform: VirtualPlatform, p: Promise<T>): Promise<T> {
  let settled = false;
  const done = (): void => void (settled = true);
  p.then(done, done);
  await platform.settle();
  for (let spent = 0; !settled && spent < 600_000; spent += 250) await platform.advance(250);
  return p;
}
