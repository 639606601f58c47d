// Finds out who the caller is. One function for every way to authenticate: a bearer token of Pawl's or of an identity provider, the host's own check, a session of a
// browser, or open mode. A request that brings a bearer token is judged by that alone: it never falls back to what a browser sends by
// itself. Default deny: whatever is not recognised is refused, and a store that does not answer lets nobody in.
import { Sessions } from "../../access/sessions.ts";
import { TokenLookup, type OtherTokens } from "../../access/token-lookup.ts";
import type { TokenRow } from "../../access/token-rows.ts";
import type { Scope } from "../../core/model.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "../../core/names.ts";
import { accessScopes, isAccessScope, principalKinds, type AccessScope, type Principal } from "../../core/principal.ts";
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Authenticated, Authenticator, Caller, RequestHeaders, ShownRequest } from "./caller.ts";
import type { JwtVerifier } from "./jwt.ts";
import { cookieNames, cookieOf, sessionHeader } from "./session-cookie.ts";

/** The caller, as the host's own sign-on knows it, and what it permits. */
export interface HostCaller extends Principal {
  readonly scopes: readonly AccessScope[];
  /** Milliseconds since 1970, where the sign-on ends. */
  readonly expiresAt?: number;
}

export type HostAuth = (request: Request) => HostCaller | null | Promise<HostCaller | null>;

export interface AuthenticatorDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  /** Tokens of a file, beside those of the store. */
  readonly tokensFile?: OtherTokens;
  readonly jwt?: JwtVerifier;
  readonly auth?: HostAuth;
  /** Who brings nothing may do everything; for loopback only. */
  readonly open?: boolean;
}

/** Authentication, and what sessions are made with. */
export interface ServerAuthenticator extends Authenticator {
  readonly sessions: Sessions;
  readonly tokens: TokenLookup;
}

export const behalfHeader = "x-pawl-on-behalf-of";

export function serverAuthenticator(d: AuthenticatorDeps): ServerAuthenticator {
  const tokens = new TokenLookup(d.store, d.platform, d.scope, d.tokensFile);
  const sessions = new Sessions(d.store, d.platform, d.scope, tokens);
  const byBearer = (text: string, shown: ShownRequest): Authenticated | Promise<Authenticated> => {
    if (text.startsWith("pawl_")) return byToken(d, tokens, text);
    if (d.jwt !== undefined) return byJwt(d, d.jwt, text);
    return d.auth === undefined ? refuse("the bearer token is none of this server's") : byHostBearer(d, d.auth, shown);
  };
  const byAmbient = (shown: ShownRequest): Authenticated | Promise<Authenticated> => {
    const half = shown.headers.get(sessionHeader);
    if (half !== null) return bySession(d, sessions, half, shown);
    if (d.auth !== undefined) return byHost(d, d.auth, shown.request);
    return d.open === true ? { kind: "caller", caller: openCaller(d.scope) } : refuse("it brings no bearer token and no session");
  };
  const finish = (found: Authenticated, shown: ShownRequest): Authenticated =>
    found.kind === "caller" ? withBehalf(found.caller, shown) : found;
  return {
    sessions,
    tokens,
    authenticate: (shown) => {
      const authorization = shown.headers.get("authorization");
      const bearer = authorization === null ? undefined : /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
      const found =
        bearer !== undefined
          ? byBearer(bearer, shown)
          : authorization !== null && d.auth === undefined
            ? refuse("it is not a bearer token")
            : byAmbient(shown);
      return found instanceof Promise ? found.then((f) => finish(f, shown)) : finish(found, shown);
    },
  };
}

function refuse(why: string): Authenticated {
  return { kind: "refused", error: new PawlError("PAWL4080", `this request has no valid credential: ${why}`) };
}

async function byToken(d: AuthenticatorDeps, tokens: TokenLookup, text: string): Promise<Authenticated> {
  const answer = await tokens.find(text);
  if (answer.kind === "valid") return { kind: "caller", caller: tokenCaller(d, tokens, answer.row) };
  if (answer.kind !== "foreign") return refuse(tokenEnds[answer.kind]);
  const { kind, subject, tokenId } = answer.row;
  const error = new PawlError("PAWL4092", "this token is for another tenant");
  return { kind: "refused", error, principal: { kind, subject }, tokenId };
}

const tokenEnds = {
  unknown: "the token is not known here",
  revoked: "the token was revoked",
  expired: "the token has expired",
  restored: "the token is from before the store was restored",
} as const;

function tokenCaller(d: AuthenticatorDeps, tokens: TokenLookup, row: TokenRow): Caller {
  return {
    principal: { kind: row.kind, subject: row.subject },
    scopes: row.scopes,
    tenant: d.scope,
    by: "token",
    ambient: false,
    tokenId: row.tokenId,
    expiresAt: row.expiresAt,
    ...(row.run === null ? {} : { run: row.run }),
    ...(row.queues === undefined ? {} : { queues: row.queues }),
    ...(row.createdBy === null ? {} : { createdBy: row.createdBy.subject }),
    recheck: async () => (await tokens.check(row.tokenId)).kind === "valid",
  };
}

