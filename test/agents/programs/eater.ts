// An agent in a process of its own whose tool ends the whole process by SIGKILL, as a leak or a native crash would. It notes each call in a file that no engine
// reads; once the run has ended, it says how.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { agent, scripted, tool } from "../../../src/agents.ts";
import { engine } from "../../../src/index.ts";

const [store = "", ledger = "", attempts] = process.argv.slice(2);
const eat = tool(
  { name: "eat", description: "Eat", input: z.object({ n: z.number() }) },
  () => {
    appendFileSync(ledger, "eaten\n");
    process.kill(process.pid, "SIGKILL");
    return new Promise<never>(() => {});
  },
  { repeatable: true },
);
const model = scripted([{ calls: [{ tool: "eat", input: { n: 1 } }] }, "done"], { by: "conversation" });
const eater = agent({ name: "eater", model, tools: [eat] });
const limits = attempts === undefined ? {} : { limits: { engineAttemptsMax: Number(attempts) } };
const app = await engine({ store, workflows: [eater], lease: "600s", onGivenUp: "fail", log: () => {}, ...limits });
const run = await app.start(eater, { prompt: "x" }, { id: "r" });
let state = await run.status();
const goesOn = (): boolean => state.status === "PENDING" || (state.status === "RUNNING" && state.waiting !== "decision");
for (; goesOn(); state = await run.status()) await sleep(20);
const code: unknown = await (state.status === "RUNNING" ? Promise.resolve() : run.result()).then(
  () => "none",
  (e: { cause?: { code?: string } }) => e.cause?.code,
);
console.log(`seen ${JSON.stringify({ status: state.status, code, decisions: (await app.decisions()).length })}`);
await app.stop();
process.exit(0);
