// What a server refuses to start with. Pure: settings in, an error or nothing out. A server that others can reach must know its callers, be reached
// over TLS, and keep what it acknowledges: an attacker finds a mistake in any of these first. It must never repair a setting.
import { PawlError } from "../../errors/error.ts";
import { withoutPassword } from "../../core/store-url.ts";

export interface ServerSettings {
  /** none: no tokens, no JWT, no function of the host's. */
  readonly auth: "none" | "open" | "credentials";
  /** Where it listens by itself; absent when a host's own server serves it. */
  readonly listen?: { readonly host: string; readonly tls: boolean };
  /** A proxy in front ends TLS. */
  readonly behindProxy: boolean;
  readonly store: {
    readonly persistence: "durable" | "volatile";
    readonly unsafe: readonly string[];
    /** As it was named; absent for a Store that was passed. */
    readonly url?: string;
  };
  /** Demands what a production server must have, wherever it listens. */
  readonly production: boolean;
  /** Keys that evidence can be signed with. */
  readonly signers: number;
  /** Origins, as given; absent: nobody said. */
  readonly cors?: readonly string[];
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Throws PAWL5040 or PAWL5042, and says what to change. */
export function checkServerSettings(s: ServerSettings): void {
  const local = s.listen === undefined || isLoopback(s.listen.host);
  if (s.auth === "none")
    throw new PawlError("PAWL5040", "this server could not know its callers: it has no tokens, no JWT settings and no auth function");
  if (s.auth === "open" && (!local || s.behindProxy || s.production))
    throw new PawlError("PAWL5040", `an open server works on loopback only, not ${notLocal(s)}: everybody could do everything`);
  if (!local && s.listen?.tls !== true && !s.behindProxy)
    throw unsafeServer(
      `it would listen on ${s.listen?.host ?? ""} without TLS: give --tls-cert and --tls-key, or --behind-proxy where a proxy ends TLS`,
    );
  if (local && !s.behindProxy && !s.production) return;
  if (s.store.persistence !== "durable") throw unsafeServer("its store is in memory: everything is lost with the process");
  if (s.store.unsafe.length > 0) throw unsafeServer(`its store may lose what it acknowledged: ${s.store.unsafe.join(", ")}`);
  if (s.store.url !== undefined) checkAddress(s.store.url);
  if (!s.production) return;
  if (s.signers === 0) throw unsafeServer("--production needs a key to sign evidence with: --signer ops=key.pem");
  if (s.cors === undefined) throw unsafeServer("--production needs an explicit --cors: origins, or none");
}

/** The part of it that must be asked before a connection is made. */
export function checkDatabaseUrl(url: string, host: string, o: { readonly behindProxy?: boolean; readonly production?: boolean }): void {
  if (!isLoopback(host) || o.behindProxy === true || o.production === true) checkAddress(url);
}

function notLocal(s: ServerSettings): string {
  if (s.production) return "in production";
  return s.behindProxy ? "behind a proxy" : `on ${s.listen?.host ?? ""}`;
}

/** Passwords that databases come with, or that everybody tries first. */
const commonPasswords = ["postgres", "mysql", "mariadb", "root", "admin", "password", "secret", "changeme", "pawl", "test", "123456"];
/** Of Postgres: those that never fall back to plain text. */
const tlsModes = ["require", "verify-ca", "verify-full"];

function checkAddress(text: string): void {
  if (!/^(postgres(ql)?|mysql|mariadb):/i.test(text)) return;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return; // the store's own error is better
  }
  const q = url.searchParams;
  const host = q.get("host") ?? url.hostname;
  const throughSocket = host === "" || host.startsWith("/") || host.startsWith("%2F") || q.get("socket") !== null;
  const tls = q.get("ssl") === "true" || tlsModes.includes(q.get("sslmode") ?? "");
  if (!throughSocket && !isLoopback(host) && !tls)
    throw unsafeServer(
      `it would send data and passwords to ${host} in plain text: add ${url.protocol.startsWith("p") ? "sslmode=verify-full" : "ssl=true"} to the store's URL`,
    );
  const password = (q.get("password") ?? decoded(url.password)).toLowerCase();
  if (password !== "" && (commonPasswords.includes(password) || password === decoded(url.username).toLowerCase()))
    throw unsafeServer(`the password of ${withoutPassword(text)} is one that everybody tries first`);
}

/** A text that is not an escape stays as it is: the store says better what is wrong with it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unsafeServer(why: string): PawlError {
  return new PawlError("PAWL5042", why);
}
