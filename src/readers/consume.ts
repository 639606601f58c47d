// The consumer's loop: hands the events of runs to a handler, in the order of each run's log, at least once, and keeps account of
// it in the store. A page of one run is handled, then its watermark, whatever the handler wants written with it, and the feed's rows
// go into one put (consumer-lease.ts). Guards that nothing acknowledged is handed over again (P-37), that no run is handled twice at a time,
// and that a run that fails or is slow holds up nobody else. Hints are never the truth: it polls.
import { PawlError } from "../errors/error.ts";
import type { FeedRow } from "../store/reader-store.ts";
import { advanceWatermark } from "./advance-watermark.ts";
import { Wakeup } from "./wakeup.ts";
import { ConsumerLease } from "./consumer-lease.ts";
import { joinFeed, firstWatermark } from "./join-feed.ts";
import { newWatermark, Watermarks, type Watermark } from "./watermarks.ts";
import type { ConsumeOptions, RunningConsumer, HandlerResult, Page } from "./consume-types.ts";

/** Something to look at: a run with rows in the feed, or one whose time to be tried again has come, or both. */
interface RunWork {
  readonly runId: string;
  readonly rows: FeedRow[];
  watermark: Watermark | undefined;
}

const feedRowsMax = 256;
const idleMs = { least: 50, most: 1_000 };
const troubleMs = 1_000;
/** How often a page is handled again at once because a row that its handler expected had changed. */
const triesMax = 3;
const changedMeanwhile = "a row that the handler expected was changed by somebody else";
const consumeDefaults = { batch: 100, concurrency: 1, leaseMs: 10_000 };

/** Returns once the consumer is known to the store; events come from then on. */
export async function consume(o: ConsumeOptions): Promise<RunningConsumer> {
  const from = await joinFeed(o.store, o.consumer, o.from);
  const consumer = new Consumer(o, from);
  const done = consumer.work();
  done.catch(() => {}); // callers that care await it
  return {
    done,
    stop: async () => {
      consumer.stop();
      await done;
    },
  };
}

class Consumer {
  readonly #o: ConsumeOptions;
  readonly #from: "start" | "now";
  readonly #batch: number;
  readonly #concurrency: number;
  readonly #leaseMs: number;
  readonly #lease: ConsumerLease;
  readonly #watermarks: Watermarks;
  readonly #wakeup: Wakeup;
  readonly #inProgress = new Map<string, Promise<void>>();
  /** Runs that were due again while they were under way: looked for again when they have ended. */
  readonly #dueMeanwhile = new Set<string>();
  #ready: RunWork[] = [];
  #heldFrom = 0;
  #stopping = false;
  #abort = new AbortController();
  #failure: { readonly error: unknown } | null = null;

  constructor(o: ConsumeOptions, from: "start" | "now") {
    this.#o = o;
    this.#from = from;
    this.#batch = o.batch ?? consumeDefaults.batch;
    this.#concurrency = o.concurrency ?? consumeDefaults.concurrency;
    this.#leaseMs = o.leaseMs ?? consumeDefaults.leaseMs;
    this.#lease = new ConsumerLease(o.store, o.platform, o.consumer, this.#leaseMs);
    this.#watermarks = new Watermarks(o.store, o.consumer);
    this.#wakeup = new Wakeup(o.platform);
  }

  stop(): void {
    this.#stopping = true;
    this.#abort.abort();
    this.#wakeup.notify();
  }

