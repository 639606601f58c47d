// `pawl start`: a server for one tenant, with an engine beside it (--role all), without one (api), or an engine that only answers probes (engine). It says where
// it listens, and ends in order on SIGTERM or Ctrl-C: not ready, still serving for the drain delay, then closed. It must never choose a tenant by itself.
import { openEngine } from "../../../client/engine.ts";
import type { EngineOpts } from "../../../client/engine-types.ts";
import type { Scope } from "../../../core/model.ts";
import { dagFromTemplate } from "../../../dag/template.ts";
import type { Template } from "../../../dag/template-types.ts";
import { PawlError } from "../../../errors/error.ts";
import { defaultEnvironment, openStore, stderrLogger } from "../../../open.ts";
import { exists, readText } from "../../../platform/files.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { env, writeOut } from "../../../platform/terminal.ts";
import type { Schedule } from "../../../schedule/types.ts";
import { server, type JwtOptions, type PawlServer, type ServerOpts } from "../../../server.ts";
import { checkDatabaseUrl, checkServerSettings, type ServerSettings } from "../../../server/access/gates.ts";
import { accessModeOf } from "../../../server/access/open-access.ts";
import { guardWorkflows } from "../../../testing/guard-workflows.ts";
import type { AnyWorkflow } from "../../../workflow/types.ts";
import { printJsonLine, printNote } from "../../output/print.ts";
import { exitCodes, withLocation } from "../../output/report-error.ts";
import { parseAllow, parseDurationMs, parseListen } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { loadAllOf, type LoadedFiles } from "../../runs/load-file.ts";
import { isTemplateFile, readTemplate } from "../../runs/read-template.ts";
import { resolveStoreUrl, resolveTenant, tenantText } from "../../session.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";

export interface StartCommandOptions extends JsonOption, Omit<StoreOptions, "url" | "token"> {
  readonly listen?: string;
  readonly role?: string;
  readonly queue?: readonly string[];
  readonly recovery?: string;
  readonly open?: boolean;
  readonly host?: readonly string[];
  readonly cors?: readonly string[];
  readonly allow?: readonly string[];
  readonly trustProxy?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly drainDelay?: string;
  readonly behindProxy?: boolean;
  readonly production?: boolean;
  readonly signer?: readonly string[];
  readonly tokensFile?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
  readonly jwtJwks?: string;
  readonly jwtTenantClaim?: string;
  readonly jwtScopeClaim?: string;
  readonly jwtScopePrefix?: string;
  readonly jwtKindClaim?: string;
  readonly jwtAnyType?: boolean;
}

type ServerRole = "all" | "api" | "engine";

const drainDelayMs = 5_000;

export async function startCommand(files: readonly string[], o: StartCommandOptions): Promise<number> {
  const tenant = requireTenant(o);
  const role = parseRole(o.role, files);
  const recovery = parseRecovery(o.recovery, role);
  const { host, port } = parseListen(o.listen);
  const delayMs = parseDurationMs(o.drainDelay, "--drain-delay") ?? drainDelayMs;
  const tls = readTls(o);
  const url = resolveStoreUrl(o, true);
  const options = serverOptions(o, host);
  const { workflows, schedules } = await loadFiles(files);
  try {
    if (role !== "engine") await checkGates(options, { host, tls: tls !== undefined }, url, tenant);
    const opened = await open(
      url,
      tenant,
      role,
      { workflows, schedules },
      { ...options, engineOpts: { ...recovery, ...servedQueues(o.queue) } },
    );
    const interrupt = listenForInterrupt();
    try {
      const at = await opened.api.listen({ host, port, ...(tls === undefined ? {} : { tls }) });
      announce(o, { url: at.url, tenant: tenantText(tenant), role, workflows: namesOf(workflows), schedules: namesOf(schedules) });
      await interrupt.requested;
      printNote(`stopping; still serving for ${delayMs} ms`);
      await opened.api.stop({ drainDelayMs: delayMs });
    } finally {
      interrupt.stopListening();
      await opened.close();
    }
    return exitCodes.ok;
  } catch (e) {
    throw withLocation(e, url);
  }
}

