// Runs that an engine owns and does not hold, because the answer to its claim was lost: it must find them, and go on with them,
// while it lives (I12). A wake-up by a signal is lost in the same way, and found in the same way (I9, K18).
import { describe, expect, it } from "vitest";
import { defaultScope } from "../../client/environment.ts";
import { localClient } from "../../client/local-client.ts";
import type { Client } from "../../client/types.ts";
import { checkLimits } from "../../core/limits.ts";
import type { FullStore } from "../../store/full-store.ts";
import { workflow } from "../../workflow/define.ts";
import { faultyStore, losingAnswers, unknownAnswer } from "../../../test/support/faulty-store.ts";
import { proves } from "../../../test/support/proves.ts";
import { anySchema, deferred, testClusters, storeKinds, type TestCluster } from "../../../test/support/test-cluster.ts";

const fresh = testClusters();
const waits = workflow({ name: "waits", signals: { go: anySchema<string>() } }, async (ctx) => ctx.receive("go"));

/** Starts runs that nobody runs yet. */
const outside = (l: TestCluster): Client =>
  localClient({ store: l.store, platform: l.platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });

function worker(): { sent: string[]; wf: ReturnType<typeof workflow> } {
  const sent: string[] = [];
  const wf = workflow({ name: "wf" }, async (ctx) => ctx.step("s", (s) => void sent.push(s.fence)));
  return { sent, wf: wf as never };
}

describe.each(storeKinds)("%s", (kind) => {
  it("runs of a claim whose answer was lost are found by the engine that owns them, and end", proves("I12"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = worker();
    const ids = await Promise.all([1, 2, 3].map(async () => (await outside(l).start({ workflow: "wf", allowUnknown: true })).runId));
    const lose = losingAnswers("claim");
    const e = await l.engine([wf], { wrap: (s) => faultyStore(s, lose) });
    expect(lose.struck()).toBe(1);
    for (const id of ids) expect((await l.row(id)).owner).toBe(e.core.engineId);
    for (const id of ids) expect((await l.advanceUntil(e.client.waitForEnd(id), 60_000)).status).toBe("COMPLETED");
    // Of one claim: nobody had to be declared dead for it, and nothing was sent twice.
    expect(sent).toEqual(["1", "1", "1"]);
  });

  it("a signal that woke a run by a claim whose answer was lost still reaches the run", proves("I9", "K18"), async () => {
    const l = await fresh(kind);
    const lose = losingAnswers("claim", "lost", 1);
    let armed = false;
    const e = await l.engine([waits], { wrap: (s) => faultyStore(s, (verb, args) => (armed ? lose(verb, args) : null)), idle: "1s" });
    const h = await e.engine.start(waits);
    await l.platform.advance(5_000);
    expect(await l.row(h.runId)).toMatchObject({ owner: null, dueAt: null, waiting: "signal" });
    armed = true;
    await h.signal("go", "now");
    await l.platform.advance(50);
    expect(lose.struck()).toBe(1);
    expect(await l.advanceUntil(h.result(), 60_000)).toBe("now");
  });

  it("a claim that reached the store long after it was given up is found as well", proves("I12"), async () => {
    const l = await fresh(kind);
    const { sent, wf } = worker();
    let late = true;
    const wrap = (s: FullStore): FullStore => ({
      ...s,
      claim: async (q) => {
        if (!late) return [];
        late = false;
        l.platform.timer(5_000, () => void s.claim(q));
        throw unknownAnswer("claim");
      },
    });
    const e = await l.engine([wf], { wrap });
    const { runId } = await outside(l).start({ workflow: "wf", allowUnknown: true });
    await l.platform.advance(5_000);
    expect((await l.row(runId)).owner).toBe(e.core.engineId);
    expect((await l.advanceUntil(e.client.waitForEnd(runId), 60_000)).status).toBe("COMPLETED");
    expect(sent).toEqual(["1"]);
  });

  it("what an engine starts, holds, parks and hands back is never taken for something that it forgot", proves("I4", "I12"), async () => {
    const l = await fresh(kind);
    const open = deferred<string>();
    const busy = workflow({ name: "busy" }, async (ctx) => ctx.step("s", () => open.promise, { timeout: "10m" }));
    const nap = workflow({ name: "nap" }, async (ctx) => ctx.sleep("nap", "2m"));
    const e = await l.engine([busy, nap, waits], { idle: "1s" });
    const h = await e.engine.start(busy);
    const n = await e.engine.start(nap);
    const w = await e.engine.start(waits);
    await l.platform.advance(90_000);
    const epochs = async (): Promise<number[]> => Promise.all([h, n, w].map(async (x) => (await l.row(x.runId)).fence.epoch));
    expect(await epochs()).toEqual([1, 1, 1]);
    expect(e.engine.metrics()).toContain("pawl_recoveries_total 0");
    open.open("done");
    expect(await l.advanceUntil(h.result())).toBe("done");
  });
});
