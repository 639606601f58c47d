// Is the audit log whole? Every record must fit the one before it, every chain must end where its head is registered, every record must be
// found by its rows, and every head that was logged must be there. It finds what was changed, removed or cut off; it cannot find changes by
// somebody who can also change the heads, unless a log of heads is kept elsewhere. It reads only.
import type { Scope } from "../core/model.ts";
import type { FullStore } from "../store/full-store.ts";
import type { KvRow } from "../store/reader-store.ts";
import {
  auditCollections,
  auditKey,
  auditLink,
  indexWrites,
  type AuditCollections,
  type AuditFloor,
  type AuditHead,
  type AuditRow,
} from "./audit-rows.ts";
import { auditKeepMsMin } from "./audit-retention.ts";

const pageSize = 500;
const findingsMax = 100;

export interface AuditFinding {
  readonly chain: string;
  /** The place in the chain; 0 for the chain as a whole. */
  readonly seq: number;
  readonly kind: "changed" | "removed" | "cut" | "hidden" | "unreadable";
  readonly text: string;
}

export interface AuditVerification {
  readonly ok: boolean;
  readonly records: number;
  readonly chains: number;
  /** The first hundred. */
  readonly findings: readonly AuditFinding[];
}

/** A head as a server logged it. */
export interface LoggedHead {
  readonly chain: string;
  readonly seq: number;
  readonly link: string;
}

/** The heads in the text of a log: lines with `audit head <chain> <seq> <link>`. */
export function loggedHeads(text: string): readonly LoggedHead[] {
  return [...text.matchAll(/audit head ([0-9a-f]{16}) (\d+) ([0-9a-f]{64})/g)].map(([, chain = "", seq, link = ""]) => ({
    chain,
    seq: Number(seq),
    link,
  }));
}

/** What the next record of a chain, going back in time, must be. */
interface Expected {
  seq: number;
  /** undefined: the first one that is met. */
  link: string | undefined;
  readonly top: number;
}

export async function verifyAudit(store: FullStore, scope: Scope, logged: readonly LoggedHead[] = []): Promise<AuditVerification> {
  return new AuditCheck(store, scope, logged).run();
}

class AuditCheck {
  readonly #store: FullStore;
  readonly #c: AuditCollections;
  readonly #logged = new Map<string, LoggedHead>();
  readonly #expected = new Map<string, Expected>();
  readonly #findings: AuditFinding[] = [];
  #floors: ReadonlyMap<string, AuditFloor> = new Map();
  #records = 0;

  constructor(store: FullStore, scope: Scope, logged: readonly LoggedHead[]) {
    this.#store = store;
    this.#c = auditCollections(scope);
    for (const h of logged) this.#logged.set(`${h.chain} ${h.seq}`, h);
  }