async function byJwt(d: AuthenticatorDeps, jwt: JwtVerifier, text: string): Promise<Authenticated> {
  try {
    const { principal, scopes, expiresAt } = await jwt.verify(text);
    const recheck = (): Promise<boolean> => Promise.resolve(d.platform.wallMs() < expiresAt);
    return { kind: "caller", caller: { principal, scopes, tenant: d.scope, by: "jwt", ambient: false, expiresAt, recheck } };
  } catch (error) {
    if (error instanceof PawlError && (error.page === "PAWL4080" || error.page === "PAWL4092")) return { kind: "refused", error };
    throw error;
  }
}

function byHost(d: AuthenticatorDeps, auth: HostAuth, request: Request): Authenticated | Promise<Authenticated> {
  const found = auth(request);
  return found !== null && "then" in found ? Promise.resolve(found).then((f) => hostCaller(d, f)) : hostCaller(d, found);
}

function hostCaller(d: AuthenticatorDeps, found: HostCaller | null): Authenticated {
  if (found === null) return refuse("the host knows nobody by it");
  const { scopes, expiresAt, kind, subject, onBehalfOf } = found;
  if (!(principalKinds as readonly unknown[]).includes(kind) || !isSubject(subject) || !Array.isArray(scopes))
    throw new PawlError("PAWL5001", "auth must return null, or kind, subject and scopes");
  const until = expiresAt ?? Number.POSITIVE_INFINITY;
  const caller: Caller = {
    principal: { kind, subject, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) },
    scopes: scopes.filter(isAccessScope),
    tenant: d.scope,
    by: "host",
    ambient: true,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    recheck: () => Promise.resolve(d.platform.wallMs() < until),
  };
  return { kind: "caller", caller };
}

/**
 * A request with a bearer token of the host's own. The host is asked without the cookies; if it knows somebody also without the token, then it was not
 * the token that it knew, and the rules against foreign pages apply.
 */
async function byHostBearer(d: AuthenticatorDeps, auth: HostAuth, { request }: ShownRequest): Promise<Authenticated> {
  const byToken = await byHost(d, auth, without(request, ["cookie"]));
  if (byToken.kind === "refused") return byToken;
  const anyway = await byHost(d, auth, without(request, ["cookie", "authorization"]));
  return anyway.kind === "caller" ? byToken : { kind: "caller", caller: { ...byToken.caller, ambient: false } };
}

/** The same request, without some headers and without its body, which is not the host's to read. */
function without(request: Request, names: readonly string[]): Request {
  const { url, method, headers: given } = request;
  const headers = new Headers(given);
  for (const name of names) headers.delete(name);
  return new Request(url, { method, headers });
}

/** `half` of the session's secret is in a header, the other in the cookie. */
async function bySession(d: AuthenticatorDeps, sessions: Sessions, half: string, { headers }: RequestHeaders): Promise<Authenticated> {
  for (const name of cookieNames(headers)) {
    const cookie = cookieOf(headers, name);
    const row = cookie === undefined ? undefined : await sessions.find(cookie, half);
    if (row === undefined) continue;
    const caller: Caller = {
      principal: row.principal,
      scopes: row.scopes,
      tenant: d.scope,
      by: "session",
      ambient: true,
      sessionId: row.sessionId,
      ...(row.queues === undefined ? {} : { queues: row.queues }),
      ...(row.tokenId === null ? {} : { tokenId: row.tokenId }),
      ...(row.createdBy === null ? {} : { createdBy: row.createdBy }),
      expiresAt: row.expiresAt,
      recheck: () => sessions.check(row.sessionId),
    };
    return { kind: "caller", caller };
  }
  return refuse("the session has ended");
}

function openCaller(tenant: Scope): Caller {
  return {
    principal: { kind: "person", subject: "local" },
    scopes: accessScopes,
    tenant,
    by: "open",
    ambient: true,
    recheck: () => Promise.resolve(true),
  };
}

/** A service that is trusted to say so names the person for whom it acts; both are recorded. */
function withBehalf(caller: Caller, request: RequestHeaders): Authenticated {
  const given = request.headers.get(behalfHeader);
  if (given === null) return { kind: "caller", caller };
  const { principal, scopes } = caller;
  const refusal = (message: string, code: "PAWL4081" | "PAWL4011"): Authenticated => ({
    kind: "refused",
    error: new PawlError(code, message),
    principal,
    ...(caller.tokenId === undefined ? {} : { tokenId: caller.tokenId }),
  });
  if (principal.kind !== "service" || !scopes.includes("vouch"))
    return refusal("only a service with the scope vouch may act on behalf of somebody", "PAWL4081");
  const onBehalfOf = decoded(given);
  if (!isSubject(onBehalfOf)) return refusal("X-Pawl-On-Behalf-Of is a subject of 1 to 512 bytes, percent-encoded", "PAWL4011");
  return { kind: "caller", caller: { ...caller, principal: { ...principal, onBehalfOf } } };
}

/** Headers are ASCII: other characters are percent-encoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isSubject(text: unknown): text is string {
  return typeof text === "string" && text !== "" && isWellFormedText(text) && !/\p{Cc}/u.test(text) && utf8Length(text) <= nameBytesMax;
}
