// Who asks, as far as the server knows: the interface that every way of authenticating implements, and open mode, which asks nobody. A
// credential is read here and nowhere else; it must never be kept in a Caller, logged or answered.
import { accessScopes, type AccessScope, type Principal } from "../core/principal.ts";

/** Somebody who was let in, and what that permits. */
export interface Caller {
  readonly principal: Principal;
  readonly scopes: ReadonlySet<AccessScope>;
  readonly tokenId?: string;
  /** RFC 3339. */
  readonly expiresAt?: string;
  /** It opens this one run only. */
  readonly run?: { readonly runId: string; readonly allow: "read" | "views" };
}

/** What a request shows of itself. Headers are read through the function, so that nobody copies all of them. */
export interface Credentials {
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The address of the caller, where it is known and believed. */
  readonly address: string | undefined;
  /** For a host's own callback. */
  readonly request: Request;
}

export interface Authenticator {
  /**
   * Who asks; null when no credential was sent, or one that opens nothing: the answer is 401 either way. A PawlError (PAWL4081, PAWL4092) says
   * more: the caller is known, and not permitted here.
   */
  authenticate(c: Credentials): Promise<Caller | null>;
  /** Asked again by long waits and open streams: is the credential still good? Absent: it is. */
  stillValid?(caller: Caller): Promise<boolean>;
}

/** Open mode: everybody who reaches the server may do everything. For loopback only; the guard still refuses foreign pages. */
export const openAuthenticator: Authenticator = {
  authenticate: () => Promise.resolve(openCaller),
};

const openCaller: Caller = { principal: { kind: "person", subject: "local" }, scopes: new Set(accessScopes) };
