// An effect that must never happen twice, at a bank that cannot be asked and does not remember keys. The bank pays, but its answer
// is lost: the step is in doubt, and Pawl sends nothing again. A person looks at the bank's book and answers, with a name and a
// reason. The run continues, and the proof says what it rests on. If you run it a second time, the payout is restarted and keeps
// what was paid: nothing is sent, and nobody is asked.
import { engine, workflow } from "pawl";
import { z } from "zod";

/** Pays, and never answers. */
const book: string[] = [];
function pay(to: string, key: string): Promise<string> {
  book.push(`${to} ${key}`);
  return new Promise(() => {});
}

const payout = workflow({ name: "payout", input: z.object({ to: z.string() }) }, async (ctx, { to }) => {
  const reference = await ctx.step("pay", (s) => pay(to, s.key), { key: `payout-${to}`, timeout: "200ms" });
  return `paid: ${reference}`;
});

const app = await engine({ workflows: [payout] });
const handle = await app.start(payout, { to: "ann" }, { id: "payout-ann", onConflict: "restart" });

// What waits for a person: `pawl decisions` prints the same.
let [decision] = await app.decisions();
while (decision === undefined && (await handle.status()).status === "RUNNING") {
  await new Promise((resolve) => setTimeout(resolve, 50));
  [decision] = await app.decisions();
}
if (decision !== undefined) {
  console.log(decision.kind, decision.step?.name, decision.step?.class, "-", decision.reason);
  console.log(decision.answers.map((a) => a.answer).join(" | "));

  // The person looks, and answers: `pawl resolve payout-ann --by ann --reason … --happened --result …`.
  const found = book.find((line) => line.endsWith("payout-ann"));
  console.log("the book says:", found);
  await app.resolve(decision.decisionId, { by: "clerk", reason: "it is in the bank's book", happened: true, result: "tr-77" });
}

console.log(await handle.result());
const proof = await handle.proof();
console.log(proof.effects[0]?.sentence);
for (const [i, assumption] of proof.assumptions.entries()) console.log(`${i + 1}. ${assumption}`);
await app.stop();
