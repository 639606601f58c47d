// POST /mcp: the operations as tools of MCP, on the same path as REST and JSON-RPC: guard, authenticate, limits, schema, authorise, audit. Every request
// is independent of the others, so that any process of the server can answer it. It must never hold a request open for longer than its tool takes.
import type { AccessScope } from "../core/principal.ts";
import { callTool, type ToolCaller } from "../mcp/call-tool.ts";
import { Previews } from "../mcp/previews.ts";
import { answerMcp } from "../mcp/protocol.ts";
import { toolsFor } from "../mcp/tools.ts";
import type { FullStore } from "../store/full-store.ts";
import { type ServedAnswer, answerOfResponse, jsonAnswer } from "./http/answer.ts";
import { readBodyText, type Inbound } from "./http/inbound.ts";
import type { Admitted, RequestPath } from "./operate.ts";
import { bodyRefused } from "./problem.ts";
import { encodeValue, parseJson } from "./wire.ts";

const bodyBytesMax = 1_048_576 + 65_536;

/** What a client may ask for. A stream that never ends is not among it: nothing here changes by itself. */
const methods = /^(initialize|ping|server\/discover|tools\/(list|call)|notifications\/.*)$/;

export class Mcp {
  readonly #path: RequestPath;
  readonly #previews: Previews;
  readonly #allow: readonly AccessScope[];

  constructor(path: RequestPath, store: FullStore, allow: readonly AccessScope[]) {
    this.#path = path;
    this.#previews = new Previews(store, path.facts.scope, path.facts.platform);
    this.#allow = allow;
  }

  async answer(inbound: Inbound, traceId: string): Promise<ServedAnswer> {
    const admitted = await this.#path.admit(inbound, traceId);
    try {
      const body = parseJson(await readBodyText(inbound, bodyBytesMax), "plain");
      const unknown = methodOf(body);
      if (unknown !== undefined) return noMethod(body);
      const caller = this.#callerOf(admitted);
      const tools = {
        list: () => toolsFor(caller.rights),
        call: (name: string, input: unknown) => callTool(caller, name, input),
      };
      // The tool has done its work when the answer has ended, and not before.
      const answer = await answerOfResponse(await answerMcp(inbound.request, body, tools, this.#path.facts.version));
      return { ...answer, headers: { ...answer.headers, "cache-control": "no-store", "x-content-type-options": "nosniff" } };
    } finally {
      admitted.end();
    }
  }

  #callerOf(admitted: Admitted): ToolCaller {
    const { kind, subject, onBehalfOf } = admitted.caller.principal;
    return {
      by: JSON.stringify([kind, subject, onBehalfOf ?? null]),
      rights: { scopes: admitted.caller.scopes, allow: this.#allow },
      previews: this.#previews,
      newId: () => this.#path.facts.platform.uuidV4(),
      perform: async (operation, input) => {
        const { body } = await this.#path.perform(admitted, operation, input);
        return JSON.parse(encodeValue(body, "plain")) as unknown;
      },
      problemOf: (thrown) => this.#path.fail(thrown, admitted.traceId).problem,
    };
  }
}

/** The method that this server does not have; undefined: it has it. */
function methodOf(body: unknown): string | undefined {
  if (Array.isArray(body)) throw bodyRefused(400, "send one message at a time");
  if (typeof body !== "object" || body === null) throw bodyRefused(400, "a message is an object");
  const { method } = body as { readonly method?: unknown };
  return typeof method === "string" && !methods.test(method) ? method : undefined;
}

function noMethod(body: unknown): ServedAnswer {
  const { id } = body as { readonly id?: unknown };
  if (id === undefined) return { status: 202, headers: {}, body: null }; // a notification is not answered
  const error = { code: -32_601, message: "this server has tools, and nothing else" };
  return jsonAnswer(200, { jsonrpc: "2.0", id: typeof id === "string" || typeof id === "number" ? id : null, error });
}
