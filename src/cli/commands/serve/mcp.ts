// `pawl mcp`: Pawl's tools for an agent, on standard input and output. On a store it serves them itself, as an agent of this machine; with --url it passes
// everything on to a server, which decides. It must never print anything on standard output: the protocol is there.
import { httpTarget } from "../../../client/http/target.ts";
import { accessScopes, type AccessScope } from "../../../core/principal.ts";
import { PawlError } from "../../../errors/error.ts";
import { serveMcpOnStdio, type McpSend } from "../../../mcp/stdio.ts";
import { ownVersion } from "../../../platform/own-package.ts";
import { env } from "../../../platform/terminal.ts";
import { webPlatform } from "../../../platform/web.ts";
import { server } from "../../../server.ts";
import { printNote } from "../../output/print.ts";
import { exitCodes, withLocation } from "../../output/report-error.ts";
import { parseAllow } from "../../parse-values.ts";
import { namedServer, type NamedServer } from "../../server-session.ts";
import { resolveStoreUrl, resolveTenant } from "../../session.ts";
import type { StoreOptions } from "../../shared-options.ts";

export interface McpCommandOptions extends StoreOptions {
  readonly allow?: readonly string[];
  readonly readOnly?: boolean;
  readonly as?: string;
}

export async function mcpCommand(_: readonly string[], o: McpCommandOptions): Promise<number> {
  const named = namedServer(o);
  return named === undefined ? onStore(o) : onServer(o, named);
}

async function onServer(o: McpCommandOptions, named: NamedServer): Promise<number> {
  for (const name of ["allow", "readOnly", "as"] as const)
    if (o[name] !== undefined) throw new PawlError("PAWL4011", `a server has rules of its own: leave out ${flagOf(name)}`);
  const closed = new AbortController();
  const target = httpTarget({ token: undefined, ...named }, webPlatform(), closed.signal);
  const send: McpSend = async (body, headers) =>
    target.web.fetch(`${target.base}/mcp`, {
      method: "POST",
      headers: { ...headers, ...(await target.credentials()) },
      body,
      redirect: "error",
      signal: closed.signal,
    });
  try {
    printNote(`tools of ${target.base}`);
    await serveMcpOnStdio(send, ownVersion());
    return exitCodes.ok;
  } catch (e) {
    throw withLocation(e, named.url);
  } finally {
    closed.abort();
  }
}

async function onStore(o: McpCommandOptions): Promise<number> {
  const allow = parseAllow(o.allow);
  const store = resolveStoreUrl(o, false);
  const subject = o.as ?? env("USER") ?? "local";
  const scopes: readonly AccessScope[] = o.readOnly === true ? ["read", "payloads"] : accessScopes;
  try {
    const api = await server({
      store,
      tenant: resolveTenant(o),
      auth: () => ({ kind: "agent", subject, scopes }),
      mcpAllow: allow,
    });
    const send: McpSend = (body, headers) => api.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    try {
      printNote(`tools on this store for the agent ${subject}`);
      await serveMcpOnStdio(send, ownVersion());
      return exitCodes.ok;
    } finally {
      await api.stop();
    }
  } catch (e) {
    throw withLocation(e, store);
  }
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
}
