// A chat of two turns with a stop before and after each reply, in a process that is killed wherever PAWL_CRASH says. Started again it is the same
// program: it finds what stands, answers what is asked, and asks for the second turn under the id that it had before. Told "turn", it ends the turn
// that stands and asks for none; told "hold", it answers nothing and says
// what is asked beside what it is told is known.
import { z } from "zod";
import { append, graph } from "../../../src/graph.ts";
import { engine } from "../../../src/index.ts";
import { send } from "./receiver.ts";

const [store = "", ledger = "", told = "", ...known] = process.argv.slice(2);
const requestId = "0b7c3f0e-7f0c-4d5c-9e0b-5b1f6a0f3a11";

const talk = graph({
  name: "talk",
  input: z.object({ text: z.string() }),
  begin: (i) => ({ said: `you: ${i.text}` }),
  state: { said: append<string>() },
  result: (s) => s.said,
})
  .nodes({
    reply: async (s, ctx) => {
      const key = `reply ${s.said.length}`;
      return {
        said: await ctx.step("reply", (x) => (send(ledger, { key, fence: x.fence }), `bot: ${s.said.length}`), { key, dedup: "24h" }),
      };
    },
  })
  .edges({ start: "reply", reply: "end" }, { interruptBefore: ["reply"], interruptAfter: ["reply"] });

const app = await engine({ store, workflows: [talk], lease: "1s" });
type Turn = NonNullable<Awaited<ReturnType<typeof app.get<typeof talk>>>>;

/** Answers what a turn asks until it has ended. */
async function play(turn: Turn): Promise<readonly string[]> {
  let over = false;
  const result = turn.result().finally(() => (over = true));
  result.catch(() => {});
  while (!over) {
    for (const q of await turn.questions()) {
      if (told === "hold") {
        if (known.includes(q.questionId)) continue; // its answer is there, and not taken yet
        console.log(`holds ${q.questionId}`);
        await new Promise(() => {});
      }
      await turn.answer(q.questionId, true, { by: "ann", submissionId: `s-${q.questionId}` });
    }
    await Promise.race([result.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 20))]);
  }
  return result;
}

const last = (await app.get(talk, "talk")) ?? (await app.start(talk, { text: "a" }, { id: "talk" }));
const said = await play(last);
if (told === "turn") console.log(`turn ${JSON.stringify(said)}`);
else {
  const second = await last.next({ text: "b" }, { requestId });
  console.log(`result ${JSON.stringify(await play(second))}`);
}
await app.stop();
