// The engine's lease: its row, its renewals, and the burying of others. K1: death is declared before anything is
// claimed, and is one-way: a "dead" answer means abandon every run and begin again under a new id. K3: an effect may
// begin only while the last answered renewal was sent less than 500 ms ago, by every clock there is.
import type { Platform, Cancel } from "../platform/platform.ts";
import type { EngineRow, Renewal, Store } from "../store/port.ts";
import type { Logger } from "./host.ts";

export interface KeeperOptions {
  readonly platform: Platform;
  readonly store: Store;
  readonly leaseMs: number;
  readonly serves: () => EngineRow["serves"];
  readonly log: Logger;
  /** The engine was declared dead: everything it owned belongs to others. */
  readonly onDead: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Readings of all clocks at one moment; elapsed is the largest difference. */
interface Mark {
  readonly mono: number;
  readonly uptime: number;
  readonly wall: number;
}

export const freshMs = 500;
const rideAfterMs = 250;
/** A renewal that failed is asked again after this long at most. */
const againMs = 5_000;
/** The end of an engine is said so often, so long apart. */
const retireEveryMs = 100;
const retireTriesMax = 3;

export class Keeper {
  readonly #o: KeeperOptions;
  #engineId: string;
  #renewed: Mark | null = null;
  #timer: Cancel | null = null;
  #stopped = false;
  #refreshing: { readonly id: string; readonly answer: Promise<boolean> } | null = null;
  /** Why the last renewal failed; told once, and health says it for as long as it lasts. */
  #trouble: string | null = null;

  constructor(o: KeeperOptions) {
    this.#o = o;
    this.#engineId = o.platform.uuidV7();
  }
  get engineId(): string {
    return this.#engineId;
  }
  get trouble(): string | null {
    return this.#trouble;
  }

  async enlist(): Promise<void> {
    const mark = this.#mark();
    await this.#o.store.enlist({ engineId: this.#engineId, leaseMs: this.#o.leaseMs, serves: this.#o.serves() });
    this.#renewed = mark;
    this.#schedule();
  }

  /** What this engine serves has grown: its row says so, for whoever looks for an engine of a version (K20). */
  async serve(): Promise<void> {
    // Nothing here counts as a renewal: a row that was declared dead takes no change, and says nothing about it.
    await this.#o.store.enlist({ engineId: this.#engineId, leaseMs: this.#o.leaseMs, serves: this.#o.serves() });
  }

  #mark(): Mark {
    const { platform } = this.#o;
    return { mono: platform.monotonicMs(), uptime: platform.uptimeMs(), wall: platform.wallMs() };
  }
  #elapsed(): number {
    const then = this.#renewed;
    if (then === null) return Number.POSITIVE_INFINITY;
    const now = this.#mark();
    return Math.max(now.mono - then.mono, now.uptime - then.uptime, now.wall - then.wall);
  }

  /** K3: false when this engine is dead. A store that does not answer is asked again: nothing begins meanwhile. */
  fresh(): true | Promise<boolean> {
    return this.#elapsed() < freshMs ? true : this.#asked();
  }
  /** One asks for all of this life: a thousand effects that wait for a store that is away must not fall upon it at once. */
  #asked(): Promise<boolean> {
    if (this.#refreshing?.id !== this.#engineId) {
      const mine = { id: this.#engineId, answer: this.#refresh() };
      this.#refreshing = mine;
      const over = (): void => void (this.#refreshing === mine && (this.#refreshing = null));
      mine.answer.then(over, over);
    }
    return this.#refreshing.answer;
  }
  async #refresh(): Promise<boolean> {
    const id = this.#engineId;
    let waitMs = 20;
    while (id === this.#engineId && !this.#stopped) {
      try {
        // An answer that took its time says nothing about now: what counts is when it was sent.
        if (!(await this.renew())) return false;
        if (this.#elapsed() < freshMs) return true;
      } catch (e) {
        this.#failed(e);
      }
      const ms = waitMs;
      await new Promise<void>((resolve) => void this.#o.platform.timer(ms, resolve));
      waitMs = Math.min(waitMs * 2, 1_000);
    }
    return false;
  }

  async renew(): Promise<boolean> {
    const mark = this.#mark();
    const id = this.#engineId;
    const answer = await this.#o.store.renew({ engineId: id, leaseMs: this.#o.leaseMs });
    return this.#answered(id, mark, answer);
  }

  /** A renewal for the next batch to carry, when the last one is a quarter of a second old. */
  ride(): { readonly renewal: Renewal; readonly answered: (a: "renewed" | "dead") => void } | null {
    if (this.#elapsed() < rideAfterMs || this.#stopped) return null;
    const mark = this.#mark();
    const id = this.#engineId;
    return { renewal: { engineId: id, leaseMs: this.#o.leaseMs }, answered: (a) => void this.#answered(id, mark, a) };
  }

  #answered(id: string, mark: Mark, answer: "renewed" | "dead"): boolean {
    if (id !== this.#engineId) return false;
    this.#trouble = null;
    if (answer === "renewed") {
      if (this.#renewed === null || mark.mono >= this.#renewed.mono) this.#renewed = mark;
      return true;
    }
    if (this.#stopped) return false;
    this.#o.log("warn", `engine ${id} was declared dead and begins again under a new id`);
    this.#engineId = this.#o.platform.uuidV7();
    this.#renewed = null;
    this.#o.onDead();
    return false;
  }

  /** The first failure of a row is told; that it goes on is what health says. */
  #failed(e: unknown): void {
    if (this.#trouble === null) this.#o.onTrouble(e);
    this.#trouble = e instanceof Error ? e.message : String(e);
  }

  #schedule(): void {
    this.#timer?.();
    if (this.#stopped) return;
    // After a failure soon, however long the lease: whether the store is back is known by asking.
    const ms = this.#trouble === null ? this.#o.leaseMs / 3 : Math.min(this.#o.leaseMs / 3, againMs);
    this.#timer = this.#o.platform.timer(ms, () => {
      const due = this.#elapsed() >= this.#o.leaseMs / 4 && this.#renewed !== null;
      (due ? this.renew() : Promise.resolve(true)).then(
        () => this.#schedule(),
        (e: unknown) => {
          this.#failed(e);
          this.#schedule();
        },
      );
    });
  }

  async retire(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    // Asked again where nobody answers: saying it twice changes nothing, and left unsaid its lease says it later.
    for (let n = 1; ; n++) {
      try {
        return void (await this.#o.store.bury({ self: this.#engineId }));
      } catch (e) {
        if (n === retireTriesMax) return this.#o.log("warn", `it could not be recorded that the engine has stopped: ${String(e)}`);
        await new Promise<void>((resolve) => void this.#o.platform.timer(retireEveryMs, resolve, true));
      }
    }
  }
}
