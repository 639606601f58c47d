// The verbs of tokens. A token never permits more, nor lives longer, than the caller that makes it; the holder of the store itself may make
// any. The secret is in the answer of the verb that made it and nowhere else, and no message ever shows it.
import { checkId } from "../core/names.ts";
import type { Scope } from "../core/model.ts";
import { accessScopes, isAccessScope, principalKinds, type AccessScope, type PrincipalKind } from "../core/principal.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import { scopeKey } from "../store/keys.ts";
import { isTokenId, newTokenId, newTokenSecret, tokenText } from "./token-text.ts";
import { TokenRows, tokenView, type TokenRow } from "./token-rows.ts";
import type { TokenVerbs } from "./types.ts";

const dayMs = 86_400_000;
export const standardTtlMs: number = 90 * dayMs;
const ttlMsMax = 3_660 * dayMs;
const shareTtlMsMax = 3_600_000;
const shareTtlMs = 900_000;

export interface TokenDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
}

/** The caller that makes a token, and what it may pass on. */
export interface TokenCreator {
  readonly subject: string;
  readonly tokenId?: string;
  readonly scopes: readonly AccessScope[];
  /** The only queues that it may serve itself. */
  readonly queues?: readonly string[];
  /** Milliseconds since 1970; absent: no end of its own. */
  readonly expiresAt?: number;
}

/** `creator` null: somebody with access to the store itself. */
export function tokenVerbs(c: TokenDeps, creator: TokenCreator | null): TokenVerbs {
  const rows = new TokenRows(c.store, c.scope);
  const add = async (t: Pick<TokenRow, "kind" | "subject" | "scopes" | "run" | "queues">, ttlMs: number | undefined, standard: number) => {
    const { nowMs, incarnation } = await c.store.info();
    const expiresAt = expiryOf(nowMs, ttlMs, standard, creator);
    const createdBy =
      creator === null ? null : { subject: creator.subject, ...(creator.tokenId === undefined ? {} : { tokenId: creator.tokenId }) };
    for (;;) {
      const secret = newTokenSecret(c.platform);
      const row: TokenRow = {
        tokenId: newTokenId(c.platform),
        digest: sha256Hex(secret),
        tenant: scopeKey(c.scope),
        ...t,
        createdAt: nowMs,
        expiresAt,
        createdBy,
        incarnation,
        revokedAt: null,
      };
      if (await rows.add(row)) return { token: tokenText({ id: row.tokenId, secret }), view: tokenView(row) };
    }
  };
  return {
    create: async (n) => {
      const scopes = checkScopes(n.scopes, creator);
      const queues = checkQueues(n.queues, scopes, creator);
      const whose = { kind: checkKind(n.kind), subject: checkId(n.subject, "subject"), scopes, run: null };
      return add({ ...whose, ...(queues === undefined ? {} : { queues }) }, n.ttlMs, standardTtlMs);
    },
    list: async (q = {}) => {
      const { limit = 50, cursor } = q;
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
        throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
      if (cursor !== undefined && !isTokenId(cursor))
        throw new PawlError("PAWL4011", "cursor is invalid: pass one that a listing returned");
      const page = await rows.page({ limit, ...(cursor === undefined ? {} : { after: cursor }) });
      const last = page.length === limit ? page.at(-1) : undefined;
      return { tokens: page.map(tokenView), ...(last === undefined ? {} : { cursor: last.tokenId }) };
    },
    revoke: async (tokenId) => {
      const { nowMs } = await c.store.info();
      const row = isTokenId(tokenId) ? await rows.change(tokenId, (r) => ({ ...r, revokedAt: r.revokedAt ?? nowMs })) : undefined;
      if (row === undefined)
        throw new PawlError("PAWL4095", `there is no token ${JSON.stringify(String(tokenId).slice(0, 40))} of this tenant`);
      return tokenView(row);
    },
    share: async (runId, s) => {
      if (s.allow !== "read" && s.allow !== "views") throw new PawlError("PAWL4011", 'allow is "read" or "views"');
      if (s.ttlMs !== undefined && s.ttlMs > shareTtlMsMax) throw new PawlError("PAWL4011", "ttlMs of a shared run is an hour at most");
      const scopes = checkScopes([s.allow === "read" ? "read" : "payloads"], creator);
      const subject = creator?.subject ?? "store";
      return add({ kind: "service", subject, scopes, run: { runId, allow: s.allow } }, s.ttlMs, shareTtlMs);
    },
  };
}

/** Known scopes, each once, none that the creator does not have. */
export function checkScopes(scopes: unknown, creator: TokenCreator | null): readonly AccessScope[] {
  const known = `a list of ${accessScopes.join(", ")}`;
  if (!Array.isArray(scopes) || scopes.length === 0) throw new PawlError("PAWL4011", `scopes must be ${known}`);
  for (const s of scopes)
    if (!isAccessScope(s))
      throw new PawlError("PAWL4011", `scopes: ${JSON.stringify(String(s).slice(0, 40))} is none; scopes are ${known}`);
  const asked = accessScopes.filter((s) => scopes.includes(s));
  const missing = creator === null ? [] : asked.filter((s) => !creator.scopes.includes(s));
  if (missing.length > 0)
    throw new PawlError(
      "PAWL4081",
      `a token has at most the scopes of its creator, who lacks ${missing.join(", ")}; leave them out, or ask somebody who has them`,
    );
  return asked;
}

/** Queues make sense for a worker only; none that the creator may not serve. */
function checkQueues(queues: unknown, scopes: readonly AccessScope[], creator: TokenCreator | null): readonly string[] | undefined {
  if (queues === undefined) return creator?.queues;
  if (!scopes.includes("worker"))
    throw new PawlError("PAWL4011", "queues are for tokens with the scope worker: add it, or leave queues out");
  const isQueue = (q: unknown): boolean => typeof q === "string" && q !== "" && q.length <= 128;
  if (!Array.isArray(queues) || queues.length === 0 || queues.length > 100 || !queues.every(isQueue))
    throw new PawlError("PAWL4011", "queues must be a list of 1 to 100 names of queues, each of at most 128 characters");
  const foreign = creator?.queues === undefined ? undefined : queues.find((q) => !creator.queues!.includes(q as string));
  if (foreign !== undefined) throw new PawlError("PAWL4081", `a token has at most the queues of its creator, who may not serve ${foreign}`);
  return queues as string[];
}

export function checkKind(kind: unknown = "service"): PrincipalKind {
  if ((principalKinds as readonly unknown[]).includes(kind)) return kind as PrincipalKind;
  throw new PawlError("PAWL4011", `kind is one of ${principalKinds.join(", ")}`);
}

export function expiryOf(nowMs: number, ttlMs: unknown, standard: number, creator: TokenCreator | null): number {
  const last = creator?.expiresAt ?? Number.POSITIVE_INFINITY;
  if (ttlMs === undefined) return Math.min(nowMs + standard, last);
  if (typeof ttlMs !== "number" || !Number.isSafeInteger(ttlMs) || ttlMs < 1_000 || ttlMs > ttlMsMax)
    throw new PawlError("PAWL4011", "ttlMs is a whole number of milliseconds, from a second to ten years");
  if (nowMs + ttlMs > last)
    throw new PawlError(
      "PAWL4081",
      `a token lives at most as long as its creator's credential, until ${new Date(last).toISOString()}; ask for less, or leave ttlMs out`,
    );
  return nowMs + ttlMs;
}
