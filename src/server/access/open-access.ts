// Opens a server's access: the check of credentials, and the audit log. One place that knows which credentials are accepted here, and that removes those
// that have ended: sessions, tokens for one run after a day, other tokens after three months.
import { AuditLog } from "../../access/audit-log.ts";
import { TokenRows } from "../../access/token-rows.ts";
import { TokensFile } from "../../access/tokens-file.ts";
import type { Scope } from "../../core/model.ts";
import type { Logger } from "../../engine/run-host.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { ServerSettings } from "./gates.ts";
import { JwtVerifier, type JwtOptions } from "./jwt.ts";
import { serverAuthenticator, type HostAuth, type ServerAuthenticator } from "./principal.ts";

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const pageSize = 500;

export interface AccessOptions {
  readonly auth?: "open" | HostAuth | undefined;
  readonly jwt?: JwtOptions | undefined;
  readonly tokensFile?: string | undefined;
}

export interface ServerAccess {
  readonly authenticator: ServerAuthenticator;
  readonly audit: AuditLog;
  /** Whether anybody can be recognised at all. */
  readonly mode: ServerSettings["auth"];
  /** Writes what the audit log still holds. */
  close(): Promise<void>;
}

export async function openAccess(
  c: { readonly store: FullStore; readonly platform: Platform; readonly scope: Scope },
  log: Logger,
  o: AccessOptions,
): Promise<ServerAccess> {
  const { store, platform, scope } = c;
  const troubled = (e: unknown): void => log("error", e instanceof Error ? e.message : String(e));
  const authenticator = serverAuthenticator({
    store,
    platform,
    scope,
    open: o.auth === "open",
    ...(typeof o.auth === "function" ? { auth: o.auth } : {}),
    ...(o.jwt === undefined ? {} : { jwt: new JwtVerifier(o.jwt, scope, platform) }),
    ...(o.tokensFile === undefined ? {} : { tokensFile: new TokensFile(o.tokensFile, platform, scope, troubled) }),
  });
  const audit = new AuditLog({ store, platform, scope, log });
  let sweep: Cancel = () => {};
  const sweepLater = (): void => {
    sweep = platform.timer(hourMs, () => {
      removeEnded(store, scope, authenticator).catch(troubled).finally(sweepLater);
    });
  };
  sweepLater();
  return {
    authenticator,
    audit,
    mode: await accessModeOf(store, scope, o),
    close: async () => {
      sweep();
      await audit.close();
    },
  };
}

export async function accessModeOf(store: FullStore, scope: Scope, o: AccessOptions): Promise<ServerSettings["auth"]> {
  if (o.auth === "open") return "open";
  if (o.auth !== undefined || o.jwt !== undefined || o.tokensFile !== undefined) return "credentials";
  return (await hasToken(store, scope)) ? "credentials" : "none";
}

async function hasToken(store: FullStore, scope: Scope): Promise<boolean> {
  const { nowMs } = await store.info();
  const rows = new TokenRows(store, scope);
  for (let after: string | undefined; ;) {
    const page = await rows.page({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    if (page.some((r) => r.revokedAt === null && r.expiresAt > nowMs && r.run === null)) return true;
    after = page.at(-1)?.tokenId;
    if (page.length < pageSize) return false;
  }
}

async function removeEnded(store: FullStore, scope: Scope, { sessions }: ServerAuthenticator): Promise<void> {
  const { nowMs } = await store.info();
  await sessions.removeEnded();
  await new TokenRows(store, scope).removeEnded(nowMs - 90 * dayMs, nowMs - dayMs);
}
