// What vouches for a store from outside of it: seals under a key, and heads that a witness saw. Runs are compared one by one
// (run-seals.ts); here is what no single run can show: that none is missing. Each sealer counted its seals, so a number that is
// neither in a log nor on record as retired was taken away. Only what was written before the check began is asked for, so that
// engines may continue meanwhile. It believes no record that none of the given keys signed.
import { PawlError } from "../../errors/error.ts";
import { readKeyring, type Keyring } from "../../events/keyring.ts";
import { readStatement, type SealCount, type SealerStatement } from "../../events/seal.ts";
import { readSealRecords } from "../../log/seal-records.ts";
import type { FullStore } from "../../store/full-store.ts";
import { mergeRanges } from "../../engine/upkeep/retired-seals.ts";
import type { Finding } from "./finding.ts";
import { isRetired, retiredSeals } from "./retired-seals.ts";
import type { OutsideEvidence, RunSealing } from "./run-seals.ts";
import { readWitness, type WitnessedHead } from "./witness-file.ts";

export interface SealReport {
  /** The ids of the keys that were given. */
  readonly keys: readonly string[];
  /** When sealing began in this store, RFC 3339; null: never. */
  readonly began: string | null;
  readonly seals: number;
  /** Runs that are sealed to their end; that continue, with what comes after their last seal; that ended before sealing began. */
  readonly ended: number;
  readonly live: number;
  readonly before: number;
  /** Runs that ended after sealing began and have no seal of their end: each is a finding. */
  readonly unsealed: number;
  /** Whether missing runs were looked for: only in a check of the whole store. */
  readonly complete: boolean;
}

/** What a check says about its own limits, in words. */
const chainOnlyNote =
  "the chain of links has no key: it shows damage and partial change, not a log that somebody with write access rewrote whole (--key, --witness)";
const newest =
  "a run that was removed together with every later record of its engine leaves no gap: only heads kept elsewhere show that (--witness)";

const removedMax = 20;

export class StoreSeals implements OutsideEvidence {
  readonly ring: Keyring | null;
  began = 0;
  readonly #store: FullStore;
  readonly #heads: ReadonlyMap<string, ReadonlyMap<number, string>> | null;
  readonly #last: ReadonlyMap<string, WitnessedHead>;
  readonly #seen = new Set<string>();
  readonly #sealers = new Map<string, SealerCount>();
  readonly #found: Finding[] = [];
  #storeId = "";
  #startedAt = 0;
  #counts = { seals: 0, ended: 0, live: 0, before: 0, unsealed: 0 };
  #complete = false;

  constructor(store: FullStore, o: { readonly key?: string; readonly witness?: string }) {
    this.#store = store;
    this.ring = o.key === undefined ? null : readKeyring(o.key, "key");
    const witnessed = o.witness === undefined ? null : readWitness(o.witness);
    this.#heads = witnessed?.heads ?? null;
    this.#last = witnessed?.last ?? new Map();
  }

  heads(runId: string): ReadonlyMap<number, string> {
    this.#seen.add(runId);
    return this.#heads?.get(runId) ?? noHeads;
  }

