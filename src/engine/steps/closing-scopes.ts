// Parts of a run's code that have ended while steps of theirs are open, such as the loser of a race in a node of a graph: waits are given up, effects
// are awaited. The run itself continues. It must never close a step while the record is replayed: what became of it then is in the record.
import { mayRepeat } from "../../core/guarantee.ts";
import { PawlError } from "../../errors/error.ts";
import { skipNextAttempt } from "../decisions/hold.ts";
import type { LiveRun } from "../run/live-run.ts";
import type { OpenStep } from "./open-step.ts";

export class ClosingScopes {
  readonly #scopes = new Set<string>();

  add(scope: string): void {
    this.#scopes.add(scope);
  }

  /** True: a step was closed. */
  advance(r: LiveRun): boolean {
    if (this.#scopes.size === 0 || r.state.isPaused || r.state.isEnding || !r.hasCode) return false;
    let closed = false;
    for (const scope of this.#scopes) {
      let isOpen = false;
      for (const s of r.steps.all()) {
        if (!s.stepId.startsWith(`${scope}/`)) continue;
        if (closeOne(r, s)) closed = true;
        else isOpen = true;
      }
      if (!isOpen) this.#scopes.delete(scope);
    }
    return closed;
  }
}

/** A wait is given up. An effect is awaited and not tried again; it is stopped only if it may repeat, since stopping says nothing of what it did. */
function closeOne(r: LiveRun, s: OpenStep): boolean {
  if (!s.kind.actsOutside || (s.state === "asked" && !s.mayHaveBeenSent)) return s.kind.close(r, s) === "closed";
  if (s.state === "retrying") {
    skipNextAttempt(r, s, "abandoned");
    return true;
  }
  if (s.isUnwanted) return false;
  s.isUnwanted = true;
  if (s.state === "running" && s.spec !== null && mayRepeat(s.spec.guarantee.class))
    s.abort?.(new PawlError("PAWL1032", "the node that called this step has ended"));
  return false;
}
