// A run of every class that fails and is retried, with one effect sent again on a person's order: for tests of the evidence of a
// line, and for its golden archives. Nothing in the package imports it.
import { z } from "zod";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { EvidenceOptions } from "../../src/log/evidence.ts";
import { workflow } from "../../src/workflow/define.ts";
import { openTestCluster, type TestCluster } from "../support/test-cluster.ts";

export const order = { by: "ann", reason: "the customer asked" };

/** `fail` says how a run ends: the first one fails, as do the plain sends of the first two. */
export const shop = workflow({ name: "shop", version: "3", input: z.object({ cents: z.number() }) }, async (ctx, { cents }) => {
  await ctx.step("charge", () => cents, { key: "order-1", dedup: "1d", input: cents });
  await ctx.step("mail", () => "sent", { once: true });
  await ctx.step("book", () => "booked", { verify: async () => ({ state: "not-completed" }), timeout: 100, settle: 10 });
  await ctx.step("note", () => Promise.reject(new Error("no")));
});

/** The runs of the line, oldest first: the second one was asked for by a person, and sends the charge and the booking again. */
export async function retriedRuns(l: TestCluster, o: EngineOpts = {}): Promise<readonly [first: string, second: string]> {
  const { engine, client } = await l.engine([shop], o);
  const first = await engine.start(shop, { cents: 500 }, { id: "shop-1" });
  await l.advanceUntil(client.waitForEnd(first.runId));
  const again = await client.retry(first.runId, { rerun: ["charge", "book"], ...order });
  await l.advanceUntil(client.waitForEnd(again.runId));
  return [first.runId, again.runId];
}

/** The evidence of the second run, in a place of its own, on a clock of its own: always the same. */
export async function runChainArchive(o: EvidenceOptions): Promise<Uint8Array> {
  const l = await openTestCluster("memory", 7);
  try {
    const [, second] = await retriedRuns(l);
    return await l.advanceUntil((await l.engine([shop])).client.evidence(second, o));
  } finally {
    await l.close();
  }
}
