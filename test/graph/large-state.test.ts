// A state of 16 MiB, on every store: no step of it fails, another process continues it, a fork begins with all of it, and what is over the limit is
// refused before anything is recorded.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { append, graph, send } from "../../src/graph.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});
const size = 880_000;
const limits = { stateBytesMax: 17 * 1_048_576 };

it.each(testStores)("%s: 16 MiB of state fail no step", { timeout: 180_000 }, async (_name, make) => {
  const s = await make();
  open.push(s);
  const text = "é".repeat(size / 2);
  const g = graph({
    name: "large",
    state: { docs: append<string>() },
    signals: { go: z.number() },
    result: (x) => x.docs.reduce((sum, d) => sum + d.length, 0),
  })
    .nodes(({ each }) => ({
      read: each(z.number(), async (n, _s, ctx) => ({ docs: await ctx.step("get", () => `${n} ${text}`, { repeatable: true }) })),
      wait: async (_s, ctx) => void (await ctx.receive("go")),
      last: async (_s, ctx) => ({ docs: await ctx.step("get", () => `20 ${text}`, { repeatable: true }) }),
    }))
    .edges({ start: () => Array.from({ length: 19 }, (_, n) => send("read", n)), read: "wait", wait: "last", last: "end" });
  const first = await s.engine({ workflows: [g], limits });
  const h = await first.engine.start(g, {}, { id: "large" });
  for (;;) {
    if ((await h.status()).waiting === "signal") break;
    await new Promise((r) => void setTimeout(r, 50));
  }
  await first.engine.stop();
  const { engine, client } = await s.engine({ workflows: [g], limits });
  await client.signal("large", "go", 1);
  const { result } = await client.waitForEnd(h.runId, { timeoutMs: 120_000 });
  const bytes = 20 * size;
  expect(result).toBeGreaterThan(bytes / 2);
  expect(bytes).toBeGreaterThan(16 * 1_048_576);
  const run = (await engine.get(g, "large"))!;
  const fork = await run.fork({ at: 3, id: "fork", by: "ann", reason: "all of it" });
  expect(await fork.result()).toBe(result);
});
