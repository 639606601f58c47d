// Pause, resume and terminate need no code, so they need no engine of the user's: an engine without workflows is opened here, claims the
// run if nobody alive owns it, commits, and leaves (K5). One serves all clients of a store in this process. It stays open for a moment
// after its last use, so that many controls in a row cost one opening, and it must be closed before the store is. Nothing here decides
// what a control does: the engine's rules do.
import { checkLimits } from "../../core/limits.ts";
import type { Scope } from "../../core/model.ts";
import { EngineCore } from "../../engine/engine.ts";
import { Sealer } from "../../engine/sealer.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import { sealSettings } from "../engine-options.ts";

export interface ApplierDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  /** The key file to seal with; absent: logs are chained and not sealed. */
  readonly sealKey?: string | undefined;
}

/** How long it stays open after its last use. */
const lingerMs = 1_000;
const graceMs = 1_000;

export class ControlApplier {
  readonly #o: ApplierDeps;
  #engine: Promise<EngineCore> | null = null;
  #users = 0;
  #linger: Cancel | null = null;
  #closing: Promise<void> = Promise.resolve();

  constructor(o: ApplierDeps) {
    this.#o = o;
  }

  /** True while an engine is open here. */
  get isOpen(): boolean {
    return this.#engine !== null;
  }

  /** Looks for controls to apply while `wait` is at work. */
  async applyWhile<T>(wait: () => Promise<T>): Promise<T> {
    this.#users++;
    this.#linger?.();
    this.#linger = null;
    try {
      (await (this.#engine ??= this.#open())).wake();
      return await wait();
    } finally {
      if (--this.#users === 0 && this.#engine !== null)
        this.#linger = this.#o.platform.timer(lingerMs, () => void (this.#users === 0 && this.#stop()), true);
    }
  }

  async #open(): Promise<EngineCore> {
    await this.#closing;
    const { store, platform, scope, sealKey } = this.#o;
    const seal = sealSettings({ sealKey }, undefined);
    const log = (): void => {};
    const core = new EngineCore(
      {
        store,
        platform,
        scope,
        log,
        limits: checkLimits(),
        pollMs: 250,
        leaseMs: 10_000,
        idleMs: 5_000,
        liveRunsMax: 100,
        effectsMax: 1,
        ledger: "declared",
        requireTwoApprovers: false,
        onGivenUp: "ask",
        recovery: "shared",
        onVersionChange: "allow",
        production: false,
        checkpointOwnership: "cas-required",
        effectStore: null,
        onDecision: null,
        sealer: seal === null ? null : new Sealer({ ...seal, store, platform, log }),
      },
      [],
    );
    try {
      await core.open();
    } catch (e) {
      this.#engine = null;
      throw e;
    }
    return core;
  }

  #stop(): Promise<void> {
    const open = this.#engine;
    this.#engine = null;
    this.#linger?.();
    this.#linger = null;
    if (open !== null)
      this.#closing = this.#closing.then(() =>
        open.then(
          (core) => core.stop(graceMs),
          () => {}, // it never opened
        ),
      );
    return this.#closing;
  }

  /** Before the store is closed. */
  async close(): Promise<void> {
    await this.#stop();
  }
}
