// Access tokens of an identity provider (JWT). Only what an issuer signed with a key of its own set, for this audience and this tenant, and not
// long ago, says who a caller is. Symmetric algorithms, keys that the token itself brings and claims that are missing are refused: every check
// is one that an attacker would leave out. It must never log or answer a token.
import { createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { Scope } from "../../core/model.ts";
import { isWellFormedText, nameBytesMax, utf8Length } from "../../core/names.ts";
import { isAccessScope, principalKinds, type AccessScope, type Principal, type PrincipalKind } from "../../core/principal.ts";
import { PawlError } from "../../errors/error.ts";
import { readText } from "../../platform/files.ts";
import type { Platform } from "../../platform/platform.ts";

/** How access tokens of an identity provider are checked. */
export interface JwtOptions {
  /** The issuer, as its tokens say it (`iss`). */
  readonly issuer: string;
  /** What the tokens must be for (`aud`): this server. */
  readonly audience: string;
  /** The issuer's keys: an https address, a file, or the key set itself. */
  readonly jwks: string | { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** The claim with the tenant, as tenant/project/environment; "tenant" unless given. */
  readonly tenantClaim?: string;
  /** The claim with the scopes, as text with spaces or as a list; "scope" unless given. */
  readonly scopeClaim?: string;
  /** What stands before each scope there, such as "pawl:". */
  readonly scopePrefix?: string;
  /** The claim that says person, service or agent; without it everybody is a service. */
  readonly kindClaim?: string;
  /** The header's `typ`; "at+jwt" unless given, false to accept any. */
  readonly typ?: string | false;
}

export interface VerifiedJwt {
  readonly principal: Principal;
  readonly scopes: readonly AccessScope[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const tokenLengthMax = 16_384;
const ageSecondsMax = 86_400;
const clockToleranceSeconds = 5;
const cacheMaxAge = 300_000;
const timeoutDuration = 5_000;

export class JwtVerifier {
  readonly #o: JwtOptions;
  readonly #tenant: string;
  readonly #platform: Platform;
  readonly #keys: JWTVerifyGetKey;

  /** Throws PAWL5040 for settings that would let the wrong ones in. */
  constructor(o: JwtOptions, tenant: Scope, platform: Platform) {
    for (const name of ["issuer", "audience", "jwks"] as const)
      if (o[name] === undefined || o[name] === "") throw wrongSettings(`${name} is missing`);
    if (typeof o.issuer !== "string" || o.issuer.includes("|")) throw wrongSettings("issuer is one text without '|'");
    this.#o = o;
    this.#tenant = [tenant.tenantId, tenant.projectId, tenant.environmentId].join("/");
    this.#platform = platform;
    this.#keys = keysOf(o.jwks);
  }

  /** Rejects with PAWL4080, or with PAWL4092 for a good token of another tenant. */
  async verify(token: string): Promise<VerifiedJwt> {
    if (token.length > tokenLengthMax) throw refused("the token is too long");
    const { issuer, audience, typ = "at+jwt", tenantClaim = "tenant", kindClaim } = this.#o;
    const { payload } = await jwtVerify(token, this.#keys, {
      issuer,
      audience,
      algorithms,
      ...(typ === false ? {} : { typ }),
      requiredClaims: ["exp", "iat", "sub", tenantClaim],
      maxTokenAge: ageSecondsMax,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(this.#platform.wallMs()),
    }).catch((e: unknown) => {
      throw refusedBy(e, isAddress(this.#o.jwks));
    });
    const { sub, exp, iat } = payload;
    if (typeof sub !== "string" || sub === "" || !isWellFormedText(sub) || utf8Length(sub) > nameBytesMax)
      throw refused("sub is not usable");
    if (payload[tenantClaim] !== this.#tenant) throw new PawlError("PAWL4092", "this token is for another tenant");
    const kind: PrincipalKind = principalKinds.find((k) => kindClaim !== undefined && payload[kindClaim] === k) ?? "service";
    return {
      principal: { kind, subject: `${issuer}|${sub}` },
      scopes: this.#scopesIn(payload[this.#o.scopeClaim ?? "scope"]),
      expiresAt: Math.min(exp ?? 0, (iat ?? 0) + ageSecondsMax) * 1_000,
    };
  }

  #scopesIn(claim: unknown): readonly AccessScope[] {
    const names: readonly unknown[] = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
    const { scopePrefix = "" } = this.#o;
    const scopes = names.flatMap((n) => (typeof n === "string" && n.startsWith(scopePrefix) ? [n.slice(scopePrefix.length)] : []));
    return [...new Set(scopes.filter(isAccessScope))];
  }
}

function isAddress(jwks: JwtOptions["jwks"]): jwks is string {
  return typeof jwks === "string" && /^https?:\/\//i.test(jwks);
}

function keysOf(jwks: JwtOptions["jwks"]): JWTVerifyGetKey {
  if (isAddress(jwks)) {
    const url = new URL(jwks);
    if (url.protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
      throw wrongSettings("jwks must be an https address: over http somebody else could answer with keys of their own");
    return createRemoteJWKSet(url, { cacheMaxAge, timeoutDuration });
  }
  const set = typeof jwks === "string" ? parseKeySet(readText(jwks), jwks) : jwks;
  if (!Array.isArray(set.keys) || set.keys.length === 0) throw wrongSettings("jwks has no keys");
  for (const key of set.keys as readonly Readonly<Record<string, unknown>>[])
    if (key["kty"] === "oct" || "d" in key || "k" in key)
      throw wrongSettings("jwks must hold public keys only: no secret and no private key");
  return createLocalJWKSet(set as unknown as JSONWebKeySet);
}

function parseKeySet(text: string | undefined, path: string): Exclude<JwtOptions["jwks"], string> {
  if (text === undefined) throw wrongSettings(`jwks: there is no file ${path}`);
  try {
    return JSON.parse(text) as Exclude<JwtOptions["jwks"], string>;
  } catch {
    throw wrongSettings(`jwks: ${path} is not JSON`);
  }
}

function refusedBy(e: unknown, remote: boolean): PawlError {
  // The issuer's keys could not be read: that says nothing about the token.
  const known = e instanceof errors.JOSEError;
  if (remote && (!known || e instanceof errors.JWKSTimeout || e.code === "ERR_JOSE_GENERIC"))
    return new PawlError("PAWL4088", "the keys of the identity provider could not be read", { cause: e });
  if (e instanceof errors.JWTExpired) return refused("the token has expired");
  return refused(e instanceof errors.JWTClaimValidationFailed ? `${e.claim} does not fit` : "the token is not valid here");
}

function refused(why: string): PawlError {
  return new PawlError("PAWL4080", `this request has no valid credential: ${why}`);
}

function wrongSettings(why: string): PawlError {
  return new PawlError("PAWL5040", `JWT: ${why}`);
}
