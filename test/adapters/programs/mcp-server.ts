// A real MCP server on standard input and output. Each call of a tool is a line in a file that nobody else writes: `<tool> <key> <arguments>`. What it does is
// said by files beside it, so that a test can change a running server: `schema` changes the arguments of pay, `die` ends it after the effect.
import { appendFileSync, existsSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const dir = process.argv[2]!;
const has = (name: string): boolean => existsSync(join(dir, name));

serveStdio(() => {
  const server = new Server({ name: "shop", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [
      {
        name: "pay",
        description: "Pays an amount",
        inputSchema: {
          type: "object" as const,
          properties: has("schema") ? { euros: { type: "number" } } : { cents: { type: "number" } },
        },
      },
      { name: "look", description: "Looks at a shelf", inputSchema: { type: "object" as const } },
      { name: "files/odd name", description: "A name that models refuse", inputSchema: { type: "object" as const } },
      { name: "secret", description: "Not for models", inputSchema: { type: "object" as const } },
    ],
  }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const { "pawl/key": key } = (params._meta ?? {}) as { "pawl/key"?: string };
    appendFileSync(join(dir, "effects"), `${params.name} ${key ?? "-"} ${JSON.stringify(params.arguments)}\n`);
    if (has("die")) {
      unlinkSync(join(dir, "die"));
      process.kill(process.pid, "SIGKILL");
    }
    const { cents } = (params.arguments ?? {}) as { cents?: number };
    if (cents === -1) return { content: [{ type: "text" as const, text: "no negative amounts" }], isError: true };
    if (params.name === "look")
      return {
        content: [
          { type: "text" as const, text: "a jar" },
          { type: "image" as const, data: "AAAA", mimeType: "image/png" },
        ],
      };
    return { content: [{ type: "text" as const, text: `paid ${cents}` }] };
  });
  return server;
});
