// More steps than places on a queue that the run's owner serves: while its functions end quickly, the next wait for their place as claimed rows and
// need no claim. Never do more run at once than there are places; who waits too long, or is on a queue that was paused or limited meanwhile, goes to
// whoever claims it; and what may not simply run again does not wait that way. On the virtual clock.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import type { TaskOpts } from "../../src/workflow/types.ts";
import { proves } from "../support/proves.ts";
import { deferred, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
const ann = { by: "ann", reason: "the bank is down" };
let n = 0;

/** An engine with two places, which has learned that its functions end at once. From `block` on they do not, until `open`. */
async function place(kind: (typeof storeKinds)[number], o: TaskOpts<number, number> = { repeatable: true }) {
  const l = await fresh(kind);
  let hold: ReturnType<typeof deferred<void>> | null = null;
  const seen = { begun: [] as number[], now: 0, most: 0, claimed: 0 };
  const run = async (i: number): Promise<number> => {
    seen.begun.push(i);
    seen.most = Math.max(seen.most, ++seen.now);
    await hold?.promise;
    seen.now--;
    return i;
  };
  const t = task({ name: `own-${++n}`, input: z.number() }, run, { queue: "q", ...o });
  const wf = workflow({ name: `wf-${n}`, input: z.number() }, async (ctx, i) => ctx.do(t, i));
  let late: ReturnType<typeof deferred<void>> | null = null;
  const counted = (store: FullStore): FullStore => ({
    ...store,
    queues: {
      ...store.queues,
      claim: async (q) => {
        const answer = await store.queues.claim(q);
        await late?.promise;
        if (answer.kind === "claimed") seen.claimed += answer.rows.length;
        return answer;
      },
    },
  });
  const a = await l.engine([wf], { queues: { q: { concurrency: 2 } }, lease: "3s", wrap: counted });
  await l.platform.advance(1_500);
  const start = (ids: readonly number[]) => Promise.all(ids.map((i) => a.engine.start(wf, i, { id: `r-${i}` })));
  const ended = async (ids: readonly number[]) => {
    for (const i of ids) expect((await l.advanceUntil(a.client.waitForEnd(`r-${i}`))).result).toBe(i);
  };
  const rows = () => l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 99 });
  await start([0]);
  await ended([0]);
  return { l, a, t, wf, seen, start, ended, rows, block: () => (hold = deferred<void>()), holdClaims: () => (late = deferred<void>()) };
}
const many = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each(storeKinds)("%s", (kind) => {
  it("more steps than places are run by their owner without a claim, and never more at once than there are places", async () => {
    const { start, ended, seen } = await place(kind);
    await start(many);
    await ended(many);
    expect(seen).toMatchObject({ claimed: 0, now: 0, most: 2 });
    expect(new Set(seen.begun)).toEqual(new Set([0, ...many]));
    expect(seen.begun.length).toBe(1 + many.length);
  });

  it("while a claim is under way, its places are nobody else's", async () => {
    const { l, wf, start, ended, seen, block, holdClaims } = await place(kind);
    const b = await l.engine([wf], { queues: {} });
    const claims = holdClaims();
    const gate = block();
    for (const i of [11, 12]) await b.engine.start(wf, i, { id: `r-${i}` });
    await l.platform.advance(20); // both are claimed, and the answer is on its way
    await start(many);
    await l.platform.advance(20);
    claims.open();
    await l.platform.advance(20);
    expect(seen.now).toBe(2);
    gate.open();
    await ended([...many, 11, 12]);
    expect(seen.most).toBe(2);
  });

  it("what waits too long for its place goes to whoever claims it, once", proves("C5"), async () => {
    const { l, t, start, ended, rows, seen, block } = await place(kind);
    const gate = block();
    await start(many);
    await l.platform.advance(50);
    expect(
      (await rows()).filter((d) => d.worker === null),
      "all are the owner's",
    ).toEqual([]);
    expect(seen.now).toBe(2);
    await l.platform.advance(400);
    expect((await rows()).filter((d) => d.worker === null).length, "what has not begun is anybody's").toBe(many.length - 2);
    const w = await l.worker({ tasks: [t], queues: { q: { concurrency: 20 } } });
    await l.platform.advance(1_200);
    expect(seen.begun.length).toBe(1 + many.length);
    expect((await rows()).filter((d) => d.worker === w.worker.workerId).length).toBe(many.length - 2);
    gate.open();
    await ended(many);
    expect(new Set(seen.begun).size, "none of them twice").toBe(1 + many.length);
  });

  it.runIf(kind === "memory")(
    "one that waited too long is left to whoever claims it, however many other steps of its run are on queues",
    proves("C5"),
    async () => {
      const l = await fresh(kind);
      let hold: Promise<void> | null = null;
      const t = task({ name: `own-${++n}`, input: z.number() }, async (i) => (await hold, i), { queue: "q", repeatable: true });
      const slow = task({ name: `slow-${n}`, input: z.number() }, (i) => i, { queue: "slow", repeatable: true });
      const wf = workflow({ name: `wf-${n}`, input: z.number() }, async (ctx, i) => ctx.do(t, i));
      const wide = workflow({ name: `wide-${n}`, input: z.number() }, async (ctx, i) => {
        for (let k = 0; k < 1_001; k++) void ctx.do(slow, k);
        return ctx.do(t, i);
      });
      const a = await l.engine([wf, wide], { queues: { q: { concurrency: 1 } }, lease: "3s" });
      await l.platform.advance(1_500);
      await a.engine.start(wf, 0, { id: "r-0" });
      await l.advanceUntil(a.client.waitForEnd("r-0"));
      const gate = deferred<void>();
      hold = gate.promise;
      await a.engine.start(wf, 1, { id: "r-1" });
      const h = await a.engine.start(wide, 2, { id: "r-2" });
      await l.platform.advance(100);
      const rows = () => l.store.queues.rows({ scope: defaultScope, runId: h.runId, queue: "q", limit: 9 });
      expect(
        (await rows()).map((d) => d.worker),
        "it waits here",
      ).toEqual([a.core.engineId]);
      await l.platform.advance(900);
      expect(
        (await rows()).map((d) => d.worker),
        "and now for anybody",
      ).toEqual([null]);
      gate.open();
      expect((await l.advanceUntil(a.client.waitForEnd("r-2"))).result).toBe(2);
      expect(await l.lines(h.runId)).not.toContain("pawl.StepRedispatched");
    },
  );

  it("a pause holds also for those that wait for their place", proves("K3"), async () => {
    const { l, start, ended, rows, seen, block } = await place(kind);
    const gate = block();
    await start(many);
    await l.platform.advance(20);
    const paused = l.store.queues.configure(defaultScope, "q", { paused: ann });
    await l.advanceUntil(paused);
    await l.platform.advance(600);
    gate.open();
    await l.platform.advance(3_000);
    expect(seen.begun.length, "those that had begun").toBe(1 + 2);
    expect((await rows()).every((d) => d.worker === null)).toBe(true);
    await l.store.queues.configure(defaultScope, "q", { paused: null });
    await ended(many);
  });

  it("a limit that is set while steps wait for their place is not passed", async () => {
    const { l, start, ended, seen, block } = await place(kind);
    const gate = block();
    await start(many);
    await l.platform.advance(20);
    await l.store.queues.configure(defaultScope, "q", { config: { concurrency: 1 } });
    await l.platform.advance(600);
    gate.open();
    await l.platform.advance(100);
    seen.most = seen.now;
    await ended(many);
    expect(seen.most).toBeLessThanOrEqual(1);
    expect(new Set(seen.begun).size).toBe(1 + many.length);
  });

  it("what may not simply run again does not wait as claimed: if the owner dies, nobody is asked about it", proves("K26"), async () => {
    for (const [o, waiting] of [
      [{ once: true }, "unclaimed"],
      [{ repeatable: true }, "claimed"],
    ] as const) {
      const { l, a, t, wf, start, rows, seen, block } = await place(kind, o as TaskOpts<number, number>);
      block();
      await start(many);
      await l.platform.advance(20);
      const unclaimed = (await rows()).filter((d) => d.worker === null).length;
      expect(unclaimed).toBe(waiting === "unclaimed" ? many.length - 2 : 0);
      a.kill();
      block().open();
      const begun = new Set(seen.begun);
      const b = await l.engine([wf], { queues: { q: { concurrency: 2 } }, lease: "1s" });
      await l.worker({ tasks: [t], queues: { q: { concurrency: 2 } } });
      // Each that had not begun runs once; of those that had, the class decides.
      for (const i of many)
        if (waiting === "claimed" || !begun.has(i)) expect((await l.advanceUntil(b.client.waitForEnd(`r-${i}`))).result).toBe(i);
      for (const i of many) expect(seen.begun.filter((x) => x === i).length).toBe(waiting === "claimed" && begun.has(i) ? 2 : 1);
    }
  });
});
