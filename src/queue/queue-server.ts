// A process at work on queues: claim loops for the queues that it serves, what it has claimed, its beats and its reports. The same for a worker
// and for an engine, which lends it its lease. Nothing begins later than a second after its claim was asked for, and nothing without a lease that
// surely still holds (K3): what comes too late is given back.
import { durationMs, type Duration } from "../core/duration.ts";
import type { EngineLimits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import type { LocalQueues, OwnPlace, QueueConfigs } from "../engine/queued/queue-configs.ts";
import type { Logger } from "../engine/run-host.ts";
import type { WorkerTask } from "../engine/worker-task.ts";
import { PawlError } from "../errors/error.ts";
import { beginMsMax } from "../events/effect-history.ts";
import type { Cancel, Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { DispatchEnd, DispatchRow, EngineRow } from "../store/port.ts";
import { ClaimLoop } from "./claim-loop.ts";
import { inputOf } from "./dispatch-input.ts";
import { ClaimedStep } from "./claimed-step.ts";
import { Reporter } from "./reporter.ts";
import { failureReport, runDispatch } from "./run-dispatch.ts";

export interface QueueServerOptions {
  readonly platform: Platform;
  readonly store: FullStore;
  readonly scope: Scope;
  readonly limits: EngineLimits;
  readonly log: Logger;
  readonly configs: QueueConfigs;
  readonly workerId: () => string;
  readonly storeNowMs: () => number;
  /** K3. */
  readonly ensureFreshLease: () => true | Promise<boolean>;
  /** The work that this process can do; it may grow. */
  readonly tasks: () => readonly WorkerTask[];
  /** Which queues it serves, and how much at once; null: those of its tasks. */
  readonly queues: Readonly<Record<string, { readonly concurrency: number }>> | null;
  readonly labels: Readonly<Record<string, string>>;
  /** What it serves has changed: its row should say so. */
  readonly onServes: () => void;
  /**
   * Of an engine: its runs take results of their own steps without a message. True once it is durable, false if it was not taken after all;
   * null, or no such function: it is reported.
   */
  readonly handOver?: (row: DispatchRow, end: DispatchEnd) => Promise<boolean> | null;
}

export const concurrencyDefault = 10;
/** How often the store hears of what is at work here, and says what should stop. */
const beatEveryMs = 1_000;
const retryMs = 200;
/** The lease of the engine was asked for less than this ago: so must be the state of a queue. */
const freshQueueMs = 500;

export class QueueServer implements LocalQueues {
  readonly #o: QueueServerOptions;
  readonly #loops = new Map<string, ClaimLoop>();
  readonly #held = new Map<number, ClaimedStep>();
  readonly #reporter: Reporter;
  #tasks = new Map<string, WorkerTask>();
  #unwatch: Cancel | null = null;
  #timer: Cancel | null = null;
  #isBeating = false;
  #beatAgain = false;
  #stopped = false;
  #emptyWaiters: (() => void)[] = [];

  constructor(o: QueueServerOptions) {
    this.#o = o;
    this.#reporter = new Reporter(o.platform, o.store, o.log);
  }
  get running(): number {
    return this.#held.size;
  }
  /** What its row says. */
  works(): EngineRow["works"] {
    this.#learn();
    if (this.#loops.size === 0) return null;
    const { labels } = this.#o;
    return { lang: "typescript", tasks: [...this.#tasks.keys()], queues: [...this.#loops.keys()], labels };
  }

  start(): void {
    this.#unwatch = this.#o.store.watch((h) => {
      if (h.kind === "queue" && h.queue !== undefined) this.#loops.get(h.queue)?.hint(h.rank);
    });
    this.#learn();
    for (const loop of this.#loops.values()) loop.start();
    this.#arm();
  }
  #arm(): void {
    this.#timer = this.#o.platform.timer(beatEveryMs, () => {
      this.#arm();
      const before = this.#tasks.size;
      const loops = new Set(this.#loops.keys());
      this.#learn();
      for (const [queue, loop] of this.#loops) if (!loops.has(queue)) loop.start();
      if (before !== this.#tasks.size || loops.size !== this.#loops.size) this.#o.onServes();
      this.#beat();
    });
  }
  /** Tasks may be defined while the process runs. */
  #learn(): void {
    const tasks = this.#o.tasks();
    if (tasks.length === this.#tasks.size && tasks.every((t) => this.#tasks.get(t.id) === t)) return;
    this.#tasks = new Map(tasks.map((t) => [t.id, t]));
    const { queues } = this.#o;
    const named = queues === null ? tasks.flatMap((t) => (t.queue === null ? [] : [t.queue.queue])) : Object.keys(queues);
    for (const queue of named) if (!this.#loops.has(queue)) this.#loops.set(queue, this.#makeLoop(queue));
  }
  #makeLoop(queue: string): ClaimLoop {
    const { platform, store, scope, log, workerId, storeNowMs, queues } = this.#o;
    const mine = (): readonly string[] =>
      [...this.#tasks.values()].filter((t) => queues !== null || t.queue?.queue === queue).map((t) => t.id);
    const loop: ClaimLoop = new ClaimLoop({
      platform,
      store,
      scope,
      log,
      queue,
      concurrency: queues?.[queue]?.concurrency ?? concurrencyDefault,
      beginWithinMs: beginMsMax,
      workerId,
      storeNowMs,
      tasks: mine,
      onOpened: (opened) => this.#o.configs.note(opened),
      isHeld: (dispatchId) => this.#held.has(dispatchId),
      begin: (rows, sentAt) => {
        for (const row of rows) void this.#serve(loop, row, sentAt);
      },
    });
    return loop;
  }

  async #serve(loop: ClaimLoop, row: DispatchRow, sentAt: number): Promise<void> {
    const { limits, log } = this.#o;
    let over = (): void => loop.places.release();
    try {
      const held = new ClaimedStep(row, sentAt, { limits, log, onBeat: () => this.#beat() });
      this.#held.set(row.dispatchId, held);
      await this.#work(held, () => {
        const durable = loop.places.end();
        over = () => {
          durable();
          loop.roomMade();
        };
      });
    } catch (e) {
      log("error", `dispatch ${row.dispatchId} of step ${row.stepId} could not be run: ${String(e)}`, { error: e });
    }
    this.#held.delete(row.dispatchId);
    over();
    if (this.#held.size === 0) for (const f of this.#emptyWaiters.splice(0)) f();
  }

  /** `ended`: it needs its place no longer, although it is held until what it said is durable. */
  async #work(held: ClaimedStep, ended: () => void): Promise<void> {
    const { platform, store, limits, log } = this.#o;
    const { row, spec } = held;
    const task = this.#tasks.get(row.task);
    if (task === undefined) return this.#giveBack(held);
    let effect;
    let undone: unknown;
    try {
      const input = await inputOf(store, row.runId, spec.input);
      undone = spec.result === undefined ? undefined : await inputOf(store, row.runId, spec.result);
      effect = task.spec(input);
    } catch (e) {
      if (held.isLost || this.#isTooLate(held)) return this.#giveBack(held);
      // Nothing has begun: the input cannot be had, or the task does not take it.
      const report = { ...failureReport(e, false, this.#o.limits), notSent: true };
      return void (await this.#reporter.report(row, { kind: row.what === "verify" ? "verdict" : "result", report }));
    }
    const fresh = this.#o.ensureFreshLease();
    if (fresh !== true && !(await fresh)) return held.lose();
    if (this.#isTooLate(held) || held.isLost || this.#stopped) return this.#giveBack(held);
    platform.hit("worker:begin");
    const end = await runDispatch(platform, limits, held, effect, undone);
    ended();
    if (!held.isLost && (await this.#wasHandedOver(row, end))) return;
    const as = await this.#reporter.report(row, end);
    if (as === "late" || as === "lost")
      log("warn", `the report of step ${row.stepId} came after its dispatch had ended: ${as}`, {
        runId: row.runId,
        dispatchId: row.dispatchId,
      });
  }
  /** It has run: whatever goes wrong here, it is reported. What is not held any more would be given back, and run again. */
  async #wasHandedOver(row: DispatchRow, end: DispatchEnd): Promise<boolean> {
    try {
      return (await this.#o.handOver?.(row, end)) === true;
    } catch (e) {
      this.#o.log("error", `the result of step ${row.stepId} could not be handed over: ${String(e)}`, { runId: row.runId, error: e });
      return false;
    }
  }
  #isTooLate(held: ClaimedStep): boolean {
    return this.#o.platform.uptimeMs() - held.claimSentAt >= beginMsMax;
  }
  /** Nothing of it has begun. Where the store does not hear it, its lease says so later. */
  async #giveBack(held: ClaimedStep): Promise<void> {
    if (held.isLost) return;
    try {
      await this.#o.store.queues.giveBack([{ dispatchId: held.row.dispatchId, token: held.token }]);
    } catch (e) {
      this.#o.log("warn", `a dispatch could not be given back: ${String(e)}`);
      await new Promise<void>((resolve) => void this.#o.platform.timer(retryMs, resolve));
      return this.#giveBack(held);
    }
  }

  #beat(): void {
    if (this.#held.size === 0) return;
    if (this.#isBeating) this.#beatAgain = true;
    else void this.#sendBeat();
  }
  async #sendBeat(): Promise<void> {
    this.#isBeating = true;
    do {
      this.#beatAgain = false;
      const all = [...this.#held.values()].filter((h) => !h.isLost);
      const beats = all.map((h) => ({ h, said: h.takeBeat() }));
      try {
        const held = beats.map(({ h, said }) => ({
          dispatchId: h.row.dispatchId,
          token: h.token,
          ...(said === null ? {} : { beat: said.beat }),
        }));
        const { cancel, lost } = await this.#o.store.queues.beat(this.#o.workerId(), held);
        for (const { said } of beats) said?.recorded();
        for (const id of lost) this.#held.get(id)?.lose();
        for (const id of cancel) this.#held.get(id)?.abort(new PawlError("PAWL1014", "its run asked it to stop"));
      } catch (e) {
        for (const { said } of beats) said?.again();
        this.#o.log("warn", `beats could not be recorded: ${String(e)}`);
        await new Promise<void>((resolve) => void this.#o.platform.timer(retryMs, resolve));
      }
    } while (this.#beatAgain || [...this.#held.values()].some((h) => h.hasNews && !h.isLost));
    this.#isBeating = false;
  }
  /** Declared dead: nothing that it held is its own any more. */
  onDead(): void {
    for (const h of this.#held.values()) h.lose();
  }

  // What the engine beside it asks.

  takePlace(queue: string, mayWait: boolean): OwnPlace | null {
    const loop = this.#loops.get(queue);
    if (this.#stopped || loop === undefined || !loop.isCaughtUp || !this.#isOpen(queue)) return null;
    const place = loop.places.reserve(mayWait);
    if (place !== null && this.#o.configs.ageMs >= freshQueueMs) this.#o.configs.read().catch(() => {}); // while its start is being committed
    return place;
  }
  mayBegin(queue: string): true | Promise<boolean> {
    const { configs } = this.#o;
    if (configs.ageMs >= freshQueueMs) return configs.read().then(() => this.#isOpen(queue));
    return this.#isOpen(queue) ? true : Promise.resolve(false);
  }
  /** Neither paused nor limited: limits are counted over claims alone. */
  #isOpen(queue: string): boolean {
    const known = this.#o.configs.get(queue);
    return known !== undefined && known.paused === null && known.config.concurrency === null && known.config.rate === null;
  }

  /** Claims nothing more, gives back what has not begun, waits for the rest; after `grace` it is asked to stop, and left to its class. */
  async stop(grace: Duration): Promise<void> {
    const graceMs = durationMs(grace, "grace");
    this.#stopped = true;
    this.#unwatch?.();
    for (const loop of this.#loops.values()) loop.stop();
    if (!(await this.#whenEmpty(graceMs))) {
      for (const h of this.#held.values()) h.abort(new PawlError("PAWL5003", "the worker is stopping"));
      await this.#whenEmpty(1_000);
    }
    this.#timer?.();
  }
  #whenEmpty(ms: number): Promise<boolean> {
    if (this.#held.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = this.#o.platform.timer(ms, () => resolve(this.#held.size === 0), true);
      this.#emptyWaiters.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
