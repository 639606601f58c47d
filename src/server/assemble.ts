// A server, put together: its transports on one request path, the ways to reach it (a fetch function, a listener for Node, a port of its own) and its end.
// It opens no store and no engine: an entry point gives it both.
import { getRequestListener } from "@hono/node-server";
import type { AuditWriter } from "../access/audit-types.ts";
import { localClient } from "../client/local-client.ts";
import { problemType } from "../api/problem.ts";
import type { LocalClientDeps } from "../client/client-deps.ts";
import type { Client } from "../client/types.ts";
import type { Principal } from "../core/principal.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import { listenHttp, type Listening, type NodeRequest, type NodeResponse } from "../platform/net/listen.ts";
import { ownVersion } from "../platform/own-package.ts";
import { inboundOf, type Inbound } from "./inbound.ts";
import { checkInput } from "../api/schemas/check.ts";
import { RequestPath, traceIdOf } from "./operate.ts";
import type { Authenticator } from "./caller.ts";
import { Rest, type StreamResponder } from "./rest.ts";
import { Rpc } from "./rpc.ts";

export interface ServerParts {
  readonly client: LocalClientDeps;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  readonly audit?: AuditWriter;
  readonly stream?: StreamResponder;
  /** The path that it is mounted at: "" or "/pawl". */
  readonly base: string;
  /** Host names, beside those of loopback. */
  readonly hosts: readonly string[];
}

export interface ListenAt {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 7350 unless given; 0 takes any free one. */
  readonly port?: number;
}

export interface PawlServer {
  /** For hosts that speak fetch: Hono, Next, Deno. */
  fetch(request: Request, connection?: unknown): Promise<Response>;
  /** For hosts that speak Node: Express, Fastify, node:http. Mount it before body parsers. What is not below the base is passed to `next`. */
  node(request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): void;
  /** Opens a port of its own. */
  listen(o?: ListenAt): Promise<{ readonly url: string; readonly host: string; readonly port: number }>;
  /** Answers what it has, then closes its ports. The engine and the store stay as they are. */
  stop(): Promise<void>;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const defaultPort = 7350;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 120_000;
const clientsMax = 1_000;

export function assembleServer(parts: ServerParts): PawlServer {
  const { log, authenticator, base } = parts;
  const { platform, scope } = parts.client;
  const facts = { platform, scope, version: ownVersion() };
  const hosts = new Set([...loopbackNames, ...parts.hosts.map((h) => h.toLowerCase())]);
  const path = new RequestPath({
    facts,
    log,
    authenticator,
    guard: { hosts },
    audit: parts.audit,
    clientFor: clientsOf(parts.client),
    checkInput,
  });
  const rest = new Rest(path, parts.stream);
  const rpc = new Rpc(path);
  const open = new Set<Listening>();

  const route = async (inbound: Inbound, traceId: string): Promise<Response> => {
    switch (inbound.path) {
      case "/rpc":
        return rpc.answer(inbound, traceId);
      case "/livez":
        return new Response("ok\n");
      default:
        return rest.answer(inbound, traceId);
    }
  };

  const answer = async (request: Request, connection?: unknown): Promise<Response> => {
    const traceId = traceIdOf(request, facts);
    try {
      const inbound = inboundOf(request, base, connection);
      if (inbound === undefined) throw new PawlError("PAWL4093", `this server is at ${base}`);
      return withoutBody(request, await route(inbound, traceId));
    } catch (e) {
      const { problem, headers } = path.fail(e, traceId);
      const all = {
        "content-type": problemType,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...headers,
      };
      return withoutBody(request, new Response(JSON.stringify(problem), { status: problem.status, headers: all }));
    }
  };

  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  const node: PawlServer["node"] = (request, response, next) => {
    if (next !== undefined && !isBelow(base, request.url ?? "/")) next();
    else void listener(request, response);
  };

  return {
    fetch: answer,
    node,
    listen: async (o = {}) => {
      const { host = "127.0.0.1", port = defaultPort } = o;
      const listening = await listenHttp(node, { host, port, headersTimeoutMs, requestTimeoutMs }).catch((e: unknown) => {
        throw new PawlError("PAWL5001", `cannot listen on ${host}:${port}: ${e instanceof Error ? e.message : String(e)}`, { cause: e });
      });
      open.add(listening);
      return { url: `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}${base}`, host, port: listening.port };
    },
    stop: async () => {
      await Promise.all([...open].map((listening) => listening.close()));
    },
  };
}

function isBelow(base: string, url: string): boolean {
  const path = url.split("?", 1)[0]!;
  return base === "" || path === base || path.startsWith(`${base}/`);
}

/** HEAD is answered like GET, without the body. */
function withoutBody(request: Request, response: Response): Response {
  return request.method === "HEAD" ? new Response(null, { status: response.status, headers: response.headers }) : response;
}

/** One client for each principal, the latest ones kept. */
function clientsOf(deps: LocalClientDeps): (p: Principal) => Client {
  const kept = new Map<string, Client>();
  return (by) => {
    const key = JSON.stringify([by.kind, by.subject, by.onBehalfOf]);
    const found = kept.get(key);
    if (found !== undefined) return found;
    const [oldest] = kept.keys();
    if (kept.size >= clientsMax && oldest !== undefined) kept.delete(oldest);
    const context = { ...deps, by };
    const client = localClient(context);
    kept.set(key, client);
    return client;
  };
}
