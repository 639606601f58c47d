// A server, put together: its transports on one request path, the ways to reach it (a fetch function, a listener for Node, a port of its own) and its end.
// It opens no store and no engine: an entry point gives it both.
import type { AuditWriter } from "../access/audit-types.ts";
import { problemType } from "../api/problem.ts";
import { checkInput } from "../api/schemas/check.ts";
import { BatchWorker } from "../client/batches/batch-worker.ts";
import type { LocalClientDeps } from "../client/client-deps.ts";
import { messageCheckOf } from "../client/local-client.ts";
import { SharedParts } from "../client/shared-parts.ts";
import type { AccessScope } from "../core/principal.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import type { AddressRanges } from "../platform/net/address-ranges.ts";
import { listenHttp, type Listening, type NodeRequest, type NodeResponse } from "../platform/net/listen.ts";
import { ownVersion } from "../platform/own-package.ts";
import { type ServedAnswer, sendAnswer, toResponse } from "./http/answer.ts";
import { cannotListen } from "./http/cannot-listen.ts";
import { clientsOf } from "./clients.ts";
import { Cors } from "./cors.ts";
import { Dashboard } from "./dashboard.ts";
import { Drain } from "./drain.ts";
import { Health } from "./health.ts";
import { inboundOfNode, inboundOfRequest, type Inbound, type InboundHere } from "./http/inbound.ts";
import { Mcp } from "./mcp.ts";
import { openApiResponder } from "./openapi.ts";
import { metricsPermitted, ServerMetrics } from "./metrics.ts";
import { RequestPath, traceIdOf } from "./operate.ts";
import { Refusal } from "./problem.ts";
import type { ServerAuthenticator } from "./access/principal.ts";
import { Rest } from "./rest.ts";
import { Rpc } from "./rpc.ts";
import { SessionResponder } from "./access/session.ts";
import { Streams } from "./stream.ts";

export interface ServerParts {
  readonly client: LocalClientDeps;
  readonly log: Logger;
  readonly authenticator: ServerAuthenticator;
  readonly audit?: AuditWriter;
  /** Of streams; 15 seconds unless given. */
  readonly heartbeatMs?: number;
  /** Keys that evidence may be signed with, by name; PEM. */
  readonly signers: ReadonlyMap<string, string>;
  /** The path that it is mounted at: "" or "/pawl". */
  readonly base: string;
  /** Host names, beside those of loopback. */
  readonly hosts: readonly string[];
  /** Origins of pages that may call with a bearer token. */
  readonly cors: readonly string[];
  readonly trusted?: AddressRanges;
  /** A proxy in front ends TLS: cookies are for https only. */
  readonly behindProxy?: boolean;
  /** Answers probes only. */
  readonly probesOnly?: boolean;
  /** Serves the dashboard's page at its root. */
  readonly dashboard?: boolean;
  /** Scopes whose dangerous tools exist at /mcp. */
  readonly mcpAllow?: readonly AccessScope[];
}

