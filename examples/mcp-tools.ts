// An agent with the tools of an MCP server. Every call is recorded before it is sent; a tool that `classes` does not name is never sent twice. The server is in this
// process here, so that the example needs nothing else; a StdioClientTransport or an HTTP transport takes its place.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { engine } from "pawl";
import { agent, scripted } from "pawl/agents";
import { mcp } from "pawl/mcp";
import { z } from "zod";

async function connect(): Promise<Client> {
  const server = new McpServer({ name: "desk", version: "1" });
  const inputSchema = z.object({ seat: z.string() });
  server.registerTool("look", { description: "Is a seat free?", inputSchema }, ({ seat }) => {
    console.log(`the desk looks at ${seat}`);
    return { content: [{ type: "text", text: "free" }] };
  });
  server.registerTool("book", { description: "Book a seat", inputSchema }, ({ seat }) => {
    console.log(`the desk books ${seat}`);
    return { content: [{ type: "text", text: `booked ${seat}` }] };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: "travel", version: "1" });
  await client.connect(ours);
  return client;
}

const desk = mcp({ server: "desk", connect, classes: { look: { repeatable: true } } });
const model = scripted(
  [
    { calls: [{ tool: "desk__look", input: { seat: "12A" } }] },
    { calls: [{ tool: "desk__book", input: { seat: "12A" } }] },
    { calls: [{ tool: "desk__book", input: { seat: "12A" } }] }, // it asks again: the record answers
    "Seat 12A is yours.",
  ],
  { by: "conversation" },
);
const travel = agent({ name: "travel", model, tools: [desk] });

const app = await engine({ workflows: [travel] });
const handle = await app.start(travel, { prompt: "Book me a window seat" }, { id: "trip-1" });
const { text, turns } = await handle.result();
console.log(`${text} (${turns} turns)`);
for (const { effect, by } of await handle.causes()) console.log(`${effect.tool}: asked for in ${by.stepId}`);
await app.stop();
await desk.close();
