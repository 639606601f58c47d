// Finds work: runs that are due and unowned, runs whose owner died, rows for runs that are owned here. Hints make it
// quick, polling makes it certain. It claims only what there is room for; a claim of a run whose code is not here is
// for control only (K5). A claim whose answer was lost leaves runs that this engine owns and does not hold: after every
// failed claim, and at intervals, it compares what the store says with what is here (I12).
import type { Cancel, Platform } from "../platform/platform.ts";
import type { Scope } from "../core/model.ts";
import { isPawlError } from "../errors/error.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ClaimedRun, EngineRow, Hint, InboxRow } from "../store/port.ts";
import type { Logger } from "./run-host.ts";
import type { LiveRun } from "./run/live-run.ts";
import type { StoreClock } from "./store-clock.ts";

export interface ClaimerOptions {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly scope: Scope;
  readonly log: Logger;
  readonly pollMs: number;
  readonly clock: StoreClock;
  readonly engineId: () => string;
  readonly workflowsServed: () => EngineRow["serves"];
  /** How many more runs may be taken now. Where there is no room, somebody wakes the claimer when its turn has come. */
  readonly freePlaces: () => number;
  /** Nothing more is available: a place that was kept for it may be given to somebody else. */
  readonly noMoreWork: () => void;
  readonly liveRun: (runId: string) => LiveRun | undefined;
  readonly loadRuns: (rows: readonly ClaimedRun[]) => Promise<void>;
  /** It is live here, or being read. */
  readonly isHeld: (runId: string) => boolean;
  /** The store says that this engine owns it, and it is not here: it is to be read again, if that is still so. */
  readonly reloadUnheld: (runId: string) => void;
  /** No engine holds more runs than this. */
  readonly liveRunsMax: number;
}

const claimsMax = 64;
/** An engine declares nobody dead until it has itself been well for this long (K2). */
const healthyForMs = 2_000;
const declareDeadEveryMs = 500;
/** Uptime and monotonic clock part by more than this only while the machine sleeps. */
const sleepGapMs = 500;
/** How often what is owned is compared with what is held, where nothing went wrong: a claim may also arrive late. */
const compareEveryMs = 10_000;
const lapseEveryMs = 1_000;
const lapseMax = 100;
/** The inboxes of more runs than this are read at once, with those of all runs that this engine owns. */
const readEachMax = 3;
/** Rows of settled runs that were left behind are removed so often. */
const sweepEveryMs = 300_000;

export class Claimer {
  readonly #o: ClaimerOptions;
  #timer: Cancel | null = null;
  #unwatch: (() => void) | null = null;
  #polling: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #healthySince = 0;
  #declaredDeadAt = Number.NEGATIVE_INFINITY;
  #sleptMs = Number.POSITIVE_INFINITY;
  #nextDue = Number.POSITIVE_INFINITY;
  #dueTimer: Cancel | null = null;
  #problem: string | null = null;
  /** A claim failed: it may have been made all the same. */
  #claimUncertain = false;
  #comparedAt: number;
  #lapsedAt = Number.NEGATIVE_INFINITY;
  #sweptAt: number;
  readonly #awaitingMail = new Set<LiveRun>();
  #isDelivering = false;

  constructor(o: ClaimerOptions) {
    this.#o = o;
    this.#comparedAt = this.#sweptAt = o.platform.monotonicMs();
  }
  get problem(): string | null {
    return this.#problem;
  }

  /** The first look is part of starting: what the store already proves dead is taken over before anything new begins. */
  async start(): Promise<void> {
    this.#unwatch = this.#o.store.watch((h) => this.#onHint(h));
    this.#healthySince = this.#o.platform.monotonicMs();
    await this.#declareDead();
    await this.poll();
    this.#arm();
  }