/** Where a server listens. */
export interface ListenAt {
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /** 7350 unless given; 0 takes any free one. */
  readonly port?: number;
  /** A certificate and its key, as PEM text. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A server on an engine or a store, not yet reachable: mount it, or let it listen. */
export interface PawlServer {
  /** For hosts that speak fetch: Hono, Next. */
  fetch(request: Request, connection?: unknown): Promise<Response>;
  /** For hosts that speak Node: Express, Fastify, node:http. Mount it before body parsers. What is not below the base is passed to `next`. */
  node(request: NodeRequest, response: NodeResponse, next?: (error?: unknown) => void): void;
  /** Opens a port of its own. */
  listen(o?: ListenAt): Promise<{ readonly url: string; readonly host: string; readonly port: number }>;
  /**
   * Stops serving: not ready at once, still serving for `drainDelayMs` (0 unless given), then waits are answered and ports closed. The engine
   * continues; stop it afterwards.
   */
  stop(o?: { readonly drainDelayMs?: number }): Promise<void>;
}

const readMethods: readonly string[] = ["GET", "HEAD"];
/** What the paths beside the operations can be asked. */
const ownMethods: ReadonlyMap<string, readonly string[]> = new Map([
  ["/livez", readMethods],
  ["/readyz", readMethods],
  ["/metrics", readMethods],
  ["/openapi.json", readMethods],
  ["/rpc", ["POST"]],
  ["/mcp", ["POST"]],
  ["/session", ["POST", "DELETE"]],
]);

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const defaultPort = 7350;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 120_000;

export function assembleServer(parts: ServerParts): PawlServer {
  const { log, authenticator, base } = parts;
  const { platform, scope, store, engine } = parts.client;
  const engineTrouble = (): string | null => engine?.problem ?? null;
  const facts = { platform, scope, store, version: ownVersion(), signers: parts.signers, engineTrouble };
  const hosts = new Set([...loopbackNames, ...parts.hosts.map((h) => h.toLowerCase())]);
  const drain = new Drain(platform);
  const cors = new Cors(parts.cors);
  const metrics = new ServerMetrics(parts.client);
  // An engine works batches itself.
  const shared = parts.client.parts ?? new SharedParts(parts.client);
  const path = new RequestPath({
    metrics,
    facts,
    log,
    authenticator,
    guard: { hosts },
    audit: parts.audit,
    drain,
    trusted: parts.trusted,
    clientFor: clientsOf(parts.client),
    checkMessage: messageCheckOf(parts.client, shared),
    checkInput,
  });
  const batches = new BatchWorker({ ...parts.client, parts: shared }, (error) => log("warn", "a batch waits for the store", { error }));
  if (engine === null && parts.probesOnly !== true) batches.start();
  const streams = new Streams({
    metrics,
    client: parts.client,
    log,
    permit: (admitted, operation, input) => {
      const checked = path.permit(admitted, operation, input);
      path.noteRead(admitted, operation, checked);
      return checked;
    },
    heartbeatMs: parts.heartbeatMs,
  });
  const rest = new Rest(path, (operation, admitted, input) => streams.respond(operation, admitted, input));
  const rpc = new Rpc(path);
  const mcp = new Mcp(path, store, parts.mcpAllow ?? []);
  const session = new SessionResponder(path, authenticator, platform, parts.behindProxy === true);
  const health = new Health({
    platform,
    askStore: () => store.info(),
    engineTrouble,
    engineDrains: () => engine?.isDraining === true,
    isDraining: () => drain.draining,
  });
  const open = new Set<Listening>();

  const counters = async (inbound: Inbound, traceId: string): Promise<ServedAnswer> => {
    const { caller, end } = await path.admit(inbound, traceId);
    try {
      metricsPermitted(caller);
      const headers = { "content-type": "text/plain; version=0.0.4", "cache-control": "no-store" };
      return { status: 200, headers, body: await metrics.toText(streams.size) };
    } finally {
      end();
    }
  };
  const dashboard = parts.dashboard === true ? new Dashboard() : undefined;
  const openApi = openApiResponder({ version: facts.version, base });
  const route = (inbound: InboundHere, traceId: string): Promise<ServedAnswer> => {
    if (parts.probesOnly === true && inbound.path !== "/livez" && inbound.path !== "/readyz")
      return Promise.reject(new PawlError("PAWL4093", "this server answers probes only"));
    const own = ownMethods.get(inbound.path) ?? (dashboard?.owns(inbound.path) === true ? readMethods : undefined);
    if (inbound.method === "OPTIONS") return Promise.resolve(options(inbound, own ?? rest.methodsOf(inbound.path)));
    // JSON-RPC refuses in its own words.
    if (own !== undefined && inbound.path !== "/rpc" && !own.includes(inbound.method)) return Promise.reject(notPossible(inbound, own));
    switch (inbound.path) {
      case "/livez":
        return Promise.resolve(health.live());
      case "/readyz":
        return health.ready();
      case "/metrics":
        return counters(inbound, traceId);
      case "/rpc":
        return rpc.answer(inbound, traceId);
      case "/mcp":
        return mcp.answer(inbound, traceId);
      case "/session":
        return session.answer(inbound, traceId);
      case "/openapi.json":
        return Promise.resolve(openApi());
      default:
        if (dashboard?.owns(inbound.path) === true) return Promise.resolve(dashboard.answer(inbound));
        return rest.answer(inbound, traceId);
    }
  };

  const answer = async (inbound: Inbound): Promise<ServedAnswer> => {
    const traceId = traceIdOf(inbound, facts);
    try {
      if (cors.isPreflight(inbound)) return cors.preflight(inbound);
      if (!isHere(inbound)) throw new PawlError("PAWL4093", `this server is at ${base}`);
      return finished(inbound, await route(inbound, traceId));
    } catch (e) {
      const { problem, headers: more } = path.fail(e, traceId, inbound.method !== "POST");
      const all = { "content-type": problemType, "cache-control": "no-store", "x-content-type-options": "nosniff", ...more };
      return finished(inbound, { status: problem.status, headers: all, body: JSON.stringify(problem) });
    }
  };
  const finished = (inbound: Inbound, made: ServedAnswer): ServedAnswer => {
    if (drain.ending) made.headers["connection"] = "close";
    cors.mark(inbound, made);
    return inbound.method === "HEAD" ? { ...made, body: null } : made;
  };

  const node: PawlServer["node"] = (request, response, next) => {
    if (next !== undefined && !isBelow(base, request.url ?? "/")) return next();
    let inbound: Inbound;
    try {
      inbound = inboundOfNode(request, response, base);
    } catch {
      response.writeHead(400, { connection: "close" }).end(); // its target is not even a URL
      return;
    }
    answer(inbound).then(
      (made) => sendAnswer(made, response),
      () => response.destroy(),
    );
  };

  return {
    fetch: async (request, connection) => toResponse(await answer(inboundOfRequest(request, base, connection))),
    node,
    listen: async ({ host = "127.0.0.1", port = defaultPort, tls } = {}) => {
      const at = { host, port, headersTimeoutMs, requestTimeoutMs, ...(tls === undefined ? {} : { tls }) };
      const listening = await listenHttp(node, at).catch((e: unknown) => {
        throw cannotListen(e, host, port);
      });
      open.add(listening);
      const name = host.includes(":") ? `[${host}]` : host;
      return { url: `${tls === undefined ? "http" : "https"}://${name}:${listening.port}${base}`, host, port: listening.port };
    },
    stop: async ({ drainDelayMs = 0 } = {}) => {
      await drain.announce(drainDelayMs);
      await batches.stop();
      if (parts.client.parts === undefined) await shared.close();
      const closed = Promise.all([...open].map((listening) => listening.close()));
      await streams.bye();
      await drain.finish();
      for (const listening of open) listening.closeIdle();
      const late = platform.timer(1_000, () => open.forEach((listening) => listening.closeAll()));
      await closed;
      late();
    },
  };
}

function isHere(inbound: Inbound): inbound is InboundHere {
  return inbound.path !== undefined;
}

function isBelow(base: string, url: string): boolean {
  const path = url.split("?", 1)[0]!;
  return base === "" || path === base || path.startsWith(`${base}/`);
}

function notPossible({ method, path }: InboundHere, methods: readonly string[]): Refusal {
  const error = new PawlError("PAWL4093", `${method.slice(0, 20)} is not possible at ${path}`);
  return new Refusal(error, { allow: [...methods, "OPTIONS"].join(", ") }, 405);
}

function options({ path }: InboundHere, methods: readonly string[]): ServedAnswer {
  if (methods.length === 0) throw new PawlError("PAWL4093", `there is nothing at ${path.slice(0, 200)}`);
  return { status: 204, headers: { allow: [...new Set([...methods, "OPTIONS"])].join(", ") }, body: null };
}
