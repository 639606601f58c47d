// The connection to one MCP server: made when it is first needed, shared by all calls, made again when it is lost. A server may have state, so it
// is kept after a refusal; only a lost connection is given up. It never sends a request twice.
import { NotSent } from "../../errors/step-errors.ts";
import type { McpClient, McpListedTool } from "./shapes.ts";

/** The step's own time limit ends a request, by its signal; the client's must not come first. */
const requestMsMax = 2_147_483_647;

export class McpConnection {
  readonly #connect: () => Promise<McpClient>;
  readonly #server: string;
  #current: Promise<McpClient> | undefined;

  constructor(server: string, connect: () => Promise<McpClient>) {
    this.#server = server;
    this.#connect = connect;
  }

  async list(signal: AbortSignal): Promise<readonly McpListedTool[]> {
    return this.#use(async (client) => {
      const tools: McpListedTool[] = [];
      const seen = new Set<string>();
      for (let cursor: string | undefined; ;) {
        const options = { signal, timeout: requestMsMax, cacheMode: "refresh" };
        const page = await client.listTools(cursor === undefined ? undefined : { cursor }, options);
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor === undefined || seen.has(cursor)) return tools;
        seen.add(cursor);
      }
    });
  }

  async call(tool: string, input: Record<string, unknown>, key: string, signal: AbortSignal): Promise<unknown> {
    return this.#use((client) => {
      const params = { name: tool, arguments: input, _meta: { "pawl/key": key } };
      const options = { signal, timeout: requestMsMax };
      // 1.x has the schema of the result in between; its default says as much.
      return client.callTool.length < 2 ? client.callTool(params, undefined, options) : client.callTool(params, options);
    });
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    const client = await current?.catch(() => undefined);
    await client?.close?.();
  }

  async #use<T>(ask: (client: McpClient) => Promise<T>): Promise<T> {
    const current = (this.#current ??= this.#connect());
    let client: McpClient;
    try {
      client = await current;
    } catch (e) {
      this.#giveUp(current);
      throw new NotSent(`MCP server ${this.#server} cannot be reached: ${messageOf(e)}`, { cause: e });
    }
    try {
      return await ask(client);
    } catch (e) {
      const how = lossOf(e);
      if (how !== undefined) this.#giveUp(current);
      throw how === "unsent" ? new NotSent(`MCP server ${this.#server} is not connected any more`, { cause: e }) : e;
    }
  }

  /** Calls that are under way on it end by themselves: it is lost. */
  #giveUp(lost: Promise<McpClient>): void {
    if (this.#current === lost) this.#current = undefined;
    lost.then((client) => client.close?.()).catch(() => {});
  }
}

/** unsent: there was no connection to send on. lost: it broke, and nobody knows what the server did. Undefined: the server answered. */
function lossOf(e: unknown): "unsent" | "lost" | undefined {
  const { code, message } = (e ?? {}) as { code?: unknown; message?: unknown };
  if (code === "NOT_CONNECTED" || message === "Not connected") return "unsent";
  return code === "CONNECTION_CLOSED" || code === "SEND_FAILED" || code === -32_000 ? "lost" : undefined;
}

function messageOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
