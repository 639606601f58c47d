// Schemas of runs: what is shown of them, how they end, what is asked for. Each is tied to its public type, so that neither changes alone.
// It must never refuse what the verbs accept for a reason of its own: limits of names and payloads are theirs.
import { z } from "zod";
import { runStatuses } from "../../core/contract.ts";
import { guaranteeClasses, waitingKinds } from "../../core/model.ts";
import type { Failure } from "../../codec/failure.ts";
import type { GuaranteeClass, RunStatus, StepKindName, StepStatus, Waiting } from "../../core/model.ts";
import type { StartInput, Started } from "../operation-types.ts";
import type { Because, ExplainedRun } from "../types/operate.ts";
import type { PlannedStep, Retried, RetryOptions, RetryPlan, RetryWarning } from "../types/retry.ts";
import type { AcceptedSignalResult, EngineView, RunEnd, RunFilter, RunView, StepView, StoreView } from "../types/run.ts";
import { count, exact, id, maybe, pageQuery, reason, requestId, textMap, textList, time, waitSeconds } from "./exact.ts";

export const runStatusSchema: z.ZodType<RunStatus> = exact<RunStatus>()(z.enum(runStatuses));
export const guaranteeClassSchema: z.ZodType<GuaranteeClass> = exact<GuaranteeClass>()(z.enum(guaranteeClasses));
export const waitingForSchema: z.ZodType<Waiting> = exact<Waiting>()(z.enum(waitingKinds));
export const stepKindSchema: z.ZodType<StepKindName> = exact<StepKindName>()(
  z.enum(["effect", "tx", "timer", "signal", "child", "start", "send", "ask", "compensation"]),
);
export const stepStatusSchema: z.ZodType<StepStatus> = exact<StepStatus>()(z.enum(["PENDING", "RUNNING", "SUCCESS", "FAILED", "SKIPPED"]));

const runMembers = {
  runId: id,
  workflowId: id,
  workflow: z.string(),
  version: z.string(),
  status: runStatusSchema,
  waiting: maybe(waitingForSchema),
  origin: maybe(z.literal("external")),
  createdAt: time,
  updatedAt: time,
  dueAt: maybe(time),
  deadlineAt: maybe(time),
  tags: textMap,
  headSeq: count,
  expiredAt: maybe(time),
  purgedAt: maybe(time),
  moved: maybe(z.literal(true)),
  exportId: maybe(z.string()),
  originalRunId: maybe(id),
  parentRunId: maybe(id),
  errorCode: maybe(id),
  owner: maybe(z.string()),
};
export const runViewSchema: z.ZodType<RunView> = exact<RunView>()(z.strictObject(runMembers));

const because = exact<Because>()(
  z.strictObject({
    code: z.enum([
      "no-engine",
      "workflow-paused",
      "queued",
      "working",
      "worker",
      "timer",
      "retry",
      "signal",
      "child",
      "decision",
      "approval",
      "question",
      "paused",
      "diverged",
      "moved",
      "external",
      "ended",
    ]),
    text: z.string(),
    quotes: maybe(z.string()),
    hidden: maybe(textList),
    since: time,
    until: maybe(time),
    fix: maybe(z.string()),
  }),
);
export const explainedRunSchema: z.ZodType<ExplainedRun> = exact<ExplainedRun>()(z.strictObject({ ...runMembers, because }));

export const stepViewSchema: z.ZodType<StepView> = exact<StepView>()(
  z.strictObject({
    stepId: z.string(),
    name: z.string(),
    kind: stepKindSchema,
    class: maybe(guaranteeClassSchema),
    status: stepStatusSchema,
    attempts: count,
    engineAttempts: count,
    startedAt: time,
    endedAt: maybe(time),
    retryAt: maybe(time),
    key: maybe(z.string()),
  }),
);

export const failureSchema: z.ZodType<Failure> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    message: z.string(),
    code: maybe(z.string()),
    data: maybe(z.unknown()),
    cause: maybe(failureSchema),
  }),
);

export const runEndSchema: z.ZodType<RunEnd> = exact<RunEnd>()(
  z.strictObject({
    runId: id,
    status: runStatusSchema,
    result: maybe(z.unknown()),
    error: maybe(failureSchema),
    category: maybe(z.string()),
    reason: maybe(z.string()),
    abandoned: maybe(textList),
    hidden: maybe(textList),
  }),
);

