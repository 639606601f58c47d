// An agent, or a graph with a tools node, in a process of its own, to be killed around one call of a tool. The tool writes each call to a file that no engine reads; the model asks for
// the same call twice. "hold": it stays where the call's result is kept in the effect store and the store knows nothing of it. Otherwise it goes on until the
// run has ended or waits for a person, and tells what it sees.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { agent, callsOf, scripted, tool, userMessage, type Message, type StreamScope } from "../../../src/agents.ts";
import { byId, graph, send as sendTo } from "../../../src/graph.ts";
import { engine, fileEffectStore, type EffectStore } from "../../../src/index.ts";
import { send } from "../../crash/programs/receiver.ts";

export interface WindowsDuty {
  readonly store: string;
  readonly ledger: string;
  /** A folder for the effect store; without it there is none. */
  readonly kept?: string;
  readonly hold?: true;
  /** What is configured for a call that may have taken effect. */
  readonly doubt: "ask" | "fail" | "retry";
  /** The loop is a graph with a tools node, not an agent. */
  readonly byHand?: true;
}
const { store, ledger, kept, hold, doubt, byHand } = JSON.parse(process.argv[2] ?? "{}") as WindowsDuty;

const payStep = byHand === true ? "2/tools/pay" : "3/tools/pay";
const real = kept === undefined ? undefined : fileEffectStore(kept);
const holding: EffectStore | undefined = real && {
  ...real,
  async put(e) {
    await real.put(e);
    if (e.stepId !== payStep) return;
    console.log(`kept ${e.result}`);
    await new Promise(() => {});
  },
};
const effectStore = hold === true ? holding : real;

const def = { name: "pay", description: "Pay", input: z.object({ n: z.number() }) };
const act = (i: { n: number }, s: StreamScope): string => {
  send(ledger, { key: s.key, fence: s.fence });
  return `paid ${i.n}`;
};
const pay =
  doubt === "retry"
    ? tool(def, act, { key: (i) => `pay-${i.n}`, dedup: "1d" })
    : tool(def, act, { once: true, ...(doubt === "fail" ? { onDoubt: "fail" as const } : {}) });
const call = { calls: [{ tool: "pay", input: { n: 1 } }] };
const model = scripted([call, call, "done"], { by: "conversation" });
const payer = agent({ name: "payer", model, tools: [pay] });
const loop = graph({ name: "loop", state: { messages: byId<Message>() } })
  .nodes(({ tools }) => ({
    model: async (s, ctx) => ({ messages: (await ctx.model("model", model, { messages: s.messages, tools: [pay] })).message }),
    tools: tools([pay], { into: "messages" }),
  }))
  .edges({
    start: "model",
    model: (s) => {
      const calls = callsOf(s.messages);
      return calls.length === 0 ? "end" : calls.map((c) => sendTo("tools", c));
    },
    tools: "model",
  });

const app = await engine({ store, workflows: [payer, loop], lease: "600s", ...(effectStore === undefined ? {} : { effectStore }) });
const run =
  byHand === true
    ? await app.start(loop, { messages: userMessage("pay") }, { id: "r" })
    : await app.start(payer, { prompt: "pay" }, { id: "r" });
let state = await run.status();
while (state.status === "PENDING" || (state.status === "RUNNING" && state.waiting !== "decision")) {
  await sleep(20);
  state = await run.status();
}
const messages: readonly Message[] = state.status === "COMPLETED" ? (await run.result()).messages : [];
const told = messages.flatMap((m) => m.content.flatMap((p) => (p.type === "tool-result" ? [`${p.outcome} ${p.repeatOf ?? "-"}`] : [])));
let via: unknown = null;
for await (const e of run.events())
  if (e.eventType === "StepCompleted" && e.stepId === payStep) via = (e.payload as { via?: string }).via ?? "run";
console.log(`seen ${JSON.stringify({ status: state.status, waiting: state.waiting ?? null, told, via })}`);
await app.stop();
process.exit(0);
