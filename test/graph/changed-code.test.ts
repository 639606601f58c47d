// Code that changed under a live graph. With a version, the run goes to an engine that has it; without one, new code takes over at the next superstep, and
// only the superstep in flight can be at odds with the record.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { append, graph } from "../../src/graph.ts";
import { proves } from "../support/proves.ts";
import { storeKinds, testClusters } from "../support/test-cluster.ts";

const fresh = testClusters();

/** Three supersteps; each waits for a signal and says by which code it was made. */
function made(code: string, o: { readonly version?: string; readonly step?: string } = {}) {
  return graph({
    name: "changing",
    ...(o.version === undefined ? {} : { version: o.version }),
    state: { by: append<string>() },
    signals: { go: z.string() },
  })
    .nodes({
      a: async (_s, ctx) => ({ by: `a ${code} ${await ctx.receive("go")}` }),
      b: async (_s, ctx) => {
        const by = await ctx.step(o.step ?? "say", () => `b ${code}`, { repeatable: true });
        return { by: `${by} ${await ctx.receive("go")}` };
      },
      c: () => ({ by: `c ${code}` }),
    })
    .edges({ start: "a", a: "b", b: "c", c: "end" });
}

describe.each(storeKinds)("%s", (kind) => {
  it("a run with a version is continued by an engine that has it, not by another, and waits for nobody", proves("K20"), async () => {
    const l = await fresh(kind);
    const [first, second] = [made("one", { version: "1" }), made("two", { version: "2" })];
    const mortal = await l.engine([first], { lease: "1s" });
    const h = await mortal.engine.start(first, {}, { id: "v" });
    await h.signal("go", "1");
    await l.advanceUntilLine(h.runId, "StepStarted 2/b/go");
    await l.engine([first], { lease: "1s" });
    const { client } = await l.engine([second], { lease: "1s" });
    mortal.kill();
    await client.signal("v", "go", "2");
    expect((await l.advanceUntil(client.waitForEnd(h.runId))).result).toEqual({ by: ["a one 1", "b one 2", "c one"] });
    expect(await l.lines(h.runId)).not.toContain("RunPaused");
  });

  it(
    "without a version new code takes over at the next superstep; what is recorded of the one in flight stays",
    proves("K13"),
    async () => {
      const l = await fresh(kind);
      const old = made("old");
      const one = await l.engine([old], { lease: "1s" });
      const h = await one.engine.start(old, {}, { id: "c" });
      await h.signal("go", "1");
      await l.advanceUntilLine(h.runId, "StepStarted 2/b/go");
      one.kill();
      const two = await l.engine([made("new")], { lease: "1s" });
      await two.client.signal("c", "go", "2");
      expect((await l.advanceUntil(two.client.waitForEnd(h.runId))).result).toEqual({ by: ["a old 1", "b old 2", "c new"] });
    },
  );

  it(
    "code that calls something else in the superstep in flight is a decision; put right, the run goes on",
    proves("K13", "K20"),
    async () => {
      const l = await fresh(kind);
      const old = made("old");
      const one = await l.engine([old], { lease: "1s" });
      const h = await one.engine.start(old, {}, { id: "c" });
      await h.signal("go", "1");
      await l.advanceUntilLine(h.runId, "StepStarted 2/b/go");
      one.kill();
      const two = await l.engine([made("new", { step: "tell" })], { lease: "1s" });
      await two.client.signal("c", "go", "2");
      await l.advanceUntilLine(h.runId, "RunPaused");
      expect(await two.client.decisions()).toMatchObject([{ kind: "diverged" }]);
      expect((await two.client.state("c"))!.values).toEqual({ by: ["a old 1"] });
      two.kill();
      const three = await l.engine([old], { lease: "1s" });
      await l.advanceUntil(three.client.control("c", "resume", { by: "ann", reason: "put right" } as never));
      expect((await l.advanceUntil(three.client.waitForEnd(h.runId))).result).toEqual({ by: ["a old 1", "b old 2", "c old"] });
    },
  );
});
