// The loop of an agent, written by hand: a model is asked, the tools node makes its calls, and it is asked again. The model asks for the same refund twice; the
// bank makes it once.
import { engine } from "pawl";
import { callsOf, scripted, tool, userMessage, type Message } from "pawl/agents";
import { byId, graph, last, send } from "pawl/graph";
import { z } from "zod";

const refund = tool(
  {
    name: "refund",
    description: "Refund a charge",
    input: z.object({ chargeId: z.string() }),
    context: z.object({ customerId: z.string() }),
  },
  (i, _s, c) => {
    console.log(`the bank refunds ${i.chargeId} to ${c.customerId}`);
    return { refundId: `re_${i.chargeId}` };
  },
  { key: (i) => `refund:${i.chargeId}`, dedup: "24h" },
);
const call = { calls: [{ tool: "refund", input: { chargeId: "ch_7" } }] };
const model = scripted([call, call, "You have your money back."], { by: "conversation" });

const support = graph({ name: "support", state: { messages: byId<Message>(), customerId: last("") } })
  .nodes(({ tools }) => ({
    ask: async (s, ctx) => ({ messages: (await ctx.model("model", model, { messages: s.messages, tools: [refund] })).message }),
    tools: tools([refund], { into: "messages", context: (s) => ({ customerId: s.customerId }) }),
  }))
  .edges({
    start: "ask",
    ask: (s) => {
      const calls = callsOf(s.messages);
      return calls.length === 0 ? "end" : calls.map((c) => send("tools", c));
    },
    tools: "ask",
  });

const app = await engine({ workflows: [support] });
const run = await app.start(support, { messages: userMessage("I was charged twice."), customerId: "c7" }, { id: "ticket-18" });
for (const { role, content } of (await run.result()).messages)
  for (const part of content) {
    if (part.type === "text") console.log(`${role}: ${part.text}`);
    if (part.type === "tool-result")
      console.log(`${role}: ${part.outcome}${part.repeatOf === undefined ? "" : `, as in ${part.repeatOf}`}`);
  }
await app.stop();
