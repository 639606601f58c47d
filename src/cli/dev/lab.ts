// The crash lab of `pawl dev`: a person names a step of a run and a window, the process dies there by SIGKILL, the supervisor starts another,
// and what the log and the calls say then becomes a cell of the table that `pawl crashtest` prints. Only a supervisor has one: it must never be
// reachable in a server that others rely on.
import type { Client, RunView, StepView } from "../../client/types.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { readText } from "../../platform/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { judgeKill, windows, type CrashCell, type Observed, type Window } from "../../testing/judge-kill.ts";
import { outcomeOfRuns } from "../../testing/run-outcome.ts";
import type { ArmedCrash, DevReportLine } from "./protocol.ts";

/** What each window means, for people. */
export const windowTitles: Readonly<Record<Window, string>> = {
  A: "before the step's start is recorded",
  B: "after that, before its function is called",
  C: "while the function runs",
  D: "after the effect, before its outcome is recorded",
  E: "after the record, before the engine knows of it",
};

export interface CrashTrial {
  readonly trialId: number;
  readonly workflow: string;
  /** The run that dies: the one that was named, or a new one like it. */
  readonly workflowId: string;
  readonly stepId: string;
  readonly window: Window;
  /** armed: not yet passed. killed: the process died there. judged: the cells say what followed. missed: the run ended without passing it. */
  readonly state: "armed" | "killed" | "judged" | "missed" | "withdrawn";
  readonly cells: readonly CrashCell[];
  /** Why its run does not continue now, as `pawl why` says it: what somebody has to do so that the trial ends. */
  readonly waits?: string;
}

export interface LabProcess {
  readonly report: string;
  arm(crash: ArmedCrash | null, watched: readonly string[]): void;
}

interface Ask {
  readonly run: string;
  readonly step: string;
  readonly window: string;
}

const lookMs = 100;
const trialsMax = 200;

export class CrashLab {
  readonly #process: LabProcess;
  readonly #client: Client;
  readonly #platform: Platform;
  readonly #onJudged: (t: CrashTrial) => void;
  readonly #trials: CrashTrial[] = [];
  readonly #watched = new Set<string>();
  #count = 0;
  #closed = false;

  constructor(o: {
    readonly process: LabProcess;
    readonly client: Client;
    readonly platform: Platform;
    readonly onJudged: (t: CrashTrial) => void;
  }) {
    this.#process = o.process;
    this.#client = o.client;
    this.#platform = o.platform;
    this.#onJudged = o.onJudged;
  }

  get trials(): readonly CrashTrial[] {
    return this.#trials;
  }

  close(): void {
    this.#closed = true;
  }

