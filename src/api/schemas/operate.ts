// Schemas of operating: controls, counts, timelines, batches, workflows, checks of a run, tokens and the audit log. Each is tied to its public
// type. It must never have a member for a secret but in the one answer that hands it out.
import { z } from "zod";
import { accessRoles, accessScopes, principalKinds, type Principal } from "../../core/principal.ts";
import type {
  ExplainedEngine,
  AuditQuery,
  AuditRecord,
  BatchView,
  ControlAnswer,
  ControlInput,
  CreatedToken,
  MessageState,
  MeView,
  NewBatch,
  NewToken,
  RunCounts,
  RunGuarantee,
  RunVerification,
  Timeline,
  TokenView,
  WorkflowView,
} from "../types/operate.ts";
import { count, exact, id, maybe, pageQuery, reason, requestId, textList, time, waitSeconds } from "./exact.ts";
import { guaranteeClassSchema, openFilterSchema, runViewSchema, stepKindSchema, stepStatusSchema } from "./run.ts";

const principal = exact<Principal>()(z.strictObject({ kind: z.enum(principalKinds), subject: z.string(), onBehalfOf: maybe(z.string()) }));

export const controlInputSchema: z.ZodType<ControlInput> = exact<ControlInput>()(
  z.strictObject({
    id,
    reason: maybe(reason),
    requestId: maybe(requestId),
    expectHead: maybe(count),
    dryRun: maybe(z.boolean()),
    wait: maybe(waitSeconds),
  }),
);
export const controlAnswerSchema: z.ZodType<ControlAnswer> = exact<ControlAnswer>()(
  z.strictObject({
    state: z.enum(["applied", "posted", "dry-run"]),
    run: runViewSchema,
    requestId: z.string(),
    replayed: z.boolean(),
  }),
);

export const runCountsSchema: z.ZodType<RunCounts> = exact<RunCounts>()(
  z.strictObject({
    max: count,
    byStatus: z.partialRecord(z.enum(["PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"]), count),
    byWorkflow: z.record(z.string(), count),
    byErrorCode: z.record(z.string(), count),
    more: maybe(z.literal(true)),
  }),
);

export const runGuaranteeSchema: z.ZodType<RunGuarantee> = exact<RunGuarantee>()(
  z.strictObject({ runId: id, weakest: guaranteeClassSchema, inDoubt: maybe(z.literal(true)), more: maybe(z.literal(true)) }),
);

export const timelineSchema: z.ZodType<Timeline> = exact<Timeline>()(
  z.strictObject({
    runId: id,
    from: time,
    to: time,
    bars: z.array(
      z.strictObject({
        stepId: z.string(),
        name: z.string(),
        kind: stepKindSchema,
        class: maybe(guaranteeClassSchema),
        status: stepStatusSchema,
        startedAt: time,
        endedAt: maybe(time),
        attempts: count,
        tries: maybe(z.array(z.strictObject({ from: time, to: maybe(time), status: stepStatusSchema }))),
        steps: count,
      }),
    ),
    gaps: z.array(
      z.strictObject({ from: time, to: time, reason: z.enum(["crash", "handover"]), engine: maybe(z.string()), lost: maybe(z.string()) }),
    ),
    plans: maybe(z.array(z.string())),
  }),
);

export const runVerificationSchema: z.ZodType<RunVerification> = exact<RunVerification>()(
  z.strictObject({
    runId: id,
    ok: z.boolean(),
    stepsHash: z.string(),
    eventChainRoot: z.string(),
    ledger: z.strictObject({ ok: z.boolean(), pendingKeys: textList }),
    replay: z.strictObject({ ok: z.boolean(), error: maybe(z.string()) }),
  }),
);

export const messageStatesSchema: z.ZodType<MessageState["state"]> = exact<MessageState["state"]>()(
  z.enum(["accepted", "delivered", "rejected"]),
);
export const messageStateSchema: z.ZodType<MessageState> = exact<MessageState>()(
  z.strictObject({
    state: messageStatesSchema,
    result: maybe(z.unknown()),
    reason: maybe(z.string()),
    answer: maybe(z.unknown()),
    hidden: maybe(textList),
  }),
);

