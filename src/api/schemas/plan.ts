// Schemas of plans and templates, each tied to its public type. Whether a template is sound is for the verb to say, with its own code and the place
// of what is wrong.
import { z } from "zod";
import { readinessLabels } from "../../events/plan-readiness.ts";
import type { OperationInput, OperationOutput } from "../operation-types.ts";
import type { RunStanding, StepWhy, TemplateView } from "../types/plan.ts";
import { count, exact, id, limit, maybe, reason, textList, time } from "./exact.ts";

const readiness = z.enum(readinessLabels);

export const runStandingSchema: z.ZodType<RunStanding> = exact<RunStanding>()(
  z.strictObject({
    runId: z.string(),
    status: z.enum(["blocked-by-failures", "has-ready-steps", "processing", "all-complete", "waiting-for-dependencies"]),
    counts: z.partialRecord(readiness, count),
    final: z.boolean(),
    alreadyFinal: z.boolean(),
  }),
);
export const stepWhySchema: z.ZodType<StepWhy> = exact<StepWhy>()(
  z.strictObject({
    stepId: z.string(),
    readiness,
    sentence: z.string(),
    quotes: maybe(z.string()),
    hidden: maybe(textList),
    waitsFor: z.array(z.string()),
    since: maybe(time),
    next: maybe(time),
    facts: maybe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  }),
);

const templateMembers = {
  namespace: z.string(),
  name: z.string(),
  version: z.string(),
  digest: z.string(),
  registeredAt: time,
  retired: maybe(z.strictObject({ by: z.string(), reason: z.string() })),
  template: maybe(z.unknown()),
};
export const templateViewSchema: z.ZodType<TemplateView> = exact<TemplateView>()(z.strictObject(templateMembers));
export const putTemplateOutputSchema: z.ZodType<OperationOutput<"templates.put">> = exact<OperationOutput<"templates.put">>()(
  z.strictObject({ ...templateMembers, created: z.boolean() }),
);
export const listTemplatesSchema: z.ZodType<OperationInput<"templates.list">> = exact<OperationInput<"templates.list">>()(
  z.strictObject({ namespace: maybe(id), limit: maybe(limit), cursor: maybe(z.string()) }),
);
export const getTemplateSchema: z.ZodType<OperationInput<"templates.get">> = exact<OperationInput<"templates.get">>()(
  z.strictObject({ namespace: id, name: id, version: maybe(id) }),
);
export const retireTemplateSchema: z.ZodType<OperationInput<"templates.retire">> = exact<OperationInput<"templates.retire">>()(
  z.strictObject({ namespace: id, name: id, version: id, by: maybe(id), reason }),
);