  async run(): Promise<AuditVerification> {
    const { nowMs } = await this.#store.info();
    this.#floors = await this.#all<AuditFloor>(this.#c.floors);
    for (const [chain, f] of this.#floors)
      if (f.at > nowMs - auditKeepMsMin) this.#find(chain, f.seq, "removed", "records were removed before their time");
    // The heads first: a record that is written from now on is newer than its head.
    const heads = await this.#all<AuditHead>(this.#c.heads);
    for (const [chain, h] of heads) this.#expected.set(chain, { seq: h.seq, link: h.link, top: h.seq });
    for (let after: string | undefined; ;) {
      const page = await this.#store.kv.list({ collection: this.#c.rows, limit: pageSize, ...(after === undefined ? {} : { after }) });
      const rows = page.flatMap((r) => this.#look(r) ?? []);
      await this.#lookForIndexes(rows);
      after = page.at(-1)?.key;
      if (page.length < pageSize) break;
    }
    await this.#lookAtEnds(heads);
    const findings = this.#findings.slice(0, findingsMax);
    return { ok: findings.length === 0, records: this.#records, chains: this.#expected.size, findings };
  }

  /** One record, the newest first. */
  #look(stored: KvRow): AuditRow | undefined {
    this.#records++;
    let r: AuditRow;
    try {
      r = JSON.parse(stored.value) as AuditRow;
      if (auditKey(r) !== stored.key) throw new Error("elsewhere");
    } catch {
      const chain = stored.key.split("/")[1] ?? "";
      this.#find(chain, 0, "unreadable", `the record ${stored.key} is not what was written there`);
      return undefined;
    }
    if (stored.version !== 1) this.#find(r.chain, r.seq, "changed", "the record was written more than once");
    const link = auditLink(stored.value);
    const logged = this.#logged.get(`${r.chain} ${r.seq}`);
    if (logged !== undefined && logged.link !== link) this.#find(r.chain, r.seq, "changed", "the record is not the one that was logged");
    this.#logged.delete(`${r.chain} ${r.seq}`);
    const floor = this.#floors.get(r.chain);
    if (floor !== undefined && r.seq < floor.seq) return undefined; // retention was interrupted here
    let e = this.#expected.get(r.chain);
    if (e === undefined || (e.link !== undefined && e.seq === e.top && r.seq > e.top)) {
      // Newer than the heads that were read: it must lead down to the head, and have one of its own by the end.
      e = { seq: r.seq, link: undefined, top: r.seq };
      this.#expected.set(r.chain, e);
    }
    if (r.seq !== e.seq) {
      const gone = e.seq === r.seq + 1 ? `record ${e.seq} is` : `records ${r.seq + 1} to ${e.seq} are`;
      this.#find(r.chain, e.seq, e.seq === e.top ? "cut" : "removed", `${gone} missing`);
    } else if (e.link !== undefined && e.link !== link) this.#find(r.chain, r.seq, "changed", "the record is not the one that was written");
    e.seq = r.seq - 1;
    e.link = r.prev;
    return r;
  }

  /** A record that its rows do not lead to would be missing from every listing by run or id. */
  async #lookForIndexes(rows: readonly AuditRow[]): Promise<void> {
    const wanted = new Map<string, Map<string, AuditRow>>();
    for (const r of rows)
      for (const w of indexWrites(this.#c, r)) {
        const keys = wanted.get(w.collection) ?? new Map<string, AuditRow>();
        wanted.set(w.collection, keys.set(w.key, r));
      }
    for (const [collection, keys] of wanted) {
      for (const found of await this.#store.kv.get(collection, [...keys.keys()])) keys.delete(found.key);
      for (const r of keys.values()) this.#find(r.chain, r.seq, "hidden", "a row by which the record is found is missing");
    }
  }

  async #lookAtEnds(before: ReadonlyMap<string, AuditHead>): Promise<void> {
    const now = await this.#all<AuditHead>(this.#c.heads);
    for (const [chain, e] of this.#expected) {
      const first = this.#floors.get(chain)?.seq ?? 1;
      const seq = e.seq + 1; // the oldest that was met
      if (seq > first) this.#find(chain, e.seq, e.seq === e.top ? "cut" : "removed", `records ${first} to ${e.seq} are missing`);
      else if (seq === first && e.link !== undefined && e.seq !== e.top && e.link !== (this.#floors.get(chain)?.prev ?? ""))
        this.#find(chain, first, "removed", "the chain does not begin where it should");
      const head = now.get(chain);
      if (head === undefined) this.#find(chain, 0, "cut", "the chain's head is missing");
      else if (head.seq < e.top || head.seq < (before.get(chain)?.seq ?? 0))
        this.#find(chain, head.seq, "changed", "there are records after the chain's head");
    }
    for (const h of this.#logged.values())
      if ((this.#floors.get(h.chain)?.seq ?? 0) <= h.seq) this.#find(h.chain, h.seq, "cut", "a record that was logged is missing");
  }

  async #all<T>(collection: string): Promise<ReadonlyMap<string, T>> {
    const found = new Map<string, T>();
    for (let after: string | undefined; ;) {
      const page = await this.#store.kv.list({ collection, limit: pageSize, ...(after === undefined ? {} : { after }) });
      for (const r of page) {
        try {
          found.set(r.key, JSON.parse(r.value) as T);
        } catch {
          this.#find(r.key, 0, "unreadable", "the chain's head is not what was written");
        }
      }
      after = page.at(-1)?.key;
      if (page.length < pageSize) return found;
    }
  }

  #find(chain: string, seq: number, kind: AuditFinding["kind"], text: string): void {
    if (this.#findings.length < findingsMax) this.#findings.push({ chain, seq, kind, text });
  }
}
