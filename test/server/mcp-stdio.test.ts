// `pawl mcp` as a real process that an agent's client starts: on a store beside an engine in another process, and on a server. What it writes to standard
// output is the protocol and nothing else, or the client would not understand it.
import { join } from "node:path";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { CliFolder, killCommands } from "../cli/pawl-process.ts";
import { compiledTree } from "../support/compiled-tree.ts";

const busyFile = `import { workflow } from "pawl";
export const busy = workflow({ name: "busy" }, async (ctx) => {
  for (let i = 0; i < 10_000; i++) await ctx.step("tick", () => new Promise((resolve) => setTimeout(resolve, 100)));
});
`;
const tenant = ["--tenant", "acme/shop/live"];

// Tests look into answers freely.
// oxlint-disable-next-line no-explicit-any
type Loose = any;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await killCommands();
});

async function serving(folder: CliFolder): Promise<string> {
  const started = folder.start(["start", "./busy.ts", ...tenant, "--listen", "127.0.0.1:0", "--open", "--json"]);
  let out = "";
  started.child.stdout?.on("data", (d: Buffer) => (out += String(d)));
  await started.saw('"url"');
  return (JSON.parse(out.split("\n")[0]!) as { url: string }).url;
}

interface Agent {
  readonly client: McpClient;
  call(name: string, input?: Record<string, unknown>): Promise<{ readonly data: Loose; readonly isError: boolean }>;
}

async function agent(folder: CliFolder, ...args: string[]): Promise<Agent> {
  const client = new McpClient({ name: "agent", version: "1" });
  const main = join(compiledTree(), "src/cli/main.js");
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, "mcp", ...args], cwd: folder.dir, stderr: "pipe" });
  await client.connect(transport);
  closing.push(() => client.close());
  return {
    client,
    call: async (name, input = {}) => {
      const answer = (await client.callTool({ name, arguments: input })) as Loose;
      return { data: answer.structuredContent, isError: answer.isError === true };
    },
  };
}

async function cancelTwice(a: Agent, id: string): Promise<void> {
  const start = (await a.call("start_run", { workflow: "busy", id })).data.preview as { confirm: string };
  expect((await a.call("start_run", { confirm: start.confirm })).isError).toBe(false);
  await expect.poll(async () => (await a.call("get_run", { id })).data.answer.status, { timeout: 30_000 }).toBe("RUNNING");
  const shown = await a.call("cancel_run", { id, reason: "enough" });
  expect(shown.isError, JSON.stringify(shown.data)).toBe(false);
  const { confirm } = shown.data.preview as { confirm: string };
  const done = await a.call("cancel_run", { id, reason: "enough", confirm });
  expect(done.isError, JSON.stringify(done.data)).toBe(false);
  expect((await a.call("get_result", { id, wait: 30 })).data.answer.status).toBe("CANCELLED");
  const again = await a.call("cancel_run", { confirm });
  expect(again.isError, JSON.stringify(again.data)).toBe(false);
  expect(again.data.answer.requestId).toBe(done.data.answer.requestId);
  const events = (await a.call("list_events", { id, limit: 1000 })).data.answer.items as { eventType: string }[];
  expect(events.filter((e) => e.eventType === "RunCancelled")).toHaveLength(1);
}

describe("pawl mcp", () => {
  it("on a store: an agent starts and cancels a run that an engine elsewhere works on", async () => {
    const folder = new CliFolder({ "busy.ts": busyFile });
    await serving(folder);
    const a = await agent(folder, ...tenant, "--as", "helper", "--allow", "operate");
    const tools = (await a.client.listTools()).tools.map((t) => t.name);
    expect(tools).toContain("terminate_run");
    expect(tools).not.toContain("resolve_decision");
    expect((await a.call("get_me")).data.answer).toMatchObject({
      principal: { kind: "agent", subject: "helper" },
      tenant: "acme/shop/live",
    });
    await cancelTwice(a, "stdio-1");
  });

  it("on a server: what it offers and does is the server's", async () => {
    const folder = new CliFolder({ "busy.ts": busyFile });
    const url = await serving(folder);
    const a = await agent(folder, "--url", url);
    expect((await a.client.listTools()).tools.map((t) => t.name)).not.toContain("terminate_run");
    await cancelTwice(a, "url-1");
  });

  it("with --read-only there are no tools that change anything, and a server that is away is said so", async () => {
    const folder = new CliFolder({ "busy.ts": busyFile });
    await serving(folder);
    const reader = await agent(folder, ...tenant, "--read-only");
    const tools = (await reader.client.listTools()).tools;
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter((t) => t.annotations?.readOnlyHint !== true)).toEqual([]);
    const lost = await agent(folder, "--url", "http://127.0.0.1:9");
    expect(await lost.call("get_run", { id: "x" })).toMatchObject({ isError: true, data: { problem: { page: "PAWL4088" } } });
    const ended = await folder.pawl("mcp", "--url", "http://127.0.0.1:9", "--allow", "operate");
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining("leave out --allow")]);
    const wrong = await folder.pawl("mcp", ...tenant, "--allow", "everything");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--allow takes a scope")]);
  });
});
