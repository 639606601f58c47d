// Starts runs where they will run: created, claimed, started and with the first step recorded in a single Commit. The caller learns
// once what became of it. Nothing new starts above the limits on live runs and pending bytes (K6), nor in an engine that is not
// open.
import { PawlError } from "../errors/error.ts";
import type { RunRow } from "../store/port.ts";
import type { Committer } from "./committer.ts";
import { newRun, initialRow, type Creation } from "./create-run.ts";
import type { Definition } from "./definition.ts";
import type { Limiter } from "./limiter.ts";
import type { UnloadReason, RunHost } from "./run-host.ts";
import { LiveRun } from "./run/live-run.ts";

/** The caller of a start: exactly one of these is called. */
export type StartResult = { readonly kind: "created"; readonly runId: string } | { readonly kind: "conflict"; readonly existing: RunRow };

export interface StartListener {
  created(): void;
  conflict(existing: RunRow): void;
  failed(e: unknown): void;
}

interface StarterDeps {
  readonly host: RunHost;
  readonly places: Limiter;
  readonly committer: Committer;
  isOpen(): boolean;
  /** Makes room where runs only wait. */
  evict(): void;
  /** The run is in memory from now on. */
  onLive(run: LiveRun): void;
}

export class Starter {
  readonly #deps: StarterDeps;
  readonly #creating = new Map<LiveRun, StartListener>();

  constructor(around: StarterDeps) {
    this.#deps = around;
  }

  start(definition: Definition, c: Creation, listener: StartListener): void {
    const { host, places: room, committer } = this.#deps;
    if (!this.#deps.isOpen()) return listener.failed(notRunning());
    host.registerWorkflow(definition);
    this.#deps.evict();
    const entered = room.acquire();
    if (entered === true && !committer.full) this.#startNow(definition, c, listener);
    else this.#startWhenFree(entered, definition, c, listener).catch(listener.failed);
  }
  async #startWhenFree(entered: true | Promise<true>, definition: Definition, c: Creation, listener: StartListener): Promise<void> {
    const { places: room, committer } = this.#deps;
    await entered;
    while (committer.full) await committer.whenDrained();
    if (this.#deps.isOpen()) return this.#startNow(definition, c, listener);
    room.release();
    throw notRunning();
  }
  #startNow(definition: Definition, c: Creation, listener: StartListener): void {
    const { host } = this.#deps;
    const fence = { epoch: 1, token: host.platform.randomHex(16) };
    const create = newRun(host.scope, c, host.engineId(), fence);
    const run = new LiveRun({
      host,
      row: initialRow(create, c.runId, host.storeNowMs()),
      definition,
      history: null,
      chain: null,
      isContinuation: false,
      inbox: [],
      create,
      input: c.input,
      traceparent: c.traceparent,
      asked: c,
      onCreated: () => {
        this.#creating.delete(run);
        host.metrics.add("pawl_runs_started_total");
        listener.created();
      },
    });
    this.#creating.set(run, listener);
    this.#deps.onLive(run);
    run.begin();
  }

  /** A run left memory: one that was not created yet will not be, as far as anybody here knows. */
  onUnloaded(run: LiveRun, why: UnloadReason): void {
    const listener = this.#creating.get(run);
    if (listener === undefined) return;
    this.#creating.delete(run);
    if (why.kind === "conflict") listener.conflict(why.answer.existing);
    else listener.failed(notCreated());
  }
}

export function notCreated(): PawlError {
  return new PawlError("PAWL3002", "the run was not created", { outcome: "unknown" });
}

function notRunning(): PawlError {
  return new PawlError("PAWL5003", "the engine is not running");
}
