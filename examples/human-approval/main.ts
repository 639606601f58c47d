// The expense on a virtual clock, with each of its three ends. Then the approved one is killed in every window, and a person answers
// what the bank's book says whenever the payment is in doubt. The same with real processes:
// pawl crashtest examples/human-approval/expense.ts -P id=e-1 -P cents=900 --signal 'decided={"by":"ann","yes":true}'
import { crashMatrix, testEngine } from "pawl/testing";
import { expense, outside } from "./expense.ts";

const t = await testEngine({ workflows: [expense] });
for (const [id, answer] of Object.entries({ "e-1": { by: "ann", yes: true }, "e-2": { by: "bob", yes: false }, "e-3": undefined })) {
  const h = await t.start(expense, { id, cents: 900 });
  if (answer !== undefined) await h.signal("decided", answer);
  console.log(id, await h.result(), await h.view("state")); // three days pass for e-3
}
await t.stop();

const matrix = await crashMatrix(
  expense,
  { id: "e-1", cents: 900 },
  {
    world: outside,
    drive: async (h, engine) => {
      await h.signal("decided", { by: "ann", yes: true });
      await engine.until(h, { waiting: "decision" });
      await engine.advance("5m"); // that it did not happen can be said only when no request can arrive any more
      const [doubt] = await engine.decisions();
      const who = { by: "clerk", reason: "it is so in the bank's book" };
      if (doubt !== undefined)
        await engine.resolve(doubt.decisionId, outside.count("payment") > 0 ? { ...who, happened: true } : { ...who, happened: false });
    },
  },
);
console.log(`\n${matrix.ok ? "paid once, whatever happened" : "a promise was broken"}\n${matrix.table()}`);
