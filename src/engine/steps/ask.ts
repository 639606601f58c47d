// A question to a person: a wait that ends with a person's answer, or past its time limit without one. The start of the step is the question,
// recorded before anybody is asked; its place in the log is the question's id, so that a late answer can never reach another question. Answers are
// taken in decisions/question.ts.
import type { Parse } from "../definition.ts";
import type { AskSpec } from "../calls.ts";
import type { RecordedStep } from "../run/history.ts";
import type { LiveRun } from "../run/live-run.ts";
import { openStep } from "./open.ts";
import type { OpenStep } from "./open-step.ts";
import { WaitingKind } from "./step-kind.ts";
import type { StepStart } from "./step-start.ts";

/** An answer as the code gets it, encoded member by member. */
export interface Vote {
  readonly by: string;
  readonly at: string;
  readonly submissionId: string;
  /** The value after the schema, as the codec encoded it. */
  readonly value: string;
}
export interface AskBody {
  readonly check: Parse;
  /** Answers so far, of a question that needs several. */
  votes: readonly Vote[];
}

class AskKind extends WaitingKind<AskBody> {
  readonly waiting = "decision";

  override resume(_r: LiveRun, step: OpenStep<AskBody>, past: RecordedStep): void {
    step.state = "waiting";
    step.body.votes = past.votes;
  }
  override fire(r: LiveRun, step: OpenStep<AskBody>, notBefore: number): void {
    r.arrive({ type: "completed", step, result: null, timedOut: true, notBefore });
  }
}
export const askKind: AskKind = new AskKind();

export function openQuestion(r: LiveRun, scope: string, name: string, spec: AskSpec): Promise<unknown> {
  const start: StepStart = { kind: "ask", name, ask: spec.question };
  if (spec.timeoutMs !== null) start.delayMs = spec.timeoutMs;
  return openStep(r, askKind, { scope, start, input: null, body: () => ({ check: spec.check, votes: [] }) });
}