  async work(): Promise<void> {
    const unwatch = this.#o.store.watch(() => this.#wakeup.notify());
    let rival: number | null = null;
    try {
      while (!this.#stopping) {
        try {
          const seat = await this.#lease.acquire();
          if (seat.kind === "ours") {
            if ((await this.#consumeWithLease()) === "nothing waits") return;
            continue;
          }
          if (this.#o.once === true && rival !== null && rival !== seat.version)
            throw new PawlError("PAWL4030", `another process works as consumer ${this.#o.consumer.name}`);
          rival ??= seat.version;
          await this.#wakeup.wait(Math.min(Math.max(seat.leftMs, 1), idleMs.most));
        } catch (e) {
          if (this.#o.once === true) throw e;
          this.#o.onTrouble?.(e);
          await this.#wakeup.wait(troubleMs);
        }
      }
    } finally {
      unwatch();
    }
  }

  /** One stretch of holding the lease. */
  async #consumeWithLease(): Promise<"nothing waits" | "over"> {
    this.#abort = new AbortController();
    this.#failure = null;
    this.#ready = [];
    this.#heldFrom = 0;
    const cancel = this.#startRenewing();
    let idle = idleMs.least;
    try {
      while (!this.#stopping && this.#lease.isHeld) {
        await new Promise<void>((resolve) => this.#o.platform.turn(resolve)); // however much waits, the process breathes
        const free = (): number => this.#concurrency - this.#inProgress.size;
        if (this.#ready.length === 0 && free() > 0) await this.#fetch();
        for (const w of this.#ready.splice(0, free())) this.#start(w);
        if (this.#inProgress.size > 0) idle = idleMs.least;
        else if (this.#o.once === true && this.#lease.isHeld) return "nothing waits";
        await this.#wakeup.wait(Math.min(idle, Math.max(1, this.#heldFrom - this.#lease.nowMs())));
        idle = Math.min(idle * 2, idleMs.most);
        this.#throwIfFailed();
      }
      return "over";
    } finally {
      this.#abort.abort();
      // Whatever comes next, this process handles no run twice at a time.
      while (this.#inProgress.size > 0) await Promise.all(this.#inProgress.values());
      cancel();
      await this.#lease.release().catch((e: unknown) => this.#o.onTrouble?.(e));
    }
  }

  #startRenewing(): () => void {
    let cancel = (): void => {};
    const arm = (): void => {
      cancel = this.#o.platform.timer(this.#leaseMs / 4, () => {
        arm();
        this.#lease.renew().catch((error: unknown) => this.#fail(error));
      });
    };
    arm();
    return () => cancel();
  }

  /** Something failed beside the loop: it ends this stretch. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wakeup.notify();
  }
  #throwIfFailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** What there is to do. Runs that are under way now are left out: their marks may be old by the time they are read. */
  async #fetch(): Promise<void> {
    const busy = new Set(this.#inProgress.keys());
    const found = new Map<string, RunWork>();
    const crowding = new Map<string, number[]>();
    const workOf = (runId: string): RunWork => {
      const w = found.get(runId) ?? { runId, rows: [], watermark: undefined };
      found.set(runId, w);
      return w;
    };
    const rows = await this.#o.store.feed.next({ consumer: this.#o.consumer, limit: feedRowsMax });
    this.#o.onFeedRead?.(rows.length);
    for (const row of rows) {
      if (busy.has(row.runId)) crowding.set(row.runId, [...(crowding.get(row.runId) ?? []), row.position]);
      else workOf(row.runId).rows.push(row);
    }
    for (const m of await this.#heldRunsDue()) {
      if (!busy.has(m.runId)) workOf(m.runId);
      else if (this.#inProgress.has(m.runId)) this.#dueMeanwhile.add(m.runId);
      else this.#heldFrom = 0;
    }
    const marks = await this.#watermarks.read([...found.keys()]);
    for (const w of found.values()) w.watermark = marks.get(w.runId);
    this.#ready = [...found.values()];
    // A slow run's news must not fill the page that others are found on: of the rows between its first and last, none is needed.
    const spare = [...crowding.values()].flatMap((positions) => positions.slice(1, -1));
    if (spare.length > 0 && (await this.#lease.write([], spare)) === "lost") this.#ready = [];
  }

  async #heldRunsDue(): Promise<readonly Watermark[]> {
    const now = this.#lease.nowMs();
    if (now < this.#heldFrom) return [];
    const limit = 64 + 2 * this.#concurrency; // more than can be under way: a full page that is all due is looked at again
    this.#heldFrom = Number.POSITIVE_INFINITY; // before the look: a run may be held back meanwhile
    const held = await this.#watermarks.heldRuns(limit);
    const later = held.find((m) => (m.heldUntil ?? 0) > now);
    this.#heldFrom = Math.min(this.#heldFrom, later?.heldUntil ?? (held.length === limit ? now : Number.POSITIVE_INFINITY));
    return held.filter((m) => (m.heldUntil ?? 0) <= now);
  }

  #start(w: RunWork): void {
    const flight = this.#process(w)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#inProgress.delete(w.runId);
        if (this.#dueMeanwhile.delete(w.runId)) this.#heldFrom = 0;
        this.#wakeup.notify();
      });
    this.#inProgress.set(w.runId, flight);
  }

  async #process(w: RunWork): Promise<void> {
    const positions = w.rows.map((r) => r.position);
    // A run that is held back is found by its time, with all its news.
    if ((w.watermark?.heldUntil ?? 0) > this.#lease.nowMs()) return void (await this.#lease.write([], positions));
    const run = await this.#o.store.run({ runId: w.runId });
    if (run === undefined) return void (await this.#lease.write(this.#watermarks.remove(w.runId, w.watermark), positions));
    const after = w.watermark?.seq ?? (this.#from === "start" ? 0 : await firstWatermark(this.#o.store, w.runId, w.rows));
    const mark = w.watermark ?? newWatermark(w.runId, after);
    const events = await this.#o.store.events({ runId: w.runId, after, limit: this.#batch });
    if (events.length === 0)
      return void (await this.#lease.write(this.#watermarks.move(w.watermark, newWatermark(w.runId, after)), positions));
    if (!this.#lease.isHeld || this.#abort.signal.aborted) return;
    const page: Page = { run, events, after, failures: mark.failures, nowMs: this.#lease.nowMs(), signal: this.#abort.signal };
    for (let n = 1; ; n++) {
      const handled = n <= triesMax ? await this.#handle(page) : { upTo: after, failed: { error: new RangeError(changedMeanwhile) } };
      if (handled === "stopped") return;
      this.#o.platform.hit("consumer:handled");
      const whole = events.length < this.#batch;
      const { to, deadLetter: letter } = advanceWatermark({ page, mark, handled, whole, nowMs: this.#lease.nowMs(), retry: this.#o.retry });
      const letters = letter === null ? [] : [this.#watermarks.addDeadLetter(letter)];
      const writes = [...this.#watermarks.move(w.watermark, to), ...letters, ...(handled.writes ?? [])];
      // A row whose Commit was acknowledged whole is done with; a held run has a row of its own.
      const done = w.rows.filter((r) => to.heldUntil !== null || r.headSeq <= to.seq).map((r) => r.position);
      const answer = await this.#lease.write(writes, done);
      if (answer === "lost") return;
      if (answer === "refused") continue;
      this.#o.platform.hit("consumer:advanced");
      if (to.heldUntil !== null) this.#heldFrom = Math.min(this.#heldFrom, to.heldUntil);
      return;
    }
  }

  async #handle(page: Page): Promise<HandlerResult | "stopped"> {
    try {
      const handled = (await this.#o.handle(page)) ?? {};
      if (handled.failed !== undefined || handled.upTo === undefined || handled.upTo > page.after) return handled;
      if (page.signal.aborted) return "stopped";
      throw new RangeError("the handler acknowledged nothing");
    } catch (error) {
      return { upTo: page.after, failed: { error } };
    }
  }
}
