// Schemas of effects, decisions and proofs. Each is tied to its public type. An answer to a decision may leave `by` out: it is the caller.
// It must never decide which answers are legal now: that is the verbs' business, and depends on the run.
import { z } from "zod";
import { effectPhases, effectStatuses } from "../../core/model.ts";
import type { RunUsage } from "../../events/usage.ts";
import type { Cause, EffectCause } from "../../events/causes.ts";
import type { EffectProof, Proof } from "../../events/proof.ts";
import type { KeyUse } from "../../events/key-count.ts";
import type { AnswerInput } from "../operation-types.ts";
import type { DecisionView, EffectFilter, EffectView, LegalAnswer, Resolved } from "../types/ledger.ts";
import { count, exact, id, maybe, pageQuery, reason, textList, time } from "./exact.ts";
import { questionViewSchema } from "./questions.ts";
import { guaranteeClassSchema } from "./run.ts";

const effectStatus = z.enum(effectStatuses);
const effectPhase = z.enum(effectPhases);

export const effectViewSchema: z.ZodType<EffectView> = exact<EffectView>()(
  z.strictObject({
    effectId: z.string(),
    version: z.literal(1),
    workflowId: id,
    activityName: z.string(),
    operationId: z.string(),
    idempotencyKey: maybe(z.string()),
    storageKey: z.string(),
    status: effectStatus,
    phase: effectPhase,
    result: maybe(z.unknown()),
    error: maybe(
      z.strictObject({
        category: maybe(z.string()),
        message: maybe(z.string()),
        code: maybe(z.string()),
        reason: maybe(z.string()),
        diagnosis: maybe(z.string()),
      }),
    ),
    createdAt: time,
    updatedAt: time,
    runId: id,
    stepId: z.string(),
    class: guaranteeClassSchema,
    attempts: count,
    engineAttempts: count,
    argsDigest: maybe(z.string()),
    receiver: maybe(z.string()),
    worker: maybe(z.string()),
    durationMs: maybe(count),
    argumentsDiffer: maybe(z.literal(true)),
    hidden: maybe(textList),
  }),
);

export const effectFilterSchema: z.ZodType<EffectFilter> = exact<EffectFilter>()(
  z.strictObject({
    key: maybe(id),
    runId: maybe(id),
    workflowId: maybe(id),
    stepId: maybe(id),
    name: maybe(id),
    receiver: maybe(id),
    worker: maybe(id),
    class: maybe(guaranteeClassSchema),
    status: maybe(effectStatus),
    phase: maybe(effectPhase),
    ...pageQuery,
  }),
);

const legalAnswer = exact<LegalAnswer>()(
  z.strictObject({
    answer: z.enum(["happened", "did-not-happen", "fail", "retry", "accept", "approve", "refuse", "complete", "resolve", "skip", "answer"]),
    consequence: z.string(),
    from: maybe(time),
  }),
);

export const causeSchema: z.ZodType<Cause> = exact<Cause>()(
  z.strictObject({
    runId: id,
    effect: z.strictObject({
      stepId: z.string(),
      tool: z.string(),
      key: maybe(z.string()),
      externalId: maybe(z.string()),
      outcome: z.enum(["open", "completed", "failed", "unknown"]),
      repeatOf: maybe(z.string()),
      inputHash: maybe(z.string()),
      outputHash: maybe(z.string()),
    }),
    by: z.strictObject({ stepId: z.string(), eventId: z.string(), part: count, toolCallId: z.string() }),
    model: z.strictObject({
      id: z.string(),
      provider: z.string(),
      responseId: maybe(z.string()),
      temperature: maybe(z.number()),
      promptHash: z.string(),
      inputTokens: maybe(count),
      outputTokens: maybe(count),
    }),
    tool: z.strictObject({ version: z.string(), schemaHash: z.string() }),
    plan: maybe(z.strictObject({ decisionId: z.string(), planHash: z.string(), version: z.string(), replaces: maybe(z.string()) })),
    approvedBy: maybe(z.string()),
    saw: z.array(z.string()),
  }),
);

const totals = { modelCalls: count, inputTokens: count, outputTokens: count, cost: maybe(z.number()) };
export const runUsageSchema: z.ZodType<RunUsage> = exact<RunUsage>()(
  z.strictObject({
    runId: id,
    ...totals,
    toolCalls: count,
    repeats: count,
    byModel: z.array(z.strictObject({ ...totals, model: z.string(), provider: z.string() })),
  }),
);

