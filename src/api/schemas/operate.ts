// Schemas of operating: controls, counts, timelines, batches, workflows, checks of a run, tokens and the audit log. Each is tied to its public
// type. It must never have a member for a secret but in the one answer that hands it out.
import { z } from "zod";
import { accessRoles, accessScopes, principalKinds, type Principal } from "../../core/principal.ts";
import type {
  AuditQuery,
  AuditRecord,
  BatchView,
  ControlAnswer,
  ControlRequest,
  CreatedToken,
  MessageState,
  MeView,
  NewBatch,
  NewToken,
  RunCounts,
  RunVerification,
  Timeline,
  TokenView,
  WorkflowView,
} from "../types/operate.ts";
import { count, exact, id, maybe, pageQuery, reason, requestId, texts, time } from "./exact.ts";
import { guaranteeClass, openFilter, runStatus, runView, stepKind, stepStatus } from "./run.ts";

const principal = exact<Principal>()(
  z.strictObject({ kind: z.enum(principalKinds), subject: z.string(), onBehalfOf: maybe(z.string()) }),
);

type ControlInput = { readonly id: string } & ControlRequest;
export const controlInput: z.ZodType<ControlInput> = exact<ControlInput>()(
  z.strictObject({
    id,
    reason: maybe(reason),
    requestId: maybe(requestId),
    expectHead: maybe(count),
    dryRun: maybe(z.boolean()),
  }),
);
export const controlAnswer: z.ZodType<ControlAnswer> = exact<ControlAnswer>()(
  z.strictObject({
    state: z.enum(["applied", "posted", "dry-run"]),
    run: runView,
    requestId: z.string(),
    replayed: z.boolean(),
  }),
);

export const runCounts: z.ZodType<RunCounts> = exact<RunCounts>()(
  z.strictObject({
    max: count,
    byStatus: z.partialRecord(z.enum(["PENDING", "RUNNING", "PAUSED", "COMPLETED", "FAILED", "CANCELLED"]), count),
    byWorkflow: z.record(z.string(), count),
    byErrorCode: z.record(z.string(), count),
    more: maybe(z.literal(true)),
  }),
);

export const timeline: z.ZodType<Timeline> = exact<Timeline>()(
  z.strictObject({
    runId: id,
    from: time,
    to: time,
    bars: z.array(
      z.strictObject({
        stepId: z.string(),
        name: z.string(),
        kind: stepKind,
        class: maybe(guaranteeClass),
        status: stepStatus,
        startedAt: time,
        endedAt: maybe(time),
        attempts: count,
        steps: count,
      }),
    ),
    gaps: z.array(z.strictObject({ from: time, to: time, reason: z.enum(["crash", "handover"]), engine: maybe(z.string()) })),
  }),
);

export const runVerification: z.ZodType<RunVerification> = exact<RunVerification>()(
  z.strictObject({
    runId: id,
    ok: z.boolean(),
    stepsHash: z.string(),
    eventChainRoot: z.string(),
    ledger: z.strictObject({ ok: z.boolean(), pendingKeys: texts }),
    replay: z.strictObject({ ok: z.boolean(), error: maybe(z.string()) }),
  }),
);

export const messageStates: z.ZodType<MessageState["state"]> = exact<MessageState["state"]>()(
  z.enum(["accepted", "delivered", "rejected"]),
);
export const messageState: z.ZodType<MessageState> = exact<MessageState>()(
  z.strictObject({ state: messageStates, result: z.unknown(), reason: maybe(z.string()), answer: maybe(z.unknown()) }),
);

const batchAction = z.enum(["cancel", "pause", "resume", "terminate", "retry"]);
export const newBatch: z.ZodType<NewBatch> = exact<NewBatch>()(
  z.strictObject({
    filter: openFilter,
    action: batchAction,
    reason,
    max: maybe(z.int().min(1)),
    requestId: maybe(requestId),
    dryRun: maybe(z.boolean()),
  }),
);
export const batchView: z.ZodType<BatchView> = exact<BatchView>()(
  z.strictObject({
    batchId: z.string(),
    action: batchAction,
    filter: openFilter,
    reason: z.string(),
    max: count,
    state: z.enum(["working", "done", "stopped", "dry-run"]),
    createdAt: time,
    by: maybe(principal),
    done: count,
    skipped: count,
    failed: count,
    failures: z.array(z.strictObject({ runId: id, code: z.string(), message: z.string() })),
    sample: maybe(texts),
    matches: maybe(count),
  }),
);

export const workflowView: z.ZodType<WorkflowView> = exact<WorkflowView>()(
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
        views: texts,
        derivesId: z.boolean(),
      }),
    ),
    latest: z.string(),
    served: z.boolean(),
    paused: maybe(z.strictObject({ since: time, by: maybe(principal), reason: maybe(z.string()) })),
  }),
);

const scopes = z.array(z.enum(accessScopes));
const ttlMs = z.int().min(1);
export const newToken: z.ZodType<NewToken> = exact<NewToken>()(
  z.strictObject({ subject: id, kind: maybe(z.enum(principalKinds)), scopes: scopes.min(1), ttlMs: maybe(ttlMs) }),
);
const runShare = z.strictObject({ runId: id, allow: z.enum(["read", "views"]) });
export const tokenView: z.ZodType<TokenView> = exact<TokenView>()(
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
  }),
);
export const createdToken: z.ZodType<CreatedToken> = exact<CreatedToken>()(z.strictObject({ token: z.string(), view: tokenView }));
type ShareInput = { readonly id: string; readonly allow: "read" | "views"; readonly ttlMs?: number };
export const shareInput: z.ZodType<ShareInput> = exact<ShareInput>()(
  z.strictObject({ id, allow: runShare.shape.allow, ttlMs: maybe(ttlMs) }),
);

export const auditQuery: z.ZodType<AuditQuery> = exact<AuditQuery>()(
  z.strictObject({
    run: maybe(id),
    since: maybe(time),
    until: maybe(time),
    subject: maybe(id),
    id: maybe(id),
    ...pageQuery,
  }),
);
export const auditRecord: z.ZodType<AuditRecord> = exact<AuditRecord>()(
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
    outcome: maybe(z.strictObject({ at: time, status: z.int(), code: maybe(z.string()) })),
    times: maybe(count),
  }),
);

export const meView: z.ZodType<MeView> = exact<MeView>()(
  z.strictObject({ principal, tenant: z.string(), scopes, tokenId: maybe(z.string()), expiresAt: maybe(time) }),
);
