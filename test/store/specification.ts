// The memory store as the specification that others are compared with, and the one freedom that they have: the Commits of a
// batch are independent, so one that writes nothing may be judged before or after the others have written. A store that asks
// for reasons once the batch is written tells what is there by then. For tests; nothing in the package imports it.
import type { Platform } from "../../src/platform/platform.ts";
import { memoryState, type MemoryState } from "../../src/store/memory/state.ts";
import { memoryStore } from "../../src/store/memory/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { Commit, CommitAnswer, Renewal } from "../../src/store/port.ts";

interface Batch {
  readonly answers: readonly CommitAnswer[];
}

export class Specification {
  readonly #platform: Platform;
  #state: MemoryState;
  #before: MemoryState;
  /** The last batch since the mark. */
  #batch: Batch | undefined;
  /** The places of the next batch in the order in which it is applied; undefined = as they are. */
  #order: readonly number[] | undefined;
  #store: FullStore;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#state = memoryState(platform);
    this.#before = this.#state;
    this.#store = this.#open();
  }

  get store(): FullStore {
    return this.#store;
  }

  /** What comes now may be asked for again, in the other order. */
  mark(): void {
    this.#before = copyOf(this.#state);
    this.#batch = undefined;
  }

  /** Back to the mark; the batch that comes again has those that wrote nothing after those that did. False when that is no other order. */
  otherwise(): boolean {
    const wrote = (this.#batch?.answers ?? []).map((a) => a.kind === "committed");
    const order = [...wrote.keys()].sort((a, b) => Number(wrote[b]) - Number(wrote[a]) || a - b);
    if (order.every((place, i) => place === i)) return false;
    this.#state = this.#before;
    this.#order = order;
    this.#store = this.#open();
    return true;
  }

  #open(): FullStore {
    const real = memoryStore(this.#platform, { state: this.#state });
    return {
      ...real,
      commit: async (batch: readonly Commit[], renew?: Renewal) => {
        const order = this.#order ?? [...batch.keys()];
        this.#order = undefined;
        const applied = order.flatMap((i) => batch[i] ?? []);
        const { answers, renewal } = await real.commit(applied, renew);
        const told = batch.map((_, i) => answers[order.indexOf(i)]!);
        this.#batch = { answers: told };
        return { answers: told, renewal };
      },
    };
  }
}

function copyOf({ hints, ...data }: MemoryState): MemoryState {
  return { ...structuredClone(data), hints };
}
