// A store with a little of everything, for checks of whole stores: every class of effect, a retry, a transaction where there is
// SQL, a timer, a signal that was taken and one that was not, an update, views, a called run, a run that continued itself, one
// that was retried, one that waits for a person, a checkpoint. Made by engines alone; nothing in it is forged.
import { z } from "zod";
import { defaultScope } from "../../src/client/environment.ts";
import { createCommit } from "../../src/engine/create-run.ts";
import { workflow } from "../../src/workflow/define.ts";
import type { TestStore } from "../support/test-store.ts";

const child = workflow({ name: "child", input: z.number() }, async (ctx, n) => ctx.step("double", () => n * 2, { key: "c", dedup: "1d" }));

export const order = workflow(
  {
    name: "order",
    input: z.object({ sql: z.boolean() }),
    signals: { go: z.string(), spare: z.string() },
    updates: { note: { input: z.string(), output: z.string() } },
    views: { stage: z.string(), total: z.number() },
  },
  async (ctx, { sql }) => {
    let tries = 0;
    ctx.onUpdate("note", (text) => `noted ${text}`);
    ctx.publish("stage", "begun");
    ctx.publish("total", 1e21);
    await ctx.step("flaky", () => (++tries < 3 ? Promise.reject(new Error("nicht jetzt: é")) : tries), {
      key: "order-1",
      dedup: "1d",
      input: { tries: 3 },
      retry: { attempts: 5, initial: 1 },
    });
    if (sql) await ctx.tx("row", async (db) => (await db.sql`select 1 as one`).rows.length);
    await ctx.step("mail", () => "sent", { once: true, compensate: () => "recalled" });
    await ctx.step("asked", () => 1, { verify: async () => ({ state: "indeterminate" }) });
    await ctx.step("plain", () => [1, 2n, new Date(0)]);
    await ctx.sleep("nap", 1);
    const got = await ctx.receive("go");
    ctx.publish("stage", "gone");
    return [got, await ctx.call(child, 21)];
  },
);
const looping = workflow({ name: "looping", input: z.number() }, async (ctx, n): Promise<number> => {
  await ctx.step("turn", () => n, { once: true });
  return n >= 2 ? n : ctx.continueAsNew(n + 1);
});
let broken = true;
const failing = workflow({ name: "failing" }, async (ctx) => {
  await ctx.step("done", () => 1, { key: "f", dedup: "1d" });
  return ctx.step("fails", () => (broken ? Promise.reject(new Error("broken")) : 2));
});
const asking = workflow({ name: "asking" }, async (ctx) =>
  ctx.step("sent", () => Promise.reject(new Error("no answer")), {
    verify: async () => ({ state: "indeterminate" }),
    retry: { attempts: 3, initial: 1 },
  }),
);
export const workflows = [order, child, looping, failing, asking];

export interface FilledStore {
  /** The run with most of it. */
  readonly runId: string;
  readonly childId: string;
  /** The number of the signal that was taken in, and of the one that was not. */
  readonly taken: number;
  readonly spare: number;
  readonly update: number;
  /** A run with a checkpoint. */
  readonly checkpointed: string;
}

/** The engines are stopped when this returns. */
export async function fillStore(b: TestStore): Promise<FilledStore> {
  const { engine, client } = await b.engine({ workflows });
  const h = await engine.start(order, { sql: b.store.capabilities().sql }, { id: "order-1", tags: { shop: "ulm" } });
  await client.signal(h.runId, "spare", "for later");
  await client.update(h.runId, "note", "hello");
  await client.signal(h.runId, "go", "now");
  await h.result();
  await (await engine.start(looping, 0, { id: "loop" })).result();
  broken = true;
  const failed = await engine.start(failing, undefined, { id: "fails" });
  await client.waitForEnd(failed.runId);
  broken = false;
  const retried = await client.retry("fails", { reason: "mended" });
  await client.waitForEnd(retried.runId);
  const asked = await engine.start(asking, undefined, { id: "asks" });
  while ((await client.get(asked.runId))?.waiting !== "decision") await client.waitForChange(asked.runId, { timeoutMs: 20 });
  await engine.stop({ grace: 100 });

  const runId = b.platform.uuidV7();
  const commit = createCommit(
    { scope: defaultScope, platform: b.platform },
    { runId, workflowId: "kept", definition: { name: "nobody", version: "1" }, input: null, parsed: false, delayMs: 3_600_000 },
  );
  await b.store.commit([{ ...commit, checkpoint: { stepId: 1, key: "k1", label: null, body: '{"at":1}' } }]);

  const inbox = await b.store.inbox({ runId: h.runId, all: true });
  const id = (name: string): number => inbox.find((r) => r.name === name)!.inboxId;
  const { runs } = await client.list({ workflow: "child" });
  return { runId: h.runId, childId: runs[0]!.runId, taken: id("go"), spare: id("spare"), update: id("note"), checkpointed: runId };
}
