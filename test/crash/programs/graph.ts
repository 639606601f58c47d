// A graph in a process of its own, killed wherever PAWL_CRASH says: two branches of other classes, a loop, random numbers. Every effect leaves a line in
// a ledger that no engine reads. Told to finish, it continues the run, answers what a person is asked from that ledger, and prints the result.
// With a third argument a step of the third superstep says "holds" once the other branch has sent, and does not end before that file is there.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { engine } from "../../../src/index.ts";
import { append, graph, last, sum } from "../../../src/graph.ts";
import { arrived, send } from "./receiver.ts";

const [store = "", ledger = "", hold] = process.argv.slice(2);

async function holds(rounds: number): Promise<void> {
  if (hold === undefined || rounds !== 1) return;
  // Who is stopped between the last look at the clock and the send, sends when it is woken: nobody can prevent that.
  while (!arrived(ledger).some((r) => r.key === "tell-1")) await sleep(5);
  console.log("holds");
  while (!existsSync(hold)) await sleep(10);
}

const g = graph({ name: "orders", state: { lines: append<string>(), draws: append<number>(), rounds: sum(), at: last("") } })
  .nodes(({ effect }) => ({
    ship: async (s, ctx) => {
      const key = `ship-${s.rounds}`;
      const line = await ctx.step(
        "ship",
        async (scope) => {
          send(ledger, { key, fence: scope.fence });
          await holds(s.rounds);
          return key;
        },
        { key, dedup: "24h" },
      );
      return { lines: line, draws: ctx.random() };
    },
    tell: async (s, ctx) => {
      const key = `tell-${s.rounds}`;
      return {
        lines: await ctx.step("tell", (scope) => (send(ledger, { key, fence: scope.fence }), key), { once: true, timeout: "500ms" }),
        draws: ctx.random(),
      };
    },
    count: effect(async (s) => ({ rounds: 1, at: `after ${s.lines.length}` }), { repeatable: true }),
  }))
  .edges({ start: ["ship", "tell"], ship: "count", tell: "count", count: (s) => (s.rounds < 2 ? ["ship", "tell"] : "end") });

const app = await engine({ store, workflows: [g], lease: "1s", limits: { snapshotTailBytesMin: 1 } });
const h = (await app.get(g, "orders")) ?? (await app.start(g, {}, { id: "orders" }));
console.log(`run ${h.runId}`);
let over = false;
const result = h.result().finally(() => (over = true));
while (!over) {
  for (const d of await app.decisions()) {
    const key = `tell-${JSON.stringify(d).includes("1/tell/tell") ? 0 : 1}`;
    const happened = arrived(ledger).some((r) => r.key === key);
    const who = { by: "ann", reason: "the ledger says so" };
    await app.resolve(d.decisionId, happened ? { happened: true, result: key, ...who } : { happened: false, ...who }).catch(() => {});
  }
  await Promise.race([result.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 50))]);
}
console.log(`result ${JSON.stringify(await result)}`);
await app.stop();
