// `pawl dev`: an engine, the API and the dashboard on one port, with the code reloaded when its files change. For development on this machine: it
// listens on loopback addresses only, and its links open one session each.
import { accessScopes } from "../../../core/principal.ts";
import { PawlError } from "../../../errors/error.ts";
import { absolutePath, exists, isDirectory } from "../../../platform/files.ts";
import { isAlive } from "../../../platform/supervised-process.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { env, stdinLines } from "../../../platform/terminal.ts";
import { isLoopback } from "../../../server/access/gates.ts";
import { devConsole } from "../../dev/console.ts";
import { openDevServer, type DevServer, type DevServerOptions } from "../../dev/dev-server.ts";
import { readDevSession } from "../../dev/session-file.ts";
import { exitCodes, reportError, withLocation } from "../../output/report-error.ts";
import { parseListen } from "../../parse-values.ts";
import { listenForInterrupt } from "../../runs/interrupt.ts";
import { resolveStoreUrl, resolveTenant, withSession } from "../../session.ts";
import type { JsonOption, StoreOptions } from "../../shared-options.ts";

export interface DevCommandOptions extends JsonOption, Pick<StoreOptions, "store" | "tenant"> {
  readonly listen?: string;
  readonly open?: boolean;
}

/** Of the token behind the links; it is revoked when the command ends. */
const tokenMs = 30 * 86_400_000;

export async function devCommand(given: readonly string[], o: DevCommandOptions): Promise<number> {
  const { host, port } = parseListen(o.listen);
  if (!isLoopback(host)) throw new PawlError("PAWL5040", `pawl dev listens on loopback addresses only, not on ${host}: use pawl start`);
  const files = given.map(checkFile);
  const store = resolveStoreUrl(o, true);
  if (store === "memory:")
    throw new PawlError("PAWL5002", "pawl dev needs a store that outlives a process: its code runs in one after another");
  const say = devConsole(o.json === true);
  const interrupt = listenForInterrupt();
  try {
    const token = o.open === true ? null : await makeToken(store, o);
    try {
      const server = await openDevServer({ files, store, tenant: resolveTenant(o), host, port, token, platform: systemPlatform(), say });
      try {
        await Promise.race([interrupt.requested, obeyTyped(server, o.json === true)]);
        say({ event: "stopping" });
      } finally {
        await server.close();
      }
    } finally {
      if (token !== null) await revokeToken(store, o, token.tokenId);
    }
    return exitCodes.ok;
  } catch (e) {
    throw withLocation(e, store);
  } finally {
    interrupt.stopListening();
  }
}

function checkFile(path: string): string {
  const refuse = (why: string): PawlError => new PawlError("PAWL5005", `${path}: ${why}`, { data: { path } });
  if (!exists(path)) throw refuse("there is no such file");
  if (isDirectory(path)) throw refuse("this is a folder: name the files that export workflows");
  if (!/\.(m?[jt]s)$/.test(path)) throw refuse("this is not a TypeScript or JavaScript file (.ts, .mts, .js, .mjs)");
  return absolutePath(path);
}

type Token = NonNullable<DevServerOptions["token"]>;

/** For links and for other commands. One that a killed pawl dev left behind is revoked. */
async function makeToken(store: string, o: DevCommandOptions): Promise<Token> {
  const left = readDevSession();
  const make = { kind: "person", subject: env("USER") ?? "developer", scopes: accessScopes, ttlMs: tokenMs } as const;
  return withSession(
    { store, ...(o.tenant === undefined ? {} : { tenant: o.tenant }) },
    async ({ client }) => {
      if (left !== undefined && left.tokenId !== null && !isAlive(left.pid))
        await client.tokens.revoke(left.tokenId, { reason: "pawl dev was killed" }).catch(() => {});
      const { token, view } = await client.tokens.create(make);
      return { token, tokenId: view.tokenId };
    },
    true,
  );
}

async function revokeToken(store: string, o: DevCommandOptions, tokenId: string): Promise<void> {
  const where = { store, ...(o.tenant === undefined ? {} : { tenant: o.tenant }) };
  await withSession(where, ({ client }) => client.tokens.revoke(tokenId, { reason: "pawl dev ended" })).catch(() => {}); // it expires
}

/** Lines of standard input, until one says to end. Nothing to read is no reason to end. */
async function obeyTyped(server: DevServer, json: boolean): Promise<void> {
  for await (const line of stdinLines()) {
    try {
      if (!(await server.typed(line))) return;
    } catch (e) {
      reportError(e, json);
    }
  }
  await new Promise<never>(() => {});
}
