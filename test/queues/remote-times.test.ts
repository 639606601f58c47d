// How long a worker over HTTP may take to begin what it was given, and how soon a server looks again for work that a limit holds back. On the virtual
// clock, with stores that take their time. Guards that nothing is begun later than its deadline assumes: from then on it may be sent again (K25).
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { RemoteWorkers } from "../../src/server/workers/remote-workers.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters, type StoreKind, type TestCluster } from "../support/test-cluster.ts";

const fresh = testClusters();
let n = 0;
const never = new AbortController().signal;

/** Runs whose one step waits on a queue for a worker over HTTP. */
async function place(
  kind: StoreKind,
  o: TaskOpts<number, number> = { repeatable: true },
  wrap: (store: FullStore) => FullStore = (s) => s,
) {
  const l = await fresh(kind);
  const t = task({ name: `remote-${++n}`, input: z.number() }, ((i) => i) as (i: number) => number, { queue: "q", ...o });
  const wf = workflow({ name: `remotely-${n}`, input: z.number() }, async (ctx, i) => ctx.do(t, i));
  const a = await l.engine([wf], { queues: {}, lease: "1s" });
  const remote = new RemoteWorkers(wrap(l.store), defaultScope, l.platform);
  const { workerId } = await remote.register({ lang: "test", works: [{ task: t.name }], queues: { q: { concurrency: 20 } } }, undefined);
  const poll = (free: number, waitMs = 0, holds: readonly { dispatchId: string; token: string }[] = []) =>
    l.advanceUntil(remote.poll(workerId, { free: { q: free }, waitMs, holds }, undefined, never));
  const start = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await a.engine.start(wf, i, { id: `r-${i}` });
    await l.platform.advance(500);
  };
  return { l, a, remote, workerId, poll, start };
}
const rowsOf = (l: TestCluster) => l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 99 });

describe.each(storeKinds)("%s", (kind) => {
  it("what is handed out again may be begun in what is left of its time, and not later", proves("K25"), async () => {
    const { l, poll, start } = await place(kind);
    await start(1);
    const [lost] = (await poll(1)).claimed;
    expect(lost?.beginWithinMs).toBe(5_000);
    await l.platform.advance(3_000);
    const [again] = (await poll(1)).claimed;
    const [row] = await rowsOf(l);
    const now = (await l.store.info()).nowMs;
    expect([again?.dispatchId, again?.token]).toEqual([lost?.dispatchId, lost?.token]);
    expect(again?.beginWithinMs).toBeLessThanOrEqual(2_000);
    expect(now + again!.beginWithinMs).toBeLessThanOrEqual(row!.claimedAt! + 5_000 + 250);
  });

  it("a server that is slow to answer gives no time beyond the claim's", proves("K25"), async () => {
    let slow = false;
    const { l, poll, start } = await place(kind, { repeatable: true }, (store) => ({
      ...store,
      queues: {
        ...store.queues,
        beat: async (...args) => {
          if (slow) await new Promise<void>((resolve) => void l.platform.timer(3_000, resolve));
          return store.queues.beat(...args);
        },
      },
    }));
    await start(2);
    const [held] = (await poll(1)).claimed;
    slow = true;
    const [claim] = (await poll(1, 0, [{ dispatchId: held!.dispatchId, token: held!.token }])).claimed;
    expect(claim?.beginWithinMs).toBeLessThan(5_250);
  });

  it("under a rate the server looks again when the next one may start, not a second later", async () => {
    const { l, poll, start } = await place(kind);
    await l.store.queues.configure(defaultScope, "q", { config: { rate: { limit: 10, perMs: 1_000, burst: 1 } } });
    await start(8);
    const from = l.platform.monotonicMs();
    const holds: { dispatchId: string; token: string }[] = [];
    while (holds.length < 8) for (const { dispatchId, token } of (await poll(8, 5_000, holds)).claimed) holds.push({ dispatchId, token });
    expect(l.platform.monotonicMs() - from).toBeLessThan(3_000);
  });

  it("where claims are counted, the report of one lets the server look for the next, not a second later", async () => {
    const { l, remote, workerId, poll, start } = await place(kind);
    await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 1 } });
    await start(6);
    const from = l.platform.monotonicMs();
    let done = 0;
    for (let held = (await poll(1)).claimed; done < 6; done++) {
      const { dispatchId, token } = held[0]!;
      const next = poll(5, 5_000, [{ dispatchId, token }]); // open while the step is at work
      await l.platform.advance(50);
      await l.advanceUntil(remote.results(workerId, [{ dispatchId, token, ok: true, result: done }], undefined));
      if (done < 5) held = (await next).claimed;
    }
    expect(l.platform.monotonicMs() - from).toBeLessThan(3_000);
  });

  it("a poll that was sent without a free place ends when the worker has reported, so that it asks again at once", async () => {
    const { l, remote, workerId, poll, start } = await place(kind);
    await start(1);
    const { dispatchId, token } = (await poll(1)).claimed[0]!;
    const full = poll(0, 20_000, [{ dispatchId, token }]);
    await l.platform.advance(50);
    const from = l.platform.monotonicMs();
    await l.advanceUntil(remote.results(workerId, [{ dispatchId, token, ok: true, result: 1 }], undefined));
    await full;
    expect(l.platform.monotonicMs() - from).toBeLessThan(750); // the server's own look comes once a second
  });

  it("a key that was sent before expires on its queue while a worker over HTTP can still send it in time", proves("K25"), async () => {
    const { l, remote, workerId, poll, start } = await place(kind, { key: (i) => `k-${i}`, dedup: "10m", timeout: "30s" });
    await start(1);
    await poll(1);
    const [first] = await rowsOf(l);
    await remote.leave(workerId, undefined, undefined);
    for (let i = 0; i < 60 && (await rowsOf(l))[0]?.engineAttempt !== 2; i++) await l.platform.advance(500);
    const [again] = await rowsOf(l);
    expect(again).toMatchObject({ engineAttempt: 2, worker: null, expiresAt: first!.claimedAt! + 600_000 - 30_000 - 5_000 });
  });
});
