// The time limits of a running effect: how long it may take, and how long between two heartbeats. Past one of them its signal is
// aborted and the attempt fails; whatever the function returns later finds the step closed.
import { PawlError } from "../../errors/error.ts";
import type { Cancel } from "../../platform/platform.ts";
import type { EffectSpec } from "../calls.ts";
import { timeLeftMs } from "../effects/dispatch-age.ts";
import type { EffectScope } from "../effects/effect-scope.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "./open-step.ts";

export class TimeLimits {
  readonly #run: LiveRun;
  readonly #scope: EffectScope;
  readonly #step: OpenStep;
  readonly #spec: EffectSpec;
  /** How old the record of the dispatch was at the call: the time limit counts from there (K25). */
  readonly #ageMs: number;
  #cancels: Cancel[] = [];
  #heartbeatTimer: Cancel | null = null;
  #expired: (e: PawlError) => void = () => {};

  constructor(run: LiveRun, step: OpenStep, spec: EffectSpec, scope: EffectScope, ageMs: number) {
    this.#run = run;
    this.#scope = scope;
    this.#step = step;
    this.#spec = spec;
    this.#ageMs = ageMs;
  }
  race(running: unknown): Promise<unknown> {
    const { timeoutMs, heartbeatMs } = this.#spec;
    if (timeoutMs !== null)
      this.#cancels.push(
        this.#run.host.platform.timer(timeLeftMs(timeoutMs, this.#ageMs), () => this.#expire(`no answer within ${timeoutMs} ms`)),
      );
    if (heartbeatMs !== null) {
      this.#scope.onHeartbeat = () => {
        this.#heartbeatTimer?.();
        this.#heartbeatTimer = this.#run.host.platform.timer(heartbeatMs, () => this.#expire(`no heartbeat within ${heartbeatMs} ms`));
      };
      this.#scope.onHeartbeat();
    }
    // By hand: a race would make three promises where one does.
    return new Promise((resolve, reject) => {
      this.#expired = reject;
      Promise.resolve(running).then(resolve, reject);
    });
  }
  #expire(message: string): void {
    const error = new PawlError("PAWL1034", `${this.#step.name}: ${message}`);
    this.#scope.abort(error);
    this.#expired(error);
  }
  end(): void {
    for (const cancel of this.#cancels) cancel();
    this.#heartbeatTimer?.();
    this.#scope.onHeartbeat = null;
  }
}
