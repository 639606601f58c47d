// mcp(): the tools of an MCP server, for agents. Every call is an effect. What may be repeated is what the author says in `classes`; a tool that
// is not named there is AT-MOST-ONCE, whatever the server's own hints say. A tool that is not what it was when the model read about it is
// not called.
import { canonicalJson } from "../../codec/canonical.ts";
import { checkName } from "../../core/names.ts";
import { PawlError } from "../../errors/error.ts";
import { NotSent } from "../../errors/step-errors.ts";
import type { ToolSchema } from "../../tools/models.ts";
import { toolSource, type SourceToolOptions } from "../../tools/source.ts";
import type { ToolSource } from "../../tools/types.ts";
import type { Json } from "../../workflow/types.ts";
import { plainJson } from "../provider-data.ts";
import { outputOf, problemOutput, problemText } from "./answer.ts";
import { McpConnection } from "./connection.ts";
import { toolNameOf } from "./names.ts";
import type { McpAnswer, McpClient, McpListedTool } from "./shapes.ts";

export interface McpOpts {
  /** Names the server: its tools are `server__tool`. */
  readonly server: string;
  /** Makes a connected client. Called when the first call needs it, and again after the connection was lost. */
  readonly connect: () => Promise<McpClient>;
  /** The server's tools that the model may see; all of them unless given. By the server's own names. */
  readonly allow?: readonly string[];
  /** What may be repeated, by the server's own names of its tools. A tool that is not named here is `once`. */
  readonly classes?: Readonly<Record<string, SourceToolOptions>>;
}

/** The tools of one MCP server. */
export interface McpSource extends ToolSource {
  /** Closes the connection, if there is one: a server that this process started ends with it. */
  close(): Promise<void>;
}

/**
 * The tools of an MCP server, for an agent's `tools`. A call is recorded before it is sent. After a crash it is sent again only if
 * `classes` says that it may be.
 *
 * @example
 * const files = mcp({
 *   server: "files",
 *   connect: async () => {
 *     const client = new Client({ name: "support", version: "1" });
 *     await client.connect(new StdioClientTransport({ command: "files-server" }));
 *     return client;
 *   },
 *   classes: { read_file: { repeatable: true } },
 * });
 */
export function mcp(o: McpOpts): McpSource {
  const server = checkName(o?.server, "the MCP server's name");
  if (typeof o.connect !== "function")
    throw new PawlError("PAWL5001", `MCP server ${server} needs connect: a function that returns a connected client`);
  const connection = new McpConnection(server, o.connect);
  const classes = new Map(Object.entries(o.classes ?? {}).map(([tool, c]) => [toolNameOf(server, tool), c]));
  const isAllowed = (t: McpListedTool): boolean => o.allow === undefined || o.allow.includes(t.name);
  const optionsOf = (name: string): SourceToolOptions => ({ receiver: server, ...(classes.get(name) ?? { once: true }) });
  return toolSource(
    {
      source: server,
      list: async (s) => (await connection.list(s.signal)).filter(isAllowed).map((t) => schemaOf(server, t)),
      options: optionsOf,
      call: async (listed, input, s) => {
        const tool = (await connection.list(s.signal)).find((t) => toolNameOf(server, t.name) === listed.name && isAllowed(t));
        if (tool === undefined) throw new NotSent(`MCP server ${server} has no tool ${listed.name} any more`);
        if (canonicalJson(schemaOf(server, tool)) !== canonicalJson(listed))
          throw new NotSent(
            `${listed.name} is not the tool that was listed: its description or its arguments have changed. It was not called`,
          );
        if (typeof input !== "object" || input === null || Array.isArray(input))
          throw new NotSent(`the arguments of ${listed.name} are not an object`);
        const answer = ((await connection.call(tool.name, input as Record<string, Json>, s.key, s.signal)) ?? {}) as McpAnswer;
        if (answer.isError !== true) return outputOf(answer);
        // The tool ran and says that something is wrong. If it must not run again, that is its answer; else the policy may try again.
        if ("once" in optionsOf(listed.name)) return problemOutput(answer);
        throw new Error(problemText(answer));
      },
    },
    { close: () => connection.close() },
  );
}

function schemaOf(server: string, t: McpListedTool): ToolSchema {
  return { name: toolNameOf(server, t.name), description: t.description ?? "", parameters: plainJson(t.inputSchema ?? { type: "object" }) };
}
