// A run of a state graph with a channel of each kind, sends, a removal, and a superstep that is written in parts: for tests of its evidence, and for its
// golden archives. Nothing in the package imports it.
import { z } from "zod";
import { append, byId, graph, last, reduce, send, sum } from "../../src/graph.ts";
import type { EvidenceOptions } from "../../src/log/evidence.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { openTestCluster } from "../support/test-cluster.ts";

const longer = (a: string, b: string): string => (b.length > a.length ? b : a);

export const readers: AnyWorkflow = graph({
  name: "readers",
  version: "2",
  input: z.object({ docs: z.array(z.string()) }),
  begin: (i) => ({ docs: i.docs }),
  state: {
    docs: append<string>(),
    notes: byId<{ id: string; text: string }>(),
    words: sum(),
    longest: reduce("", longer),
    stage: last("new"),
  },
  result: (s) => ({ notes: s.notes.length, words: s.words }),
})
  .nodes(({ each }) => ({
    read: each(z.object({ doc: z.string() }), async ({ doc }, _s, ctx) => {
      const text = await ctx.step("read", () => `of ${doc}`, { repeatable: true });
      return { notes: { id: doc, text }, words: 2, longest: text };
    }),
    drop: () => ({ notes: { remove: "b" }, stage: "dropped" }),
    fill: () => ({ docs: ["x".repeat(70_000)], words: 1.5 }),
    tidy: () => ({ stage: "tidy" }),
  }))
  .edges({ start: (s) => s.docs.map((doc) => send("read", { doc })), read: "drop", drop: ["fill", "tidy"], fill: "end", tidy: "end" });

/** Its channels have no reducer: what every item returned is whole in the log. */
export const plainGraph: AnyWorkflow = graph({ name: "plain", state: { log: append<string>(), best: last(0, { conflict: "highest" }) } })
  .nodes({ a: () => ({ best: 1, log: "a" }), b: () => ({ best: 2, log: ["b", "c"] }) })
  .edges({ start: ["a", "b"], a: "end", b: "end" });

/** The evidence of one of them, in a place of its own, on a clock of its own: always the same. */
export async function graphArchive(g: AnyWorkflow, input: object, o: EvidenceOptions): Promise<Uint8Array> {
  const l = await openTestCluster("memory", 7);
  try {
    const { engine, client } = await l.engine([g]);
    const h = await (engine.start as (...a: unknown[]) => Promise<{ runId: string }>)(g, input, { id: "graph-1" });
    await l.advanceUntil(client.waitForEnd(h.runId));
    return await l.advanceUntil(client.evidence(h.runId, o));
  } finally {
    await l.close();
  }
}
export const docs = { docs: ["a", "b", "ccc"] };