export const decisionViewSchema: z.ZodType<DecisionView> = exact<DecisionView>()(
  z.strictObject({
    decisionId: z.string(),
    kind: z.enum(["effect", "compensation", "diverged", "given-up", "confirmation", "approval", "failure", "question"]),
    runId: id,
    workflowId: id,
    workflow: z.string(),
    since: time,
    code: z.string(),
    reason: z.string(),
    quotes: maybe(z.string()),
    hidden: maybe(textList),
    step: maybe(
      z.strictObject({
        stepId: z.string(),
        name: z.string(),
        class: guaranteeClassSchema,
        key: maybe(z.string()),
        attempts: count,
        sends: count,
        firstSentAt: time,
        lastSentAt: time,
      }),
    ),
    approval: maybe(
      z.strictObject({
        stepId: z.string(),
        name: z.string(),
        class: guaranteeClassSchema,
        key: maybe(z.string()),
        receiver: maybe(z.string()),
        input: maybe(z.unknown()),
        argsDigest: maybe(z.string()),
        hidden: maybe(textList),
      }),
    ),
    question: maybe(questionViewSchema),
    unconfirmed: maybe(z.array(z.strictObject({ stepId: z.string(), verifier: z.string(), reason: z.string(), hidden: maybe(textList) }))),
    proposed: maybe(z.strictObject({ by: z.string(), reason: z.string(), answer: z.string() })),
    answered: maybe(z.literal(true)),
    evidence: z.array(count),
    answers: z.array(legalAnswer),
  }),
);

const who = { by: maybe(id), reason };
const yes = z.literal(true);
export const decisionAnswerSchema: z.ZodType<AnswerInput> = exact<AnswerInput>()(
  z.union([
    z.strictObject({ ...who, happened: yes, result: maybe(z.unknown()) }),
    z.strictObject({ ...who, happened: z.literal(false) }),
    z.strictObject({ ...who, fail: yes }),
    z.strictObject({ ...who, retry: yes }),
    z.strictObject({ ...who, accept: yes }),
    z.strictObject({ ...who, approve: yes }),
    z.strictObject({ ...who, refuse: yes }),
    z.strictObject({ ...who, complete: yes, result: maybe(z.unknown()) }),
    z.strictObject({ ...who, resolve: yes }),
    z.strictObject({ ...who, skip: yes }),
  ]),
);

export const resolvedSchema: z.ZodType<Resolved> = exact<Resolved>()(
  z.strictObject({ state: z.enum(["applied", "proposed", "posted"]), replayed: maybe(yes) }),
);

const effectCause = exact<EffectCause>()(
  z.strictObject({
    by: z.strictObject({ stepId: z.string(), eventId: z.string(), part: count, toolCallId: z.string() }),
    model: z.strictObject({ id: z.string(), provider: z.string(), promptHash: z.string() }),
    planHash: maybe(z.string()),
    approvedBy: maybe(z.string()),
  }),
);
const effectVerdict = z.enum(["once", "at-most-once", "at-least-once", "in-doubt", "not-at-all"]);
const effectProof = exact<EffectProof>()(
  z.strictObject({
    runId: id,
    stepId: z.string(),
    name: z.string(),
    class: guaranteeClassSchema,
    key: maybe(z.string()),
    verdict: effectVerdict,
    sentence: z.string(),
    sends: count,
    sentBy: textList,
    orders: maybe(z.array(z.strictObject({ runId: id, by: z.string(), reason: z.string() }))),
    cause: maybe(effectCause),
    events: z.array(count),
    assumptions: z.array(count),
  }),
);
const keyUse = exact<KeyUse>()(
  z.strictObject({
    key: z.string(),
    verdict: effectVerdict,
    sentence: z.string(),
    sends: count,
    operations: count,
    deduplicated: z.boolean(),
    sentBy: textList,
  }),
);
export const proofSchema: z.ZodType<Proof> = exact<Proof>()(
  z.strictObject({
    verdict: z.enum(["once", "at-most-once", "at-least-once", "in-doubt"]),
    sentence: z.string(),
    effects: z.array(effectProof),
    more: maybe(count),
    key: maybe(keyUse),
    assumptions: textList,
  }),
);
