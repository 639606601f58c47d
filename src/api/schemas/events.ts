// Schemas of events and of those who read or deliver them: the append, consumers, alerts, webhooks. The contract of events has its own checks
// (core/contract.ts and what is made from contract/schema): an event that is appended is an object here, and the append authority says the rest.
import type { Duration } from "../../core/duration.ts";
import { z } from "zod";
import { runStatuses, type RunEventRecord, type RunEventWrite } from "../../core/contract.ts";
import type { Appended, AppendedBatch, AppendOptions, AppendRejection } from "../../log/append-types.ts";
import type { ConsumerView } from "../../readers/consumer-list.ts";
import type { Alert } from "../../readers/projection-rows.ts";
import type { DeliveryView, EndpointSecret, EndpointView, NewEndpoint, ReplayWhat, TestResult } from "../../webhooks/types.ts";
import type { OperationInput, OperationOutput } from "../operation-types.ts";
import { count, exact, fitting, id, maybe, textList, time } from "./exact.ts";

/** Any object: what an event must have is checked where it is appended, with codes of its own (SCHEMA_VALIDATION_FAILED). */
const eventWrite = z.looseObject({}) as unknown as z.ZodType<RunEventWrite>;
type AppendInput = AppendOptions & { readonly event?: RunEventWrite; readonly events?: readonly RunEventWrite[] };
export const appendInputSchema: z.ZodType<AppendInput> = fitting<AppendInput>()(
  z.strictObject({
    event: maybe(eventWrite),
    events: maybe(z.array(eventWrite)),
    validate: maybe(z.boolean()),
    workflowId: maybe(id),
    first: maybe(z.boolean()),
  }),
);

/** Further members are permitted on an event, and mean nothing. */
export const eventRecordSchema: z.ZodType<RunEventRecord> = z.looseObject({
  eventId: z.string(),
  runId: id,
  tenantId: z.string(),
  projectId: z.string(),
  environmentId: z.string(),
  planId: z.string(),
  planVersion: z.string(),
  engineAttemptId: count,
  logicalAttemptId: count,
  idempotencyKey: z.string(),
  emittedAt: z.string(),
  payload: maybe(z.record(z.string(), z.unknown())),
  eventType: z.string(),
  stepId: maybe(z.string()),
  runSeq: count,
  persistedAt: time,
  hidden: maybe(textList),
}) as unknown as z.ZodType<RunEventRecord>;

const appended = exact<Appended>()(
  z.strictObject({
    eventId: z.string(),
    runSeq: count,
    persistedAt: time,
    idempotent: z.boolean(),
    persisted: z.boolean(),
    replayed: z.boolean(),
    samePayload: z.nullable(z.boolean()),
  }),
);
const appendRejection = fitting<Omit<AppendRejection, "code"> & { readonly code: string }>()(
  z.strictObject({
    runId: z.string(),
    eventId: z.string(),
    idempotencyKey: z.string(),
    code: z.string(),
    message: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
) as unknown as z.ZodType<AppendRejection>;
export const appendAnswerSchema: z.ZodType<Appended | AppendedBatch> = exact<Appended | AppendedBatch>()(
  z.union([
    appended,
    z.strictObject({
      results: z.array(z.union([appended, appendRejection])),
      appended: z.array(appended),
      deduped: z.array(appended),
      rejected: z.array(appendRejection),
    }),
  ]),
);

export const consumerViewSchema: z.ZodType<ConsumerView> = exact<ConsumerView>()(
  z.strictObject({
    consumer: z.string(),
    joinedAt: time,
    waiting: count,
    active: z.boolean(),
    held: z.array(
      z.strictObject({ runId: id, watermark: count, failures: count, error: z.string(), nextTry: time, hidden: maybe(textList) }),
    ),
    deadLetters: count,
  }),
);
type ShownDeadLetter = OperationOutput<"consumers.dead">["items"][number];
export const consumerDeadLetterSchema: z.ZodType<ShownDeadLetter> = exact<ShownDeadLetter>()(
  z.strictObject({
    runId: id,
    runSeq: count,
    eventId: z.string(),
    eventType: z.string(),
    failures: count,
    error: maybe(z.string()),
    hidden: maybe(textList),
  }),
);
export const alertSchema: z.ZodType<Alert> = fitting<Alert>()(
  z.strictObject({
    code: z.enum(["INVALID_TRANSITION", "PAYLOAD_MISMATCH"]),
    runId: id,
    tenantId: z.string(),
    projectId: z.string(),
    environmentId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    stepId: maybe(z.string()),
    runSeq: count,
    persistedAt: time,
    priorState: z.string(),
    attemptedState: z.string(),
    logicalAttemptId: count,
    runStatus: maybe(z.enum([...runStatuses, "none"])),
    policy: maybe(z.enum(["mark", "freeze"])),
    projector: z.string(),
    delivered: z.boolean(),
  }),
);

/** Milliseconds, or text with a unit. */
export const duration: z.ZodType<Duration> = z.union([
  z.number().min(0),
  z.templateLiteral([z.number(), z.enum(["ms", "s", "m", "h", "d", "w"])]),
]);
const scheme = z.enum(["hmac", "ed25519"]);
type EndpointInput = Omit<NewEndpoint, "secret" | "allowInsecure">;
export const newEndpointSchema: z.ZodType<EndpointInput> = exact<EndpointInput>()(
  z.strictObject({
    id: maybe(id),
    url: z.string().min(1).max(2048),
    events: maybe(textList),
    scheme: maybe(scheme),
    from: maybe(z.enum(["now", "start"])),
    attempts: maybe(z.int().min(1)),
    initial: maybe(duration),
    max: maybe(duration),
    timeout: maybe(duration),
  }),
);
export const rotateInputSchema: z.ZodType<OperationInput<"webhooks.rotate">> = exact<OperationInput<"webhooks.rotate">>()(
  z.strictObject({ endpointId: id, scheme: maybe(scheme), window: maybe(z.string()) }),
);
export const endpointViewSchema: z.ZodType<EndpointView> = exact<EndpointView>()(
  z.strictObject({
    id: z.string(),
    url: z.string(),
    events: textList,
    keys: z.array(z.strictObject({ scheme, publicKey: maybe(z.string()), until: maybe(time) })),
    createdAt: time,
    paused: maybe(z.strictObject({ since: time, reason: z.string() })),
    attempts: count,
    timeoutMs: count,
    waiting: count,
  }),
);
export const endpointSecretSchema: z.ZodType<EndpointSecret> = exact<EndpointSecret>()(
  z.strictObject({ endpoint: endpointViewSchema, secret: maybe(z.string()) }),
);
export const deliveryViewSchema: z.ZodType<DeliveryView> = exact<DeliveryView>()(
  z.strictObject({
    endpoint: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    runId: id,
    runSeq: count,
    state: z.enum(["delivered", "waiting", "dead"]),
    attempts: count,
    at: maybe(time),
    status: maybe(z.int()),
    error: maybe(z.string()),
    nextAt: maybe(time),
    replay: maybe(z.literal(true)),
  }),
);
export const replayWhatSchema: z.ZodType<ReplayWhat> = exact<ReplayWhat>()(
  z.union([
    z.strictObject({ event: id, run: maybe(id) }),
    z.strictObject({ run: id }),
    z.strictObject({ dead: z.literal(true) }),
    z.strictObject({ since: time }),
  ]),
);
export const testResultSchema: z.ZodType<TestResult> = exact<TestResult>()(
  z.strictObject({ delivered: z.boolean(), status: maybe(z.int()), error: maybe(z.string()) }),
);
