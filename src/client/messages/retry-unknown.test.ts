// A signal or a start whose answer was lost: the client asks again with the same id, and the sender hears what became of it. A sender that
// gave no id could not do that.
import { describe, expect, it } from "vitest";
import { faultyStore, losingAnswers, type Fault } from "../../../test/support/faulty-store.ts";
import { anySchema, testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { checkLimits } from "../../core/limits.ts";
import { workflow } from "../../workflow/define.ts";
import { defaultScope } from "../environment.ts";
import { localClient } from "../local-client.ts";
import type { Client } from "../types.ts";

const fresh = testClusters();
const all = workflow({ name: "all", signals: { go: anySchema<number>() } }, async (ctx) => [
  await ctx.receive("go"),
  await ctx.receive("go"),
]);

describe.each(storeKinds)("%s", (kind) => {
  it.each(["lost", "cut"] as const)("a signal without an id whose answer is %s is accepted once", proves("I9"), async (fault: Fault) => {
    const l = await fresh(kind);
    const e = await l.engine([all]);
    const through = (verb: string, times: number): Client => {
      const store = faultyStore(l.store, losingAnswers(verb, fault, times));
      return localClient({ store, platform: l.platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });
    };
    const { runId, created } = await l.advanceUntil(through("commit", 2).start({ workflow: "all", id: "w" }));
    expect(created).toBe(true);
    expect((await l.advanceUntil(through("post", 3).signal("w", "go", 1))).replayed).toBe(fault === "lost");
    expect(await l.store.inbox({ runId, all: true })).toHaveLength(1);
    await expect(l.advanceUntil(through("post", 9).signal("w", "go", 2, { signalId: "two" }))).rejects.toMatchObject({
      page: "PAWL3002",
      outcome: "unknown",
    });
    await l.advanceUntil(through("post", 0).signal("w", "go", 2, { signalId: "two" }));
    expect((await l.advanceUntil(e.client.waitForEnd(runId))).result).toEqual([1, 2]);
  });
});
