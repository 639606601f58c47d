// Questions to a person: the run asks, leaves memory, and continues with the answer. What the schema refuses leaves the question open; the second of two
// answers is refused; the release needs two different people.
import { engine, workflow, type OpenQuestion } from "pawl";
import { z } from "zod";

const offer = workflow({ name: "offer", input: z.object({ customer: z.string() }) }, async (ctx, { customer }) => {
  const price = await ctx.ask("price", {
    schema: z.object({ cents: z.int().min(1) }),
    text: `What do we ask ${customer} for?`,
    data: { customer },
    from: ["ann", "bob"],
  });
  const checked = await ctx.ask("check", { schema: z.boolean(), text: `${price.value.cents} cents?`, notBy: [price.by], timeout: "2d" });
  if (checked === undefined || !checked.value) return "nobody confirmed the price";
  const votes = await ctx.ask("release", { schema: z.boolean(), text: "Send it?", votes: 2 });
  return { cents: price.value.cents, by: price.by, checkedBy: checked.by, yes: votes.filter((v) => v.value).length };
});

const app = await engine({ workflows: [offer] });
const handle = await app.start(offer, { customer: "Carla" }, { id: "offer-1", onConflict: "restart" });

async function asked(name: string): Promise<OpenQuestion> {
  for (;;) {
    const found = (await handle.questions()).find((q) => q.name === name);
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
}
const refused = (e: { code?: string; message: string }) => console.log(e.code, e.message.replaceAll(/\S+:\d+ at \S+/g, "<question>"));

const price = await asked("price");
console.log(price.text, price.from?.join(", "));
await handle.answer(price.questionId, { cents: 0 }, { by: "ann" }).catch(refused);
await handle.answer(price.questionId, { cents: 100 }, { by: "eve" }).catch(refused);
const first = await handle.answer(price.questionId, { cents: 900 }, { by: "ann", submissionId: "form-1" });
const again = await handle.answer(price.questionId, { cents: 900 }, { by: "ann", submissionId: "form-1" });
console.log(first.state, again.replayed);
await handle.answer(price.questionId, { cents: 950 }, { by: "bob" }).catch(refused);

const check = await asked("check");
await handle.answer(check.questionId, true, { by: "ann" }).catch(refused);
await handle.answer(check.questionId, true, { by: "bob" });

const release = await asked("release");
console.log((await handle.answer(release.questionId, true, { by: "ann" })).state);
console.log((await handle.answer(release.questionId, true, { by: "carl" })).state);
console.log(await handle.result());
await app.stop();