  /** Arms the window and, unless the run itself can still pass it, starts another run like it. */
  async crash(ask: Ask): Promise<CrashTrial> {
    const window = windows.find((w) => w === ask.window.toUpperCase());
    if (window === undefined) throw new PawlError("PAWL4011", `a window is ${windowList()}, not ${JSON.stringify(ask.window)}`);
    const run = await this.#client.get(ask.run);
    if (run === undefined) throw new PawlError("PAWL4001", `there is no run ${ask.run}`, { data: { id: ask.run } });
    const steps = await this.#client.steps(run.runId);
    const known = steps.find((s) => s.stepId === ask.step);
    if (known === undefined && isSettled(run.status))
      throw new PawlError(
        "PAWL4011",
        `${run.workflowId} has no step ${ask.step}; it has ${steps.map((s) => s.stepId).join(", ") || "none"}`,
      );
    const again = isSettled(run.status) || known !== undefined || (window === "A" && steps.some((s) => s.engineAttempts > 1));
    const workflowId = again ? `${run.workflowId}~${ask.step}-${window}-${this.#platform.randomHex(3)}` : run.workflowId;
    const trial = this.#begin({ workflow: run.workflow, workflowId, stepId: ask.step, window });
    this.#process.arm({ workflowId, stepId: ask.step, window }, [...this.#watched]);
    if (again) {
      const input = await startInputOf(this.#client, run);
      // The process may die before it answers: the client asks again, and finds the run by its id.
      const started = this.#client.start({ workflow: run.workflow, id: workflowId, ...(input === undefined ? {} : { input }) });
      this.#follow(trial.trialId, run, started, again);
    } else this.#follow(trial.trialId, run, Promise.resolve(), again);
    return trial;
  }

  #begin(t: Omit<CrashTrial, "trialId" | "state" | "cells">): CrashTrial {
    for (const old of this.#trials)
      if (old.state === "armed")
        this.#set(old.trialId, { state: this.#wasKilled(old, this.#linesOf(old.workflowId)) ? "killed" : "withdrawn" });
    const trial: CrashTrial = { ...t, trialId: ++this.#count, state: "armed", cells: [] };
    this.#trials.push(trial);
    if (this.#trials.length > trialsMax) this.#trials.shift();
    this.#watched.add(t.workflowId);
    return trial;
  }

  #set(trialId: number, change: Partial<CrashTrial>): CrashTrial | undefined {
    const at = this.#trials.findIndex((t) => t.trialId === trialId);
    const old = this.#trials[at];
    if (old === undefined) return undefined;
    return (this.#trials[at] = { ...old, ...change });
  }

  #follow(trialId: number, source: RunView, started: Promise<unknown>, whole: boolean): void {
    started.then(
      () => this.#watch(trialId, source, whole),
      (e: unknown) => {
        if (this.#closed) return; // the lab ended before the run did: that says nothing about the step
        this.#finish(trialId, "missed", [], e instanceof Error ? e.message : String(e));
      },
    );
  }

  /** Until the process has died there and the run stands or has ended. */
  #watch(trialId: number, source: RunView, whole: boolean): void {
    const trial = this.#trials.find((t) => t.trialId === trialId);
    if (this.#closed || trial === undefined || trial.state === "withdrawn") return;
    void this.#look(trial, source, whole)
      .catch(() => false) // the next process is not there yet
      .then((done) => {
        if (!done) this.#platform.timer(lookMs, () => this.#watch(trialId, source, whole));
      });
  }

  async #look(trial: CrashTrial, source: RunView, whole: boolean): Promise<boolean> {
    const run = await this.#client.get(trial.workflowId);
    const lines = this.#linesOf(trial.workflowId); // after the run was looked at: an end without a kill is then an end without one
    const killed = this.#wasKilled(trial, lines);
    if (killed && trial.state === "armed") {
      this.#set(trial.trialId, { state: "killed" });
      this.#disarm(trial);
    }
    if (run === undefined) return false;
    const stands = isSettled(run.status) || run.status === "PAUSED" || run.waiting === "decision";
    const steps = killed ? await this.#client.steps(run.runId) : [];
    // A run that waits for a signal or a time has answered for its step already, and may stand there for days: the step alone is judged.
    const answered = !stands && run.waiting !== undefined && hasEnded(steps.find((s) => s.stepId === trial.stepId));
    if (!stands && !answered) {
      this.#note(trial.trialId, run.waiting === undefined ? undefined : run.because.text);
      return false;
    }
    if (!killed) {
      this.#disarm(trial);
      this.#finish(trial.trialId, "missed", [], undefined);
      return true;
    }
    const seen = await this.#observe(run, lines);
    const plain = plainOf(seen, steps, source, whole && stands ? undefined : trial.stepId);
    const kill = { step: trial.stepId, window: trial.window, nth: 1 };
    this.#finish(trial.trialId, "judged", judgeKill(kill, plain, stands ? seen : { ...seen, end: plain.end }, {}), undefined);
    return true;
  }

  #note(trialId: number, waits: string | undefined): void {
    const { waits: _, ...trial } = this.#trials.find((t) => t.trialId === trialId)!;
    const at = this.#trials.findIndex((t) => t.trialId === trialId);
    this.#trials[at] = waits === undefined ? trial : { ...trial, waits };
  }

  #finish(trialId: number, state: "judged" | "missed", cells: readonly CrashCell[], why: string | undefined): void {
    const trial = this.#trials.find((t) => t.trialId === trialId);
    if (trial === undefined) return;
    const missed: CrashCell = {
      step: trial.stepId,
      window: trial.window,
      effect: trial.stepId,
      cause: trial.stepId,
      count: 0,
      allowed: "a kill",
      ok: false,
      end: "COMPLETED",
      why: why ?? "the run did not pass this point",
    };
    const done = this.#set(trialId, { state, cells: state === "missed" ? [missed] : cells });
    if (done !== undefined) this.#onJudged(done);
  }

  #wasKilled({ stepId, window }: CrashTrial, lines: readonly DevReportLine[]): boolean {
    return lines.some((l) => "killed" in l && l.killed === `${stepId}:${window}`);
  }

  /** Unless another trial is armed by now. */
  #disarm(trial: CrashTrial): void {
    if (this.#trials.at(-1)?.trialId === trial.trialId) this.#process.arm(null, [...this.#watched]);
  }

  #linesOf(workflowId: string): readonly DevReportLine[] {
    return (readText(this.#process.report) ?? "")
      .split("\n")
      .filter((l) => l !== "")
      .map((l) => JSON.parse(l) as DevReportLine)
      .filter((l) => l.workflowId === workflowId);
  }

  async #observe(run: RunView, report: readonly DevReportLine[]): Promise<Observed> {
    const calls = new Map<string, number>();
    const places = new Map<string, string>();
    for (const l of report) {
      if ("begun" in l) calls.set(l.begun, (calls.get(l.begun) ?? 0) + 1);
      if ("called" in l && !places.has(l.called)) places.set(l.called, l.line);
    }
    return { ...(await outcomeOfRuns(this.#client, run, [run], places)), calls, effects: new Map() };
  }
}

function hasEnded(step: StepView | undefined): boolean {
  return step !== undefined && (step.status === "SUCCESS" || step.status === "FAILED" || step.status === "SKIPPED");
}

/** The run as it would have been without a kill: each attempt called once. `only`: of a run that was watched too late, this step alone. */
function plainOf(seen: Observed, steps: readonly StepView[], source: RunView, only: string | undefined): Observed {
  const counted = steps.filter((s) => only === undefined || s.stepId === only);
  return {
    ...seen,
    end: isSettled(source.status) ? (source.status as Observed["end"]) : "COMPLETED",
    doubts: new Set(),
    calls: new Map(counted.map((s) => [s.stepId, s.attempts])),
    outcomes: new Map(counted.map((s) => [s.stepId, 1])),
    steps: new Map([...seen.steps].filter(([stepId]) => counted.some((s) => s.stepId === stepId))),
  };
}

export async function startInputOf(client: Client, run: RunView): Promise<unknown> {
  const [first] = await client.events(run.runId, { limit: 1 });
  return (first?.payload as { readonly input?: unknown } | null | undefined)?.input;
}

export function windowList(): string {
  return windows.map((w) => `${w} (${windowTitles[w]})`).join(", ");
}
