// One dispatch that this process has claimed, from the claim until its report is durable: whether it was asked to stop, whether this process still
// owns it, and its last heartbeat. It is what a step's function is given as its scope.
import { encode, revive } from "../codec/value.ts";
import type { Limits } from "../core/limits.ts";
import type { EffectStepScope } from "../engine/calls.ts";
import { readDispatchSpec, type DispatchSpec } from "../engine/queued/dispatch-spec.ts";
import type { Logger } from "../engine/run-host.ts";
import { PawlError } from "../errors/error.ts";
import { aetherisTraceKey, traceKey } from "../events/event-key.ts";
import type { DispatchRow } from "../store/port.ts";

interface Waiter {
  done(): void;
  failed(e: unknown): void;
}

/** What a claimed step says in one beat: it was recorded, it must be said again, or it will never be taken. */
interface ClaimBeat {
  readonly beat: string;
  recorded(): void;
  again(): void;
  refused(e: unknown): void;
}

export class ClaimedStep implements EffectStepScope {
  readonly row: DispatchRow;
  readonly spec: DispatchSpec;
  readonly token: string;
  /** The machine's uptime before its claim was asked for: it begins soon after that, or never. */
  readonly claimSentAt: number;
  readonly attempt: { readonly logical: number; readonly engine: number };
  readonly #limits: Limits;
  readonly #log: Logger;
  readonly #onBeat: () => void;
  #controller: AbortController | null = null;
  #aborted: { readonly reason: unknown } | null = null;
  #isLost = false;
  #last: unknown;
  /** Encoded; what the next beat says. */
  #detail: string | null = null;
  #waiters: Waiter[] = [];
  /** Called at every heartbeat: the time limit between two of them starts again. */
  onHeartbeat: (() => void) | null = null;

  constructor(row: DispatchRow, claimSentAt: number, o: { readonly limits: Limits; readonly log: Logger; readonly onBeat: () => void }) {
    this.row = row;
    this.token = row.token ?? "";
    this.spec = readDispatchSpec(row.spec);
    this.claimSentAt = claimSentAt;
    this.attempt = { logical: row.attempt, engine: row.engineAttempt };
    this.#limits = o.limits;
    this.#log = o.log;
    this.#onBeat = o.onBeat;
    this.#last = this.spec.last === undefined ? undefined : revive(structuredClone(this.spec.last));
  }
  get key(): string {
    return this.spec.key;
  }
  /** The event that dispatched it: it rises with every dispatch of the run. */
  get fence(): string {
    return String(this.row.seq);
  }
  get traceKey(): string {
    return traceKey(this.row.runId, this.row.stepId, this.fence);
  }
  get aetherisTraceKey(): string {
    return aetherisTraceKey(this.row.runId, this.row.stepId, this.fence);
  }
  get firstAttemptAt(): Date {
    return new Date(this.spec.firstAt ?? this.row.claimedAt ?? 0);
  }
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#aborted !== null) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }
  get lastHeartbeat(): unknown {
    return this.#last;
  }
  /** It ended without this process: what it does from now on is evidence at most. */
  get isLost(): boolean {
    return this.#isLost;
  }
  get isAborted(): boolean {
    return this.#aborted !== null;
  }
  abort(reason: unknown): void {
    if (this.#aborted !== null) return;
    this.#aborted = { reason };
    this.#controller?.abort(reason);
  }
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const reason = new PawlError("PAWL3017", `${this.spec.name} is no longer run here`);
    this.abort(reason);
    for (const w of this.#waiters.splice(0)) w.failed(reason);
  }

  heartbeat(detail?: unknown): void {
    this.onHeartbeat?.();
    if (detail === undefined || this.#isLost) return;
    this.#say(detail);
    this.#onBeat();
  }
  checkpoint(detail: unknown): Promise<void> {
    this.onHeartbeat?.();
    if (this.#isLost) return Promise.reject(new PawlError("PAWL3017", `${this.spec.name} is no longer run here: nothing was recorded`));
    this.#say(detail);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ done: resolve, failed: reject });
      this.#onBeat();
    });
  }
  #say(detail: unknown): void {
    this.#detail = encode(detail, this.#limits, `heartbeat of ${this.spec.name}`);
    this.#last = detail;
  }
  get hasNews(): boolean {
    return this.#detail !== null;
  }
  /** What the next beat says, and who waits for it; null: nothing new. */
  takeBeat(): ClaimBeat | null {
    const detail = this.#detail;
    if (detail === null) return null;
    this.#detail = null;
    const waiters = this.#waiters.splice(0);
    return {
      beat: `{"detail":${detail}}`,
      recorded: () => {
        for (const w of waiters) w.done();
      },
      again: () => {
        this.#detail ??= detail;
        this.#waiters.unshift(...waiters);
      },
      refused: (e) => {
        for (const w of waiters) w.failed(e);
      },
    };
  }
  log(message: string, data?: unknown): void {
    const { runId, stepId } = this.row;
    this.#log("info", message, { runId, step: stepId, ...(data === undefined ? {} : { data }) });
  }
}
