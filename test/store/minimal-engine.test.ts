// An engine on a store that somebody else wrote and that has no facet: workflows run, and whatever needs a facet is refused with a message
// that says what the store lacks and what to do.
import { expect, it } from "vitest";
import { z } from "zod";
import { engine, type EngineOpts, workflow } from "../../src/index.ts";
import { connect } from "../../src/client.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { memoryState } from "../../src/store/memory/state.ts";
import { MinimalStore } from "./minimal-store.ts";

const child = workflow({ name: "child", input: z.number() }, async (_ctx, n) => n + 1);
const parent = workflow({ name: "parent", input: z.number(), signals: { go: z.string() } }, async (ctx, n) => {
  const doubled = await ctx.step("double", async () => n * 2);
  await ctx.sleep("a moment", "10ms");
  const called = await ctx.call(child, doubled);
  await ctx.receive("go");
  return called;
});

function opts(more: Partial<EngineOpts> = {}): EngineOpts & { readonly store: MinimalStore } {
  const platform = systemPlatform();
  return { workflows: [parent, child], log: () => {}, ...more, store: new MinimalStore(platform, memoryState(platform)) };
}

it("a store with the verbs of Store alone runs workflows: steps, timers, children, signals", async () => {
  const o = opts();
  const e = await engine(o);
  try {
    const run = await e.start(parent, 20, { id: "p" });
    await run.signal("go", "now");
    expect(await run.result()).toBe(41);
    expect((await e.list()).runs.map((r) => r.status)).toEqual(["COMPLETED", "COMPLETED"]);
  } finally {
    await e.stop();
  }
});

it("what needs a facet that the store does not have is refused, and says what is missing and what to do", async () => {
  const o = opts();
  const e = await engine(o);
  const client = await connect({ store: o.store });
  const reader = { page: "PAWL3019", outcome: "none", data: { store: "minimal", facet: "ReaderStore" } };
  const maintenance = { page: "PAWL3019", outcome: "none", data: { store: "minimal", facet: "Maintenance" } };
  try {
    const run = await e.start(child, 1, { id: "c" });
    await run.result();
    const refused = client.consumers();
    await expect(refused).rejects.toMatchObject(reader);
    await expect(refused).rejects.toThrow(
      "feed.consumers: the minimal store does not implement ReaderStore. Consumers, projections, webhooks, appended events, seals, holds and moving " +
        "runs need it: add kv and feed to the store, or use memory:, sqlite:, postgres: or mysql:",
    );
    await expect(client.hold(run.runId, { by: "ops", reason: "audit" })).rejects.toMatchObject(reader);
    await expect(client.webhooks.list()).rejects.toMatchObject(reader);
    await expect(client.verifyStore()).rejects.toMatchObject(maintenance);
    await expect(e.start(child, 1, { id: "d", tx: {} as never })).rejects.toMatchObject({ page: "PAWL3008" });
  } finally {
    await client.close();
    await e.stop();
  }
});

it.each([
  ["retention", { retention: { purge: "30d" } }],
  ["webhooks", { webhooks: true }],
] as const)("the option %s is refused when the engine opens, not when it is first used", async (name, more) => {
  await expect(engine(opts(more as Partial<EngineOpts>))).rejects.toMatchObject({ page: "PAWL3019" });
  await expect(engine(opts(more as Partial<EngineOpts>))).rejects.toThrow(`the option ${name}: the minimal store does not implement`);
});
