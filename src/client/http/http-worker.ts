// worker({ url }): a worker in Node that reaches its queues through a server, by the worker protocol (docs/worker-protocol.md). One poll at a time; what
// was claimed is held until its result is answered; a result is repeated until then. It begins nothing later than the server permits.
import type { WorkerClaim, WorkerHello, WorkerPolled, WorkerResult, WorkerStops, WorkerWelcome } from "../../api/types/workers.ts";
import { statusOf } from "../../api/statuses.ts";
import type { Failure } from "../../codec/failure.ts";
import { errorFromFailure } from "../../codec/failure.ts";
import { encode, revive } from "../../codec/value.ts";
import { durationMs } from "../../core/duration.ts";
import { defaultLimits } from "../../core/limits.ts";
import type { RunReport, VerdictReport } from "../../engine/queued/dispatch-spec.ts";
import type { Logger } from "../../engine/run-host.ts";
import type { WorkerTask } from "../../engine/worker-task.ts";
import { isPawlError, PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { ClaimedStep } from "../../queue/claimed-step.ts";
import { runDispatch } from "../../queue/run-dispatch.ts";
import type { DispatchEnd, DispatchRow } from "../../store/port.ts";
import type { Worker } from "../worker-types.ts";

export interface HttpWorkerOptions {
  readonly platform: Platform;
  readonly log: Logger;
  readonly tasks: readonly WorkerTask[];
  readonly queues: Readonly<Record<string, { readonly concurrency: number }>>;
  readonly labels: Readonly<Record<string, string>>;
  /** One request, without repeating it. */
  ask(operation: `workers.${"register" | "poll" | "beats" | "results" | "leave"}`, input: object, waitMs: number): Promise<unknown>;
}

interface HeldClaim {
  readonly claim: WorkerClaim;
  readonly step: ClaimedStep;
}

const pollWaitMs = 20_000;
/** So often it asks while it has no free place. */
const fullPollMs = 1_000;
const againMs = 200;
const againMsMax = 5_000;

export async function openHttpWorker(o: HttpWorkerOptions): Promise<Worker> {
  const worker = new HttpWorker(o);
  await worker.register();
  worker.start();
  return worker;
}

class HttpWorker implements Worker {
  readonly #o: HttpWorkerOptions;
  readonly #tasks: ReadonlyMap<string, WorkerTask>;
  readonly #held = new Map<string, HeldClaim>();
  #welcome: WorkerWelcome = { workerId: "", leaseMs: 0, beatEveryMs: 0, beginWithinMs: 0 };
  #registering: Promise<void> | null = null;
  #stopping = false;
  #ended = false;
  #polling: Promise<void> = Promise.resolve();
  #beating = (): void => {};
  #onFreed = (): void => {};

  constructor(o: HttpWorkerOptions) {
    this.#o = o;
    this.#tasks = new Map(o.tasks.map((t) => [t.id, t]));
  }
  get workerId(): string {
    return this.#welcome.workerId;
  }
  get running(): number {
    return this.#held.size;
  }

  register(): Promise<void> {
    this.#registering ??= this.#register().finally(() => (this.#registering = null));
    return this.#registering;
  }
  async #register(): Promise<void> {
    const works = [...this.#tasks.keys()].map((id) => {
      const at = id.lastIndexOf("@");
      return at > 0 ? { task: id.slice(0, at), version: id.slice(at + 1) } : { task: id };
    });
    const hello: WorkerHello = { lang: "typescript", works, queues: this.#o.queues, labels: this.#o.labels };
    this.#welcome = (await this.#o.ask("workers.register", hello, 0)) as WorkerWelcome;
  }

  start(): void {
    this.#polling = this.#pollLoop();
    const beat = (): void => {
      this.#beating = this.#o.platform.timer(this.#welcome.beatEveryMs, () => {
        if (this.#ended) return;
        beat();
        this.#beat().catch((e: unknown) => this.#o.log("debug", `a heartbeat was not answered: ${String(e)}`));
      });
    };
    beat();
  }

  async #pollLoop(): Promise<void> {
    while (!this.#stopping) {
      if (!this.#hasPlace()) await this.#placeIsFree();
      if (this.#stopping) return;
      const free = this.#free();
      // Without a free place it still polls: that renews the lease, and hears of cancels.
      const waitMs = this.#hasPlace() ? pollWaitMs : 0;
      const sentAt = this.#o.platform.uptimeMs();
      const polled = (await this.#untilAnswered(
        "workers.poll",
        () => ({ free, waitMs, holds: this.#holds() }),
        waitMs,
      )) as WorkerPolled | null;
      if (polled === null) continue;
      this.#stopSteps(polled);
      for (const claim of polled.claimed) this.#take(claim, sentAt);
    }
  }
  #free(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this.#o.queues).map(([q, { concurrency }]) => [q, concurrency - this.#inUse(q)]));
  }
  #hasPlace(): boolean {
    return Object.values(this.#free()).some((n) => n > 0);
  }
  /** Or a second has passed. A server cannot say it: what it waits for at one may be answered by another. */
  #placeIsFree(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#o.platform.timer(fullPollMs, resolve, true);
      this.#onFreed = () => {
        cancel();
        resolve();
      };
    });
  }
  #inUse(queue: string): number {
    let n = 0;
    for (const { claim } of this.#held.values()) if (claim.queue === queue) n++;
    return n;
  }
  #holds(): readonly { readonly dispatchId: string; readonly token: string }[] {
    return [...this.#held.values()].map(({ claim: { dispatchId, token } }) => ({ dispatchId, token }));
  }

  #take(claim: WorkerClaim, sentAt: number): void {
    if (this.#held.has(claim.dispatchId)) return;
    const { log, platform } = this.#o;
    const step = new ClaimedStep(rowOf(claim), sentAt, { limits: defaultLimits, log, onBeat: () => void this.#beat().catch(() => {}) });
    this.#held.set(claim.dispatchId, { claim, step });
    const late = platform.uptimeMs() - sentAt > claim.beginWithinMs;
    const run = late || this.#stopping ? Promise.resolve({ back: true as const }) : this.#run(claim, step);
    run.then((result) => this.#report(claim, result)).catch((e: unknown) => log("error", `a step could not be reported: ${String(e)}`));
  }

  async #run(claim: WorkerClaim, step: ClaimedStep): Promise<object> {
    const task = this.#tasks.get(claim.version === undefined ? claim.task : `${claim.task}@${claim.version}`);
    if (task === undefined) return { back: true };
    const undo = claim.what === "undo" ? (claim.input as { readonly input?: unknown; readonly result?: unknown }) : undefined;
    let effect;
    try {
      effect = task.spec(undo === undefined ? claim.input : undo.input);
    } catch (e) {
      // Nothing has begun: the task does not take this input.
      const { name, message } = e as Error;
      return { ok: false, error: { name, message }, retryable: false, notSent: true };
    }
    return wireResult(await runDispatch(this.#o.platform, defaultLimits, step, effect, undo?.result));
  }

  /** Until it is answered: every answer is final. What the server refuses as it is would be refused for ever: that it ended is said instead. */
  async #report(claim: WorkerClaim, result: object): Promise<void> {
    const { dispatchId, token } = claim;
    const send = (what: object, isLast: boolean): Promise<unknown> =>
      this.#untilAnswered("workers.results", () => ({ results: [{ dispatchId, token, ...what } as WorkerResult] }), 0, isLast);
    try {
      await send(result, false);
    } catch (e) {
      this.#o.log("error", `the report of step ${claim.stepId} was refused: ${String(e)}`, { runId: claim.runId });
      await send(insteadOf(result, e), true);
    }
    this.#held.delete(dispatchId);
    this.#onFreed();
  }

  async #beat(): Promise<void> {
    await this.#beatFor([...this.#held.values()].filter(({ step }) => !step.isLost));
  }
  async #beatFor(all: readonly HeldClaim[]): Promise<void> {
    const beats = all.map(({ claim: { dispatchId, token }, step }) => ({ dispatchId, token, said: step.takeBeat() }));
    try {
      const input = beats.map(({ said, ...held }) => ({
        ...held,
        ...(said === null ? {} : (revive(JSON.parse(said.beat) as object) as object)),
      }));
      this.#stopSteps((await this.#o.ask("workers.beats", { workerId: this.workerId, beats: input }, 0)) as WorkerStops);
      for (const { said } of beats) said?.recorded();
    } catch (e) {
      for (const { said } of beats) if (beats.length > 1 || !isRefused(e)) said?.again();
      if (!isRefused(e)) throw e;
      // Too much for one request, or one of them says what it may not: that one alone is refused.
      if (beats.length === 1) return beats[0]!.said?.refused(e);
      for (const held of all) await this.#beatFor([held]);
    }
  }
  #stopSteps({ cancel, lost }: WorkerStops): void {
    for (const id of lost) this.#held.get(id)?.step.lose();
    for (const id of cancel) this.#held.get(id)?.step.abort(new PawlError("PAWL1014", "its run asked it to stop"));
  }

  /**
   * Repeats a request until the server answers it; `refusedToo`: also one that it refused. A worker that it no longer knows registers again; then
   * a poll begins from there.
   */
  async #untilAnswered(
    operation: "workers.poll" | "workers.results",
    input: () => object,
    waitMs: number,
    refusedToo = true,
  ): Promise<unknown> {
    for (let n = 0; ; n++) {
      try {
        return await this.#o.ask(operation, { workerId: this.workerId, ...input() }, waitMs);
      } catch (e) {
        if (this.#ended) return null;
        if (!refusedToo && isRefused(e)) throw e;
        if (isPawlError(e, "PAWL4130")) {
          await this.register().catch(() => {});
          if (operation === "workers.poll") return null;
        } else if (n === 0) this.#o.log("warn", `${operation} is sent again: ${e instanceof Error ? e.message : String(e)}`);
        if (this.#ended) return null;
        await new Promise<void>(
          (resolve) => void this.#o.platform.timer(Math.min(againMs * 2 ** Math.min(n, 10), againMsMax), resolve, true),
        );
      }
    }
  }

  async stop(o?: { grace?: Parameters<typeof durationMs>[0] }): Promise<void> {
    if (this.#ended) return;
    this.#stopping = true;
    const graceMs = durationMs(o?.grace ?? "10s", "grace");
    const { platform } = this.#o;
    const from = platform.monotonicMs();
    let aborted = false;
    while (this.#held.size > 0 && platform.monotonicMs() - from < graceMs + 1_000) {
      if (!aborted && platform.monotonicMs() - from >= graceMs) {
        aborted = true;
        for (const { step } of this.#held.values()) step.abort(new PawlError("PAWL5003", "the worker is stopping"));
      }
      await new Promise<void>((resolve) => void platform.timer(20, resolve, true));
    }
    this.#ended = true;
    this.#beating();
    // What an open poll was given meanwhile is not held, and begins nowhere: the server gives it to others.
    await this.#o.ask("workers.leave", { workerId: this.workerId, holds: this.#holds() }, 0).catch(() => {});
    void this.#polling;
  }
}

/** A claim as a row: what a step's scope is made of. */
function rowOf(c: WorkerClaim): DispatchRow {
  const last =
    c.lastHeartbeat === undefined ? {} : { last: JSON.parse(encode(c.lastHeartbeat, defaultLimits, "the last heartbeat")) as unknown };
  const spec = { v: 1, name: c.task, workflow: "", workflowId: "", class: c.class, key: c.key, ...last };
  return {
    dispatchId: 0,
    runId: c.runId,
    scope: { tenantId: "", projectId: "", environmentId: "" },
    seq: Number(c.fence),
    what: c.what,
    stepId: c.stepId,
    attempt: c.attempt.logical,
    engineAttempt: c.attempt.engine,
    queue: c.queue,
    task: c.version === undefined ? c.task : `${c.task}@${c.version}`,
    spec: JSON.stringify(spec),
    timeoutMs: c.timeoutMs,
    expiresAt: null,
    rankAt: 0,
    held: false,
    enqueuedAt: 0,
    worker: null,
    token: c.token,
    claimedAt: null,
    deadlineAt: null,
    beat: null,
    cancel: false,
  };
}

/** What a run of a step came to, as the protocol says it. Values are the codec's trees: they are made values again, and travel exactly. */
function wireResult(end: DispatchEnd): object {
  const value = (tree: unknown): unknown => revive(structuredClone(tree));
  if (end.kind === "verdict") {
    const v = end.report as VerdictReport;
    return { verdict: "result" in v ? { ...v, result: value(v.result) } : v };
  }
  if (end.kind === "yield") {
    const { cursor, carried } = value((end.report as { readonly detail: unknown }).detail) as {
      readonly cursor: unknown;
      readonly carried?: unknown;
    };
    return { yield: cursor, ...(carried === undefined ? {} : { carried }) };
  }
  const r = ("report" in end ? end.report : { ok: true }) as RunReport;
  if (r.ok) return { ok: true, ...(r.result === undefined ? {} : { result: value(r.result) }) };
  return {
    ok: false,
    error: errorMembers(r.error),
    ...(r.retryable === undefined ? {} : { retryable: r.retryable }),
    ...(r.retryAfterMs === undefined ? {} : { retryAfterMs: r.retryAfterMs }),
    ...(r.notSent === undefined ? {} : { notSent: r.notSent }),
    ...(r.timedOut === undefined ? {} : { timedOut: r.timedOut }),
    ...(r.notEncodable === undefined ? {} : { notEncodable: r.notEncodable }),
  };
}

/** The server will never take this request: it is too large, or says what it may not. */
function isRefused(e: unknown): boolean {
  if (!isPawlError(e)) return false;
  const status = e.page === "PAWL4088" ? e.data["status"] : statusOf(e).http;
  return status === 400 || status === 413 || status === 422;
}

/** What is reported where the report itself was refused: a result happened all the same, and of a failure its name is left. */
function insteadOf(result: object, e: unknown): object {
  const message = `the server refused the report: ${e instanceof Error ? e.message : String(e)}`.slice(0, 1_000);
  if ("verdict" in result) return { verdict: { state: "indeterminate", reason: message } };
  const { ok, error, ...rest } = result as { readonly ok?: boolean; readonly error?: { readonly name: string } };
  if (ok === false && error !== undefined) return { ok, ...rest, error: { name: error.name, message } };
  return { ok: false, error: { name: "ReportRefused", message }, retryable: false, ...(ok === true ? { notEncodable: true } : {}) };
}

function errorMembers(f: Failure): { readonly name: string; readonly message: string; readonly data?: unknown } {
  const { data } = errorFromFailure(f) as { readonly data?: unknown };
  return { name: f.name, message: f.message, ...(data === undefined ? {} : { data }) };
}
