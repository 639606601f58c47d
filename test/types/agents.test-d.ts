// Tools and agents as types: what is inferred, and what must not compile. Nothing here runs.
// A line that compiles although it must not is an error of the compiler's: @ts-expect-error.
import { z } from "zod";
import { agent, asTool, generate, scripted, tool, toolbox, toolTx, type Message, type Model } from "../../src/agents.ts";
import { graph, last, type StateOf } from "../../src/graph.ts";
import { workflow } from "../../src/index.ts";
import type { InputOf, OutputOf } from "../../src/workflow/types.ts";

type Eq<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T | undefined => undefined;
declare const model: Model;
const Customer = z.object({ customerId: z.string() });

// @ts-expect-error a tool must say what may be repeated
tool({ name: "t", description: "d", input: z.object({}) }, () => 1, {});
// @ts-expect-error once and key contradict each other
tool({ name: "t", description: "d", input: z.object({}) }, () => 1, { once: true, key: () => "k" });
// @ts-expect-error an object with a name is not a tool
agent({ name: "x", model, tools: [{ name: "rm" }] });

const refund = tool(
  { name: "refund", description: "Refund a charge", input: z.object({ chargeId: z.string(), cents: z.number() }), context: Customer },
  async (i, s, c) => ({ ok: true as const, id: `${c.customerId}/${i.chargeId}/${s.key}` }),
  {
    key: (i) => `refund:${i.chargeId}`,
    dedup: "24h",
    approve: (i, c) => i.cents > 5000 && `refund ${i.cents} to ${c.customerId}?`,
    limit: { calls: 3, sum: { of: (i) => i.cents, max: 20_000 } },
    compensate: { undo: (r) => r.id.length, once: true },
    externalId: (r) => r.id,
  },
);
const look = tool({ name: "look", description: "Look up", input: z.object({ q: z.string() }) }, (i) => [i.q], { repeatable: true });
const book = toolTx(
  { name: "book", description: "Book", input: z.object({ sku: z.string() }) },
  async (i, db) => (await db.sql`update stock set n = n - 1 where sku = ${i.sku}`).changes,
);

export const support = agent({
  name: "support",
  model: [model, scripted(["hi"])],
  context: Customer,
  instructions: (c) => `Help customer ${c.customerId}.`,
  tools: [refund, look, book],
  output: z.object({ refunded: z.boolean() }),
  budget: { turns: 12, cost: { max: 1, price: (u) => (u.outputTokens ?? 0) * 1e-5 }, onEnd: "ask" },
});
declare const out: OutputOf<typeof support>;
// @ts-expect-error a run that stopped early has no output
void out.output.refunded;
if (out.stopped === undefined) is<Eq<typeof out.output.refunded, boolean>>();
else is<Eq<typeof out.stopped, "budget" | "length" | "refused" | "invalid" | "model">>();
declare const supportInput: InputOf<typeof support>;
is<Eq<typeof supportInput.context, { customerId: string }>>();
is<Eq<StateOf<NonNullable<(typeof support)["channels"]>>["messages"], Message[]>>();
// @ts-expect-error its tools need a context, and it has none
agent({ name: "y", model, tools: [refund] });
export const desk = agent({
  name: "desk",
  model,
  tools: [
    look,
    asTool({ name: "ask", description: "Ask", input: z.object({ q: z.string(), who: z.string() }) }, support, {
      in: (i) => ({ prompt: i.q, context: { customerId: i.who } }),
      out: (r) => r.text,
    }),
  ],
});

export const byHand = workflow({ name: "by-hand" }, async (ctx) => {
  const box = toolbox(ctx, [refund, look], { customerId: "c7" });
  const r = await box.call("refund", { chargeId: "c", cents: 1 });
  is<Eq<typeof r, { ok: true; id: string }>>();
  // @ts-expect-error no such tool
  await box.call("refnd", { chargeId: "c", cents: 1 });
  // @ts-expect-error wrong arguments
  await box.call("look", { chargeId: "c" });
  // @ts-expect-error refund needs a context
  toolbox(ctx, [refund]);
  const reply = await generate(ctx, "model", model, { messages: [], tools: [look] });
  is<Eq<typeof reply.text, string>>();
});
export const inNode = graph({ name: "in-node", state: { note: last("") } })
  .nodes({ one: async (_s, ctx) => ({ note: (await ctx.tools([look]).call("look", { q: "a" })).join() }) })
  .edges({ start: "one", one: "end" });
