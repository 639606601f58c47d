// What this engine knows of the queues of its tenant: limits, aging, who paused them. Read from the store when it is used and old, never in
// the way of a step: what a row is written with may be a second old, what begins here may not (`read`).
import type { Scope } from "../../core/model.ts";
import type { Platform } from "../../platform/platform.ts";
import type { EngineRow, StoredQueue } from "../../store/port.ts";
import type { FullStore } from "../../store/full-store.ts";

const agingDefaultMs = 60_000;
const oldAfterMs = 1_000;

export class QueueConfigs {
  readonly #platform: Platform;
  readonly #store: FullStore;
  readonly #scope: Scope;
  #queues = new Map<string, StoredQueue>();
  /** When the last read that was answered was sent. */
  #sentAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(platform: Platform, store: FullStore, scope: Scope) {
    this.#platform = platform;
    this.#store = store;
    this.#scope = scope;
  }
  get isSupported(): boolean {
    return this.#store.lacks?.includes("queues") !== true;
  }
  get ageMs(): number {
    return this.#platform.uptimeMs() - this.#sentAt;
  }
  /** What is known now; undefined: there was no such row. */
  get(queue: string): StoredQueue | undefined {
    if (this.ageMs > oldAfterMs) this.read().catch(() => {}); // for the next who asks
    return this.#queues.get(queue);
  }
  agingMs(queue: string): number {
    return this.get(queue)?.config.agingMs ?? agingDefaultMs;
  }
  /** The store said so on another occasion, perhaps long ago: what is known of a later version stays. */
  note(queues: readonly StoredQueue[]): void {
    for (const q of queues) if (q.version >= (this.#queues.get(q.queue)?.version ?? 0)) this.#queues.set(q.queue, q);
  }
  /** Asks the store; who comes while it is asked waits for the same answer. */
  read(): Promise<void> {
    if (!this.isSupported) return Promise.resolve();
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }
  async #read(): Promise<void> {
    const sentAt = this.#platform.uptimeMs();
    const all = await this.#store.queues.list(this.#scope);
    this.#queues = new Map(all.map((q) => [q.queue, q]));
    this.#sentAt = sentAt;
  }
}

/** A place for a step that its run's owner runs itself, from before its start is committed until its function has ended. */
export interface OwnPlace {
  /** Before it begins. False: it waited for too long, or nothing begins here any more; its row is for anybody. */
  enter(): true | Promise<boolean>;
  /** Once or more. */
  release(): void;
}

/** The queues that this engine serves itself: whether it may run a step at once that it has just put on one. */
export interface LocalQueues {
  /** A place on this queue; null: it is served by claims alone now. `mayWait`: also one that is free only in a moment. */
  takePlace(queue: string, mayWait: boolean): OwnPlace | null;
  /** Right before it begins: true, unless the queue was paused or limited meanwhile. */
  mayBegin(queue: string): true | Promise<boolean>;
  /** What the engine's row says that it runs. */
  works(): EngineRow["works"];
  /** The engine was declared dead: nothing that it claimed is its own any more. */
  onDead(): void;
}