  /** Before the first run is read: from now on engines may write what is not asked for. */
  async begin(): Promise<void> {
    const info = await this.#store.info();
    this.#storeId = info.storeId;
    this.#startedAt = info.nowMs;
    if (this.ring === null) return;
    let began = Number.POSITIVE_INFINITY;
    for (const row of await readSealRecords(this.#store, "sealer")) {
      const read = readStatement(row.value, "pawl.sealer", this.ring);
      if (!read.ok) this.#report("record", "a record that one of the given keys signed", `${row.key}: ${read.why}`);
      else if (read.statement.storeId === this.#storeId) {
        began = Math.min(began, read.statement.began);
        this.#sealerOf(read.statement.sealer).record(read.statement);
      }
    }
    this.began = began;
    if (!Number.isFinite(began)) this.#report("record", "a record of an engine that sealed under one of the given keys", null);
  }

  addRun(runId: string, sealing: RunSealing | undefined): void {
    if (sealing === undefined) return;
    const kinds = { whole: "ended", tail: "live", before: "before", unsealed: "unsealed", none: null } as const;
    const kind = kinds[sealing.state];
    if (kind !== null) this.#counts[kind]++;
    for (const { statement, persistedAt } of sealing.seals) {
      this.#counts.seals++;
      if (statement.storeId !== this.#storeId) continue; // it came from another store, which counts it
      const sealer = this.#sealerOf(statement.sealer);
      if (!sealer.recorded && sealer.some === "") sealer.some = runId;
      sealer.found(statement.n);
      if (persistedAt < this.#startedAt) sealer.counted(statement);
    }
  }

  /** After the last run of a check of the whole store: what is missing in it. */
  async finish(): Promise<readonly Finding[]> {
    this.#complete = true;
    if (this.ring !== null) {
      const { ranges: retired, refused } = await retiredSeals(this.#store, this.ring, this.#storeId);
      for (const why of refused) this.#report("record", "a record that one of the given keys signed", why);
      for (const [id, sealer] of this.#sealers) {
        if (!sealer.recorded) this.#report("record", `the record of sealer ${id}`, null, sealer.some);
        for (const [from, to] of sealer.missing(retired.get(id) ?? []).slice(0, removedMax))
          this.#report("removed", from === to ? `seal ${from} of sealer ${id}` : `seals ${from} to ${to} of sealer ${id}`, null);
      }
      for (const [runId, head] of this.#last) if (!this.#seen.has(runId) && !isRetired(head, retired)) this.#reportMissingRuns(runId, head);
    } else for (const [runId, head] of this.#last) if (!this.#seen.has(runId)) this.#reportMissingRuns(runId, head);
    return this.#found;
  }

  get report(): SealReport | null {
    if (this.ring === null) return null;
    const began = Number.isFinite(this.began) ? new Date(this.began).toISOString() : null;
    return { keys: this.ring.keyIds, began, ...this.#counts, complete: this.#complete };
  }
  /** What this check cannot show. */
  get limits(): readonly string[] {
    const { live, before } = this.#counts;
    return [
      ...(this.ring === null && this.#heads === null ? [chainOnlyNote] : []),
      ...(this.ring !== null && this.#heads === null ? [newest] : []),
      ...(live > 0 ? [`${runsText(live, "has", "have")} not ended: what was written after the last seal is not sealed`] : []),
      ...(before > 0 ? [`${runsText(before, "ended", "ended")} before sealing began: only the chain covers that`] : []),
      ...(this.ring !== null && !this.#complete ? ["missing runs were not looked for: only a check of the whole store can"] : []),
    ];
  }

  #sealerOf(id: string): SealerCount {
    let sealer = this.#sealers.get(id);
    if (sealer === undefined) this.#sealers.set(id, (sealer = new SealerCount()));
    return sealer;
  }
  #report(field: string, expected: string, found: string | null, runId = ""): void {
    this.#found.push({ table: "seals", runId, field, expected, found });
  }
  #reportMissingRuns(runId: string, head: WitnessedHead): void {
    this.#found.push({ table: "witness", runId, seq: head.runSeq, field: "run", expected: head.link, found: null });
  }
}

const noHeads: ReadonlyMap<number, string> = new Map();
const runsText = (n: number, one: string, more: string): string => (n === 1 ? `1 run ${one}` : `${n} runs ${more}`);

/** The numbers of one sealer: a bit for each that was found, so that memory hardly grows with the store. */
class SealerCount {
  recorded = false;
  /** A run with a seal of it, for anyone who has no record of it. */
  some = "";
  #bits = new Uint8Array(128);
  #done = 0;
  readonly #void = new Set<number>();

  record(s: SealerStatement): void {
    this.recorded = true;
    this.counted(s);
  }
  counted(c: SealCount): void {
    this.#done = Math.max(this.#done, c.done);
    for (const n of c.void) this.#void.add(n);
  }
  found(n: number): void {
    if (!Number.isSafeInteger(n) || n < 1) throw new PawlError("PAWL3007", "a seal has no number");
    const at = n >> 3;
    if (at >= this.#bits.length) {
      const more = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      more.set(this.#bits);
      this.#bits = more;
    }
    this.#bits[at]! |= 1 << (n & 7);
  }
  missing(retired: readonly (readonly [number, number])[]): (readonly [number, number])[] {
    const gone: (readonly [number, number])[] = [];
    const isThere = (n: number): boolean => ((this.#bits[n >> 3] ?? 0) & (1 << (n & 7))) !== 0;
    const isOnRecord = (n: number): boolean => this.#void.has(n) || retired.some(([from, to]) => n >= from && n <= to);
    for (let n = 1; n <= this.#done; n++) if (!isThere(n) && !isOnRecord(n)) gone.push([n, n]);
    return mergeRanges(gone);
  }
}
