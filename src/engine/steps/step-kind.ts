// What the engine asks of a kind of step. Each kind is one file in this folder and one line in kinds.ts; what follows from the kind
// alone, without code, is in core/step-kind-facts.ts. A kind holds no state: that of a step is in its OpenStep.
import type { Waiting } from "../../core/model.ts";
import type { StepStartedPayload } from "../../events/payload.ts";
import type { Notice } from "../../store/port.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { abandonStep } from "./abandon.ts";
import type { UndoPlan } from "./compensation-plan.ts";
import type { OpenStep } from "./open-step.ts";

/** closed: its failure is recorded · open: it ends by itself · retried: its next attempt comes before anything else is closed */
export type Closing = "closed" | "open" | "retried";

/** `B`: what the author gave for a step of this kind. */
export interface StepKind<B = unknown> {
  /** It does something outside the log: its run is at work, not waiting. */
  readonly actsOutside: boolean;
  /** What a run with such a step open waits for; null: for nothing that has a name. */
  readonly waiting: Waiting | null;
  /** Opened, live or on replay: the mailbox learns what it waits for. */
  open(r: LiveRun, step: OpenStep<B>): void;
  /** Opened live; its start is in the draft. */
  started(r: LiveRun, step: OpenStep<B>): void;
  /** Its start is acknowledged: it goes to work, or begins to wait (K14). */
  dispatch(r: LiveRun, step: OpenStep<B>): void;
  /** The child that goes with its start exists, or its id was taken (K9). */
  childCreated(r: LiveRun, step: OpenStep<B>, created: boolean): void;
  /** An earlier owner started it, and the record has no outcome. */
  resume(r: LiveRun, step: OpenStep<B>, past: RecordedStep): void;
  /** Its due time, `notBefore`, has come. */
  fire(r: LiveRun, step: OpenStep<B>, notBefore: number): void;
  /** Its run is ending (K19). */
  close(r: LiveRun, step: OpenStep<B>): Closing;
  /** What the run tells others when it is terminated while such a step is open. Asked without code, too. */
  terminateNotices(r: LiveRun, stepId: string, started: StepStartedPayload): readonly Notice[] | undefined;
  /** How often it looks for what it waits for; null: it is woken. */
  pollMs(step: OpenStep<B>): number | null;
  /** It does something that the code should have awaited. */
  mattersUnawaited(step: OpenStep<B>): boolean;
  /** Its author said how it is undone when the run fails or is cancelled. */
  hasCompensation(step: OpenStep<B>): boolean;
  /** How it is undone, from its recorded result; null: it is not. `past`: an earlier owner's record of that compensation. */
  undoPlan(step: OpenStep<B>, result: string | null, past: RecordedStep | undefined): UndoPlan | null;
}

/** A step that waits for something: time, a message, another run. */
export abstract class WaitingKind<B> implements StepKind<B> {
  readonly actsOutside = false;
  abstract readonly waiting: Waiting | null;

  open(_r: LiveRun, _step: OpenStep<B>): void {}
  started(_r: LiveRun, _step: OpenStep<B>): void {}
  dispatch(_r: LiveRun, step: OpenStep<B>): void {
    step.state = "waiting";
  }
  childCreated(_r: LiveRun, _step: OpenStep<B>, _created: boolean): void {}
  resume(_r: LiveRun, step: OpenStep<B>, _past: RecordedStep): void {
    step.state = "waiting";
  }
  fire(_r: LiveRun, _step: OpenStep<B>, _notBefore: number): void {}
  close(r: LiveRun, step: OpenStep<B>): Closing {
    return abandonStep(r, step);
  }
  terminateNotices(_r: LiveRun, _stepId: string, _started: StepStartedPayload): readonly Notice[] | undefined {
    return undefined;
  }
  pollMs(_step: OpenStep<B>): number | null {
    return null;
  }
  mattersUnawaited(_step: OpenStep<B>): boolean {
    return false;
  }
  hasCompensation(_step: OpenStep<B>): boolean {
    return false;
  }
  undoPlan(_step: OpenStep<B>, _result: string | null, _past: RecordedStep | undefined): UndoPlan | null {
    return null;
  }
}
