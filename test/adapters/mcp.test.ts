// mcp() with a real server process over stdio: names, classes, what is sent and what is not, and a server that dies in the middle of a call.
// The server counts its calls in a file.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { StreamScope, ToolSchema, ToolSourceSpec } from "../../src/agents.ts";
import { NotSent, PawlError } from "../../src/index.ts";
import { mcp, type McpClient, type McpOpts, type McpSource } from "../../src/mcp.ts";
import { toolSourceSpec } from "../../src/tools/source.ts";

let dir: string;
let source: McpSource | undefined;
let connects: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-mcp-"));
  connects = 0;
});
afterEach(() => source?.close());

const server = "test/adapters/programs/mcp-server.ts";
const connect = async (): Promise<Client> => {
  connects++;
  const client = new Client({ name: "agent", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "./test/support/typescript.mjs", server, dir],
      stderr: "pipe",
    }),
  );
  return client;
};
const specOf = (o: Partial<McpOpts> = {}): ToolSourceSpec => toolSourceSpec((source = mcp({ server: "shop", connect, ...o })));
const scope = (key = "k-1"): StreamScope => ({ key, signal: new AbortController().signal, stream: () => {} }) as unknown as StreamScope;
const effects = (): string[] => (existsSync(join(dir, "effects")) ? readFileSync(join(dir, "effects"), "utf8").trimEnd().split("\n") : []);

it("tools are listed as server__tool, odd names are cleaned, and only what is allowed is shown", async () => {
  const spec = specOf({ allow: ["pay", "look", "files/odd name"] });
  const listed = await spec.list(scope());
  expect(listed.map((t) => t.name)).toEqual(["shop__pay", "shop__look", expect.stringMatching(/^shop__files_odd_name_[0-9a-f]{8}$/)]);
  expect(listed[0]).toEqual({
    name: "shop__pay",
    description: "Pays an amount",
    parameters: { type: "object", properties: { cents: { type: "number" } } },
  });
  expect(await spec.call(listed[2]!, {}, scope())).toBe("paid undefined");
  expect(effects()).toEqual(["files/odd name k-1 {}"]);
});

it("a tool is once unless its class says otherwise; a call carries the step's key; texts, files and problems come back as they are", async () => {
  const spec = specOf({ classes: { look: { repeatable: true } } });
  expect(spec.options("shop__pay")).toEqual({ receiver: "shop", once: true });
  expect(spec.options("shop__look")).toEqual({ receiver: "shop", repeatable: true });
  const [pay, look] = (await spec.list(scope())) as [ToolSchema, ToolSchema];
  expect(await spec.call(pay, { cents: 5 }, scope("order-1"))).toBe("paid 5");
  expect(await spec.call(look, {}, scope("l"))).toEqual({
    content: [
      { type: "text", text: "a jar" },
      { type: "file", mediaType: "image/png", data: "AAAA" },
    ],
  });
  // It ran: a tool that must not run again has answered; one that may be repeated has failed.
  expect(await spec.call(pay, { cents: -1 }, scope("p"))).toEqual({ isError: true, message: "no negative amounts" });
  await expect(spec.call(look, { cents: -1 }, scope("l2"))).rejects.toThrow("no negative amounts");
  expect(effects()).toEqual(['pay order-1 {"cents":5}', "look l {}", 'pay p {"cents":-1}', 'look l2 {"cents":-1}']);
  expect(connects).toBe(1);
});

it("a tool that changed since it was listed, is gone, or gets arguments that are not an object is not called", async () => {
  const spec = specOf({ allow: ["pay"] });
  const [pay] = (await spec.list(scope())) as [ToolSchema];
  writeFileSync(join(dir, "schema"), "");
  await expect(spec.call(pay, { cents: 5 }, scope())).rejects.toThrow("is not the tool that was listed");
  await expect(spec.call({ ...pay, name: "shop__secret" }, {}, scope())).rejects.toThrow("has no tool shop__secret any more");
  const [renewed] = (await spec.list(scope())) as [ToolSchema];
  await expect(spec.call(renewed, "five", scope())).rejects.toBeInstanceOf(NotSent);
  expect(effects()).toEqual([]);
});

it("a server that dies during a call: the failure does not claim that nothing was sent, and the next call has a new server", async () => {
  const spec = specOf();
  const [pay] = (await spec.list(scope())) as [ToolSchema];
  writeFileSync(join(dir, "die"), "");
  const died = await spec.call(pay, { cents: 5 }, scope("a")).catch((e: unknown) => e);
  expect(died).toBeInstanceOf(Error);
  expect(died).not.toBeInstanceOf(NotSent);
  expect(await spec.call(pay, { cents: 6 }, scope("b"))).toBe("paid 6");
  expect(effects()).toEqual(['pay a {"cents":5}', 'pay b {"cents":6}']);
  expect(connects).toBe(2);
});

it("a server that cannot be reached: nothing was sent; a later call tries to connect again", async () => {
  let tries = 0;
  const spec = specOf({
    connect: async () => {
      if (tries++ === 0) throw new Error("no such command");
      return connect();
    },
  });
  await expect(spec.list(scope())).rejects.toThrow("MCP server shop cannot be reached: no such command");
  expect((await spec.list(scope())).length).toBe(4);
});

it("clients of 1.x, which page and have the result's schema before the options, are used the same way", async () => {
  const calls: unknown[][] = [];
  const old: McpClient = {
    listTools: async (params?: { cursor?: string }) =>
      params === undefined
        ? { tools: [{ name: "a", inputSchema: { type: "object" } }], nextCursor: "2" }
        : { tools: [{ name: "b", inputSchema: { type: "object" } }] },
    // oxlint-disable-next-line no-useless-default-parameter -- 1.x has a default here, which its length shows
    callTool: async (params, schema: unknown = "default", options?: unknown) => (
      calls.push([params, schema, options]),
      { structuredContent: { n: 1 } }
    ),
  };
  const spec = specOf({ connect: async () => old });
  const listed = await spec.list(scope());
  expect(listed.map((t) => t.name)).toEqual(["shop__a", "shop__b"]);
  expect(await spec.call(listed[1]!, {}, scope("k"))).toEqual({ n: 1 });
  expect(calls[0]!.slice(0, 2)).toEqual([{ name: "b", arguments: {}, _meta: { "pawl/key": "k" } }, "default"]);
});

it("what cannot work is refused at once", () => {
  expect(() => mcp({ server: "", connect })).toThrow(PawlError);
  expect(() => mcp({ server: "shop" } as unknown as McpOpts)).toThrow("needs connect");
});
