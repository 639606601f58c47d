// The run that a fork was forked from, and retention: it is kept while a fork, a fork of that fork or a retry of one has not ended, and goes
// afterwards. Nothing that a fork may still have to read is ever taken away.
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { graph, sum } from "../../src/graph.ts";
import { proves } from "../support/proves.ts";
import { testStores, type TestStore } from "../support/test-store.ts";

const open: TestStore[] = [];
afterEach(async () => {
  for (const s of open.splice(0)) await s.close();
});
const why = { by: "ann", reason: "another way" };

it.each(testStores)("%s: retention keeps the source of a fork until the fork has ended", proves("LX-15"), async (_name, make) => {
  const s = await make();
  open.push(s);
  let sent = 0;
  let isBroken = false;
  const g = graph({ name: "held", state: { n: sum() }, signals: { go: z.boolean() } })
    .nodes({
      a: () => ({ n: 1 }),
      b: async (_s, ctx) => {
        await ctx.receive("go");
        if (isBroken) ctx.fail("no");
        await ctx.receive("go");
        return { n: await ctx.step("pay", () => ++sent, { once: true, input: 1 }) };
      },
    })
    .edges({ start: "a", a: "b", b: "end" });
  const { engine, client } = await s.engine({ workflows: [g] });
  const keep = { keepPayloads: 0, keepRuns: 0, keepKeys: 0 } as const;
  const prune = async () => {
    await new Promise((r) => void setTimeout(r, 20));
    return client.applyRetention(keep);
  };
  const source = await engine.start(g, {}, { id: "source" });
  for (let i = 0; i < 2; i++) await source.signal("go", true);
  await source.result();
  const first = await source.fork({ at: 1, id: "first", ...why });
  expect(await client.applyRetention(keep, { dryRun: true })).toMatchObject({ purged: 0, kept: { open: 1 } });
  expect(await prune()).toMatchObject({ expired: 0, purged: 0, kept: { open: 1 } });
  isBroken = true;
  await first.signal("go", true);
  await expect(first.result()).rejects.toThrow("no");
  isBroken = false;
  const again = await first.retry();
  expect(await prune(), "a retry of the fork reads the same logs").toMatchObject({ purged: 0 });
  await again.signal("go", true);
  expect(await again.result()).toEqual({ n: 2 });
  const second = await again.fork({ at: 1, id: "second", ...why });
  expect(await prune(), "so does a fork of the retry").toMatchObject({ purged: 0 });
  for (let i = 0; i < 2; i++) await second.signal("go", true);
  expect(await second.result()).toEqual({ n: 2 });
  expect(sent, "the chain was known to the end").toBe(1);
  expect(await prune()).toMatchObject({ purged: 4 });
  expect(await s.store.kv.list({ collection: "fork", limit: 10 })).toEqual([]);
});
