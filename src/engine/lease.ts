// The engine's lease: its row, its renewals, and the burying of others. K1: death is declared before anything is
// claimed, and is one-way: a "dead" answer means abandon every run and begin again under a new id. K3: an effect may
// begin only while the last answered renewal was sent less than 500 ms ago, by every clock there is.
import type { Scope } from "../core/model.ts";
import type { Platform, Cancel } from "../platform/platform.ts";
import type { EngineRegistration, EngineRow, Renewal, Store } from "../store/port.ts";
import type { Logger } from "./run-host.ts";

export interface LeaseOptions {
  readonly platform: Platform;
  readonly store: Store;
  readonly leaseMs: number;
  /** How often it is renewed while nothing else renews it; a third of the lease unless given (lease-times.ts). */
  readonly renewMs?: number;
  /** The tenant whose runs it claims. */
  readonly scope: Scope;
  readonly workflowsServed: () => EngineRow["serves"];
  /** What it runs of queued steps, and whether it is a worker and nothing else. */
  readonly works?: () => Pick<EngineRegistration, "kind" | "works">;
  readonly log: Logger;
  /** The engine was declared dead: everything it owned belongs to others. */
  readonly onDead: () => void;
  readonly onProblem: (error: unknown) => void;
}

/** Readings of all clocks at one moment; elapsed is the largest difference. */
interface ClockReadings {
  readonly mono: number;
  readonly uptime: number;
  readonly wall: number;
}

export const freshLeaseMs = 500;
const piggybackAfterMs = 250;
/** A renewal that failed is asked again after this long at most. */
const againMs = 5_000;
/** The end of an engine is said so often, so long apart. */
const retireEveryMs = 100;
const retireTriesMax = 3;

export class Lease {
  readonly #o: LeaseOptions;
  #engineId: string;
  #renewed: ClockReadings | null = null;
  #timer: Cancel | null = null;
  #stopped = false;
  #refreshing: { readonly id: string; readonly answer: Promise<boolean> } | null = null;
  /** Why the last renewal failed; logged once, and reported by health for as long as it lasts. */
  #problem: string | null = null;

  constructor(o: LeaseOptions) {
    this.#o = o;
    this.#engineId = o.platform.uuidV7();
  }
  get engineId(): string {
    return this.#engineId;
  }
  get problem(): string | null {
    return this.#problem;
  }

  async enlist(): Promise<void> {
    const mark = this.#readClocks();
    await this.#register();
    this.#renewed = mark;
    this.#schedule();
  }

  /** What this engine serves has grown: its row says so, for engines that look for one of a version (K20). */
  async announceWorkflows(): Promise<void> {
    // Nothing here counts as a renewal: a row that was declared dead takes no change, and says nothing about it.
    await this.#register();
  }

  #register(): Promise<void> {
    const { store, leaseMs, workflowsServed, scope, works } = this.#o;
    return store.registerEngine({ engineId: this.#engineId, leaseMs, serves: workflowsServed(), scope, ...works?.() });
  }

  #readClocks(): ClockReadings {
    const { platform } = this.#o;
    return { mono: platform.monotonicMs(), uptime: platform.uptimeMs(), wall: platform.wallMs() };
  }
  #elapsedMs(): number {
    const then = this.#renewed;
    if (then === null) return Number.POSITIVE_INFINITY;
    const now = this.#readClocks();
    return Math.max(now.mono - then.mono, now.uptime - then.uptime, now.wall - then.wall);
  }

  /** K3: false when this engine is dead. A store that does not answer is asked again: nothing begins meanwhile. */
  ensureFresh(): true | Promise<boolean> {
    return this.#elapsedMs() < freshLeaseMs ? true : this.#sharedRefresh();
  }
  /** One asks for all of this life: a thousand effects that wait for a store that is away must not fall upon it at once. */
  #sharedRefresh(): Promise<boolean> {
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
        if (this.#elapsedMs() < freshLeaseMs) return true;
      } catch (e) {
        this.#onFailure(e);
      }
      const ms = waitMs;
      await new Promise<void>((resolve) => void this.#o.platform.timer(ms, resolve));
      waitMs = Math.min(waitMs * 2, 1_000);
    }
    return false;
  }

  async renew(): Promise<boolean> {
    const mark = this.#readClocks();
    const id = this.#engineId;
    const answer = await this.#o.store.renew({ engineId: id, leaseMs: this.#o.leaseMs });
    return this.#onAnswer(id, mark, answer);
  }

  /** A renewal for the next batch to carry, when the last one is a quarter of a second old. */
  piggybackRenewal(): { readonly renewal: Renewal; readonly answered: (a: "renewed" | "dead") => void } | null {
    if (this.#elapsedMs() < piggybackAfterMs || this.#stopped) return null;
    const mark = this.#readClocks();
    const id = this.#engineId;
    return { renewal: { engineId: id, leaseMs: this.#o.leaseMs }, answered: (a) => void this.#onAnswer(id, mark, a) };
  }

  #onAnswer(id: string, mark: ClockReadings, answer: "renewed" | "dead"): boolean {
    if (id !== this.#engineId) return false;
    this.#problem = null;
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

  /** The first failure is logged; health reports that it lasts. */
  #onFailure(e: unknown): void {
    if (this.#problem === null) this.#o.onProblem(e);
    this.#problem = e instanceof Error ? e.message : String(e);
  }

  #schedule(): void {
    this.#timer?.();
    if (this.#stopped) return;
    const renewMs = this.#o.renewMs ?? this.#o.leaseMs / 3;
    // After a failure soon, however long the lease: whether the store is back is known by asking.
    const ms = this.#problem === null ? renewMs : Math.min(renewMs, againMs);
    this.#timer = this.#o.platform.timer(ms, () => {
      const due = this.#elapsedMs() >= renewMs * 0.75 && this.#renewed !== null;
      (due ? this.renew() : Promise.resolve(true)).then(
        () => this.#schedule(),
        (e: unknown) => {
          this.#onFailure(e);
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
        return void (await this.#o.store.declareDead({ self: this.#engineId }));
      } catch (e) {
        if (n === retireTriesMax) return this.#o.log("warn", `the end of the engine could not be recorded: ${String(e)}`);
        await new Promise<void>((resolve) => void this.#o.platform.timer(retireEveryMs, resolve, true));
      }
    }
  }
}
