// What steps say while they run, for those who listen in the owner's process: a model's tokens, a tool's progress. It is provisional, of one attempt, and
// never stored. A late listener gets what the open attempt has said so far; a new attempt makes all of that void. Nobody waits for a listener.

/** Of one step's attempt. `reset`: a new attempt began, and what earlier ones said is void. */
export type Streamed =
  | { readonly type: "value"; readonly stepId: string; readonly attempt: number; readonly value: unknown }
  | { readonly type: "reset"; readonly stepId: string; readonly attempt: number };
type Listener = (s: Streamed) => void;

/** More than this of one attempt is not kept for late listeners; they learn its end from the log. */
const keptBytesMax = 256 * 1024;

interface OpenAttempt {
  readonly attempt: number;
  readonly engine: number;
  /** Null: it said more than is kept. */
  kept: unknown[] | null;
  bytes: number;
}

export class StepStreams {
  readonly #runs = new Map<string, Map<string, OpenAttempt>>();
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Nothing of a step is kept unless it streams. */
  send(runId: string, stepId: string, at: { readonly logical: number; readonly engine: number }, value: unknown): void {
    let steps = this.#runs.get(runId);
    if (steps === undefined) this.#runs.set(runId, (steps = new Map()));
    let open = steps.get(stepId);
    if (open === undefined || open.attempt !== at.logical || open.engine !== at.engine) {
      open = { attempt: at.logical, engine: at.engine, kept: [], bytes: 0 };
      steps.set(stepId, open);
      if (at.logical > 1 || at.engine > 1) this.#tell(runId, { type: "reset", stepId, attempt: at.logical });
    }
    keep(open, value);
    this.#tell(runId, { type: "value", stepId, attempt: at.logical, value });
  }

  /** The attempt is over: its outcome is in the log, or will be. */
  end(runId: string, stepId: string): void {
    const steps = this.#runs.get(runId);
    steps?.delete(stepId);
    if (steps?.size === 0) this.#runs.delete(runId);
  }

  /** Calls back with what open attempts have said so far, then with all that follows. Returns the end of listening. */
  listen(runId: string, listener: Listener): () => void {
    for (const [stepId, { attempt, kept }] of this.#runs.get(runId) ?? [])
      for (const value of kept ?? []) call(listener, { type: "value", stepId, attempt, value });
    let all = this.#listeners.get(runId);
    if (all === undefined) this.#listeners.set(runId, (all = new Set()));
    all.add(listener);
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(runId) === all) this.#listeners.delete(runId);
    };
  }

  #tell(runId: string, s: Streamed): void {
    for (const listener of this.#listeners.get(runId) ?? []) call(listener, s);
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

/** Pieces of one text become one piece. */
function keep(open: OpenAttempt, value: unknown): void {
  if (open.kept === null) return;
  open.bytes += (JSON.stringify(value) ?? "").length;
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
