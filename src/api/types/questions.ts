// The public shapes of questions to a person and of their answers: the same in process and over HTTP.
// Types only; what must not be seen outside is simply not here.
import type { JsonSchema } from "../../core/json-schema.ts";
import type { Hidden } from "./run.ts";

/** What a question says, beside its text. */
export interface QuestionView {
  readonly stepId: string;
  readonly name: string;
  /** What the person needs in order to decide, as data. */
  readonly data?: unknown;
  /** Who may answer, and who may not; absent: anybody. */
  readonly from?: readonly string[];
  readonly notBy?: readonly string[];
  /** How many different people must answer, and who has. */
  readonly votes?: number;
  readonly answered?: readonly string[];
  /** What an answer must be, as far as JSON Schema can say it. */
  readonly schema?: JsonSchema;
  /** Then it ends without an answer. */
  readonly expiresAt?: string;
  readonly hidden?: Hidden;
}

/**
 * A question that waits for a person: one that the run's code asks, a step that needs approval, which is answered with true or false, or a stop of a
 * graph between two supersteps (interrupt), which is answered with true.
 */
export interface OpenQuestion extends QuestionView {
  /** Names the run and the event that asked, so a late answer can never reach another question. */
  readonly questionId: string;
  /** May be a child run's. */
  readonly runId: string;
  readonly workflowId: string;
  readonly workflow: string;
  readonly kind: "question" | "approval" | "interrupt";
  readonly text: string;
  readonly askedAt: string;
}

export interface AnswerOptions {
  /** Who answers. A server takes the caller that it has authenticated. */
  readonly by?: string;
  /** The same submission again gets the same reply. Absent: the same value from the same person is the same submission. */
  readonly submissionId?: string;
  readonly reason?: string;
  /** How long to wait for the run's engine; 5 seconds unless given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Answered {
  /** applied: the run continues with it. proposed: more people must answer. posted: durable, and no engine has taken it yet. */
  readonly state: "applied" | "proposed" | "posted";
  /** This submission had been given before: nothing was written now. */
  readonly replayed: boolean;
}
