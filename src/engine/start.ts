// Starts runs where they will run: created, claimed, started and with the first step recorded in a single Commit. Whoever started
// one is told once what became of that. Nothing new starts above the bounds on live runs and pending bytes (K6), nor in an engine
// that is not open.
import { PawlError } from "../errors/error.ts";
import type { RunRow } from "../store/port.ts";
import type { Committer } from "./committer.ts";
import { newRun, rowOf, type Creation } from "./create.ts";
import type { Definition } from "./definition.ts";
import type { Gate } from "./gate.ts";
import type { Leaving, RunHost } from "./host.ts";
import { LiveRun } from "./live-run.ts";

/** Who started a run, and is told what became of that. */
export interface Starting {
  created(): void;
  conflict(existing: RunRow): void;
  failed(e: unknown): void;
}

interface Around {
  readonly host: RunHost;
  readonly room: Gate;
  readonly committer: Committer;
  isOpen(): boolean;
  /** Makes room where runs only wait. */
  evict(): void;
  /** The run is in memory from now on. */
  live(run: LiveRun): void;
}

export class Starts {
  readonly #around: Around;
  readonly #creating = new Map<LiveRun, Starting>();

  constructor(around: Around) {
    this.#around = around;
  }

  start(definition: Definition, c: Creation, told: Starting): void {
    const { host, room, committer } = this.#around;
    if (!this.#around.isOpen()) return told.failed(notRunning());
    host.learn(definition);
    this.#around.evict();
    const entered = room.enter();
    if (entered === true && !committer.full) this.#now(definition, c, told);
    else this.#whenThereIsRoom(entered, definition, c, told).catch(told.failed);
  }
  async #whenThereIsRoom(entered: true | Promise<true>, definition: Definition, c: Creation, told: Starting): Promise<void> {
    const { room, committer } = this.#around;
    await entered;
    while (committer.full) await committer.emptier();
    if (this.#around.isOpen()) return this.#now(definition, c, told);
    room.leave();
    throw notRunning();
  }
  #now(definition: Definition, c: Creation, told: Starting): void {
    const { host } = this.#around;
    const fence = { epoch: 1, token: host.platform.randomHex(16) };
    const create = newRun(host.scope, c, host.engineId(), fence);
    const run = new LiveRun({
      host,
      row: rowOf(create, c.runId, host.storeNowMs()),
      definition,
      history: null,
      line: null,
      continued: false,
      inbox: [],
      create,
      input: c.input,
      onCreated: () => {
        this.#creating.delete(run);
        host.metrics.add("pawl_runs_started_total");
        told.created();
      },
    });
    this.#creating.set(run, told);
    this.#around.live(run);
    run.begin();
  }

  /** A run left memory: one that was not created yet will not be, as far as anybody here knows. */
  left(run: LiveRun, why: Leaving): void {
    const told = this.#creating.get(run);
    if (told === undefined) return;
    this.#creating.delete(run);
    if (why.kind === "conflict") told.conflict(why.answer.existing);
    else told.failed(notCreated());
  }
}

export function notCreated(): PawlError {
  return new PawlError("PAWL3002", "the run was not created", { outcome: "unknown" });
}

function notRunning(): PawlError {
  return new PawlError("PAWL5003", "the engine is not running");
}