  #onHint(h: Hint): void {
    if (h.kind === "settled" || h.kind === "reply" || h.kind === "queue") return;
    const live = h.runId === undefined ? undefined : this.#o.liveRun(h.runId);
    if (live === undefined) this.wake();
    else if (h.kind === "inbox") this.#deliverSoon(live);
  }

  /** Reads the inbox of a run that is here, at once: before whatever its caller asks next. */
  deliver(run: LiveRun): void {
    this.#deliver(run).catch((e: unknown) => this.#onFailure(e));
  }
  /** A hint. One read at a time: what comes meanwhile is read by the next, however much it is. */
  #deliverSoon(run: LiveRun): void {
    this.#awaitingMail.add(run);
    if (!this.#isDelivering) this.#deliverAll().catch((e: unknown) => this.#onFailure(e));
  }
  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    try {
      while (this.#awaitingMail.size > 0) {
        const runs = [...this.#awaitingMail];
        this.#awaitingMail.clear();
        if (runs.length > readEachMax) this.#take(await this.#o.store.inbox({ owner: this.#o.engineId() }));
        else await Promise.all(runs.map((run) => this.#deliver(run)));
      }
    } finally {
      this.#isDelivering = false; // with the last look at what waits: who comes next starts again
    }
  }
  async #deliver(run: LiveRun): Promise<void> {
    const rows = await this.#o.store.inbox({ runId: run.row.runId });
    if (!run.state.isUnloaded && run.mailbox.takeRows(rows)) run.pump();
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#timer = this.#o.platform.timer(
      this.#o.pollMs,
      () => {
        this.wake();
        this.#arm();
      },
      true, // an engine that runs keeps its process alive until it is stopped
    );
  }

  /** A run parked here is due at this time: look then, not at the next poll. */
  wakeAt(at: number, nowMs: number): void {
    if (at >= this.#nextDue || this.#stopped) return;
    this.#nextDue = at;
    this.#dueTimer?.();
    this.#dueTimer = this.#o.platform.timer(Math.min(Math.max(0, at - nowMs), 2_000_000_000), () => {
      this.#nextDue = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    void this.poll();
  }

  poll(): Promise<void> {
    this.#polling ??= this.#loop()
      .catch((e: unknown) => this.#onFailure(e))
      .finally(() => {
        this.#polling = null;
        if (this.#again && !this.#stopped) void this.poll();
      });
    return this.#polling;
  }

  async #loop(): Promise<void> {
    do {
      this.#again = false;
      await this.#o.clock.refreshIfOld(this.#o.store);
      await this.#declareDead();
      await this.#lapse();
      await this.#compareOwned();
      await this.#claim();
      await this.#inbox();
      this.#problem = null;
    } while (this.#again && !this.#stopped);
  }

  async #declareDead(): Promise<void> {
    const { platform } = this.#o;
    const now = platform.monotonicMs();
    const asleep = platform.uptimeMs() - now;
    // The machine slept, and with it everybody: nobody has had the time to renew.
    if (asleep - this.#sleptMs > sleepGapMs) this.#healthySince = now;
    this.#sleptMs = asleep;
    const first = this.#declaredDeadAt === Number.NEGATIVE_INFINITY;
    if (!first && (now - this.#declaredDeadAt < declareDeadEveryMs || now - this.#healthySince < healthyForMs)) return;
    this.#declaredDeadAt = now;
    const dead = await this.#o.store.declareDead({ by: this.#o.engineId() });
    if (dead.length === 0) return;
    this.#lapsedAt = Number.NEGATIVE_INFINITY; // what they had claimed ends now, not up to a second later
    this.#o.log("info", `declared ${dead.length} engine${dead.length === 1 ? "" : "s"} dead`, { engines: dead });
  }

  /** Dispatches whose worker is dead or late, or that waited for too long, end here: their runs find it in their inbox. */
  async #lapse(): Promise<void> {
    const { store, platform } = this.#o;
    const now = platform.monotonicMs();
    if (store.lacks?.includes("queues") === true || now - this.#lapsedAt < lapseEveryMs) return;
    this.#lapsedAt = now;
    for (let ended = lapseMax; ended === lapseMax;) ended = (await store.queues.lapse(lapseMax)).length;
    if (now - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now;
    await store.queues.sweep(lapseMax);
  }

  async #claim(): Promise<void> {
    for (;;) {
      const limit = Math.min(claimsMax, this.#o.freePlaces());
      if (limit <= 0 || this.#stopped) return;
      this.#claimUncertain = true;
      const rows = await this.#o.store.claim({
        engineId: this.#o.engineId(),
        scope: this.#o.scope,
        serves: this.#o.workflowsServed(),
        control: true,
        limit,
        tokens: Array.from({ length: limit }, () => this.#o.platform.randomHex(16)),
      });
      this.#claimUncertain = false;
      if (rows.length > 0) await this.#o.loadRuns(rows);
      if (rows.length < limit) return this.#o.noMoreWork();
    }
  }

  /** I12: what this engine owns and does not hold would wait for it for as long as it lives. */
  async #compareOwned(): Promise<void> {
    const now = this.#o.platform.monotonicMs();
    if (!this.#claimUncertain && now - this.#comparedAt < compareEveryMs) return;
    const owned = await this.#o.store.ownedRuns({ engineId: this.#o.engineId(), limit: this.#o.liveRunsMax + claimsMax });
    this.#comparedAt = now;
    this.#claimUncertain = false;
    for (const runId of owned) if (!this.#o.isHeld(runId)) this.#o.reloadUnheld(runId);
  }

  async #inbox(): Promise<void> {
    // I9: a run that only a message wakes has no due time, and is found by the message.
    for (const runId of this.#take(await this.#o.store.inbox({ owner: this.#o.engineId() })))
      if (!this.#o.isHeld(runId)) this.#o.reloadUnheld(runId);
  }
  /** To the runs that are here; answers those that are not. Only a poll may load them: no claim of this engine is under way then. */
  #take(rows: readonly InboxRow[]): readonly string[] {
    const others: string[] = [];
    const byRun = new Map<string, InboxRow[]>();
    for (const row of rows) {
      const mail = byRun.get(row.runId);
      if (mail === undefined) byRun.set(row.runId, [row]);
      else mail.push(row);
    }
    for (const [runId, mail] of byRun) {
      const run = this.#o.liveRun(runId);
      if (run === undefined) others.push(runId);
      // A row that is only buffered is seen at every poll: it must not keep the run from being idle.
      else if (run.mailbox.takeRows(mail)) run.pump();
    }
    return others;
  }

  #onFailure(e: unknown): void {
    if (this.#stopped) return;
    this.#healthySince = this.#o.platform.monotonicMs();
    const message = e instanceof Error ? e.message : String(e);
    if (this.#problem === null) this.#o.log("warn", `looking for work failed: ${message}`, isPawlError(e) ? { code: e.code } : {});
    this.#problem = message;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    this.#dueTimer?.();
    this.#unwatch?.();
    await this.#polling;
    this.#o.noMoreWork();
  }
}
