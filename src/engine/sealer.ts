// The engine's own seals (K22, events/seal.ts): when a run is due for one, and the count of all that were made. A number is taken when a
// seal is made and answered when its Commit is; the count up to which all were answered goes into every later seal and, now
// and then, into a signed record in the store. So a run that is taken out of the store leaves a gap that shows. It must
// never say of a seal that it was written before the store said so.
import type { SealKey } from "../log/seal-key-file.ts";
import { readStatement, sealerRowKey, sealCollection, signStatement, type SealedPlace, type SealerStatement } from "../events/seal.ts";
import { readSealRecords } from "../log/seal-records.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { Logger } from "./run-host.ts";

/** So many events of a run are unsealed at most. */
const eventsMax = 1_000;

export interface SealerOptions {
  readonly key: SealKey;
  readonly store: FullStore;
  readonly platform: Platform;
  readonly log: Logger;
  /** A live run that writes is sealed at most this long after its last seal. */
  readonly everyMs: number;
}

export class Sealer {
  readonly #o: SealerOptions;
  readonly #id: string;
  readonly #answeredNumbers = new Set<number>();
  #storeId = "";
  #since = 0;
  #began = 0;
  #made = 0;
  #done = 0;
  /** Not known to be written; the first `#recorded` of them are in the stored record. */
  #void: number[] = [];
  #recorded = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: Cancel | null = null;

  constructor(o: SealerOptions) {
    this.#o = o;
    this.#id = o.platform.uuidV7();
  }

  /** Before its first seal: a check of the store then expects a record of this sealer. */
  async open(): Promise<void> {
    const { storeId, nowMs } = await this.#o.store.info();
    this.#storeId = storeId;
    this.#since = nowMs;
    this.#began = nowMs;
    for (const row of await readSealRecords(this.#o.store, "sealer")) {
      const read = readStatement(row.value, "pawl.sealer", this.#o.key.ring);
      if (read.ok) this.#began = Math.min(this.#began, read.statement.began);
    }
    await this.#put(false);
  }

  isDue(eventsSince: number, msSince: number): boolean {
    return eventsSince >= eventsMax || msSince >= this.#o.everyMs;
  }

  /** The payload of a seal, and its number, which must be answered. */
  seal(runId: string, place: SealedPlace, at: number): { readonly n: number; readonly payload: string } {
    const n = ++this.#made;
    const { key } = this.#o;
    const count = { sealer: this.#id, n, done: this.#done, void: this.#void.slice(this.#recorded) };
    const about = { storeId: this.#storeId, keyId: key.keyId, runId, at: Math.round(at) };
    const payload = signStatement(key.signer, { kind: "pawl.seal", v: 1, ...about, ...place, ...count });
    return { n, payload };
  }

  /** What became of the Commit with this seal. */
  onAnswered(n: number, written: boolean): void {
    this.#answeredNumbers.add(n);
    if (!written) this.#void.push(n);
    while (this.#answeredNumbers.delete(this.#done + 1)) this.#done++;
    this.#timer ??= this.#o.platform.timer(this.#o.everyMs, () => {
      this.#timer = null;
      void this.#put(false).catch((e: unknown) =>
        this.#o.log("warn", `the record of seals could not be written: ${e instanceof Error ? e.message : String(e)}`),
      );
    });
  }

  /** The last record: all seals that this engine made. */
  async close(): Promise<void> {
    this.#timer?.();
    this.#timer = null;
    await this.#put(true);
  }

  /** One after the other: an older record must not replace a newer one. */
  #put(closed: boolean): Promise<void> {
    const next = async (): Promise<void> => {
      const recorded = this.#void.filter((n) => n <= this.#done);
      const statement: SealerStatement = {
        kind: "pawl.sealer",
        v: 1,
        storeId: this.#storeId,
        keyId: this.#o.key.keyId,
        sealer: this.#id,
        since: this.#since,
        began: this.#began,
        done: this.#done,
        void: recorded,
        closed,
      };
      await this.#o.store.kv.put([
        { collection: sealCollection, key: sealerRowKey(this.#id), value: signStatement(this.#o.key.signer, statement) },
      ]);
      // Those above `done` stay for the next record; the list keeps the recorded ones first.
      this.#void = [...recorded, ...this.#void.filter((n) => !recorded.includes(n))];
      this.#recorded = recorded.length;
    };
    this.#writing = this.#writing.catch(() => {}).then(next);
    return this.#writing;
  }
}
