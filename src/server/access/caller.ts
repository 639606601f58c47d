// A caller as the rest of the server sees it: who, what it may do, until when, and a way to look again. Types only. A credential is never
// part of it.
import type { RunShare } from "../../access/types.ts";
import type { Scope } from "../../core/model.ts";
import type { AccessScope, Principal } from "../../core/principal.ts";
import type { PawlError } from "../../errors/error.ts";

export interface Caller {
  readonly principal: Principal;
  readonly scopes: readonly AccessScope[];
  readonly tenant: Scope;
  /** How it authenticated. "open": the server asks nobody. */
  readonly by: "token" | "jwt" | "session" | "host" | "open";
  /** A browser sends it by itself (cookie, open mode, the host's own check): the rules against foreign pages apply. */
  readonly ambient: boolean;
  readonly tokenId?: string;
  /** Of a browser. */
  readonly sessionId?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  /** It opens this run only. */
  readonly run?: RunShare;
  /** The only queues that it may serve. */
  readonly queues?: readonly string[];
  /** Who made its token, where somebody did: two such callers are not two people. */
  readonly createdBy?: string;
  /** Whether the credential still holds: not revoked, not expired. Cheap: it asks the store every five seconds at most. */
  recheck(): Promise<boolean>;
}

/** refused: 401 (PAWL4080), or 403 (PAWL4092, PAWL4081) for a credential that is known and does not fit. */
export type Authenticated =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "refused"; readonly error: PawlError; readonly principal?: Principal; readonly tokenId?: string };

/** What authentication needs of a request. */
export interface RequestHeaders {
  readonly headers: { get(name: string): string | null };
}

/** The request as a web Request, too: a host's own check is given it. */
export interface ShownRequest extends RequestHeaders {
  readonly request: Request;
}

export interface Authenticator {
  /** At once where nobody has to be asked: a promise less for most requests. */
  authenticate(shown: ShownRequest): Authenticated | Promise<Authenticated>;
}
