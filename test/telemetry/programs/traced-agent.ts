// An agent with tracing. In a process of its own it says each span of a model or a tool that has ended, stands still in the second
// tool, and is killed there. It must never end by itself.
import { z } from "zod";
import { agent, scripted, tool } from "../../../src/agents.ts";
import { engine } from "../../../src/index.ts";
import { registerTracing } from "./tracing.ts";

const def = <const N extends string>(name: N) => ({ name, description: name, input: z.object({ n: z.number() }) });
const asks = (name: string) => ({ calls: [{ tool: name, input: { n: 1 } }] });

export const tracedAgent = (hold?: () => Promise<number>) =>
  agent({
    name: "support",
    model: scripted([asks("look"), asks("pay"), "done"], { by: "conversation", id: "script-1", provider: "openai.chat" }),
    tools: [
      tool(def("look"), (i) => i.n, { repeatable: true }),
      tool(def("pay"), (i) => hold?.() ?? i.n, { key: (i) => `pay-${i.n}`, dedup: "1h" }),
    ],
  });

if (process.argv[2] !== undefined) {
  const tracing = registerTracing();
  const genAi = (): string[] => tracing.spans().flatMap((s) => (s.attributes["gen_ai.operation.name"] === undefined ? [] : [s.name]));
  const hold = (): Promise<number> => {
    console.log(`ended ${JSON.stringify(genAi())}`);
    return new Promise<number>(() => {});
  };
  const a = tracedAgent(hold);
  const app = await engine({ store: `sqlite:${process.argv[2]}`, workflows: [a] });
  await app.start(a, { prompt: "canary-prompt" }, { id: "ticket-1" });
}
