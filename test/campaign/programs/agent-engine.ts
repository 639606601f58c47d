// One engine of the agents part, in a process of its own, to be killed: it starts its agents, or finds them, and works on them. The model is a script; the
// tools write their calls to a file that no engine reads. With the planted bug, every tool claims that it may be repeated.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { agent, scripted, tool, toolTx, type StreamScope } from "../../../src/agents.ts";
import { engine } from "../../../src/index.ts";
import { breaksOff, callsOfTurn, noteLine, readLines, turns, type ToolName } from "./agent-script.ts";
import { insist } from "./insist.ts";

export interface AgentDuty {
  readonly store: string;
  readonly ledger: string;
  readonly agents: readonly string[];
  readonly sendsAgain?: true;
}

const { store, ledger, agents, sendsAgain } = JSON.parse(process.argv[2] ?? "{}") as AgentDuty;
const input = z.object({ agent: z.string(), call: z.string() });
type Input = z.infer<typeof input>;

const act = (name: ToolName) => async (i: Input, s: StreamScope) => {
  noteLine(ledger, { what: "tool", agent: i.agent, tool: name, call: i.call, key: s.key });
  await pause(3);
  if (breaksOff(i.call) && readLines(ledger).filter((l) => l.what === "tool" && l.agent === i.agent && l.call === i.call).length === 1)
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  return `done ${i.call}`;
};
const def = <N extends ToolName>(name: N) => ({ name, description: `The tool ${name}`, input });
const limits = { timeout: "2s" } as const;
const repeats = { repeatable: true } as const;
const tools = [
  tool(def("once"), act("once"), sendsAgain === true ? repeats : { ...limits, once: true }),
  tool(def("keyed"), act("keyed"), sendsAgain === true ? repeats : { ...limits, key: (i) => `${i.agent}:${i.call}`, dedup: "1d" }),
  tool(
    def("verified"),
    act("verified"),
    sendsAgain === true
      ? repeats
      : {
          ...limits,
          settle: "200ms",
          verify: async (i, s) =>
            readLines(ledger).some((l) => l.what === "tool" && l.key === s.key)
              ? { state: "completed-with-result", result: `done ${i.call}` }
              : { state: "not-completed" },
        },
  ),
  tool(def("reads"), act("reads"), repeats),
  toolTx(def("rows"), async (i, db) => void (await db.sql`insert into agent_rows (agent, nr) values (${i.agent}, ${i.call})`)),
];

const model = scripted(
  Array.from({ length: turns + 1 }, (_, turn) => (r) => {
    const name = r.messages.flatMap((m) => (m.role === "user" ? m.content : [])).flatMap((p) => (p.type === "text" ? [p.text] : []))[0]!;
    noteLine(ledger, { what: "model", agent: name, turn });
    return turn === turns ? "done" : { calls: callsOfTurn(name, turn) };
  }),
  { by: "conversation" },
);
const worker = agent({ name: "worker", model, tools, budget: { turns: turns + 1 } });

const app = await insist(() => engine({ store, workflows: [worker], lease: "1s", log: () => {} }));
for (const id of agents) await insist(() => app.start(worker, { prompt: id }, { id }));
console.log("ready");
process.stdin.on("data", () => void app.stop().then(() => process.exit(0)));
