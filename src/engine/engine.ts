// The engine: one lease, one committer, many live runs on one store. It puts the parts together and owns none of their rules. It takes
// over the runs whose workflows it knows, and stops without losing anything: outcomes are committed, runs are handed back.
import { isSettled } from "../core/model.ts";
import { RunContext } from "../platform/run-context.ts";
import type { Cancel } from "../platform/platform.ts";
import { onUnhandledRejection } from "../platform/unhandled-rejections.ts";
import type { ClaimedRun, DispatchEnd, DispatchRow, RunRow } from "../store/port.ts";
import { checkStore } from "./check-store.ts";
import { Claimer } from "./claimer.ts";
import { Committer } from "./committer.ts";
import type { Creation } from "./create-run.ts";
import type { Definition } from "./definition.ts";
import type { EngineSettings } from "./engine-settings.ts";
import { EndWaiters, type EndListener, type EndWait } from "./end-waiters.ts";
import { Limiter, ReservedPlace } from "./limiter.ts";
import type { UnloadReason, RunHost } from "./run-host.ts";
import { Lease } from "./lease.ts";
import { LiveRuns } from "./live-runs.ts";
import type { LiveRun } from "./run/live-run.ts";
import { loadRun } from "./run/load-run.ts";
import { Metrics } from "./metrics.ts";
import { StepStreams } from "./streams/step-streams.ts";
import { notifyListener } from "./decisions/decision-notice.ts";
import { InDoubtCount } from "./effects/in-doubt-count.ts";
import { isServedByOther } from "./publish/live-engines.ts";
import { OrderWatch } from "./publish/order-watch.ts";
import { publishWorkflows } from "./publish/published-workflows.ts";
import { ServedWorkflows } from "./publish/served-workflows.ts";
import { QueueConfigs, type LocalQueues } from "./queued/queue-configs.ts";
import { checkRecovery } from "./recovery-check.ts";
import { ReloadQueue, type ReloadReason } from "./reload-queue.ts";
import { notCreated, Starter, type StartResult } from "./starter.ts";
import { StoreClock } from "./store-clock.ts";

const messageOf = (e: unknown): string => (e instanceof Error ? e.message : String(e));

