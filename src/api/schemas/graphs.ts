// Schemas of what is read of a graph: where it stood after a superstep, and its recorded calls. Tied to their types.
// Values are the author's: they are passed on as they are, never checked here.
import { z } from "zod";
import type { RecordedIO, Standpoint } from "../../events/graph-log.ts";
import type { StreamPart } from "../../tools/models.ts";
import type { ForkInput, NextInput } from "../operation-types.ts";
import type { Forked, ForkPlan } from "../types/fork.ts";
import type { NextTurn } from "../types/next.ts";
import type { GraphStreamItem, GraphStreamMode } from "../types/graph-stream.ts";
import { count, exact, id, maybe, reason, textList, time } from "./exact.ts";
import { openQuestionSchema } from "./questions.ts";
import { plannedStepSchema, runStatusSchema } from "./run.ts";

export const standpointSchema: z.ZodType<Standpoint> = exact<Standpoint>()(
  z.strictObject({
    superstep: count,
    label: maybe(z.string()),
    key: z.string(),
    at: time,
    runSeq: count,
    values: z.record(z.string(), z.unknown()),
    items: z.array(
      z.strictObject({
        node: z.string(),
        item: z.string(),
        ok: z.boolean(),
        update: maybe(z.unknown()),
        failure: maybe(z.strictObject({ code: z.string(), message: z.string() })),
        route: textList,
      }),
    ),
    next: z.array(z.strictObject({ node: z.string(), item: z.string(), orderKey: z.string(), input: maybe(z.unknown()) })),
  }),
);

export const recordedIoSchema: z.ZodType<RecordedIO> = exact<RecordedIO>()(
  z.strictObject({
    node: z.string(),
    item: z.string(),
    stepId: z.string(),
    attempt: count,
    request: maybe(z.unknown()),
    response: maybe(z.unknown()),
    error: maybe(z.strictObject({ category: z.string(), message: z.string() })),
    hash: z.string(),
    at: time,
    durationMs: z.number(),
  }),
);

export const streamModeSchema: z.ZodType<GraphStreamMode> = z.enum(["updates", "values", "questions", "tokens", "custom"]);

const streamPartSchema: z.ZodType<StreamPart> = exact<StreamPart>()(
  z.union([
    z.strictObject({ type: z.enum(["text", "reasoning"]), id: z.string(), delta: z.string() }),
    z.strictObject({ type: z.literal("tool-input"), id: z.string(), tool: z.string(), delta: z.string() }),
  ]),
);

export const streamItemSchema: z.ZodType<GraphStreamItem> = exact<GraphStreamItem>()(
  z.discriminatedUnion("mode", [
    z.strictObject({
      mode: z.literal("updates"),
      superstep: count,
      node: z.string(),
      item: z.string(),
      update: maybe(z.record(z.string(), z.unknown())),
      failure: maybe(z.strictObject({ code: z.string(), message: z.string() })),
    }),
    z.strictObject({ mode: z.literal("values"), superstep: count, key: z.string(), values: z.record(z.string(), z.unknown()) }),
    z.strictObject({ mode: z.literal("questions"), superstep: count, state: z.enum(["asked", "closed"]), question: openQuestionSchema }),
    z.strictObject({ mode: z.literal("tokens"), runId: id, stepId: z.string(), attempt: count, part: streamPartSchema }),
    z.strictObject({ mode: z.literal("reset"), runId: id, stepId: z.string(), attempt: count }),
    z.strictObject({
      mode: z.literal("custom"),
      runId: id,
      item: maybe(z.string()),
      stepId: maybe(z.string()),
      attempt: maybe(count),
      value: z.unknown(),
    }),
    z.strictObject({ mode: z.literal("end"), status: runStatusSchema }),
  ]),
);

const forkEffects = z.enum(["adopt", "new"]);
export const forkInputSchema: z.ZodType<ForkInput> = exact<ForkInput>()(
  z.strictObject({
    id,
    newId: maybe(id),
    at: maybe(count),
    label: maybe(id),
    update: maybe(z.record(z.string(), z.unknown())),
    effects: maybe(forkEffects),
    by: maybe(id),
    reason: maybe(reason),
    dryRun: maybe(z.boolean()),
  }),
);
export const nextInputSchema: z.ZodType<NextInput> = exact<NextInput>()(
  z.strictObject({ id, input: z.unknown().optional(), requestId: maybe(z.string()) }),
);
export const nextAnswerSchema: z.ZodType<NextTurn> = exact<NextTurn>()(
  z.strictObject({ runId: id, workflowId: id, after: z.strictObject({ runId: id, superstep: count }), replayed: z.boolean() }),
);
export const forkAnswerSchema: z.ZodType<Forked | ForkPlan> = exact<Forked | ForkPlan>()(
  z.union([
    z.strictObject({ runId: id, workflowId: id, superstep: count, replayed: z.boolean() }),
    z.strictObject({
      dryRun: z.literal(true),
      runId: id,
      workflowId: id,
      superstep: count,
      key: z.string(),
      effects: forkEffects,
      next: z.array(z.strictObject({ node: z.string(), item: z.string() })),
      steps: z.array(plannedStepSchema),
    }),
  ]),
);
