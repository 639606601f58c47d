// A question to a person, as it is recorded with its step's start, and who may answer it. Pure: whether somebody is who they say is decided in
// access/ and server/; here a name is compared with names.
import type { JsonSchema } from "./json-schema.ts";

export interface QuestionData {
  /** What the person reads. */
  readonly text: string;
  /** Plain JSON: what else they need in order to decide. */
  readonly data?: unknown;
  /** Who may answer; absent: anybody. */
  readonly from?: readonly string[];
  /** Who may not answer. */
  readonly notBy?: readonly string[];
  /** How many different people must answer; absent: one. */
  readonly votes?: number;
  /** What an answer must be, as far as JSON Schema can say it. The run's own code decides. */
  readonly schema?: JsonSchema;
  /** Asked by a graph between two supersteps, not by its code. */
  readonly interrupt?: true;
}

/** Why `by` may not answer; undefined: they may. `answered`: who has voted already. */
export function answerRefusal(q: Pick<QuestionData, "from" | "notBy">, by: string, answered: readonly string[]): string | undefined {
  if (q.from !== undefined && !q.from.includes(by)) return `${by} may not answer: the question is for ${q.from.join(", ")}`;
  if (q.notBy?.includes(by) === true) return `${by} may not answer: somebody else must`;
  if (answered.includes(by)) return `${by} has answered already: another person must answer too`;
  return undefined;
}