async function open(
  url: string,
  tenant: Scope,
  role: ServerRole,
  files: LoadedFiles,
  { engineOpts, ...options }: AccessOpts & { readonly engineOpts: Pick<EngineOpts, "queues" | "recovery"> },
): Promise<{ readonly api: PawlServer; close(): Promise<void> }> {
  if (role === "api") {
    const api = await server({ ...options, store: url, tenant, workflows: files.workflows });
    return { api, close: () => api.stop() };
  }
  const platform = systemPlatform();
  const { workflows, end } = guardWorkflows(files.workflows, env("NODE_ENV") === "production" ? "off" : "warn", stderrLogger);
  const environment = { ...defaultEnvironment(), platform, nearest: () => url, open: () => openStore(url, platform) };
  const { schedules } = files;
  const { engine } = await openEngine(environment, { workflows, schedules, tenant, ...engineOpts });
  const stopEngine = async (): Promise<void> => {
    await engine.stop();
    end();
  };
  try {
    const api = await server({ ...options, engine, ...(role === "engine" ? { probesOnly: true } : {}) });
    return { api, close: stopEngine };
  } catch (e) {
    await stopEngine();
    throw e;
  }
}

function requireTenant(o: StoreOptions): Scope {
  if ((o.tenant ?? env("PAWL_TENANT") ?? "") !== "") return resolveTenant(o);
  throw new PawlError("PAWL4011", "say whose runs are served: --tenant tenant/project/environment, or PAWL_TENANT");
}

function parseRole(text: string | undefined, files: readonly string[]): ServerRole {
  const role = text ?? (files.length === 0 ? "api" : "all");
  if (role !== "all" && role !== "api" && role !== "engine")
    throw new PawlError("PAWL4011", `--role takes all, api or engine, not ${JSON.stringify(role)}`);
  if (role !== "api" && files.length === 0)
    throw new PawlError(
      "PAWL4011",
      `--role ${role} runs workflows: name the files that export them, such as ./order.ts, or templates, such as ./order.json`,
    );
  return role;
}

/** Without names: those of the tasks that it has code for. */
function servedQueues(names: readonly string[] | undefined): Pick<EngineOpts, "queues"> {
  return names === undefined ? {} : { queues: Object.fromEntries(names.filter((q) => q !== "none").map((q) => [q, {}])) };
}

function parseRecovery(text: string | undefined, role: ServerRole): Pick<EngineOpts, "recovery"> {
  if (text === undefined) return {};
  if (text !== "shared" && text !== "strict" && text !== "skip")
    throw new PawlError("PAWL4011", `--recovery takes shared, strict or skip, not ${JSON.stringify(text)}`);
  if (role === "api") throw new PawlError("PAWL4011", "--recovery is about an engine, and --role api has none");
  return { recovery: text };
}

function readTls(o: StartCommandOptions): { readonly cert: string; readonly key: string } | undefined {
  if (o.tlsCert === undefined && o.tlsKey === undefined) return undefined;
  if (o.tlsCert === undefined || o.tlsKey === undefined) throw new PawlError("PAWL4011", "--tls-cert and --tls-key belong together");
  return { cert: readPem(o.tlsCert, "--tls-cert"), key: readPem(o.tlsKey, "--tls-key") };
}

function readPem(path: string, option: string): string {
  const text = readText(path);
  if (text === undefined) throw new PawlError("PAWL4011", `${option}: there is no file ${path}`);
  return text;
}

type AccessOpts = Omit<ServerOpts, "engine" | "store" | "tenant">;

function serverOptions(o: StartCommandOptions, host: string): AccessOpts {
  const cors = o.cors?.filter((origin) => origin !== "none");
  const jwt = jwtOptions(o);
  return {
    ...(o.open === true ? { auth: "open" } : {}),
    ...(o.tokensFile === undefined ? {} : { tokensFile: o.tokensFile }),
    ...(jwt === undefined ? {} : { jwt }),
    ...(cors === undefined ? {} : { cors }),
    behindProxy: o.behindProxy === true,
    production: o.production === true,
    signers: readSigners(o.signer ?? []),
    hosts: [...(o.host ?? []), host.includes(":") ? `[${host}]` : host],
    trustProxy: o.trustProxy ?? [],
    mcpAllow: parseAllow(o.allow),
  };
}