const batchAction = z.enum(["cancel", "pause", "resume", "terminate", "retry"]);
export const newBatchSchema: z.ZodType<NewBatch> = exact<NewBatch>()(
  z.strictObject({
    filter: openFilterSchema,
    action: batchAction,
    reason,
    max: maybe(z.int().min(1)),
    requestId: maybe(requestId),
    dryRun: maybe(z.boolean()),
  }),
);
export const batchViewSchema: z.ZodType<BatchView> = exact<BatchView>()(
  z.strictObject({
    batchId: z.string(),
    action: batchAction,
    filter: openFilterSchema,
    reason: z.string(),
    max: count,
    state: z.enum(["working", "done", "stopped", "dry-run"]),
    createdAt: time,
    by: maybe(principal),
    done: count,
    skipped: count,
    failed: count,
    failures: z.array(z.strictObject({ runId: id, code: z.string(), message: z.string() })),
    replayed: maybe(z.literal(true)),
    sample: maybe(textList),
    matches: maybe(count),
  }),
);

const order = z.strictObject({ since: time, by: maybe(principal), reason: maybe(z.string()) });
export const explainedEngineSchema: z.ZodType<ExplainedEngine> = exact<ExplainedEngine>()(
  z.strictObject({
    engineId: z.string(),
    tenant: maybe(z.string()),
    alive: z.boolean(),
    leaseUntil: time,
    serves: z.array(z.strictObject({ workflow: z.string(), version: z.string() })),
    draining: maybe(order),
  }),
);
export const workflowViewSchema: z.ZodType<WorkflowView> = exact<WorkflowView>()(
  z.strictObject({
    workflow: z.string(),
    versions: z.array(
      z.strictObject({
        version: z.string(),
        served: z.boolean(),
        publishedAt: time,
        input: z.unknown(),
        signals: z.record(z.string(), z.unknown()),
        updates: z.record(z.string(), z.unknown()),
        views: z.record(z.string(), z.unknown()),
        derivesId: z.boolean(),
      }),
    ),
    latest: z.string(),
    served: z.boolean(),
    paused: maybe(order),
  }),
);

const scopes = z.array(z.enum(accessScopes));
const ttlMs = z.int().min(1);
export const newTokenSchema: z.ZodType<NewToken> = exact<NewToken>()(
  z.strictObject({ subject: id, kind: maybe(z.enum(principalKinds)), scopes: scopes.min(1), ttlMs: maybe(ttlMs), queues: maybe(textList) }),
);
const runShare = z.strictObject({ runId: id, allow: z.enum(["read", "views"]) });
export const tokenViewSchema: z.ZodType<TokenView> = exact<TokenView>()(
  z.strictObject({
    tokenId: z.string(),
    kind: z.enum(principalKinds),
    subject: z.string(),
    scopes,
    createdAt: time,
    expiresAt: time,
    createdBy: maybe(z.string()),
    revokedAt: maybe(time),
    run: maybe(runShare),
    queues: maybe(textList),
  }),
);
export const createdTokenSchema: z.ZodType<CreatedToken> = exact<CreatedToken>()(
  z.strictObject({ token: z.string(), view: tokenViewSchema }),
);
type ShareInput = { readonly id: string; readonly allow: "read" | "views"; readonly ttlMs?: number };
export const shareInputSchema: z.ZodType<ShareInput> = exact<ShareInput>()(
  z.strictObject({ id, allow: runShare.shape.allow, ttlMs: maybe(ttlMs) }),
);

export const auditQuerySchema: z.ZodType<AuditQuery> = exact<AuditQuery>()(
  z.strictObject({
    run: maybe(id),
    since: maybe(time),
    until: maybe(time),
    subject: maybe(id),
    id: maybe(id),
    ...pageQuery,
  }),
);
export const auditRecordSchema: z.ZodType<AuditRecord> = exact<AuditRecord>()(
  z.strictObject({
    id: z.string(),
    at: time,
    operation: z.string(),
    decision: z.enum(["granted", "denied"]),
    policyDecisionId: maybe(z.string()),
    principal: maybe(principal),
    role: maybe(z.enum(accessRoles)),
    tokenId: maybe(z.string()),
    runId: maybe(z.string()),
    target: maybe(z.string()),
    reason: maybe(z.string()),
    requestId: maybe(z.string()),
    traceId: maybe(z.string()),
    outcome: maybe(z.strictObject({ at: time, status: z.int(), code: maybe(z.string()) })),
    times: maybe(count),
  }),
);

export const meViewSchema: z.ZodType<MeView> = exact<MeView>()(
  z.strictObject({ principal, tenant: z.string(), scopes, tokenId: maybe(z.string()), expiresAt: maybe(time) }),
);
