// An agent with the tools of an MCP server, in a process that is killed: it pays once. Started again it is the same program. The server is a process of its own
// and counts its calls in a file; it ends with this one, since its standard input does.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { agent, scripted } from "../../../src/agents.ts";
import { engine } from "../../../src/index.ts";
import { mcp } from "../../../src/mcp.ts";

const [dir = "", cls = "", serverProgram = ""] = process.argv.slice(2);
const shop = mcp({
  server: "shop",
  connect: async () => {
    const client = new Client({ name: "agent", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [serverProgram, dir], stderr: "inherit" }));
    return client;
  },
  ...(cls === "KEYED" ? { classes: { pay: { key: () => "order-1", dedup: "1d" as const } } } : {}),
});
const model = scripted([{ calls: [{ tool: "shop__pay", input: { cents: 5 } }] }, (r) => JSON.stringify(r.messages.at(-1)!.content)], {
  by: "conversation",
});
const payer = agent({ name: "payer", model, tools: [shop] });
const app = await engine({
  store: `sqlite:${dir}/store.db`,
  workflows: [payer],
  onDecision: (d) => console.log(`asked ${d.kind} ${d.decisionId}`),
});
const handle = await app.start(payer, { prompt: "Pay order 1" }, { id: "order-1" });
const { text } = await handle.result();
console.log(`result ${text}`);
await app.stop();
await shop.close();
