// pawl/server: Pawl over HTTP: REST, JSON-RPC. It serves one tenant, on an engine of this process or on a store that engines elsewhere share.
// It must never choose a tenant by itself.
import type { AccessScope } from "./core/principal.ts";
import { checkOptions } from "./core/guarantee.ts";
import { checkLimits } from "./core/limits.ts";
import type { Scope } from "./core/model.ts";
import { checkName } from "./core/names.ts";
import { checkStoreOption } from "./core/store-url.ts";
import { contextOfEngine } from "./client/engine.ts";
import { SharedParts } from "./client/shared-parts.ts";
import type { LocalClientDeps } from "./client/client-deps.ts";
import type { Engine } from "./client/engine-types.ts";
import type { Logger } from "./engine/run-host.ts";
import { PawlError } from "./errors/error.ts";
import { openStore, stderrLogger } from "./open.ts";
import { addressRanges, type AddressRanges } from "./platform/net/address-ranges.ts";
import { env } from "./platform/terminal.ts";
import { systemPlatform } from "./platform/system.ts";
import { assembleServer, type PawlServer } from "./server/assemble.ts";
import { checkServerSettings, type ServerSettings } from "./server/access/gates.ts";
import type { JwtOptions } from "./server/access/jwt.ts";
import { openAccess } from "./server/access/open-access.ts";
import type { HostAuth } from "./server/access/principal.ts";
import { type AnyStore, completeStore, type FullStore } from "./store/full-store.ts";
import { definitionOf } from "./workflow/registry.ts";
import type { AnyWorkflow } from "./workflow/types.ts";

/** How a server is made. */
export interface ServerOpts {
  /** An engine of this process: its store, its tenant, its workflows. Give this or `store`. */
  engine?: Engine;
  /** "sqlite:<path>", "postgres://…", "mysql://…", or an open Store. Engines elsewhere run what is started here. */
  store?: string | AnyStore;
  /** Whose runs are served: needed with `store`; an engine has its own. */
  tenant?: string | Scope;
  /** With `store`: the code of workflows, for checking what is started and sent. Nothing of it is run here. */
  workflows?: readonly AnyWorkflow[];
  /** Answers /livez and /readyz, and nothing else. */
  probesOnly?: boolean;
  /** Serves the dashboard at its root, beside the API. True unless given; the page needs a token of its own, or open mode. */
  dashboard?: boolean;
  /** Scopes whose dangerous tools are offered at /mcp: "operate" for terminate_run, "resolve" for resolve_decision. */
  mcpAllow?: readonly AccessScope[];
  /**
   * Who a request is from, where it brings no token: a function of yours, or "open": anybody who reaches the server may do everything; for
   * loopback only. Tokens of the store (`pawl token create`) are accepted in any case.
   */
  auth?: "open" | HostAuth;
  /** Access tokens of an identity provider are accepted, too. */
  jwt?: JwtOptions;
  /** A file of tokens with hashes of their secrets, as `pawl token create --tokens-file` writes it. */
  tokensFile?: string;
  /** A proxy in front ends TLS; the server may then listen on other addresses than loopback without it. */
  behindProxy?: boolean;
  /** Ed25519 private keys (PEM) that evidence may be signed with, by the name that a request gives. */
  signers?: Readonly<Record<string, string>>;
  /** Refuses to start without what a production server needs: a durable and safe store, signers, and an explicit `cors`. */
  production?: boolean;
  /** The path that it is mounted at, such as "/pawl". */
  base?: string;
  /** Host names under which browsers reach it, beside those of loopback. */
  hosts?: readonly string[];
  /** Origins of pages that may call it with a bearer token, such as "https://app.example". */
  cors?: readonly string[];
  /** Addresses of proxies whose X-Forwarded-For is believed, such as "10.0.0.0/8". */
  trustProxy?: readonly string[];
  /** Where the server logs; standard error unless given. */
  log?: Logger;
}

/**
 * A server on an engine or a store. Mount `fetch` (Hono, Next) or `node` (Express, Fastify), or let it `listen` by itself.
 *
 * @example
 * const app = await engine({ workflows: [order] });
 * const api = await server({ engine: app, auth: "open" });
 * const { url } = await api.listen({ port: 7350 });
 */
