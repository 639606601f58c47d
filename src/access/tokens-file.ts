// Tokens in a file, for servers whose tokens come from configuration: a JSON list of what a token's row has, with the SHA-256 of its secret
// and never the secret. The file is read again every few seconds, so that taking an entry away revokes the token. A file that
// cannot be read, or that has one wrong entry, opens nothing: half a list of tokens would be a guess.
import { checkId } from "../core/names.ts";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { toTimeText } from "../events/envelope.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { readText, replaceText } from "../platform/files.ts";
import type { Platform } from "../platform/platform.ts";
import { scopeKey } from "../store/keys.ts";
import { lookupAgeMsMax } from "./store-facts.ts";
import { isTokenId, newTokenId, newTokenSecret, tokenText } from "./token-text.ts";
import type { OtherTokens } from "./token-lookup.ts";
import type { TokenRow } from "./token-rows.ts";
import { checkKind, checkScopes, expiryOf, standardTtlMs } from "./tokens.ts";
import type { CreatedToken, NewToken } from "./types.ts";

/** One token of a file. */
export interface TokenEntry {
  readonly tokenId: string;
  /** SHA-256 of the secret, lower-case hex. */
  readonly digest: string;
  readonly subject: string;
  readonly kind?: string;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** Valid in every incarnation of the store: a backup of the store holds none of them. */
const everyIncarnation = Number.MAX_SAFE_INTEGER;

export class TokensFile implements OtherTokens {
  readonly #path: string;
  readonly #platform: Platform;
  readonly #tenant: string;
  readonly #onTrouble: (e: unknown) => void;
  #readAt = Number.NEGATIVE_INFINITY;
  #text: string | undefined;
  #rows: ReadonlyMap<string, TokenRow> = new Map();

  /** Reads the file once, and throws if it is not right. */
  constructor(path: string, platform: Platform, scope: Scope, onTrouble: (e: unknown) => void) {
    this.#path = path;
    this.#platform = platform;
    this.#tenant = scopeKey(scope);
    this.#onTrouble = onTrouble;
    this.#read();
  }

  find(tokenId: string): TokenRow | undefined {
    if (this.#platform.monotonicMs() - this.#readAt >= lookupAgeMsMax) {
      try {
        this.#read();
      } catch (e) {
        this.#rows = new Map();
        this.#text = undefined;
        this.#onTrouble(e);
      }
    }
    return this.#rows.get(tokenId);
  }

  #read(): void {
    this.#readAt = this.#platform.monotonicMs();
    const text = readText(this.#path);
    if (text === undefined) throw wrongFile(this.#path, "there is no such file");
    if (text === this.#text) return;
    const entries = parseTokensFile(text, this.#path);
    this.#rows = new Map(entries.map((e) => [e.tokenId, this.#row(e)]));
    this.#text = text;
  }

  #row(e: TokenEntry): TokenRow {
    return {
      tokenId: e.tokenId,
      digest: e.digest,
      tenant: this.#tenant,
      kind: checkKind(e.kind),
      subject: e.subject,
      scopes: checkScopes(e.scopes, null),
      createdAt: 0,
      expiresAt: Date.parse(e.expiresAt),
      createdBy: null,
      incarnation: everyIncarnation,
      revokedAt: null,
      run: null,
    };
  }
}

/** Adds a new token to a file, which it makes if there is none. */
export function writeTokenEntry(path: string, n: NewToken, platform: Platform): CreatedToken {
  const now = platform.wallMs();
  const [kind, subject, scopes] = [checkKind(n.kind), checkId(n.subject, "subject"), checkScopes(n.scopes, null)];
  const expiresAt = toTimeText(expiryOf(now, n.ttlMs, standardTtlMs, null));
  const text = readText(path);
  const before = text === undefined ? [] : parseTokensFile(text, path);
  const [tokenId, secret] = [newTokenId(platform), newTokenSecret(platform)];
  const entry: TokenEntry = { tokenId, digest: sha256Hex(secret), subject, kind, scopes, expiresAt };
  replaceText(path, `${JSON.stringify([...before, entry], null, 2)}\n`, 0o600);
  return {
    token: tokenText({ id: tokenId, secret }),
    view: { tokenId, kind, subject, scopes, createdAt: toTimeText(now), expiresAt },
  };
}

export function parseTokensFile(text: string, path: string): readonly TokenEntry[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    throw wrongFile(path, "it is not JSON");
  }
  if (!Array.isArray(entries)) throw wrongFile(path, "it is not a list");
  const seen = new Set<string>();
  for (const [i, e] of (entries as Partial<TokenEntry>[]).entries()) {
    const where = `entry ${i + 1}`;
    if (typeof e !== "object" || e === null || !isTokenId(e.tokenId)) throw wrongFile(path, `${where} has no tokenId`);
    if (seen.has(e.tokenId)) throw wrongFile(path, `${where}: ${e.tokenId} is there twice`);
    seen.add(e.tokenId);
    if (typeof e.digest !== "string" || !/^[0-9a-f]{64}$/.test(e.digest)) throw wrongFile(path, `${where}: digest is not SHA-256 in hex`);
    if (typeof e.expiresAt !== "string" || Number.isNaN(Date.parse(e.expiresAt)))
      throw wrongFile(path, `${where}: expiresAt is not a time`);
    try {
      checkId(e.subject, "subject");
      checkKind(e.kind);
      checkScopes(e.scopes, null);
    } catch (wrong) {
      throw wrongFile(path, `${where}: ${wrong instanceof Error ? wrong.message : String(wrong)}`);
    }
  }
  return entries as readonly TokenEntry[];
}

function wrongFile(path: string, why: string): PawlError {
  return new PawlError("PAWL5001", `the tokens file ${path}: ${why}`);
}
