// The steps of one group, an each or a batch: opened in order, a bounded number at a time, their results in order. By default all of them
// finish, whatever fails; with failFast nothing more begins after the first failure. The group fails with its first failure.
import { stepComponent } from "../core/step-id.ts";
import type { Calls } from "../engine/calls.ts";
import { StepError } from "../errors/step-errors.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { ResumedGroup, ResumedSteps } from "./built-node.ts";
import type { OpenGate } from "./open-gate.ts";
import { errorOfEnd } from "./recorded-error.ts";

/** Steps of one group that are open at once, at most. */
export const groupOpenMax = 1_000;
/** Names in one event: a group of any size leaves events of a bounded one. */
const namesPerEvent = 1_000;

export interface GroupSteps {
  readonly calls: Calls;
  readonly gate: OpenGate;
  readonly id: string;
  readonly names: readonly string[];
  readonly concurrency: number;
  readonly failFast: boolean;
  readonly open: (index: number) => Promise<unknown>;
  readonly resumed?: ResumedSteps | undefined;
}

/** Records which steps there will be, then runs them. */
export function runGroup(g: GroupSteps): Promise<unknown[]> {
  const { resumed } = g;
  if (resumed === undefined) recordGroup(g);
  return new Promise((resolve, reject) => {
    const group = new Group(g, resolve, reject);
    if (resumed === undefined) group.fill();
    else group.resume(resumed);
  });
}

function recordGroup({ calls, id, names }: GroupSteps): void {
  const steps = names.map((n) => `${id}/${stepComponent(n, sha256Hex)}`);
  for (let at = 0; at === 0 || at < steps.length; at += namesPerEvent)
    calls.plan(id, { steps: steps.slice(at, at + namesPerEvent), skipped: [] });
}

/** A result that is in the log, and not in memory. */
class Placed {
  readonly seq: number;
  constructor(seq: number) {
    this.seq = seq;
  }
}

class Group implements ResumedGroup {
  readonly #g: GroupSteps;
  readonly #resolve: (results: unknown[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #results: unknown[];
  readonly #max: number;
  #next = 0;
  /** Begun, or waiting at the gate, and not ended. */
  #under = 0;
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;

  constructor(g: GroupSteps, resolve: (results: unknown[]) => void, reject: (error: unknown) => void) {
    this.#g = g;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#results = Array.from({ length: g.names.length });
    this.#max = Math.min(g.concurrency, groupOpenMax);
  }

  /** Where the log left it. Items begin in their order, so those that were started come first. */
  resume(resumed: ResumedSteps): void {
    const { names, id, gate } = this.#g;
    let failedAt = Number.POSITIVE_INFINITY;
    for (let i = 0; i < names.length; i++) {
      const stepId = `${id}/${stepComponent(names[i]!, sha256Hex)}`;
      const step = resumed.step(stepId);
      if (step === undefined) break;
      this.#next = i + 1;
      if (step.end === "-") {
        this.#under++;
        gate.enter(() => resumed.again(stepId, () => this.#begin(i, true)));
      } else if (step.end === "c") this.#results[i] = new Placed(step.seq);
      else if (step.end === "f" && step.seq < failedAt) {
        failedAt = step.seq;
        this.#failure = { error: errorOfEnd(names[i]!, resumed.result(step.seq)) };
      }
    }
    resumed.onGroup(this);
  }
  get mayEnd(): boolean {
    return this.#under <= 1 && (this.#next >= this.#g.names.length || this.#g.failFast);
  }
  get places(): readonly number[] {
    return this.#results.flatMap((r) => (r instanceof Placed ? [r.seq] : []));
  }
  #valueOf(result: unknown): unknown {
    if (!(result instanceof Placed)) return result;
    const end = this.#g.resumed!.result(result.seq);
    return end.ok ? end.value : undefined;
  }

  fill(): void {
    const { names, gate, calls, failFast } = this.#g;
    const total = names.length;
    while (this.#under < this.#max && this.#next < total) {
      if ((failFast && this.#failure !== null) || calls.isEnding) break;
      const i = this.#next++;
      this.#under++;
      gate.enter(() => this.#begin(i));
    }
    if (this.#under > 0 || this.#isOver) return;
    this.#isOver = true;
    if (this.#failure === null) this.#resolve(this.#results.map((r) => this.#valueOf(r)));
    else this.#reject(this.#failure.error);
  }

  /** `isOpen`: it has begun already. */
  #begin(i: number, isOpen = false): void {
    const { open, gate, calls, failFast } = this.#g;
    const over = (): void => {
      this.#under--;
      gate.leave();
      this.fill();
    };
    // It may have waited at the gate.
    if (!isOpen && ((failFast && this.#failure !== null) || calls.isEnding)) return over();
    open(i).then(
      (value) => {
        this.#results[i] = value;
        over();
      },
      (error: unknown) => {
        // A person skipped this one: it has no result, and the others count.
        if (!(error instanceof StepError) || error.category !== "SKIPPED") this.#failure ??= { error };
        over();
      },
    );
  }
}
