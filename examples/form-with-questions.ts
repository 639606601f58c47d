// Questions to a person, in a state graph: a node asks, the run leaves memory, and the node continues with the answer, which it puts into a channel. What the
// schema refuses leaves the question open; the second of two answers is refused; the release needs two different people.
import { engine, type OpenQuestion } from "pawl";
import { graph, last } from "pawl/graph";
import { z } from "zod";

const offer = graph({
  name: "offer",
  input: z.object({ customer: z.string() }),
  begin: ({ customer }) => ({ customer }),
  state: {
    customer: last(""),
    price: last<{ cents: number; by: string } | null>(null),
    checkedBy: last<string | null>(null),
    yes: last(0),
  },
  result: (s) =>
    s.price === null || s.checkedBy === null
      ? "nobody confirmed the price"
      : { cents: s.price.cents, by: s.price.by, checkedBy: s.checkedBy, yes: s.yes },
})
  .nodes({
    price: async ({ customer }, ctx) => {
      const price = await ctx.ask("price", {
        schema: z.object({ cents: z.int().min(1) }),
        text: `What do we ask ${customer} for?`,
        data: { customer },
        from: ["ann", "bob"],
      });
      return { price: { cents: price.value.cents, by: price.by } };
    },
    check: async ({ price }, ctx) => {
      const checked = await ctx.ask("check", { schema: z.boolean(), text: `${price!.cents} cents?`, notBy: [price!.by], timeout: "2d" });
      return { checkedBy: checked?.value === true ? checked.by : null };
    },
    release: async (_s, ctx) => {
      const votes = await ctx.ask("release", { schema: z.boolean(), text: "Send it?", votes: 2 });
      return { yes: votes.filter((v) => v.value).length };
    },
  })
  .edges({ start: "price", price: "check", check: (s) => (s.checkedBy === null ? "end" : "release"), release: "end" });

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
