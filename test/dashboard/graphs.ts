// Graphs for the shop of the tests: one that searches, fails in a branch and loops, with channels and values that would break a page, and an agent whose model is a script.
// Nothing leaves the process.
import { z } from "zod";
import { agent, scripted, tool } from "../../src/agents.ts";
import { append, graph, last, send, sum } from "../../src/graph.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { hostile } from "./shop.ts";

/** A channel that nobody would call so, except to break a page. */
export const oddChannel = `<img src=x onerror="window.hit=1"> \u202eodd`;

/** `calm`: nothing in them is made to break a page. */
export function graphWorkflows(calm = false): Readonly<Record<string, AnyWorkflow>> {
  const { big, script, right, minusZero, bytes, map } = hostile;
  const odd = calm ? "sources" : oddChannel;
  const research = graph({
    name: "research",
    input: z.object({ topics: z.array(z.string()) }),
    begin: (i) => ({ topics: i.topics }),
    state: {
      topics: last<string[]>([]),
      facts: append<string>(),
      missing: append<string>(),
      rounds: sum(),
      [odd]: last<unknown>(null),
    },
    result: (s) => ({ facts: s.facts.length, rounds: s.rounds }),
    concurrency: 4,
  })
    .nodes(({ each }) => ({
      search: each(z.object({ topic: z.string() }), async ({ topic }, _s, ctx) => {
        const found = await ctx.step(
          "search",
          () => (topic === "newts" ? [] : [calm ? `${topic} hunt at night` : `${topic}: <b>found</b>`]),
          {
            repeatable: true,
            input: { topic },
          },
        );
        if (found.length === 0) throw new Error(`nothing about ${topic}`);
        return { facts: found };
      }),
      note: (_s, ctx) => ({ missing: ctx.failures.map((f) => f.message) }),
      decide: (s) => ({
        rounds: 1,
        topics: s.rounds === 0 ? ["barn"] : [],
        [odd]: calm ? 2 : { big, script, right, minusZero, bytes, map },
      }),
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
  const charges = tool(
    { name: "charges", description: "The customer's charges", input: z.object({}) },
    () => [{ chargeId: "ch_7", cents: 7500, note: calm ? "monthly fee" : script }],
    { repeatable: true },
  );
  const refund = tool(
    { name: "refund", description: "Refund a charge", input: z.object({ chargeId: z.string(), cents: z.number() }) },
    (i) => {
      if (i.cents > 7500) throw new Error("more than was charged");
      return { refundId: `re_${i.chargeId}` };
    },
    {
      key: (i) => `refund:${i.chargeId}:${i.cents}`,
      dedup: "24h",
      approve: (i) => i.cents === 7500 && "refund 75.00?",
      retry: { attempts: 1 },
    },
  );
  const refunds = (cents: number): { tool: string; input: { chargeId: string; cents: number } } => ({
    tool: "refund",
    input: { chargeId: "ch_7", cents },
  });
  // It forgets what it has done, and asks for the same refund twice.
  const turns = [
    { calls: [{ tool: "charges", input: {} }], text: "I look at the charges." },
    { calls: [refunds(7500), refunds(9900)] },
    { calls: [refunds(7500)] },
    calm ? "I have refunded 75.00. The second charge was not made by us." : `I have refunded 75.00. ${right}${script}`,
  ];
  const support = agent({
    name: "support",
    model: scripted(turns, { by: "conversation", id: "helper-1" }),
    instructions: "Refund only what was charged.",
    tools: [charges, refund],
    budget: { turns: 8, cost: { max: 10, price: (u) => ((u.inputTokens ?? 0) + (u.outputTokens ?? 0)) / 1_000 } },
  });
  return { research, support } as unknown as Record<string, AnyWorkflow>;
}
