// The children of `pawl dev`: one serves, at most one is loading. New code takes over only when it serves; code that does not load changes
// nothing. A child that dies is replaced by one with the same files. It must never leave a child behind, and never stop the old code first.
import { temporaryDir, joinPath, removePath, fileStamp } from "../../platform/files.ts";
import { startSupervised, type SupervisedEnd, type SupervisedProcess } from "../../platform/supervised-process.ts";
import type { Platform } from "../../platform/platform.ts";
import { devProgram } from "../dev-program.ts";
import { WatchedFiles } from "./changes.ts";
import type { ArmedCrash, DevChildRequest, FromChild, LoadProblem, ToChild } from "./protocol.ts";

export interface DevChild {
  /** Counts the versions of the code, from 1. */
  readonly version: number;
  readonly port: number;
  readonly pid: number;
  readonly workflows: readonly string[];
}

/** What happens, for the part that shows it. */
export interface SupervisorEvents {
  ready(child: DevChild, why: "first" | "changed" | "restarted"): void;
  failed(problem: LoadProblem, serving: boolean): void;
  /** The child that served has died by itself. */
  died(child: DevChild, end: SupervisedEnd): void;
  changed(paths: readonly string[]): void;
}

interface Running {
  readonly process: SupervisedProcess<ToChild>;
  readonly version: number;
  child?: DevChild;
  /** It was asked to end. */
  stopping: boolean;
}

/** How long the old code may finish its steps. */
const graceMs = 2_000;
/** How long it may take to end after that. */
const lateMs = 4_000;
/** Before a child that died is started again: more, each time that it did not even serve. */
const pausesMs = [0, 500, 1_000, 2_000, 5_000];

export class DevSupervisor {
  readonly #o: Omit<DevChildRequest, "report" | "watched">;
  readonly #platform: Platform;
  readonly #events: SupervisorEvents;
  readonly #dir = temporaryDir();
  readonly #files: WatchedFiles;
  readonly #all = new Set<Running>();
  readonly #waiting = new Set<() => void>();
  #serving: Running | undefined;
  #loading: Running | undefined;
  #problem: LoadProblem | null = null;
  #version = 0;
  #deaths = 0;
  #closed = false;
  #armed: ArmedCrash | null = null;
  #watched: readonly string[] = [];

  constructor(o: Omit<DevChildRequest, "report" | "watched">, platform: Platform, events: SupervisorEvents) {
    this.#o = o;
    this.#platform = platform;
    this.#events = events;
    this.#files = new WatchedFiles(platform, (paths) => this.#onChange(paths));
    for (const file of o.files) this.#files.set(file, fileStamp(file));
  }

  /** Steps of watched runs, as the children wrote them down. */
  get report(): string {
    return joinPath(this.#dir, "report");
  }
  get serving(): DevChild | undefined {
    return this.#serving?.child;
  }
  get problem(): LoadProblem | null {
    return this.#problem;
  }
  get files(): readonly string[] {
    return this.#files.paths;
  }

  start(): void {
    this.#load("first");
  }

  /** The child that serves, as soon as there is one; undefined after `ms` without. */
  whenServing(ms: number): Promise<DevChild | undefined> {
    if (this.serving !== undefined) return Promise.resolve(this.serving);
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        resolve(this.serving);
      };
      const cancel = this.#platform.timer(ms, done);
      this.#waiting.add(done);
    });
  }

  /** Where the process is to die next, and whose calls are counted. Later children get it, too. */
  arm(crash: ArmedCrash | null, watched: readonly string[]): void {
    this.#armed = crash;
    this.#watched = watched;
    this.#serving?.process.send({ arm: crash, watched });
  }

  /** SIGKILL to the child that serves. */
  kill(): void {
    this.#serving?.process.kill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#files.close();
    await Promise.all([...this.#all].map((r) => this.#stop(r)));
    removePath(this.#dir);
  }

  #onChange(paths: readonly string[]): void {
    this.#files.reset();
    this.#deaths = 0;
    this.#events.changed(paths);
    this.#load("changed");
  }

  #load(why: "first" | "changed" | "restarted"): void {
    if (this.#loading !== undefined) this.#drop(this.#loading); // it has read files that changed since
    const request: DevChildRequest = { ...this.#o, report: this.report, watched: this.#watched };
    const env = { PAWL_STORE: undefined, PAWL_URL: undefined, PAWL_CRASH: undefined };
    const version = why === "restarted" ? this.#version : ++this.#version;
    const started = startSupervised<ToChild, FromChild>(devProgram, JSON.stringify(request), env, (m) => this.#onMessage(running, m, why));
    const running: Running = { process: started, version, stopping: false };
    this.#all.add(running);
    this.#loading = running;
    void started.ended.then((end) => this.#onEnd(running, end, why));
  }

  #onMessage(r: Running, m: FromChild, why: "first" | "changed" | "restarted"): void {
    if (r.stopping) return;
    if ("imported" in m) return this.#files.set(m.imported, m.stamp);
    if ("failed" in m) return this.#onFailed(r, m.failed);
    if (!("ready" in m) || this.#closed) return;
    const old = this.#serving;
    r.child = { version: r.version, pid: r.process.pid, ...m.ready };
    this.#serving = r;
    if (this.#loading === r) this.#loading = undefined;
    this.#problem = null;
    if (this.#armed !== null) r.process.send({ arm: this.#armed, watched: this.#watched });
    this.#events.ready(r.child, why);
    for (const wake of this.#waiting) wake();
    if (old !== undefined) void this.#stop(old);
  }

  #onFailed(r: Running, problem: LoadProblem): void {
    if (this.#loading === r) this.#loading = undefined;
    r.stopping = true;
    this.#problem = problem;
    this.#events.failed(problem, this.#serving !== undefined);
  }

  #onEnd(r: Running, end: SupervisedEnd, why: "first" | "changed" | "restarted"): void {
    this.#all.delete(r);
    const wasServing = this.#serving === r;
    if (wasServing) this.#serving = undefined;
    if (r.stopping || this.#closed) return;
    if (wasServing && r.child !== undefined) {
      this.#events.died(r.child, end);
      this.#deaths = 0;
    } else if (this.#loading === r) {
      this.#loading = undefined;
      this.#onFailed(r, silentEnd(end));
      if (why === "changed") return;
    }
    if (this.#loading !== undefined) return; // newer code is on its way
    const pauseMs = pausesMs[Math.min(this.#deaths++, pausesMs.length - 1)] ?? 0;
    this.#platform.timer(pauseMs, () => {
      if (!this.#closed && this.#serving === undefined && this.#loading === undefined) this.#load("restarted");
    });
  }

  #drop(r: Running): void {
    r.stopping = true;
    r.process.kill();
    if (this.#loading === r) this.#loading = undefined;
  }

  /** In order; by force when it does not end. */
  async #stop(r: Running): Promise<void> {
    r.stopping = true;
    if (r.child === undefined) r.process.kill();
    else r.process.send({ stop: { graceMs } });
    const cancel = this.#platform.timer(graceMs + lateMs, () => r.process.kill(), true);
    await r.process.ended;
    cancel();
  }
}

function silentEnd({ code, signal }: SupervisedEnd): LoadProblem {
  return {
    code: "PAWL5005",
    message: `the process ended while it loaded the files (${signal ?? `exit code ${code ?? "unknown"}`})`,
    fix: "Check that the file does not end the process, and what it printed before.",
  };
}
