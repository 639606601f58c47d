// Retention in the background of an engine: a pass now and then, resting four times as long as it works. Its timers keep no
// process alive, a failure is logged and tried again with the next pass, and stopping waits for the transaction under way.
import { durationMs, type Duration } from "../../core/duration.ts";
import type { Scope } from "../../core/model.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { SealKey } from "../../log/seal-key-file.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { Logger } from "../run-host.ts";
import { retentionMs, retentionPass, type RetentionPolicy } from "./retention.ts";

export interface RetentionOpts extends RetentionPolicy {
  /** The time between two passes; an hour unless given. */
  readonly every?: Duration;
}

export class BackgroundRetention {
  readonly #o: {
    readonly store: FullStore;
    readonly scope: Scope;
    readonly platform: Platform;
    readonly log: Logger;
    readonly sealKey?: SealKey | null;
  };
  readonly #policy: RetentionPolicy;
  readonly #everyMs: number;
  #cancel: Cancel | null = null;
  #stopped = false;
  #pass: Promise<void> = Promise.resolve();

  constructor(o: { store: FullStore; scope: Scope; platform: Platform; log: Logger; sealKey?: SealKey | null }, retention: RetentionOpts) {
    const { every, ...policy } = retention;
    retentionMs(policy); // a policy that contradicts itself is rejected before anything begins
    const { store, scope, platform, log, sealKey = null } = o;
    this.#o = { store, scope, platform, log, sealKey };
    this.#policy = policy;
    this.#everyMs = every === undefined ? 3_600_000 : Math.max(1_000, durationMs(every, "retention.every"));
  }

  start(): void {
    this.#cancel = this.#o.platform.timer(this.#everyMs, () => {
      this.#pass = this.#runPass();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#pass;
  }

  async #runPass(): Promise<void> {
    const { log, ...rest } = this.#o;
    try {
      const report = await retentionPass({ ...rest, policy: this.#policy, background: true, stopped: () => this.#stopped });
      if (report.expired + report.purged + report.forgotten > 0) log("info", "retention", { ...report });
    } catch (e) {
      log("warn", `retention: ${e instanceof Error ? e.message : String(e)}`);
    }
    if (!this.#stopped) this.start();
  }
}
