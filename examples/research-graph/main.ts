// A state graph: searches run side by side, a loop asks again until enough was found, and a failure leads to a handler. Killed at any moment, it
// continues at its last superstep, and no finished search is made again. At the end it travels back: where it stood after each superstep, and
// another run from there with an edited state.
import { engine } from "pawl";
import { append, byId, graph, last, send, sum } from "pawl/graph";
import { z } from "zod";

const library: Readonly<Record<string, readonly string[]>> = {
  owls: ["Owls hunt at night.", "Owls turn their heads."],
  barn: ["Barn owls nest in barns."],
};

const research = graph({
  name: "research",
  input: z.object({ topics: z.array(z.string()) }),
  begin: (i) => ({ topics: i.topics }),
  state: {
    topics: last<string[]>([]),
    facts: byId<{ id: string; text: string }>(),
    missing: append<string>(),
    rounds: sum(),
  },
  result: (s) => ({ facts: s.facts.map((f) => f.text), missing: s.missing, rounds: s.rounds }),
  concurrency: 4,
})
  .nodes(({ each }) => ({
    search: each(z.object({ topic: z.string() }), async ({ topic }, _s, ctx) => {
      const found = await ctx.step("search", () => library[topic] ?? [], { repeatable: true });
      if (found.length === 0) throw new Error(`nothing about ${topic}`);
      return { facts: found.map((text, i) => ({ id: `${topic}-${i}`, text })) };
    }),
    note: (_s, ctx) => ({ missing: ctx.failures.map((f) => f.message) }),
    decide: (s) => ({ rounds: 1, topics: s.facts.length < 3 ? ["barn"] : [] }),
  }))
  .edges(
    {
      start: (s) => s.topics.map((topic) => send("search", { topic })),
      search: "decide",
      note: "end",
      decide: (s) => (s.topics.length === 0 ? "end" : s.topics.map((topic) => send("search", { topic }))),
    },
    { catch: { search: "note" } },
  );

const app = await engine({ workflows: [research] });
const first = await app.start(research, { topics: ["owls", "newts"] }, { id: "owls" });
console.log(await first.result());

for (const { superstep, values, next } of await first.history())
  console.log(`after superstep ${superstep}: ${values.facts.length} facts, next ${next.map((n) => n.node).join(", ") || "nothing"}`);

const other = await first.fork({
  at: 1,
  id: "owls-2",
  update: { facts: { id: "mine", text: "Owls see well." } },
  by: "ann",
  reason: "I knew that one",
});
console.log(await other.result());
await app.stop();
