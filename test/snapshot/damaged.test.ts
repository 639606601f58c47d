// Snapshots that are gone, changed, or another run's: no owner is misled by one, each is counted, and `pawl doctor --repair` makes them
// again from the log, to the byte and without the author's code.
import { expect, it } from "vitest";
import { repairStore } from "../../src/client/audit/repair.ts";
import { verifyStore } from "../../src/client/audit/verify-store.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { snapshotDigest } from "../../src/engine/snapshot/body.ts";
import { memoryState, type MemoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import { virtualPlatform } from "../../src/platform/virtual.ts";
import { killableEngine } from "../../src/testing/killable-engine.ts";
import { dag } from "../../src/index.ts";
import type { SnapshotRecord } from "../../src/store/port.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { anySchema } from "../support/test-cluster.ts";
import { proves } from "../support/proves.ts";
import { advanceUntil, commitsOfFork, type ForkResult } from "./forks.ts";

const limits = { snapshotTailBytesMin: 1 };

/** Waits for a signal in the middle, so that it leaves memory there. */
const wf = dag({ name: "halfway", version: "1", input: anySchema<number>() }, (t) => {
  const a = t.task("a", {}, ({ input }) => input, { compensate: () => {} });
  const b = t.task("b", { a }, ({ a }) => a + 1, { once: true });
  const go = t.receive("go", { b }, { name: "go", payload: anySchema<string>() }, { timeout: "15s" });
  const nap = t.sleep("nap", { a }, "10s");
  const c = t.task("c", { a, b, nap }, ({ a, b }) => a + b);
  return t.task("end", { c, go }, ({ c, go }) => [c, go]);
}) as unknown as AnyWorkflow;

interface Halfway {
  readonly state: MemoryState;
  readonly nowMs: number;
  readonly ids: readonly string[];
  readonly store: ReturnType<typeof memoryStore>;
  rows(runId: string): Promise<readonly SnapshotRecord[]>;
}

/** Two runs that wait in the store, each with a snapshot; every engine has stopped. */
async function halfway(): Promise<Halfway> {
  const platform = virtualPlatform({ seed: 5 });
  const state = memoryState(platform);
  const store = memoryStore(platform, { state });
  const mortal = await killableEngine(
    { platform, connect: async (p) => memoryStore(p, { state }), closes: false },
    { workflows: [wf], log: () => {}, limits },
  );
  const ids: string[] = [];
  for (const id of ["one", "two"]) {
    const h = await advanceUntil(
      platform,
      (mortal.engine.start as (...a: unknown[]) => Promise<{ runId: string }>)(wf, id.length + ids.length, { id }),
    );
    ids.push(h.runId);
  }
  await platform.advance(2_000);
  await advanceUntil(platform, mortal.stop());
  await platform.advance(20_000); // its lease is over
  return {
    state,
    nowMs: platform.uptimeMs() + state.clockOffset,
    ids,
    store,
    rows: (runId) => store.snapshots({ runId, limit: 9 }),
  };
}

it(
  "a snapshot that the log does not vouch for is counted and passed over, and the run goes on as if it were not there",
  proves("K13"),
  async () => {
    const h = await halfway();
    const [one, two] = h.ids as [string, string];
    const row = (await h.rows(one))[0]!;
    const other = (await h.rows(two))[0]!;
    const forked = (rows: readonly SnapshotRecord[]): Promise<ForkResult> =>
      commitsOfFork(h.state, h.nowMs, one, rows, [wf], { forMs: 30_000, limits, without: [two] });
    const plain = await forked([]);
    expect(plain.commits.length).toBeGreaterThan(2);
    const good = await forked([row]);
    expect(good).toEqual({ commits: plain.commits, used: plain.used + 1, ignored: 0 });
    const changed = row.body.replace('"now":', '"now":1');
    const honest = (at: number, body: string): SnapshotRecord => ({ runId: one, at, body, digest: snapshotDigest(one, at, body) ?? "" });
    const forgeries: Readonly<Record<string, SnapshotRecord>> = {
      "its text was changed": { ...row, body: changed },
      "its text and its digest were changed": honest(row.at, changed),
      "its digest was changed": { ...row, digest: row.digest.replace(/.$/, (c) => (c === "0" ? "1" : "0")) },
      "it names an earlier event": honest(row.at - 1, row.body),
      "it is another run's": { ...other, runId: one },
      "it is no JSON": honest(row.at, "{"),
      "it is of another version": honest(row.at, row.body.replace('{"v":1,', '{"v":2,')),
      "it names no event": honest(0, row.body),
    };
    for (const [what, forged] of Object.entries(forgeries)) {
      const fork = await forked([forged]);
      expect(fork.commits, what).toEqual(plain.commits);
      expect(fork.ignored, what).toBe(1);
      const behind = await forked(
        [forged, row].toSorted((a, b) => b.at - a.at).filter((r, i, all) => all.findIndex((x) => x.at === r.at) === i),
      );
      expect(behind.commits, `${what}, before a good one`).toEqual(plain.commits);
    }
  },
);

it(
  "snapshots that are gone or wrong are made again from the log, to the byte and without the author's code",
  proves("C20", "AX-35"),
  async () => {
    const h = await halfway();
    const [one, two] = h.ids as [string, string];
    const before = { one: await h.rows(one), two: await h.rows(two) };
    h.state.snapshots.delete(one);
    h.state.snapshots.set(two, [{ ...before.two[0]!, body: before.one[0]!.body }]);
    // A cache may be empty; it may not say something else.
    const verified = await verifyStore(h.store, defaultScope);
    expect(verified.findings.map((f) => [f.table, f.field, f.runId])).toEqual([["snapshots", "body", two]]);
    const looked = await repairStore(h.store, defaultScope);
    expect(looked.repaired.map((f) => `${f.table} ${f.field} ${f.runId}`).toSorted()).toEqual(
      [`snapshots row ${one}`, `snapshots body ${two}`].toSorted(),
    );
    expect(await h.rows(one)).toEqual([]);
    const done = await repairStore(h.store, defaultScope, { write: true });
    expect(done.left).toEqual([]);
    expect(await h.rows(one)).toEqual(before.one);
    expect(await h.rows(two)).toEqual(before.two);
    expect((await repairStore(h.store, defaultScope, { write: true })).repaired).toEqual([]);
  },
);
