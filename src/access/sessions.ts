// Sessions of browsers: made from a token or a JWT, valid for twelve hours, and ending with that token or JWT. The secret has two halves: one in a
// cookie, one in the page. Cookies ignore ports, so that another server on the same machine sees the first; alone it opens nothing.
// The store has a hash of both together.
import { Buffer } from "node:buffer";
import type { Scope } from "../core/model.ts";
import type { AccessScope, Principal } from "../core/principal.ts";
import { matchesDigest } from "../platform/crypto/equal.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import { scopedCollection } from "../store/keys.ts";
import { FreshAnswers } from "./fresh.ts";
import { lookupAgeMsMax } from "./store-facts.ts";
import type { TokenLookup } from "./token-lookup.ts";

const sessionMs = 43_200_000;
const rememberedMax = 10_000;
const pageSize = 500;
const halfForm = /^[\w-]{22}$/;
const idForm = /^[0-9a-f]{24}$/;

export interface SessionRow {
  readonly sessionId: string;
  /** SHA-256 of both halves, lower-case hex. */
  readonly digest: string;
  readonly principal: Principal;
  readonly scopes: readonly AccessScope[];
  /** The only queues that its holder may serve. */
  readonly queues?: readonly string[];
  /** The token that bought it; null: a JWT did. */
  readonly tokenId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly incarnation: number;
}

export interface NewSession {
  /** For the cookie. */
  readonly cookie: string;
  /** For the page, which sends it as X-Pawl-Session. */
  readonly half: string;
  readonly expiresAt: number;
}

export class Sessions {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #collection: string;
  readonly #lookup: TokenLookup;
  readonly #known: FreshAnswers<SessionRow | undefined>;

  constructor(store: FullStore, platform: Platform, scope: Scope, lookup: TokenLookup) {
    this.#store = store;
    this.#platform = platform;
    this.#collection = scopedCollection("access.sessions", scope);
    this.#lookup = lookup;
    this.#known = new FreshAnswers(platform, lookupAgeMsMax, rememberedMax);
  }

  async create(
    by: Pick<SessionRow, "principal" | "scopes" | "queues"> & {
      readonly tokenId?: string;
      readonly createdBy?: string;
      readonly expiresAt?: number;
    },
  ): Promise<NewSession> {
    const { nowMs, incarnation } = await this.#store.info();
    const [sessionId, first, second] = [this.#platform.randomHex(12), this.#newHalf(), this.#newHalf()];
    const row: SessionRow = {
      sessionId,
      digest: sha256Hex(first + second),
      principal: by.principal,
      scopes: by.scopes,
      ...(by.queues === undefined ? {} : { queues: by.queues }),
      tokenId: by.tokenId ?? null,
      createdBy: by.createdBy ?? null,
      createdAt: nowMs,
      expiresAt: Math.min(nowMs + sessionMs, by.expiresAt ?? Number.POSITIVE_INFINITY),
      incarnation,
    };
    await this.#store.kv.put([{ collection: this.#collection, key: sessionId, value: JSON.stringify(row), expect: 0 }]);
    return { cookie: `${sessionId}.${first}`, half: second, expiresAt: row.expiresAt };
  }

  /** undefined: not a session, ended, or one of the halves is wrong. */
  async find(cookie: string, half: string): Promise<SessionRow | undefined> {
    const [sessionId = "", first = "", ...more] = cookie.split(".");
    if (more.length > 0 || !idForm.test(sessionId) || !halfForm.test(first) || !halfForm.test(half)) return undefined;
    const row = await this.#read(sessionId);
    if (row === undefined || !matchesDigest(first + half, row.digest)) return undefined;
    return (await this.#holds(row)) ? row : undefined;
  }

  /** Whether a session that was valid before still is. */
  async check(sessionId: string): Promise<boolean> {
    const row = await this.#read(sessionId);
    return row !== undefined && this.#holds(row);
  }

  async end(sessionId: string): Promise<void> {
    await this.#store.kv.put([{ collection: this.#collection, key: sessionId, value: null }]);
    this.#known.forget(sessionId);
  }

  /** Takes away sessions that have ended, and returns how many. */
  async removeEnded(): Promise<number> {
    const { nowMs } = await this.#store.info();
    let removed = 0;
    for (let after: string | undefined; ;) {
      const page = await this.#store.kv.list({ collection: this.#collection, limit: pageSize, ...(after === undefined ? {} : { after }) });
      const gone = page.filter((r) => (JSON.parse(r.value) as SessionRow).expiresAt <= nowMs);
      if (gone.length > 0) await this.#store.kv.put(gone.map(({ key }) => ({ collection: this.#collection, key, value: null })));
      removed += gone.length;
      after = page.at(-1)?.key;
      if (page.length < pageSize) return removed;
    }
  }

  #read(sessionId: string): Promise<SessionRow | undefined> {
    const ask = async (): Promise<SessionRow | undefined> => {
      const [row] = await this.#store.kv.get(this.#collection, [sessionId]);
      return row === undefined ? undefined : (JSON.parse(row.value) as SessionRow);
    };
    return this.#known.get(sessionId, ask, (row) => row !== undefined);
  }

  async #holds(row: SessionRow): Promise<boolean> {
    const { incarnation, clockAheadMs } = await this.#lookup.facts();
    if (row.incarnation !== incarnation || this.#platform.wallMs() + clockAheadMs >= row.expiresAt) return false;
    return row.tokenId === null || (await this.#lookup.check(row.tokenId)).kind === "valid";
  }

  #newHalf(): string {
    return Buffer.from(this.#platform.randomHex(16), "hex").toString("base64url");
  }
}
