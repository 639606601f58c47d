// What steps and nodes say while they run, for those who listen in the owner's process: a model's tokens, a tool's progress. It is provisional and never
// stored. A late listener gets what the open attempt of a step has said so far; a new attempt makes all of that void. Nobody waits for a listener.

/**
 * Of one step's attempt: `value`, and `reset` when a new attempt began and what earlier ones said is void. `custom`: what a node of a graph emitted.
 * `runId` is the run's own, or that of a child.
 */
export type Streamed =
  | { readonly type: "value"; readonly runId: string; readonly stepId: string; readonly attempt: number; readonly value: unknown }
  | { readonly type: "reset"; readonly runId: string; readonly stepId: string; readonly attempt: number }
  | { readonly type: "custom"; readonly runId: string; readonly item: string; readonly value: unknown };
type Listener = (s: Streamed) => void;
/** The run that speaks, and the one that called it. */
interface Speaker {
  readonly runId: string;
  readonly parentRunId: string | null;
}

/** More than this of one attempt is not kept for late listeners; they learn its end from the log. */
const keptBytesMax = 256 * 1024;

interface OpenAttempt {
  readonly attempt: number;
  readonly engine: number;
  /** Null: it said more than is kept. */
  kept: unknown[] | null;
  bytes: number;
}

interface SpeakingRun {
  /** Itself, and the runs above it. */
  readonly heardBy: readonly string[];
  readonly steps: Map<string, OpenAttempt>;
}

export class StepStreams {
  readonly #parentOf: (runId: string) => string | null;
  readonly #runs = new Map<string, SpeakingRun>();
  readonly #listeners = new Map<string, Set<Listener>>();

  /** `parentOf`: who called a run, where that is known here; null: nobody, or not known. */
  constructor(parentOf: (runId: string) => string | null = () => null) {
    this.#parentOf = parentOf;
  }

  /** Nothing of a step is kept unless it streams. */
  send(by: Speaker, stepId: string, at: { readonly logical: number; readonly engine: number }, value: unknown): void {
    const { runId } = by;
    let run = this.#runs.get(runId);
    if (run === undefined) this.#runs.set(runId, (run = { heardBy: this.#heardBy(by), steps: new Map() }));
    let open = run.steps.get(stepId);
    if (open === undefined || open.attempt !== at.logical || open.engine !== at.engine) {
      open = { attempt: at.logical, engine: at.engine, kept: [], bytes: 0 };
      run.steps.set(stepId, open);
      if (at.logical > 1 || at.engine > 1) this.#tell(run.heardBy, { type: "reset", runId, stepId, attempt: at.logical });
    }
    keep(open, value);
    this.#tell(run.heardBy, { type: "value", runId, stepId, attempt: at.logical, value });
  }

  /** What a node of a graph says: for those who listen now, and for nobody later. */
  emit(by: Speaker, item: string, value: () => unknown): void {
    const heardBy = this.#listeners.size === 0 ? [] : this.#heardBy(by).filter((id) => this.#listeners.has(id));
    if (heardBy.length > 0) this.#tell(heardBy, { type: "custom", runId: by.runId, item, value: value() });
  }

  /** The attempt is over: its outcome is in the log, or will be. */
  end(runId: string, stepId: string): void {
    const run = this.#runs.get(runId);
    run?.steps.delete(stepId);
    if (run?.steps.size === 0) this.#runs.delete(runId);
  }

  /** Calls back with what open attempts of the run and its children have said so far, then with all that follows. Returns the end of listening. */
  listen(runId: string, listener: Listener): () => void {
    for (const [id, { heardBy, steps }] of this.#runs)
      if (heardBy.includes(runId))
        for (const [stepId, { attempt, kept }] of steps)
          for (const value of kept ?? []) call(listener, { type: "value", runId: id, stepId, attempt, value });
    let all = this.#listeners.get(runId);
    if (all === undefined) this.#listeners.set(runId, (all = new Set()));
    all.add(listener);
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(runId) === all) this.#listeners.delete(runId);
    };
  }

  #heardBy({ runId, parentRunId }: Speaker): string[] {
    const heardBy = [runId];
    for (let above = parentRunId; above !== null; above = this.#parentOf(above)) heardBy.push(above);
    return heardBy;
  }

  #tell(heardBy: readonly string[], s: Streamed): void {
    for (const runId of heardBy) for (const listener of this.#listeners.get(runId) ?? []) call(listener, s);
  }
}

/** What a listener throws is its own affair. */
function call(listener: Listener, s: Streamed): void {
  try {
    listener(s);
  } catch {
    // it listens to what is provisional; the run does not depend on it
  }
}

interface Delta {
  readonly type: unknown;
  readonly id: unknown;
  readonly delta: string;
}

/** About how long it is as JSON. What has no such form is too long to be kept, and no reason for the step to fail. */
export function textLength(value: unknown): number {
  try {
    return (JSON.stringify(value) ?? "").length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Pieces of one text become one piece. */
function keep(open: OpenAttempt, value: unknown): void {
  if (open.kept === null) return;
  open.bytes += textLength(value);
  if (open.bytes > keptBytesMax) {
    open.kept = null;
    return;
  }
  const last = open.kept.at(-1);
  if (isDelta(last) && isDelta(value) && last.type === value.type && last.id === value.id)
    open.kept[open.kept.length - 1] = { ...last, delta: last.delta + value.delta };
  else open.kept.push(value);
}

function isDelta(value: unknown): value is Delta {
  return typeof value === "object" && value !== null && typeof (value as Partial<Delta>).delta === "string";
}