const filterMembers = {
  status: maybe(z.array(runStatusSchema).min(1)),
  workflow: maybe(id),
  workflowId: maybe(id),
  tags: maybe(textMap),
  errorCode: maybe(id),
  since: maybe(time),
  until: maybe(time),
  parent: maybe(id),
  waiting: maybe(waitingForSchema),
};
type OpenFilter = Omit<RunFilter, "limit" | "cursor">;
export const openFilterSchema: z.ZodType<OpenFilter> = exact<OpenFilter>()(z.strictObject(filterMembers));
export const runFilterSchema: z.ZodType<RunFilter> = exact<RunFilter>()(z.strictObject({ ...filterMembers, ...pageQuery }));
type WatchFilter = OpenFilter & { readonly follow?: string };
export const watchFilterSchema: z.ZodType<WatchFilter> = exact<WatchFilter>()(z.strictObject({ ...filterMembers, follow: maybe(id) }));

export const startInputSchema: z.ZodType<StartInput> = exact<StartInput>()(
  z.strictObject({
    workflow: id,
    version: maybe(id),
    input: maybe(z.unknown()),
    id: maybe(id),
    idempotencyKey: maybe(id),
    onConflict: maybe(z.enum(["attach", "reject", "restart"])),
    delayMs: maybe(z.number().min(0)),
    deadlineMs: maybe(z.number().min(0)),
    tags: maybe(textMap),
    priority: maybe(z.number().int().min(-9).max(9)),
    traceparent: maybe(z.string().max(512)),
    allowUnknown: maybe(z.boolean()),
    reason: maybe(reason),
    wait: maybe(waitSeconds),
  }),
);
export const startedSchema: z.ZodType<Started> = exact<Started>()(
  z.strictObject({
    runId: id,
    workflowId: id,
    created: z.boolean(),
    replayed: z.boolean(),
    served: z.boolean(),
    unchecked: maybe(z.string()),
    end: maybe(runEndSchema),
  }),
);

export const acceptedSignalResultSchema: z.ZodType<AcceptedSignalResult> = exact<AcceptedSignalResult>()(
  z.strictObject({
    accepted: z.literal(true),
    workflowId: id,
    signalName: z.string(),
    signalId: z.string(),
    acceptedAt: time,
    signalStorageKey: z.string(),
  }),
);

type RetryInput = { readonly id: string; readonly requestId?: string } & RetryOptions;
export const retryInputSchema: z.ZodType<RetryInput> = exact<RetryInput>()(
  z.strictObject({
    id,
    requestId: maybe(requestId),
    fromStep: maybe(id),
    rerun: maybe(textList),
    by: maybe(id),
    reason: maybe(reason),
    dryRun: maybe(z.boolean()),
  }),
);
export const plannedStepSchema: z.ZodType<PlannedStep> = exact<PlannedStep>()(
  z.strictObject({
    stepId: z.string(),
    name: z.string(),
    kind: stepKindSchema,
    class: maybe(guaranteeClassSchema),
    key: maybe(z.string()),
    runId: id,
    outlook: z.enum(["kept", "runs again", "may repeat", "needs a decision"]),
    why: z.string(),
  }),
);
const retryWarning = exact<RetryWarning>()(z.strictObject({ code: z.literal("PAWL1023"), message: z.string(), steps: textList }));
type RetryAnswer = (Retried & { readonly replayed: boolean }) | RetryPlan;
export const retryAnswerSchema: z.ZodType<RetryAnswer> = exact<RetryAnswer>()(
  z.union([
    z.strictObject({ runId: id, workflowId: id, warnings: maybe(z.array(retryWarning)), replayed: z.boolean() }),
    z.strictObject({
      dryRun: z.literal(true),
      runId: id,
      workflowId: id,
      lost: maybe(z.string()),
      steps: z.array(plannedStepSchema),
      warnings: z.array(retryWarning),
    }),
  ]),
);

export const engineViewSchema: z.ZodType<EngineView> = exact<EngineView>()(
  z.strictObject({
    engineId: z.string(),
    tenant: maybe(z.string()),
    alive: z.boolean(),
    leaseUntil: time,
    serves: z.array(z.strictObject({ workflow: z.string(), version: z.string() })),
  }),
);
export const storeViewSchema: z.ZodType<StoreView> = exact<StoreView>()(
  z.strictObject({
    store: z.string(),
    storeId: z.string(),
    format: count,
    oldestReader: count,
    oldestWriter: count,
    incarnation: count,
    identity: z.string(),
    identityRecorded: z.string(),
    persistence: z.enum(["durable", "volatile"]),
    settings: textMap,
    unsafe: textList,
    now: time,
    engines: z.array(engineViewSchema),
  }),
);
