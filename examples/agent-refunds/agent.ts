// A support agent that may refund charges. The model is a script, so nothing leaves this machine; the bank is a file that counts what was done. A refund needs a
// person's approval from 50.00 on, the bank knows its key for 24 hours, and a run may refund 200.00 at most.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { agent, scripted, tool } from "pawl/agents";
import { z } from "zod";

/** One line for each refund that was made. */
const bank = "bank.jsonl";
export const refunds = (): string[] => (existsSync(bank) ? readFileSync(bank, "utf8").trim().split("\n") : []);

const Customer = z.object({ customerId: z.string() });

const charges = tool(
  { name: "charges", description: "The customer's charges", input: z.object({}), context: Customer },
  (_i, _s, c) => [{ chargeId: "ch_7", cents: 7500, of: c.customerId }],
  { repeatable: true },
);

const refund = tool(
  { name: "refund", description: "Refund a charge", input: z.object({ chargeId: z.string(), cents: z.number() }), context: Customer },
  (i, s, c) => {
    const known = refunds().find((line) => line.includes(`"${s.key}"`));
    if (known === undefined) appendFileSync(bank, `${JSON.stringify({ key: s.key, ...i, customer: c.customerId })}\n`);
    return { refundId: `re_${i.chargeId}` };
  },
  {
    key: (i) => `refund:${i.chargeId}`,
    dedup: "24h",
    approve: (i, c) => i.cents >= 5000 && `refund ${i.cents / 100} to ${c.customerId}?`,
    limit: { calls: 3, sum: { of: (i) => i.cents, max: 20_000 } },
    externalId: (r) => r.refundId,
  },
);

const asksForRefund = { calls: [{ tool: "refund", input: { chargeId: "ch_7", cents: 7500 } }] };

export const support = agent({
  name: "support",
  // A model that forgets what it has done: it asks for the same refund twice.
  model: scripted([{ calls: [{ tool: "charges", input: {} }] }, asksForRefund, asksForRefund, "I have refunded 75.00."], {
    by: "conversation",
  }),
  context: Customer,
  instructions: "Help the customer. Refund only what was charged.",
  tools: [charges, refund],
  budget: { turns: 8 },
});
