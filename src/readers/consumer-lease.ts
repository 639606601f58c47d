// The lease of one consumer: only its holder writes the consumer's rows. Its row is on the store's clock and is put with every
// write under the version last seen: a process that lost the lease writes nothing any more, whatever it believes (one row
// fences all others). Writes that come at the same time go into one put; one that is refused for a row of its own
// takes no other with it. It must never renew a lease that it does not hold, and never assume that a put whose answer was lost did
// not happen.
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId, KvRow, KvWrite } from "../store/reader-store.ts";
import { consumerCollection } from "./kv-keys.ts";

export type LeaseState =
  | { readonly kind: "ours" }
  /** Another process has it; `version` changes when that one is alive. */
  | { readonly kind: "taken"; readonly by: string; readonly version: number; readonly leftMs: number };

/** All of it was written; or nothing, because the lease was lost, or because an `expect` among these writes did not hold. */
export type LeaseWriteResult = "written" | "lost" | "refused";

interface PendingWrite {
  readonly writes: readonly KvWrite[];
  readonly positions: readonly number[];
  resolve(w: LeaseWriteResult): void;
  reject(e: unknown): void;
}

const key = "holder";
/** One put gathers at most this much; a single entry may be larger. */
const rowsMax = 500;
const charsMax = 1_000_000;

export class ConsumerLease {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #consumer: ConsumerId;
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #collection: string;
  #version: number | null = null;
  /** The monotonic time at which the last answered put was sent, and the store's time in its answer. */
  #sentAt = 0;
  #storeAt = 0;
  #queue: PendingWrite[] = [];
  #writing = false;

  constructor(store: FullStore, platform: Platform, consumer: ConsumerId, leaseMs: number) {
    this.#store = store;
    this.#platform = platform;
    this.#consumer = consumer;
    this.#leaseMs = leaseMs;
    this.#holder = platform.uuidV4();
    this.#collection = consumerCollection("desk", consumer);
  }

  /** Takes the lease if it is free, was given back, or has run out. */
  async acquire(): Promise<LeaseState> {
    const [row] = await this.#store.kv.get(this.#collection, [key]);
    const { holder, leaseMs } = parseHolder(row);
    if (row !== undefined && holder !== null && holder !== this.#holder) {
      const leftMs = row.at + leaseMs - (await this.#store.info()).nowMs;
      if (leftMs > 0) return { kind: "taken", by: holder, version: row.version, leftMs };
    }
    this.#version = row?.version ?? 0;
    if ((await this.#put([], [])) === "written") return { kind: "ours" };
    return { kind: "taken", by: "another", version: -1, leftMs: 0 };
  }

  /** Puts the rows and takes the positions off the feed, in one transaction. */
  write(writes: readonly KvWrite[], positions: readonly number[]): Promise<LeaseWriteResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ writes, positions, resolve, reject });
      if (!this.#writing) void this.#flush();
    });
  }

  /** Renews the lease, unless a write has just done so. */
  async renew(): Promise<void> {
    if (this.#version !== null && !this.#writing && this.#elapsed() * 4 > this.#leaseMs) await this.write([], []);
  }

  /** Gives the lease back, so that nobody waits for it to run out. */
  async release(): Promise<void> {
    if (this.#version !== null) await this.#put([], [], null);
    this.#version = null;
  }

  /** Whether the lease has surely not run out yet. */
  get isHeld(): boolean {
    return this.#version !== null && this.#elapsed() < this.#leaseMs;
  }

  /** The store's clock, as far as the last answer tells. */
  nowMs(): number {
    return Math.floor(this.#storeAt + this.#elapsed());
  }

  #elapsed(): number {
    return this.#platform.monotonicMs() - this.#sentAt;
  }

  async #flush(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) await this.#writeGroup(this.#nextGroup());
    this.#writing = false;
  }

  async #writeGroup(group: readonly PendingWrite[]): Promise<void> {
    try {
      const writes = group.flatMap((e) => e.writes);
      const positions = group.flatMap((e) => e.positions);
      const answer = this.#version === null ? "lost" : await this.#put(writes, positions);
      if (answer !== "refused" || group.length === 1) for (const e of group) e.resolve(answer);
      else for (const e of group) await this.#writeGroup([e]);
    } catch (error) {
      for (const e of group) e.reject(error);
    }
  }

  /** As many entries as fit, none of which writes a row that another one writes. */
  #nextGroup(): PendingWrite[] {
    const rows = new Set<string>();
    const group: PendingWrite[] = [];
    let chars = 0;
    for (const e of this.#queue) {
      const names = e.writes.map((w) => `${w.collection} ${w.key}`);
      chars += e.writes.reduce((n, w) => n + (w.value?.length ?? 0), 0);
      const full = rows.size + names.length > rowsMax || chars > charsMax;
      if (group.length > 0 && (full || names.some((n) => rows.has(n)))) break;
      for (const n of names) rows.add(n);
      group.push(e);
    }
    this.#queue = this.#queue.slice(group.length);
    return group;
  }

  async #put(writes: readonly KvWrite[], positions: readonly number[], holder: string | null = this.#holder): Promise<LeaseWriteResult> {
    const version = this.#version ?? 0;
    const lease: KvWrite = {
      collection: this.#collection,
      key,
      value: JSON.stringify({ holder, leaseMs: this.#leaseMs }),
      expect: version,
    };
    const sentAt = this.#platform.monotonicMs();
    const seen = positions.length === 0 ? undefined : { consumer: this.#consumer, positions };
    // An error says nothing about what was written: the lease is taken again, from what is stored then.
    const answer = await this.#store.kv.put([lease, ...writes], seen).catch((e: unknown) => {
      this.#version = null;
      throw e;
    });
    if (answer.kind === "conflict") {
      const others =
        writes.some((w) => w.expect !== undefined) && !answer.rows.some((r) => r.collection === this.#collection && r.key === key);
      if (!others) this.#version = null;
      return others ? "refused" : "lost";
    }
    this.#version = version + 1;
    this.#sentAt = sentAt;
    this.#storeAt = answer.at;
    return "written";
  }
}

/** Who holds a consumer's lease, for how long after the row's time; null = nobody. */
export function parseHolder(row: KvRow | undefined): { readonly holder: string | null; readonly leaseMs: number } {
  if (row === undefined) return { holder: null, leaseMs: 0 };
  const { holder, leaseMs } = JSON.parse(row.value) as { holder: string | null; leaseMs: number };
  return { holder, leaseMs };
}

export async function leaseHolder(
  store: FullStore,
  consumer: ConsumerId,
): Promise<{ readonly holder: string | null; readonly until: number }> {
  const [row] = await store.kv.get(consumerCollection("desk", consumer), [key]);
  const { holder, leaseMs } = parseHolder(row);
  return { holder, until: (row?.at ?? 0) + leaseMs };
}
