// The public shapes of access: tokens, and the records of the audit log. Types only; times are RFC 3339, and a secret is in the one
// answer that hands it out.
import type { AccessScope, PrincipalKind } from "../core/principal.ts";
import type { AuditedAct } from "./audit-types.ts";

export interface NewToken {
  /** Who the token speaks for: text of 1 to 512 bytes without control characters. */
  readonly subject: string;
  /** "service" unless given. */
  readonly kind?: PrincipalKind;
  readonly scopes: readonly AccessScope[];
  /** Milliseconds from now; 90 days unless given, or as long as its creator's where that ends before. */
  readonly ttlMs?: number;
  /** With the scope worker: the queues that its holder may serve; all of the tenant's unless given. */
  readonly queues?: readonly string[];
}

/** What a token for one run opens. read: everything but payloads. views: the values that the run publishes. */
export type ShareAllow = "read" | "views";

export interface RunShare {
  readonly runId: string;
  readonly allow: ShareAllow;
}

export interface TokenView {
  readonly tokenId: string;
  readonly kind: PrincipalKind;
  readonly subject: string;
  readonly scopes: readonly AccessScope[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly createdBy?: string;
  readonly revokedAt?: string;
  /** It opens one run only. */
  readonly run?: RunShare;
  /** The only queues that its holder may serve. */
  readonly queues?: readonly string[];
}

export interface CreatedToken {
  /** Shown this once. */
  readonly token: string;
  readonly view: TokenView;
}

export interface ShareRequest {
  readonly allow: ShareAllow;
  /** Milliseconds from now; 15 minutes unless given, an hour at most. */
  readonly ttlMs?: number;
}

export interface TokenVerbs {
  /**
   * Makes a token. Its secret is in this answer only.
   *
   * @example
   * const { token } = await client.tokens.create({ subject: "shop", scopes: ["read", "work"] });
   */
  create(n: NewToken): Promise<CreatedToken>;
  /**
   * The tokens of this tenant, a page at a time, in the order of their ids.
   *
   * @example
   * const { tokens } = await client.tokens.list({ limit: 100 });
   */
  list(q?: { readonly limit?: number; readonly cursor?: string }): Promise<TokenPage>;
  /**
   * Ends a token. Every server refuses it within five seconds.
   *
   * @example
   * await client.tokens.revoke("7hq2m9xk4t0c", { reason: "it was in a log file" });
   */
  revoke(tokenId: string, o?: { readonly reason?: string }): Promise<TokenView>;
  /**
   * A token for one run that a page in a browser may hold. It ends with the token that made it.
   *
   * @example
   * const { token } = await client.tokens.share("order-17", { allow: "views", ttlMs: 600_000 });
   */
  share(id: string, s: ShareRequest): Promise<CreatedToken>;
}

export interface TokenPage {
  readonly tokens: readonly TokenView[];
  readonly cursor?: string;
}

/** An act, what was decided about it, and what became of it. Folded records have no policyDecisionId and no traceId. */
export interface AuditRecord extends AuditedAct {
  readonly id: string;
  readonly at: string;
  readonly decision: "granted" | "denied";
  /** A UUID v4. */
  readonly policyDecisionId?: string;
  /** What became of it; absent while it is at work, or when the process died. */
  readonly outcome?: { readonly at: string; readonly status: number; readonly code?: string };
  /** How often within the minute, of folded records. */
  readonly times?: number;
}

export interface AuditQuery {
  /** A runId. */
  readonly run?: string;
  /** RFC 3339 times: records from `since` on, and before `until`. */
  readonly since?: string;
  readonly until?: string;
  readonly subject?: string;
  /** A policyDecisionId, or the request's own id. */
  readonly id?: string;
  /** At most this many; 50 unless given, 1,000 at most. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** Newest first. A page may be empty and have a cursor: keep reading. */
export interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly cursor?: string;
}
