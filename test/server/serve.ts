// A server on a real socket for tests: an engine on a store of its own, and
// requests to it. Everything is closed by `close`.
import { request as nodeRequest } from "node:http";
import { z } from "zod";
import { engine, workflow } from "../../src/index.ts";
import type { AnyWorkflow } from "../../src/workflow/types.ts";
import { server, type PawlServer, type ServerOpts } from "../../src/server.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import type { AnyStore } from "../../src/store/full-store.ts";

export const order: AnyWorkflow = workflow({ name: "order" }, async (ctx, input: unknown) => {
  const first = await ctx.step("first", async () => 1);
  return { input, first };
});

/** Ends when it is approved. */
export const approval: AnyWorkflow = workflow({ name: "approval", signals: { approved: z.object({ by: z.string() }) } }, async (ctx) => ({
  got: await ctx.receive("approved"),
}));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers freely.
  // oxlint-disable-next-line no-explicit-any
  readonly json: any;
}

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly api: PawlServer;
  readonly app: Engine;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  rpc(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export async function serve(o: Partial<ServerOpts> & { workflows?: readonly AnyWorkflow[]; on?: string | AnyStore } = {}): Promise<Served> {
  const { workflows = [order, approval], on = "memory:", ...options } = o;
  const app = await engine({ store: on, workflows, log: () => {} });
  const api = await server({ engine: app, auth: "open", log: () => {}, ...options });
  const { url, port } = await api.listen({ port: 0 });
  const ask = async (path: string, init: RequestInit): Promise<Answer> => answerOf(await fetch(`${url}${path}`, init));
  const post: Served["post"] = (path, body, headers = {}) =>
    ask(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  return {
    url,
    port,
    api,
    app,
    get: (path, headers = {}) => ask(path, { headers }),
    post,
    rpc: (body, headers) => post("/rpc", body, headers),
    close: async () => {
      await api.stop();
      await app.stop();
    },
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined,
  };
}

/** A request with headers that fetch would not send, such as Host. */
export function rawRequest(
  port: number,
  o: { readonly method?: string; readonly path: string; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<{ readonly status: number; readonly headers: Record<string, unknown>; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = nodeRequest(
      { host: "127.0.0.1", port, method: o.method ?? "GET", path: o.path, headers: { connection: "close", ...o.headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(o.body);
  });
}
