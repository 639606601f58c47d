// When the pause of a queue is answered, it holds: no claim is made, and no engine begins a step of its own on that queue, however late the answers
// come that it reads. What was claimed before continues. On the virtual clock, with answers that take their time.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { StoredQueue } from "../../src/store/port.ts";
import { task, workflow } from "../../src/workflow/define.ts";
import { proves } from "../support/proves.ts";
import { deferred, storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();
let n = 0;
const unique = (name: string): string => `${name}-${++n}`;
const ann = { by: "ann", reason: "the bank is down" };

/** An engine whose looks at its queues can be held up: the store has answered, and the answer is still on its way. */
async function place(kind: (typeof storeKinds)[number]) {
  const l = await fresh(kind);
  const begun: number[] = [];
  const t = task({ name: unique("pause"), input: z.number() }, (i) => begun.push(i), { queue: "q", repeatable: true });
  const wf = workflow({ name: unique("wf"), input: z.number() }, async (ctx, i) => ctx.do(t, i));
  let hold: ReturnType<typeof deferred<void>> | null = null;
  let held = 0;
  const later = async (answer: Promise<readonly StoredQueue[]>): Promise<readonly StoredQueue[]> => {
    const mine = hold;
    hold = null; // the next one is not held up
    const x = await answer;
    if (mine !== null) {
      held++;
      await mine.promise;
    }
    return x;
  };
  const wrap = (store: FullStore): FullStore => ({
    ...store,
    queues: { ...store.queues, list: (s) => later(store.queues.list(s)), open: (s, q) => later(store.queues.open(s, q)) },
  });
  const a = await l.engine([wf], { lease: "3s", wrap });
  const b = await l.engine([wf], { queues: {}, lease: "3s" });
  await l.platform.advance(2_500);
  await a.engine.start(wf, 0, { id: "r-0" });
  await l.advanceUntil(a.client.waitForEnd("r-0"));
  await l.platform.advance(1_200); // what it read of its queues is old by now, and its last claim came back empty
  return { l, a, b, wf, begun, holdNext: () => (hold = deferred<void>()), held: () => held };
}

describe.each(storeKinds)("%s", (kind) => {
  it("no engine begins a step after the pause was answered, by an answer that was sent for before", proves("K3"), async () => {
    const { l, a, b, wf, begun, holdNext, held } = await place(kind);
    const answer = holdNext();
    await a.engine.start(wf, 1, { id: "r-1" });
    await l.platform.advance(100);
    expect(held(), "the engine has asked, and was told that the queue is open").toBe(1);
    await l.advanceUntil(b.client.queues.pause("q", ann));
    answer.open();
    await l.platform.advance(3_000);
    expect(begun).toEqual([0]);
    const [row] = await l.store.queues.rows({ scope: defaultScope, queue: "q", limit: 9 });
    expect(row?.worker, "it waits on its queue, for whoever claims it").toBeNull();
    await b.client.queues.resume("q", ann);
    await l.advanceUntil(a.client.waitForEnd("r-1"));
    expect(begun).toEqual([0, 1]);
  });
});
