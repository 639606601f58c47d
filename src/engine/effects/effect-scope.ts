// What a step's function (and its verify) is given: the stable key, the fence, the abort signal, heartbeats. Made per
// dispatch; everything that costs is made on first use. It must never hand out an attempt in the key (K24).
import { encode } from "../../codec/value.ts";
import { PawlError } from "../../errors/error.ts";
import { aetherisTraceKey, traceKey } from "../../events/event-key.ts";
import type { EffectStepScope } from "../calls.ts";
import { stableKey } from "./ledger.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "../steps/open-step.ts";

export class EffectScope implements EffectStepScope {
  readonly #run: LiveRun;
  readonly #step: OpenStep;
  readonly attempt: { readonly logical: number; readonly engine: number };
  #controller: AbortController | null = null;
  #aborted: { readonly reason: unknown } | null = null;
  #beating = false;
  #pending: string | null = null;
  /** It has streamed: when it is over, nothing of that is kept. */
  #streams = false;
  /** Called at every heartbeat: the time limit between two of them starts again. */
  onHeartbeat: (() => void) | null = null;

  constructor(run: LiveRun, step: OpenStep) {
    this.#run = run;
    this.#step = step;
    this.attempt = { logical: step.attempt, engine: step.engineAttempt };
  }
  get key(): string {
    return stableKey(this.#run.row, this.#step.stepId, this.#step.started);
  }
  get fence(): string {
    return String(this.#run.fence.epoch);
  }
  get traceKey(): string {
    return traceKey(this.#run.row.runId, this.#step.stepId, this.fence);
  }
  get aetherisTraceKey(): string {
    return aetherisTraceKey(this.#run.row.runId, this.#step.stepId, this.fence);
  }
  /** Past its limit a function may continue: what it says then is not this step's any more. */
  get #isOver(): boolean {
    const { logical, engine } = this.attempt;
    return (
      this.#run.state.isUnloaded ||
      !this.#run.steps.isOpen(this.#step) ||
      this.#step.attempt !== logical ||
      this.#step.engineAttempt !== engine
    );
  }
  get firstAttemptAt(): Date {
    return new Date(this.#step.firstAt);
  }
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#aborted !== null) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }
  get lastHeartbeat(): unknown {
    return this.#step.heartbeat;
  }
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** The latest detail is durable soon: while one is being committed the next waits, and only the newest of those. */
  heartbeat(detail?: unknown): void {
    this.onHeartbeat?.();
    if (detail === undefined || this.#isOver) return;
    const text = encode(detail, this.#run.host.limits, `heartbeat of ${this.#step.name}`);
    this.#step.heartbeat = detail;
    if (this.#beating) this.#pending = text;
    else this.#beat(text);
  }
  /** Every one is recorded, in order; nothing is dropped for a newer one. */
  checkpoint(detail: unknown): Promise<void> {
    this.onHeartbeat?.();
    if (this.#isOver) return Promise.reject(new PawlError("PAWL3017", `${this.#step.name} is no longer run here: nothing was recorded`));
    const text = encode(detail, this.#run.host.limits, `checkpoint of ${this.#step.name}`);
    this.#step.heartbeat = detail;
    return new Promise((done) => this.#run.arrive({ type: "heartbeat", step: this.#step, detail: text, done }));
  }
  #beat(detail: string): void {
    this.#beating = true;
    const done = (): void => {
      this.#beating = false;
      const next = this.#pending;
      this.#pending = null;
      if (next !== null) this.#beat(next);
    };
    this.#run.arrive({ type: "heartbeat", step: this.#step, detail, done });
  }

  /** Leaves at once, is provisional, and is never stored. */
  stream(value: unknown): void {
    if (this.#isOver) return;
    this.#streams = true;
    this.#run.host.streams.send(this.#run.row, this.#step.stepId, this.attempt, value);
  }
  /** Its function is over. */
  end(): void {
    if (this.#streams) this.#run.host.streams.end(this.#run.row.runId, this.#step.stepId);
  }

  log(message: string, data?: unknown): void {
    this.#run.log("info", message, { step: this.#step.stepId, ...(data === undefined ? {} : { data }) });
  }
}
