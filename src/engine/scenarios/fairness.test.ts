// Who comes when there is more to do than an engine has room for. Guards that a stream of new runs, from wherever it comes, never
// keeps a timer that is due from firing. No time passes in these tests but what they let pass.
import { describe, expect, it } from "vitest";
import { testClusters, storeKinds, type TestCluster, type ClusterEngine } from "../../../test/support/test-cluster.ts";
import { defaultScope } from "../../client/environment.ts";
import { workflow } from "../../workflow/define.ts";
import type { Workflow } from "../../workflow/types.ts";
import { createCommit } from "../create-run.ts";
import { proves } from "../../../test/support/proves.ts";

const fresh = testClusters();
const second = 1_000;

describe.each(storeKinds)("%s", (kind) => {
  const nap = workflow({ name: "nap" }, async (ctx) => ctx.sleep("nap", "10s"));
  /** An engine with room for two, and a run that naps for ten seconds; a run of `brief` takes a second. */
  const crowd = async (): Promise<{
    l: TestCluster;
    a: ClusterEngine;
    brief: Workflow<string, undefined, void>;
    slept: () => Promise<boolean>;
  }> => {
    const l = await fresh(kind);
    const brief = workflow({ name: "brief" }, async (ctx) =>
      ctx.step("work", () => new Promise<void>((resolve) => void l.platform.timer(second, () => resolve()))),
    );
    const a = await l.engine([nap, brief], { liveRunsMax: 2 });
    const { runId } = await l.advanceUntil(a.engine.start(nap));
    await l.platform.settle();
    return { l, a, brief, slept: async () => (await l.row(runId)).status === "COMPLETED" };
  };

  it("a timer fires in its turn, however many runs are queued for ever", proves("T-57"), async () => {
    const { l, brief, slept } = await crowd();
    let waiting = 0;
    for (let n = 0; n < 40 && !(await slept()); n++) {
      const definition = { name: brief.name, version: "1" };
      for (const at of ["a", "b", "c", "d"]) {
        const id = `${n}-${at}`;
        const c = createCommit(
          { scope: defaultScope, platform: l.platform },
          { runId: id, workflowId: id, definition, input: null, parsed: true },
        );
        await l.store.commit([c]);
      }
      await l.platform.advance(second);
      waiting = (await l.store.runs({ scope: defaultScope, status: ["PENDING"], limit: 1_000 })).runs.length;
    }
    expect(waiting).toBeGreaterThan(20);
    expect(await slept()).toBe(true);
  });

  it("a timer fires in its turn, however many runs are started here for ever", proves("T-57"), async () => {
    const { l, a, brief, slept } = await crowd();
    let begun = 0;
    for (let n = 0; n < 40 && !(await slept()); n++) {
      for (let i = 0; i < 4; i++) void a.engine.start(brief).then(() => begun++);
      await l.platform.advance(second);
    }
    expect(begun).toBeGreaterThan(0);
    expect(await slept()).toBe(true);
  });
});
