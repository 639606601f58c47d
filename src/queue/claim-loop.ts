// Claims from one queue, for free places only: when a hint says that something was added, when a step of a limited queue has ended here, and once
// a second without either. Claims under the version of the queue that it knows, so that a pause or a limit holds as soon as it is answered. After
// a claim whose answer was lost, it gives back the steps that the store gave it and that it does not hold.
import type { Scope } from "../core/model.ts";
import type { Logger } from "../engine/run-host.ts";
import { isOwnToken } from "../engine/queued/dispatch.ts";
import { isPawlError } from "../errors/error.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { DispatchRow, QueueClaim, QueueClaimAnswer, StoredQueue } from "../store/port.ts";
import { Places } from "./places.ts";

export interface ClaimLoopOptions {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly scope: Scope;
  readonly log: Logger;
  readonly queue: string;
  readonly concurrency: number;
  readonly beginWithinMs: number;
  readonly workerId: () => string;
  readonly tasks: () => readonly string[];
  readonly storeNowMs: () => number;
  readonly isHeld: (dispatchId: number) => boolean;
  readonly onOpened: (queues: readonly StoredQueue[]) => void;
  /** Claimed: each has its place. */
  readonly begin: (rows: readonly DispatchRow[], sentAt: number) => void;
}

const pollMs = 1_000;
const busyMs = 50;
const claimsMax = 64;
const compareEveryMs = 10_000;

export class ClaimLoop {
  readonly #o: ClaimLoopOptions;
  readonly places: Places;
  #freed = false;
  #version: number | null = null;
  #from: number | null = null;
  #wantsAll = true;
  #isBusy = false;
  #again = false;
  #stopped = false;
  #timer: Cancel | null = null;
  #soon: Cancel | null = null;
  /** The last claim left nothing behind that this process could have taken, as of this uptime. */
  #emptyAt = Number.NEGATIVE_INFINITY;
  #wasShort = false;
  /** The store counts its claims: what it holds back waits for the end of others. */
  #isLimited = false;
  #comparedAt: number;
  #uncertain = false;
  #problem: string | null = null;

  constructor(o: ClaimLoopOptions) {
    this.#o = o;
    this.#comparedAt = o.platform.monotonicMs();
    this.places = new Places(o.platform, o.concurrency, () => this.#lookSoon());
  }
  /** Nothing older waits, as far as is known: the last claim came back short, all were looked at not long ago, and nobody who was announced waits for a place here. */
  get isCaughtUp(): boolean {
    if (this.#stopped || !this.#wasShort || (this.#from !== null && this.places.free <= 0)) return false;
    return this.#o.platform.uptimeMs() - this.#emptyAt < 2 * pollMs;
  }
  start(): void {
    this.#arm();
    this.#look();
  }
  #arm(): void {
    this.#timer = this.#o.platform.timer(
      pollMs,
      () => {
        this.#arm();
        this.#wantsAll = true;
        this.#look();
      },
      true,
    );
  }
  /** Rows were added, the first of them with this rank. */
  hint(rank: number | undefined): void {
    if (rank === undefined) this.#wantsAll = true;
    else this.#from = this.#from === null ? rank : Math.min(this.#from, rank);
    this.#look();
  }
  /** A step that this process ran is off the queue: where claims are counted, the next one may be claimed now. */
  roomMade(): void {
    if (!this.#isLimited) return;
    this.#wantsAll = true;
    this.#lookSoon();
  }
  /** One turn later: what ends in one turn asks for the next together. */
  #lookSoon(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#o.platform.turn(() => {
      this.#freed = false;
      this.#look();
    });
  }
  #look(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    void this.#run();
  }
  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#compare();
        await this.#claim();
        this.#problem = null;
      } catch (e) {
        this.#uncertain = true;
        this.#version = null;
        const message = e instanceof Error ? e.message : String(e);
        if (this.#problem === null)
          this.#o.log("warn", `queue ${this.#o.queue}: claiming failed: ${message}`, isPawlError(e) ? { code: e.code } : {});
        this.#problem = message;
      }
    }
    this.#isBusy = false;
  }

  async #claim(): Promise<void> {
    const { platform, store, scope, queue, workerId, beginWithinMs } = this.#o;
    const tasks = this.#o.tasks();
    const limit = Math.min(claimsMax, this.places.free);
    if (limit <= 0 || tasks.length === 0) return;
    if (!this.#wantsAll && this.#from === null) return;
    if (this.#version === null) {
      const opened = await store.queues.open(scope, [queue]);
      this.#o.onOpened(opened);
      this.#version = opened[0]?.version ?? null;
      this.#isLimited = opened.some((q) => q.config.concurrency !== null);
    }
    if (this.#version === null || this.#stopped) return;
    const all = this.#wantsAll;
    const from = all ? null : this.#from;
    this.#wantsAll = false;
    this.#from = null;
    const sentAt = platform.uptimeMs();
    const tokens = Array.from({ length: limit }, () => platform.randomHex(12));
    const q = { worker: workerId(), scope, queue, version: this.#version, tasks, limit, tokens, beginWithinMs, from };
    const a = await this.#ask(q);
    switch (a.kind) {
      case "claimed": {
        if (a.rows.length > 0) this.#o.begin(a.rows, sentAt);
        this.#wasShort = a.rows.length < limit && !a.more;
        if (this.#wasShort) {
          if (all && a.nextAt === null) this.#emptyAt = sentAt;
        } else {
          this.#wantsAll = true;
          this.#again = true;
        }
        if (a.nextAt !== null) this.#lookIn(Math.max(1, a.nextAt - this.#o.storeNowMs()));
        return;
      }
      case "moved":
        this.#version = null;
        this.#wantsAll = true;
        this.#again = true;
        return;
      case "busy":
        this.#wantsAll = true;
        return this.#lookIn(busyMs);
      case "paused":
      case "dead":
        this.#version = null;
        this.#wasShort = false;
        this.#emptyAt = Number.NEGATIVE_INFINITY;
    }
  }
  /** While it is asked, its places are nobody else's. */
  async #ask(q: QueueClaim): Promise<QueueClaimAnswer> {
    let taken = 0;
    this.places.ask(q.limit);
    try {
      const a = await this.#o.store.queues.claim(q);
      if (a.kind === "claimed") taken = a.rows.length;
      return a;
    } finally {
      this.places.answer(taken);
    }
  }
  #lookIn(ms: number): void {
    this.#soon?.();
    this.#soon = this.#o.platform.timer(ms, () => {
      this.#wantsAll = true;
      this.#look();
    });
  }

  /** A claim whose answer was lost took rows that nobody here runs: nothing of them has begun. */
  async #compare(): Promise<void> {
    const { platform, store, scope, queue, workerId, isHeld } = this.#o;
    const now = platform.monotonicMs();
    if (!this.#uncertain && now - this.#comparedAt < compareEveryMs) return;
    const rows = await store.queues.rows({ scope, worker: workerId(), limit: 1_000 });
    const forgotten = rows.filter((d) => d.queue === queue && !isOwnToken(d.token) && d.token !== null && !isHeld(d.dispatchId));
    if (forgotten.length > 0) await store.queues.giveBack(forgotten.map(({ dispatchId, token }) => ({ dispatchId, token: token! })));
    this.#comparedAt = now;
    this.#uncertain = false;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.();
    this.#soon?.();
    this.places.stop();
  }
}
