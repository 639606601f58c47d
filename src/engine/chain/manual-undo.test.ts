// What a failed run did in a catch, as a retry warns of it: the steps that began after the failure that ended it. Guards that a retry
// says so before, in its answer and in the log, that compensate gives no warning, and that what a retry does is not changed by it.
import { describe, expect, it } from "vitest";
import { testClusters, storeKinds } from "../../../test/support/test-cluster.ts";
import { proves } from "../../../test/support/proves.ts";
import { workflow } from "../../workflow/define.ts";

const fresh = testClusters();

describe.each(storeKinds)("%s", (kind) => {
  it("a retry warns of what the run before did after its failure, and keeps it", proves("K19"), async () => {
    const l = await fresh(kind);
    const did: string[] = [];
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("reserve", () => did.push("reserve"));
      await ctx.step("fallback", () => Promise.reject(new Error("no"))).catch(() => {});
      await ctx.step("charge", () => did.push("charge"));
      try {
        await ctx.step("ship", () => Promise.reject(new Error("too heavy")));
      } catch (e) {
        await ctx.step("release", () => did.push("release"));
        throw e;
      }
    });
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toThrow("too heavy");
    const [warning, ...more] = (await h.retry({ dryRun: true })).warnings;
    expect(warning).toMatchObject({ code: "PAWL1023", steps: ["release"] });
    expect(warning?.message).toContain("after ship failed, the run continued with release");
    expect(more).toEqual([]);
    const retried = await e.client.retry(h.runId);
    expect(retried.warnings).toEqual([warning]);
    await l.advanceUntil(e.client.waitForEnd(retried.runId));
    expect(did).toEqual(["reserve", "charge", "release"]);
    expect(e.logs.filter((x) => x.level === "warn" && x.message.includes(`run ${retried.runId} retries`))).toHaveLength(1);
  });

  it("what compensate undid gives none", proves("K19"), async () => {
    const l = await fresh(kind);
    const wf = workflow({ name: "wf" }, async (ctx) => {
      await ctx.step("reserve", () => 1, { compensate: () => undefined });
      await ctx.step("ship", () => Promise.reject(new Error("too heavy")));
    });
    const e = await l.engine([wf]);
    const h = await e.engine.start(wf);
    await expect(l.advanceUntil(h.result())).rejects.toThrow("too heavy");
    expect((await h.retry({ dryRun: true })).warnings).toEqual([]);
    expect((await e.client.retry(h.runId)).warnings).toBeUndefined();
  });
});
