// Is this token valid now? Looked up in the store, or in a file of tokens, and remembered for a few seconds: a revocation reaches every
// process within five. When the store does not answer, nobody is let in. That a token is another tenant's is found only
// after its secret was right.
import type { Scope } from "../core/model.ts";
import { matchesDigest } from "../platform/crypto/equal.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import { FreshAnswers } from "./fresh.ts";
import { lookupAgeMsMax, readFacts, type AccessFacts } from "./store-facts.ts";
import { parseTokenText } from "./token-text.ts";
import { TokenRows, type TokenRow } from "./token-rows.ts";

/** How many tokens' rows are remembered. */
const rememberedMax = 10_000;

export type TokenAnswer =
  | { readonly kind: "valid"; readonly row: TokenRow }
  /** The token is another tenant's. */
  | { readonly kind: "foreign"; readonly row: TokenRow }
  | { readonly kind: "unknown" | "revoked" | "expired" | "restored" };

/** Tokens that are in no store: of a file. */
export interface OtherTokens {
  find(tokenId: string): TokenRow | undefined;
}

export class TokenLookup {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #rows: TokenRows;
  readonly #others: OtherTokens | undefined;
  readonly #facts: FreshAnswers<AccessFacts>;
  readonly #known: FreshAnswers<TokenRow | undefined>;

  constructor(store: FullStore, platform: Platform, scope: Scope, others?: OtherTokens) {
    this.#store = store;
    this.#platform = platform;
    this.#rows = new TokenRows(store, scope);
    this.#others = others;
    this.#facts = new FreshAnswers(platform, lookupAgeMsMax, 1);
    this.#known = new FreshAnswers(platform, lookupAgeMsMax, rememberedMax);
  }

  facts(): Promise<AccessFacts> {
    return this.#facts.get("", () => readFacts(this.#store, this.#platform));
  }

  /** The time as the store has it. */
  async nowMs(): Promise<number> {
    return this.#platform.wallMs() + (await this.facts()).clockAheadMs;
  }

  /** Of a token as it was sent. */
  async find(text: string): Promise<TokenAnswer> {
    const parts = parseTokenText(text);
    if (parts === undefined) return { kind: "unknown" };
    const row = await this.#rowOf(parts.id);
    if (row !== undefined) return matchesDigest(parts.secret, row.digest) ? this.#judge(row) : { kind: "unknown" };
    const foreign = await this.#rows.getForeign(parts.id);
    if (foreign === undefined || !matchesDigest(parts.secret, foreign.digest)) return { kind: "unknown" };
    return { kind: "foreign", row: foreign };
  }

  /** Of a token that was valid before, by its id. */
  async check(tokenId: string): Promise<TokenAnswer> {
    const row = await this.#rowOf(tokenId);
    return row === undefined ? { kind: "unknown" } : this.#judge(row);
  }

  #rowOf(tokenId: string): Promise<TokenRow | undefined> {
    const other = this.#others?.find(tokenId);
    if (other !== undefined) return Promise.resolve(other);
    return this.#known.get(
      tokenId,
      () => this.#rows.get(tokenId),
      (row) => row !== undefined,
    );
  }

  async #judge(row: TokenRow): Promise<TokenAnswer> {
    const { tokensFrom, clockAheadMs } = await this.facts();
    if (row.revokedAt !== null) return { kind: "revoked" };
    if (this.#platform.wallMs() + clockAheadMs >= row.expiresAt) return { kind: "expired" };
    if (row.incarnation < tokensFrom) return { kind: "restored" };
    // A token for one run ends with the token that it was made with.
    const parent = row.run === null ? undefined : row.createdBy?.tokenId;
    if (parent !== undefined) {
      const made = await this.check(parent);
      if (made.kind !== "valid") return made;
    }
    return { kind: "valid", row };
  }
}
