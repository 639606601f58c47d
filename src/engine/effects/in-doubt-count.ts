// How many effects of a tenant wait for a person, in runs of any owner: for the metrics. A number as of the last count, and at most a thousand.
// It must never hold up the one who asks for the metrics: the count that a look starts is for the next look.
import type { Scope } from "../../core/model.ts";
import type { FullStore } from "../../store/full-store.ts";

const most = 1_000;

export class InDoubtCount {
  readonly #store: FullStore;
  readonly #scope: Scope;
  #last = 0;

  constructor(store: FullStore, scope: Scope) {
    this.#store = store;
    this.#scope = scope;
  }
  get last(): number {
    return this.#last;
  }
  async count(): Promise<void> {
    const { effects } = await this.#store.effects({ scope: this.#scope, phase: "doubt", limit: most });
    this.#last = effects.length;
  }
}