/** Before an engine begins to work, or a password is sent anywhere. */
async function checkGates(o: AccessOpts, listen: { host: string; tls: boolean }, url: string, tenant: Scope): Promise<void> {
  const settings = (auth: ServerSettings["auth"]): ServerSettings => ({
    auth,
    listen,
    behindProxy: o.behindProxy === true,
    store: { persistence: url === "memory:" ? "volatile" : "durable", unsafe: [], url },
    production: o.production === true,
    signers: Object.keys(o.signers ?? {}).length,
    ...(o.cors === undefined ? {} : { cors: o.cors }),
  });
  const given = o.auth === "open" ? "open" : o.jwt !== undefined || o.tokensFile !== undefined ? "credentials" : undefined;
  if (given !== undefined) return checkServerSettings(settings(given));
  // The database's address is judged before it is used; a store that does not exist yet has no tokens.
  checkDatabaseUrl(url, listen.host, o);
  const path = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  if (url === "memory:" || (path !== undefined && !exists(path))) return checkServerSettings(settings("none"));
  const store = await openStore(url, systemPlatform(), { make: false });
  try {
    checkServerSettings(settings(await accessModeOf(store, tenant, o)));
  } finally {
    await store.close();
  }
}

/** Any of them asks for JWT; then those that JWT needs must be there. */
function jwtOptions(o: StartCommandOptions): JwtOptions | undefined {
  const { jwtIssuer, jwtAudience, jwtJwks, jwtTenantClaim, jwtScopeClaim, jwtScopePrefix, jwtKindClaim, jwtAnyType } = o;
  const given = [jwtIssuer, jwtAudience, jwtJwks, jwtTenantClaim, jwtScopeClaim, jwtScopePrefix, jwtKindClaim];
  if (given.every((x) => x === undefined) && jwtAnyType !== true) return undefined;
  return {
    issuer: jwtIssuer ?? "",
    audience: jwtAudience ?? "",
    jwks: jwtJwks ?? "",
    ...(jwtTenantClaim === undefined ? {} : { tenantClaim: jwtTenantClaim }),
    ...(jwtScopeClaim === undefined ? {} : { scopeClaim: jwtScopeClaim }),
    ...(jwtScopePrefix === undefined ? {} : { scopePrefix: jwtScopePrefix }),
    ...(jwtKindClaim === undefined ? {} : { kindClaim: jwtKindClaim }),
    ...(jwtAnyType === true ? { typ: false } : {}),
  };
}

function readSigners(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new PawlError("PAWL4011", `--signer takes name=file, such as ops=key.pem, not ${JSON.stringify(text)}`);
      return [text.slice(0, at), readPem(text.slice(at + 1), "--signer")];
    }),
  );
}

/** Every workflow and schedule that the files export, and the DAGs of templates, whose handlers are elsewhere. */
async function loadFiles(files: readonly string[]): Promise<LoadedFiles> {
  const [workflows, schedules] = [new Set<AnyWorkflow>(), new Set<Schedule>()];
  for (const file of files) {
    const found = isTemplateFile(file)
      ? { workflows: [dagFromTemplate(readTemplate(file) as Template)], schedules: [] }
      : await loadAllOf(file);
    for (const wf of found.workflows) workflows.add(wf);
    for (const s of found.schedules) schedules.add(s);
  }
  return { workflows: [...workflows], schedules: [...schedules] };
}

const namesOf = (all: readonly { readonly name: unknown }[]): readonly string[] => all.map((x) => String(x.name));

interface Announced {
  readonly url: string;
  readonly tenant: string;
  readonly role: ServerRole;
  readonly workflows: readonly string[];
  readonly schedules: readonly string[];
}
function announce(o: JsonOption, at: Announced): void {
  if (o.json === true) return printJsonLine(at);
  writeOut(`listening on ${at.url}\n`);
  const what = at.role === "engine" ? "probes only" : "dashboard at /, REST at /v1, JSON-RPC at /rpc, MCP at /mcp";
  printNote(`tenant ${at.tenant}, role ${at.role}: ${what}`);
  if (at.workflows.length > 0) printNote(`workflows ${at.workflows.join(", ")}`);
  if (at.schedules.length === 0) return;
  printNote(at.role === "api" ? "schedules of these files are not put: no engine runs here" : `schedules ${at.schedules.join(", ")}`);
}
