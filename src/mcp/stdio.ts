// MCP on standard input and output: a bridge to a server's /mcp, over HTTP or in this process. The server has the tools, decides what the caller may do
// and keeps the previews; here messages are passed on. It must never write anything but messages to standard output.
import { fromProblem, toProblem } from "../api/problem.ts";
import { PawlError } from "../errors/error.ts";
import { stdinEnd } from "../platform/terminal.ts";
import type { ToolAnswer } from "./call-tool.ts";
import { mcpServerFor, type McpTools, type ShownTool } from "./protocol.ts";

/** Sends one message to /mcp. */
export type McpSend = (message: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

/** Serves until standard input ends. */
export async function serveMcpOnStdio(send: McpSend, version: string): Promise<void> {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const tools = bridgeTo(send);
  const handle = serveStdio(() => mcpServerFor(tools, version));
  await stdinEnd();
  await handle.close();
}

export function bridgeTo(send: McpSend): McpTools {
  let last = 0;
  const ask = async (method: string, params: object): Promise<unknown> => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params });
    const response = await send(message, { "content-type": "application/json", accept: "application/json, text/event-stream" }).catch(
      (e: unknown) => {
        throw e instanceof PawlError ? e : new PawlError("PAWL4088", "the server cannot be reached", { cause: e, outcome: "unknown" });
      },
    );
    return resultOf(await response.text(), response);
  };
  return {
    list: async () => ((await ask("tools/list", {})) as { readonly tools: readonly ShownTool[] }).tools,
    call: async (name, input) => {
      try {
        return (await ask("tools/call", { name, arguments: input ?? {} })) as ToolAnswer;
      } catch (e) {
        const problem = toProblem(e);
        const text = `Refused: ${problem.page} ${problem.title}. ${problem.fix}`;
        return { content: [{ type: "text", text }], structuredContent: { problem }, isError: true };
      }
    },
  };
}

/** The result in an answer: JSON, or a stream of one message. */
function resultOf(text: string, { status, headers }: Response): unknown {
  const type = headers.get("content-type") ?? "";
  const json = type.includes("text/event-stream") ? lastData(text) : text;
  const body = parsed(json);
  if (status >= 400) throw fromProblem(body) ?? notAnswered(status);
  const { result, error } = (body ?? {}) as { readonly result?: unknown; readonly error?: { readonly message?: unknown } };
  if (error !== undefined) throw new PawlError("PAWL4011", `the server refused the message: ${String(error.message)}`);
  if (result === undefined) throw notAnswered(status);
  return result;
}

function lastData(stream: string): string {
  const frames = stream.split("\n").filter((line) => line.startsWith("data:"));
  return frames.at(-1)?.slice("data:".length) ?? "";
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function notAnswered(status: number): PawlError {
  return new PawlError("PAWL4088", `what is at this address answered ${status}, and not as a Pawl server does`, { outcome: "unknown" });
}