export async function server(o: ServerOpts): Promise<PawlServer> {
  checkOptions(o, serverOptions, "server()");
  const base = checkBase(o.base ?? "");
  const trusted = trustedProxies(o.trustProxy ?? []);
  const log = o.log ?? stderrLogger;
  const { context, close } = await contextOf(o);
  try {
    const access = await openAccess(context, log, o);
    const settings = await settingsOf(o, context.store, access.mode);
    if (o.probesOnly !== true) checkServerSettings(settings);
    const assembled = assembleServer({
      client: context,
      log,
      authenticator: access.authenticator,
      audit: access.audit,
      signers: new Map(Object.entries(o.signers ?? {})),
      behindProxy: o.behindProxy === true,
      base,
      hosts: o.hosts ?? [],
      cors: o.cors ?? [],
      probesOnly: o.probesOnly === true,
      mcpAllow: o.mcpAllow ?? [],
      dashboard: o.dashboard !== false,
      ...(trusted === undefined ? {} : { trusted }),
    });
    const end = async (how?: Parameters<PawlServer["stop"]>[0]): Promise<void> => {
      await assembled.stop(how);
      await access.close();
      await close();
    };
    let stopped: Promise<void> | undefined;
    return {
      ...assembled,
      listen: async (at = {}) => {
        const listen = { host: at.host ?? "127.0.0.1", tls: at.tls !== undefined };
        checkServerSettings({ ...settings, ...(o.probesOnly === true ? { auth: "credentials" } : {}), listen });
        return assembled.listen(at);
      },
      stop: (how) => (stopped ??= end(how)),
    };
  } catch (e) {
    await close();
    throw e;
  }
}

const serverOptions: ReadonlySet<string> = new Set(
  `engine store tenant workflows probesOnly dashboard mcpAllow auth jwt tokensFile behindProxy signers production base hosts cors trustProxy log`.split(
    " ",
  ),
);

function checkBase(base: string): string {
  if (base === "" || /^(\/[\w.~-]+)+$/.test(base)) return base;
  throw new PawlError("PAWL5001", `base must be a path such as "/pawl", without a slash at its end, not ${JSON.stringify(base)}`);
}

function trustedProxies(texts: readonly string[]): AddressRanges | undefined {
  if (texts.length === 0) return undefined;
  const ranges = addressRanges(texts);
  if ("wrong" in ranges)
    throw new PawlError("PAWL5001", `trustProxy: ${JSON.stringify(ranges.wrong)} is neither an address nor a range of addresses`);
  return ranges;
}

async function settingsOf(o: ServerOpts, store: FullStore, auth: ServerSettings["auth"]): Promise<ServerSettings> {
  return {
    auth,
    behindProxy: o.behindProxy === true,
    store: {
      persistence: store.capabilities().persistence,
      unsafe: (await store.info()).unsafe,
      ...(typeof o.store === "string" ? { url: o.store } : {}),
    },
    production: o.production === true,
    signers: Object.keys(o.signers ?? {}).length,
    ...(o.cors === undefined ? {} : { cors: o.cors }),
  };
}

async function contextOf(o: ServerOpts): Promise<{ context: LocalClientDeps; close(): Promise<void> }> {
  if (o.engine !== undefined) {
    if (o.store !== undefined || o.tenant !== undefined || o.workflows !== undefined)
      throw new PawlError("PAWL5001", "engine has a store, a tenant and workflows of its own: leave out store, tenant and workflows");
    return { context: contextOfEngine(o.engine), close: () => Promise.resolve() };
  }
  if (o.tenant === undefined)
    throw new PawlError("PAWL5001", "server() needs engine, or tenant beside store: it serves the runs of one tenant");
  checkStoreOption(o, env("NODE_ENV") === "production");
  const scope = typeof o.tenant === "string" ? scopeOfText(o.tenant) : o.tenant;
  const platform = systemPlatform();
  const store = typeof o.store === "object" ? completeStore(o.store) : await openStore(o.store, platform);
  const known = new Map((o.workflows ?? []).map((wf) => [String(wf.name), definitionOf(wf)]));
  const parts = new SharedParts({ store, platform, scope, sealKey: env("PAWL_SEAL_KEY") });
  const context = { store, platform, scope, parts, limits: checkLimits(), engine: null, known, retainMs: null };
  const close = async (): Promise<void> => {
    await parts.close();
    if (typeof o.store !== "object") await store.close();
  };
  return { context, close };
}

/** "shop/orders/live". */
function scopeOfText(text: string): Scope {
  const [tenantId = "", projectId = "", environmentId = "", ...more] = text.split("/");
  if (more.length > 0 || [tenantId, projectId, environmentId].includes(""))
    throw new PawlError("PAWL5001", `tenant is tenant/project/environment, not ${JSON.stringify(text)}`);
  for (const name of [tenantId, projectId, environmentId]) checkName(name, "tenant");
  return { tenantId, projectId, environmentId };
}

export type { ListenAt, PawlServer } from "./server/assemble.ts";
export type { AccessScope, Principal, PrincipalKind } from "./core/principal.ts";
export type { JwtOptions } from "./server/access/jwt.ts";
export type { HostAuth, HostCaller } from "./server/access/principal.ts";
export type { Logger } from "./engine/run-host.ts";
export { PawlError } from "./errors/error.ts";
