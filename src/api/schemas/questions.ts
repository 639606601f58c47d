// Schemas of questions to a person and of their answers, tied to their public types.
// It must never check an answer's value: only the run's code can.
import { z } from "zod";
import type { Answered, OpenQuestion, QuestionView } from "../types/questions.ts";
import { count, exact, id, maybe, textList, time } from "./exact.ts";

const jsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);
const said = {
  stepId: z.string(),
  name: z.string(),
  data: maybe(z.unknown()),
  from: maybe(textList),
  notBy: maybe(textList),
  votes: maybe(count),
  answered: maybe(textList),
  schema: maybe(jsonSchema),
  expiresAt: maybe(time),
  hidden: maybe(textList),
};
export const questionViewSchema: z.ZodType<QuestionView> = exact<QuestionView>()(z.strictObject(said));

export const openQuestionSchema: z.ZodType<OpenQuestion> = exact<OpenQuestion>()(
  z.strictObject({
    ...said,
    questionId: z.string(),
    runId: id,
    workflowId: id,
    workflow: z.string(),
    kind: z.enum(["question", "approval", "interrupt"]),
    text: z.string(),
    askedAt: time,
  }),
);

export const answeredSchema: z.ZodType<Answered> = exact<Answered>()(
  z.strictObject({ state: z.enum(["applied", "proposed", "posted"]), replayed: z.boolean() }),
);
