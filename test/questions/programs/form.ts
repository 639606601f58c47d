// A graph that asks five questions, a step before each, and then three at once, in a process that is killed. Each step writes a line to a file that no
// engine reads; each question is said on standard output.
import { z } from "zod";
import { append, graph, send } from "../../../src/graph.ts";
import { engine } from "../../../src/index.ts";
import { send as act } from "../../crash/programs/receiver.ts";

const [store = "", ledger = ""] = process.argv.slice(2);
const form = graph({ name: "form", state: { said: append<string>() } })
  .nodes(({ each }) => ({
    ask: async (s, ctx) => {
      const no = s.said.length + 1;
      await ctx.step(`before ${no}`, (x) => act(ledger, { key: `step-${no}`, fence: x.fence }), { once: true });
      const answer = await ctx.ask("question", { schema: z.string().min(1), text: `question ${no}` });
      return { said: answer.value };
    },
    one: each(z.string(), async (who, _s, ctx) => {
      await ctx.step("before", (x) => act(ledger, { key: `step-${who}`, fence: x.fence }), { once: true });
      const answer = await ctx.ask("question", { schema: z.string().min(1), text: `question ${who}` });
      return { said: answer.value };
    }),
  }))
  .edges({ start: "ask", ask: (s) => (s.said.length < 5 ? "ask" : ["a", "b", "c"].map((who) => send("one", who))), one: "end" });

const e = await engine({ store, workflows: [form], lease: "1s", onDecision: (d) => console.log(`asked ${d.reason}`) });
const handle = await e.start(form, {}, { id: "form-1" });
console.log("ready");
const { said } = await handle.result();
console.log(`result ${said.join(",")}`);
await e.stop();
