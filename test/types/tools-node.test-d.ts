// The tools node of state graphs as types: what is inferred, and what must not compile.
// `npm run types` compiles this file and nothing ever runs it.
import { callsOf, tool, type Message, type Model, type ToolCall, type ToolMessage } from "pawl/agents";
import { append, byId, graph, last, reduce, send, sum } from "pawl/graph";
import { z } from "zod";

declare const model: Model;
declare const call: ToolCall;
const look = tool({ name: "look", description: "Look up", input: z.object({ q: z.string() }) }, (i) => [i.q], { repeatable: true });
const refund = tool(
  { name: "refund", description: "Refund", input: z.object({ cents: z.number() }), context: z.object({ customerId: z.string() }) },
  (i, _s, c) => `${c.customerId} ${i.cents}`,
  { once: true },
);

// A loop by hand.
export const react = graph({ name: "react", state: { messages: byId<Message>() } })
  .nodes(({ tools }) => ({
    agent: async (s, ctx) => ({ messages: (await ctx.model("model", model, { messages: s.messages, tools: [look] })).message }),
    tools: tools([look], { into: "messages" }),
  }))
  .edges({
    start: "agent",
    agent: (s) => {
      const calls = callsOf(s.messages);
      return calls.length === 0 ? "end" : calls.map((c) => send("tools", c));
    },
    tools: "agent",
  });

const base = graph({
  name: "base",
  state: {
    messages: append<Message>(),
    results: append<ToolMessage>(),
    planned: last<readonly ToolCall[]>([]),
    outcomes: reduce([] as string[], (a: string[], m: ToolMessage) => [...a, m.content[0]!.outcome]),
    customer: last({ customerId: "c7" }),
    one: last<Message | null>(null),
    anything: last<unknown>(null),
    texts: append<string>(),
    n: sum(),
  },
});
base.nodes(({ tools }) => ({ t: tools([look], { into: "results", timeout: "1h", alone: true, capabilities: { web: "ask" } }) }));
base.nodes(({ tools }) => ({ t: tools([look], { into: "outcomes", capabilities: (s) => ({ web: s.n > 1 ? "deny" : "allow" }) }) }));
base.nodes(({ tools }) => ({ t: tools([refund, look], { into: "messages", context: (s) => s.customer }) }));
// @ts-expect-error a misspelt channel
base.nodes(({ tools }) => ({ t: tools([look], { into: "mesages" }) }));
// @ts-expect-error a channel of something else
base.nodes(({ tools }) => ({ t: tools([look], { into: "texts" }) }));
// @ts-expect-error a number is no message
base.nodes(({ tools }) => ({ t: tools([look], { into: "n" }) }));
// @ts-expect-error one message only: the results of two calls would not fit
base.nodes(({ tools }) => ({ t: tools([look], { into: "one" }) }));
// @ts-expect-error one value only
base.nodes(({ tools }) => ({ t: tools([look], { into: "anything" }) }));
// @ts-expect-error without a channel
base.nodes(({ tools }) => ({ t: tools([look], {}) }));
// @ts-expect-error refund needs a context
base.nodes(({ tools }) => ({ t: tools([refund], { into: "messages" }) }));
const tagged = tool(
  { name: "tag", description: "Tag", input: z.object({}), context: z.object({ tags: z.array(z.string()) }) },
  (_i, _s, c) => c.tags.length,
  { repeatable: true },
);
base.nodes(({ tools }) => ({ t: tools([refund, tagged], { into: "messages", context: () => ({ customerId: "c7", tags: ["a"] }) }) }));
base.nodes(({ tools }) => ({ t: tools([tagged], { into: "messages", context: (s) => ({ tags: s.texts }) }) }));
// @ts-expect-error of two contexts, one is missing
base.nodes(({ tools }) => ({ t: tools([refund, tagged], { into: "messages", context: (s) => s.customer }) }));
// @ts-expect-error another context
base.nodes(({ tools }) => ({ t: tools([refund], { into: "messages", context: (s) => ({ customer: s.customer }) }) }));
// @ts-expect-error an object with a name is not a tool
base.nodes(({ tools }) => ({ t: tools([{ name: "rm" }], { into: "messages" }) }));
// @ts-expect-error there is no such verdict
base.nodes(({ tools }) => ({ t: tools([look], { into: "messages", capabilities: { web: "maybe" } }) }));

// It is reached by sends of tool calls only.
const one = base.nodes(({ tools }) => ({ t: tools([look], { into: "messages" }) }));
one.edges({ start: () => send("t", call), t: "end" });
one.edges({ start: (s) => s.planned.map((c) => send("t", c)), t: "end" });
// @ts-expect-error a node with inputs is reached by send only
one.edges({ start: "t", t: "end" });
// @ts-expect-error its input is a tool call
one.edges({ start: () => send("t", { q: "a" }), t: "end" });
