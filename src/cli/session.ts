// A store, opened for one command, and the client on it; or the client of a server. Everything a command shows or does goes through that client,
// so that the same commands work on both. Looking never makes a store. Failures carry the store, or the server, as their place.
import type { Client } from "../client/types.ts";
import { checkLimits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import { checkName } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { exists } from "../platform/files.ts";
import type { Platform } from "../platform/platform.ts";
import { systemPlatform } from "../platform/system.ts";
import { env } from "../platform/terminal.ts";
import type { FullStore } from "../store/full-store.ts";
import { defaultScope } from "../client/environment.ts";
import { localClient } from "../client/local-client.ts";
import { SharedParts } from "../client/shared-parts.ts";
import { nearestStore, openStore, existingStore } from "../open.ts";
import { clientOfServer, namedServer, needsStore, type NamedServer } from "./server-session.ts";
import type { StoreOptions } from "./shared-options.ts";
import { printNote } from "./output/print.ts";
import { withLocation } from "./output/report-error.ts";
import { withoutPassword } from "../core/store-url.ts";

export interface CliSession {
  readonly url: string;
  /** The same for people: without its password. */
  readonly storeLabel: string;
  /** On a server there is none: to ask for it is PAWL4086. */
  readonly store: FullStore;
  readonly platform: Platform;
  readonly client: Client;
  /** What everything on this store shares. */
  readonly parts: SharedParts;
  /** Whose runs are shown and changed; a server knows it for itself. */
  readonly scope: Scope;
}

/** The store that the options or this place name, whatever PAWL_URL says. Unless `make`, one that is not there is an error. */
export function resolveStoreUrl(o: StoreOptions, make: boolean): string {
  if (o.url !== undefined) throw needsStore(o.url);
  const named = o.store === undefined ? existingStore() : withScheme(o.store);
  if (named === undefined) {
    if (make) return nearestStore();
    throw new PawlError("PAWL5006", "there is no .pawl in this folder or above it");
  }
  const url = withScheme(named);
  const path = url.startsWith("sqlite:") ? url.slice("sqlite:".length) : undefined;
  if (!make && path !== undefined && path !== "" && !exists(path)) throw new PawlError("PAWL5006", `there is no store ${path}`);
  return url;
}

/** --tenant, else PAWL_TENANT: up to three names, those left out are "default". */
export function resolveTenant(o: StoreOptions): Scope {
  const text = o.tenant ?? env("PAWL_TENANT");
  if (text === undefined || (text === "" && o.tenant === undefined)) return defaultScope;
  const [tenantId = "", projectId = defaultScope.projectId, environmentId = defaultScope.environmentId, ...more] = text.split("/");
  if (more.length > 0 || [tenantId, projectId, environmentId].includes(""))
    throw new PawlError("PAWL4011", `--tenant takes tenant, tenant/project or tenant/project/environment, not ${JSON.stringify(text)}`);
  for (const name of [tenantId, projectId, environmentId]) checkName(name, "--tenant");
  return { tenantId, projectId, environmentId };
}

export function tenantText({ tenantId, projectId, environmentId }: Scope): string {
  return `${tenantId}/${projectId}/${environmentId}`;
}

/** What a list says when it has no runs. A server knows its tenant for itself. */
export function noRunsText(o: StoreOptions): string {
  return namedServer(o) === undefined ? `no runs of tenant ${tenantText(resolveTenant(o))}` : "no runs";
}

/** A bare path means a SQLite file. */
function withScheme(text: string): string {
  return /^[a-z][a-z0-9+]*:/i.test(text) ? text : `sqlite:${text}`;
}

export async function withSession<T>(o: StoreOptions, body: (s: CliSession) => Promise<T>, make = false): Promise<T> {
  const server = namedServer(o);
  if (server !== undefined) return withServer(server, body);
  const scope = resolveTenant(o);
  const url = resolveStoreUrl(o, make);
  const platform = systemPlatform();
  try {
    const store = await openStore(url, platform, { make });
    const parts = new SharedParts({ store, platform, scope, sealKey: env("PAWL_SEAL_KEY") });
    try {
      const client = localClient({ store, platform, scope, parts, limits: checkLimits(), engine: null, retainMs: null });
      return await body({ url, storeLabel: withoutPassword(url), store, platform, client, parts, scope });
    } finally {
      await parts.close();
      await store.close();
    }
  } catch (e) {
    throw withLocation(e, url);
  }
}

async function withServer<T>(server: NamedServer, body: (s: CliSession) => Promise<T>): Promise<T> {
  const { url } = server;
  const refuse = (): never => {
    throw needsStore(url);
  };
  try {
    // Once: a command may wait half a minute for a server that is not there, and people should see why.
    let isSaid = false;
    const client = clientOfServer(server, (e) => {
      if (!isSaid) printNote(`${e.message}; trying again`);
      isSaid = true;
    });
    try {
      return await body({
        url,
        storeLabel: url,
        platform: systemPlatform(),
        client,
        get store() {
          return refuse();
        },
        get scope() {
          return refuse();
        },
        get parts() {
          return refuse();
        },
      });
    } finally {
      await client.close();
    }
  } catch (e) {
    throw withLocation(e, url);
  }
}
