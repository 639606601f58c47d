// One process's chain of records. A write is one transaction: the records, the rows by which they are found, and the chain's head, which is
// written only on the version that this process wrote last. So a write whose answer was lost, and that lands later, can never stand beside
// another one at the same place: one of the two is refused. After an unknown outcome the head is read before anything else is written.
import { isPawlError, PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvWrite } from "../store/reader-store.ts";
import { type AuditCollections, type AuditEntry, type AuditRow, type AuditHead, auditKey, indexWrites, auditLink } from "./audit-rows.ts";

const triesMax = 3;

/** A head that is stored, or may be. */
interface StoredHead extends AuditHead {
  readonly version: number;
}

export class AuditChain {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #c: AuditCollections;
  #chain: string;
  #head: StoredHead = { seq: 0, link: "", at: 0, version: 0 };
  /** The links of writes whose outcome is unknown: each may still land, until the head moves. */
  readonly #maybe = new Set<string>();
  #unsure = false;

  constructor(store: FullStore, platform: Platform, collections: AuditCollections) {
    this.#store = store;
    this.#platform = platform;
    this.#c = collections;
    this.#chain = platform.randomHex(8);
  }

  /** null before the first record. */
  head(): (AuditHead & { readonly chain: string }) | null {
    const { seq, link, at } = this.#head;
    return seq === 0 ? null : { chain: this.#chain, seq, link, at };
  }

  /** Resolves when all of them are durable. When it rejects, none is believed to be, though all may be. One call at a time. */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    const mine = new Set<string>();
    for (let tries = 1; ; tries++) {
      if (this.#unsure) await this.#readHead();
      if (mine.has(this.#head.link)) return; // an earlier try of this call has landed
      const { writes, next } = this.#plan(entries);
      try {
        const answer = await this.#store.kv.put(writes);
        if (answer.kind === "put") return this.#advance(next);
        this.#unsure = true; // the head has moved: by an earlier write of this process, or by a stranger
      } catch (e) {
        if (isPawlError(e) && e.outcome === "none") throw e;
        mine.add(next.link);
        this.#maybe.add(next.link);
        this.#unsure = true;
        if (tries < triesMax) continue;
        await this.#readHead();
        if (mine.has(this.#head.link)) return;
        throw e;
      }
      if (tries >= triesMax) throw new PawlError("PAWL3002", "the head of the audit log changes under its writer");
    }
  }

  #plan(entries: readonly AuditEntry[]): { readonly writes: readonly KvWrite[]; readonly next: StoredHead } {
    const writes: KvWrite[] = [];
    let { seq, link, at } = this.#head;
    for (const e of entries) {
      at = Math.max(at, this.#platform.wallMs()); // the order of a chain is the order of its times
      const row: AuditRow = { v: 1, chain: this.#chain, seq: ++seq, prev: link, at, ...e };
      const value = JSON.stringify(row);
      link = auditLink(value);
      writes.push({ collection: this.#c.rows, key: auditKey(row), value, expect: 0 }, ...indexWrites(this.#c, row));
    }
    const next = { seq, link, at, version: this.#head.version + 1 };
    const head: AuditHead = { seq, link, at };
    writes.push({ collection: this.#c.heads, key: this.#chain, value: JSON.stringify(head), expect: this.#head.version });
    return { writes, next };
  }

  async #readHead(): Promise<void> {
    const [row] = await this.#store.kv.get(this.#c.heads, [this.#chain]);
    const stored: StoredHead =
      row === undefined ? { seq: 0, link: "", at: 0, version: 0 } : { ...(JSON.parse(row.value) as AuditHead), version: row.version };
    if (stored.link === this.#head.link) return; // what is unknown may still land: it is looked at again before the next write
    if (this.#maybe.has(stored.link)) return this.#advance(stored);
    // Not ours: what stands there stays as it is, for verification to find. This process continues on a chain of its own.
    this.#chain = this.#platform.randomHex(8);
    this.#advance({ seq: 0, link: "", at: this.#head.at, version: 0 });
  }

  #advance(head: StoredHead): void {
    this.#head = head;
    this.#maybe.clear();
    this.#unsure = false;
  }
}
