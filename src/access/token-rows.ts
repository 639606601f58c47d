// Tokens as the store keeps them: never the secret, only its SHA-256. A tenant's tokens lie together, so that no listing meets another
// tenant's; a row beside them says which tenant an id belongs to, so that a token of the wrong tenant is not taken for a mistyped one.
import type { Scope } from "../core/model.ts";
import type { AccessScope, PrincipalKind } from "../core/principal.ts";
import { toTimeText } from "../events/envelope.ts";
import type { FullStore } from "../store/full-store.ts";
import { parseScopeKey, scopedCollection, scopeKey } from "../store/keys.ts";
import type { RunShare, TokenView } from "./types.ts";

export interface TokenRow {
  readonly tokenId: string;
  /** SHA-256 of the secret, lower-case hex. */
  readonly digest: string;
  readonly tenant: string;
  readonly kind: PrincipalKind;
  readonly subject: string;
  readonly scopes: readonly AccessScope[];
  readonly createdAt: number;
  readonly expiresAt: number;
  /** null: somebody with access to the store itself. */
  readonly createdBy: { readonly subject: string; readonly tokenId?: string } | null;
  /** The store's, when it was made: a restored backup must not bring back what was revoked since. */
  readonly incarnation: number;
  readonly revokedAt: number | null;
  readonly run: RunShare | null;
  /** Absent: every queue of the tenant. */
  readonly queues?: readonly string[];
}

const tenantsCollection = "access.token-tenants";
const pageSize = 500;

export class TokenRows {
  readonly #store: FullStore;
  readonly #scope: Scope;

  constructor(store: FullStore, scope: Scope) {
    this.#store = store;
    this.#scope = scope;
  }

  get #collection(): string {
    return scopedCollection("access.tokens", this.#scope);
  }

  /** False when the id is taken. */
  async add(row: TokenRow): Promise<boolean> {
    const answer = await this.#store.kv.put([
      { collection: this.#collection, key: row.tokenId, value: JSON.stringify(row), expect: 0 },
      { collection: tenantsCollection, key: row.tokenId, value: row.tenant, expect: 0 },
    ]);
    return answer.kind === "put";
  }

  async get(tokenId: string): Promise<TokenRow | undefined> {
    const [found] = await this.#store.kv.get(this.#collection, [tokenId]);
    return found === undefined ? undefined : (JSON.parse(found.value) as TokenRow);
  }

  /** The row of a token that belongs to another tenant. */
  async getForeign(tokenId: string): Promise<TokenRow | undefined> {
    const [found] = await this.#store.kv.get(tenantsCollection, [tokenId]);
    if (found === undefined || found.value === scopeKey(this.#scope)) return undefined;
    return new TokenRows(this.#store, parseScopeKey(found.value)).get(tokenId);
  }

  /** Applies `to` to what is stored, and again when somebody else was quicker; undefined when there is none. */
  async change(tokenId: string, to: (row: TokenRow) => TokenRow): Promise<TokenRow | undefined> {
    for (;;) {
      const [found] = await this.#store.kv.get(this.#collection, [tokenId]);
      if (found === undefined) return undefined;
      const next = to(JSON.parse(found.value) as TokenRow);
      const put = { collection: this.#collection, key: tokenId, value: JSON.stringify(next), expect: found.version };
      if ((await this.#store.kv.put([put])).kind === "put") return next;
    }
  }

  /** In the order of ids. */
  async page(q: { readonly after?: string; readonly limit: number }): Promise<readonly TokenRow[]> {
    const rows = await this.#store.kv.list({ collection: this.#collection, ...q });
    return rows.map((r) => JSON.parse(r.value) as TokenRow);
  }

  /** Takes away tokens that ended before `before`, and returns how many. */
  async removeEnded(before: number, shareBefore: number): Promise<number> {
    let removed = 0;
    for (let after: string | undefined; ;) {
      const page = await this.page({ limit: pageSize, ...(after === undefined ? {} : { after }) });
      const gone = page.filter((r) => Math.min(r.expiresAt, r.revokedAt ?? r.expiresAt) < (r.run === null ? before : shareBefore));
      for (const { tokenId } of gone)
        await this.#store.kv.put([
          { collection: this.#collection, key: tokenId, value: null },
          { collection: tenantsCollection, key: tokenId, value: null },
        ]);
      removed += gone.length;
      after = page.at(-1)?.tokenId;
      if (page.length < pageSize) return removed;
    }
  }
}

export function tokenView(r: TokenRow): TokenView {
  return {
    tokenId: r.tokenId,
    kind: r.kind,
    subject: r.subject,
    scopes: r.scopes,
    createdAt: toTimeText(r.createdAt),
    expiresAt: toTimeText(r.expiresAt),
    ...(r.createdBy === null ? {} : { createdBy: r.createdBy.subject }),
    ...(r.revokedAt === null ? {} : { revokedAt: toTimeText(r.revokedAt) }),
    ...(r.run === null ? {} : { run: r.run }),
    ...(r.queues === undefined ? {} : { queues: r.queues }),
  };
}
