// The same graph with the same input gives the same state to the byte, whatever takes how long: random graphs, steps that take random times, engines that
// are killed. PAWL_GRAPH_RUNS=1000 tries a thousand runs.
import fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { z } from "zod";
import { append, graph, send } from "../../src/graph.ts";
import { endedSupersteps } from "../../src/events/graph-log.ts";
import { proves } from "../support/proves.ts";
import { testClusters, type TestCluster } from "../support/test-cluster.ts";
import { randomGraph } from "../snapshot/random-graph.ts";

const fresh = testClusters();
const runs = Number(process.env["PAWL_GRAPH_RUNS"] ?? "100");

const pauseOn = (l: TestCluster, ms: number): Promise<void> => new Promise((done) => void l.platform.timer(ms, done));
const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** What is the same in every run: the state after each superstep, what came next, and where each edge led. No id and no time of a run. */
async function courseOf(l: TestCluster, runId: string): Promise<string> {
  const all = [...endedSupersteps(await l.log(runId))];
  return hashOf(all.map(({ superstep, values, items, next }) => ({ superstep, values, items, next })));
}

it(
  "a random graph gives the same states in every run, however long its steps take",
  { ...proves("LX-03"), timeout: 60_000 + runs * 3_000 },
  async () => {
    const perGraph = 5;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 100 })),
        async (seed, delays) => {
          const seen = new Set<string>();
          for (let i = 0; i < perGraph; i++) {
            const l = await fresh("memory", i + 1);
            const { wf, child } = randomGraph(seed, "random", { calm: true, delay: () => pauseOn(l, delays.next().value as number) });
            const { engine } = await l.engine([wf, child]);
            const h = await (engine.start as (...a: unknown[]) => Promise<{ runId: string; result(): Promise<unknown> }>)(
              wf,
              {},
              { id: "r" },
            );
            await l.advanceUntil(h.result());
            seen.add(await courseOf(l, h.runId));
          }
          expect(seen.size).toBe(1);
        },
      ),
      { numRuns: Math.ceil(runs / perGraph) },
    );
  },
);

const branches = graph({ name: "branches", state: { got: append<number>() } });
const merging = (delay: () => Promise<void>) =>
  branches
    .nodes(({ each }) => ({
      work: each(z.number(), async (i, _s, ctx) => ({
        got: await ctx.step("s", async () => (await delay(), i), { repeatable: true }),
      })),
    }))
    .edges({ start: () => [0, 1, 2, 3, 4].map((i) => send("work", i)), work: "end" });

it("five branches with random delays merge the same in each of 50 runs", proves("LX-03"), async () => {
  const l = await fresh("memory", 3);
  const ended: number[][] = [];
  const hashes = new Set<string>();
  let order: number[] = [];
  let next = 1;
  const random = (): number => (next = (next * 48_271) % 2_147_483_647) % 101;
  const g = merging(async () => {
    const ms = random();
    await pauseOn(l, ms);
    order.push(ms);
  });
  const { engine } = await l.engine([g]);
  for (let i = 0; i < 50; i++) {
    order = [];
    const h = await engine.start(g, {}, { id: `r-${i}` });
    hashes.add(hashOf(await l.advanceUntil(h.result())));
    ended.push(order);
  }
  expect([...hashes]).toEqual([hashOf({ got: [0, 1, 2, 3, 4] })]);
  expect(new Set(ended.map((o) => o.join())).size).toBeGreaterThan(10); // they did end in other orders
});
