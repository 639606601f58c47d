// Commands that serve: a server for callers over HTTP. Data only: it must never import a command's code, only say where
// it is.
import type { McpCommandOptions } from "../commands/serve/mcp.ts";
import type { StartCommandOptions } from "../commands/serve/start.ts";
import type { WorkerCommandOptions } from "../commands/serve/worker.ts";
import { defineCommand, type CommandSpec } from "../command.ts";
import { jsonOption, storeOptions } from "../shared-options.ts";

export const serveCommands: readonly CommandSpec[] = [
  defineCommand<StartCommandOptions>({
    name: "start",
    args: "[file...]",
    group: "Operate",
    summary: "serve a tenant's runs over HTTP, and run the workflows of files, or of templates",
    options: {
      listen: { flags: "--listen <address>", summary: "address and port (default: 127.0.0.1:7350)" },
      role: {
        flags: "--role <role>",
        summary: "all: engine and API; api: no engine; engine: probes only (default: all, without files api)",
      },
      queue: {
        flags: "--queue <name>",
        summary: "a queue whose steps it runs, too; none for no queue (default: those of its tasks)",
        many: true,
      },
      recovery: {
        flags: "--recovery <how>",
        summary:
          "live runs that no code here serves: shared leaves them to other engines, strict refuses to start, skip logs each (default: shared)",
      },
      open: { flags: "--open", summary: "no token is needed; on loopback addresses only" },
      host: { flags: "--host <name>", summary: "a name under which browsers reach it", many: true },
      tokensFile: { flags: "--tokens-file <file>", summary: "accept the tokens of this file, too (pawl token create --tokens-file)" },
      jwtIssuer: { flags: "--jwt-issuer <url>", summary: "accept access tokens (JWT) of this issuer, too" },
      jwtAudience: { flags: "--jwt-audience <text>", summary: "the audience that they must name: this server" },
      jwtJwks: { flags: "--jwt-jwks <url|file>", summary: "the issuer's public keys" },
      jwtTenantClaim: { flags: "--jwt-tenant-claim <name>", summary: "the claim with tenant/project/environment (default: tenant)" },
      jwtScopeClaim: { flags: "--jwt-scope-claim <name>", summary: "the claim with the scopes (default: scope)" },
      jwtScopePrefix: { flags: "--jwt-scope-prefix <text>", summary: "the prefix of each scope there, such as pawl:" },
      jwtKindClaim: { flags: "--jwt-kind-claim <name>", summary: "the claim with person, service or agent (default: all are services)" },
      jwtAnyType: { flags: "--jwt-any-type", summary: "accept tokens whose typ is not at+jwt" },
      cors: { flags: "--cors <origin>", summary: "an origin whose pages may call it with a token; none for no origin", many: true },
      behindProxy: { flags: "--behind-proxy", summary: "a proxy in front of it terminates TLS" },
      production: { flags: "--production", summary: "refuse to start without a signer, an explicit --cors and a safe store" },
      signer: { flags: "--signer <name=file>", summary: "a private key (PEM) that evidence may be signed with", many: true },
      allow: { flags: "--allow <scope>", summary: "offer dangerous MCP tools of this scope at /mcp: operate, resolve", many: true },
      trustProxy: { flags: "--trust-proxy <cidr>", summary: "proxies whose X-Forwarded-For is believed", many: true },
      tlsCert: { flags: "--tls-cert <file>", summary: "a certificate, as PEM" },
      tlsKey: { flags: "--tls-key <file>", summary: "its private key, as PEM" },
      drainDelay: { flags: "--drain-delay <duration>", summary: "how long it serves after SIGTERM, for load balancers (default: 5s)" },
      ...jsonOption,
      store: storeOptions.store,
      tenant: { flags: "--tenant <tenant[/project[/environment]]>", summary: "whose runs are served; needed, here or as PAWL_TENANT" },
    },
    example: "pawl start ./order.ts --tenant acme/shop/live",
    load: async () => (await import("../commands/serve/start.ts")).startCommand,
  }),
  defineCommand<WorkerCommandOptions>({
    name: "worker",
    args: "<file>",
    group: "Operate",
    summary: "run queued steps of the tasks that a file exports, until it is interrupted",
    options: {
      queue: { flags: "--queue <name>", summary: "a queue to serve (default: those of the file's tasks and nodes)", many: true },
      concurrency: { flags: "--concurrency <n>", summary: "steps of each queue at once (default: 10)" },
      ...jsonOption,
      store: storeOptions.store,
      tenant: storeOptions.tenant,
    },
    example: "pawl worker ./payments.ts --queue payments --concurrency 20",
    load: async () => (await import("../commands/serve/worker.ts")).workerCommand,
  }),
  defineCommand<McpCommandOptions>({
    name: "mcp",
    args: "",
    group: "Operate",
    summary: "offer runs to an agent as MCP tools, on standard input and output",
    options: {
      allow: {
        flags: "--allow <scope>",
        summary: "offer dangerous tools, too: operate (such as terminate_run), resolve (such as resolve_decision)",
        many: true,
      },
      readOnly: { flags: "--read-only", summary: "offer only tools that change nothing" },
      as: { flags: "--as <name>", summary: "the agent's name, recorded with what it does (default: USER)" },
      ...storeOptions,
    },
    example: "pawl mcp --store sqlite:.pawl/state.db --allow operate",
    load: async () => (await import("../commands/serve/mcp.ts")).mcpCommand,
  }),
];