export class EngineCore {
  readonly settings: EngineSettings;
  readonly metrics: Metrics = new Metrics();
  readonly streams: StepStreams = new StepStreams((runId) => this.#runs.get(runId)?.row.parentRunId ?? null);
  readonly #workflows: ServedWorkflows;
  readonly #runs: LiveRuns;
  readonly #endWaiters = new EndWaiters();
  readonly #places: Limiter;
  /** T-57: claims take turns with the runs that are started here. */
  readonly #reservedPlace: ReservedPlace;
  readonly #lease: Lease;
  readonly #clock: StoreClock;
  readonly #committer: Committer;
  readonly #claimer: Claimer;
  readonly #host: RunHost;
  readonly #starter: Starter;
  readonly #reloads: ReloadQueue;
  readonly #inDoubt: InDoubtCount;
  readonly #orders: OrderWatch;
  /** Called about once a second with the number of the last change of the schedules (schedule/loop.ts). */
  onSchedules: ((mark: number) => void) | null = null;
  readonly queueConfigs: QueueConfigs;
  #localQueues: LocalQueues | null = null;
  #rejections: Cancel | null = null;
  #state: "new" | "open" | "stopping" | "stopped" = "new";

  constructor(settings: EngineSettings, definitions: readonly Definition[]) {
    this.settings = settings;
    const { platform, store, limits, log, scope } = settings;
    this.#workflows = new ServedWorkflows(definitions);
    this.queueConfigs = new QueueConfigs(platform, store, scope);
    this.#inDoubt = new InDoubtCount(store, scope);
    this.#runs = new LiveRuns(platform, settings.liveRunsMax);
    this.#places = new Limiter(settings.liveRunsMax);
    this.#reservedPlace = new ReservedPlace(this.#places, () => (this.#isOpen ? this.#claimer.wake() : this.#reservedPlace.giveUp()));
    this.#lease = new Lease({
      platform,
      store,
      leaseMs: settings.leaseMs,
      ...(settings.renewMs === undefined ? {} : { renewMs: settings.renewMs }),
      scope,
      workflowsServed: () => this.#workflows.served(),
      works: () => (this.#localQueues === null ? {} : { works: this.#localQueues.works() }),
      log,
      onDead: () => this.#restart(),
      onProblem: (e) => log("warn", `the lease could not be renewed: ${messageOf(e)}`),
    });
    const hasSingleRun = (): boolean => this.#runs.size <= 1;
    const clock = (this.#clock = new StoreClock(platform));
    const renewal = (): ReturnType<Lease["piggybackRenewal"]> => this.#lease.piggybackRenewal();
    this.#committer = new Committer({ platform, store, limits, metrics: this.metrics, log, clock, hasSingleRun, renewal });
    this.#claimer = new Claimer({
      platform,
      store,
      scope,
      log,
      pollMs: settings.pollMs,
      clock,
      engineId: () => this.#lease.engineId,
      workflowsServed: () => this.#workflowsTakenOn(),
      freePlaces: () => {
        this.#runs.evict();
        if (this.#state !== "open" || this.#committer.full || this.#orders.isDraining) return 0;
        return this.#places.free > 0 ? this.#places.free : this.#reservedPlace.request();
      },
      noMoreWork: () => this.#reservedPlace.giveUp(),
      liveRun: (runId) => this.#runs.get(runId),
      loadRuns: (rows) => this.#load(rows, undefined, (workflow) => this.#orders.isPaused(workflow)),
      isHeld: (runId) => this.#runs.isHeld(runId),
      reloadUnheld: (runId) => this.#reloads.addFound(runId),
      liveRunsMax: settings.liveRunsMax,
    });
    this.#orders = new OrderWatch({
      platform,
      store,
      scope,
      log,
      engineId: () => this.#lease.engineId,
      onResumed: () => this.#claimer.wake(),
      onDraining: () => {
        for (const run of this.#runs.all()) run.release();
      },
      onSchedules: (mark) => this.onSchedules?.(mark),
    });
    this.#host = {
      platform,
      store,
      limits,
      scope,
      log,
      engineId: () => this.#lease.engineId,
      context: new RunContext<LiveRun>(),
      effectLimiter: new Limiter(settings.effectsMax),
      metrics: this.metrics,
      streams: this.streams,
      idleMs: settings.idleMs,
      ledger: settings.ledger,
      requireTwoApprovers: settings.requireTwoApprovers,
      onGivenUp: settings.onGivenUp,
      onVersionChange: settings.onVersionChange,
      effectStore: settings.effectStore,
      production: settings.production,
      sealer: settings.sealer ?? null,
      telemetry: settings.telemetry ?? null,
      queueConfigs: this.queueConfigs,
      localQueues: () => this.#localQueues,
      lookAtInbox: (run) => this.#claimer.deliver(run),
      isCrowded: () => this.#runs.isCrowded,
      storeNowMs: () => this.#clock.nowMs(),
      ensureFreshLease: () => this.#lease.ensureFresh(),
      submit: (commit, bytes, by) => this.#committer.submit(commit, bytes, by),
      registerWorkflow: (d) => this.registerWorkflow(d),
      wakeIfWaitingForChild: (row) => this.wakeIfWaitingForChild(row),
      isServedElsewhere: async (workflow, version) => isServedByOther(await store.info(), scope, this.engineId, workflow, version),
      onDecisionNeeded: (notice) => {
        // Its end will not come by itself: those who wait for it ask the store.
        if (notice.kind === "diverged") this.#endWaiters.notify(notice.runId, null);
        void notifyListener(notice, settings.onDecision, log);
      },
      onUnloaded: (run, why) => this.#onUnloaded(run, why),
    };
    this.#reloads = new ReloadQueue({
      platform,
      store,
      engineId: () => this.#lease.engineId,
      isOpen: () => this.#isOpen,
      isHeld: (runId) => this.#runs.isHeld(runId),
      load: (row, again) => this.#load([row], again),
    });
    this.#starter = new Starter({
      host: this.#host,
      places: this.#places,
      committer: this.#committer,
      isOpen: () => this.#isOpen,
      evict: () => this.#runs.evict(),
      onLive: (run) => {
        this.#runs.add(run);
        this.#runs.evict();
      },
    });
  }

  get engineId(): string {
    return this.#lease.engineId;
  }
  /** Its own queues, served under its lease: set before it opens. */
  serveQueues(queues: LocalQueues): void {
    this.#localQueues = queues;
  }
  /** A step that its own queues ran, of a run that is here: true once it is recorded, false if it must be reported; null: it must be. */
  handOver(d: DispatchRow, end: DispatchEnd): Promise<boolean> | null {
    return this.#runs.get(d.runId)?.mailbox.reports.handOver(d, end) ?? null;
  }
  /** Its row says what it serves now. */
  announce(): void {
    if (!this.#isOpen) return;
    this.#lease
      .announceWorkflows()
      .catch((e: unknown) => this.settings.log("warn", `what this engine serves could not be written: ${messageOf(e)}`));
  }
  ensureFreshLease(): true | Promise<boolean> {
    return this.#lease.ensureFresh();
  }

  /** The store's clock, as this engine estimates it. */
  get storeNowMs(): number {
    return this.#clock.nowMs();
  }
  get #isOpen(): boolean {
    return this.#state === "open";
  }
  /** An operator asked it to release its runs and take on no more. */
  get isDraining(): boolean {
    return this.#orders.isDraining;
  }
  /** Whether a run of this workflow may begin here; if not, it is queued. */
  takesOn(workflow: string): boolean {
    return this.#orders.takesOn(workflow);
  }
  get liveRuns(): number {
    return this.#runs.size;
  }
  /** What is wrong with the store, while something is. */
  get problem(): string | null {
    return this.#committer.problem ?? this.#lease.problem ?? this.#claimer.problem;
  }
  isLive(runId: string): boolean {
    return this.#runs.has(runId);
  }
  definitions(): readonly Definition[] {
    return this.#workflows.all();
  }
  definition(name: string): Definition | undefined {
    return this.#workflows.get(name);
  }

  /** A workflow that code called or that a caller started: runs of it may wait in the store. */
  registerWorkflow(d: Definition): void {
    if (!this.#workflows.learn(d) || !this.#isOpen) return;
    const { store, scope, log } = this.settings;
    publishWorkflows(store, scope, [d]).catch((e: unknown) => log("warn", `workflow ${d.name} could not be published: ${messageOf(e)}`));
    // A store that is away hears of it when the engine enlists again, or when the next workflow is learned.
    this.#lease
      .announceWorkflows()
      .catch((e: unknown) => log("warn", `the workflows that this engine serves could not be written: ${messageOf(e)}`));
    this.#claimer.wake();
  }
  /**
   * A run that waits for one that it called is due to nobody, and neither is the called one while nobody here knows its workflow,
   * which only the caller's code can say: it is woken, once by each engine, to be read (I12).
   */
  async wakeIfWaitingForChild(row: RunRow | undefined): Promise<void> {
    if (row === undefined || isSettled(row.status) || row.waiting !== "child" || this.isLive(row.runId)) return;
    const { store, scope } = this.settings;
    const id = `wake/${this.engineId}`;
    await store.post({ scope, target: { runId: row.runId }, kind: "control", name: "wake", id, payload: null, retainMs: null });
    this.#claimer.wake();
  }

  /** Runs of a paused workflow are claimed for control only, like those without code here (K5). */
  #workflowsTakenOn(): { workflow: string; version: string }[] {
    const all = this.#workflows.served();
    return this.#orders.anyPaused ? all.filter((s) => !this.#orders.isPaused(s.workflow)) : all;
  }

  /** W-114: the capability, and whether all live runs can be continued here, are checked before anything is claimed, recovered or polled. */
  async open(): Promise<void> {
    const { store } = this.settings;
    const { nowMs } = await checkStore(this.settings);
    this.#clock.sync(nowMs);
    await checkRecovery({ ...this.settings, metrics: this.metrics, definition: (name) => this.#workflows.get(name) }, nowMs);
    this.#rejections = onUnhandledRejection((reason) => this.#onUnhandledRejection(reason));
    await this.settings.sealer?.open();
    await publishWorkflows(store, this.settings.scope, this.#workflows.all()); // before anybody can send to what runs here
    await this.#lease.enlist();
    await this.#inDoubt.count();
    await this.#orders.start();
    this.#state = "open";
    try {
      await this.#claimer.start();
    } catch (e) {
      await this.stop(0).catch(() => {}); // the first error counts
      throw e;
    }
  }

  /** K16: an unhandled rejection of a run's code is that run's; it never ends the process. */
  #onUnhandledRejection(reason: unknown): boolean {
    const run = this.#host.context.current();
    if (run === undefined) return false;
    this.settings.log("warn", `unhandled rejection in run ${run.row.runId} (${run.row.workflow}): ${messageOf(reason)}`);
    return true;
  }

  /** Created, claimed, started, with its first step recorded: one Commit. */
  startHere(definition: Definition, c: Creation): Promise<StartResult> {
    return new Promise((resolve, reject) => {
      this.#starter.start(definition, c, {
        created: () => resolve({ kind: "created", runId: c.runId }),
        conflict: (existing) => resolve({ kind: "conflict", existing }),
        failed: reject,
      });
    });
  }
  /** The same, with its end as whenEnded gives it, but without a promise: every run that is awaited where it is started passes here. */
  runHere(definition: Definition, c: Creation, ended: EndListener, failed: (e: unknown) => void): void {
    const refused = (e: unknown): void => {
      this.#endWaiters.forget(c.runId);
      failed(e);
    };
    this.#endWaiters.add(c.runId, ended);
    this.#starter.start(definition, c, { created: () => {}, conflict: () => refused(notCreated()), failed: refused });
  }
  async #load(rows: readonly ClaimedRun[], again?: ReloadReason, controlOnly?: (workflow: string) => boolean): Promise<void> {
    for (const row of rows) this.#runs.beginLoading(row.runId);
    for (const row of rows) {
      const old = this.#runs.get(row.runId);
      if (old !== undefined) old.unload({ kind: "abandoned" });
      const entered = this.#reservedPlace.take() || this.#places.acquire(1);
      if (entered !== true) await entered;
      try {
        const code = controlOnly?.(row.workflow) === true ? null : (this.#workflows.get(row.workflow) ?? null);
        const run = await loadRun(this.#host, row, code, again);
        this.#runs.add(run);
        run.begin();
      } catch (e) {
        this.#places.release();
        this.settings.log("warn", `run ${row.runId} could not be read: ${messageOf(e)}`);
        this.#reloads.add(row.runId, undefined, row.takenFrom);
      } finally {
        this.#runs.endLoading(row.runId);
      }
    }
    this.#runs.evict();
  }

  #onUnloaded(run: LiveRun, why: UnloadReason): void {
    const { runId } = run.row;
    this.#runs.remove(run);
    this.#places.release();
    this.#starter.onUnloaded(run, why);
    this.#endWaiters.notify(runId, why.kind === "settled" ? { status: why.status, payload: why.payload } : null);
    if (why.kind === "released") {
      const due = run.commits.committedDueAt;
      if (due !== null) this.#claimer.wakeAt(due, this.#host.storeNowMs());
    }
    if (why.kind === "reload" || why.kind === "abandoned") this.#reloads.add(runId, why.kind === "reload" ? why : undefined);
    else this.#reloads.forget(runId);
    this.#runs.notifyIfEmpty();
  }

  /** `ended`: the end of a run that is live here; null when it left memory otherwise: ask the store. `leave`: nobody waits any more. */
  whenEnded(runId: string): EndWait {
    if (!this.#runs.has(runId)) return { ended: Promise.resolve(null), leave: () => {} };
    return this.#endWaiters.wait(runId);
  }

  /** K1: declared dead. Nothing this engine owned is its own any more. */
  #restart(): void {
    for (const run of this.#runs.all()) run.unload({ kind: "abandoned" });
    this.#localQueues?.onDead();
    const enlist = (): void => {
      if (this.#state !== "open") return;
      this.#lease.enlist().then(
        () => this.#claimer.wake(),
        (e: unknown) => {
          this.settings.log("warn", `the engine could not register again: ${messageOf(e)}`);
          this.settings.platform.timer(1_000, enlist);
        },
      );
    };
    enlist();
  }

  wake(): void {
    this.#claimer.wake();
  }

  /** Stops claiming, lets steps finish up to `graceMs`, commits what came in, hands every run back. */
  async stop(graceMs: number): Promise<void> {
    if (this.#state !== "open") return;
    this.#state = "stopping";
    await this.#orders.stop();
    await this.#claimer.stop();
    for (const run of this.#runs.all()) run.release();
    if (!(await this.#runs.whenEmpty(graceMs))) {
      for (const run of this.#runs.all()) run.releaseNow();
      await this.#runs.whenEmpty(5_000);
    }
    for (const run of this.#runs.all()) run.unload({ kind: "abandoned" });
    await this.settings.sealer
      ?.close()
      .catch((e: unknown) => this.settings.log("warn", `the record of seals could not be written: ${messageOf(e)}`));
    await this.#lease.retire();
    this.#rejections?.();
    this.#state = "stopped";
  }
  /** As if the process had ended: nothing more is written and nobody is notified. For tests that kill engines in one process. */
  simulateCrash(): void {
    this.#state = "stopped";
    this.#rejections?.();
    this.#rejections = null;
  }

  metricsText(): string {
    this.#inDoubt.count().catch(() => {}); // for the next look: a count from the store must not hold up this one
    return this.metrics.toText({
      pawl_live_runs: this.#runs.size,
      pawl_effects_in_flight: this.#host.effectLimiter.inUse,
      pawl_effects_in_doubt: this.#inDoubt.last,
    });
  }
}
