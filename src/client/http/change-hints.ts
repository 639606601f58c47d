// Hints that something may have changed, over HTTP: one stream of events for each run that somebody waits for, and one of changes for those who wait
// for any. A stream stays open between waits that follow each other, and is closed a while after the last one. A hint is only that: what cannot be
// streamed ends with its time limit, and nothing here ever rejects.
import type { HttpCaller } from "./call.ts";
import { followRun, watchRuns } from "./follow.ts";

/** A line that nobody waits on is kept so long: most who wait look, and wait again. */
const idleMs = 5_000;
/** Where no stream can be had, for lack of a scope or of room, who waits looks for itself so often. */
const withoutStreamMs = 500;

interface HintLine {
  readonly waiters: Set<() => void>;
  readonly ending: AbortController;
  /** Counts waits: a line is idle when none came for a while. */
  uses: number;
  failed: boolean;
}

export class ChangeHints {
  readonly #caller: HttpCaller;
  readonly #lines = new Map<string | undefined, HintLine>();

  constructor(caller: HttpCaller) {
    this.#caller = caller;
  }

  /** Resolves at the next change of this run (of any, if undefined), after `timeoutMs`, or when the client is closed. */
  async wait(id: string | undefined, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const { web, closed } = this.#caller.target;
    const line = this.#lines.get(id) ?? this.#open(id);
    line.uses++;
    const over = new AbortController();
    const wake = (): void => over.abort();
    line.waiters.add(wake);
    const until = AbortSignal.any([closed, over.signal, ...(signal === undefined ? [] : [signal])]);
    try {
      await web.sleep(line.failed ? Math.min(withoutStreamMs, timeoutMs) : timeoutMs, until);
    } catch {
      // woken, or given up
    } finally {
      line.waiters.delete(wake);
      if (line.waiters.size === 0) void this.#closeIfIdle(id, line);
    }
  }

  #open(id: string | undefined): HintLine {
    const line: HintLine = { waiters: new Set(), ending: new AbortController(), uses: 0, failed: false };
    this.#lines.set(id, line);
    void this.#read(id, line)
      .catch(() => (line.failed = true))
      .finally(() => wakeAll(line));
    return line;
  }

  async #read(id: string | undefined, line: HintLine): Promise<void> {
    const { signal } = line.ending;
    // The first item says that the line is open: what came before it has to be looked for.
    if (id === undefined) for await (const _ of watchRuns(this.#caller, {}, { signal })) wakeAll(line);
    else {
      const { runId, headSeq } = await this.#caller.call("runs.get", { id });
      for await (const _ of followRun(this.#caller, id, { run: runId, after: headSeq, payloads: "none", signal })) wakeAll(line);
      line.failed = true; // a run that has ended changes no more; its followers look at their own pace
    }
  }

  async #closeIfIdle(id: string | undefined, line: HintLine): Promise<void> {
    const { uses } = line;
    const { web, closed } = this.#caller.target;
    await web.sleep(idleMs, AbortSignal.any([closed, line.ending.signal])).catch(() => {});
    if (line.waiters.size > 0 || line.uses !== uses) return;
    if (this.#lines.get(id) === line) this.#lines.delete(id);
    line.ending.abort();
  }
}

function wakeAll(line: HintLine): void {
  for (const wake of line.waiters) wake();
}
