// Looks at what operators asked of this engine, about once a second: which workflows are paused, whether it shall drain, whether schedules have changed. The first look is part
// of opening, so that an engine that starts takes nothing on that it should leave. A look that fails leaves the last one in place. Once it
// drains it drains until it is stopped.
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { Scope } from "../../core/model.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Logger } from "../run-host.ts";
import { readEngineOrders, readPauses } from "./operator-orders.ts";

export interface OrderWatchOptions {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly scope: Scope;
  readonly log: Logger;
  readonly engineId: () => string;
  /** A paused workflow was resumed: runs of it may wait. */
  readonly onResumed: () => void;
  /** At every look while it drains. */
  readonly onDraining: () => void;
  /** At every look: the number of the last change of the schedules. */
  readonly onSchedules: (mark: number) => void;
}

const lookEveryMs = 1_000;

export class OrderWatch {
  readonly #o: OrderWatchOptions;
  #paused: ReadonlySet<string> = new Set();
  #draining = false;
  #timer: Cancel | null = null;
  #stopped = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(o: OrderWatchOptions) {
    this.#o = o;
  }

  get isDraining(): boolean {
    return this.#draining;
  }
  /** Whether runs of this workflow may be begun or taken on here. */
  takesOn(workflow: string): boolean {
    return !this.#draining && !this.#paused.has(workflow);
  }
  isPaused(workflow: string): boolean {
    return this.#paused.has(workflow);
  }
  get anyPaused(): boolean {
    return this.#paused.size > 0;
  }

  async start(): Promise<void> {
    if (this.#o.store.lacks?.includes("reader") === true) return;
    await this.#look();
    this.#arm();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    await this.#looking;
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#timer = this.#o.platform.timer(lookEveryMs, () => {
      this.#looking = this.#look()
        .catch(() => {}) // the claimer reports a store that is away
        .finally(() => this.#arm());
    });
  }

  async #look(): Promise<void> {
    const { store, scope, engineId, log } = this.#o;
    const [pauses, orders] = await Promise.all([readPauses(store, scope), readEngineOrders(store, scope, engineId())]);
    if (this.#stopped) return;
    const paused = new Set(pauses.map((p) => p.workflow));
    const resumed = [...this.#paused].filter((w) => !paused.has(w));
    const added = [...paused].filter((w) => !this.#paused.has(w));
    this.#paused = paused;
    if (added.length > 0) log("info", `paused: runs of ${added.join(", ")} are not taken on`);
    if (resumed.length > 0) {
      log("info", `resumed: runs of ${resumed.join(", ")} are taken on again`);
      this.#o.onResumed();
    }
    const order = orders.drain;
    if (order !== undefined && !this.#draining) {
      this.#draining = true;
      log(
        "info",
        "draining: this engine takes nothing on and releases its runs",
        order.reason === undefined ? {} : { reason: order.reason },
      );
    }
    if (this.#draining) this.#o.onDraining();
    this.#o.onSchedules(orders.schedules);
  }
}
