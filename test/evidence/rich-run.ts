// A run that has something of everything: every class, a retry by policy, a crash that sends a keyed effect again, a timer, a
// signal, a child, an update, a view, a pause by a person, and compensations. For tests of evidence; the package imports nothing of it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { EngineOpts } from "../../src/client/engine-types.ts";
import type { EvidenceOptions } from "../../src/log/evidence.ts";
import { workflow } from "../../src/workflow/define.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { openTestCluster, type TestCluster } from "../support/test-cluster.ts";

const child = workflow({ name: "child", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2));

export const rich = workflow(
  {
    name: "rich",
    version: "7",
    input: z.object({ card: z.string(), cents: z.number() }),
    signals: { approved: z.object({ by: z.string() }) },
    updates: { note: { input: z.string(), output: z.string() } },
    views: { stage: z.string() },
  },
  async (ctx, input) => {
    ctx.onUpdate("note", (text) => `noted ${text}`);
    ctx.publish("stage", "charging");
    let tries = 0;
    await ctx.step("flaky", () => (++tries < 3 ? Promise.reject(new Error("not yet")) : tries), {
      repeatable: true,
      retry: { attempts: 5, initial: "1s", backoff: "fixed" },
    });
    await ctx.step("charge", () => ({ charged: input.cents, card: input.card }), {
      key: "order-1",
      dedup: "1d",
      timeout: "5s",
      input: { cents: input.cents },
      compensate: () => "refunded",
    });
    await ctx.step("mail", () => "sent", { once: true });
    await ctx.step("book", () => "booked", { verify: async () => ({ state: "not-completed" }) });
    await ctx.sleep("nap", "10s");
    const { by } = await ctx.receive("approved");
    const doubled = await ctx.call(child, 21);
    if (input.cents < 0) ctx.fail("nothing is given away");
    return { by, doubled };
  },
);
export const workflows: readonly AnyWorkflow[] = [rich, child];
export const secretCard = "4242-4242-4242-4242";

/** Runs it to its end through a death in the middle of the charge; answers with the run's id. */
export async function richRun(l: TestCluster, cents = 500, seal: EngineOpts["seal"] = false): Promise<string> {
  let died = false;
  const a = await l.engine(workflows, { lease: "1s", seal, onHit: (p) => p === "charge:D" && !died && (died = true) });
  const h = await a.engine.start(rich, { card: secretCard, cents }, { id: `order-${cents}`, tags: { shop: "ulm" } });
  await l.advanceUntilLine(h.runId, "StepStarted charge");
  await l.platform.advance(3_000);
  const b = await l.engine(workflows, { lease: "1s", seal });
  await l.advanceUntilLine(h.runId, "StepStarted nap");
  await b.client.control(h.runId, "pause", { reason: "lunch" });
  await l.advanceUntilLine(h.runId, "RunPaused");
  await b.client.control(h.runId, "resume", { reason: "fed" });
  await l.advanceUntil(b.client.update(h.runId, "note", "hello"));
  await b.client.signal(h.runId, "approved", { by: "ann" });
  await l.advanceUntil(b.client.waitForEnd(h.runId));
  return h.runId;
}

/** The evidence of that run in a place of its own, on a clock of its own: always the same. Sealed with a key, if there is one. */
export async function richArchive(o: EvidenceOptions, key?: string): Promise<Uint8Array> {
  const l = await openTestCluster("memory", 7);
  const dir = mkdtempSync(join(tmpdir(), "pawl-rich-"));
  const keyFile = join(dir, "key.pem");
  if (key !== undefined) writeFileSync(keyFile, key, { mode: 0o600 });
  try {
    const runId = await richRun(l, 500, key === undefined ? false : { keyFile, every: "5s" });
    return await l.advanceUntil((await l.engine(workflows)).client.evidence(runId, o));
  } finally {
    await l.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
