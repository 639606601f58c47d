// An agent that takes orders for pizza. The model is a script, so nothing leaves this machine; put your own in its place. The kitchen cannot tell an order that is sent
// twice from two orders, so the tool says `once`.
import { agent, scripted, tool } from "pawl/agents";
import { z } from "zod";

const order = tool(
  { name: "order", description: "Order a pizza", input: z.object({ pizza: z.string() }) },
  ({ pizza }) => {
    console.log(`the kitchen makes a ${pizza}`);
    return { minutes: 20 };
  },
  { once: true },
);

export const waiter = agent({
  name: "waiter",
  model: scripted(
    [
      "We have margherita and funghi. Which one?",
      { text: "One moment.", calls: [{ tool: "order", input: { pizza: "funghi" } }] },
      "Your funghi is ready in 20 minutes.",
    ],
    { by: "conversation" },
  ),
  instructions: "You are a waiter. Order what the guest wants, once.",
  tools: [order],
});
