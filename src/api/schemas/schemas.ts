// The schema of every operation's input and answer: one row per operation of the catalogue, and one that is missing, or is of another type,
// does not compile. Requests are checked with `input`; answers are checked with `output` in tests; /openapi.json is made from both. Members that
// an operation does not have are refused, so that a misspelt one is not taken for absent.
import { z } from "zod";
import { accessScopes } from "../../core/principal.ts";
import type { ListPage, OperationInput, OperationOutput } from "../operation-types.ts";
import type { Operation } from "../operations.ts";
import * as events from "./events.ts";
import { count, exact, fitting, id, limit, maybe, pageQuery, reason, requestId, textList, time, waitSeconds } from "./exact.ts";
import * as graphs from "./graphs.ts";
import * as ledger from "./ledger.ts";
import * as operate from "./operate.ts";
import * as questions from "./questions.ts";
import * as queues from "./queues.ts";
import * as run from "./run.ts";
import * as plan from "./plan.ts";
import * as schedule from "./schedule.ts";
import * as workers from "./workers.ts";

export interface OperationSchemas<O extends Operation> {
  readonly input: z.ZodType<OperationInput<O>>;
  readonly output: z.ZodType<OperationOutput<O>>;
}

const row = <O extends Operation>(input: z.ZodType<OperationInput<O>>, output: z.ZodType<OperationOutput<O>>): OperationSchemas<O> => ({
  input,
  output,
});

/** A page of a list of these. */
const pageOf = <T>(item: z.ZodType<T>): z.ZodType<ListPage<T>> =>
  z.strictObject({ items: z.array(item), nextCursor: maybe(z.string()) }) as unknown as z.ZodType<ListPage<T>>;

/** The input of an operation, from its members. */
const input = <O extends Operation>(_of: O) => exact<OperationInput<O>>();
const output = <O extends Operation>(_of: O) => exact<OperationOutput<O>>();

const nothing = fitting<OperationInput<"me">>()(z.strictObject({}));
const byId = exact<OperationInput<"runs.get">>()(z.strictObject({ id }));
const aPage = exact<OperationInput<"batches.list">>()(z.strictObject(pageQuery));
const named = exact<OperationInput<"workflows.pause">>()(z.strictObject({ name: id, reason: maybe(reason) }));
const anEndpoint = exact<OperationInput<"webhooks.test">>()(z.strictObject({ endpointId: id }));

export const schemas: { readonly [O in Operation]: OperationSchemas<O> } = {
  "runs.start": row(
    run.startInputSchema,
    output("runs.start")(z.union([run.startedSchema, z.strictObject({ ending: id, workflowId: id, pending: z.literal(true) })])),
  ),
  "runs.list": row(run.runFilterSchema, pageOf(run.runViewSchema)),
  "runs.count": row(run.openFilterSchema, operate.runCountsSchema),
  "runs.guarantees": row(
    input("runs.guarantees")(z.strictObject({ runs: z.array(id).min(1).max(100) })),
    output("runs.guarantees")(z.strictObject({ items: z.array(operate.runGuaranteeSchema) })),
  ),
  "runs.get": row(byId, run.explainedRunSchema),
  "runs.result": row(
    input("runs.result")(z.strictObject({ id, wait: maybe(waitSeconds), whenDiverged: maybe(z.enum(["reject", "wait"])) })),
    output("runs.result")(z.union([run.runEndSchema, z.strictObject({ runId: id, pending: z.literal(true) })])),
  ),
  "runs.events": row(
    input("runs.events")(
      z.strictObject({
        id,
        after: maybe(count),
        before: maybe(count),
        limit: maybe(limit),
        types: maybe(textList.min(1)),
        step: maybe(id),
        payloads: maybe(z.literal("none")),
      }),
    ),
    pageOf(events.eventRecordSchema),
  ),
  "runs.event": row(input("runs.event")(z.strictObject({ id, seq: count })), events.eventRecordSchema),
  "runs.steps": row(input("runs.steps")(z.strictObject({ id, ...pageQuery })), pageOf(run.stepViewSchema)),
  "runs.timeline": row(byId, operate.timelineSchema),
  "runs.view": row(input("runs.view")(z.strictObject({ id, name: id })), output("runs.view")(z.strictObject({ value: z.unknown() }))),
  "runs.projection": row(input("runs.projection")(z.strictObject({ id, projector: maybe(id) })), z.unknown()),
  "runs.proof": row(input("runs.proof")(z.strictObject({ id, after: maybe(count), limit: maybe(limit) })), ledger.proofSchema),
  "runs.state": row(input("runs.state")(z.strictObject({ id, at: maybe(count), label: maybe(id) })), graphs.standpointSchema.nullable()),
  "runs.history": row(
    input("runs.history")(z.strictObject({ id, beforeStep: maybe(count), limit: maybe(limit) })),
    pageOf(graphs.standpointSchema),
  ),
  "runs.stream": row(
    input("runs.stream")(z.strictObject({ id, modes: maybe(z.array(graphs.streamModeSchema)), after: maybe(count), limit: maybe(limit) })),
    pageOf(graphs.streamItemSchema),
  ),
  "runs.message": row(input("runs.message")(z.strictObject({ id, ...pageQuery })), pageOf(z.record(z.string(), z.unknown()))),
  "runs.io": row(input("runs.io")(z.strictObject({ id, superstep: maybe(count) })), pageOf(graphs.recordedIoSchema)),
  "runs.usage": row(input("runs.usage")(z.strictObject({ id })), ledger.runUsageSchema),
  "runs.causes": row(input("runs.causes")(z.strictObject({ id, ...pageQuery })), pageOf(ledger.causeSchema)),
  "runs.verify": row(byId, operate.runVerificationSchema),
  "runs.evidence": row(
    input("runs.evidence")(
      z.strictObject({
        id,
        payloads: maybe(z.boolean()),
        redact: maybe(textList),
        redactAs: maybe(z.enum(["mask", "remove", "hash"])),
        signer: maybe(id),
      }),
    ),
    z.instanceof(Uint8Array),
  ),
  // Whatever signalId is reaches the verb, which refuses it with a code of its own (PAWL4005).
  "runs.signal": row(
    input("runs.signal")(
      z.strictObject({
        id,
        name: id,
        payload: maybe(z.unknown()),
        signalId: maybe(z.unknown()),
        traceparent: maybe(z.string().max(512)),
        delay: maybe(events.duration),
      }),
    ),
    output("runs.signal")(
      z.strictObject({
        result: run.acceptedSignalResultSchema,
        replayed: z.boolean(),
        unchecked: maybe(z.string()),
        state: operate.messageStatesSchema,
        payloadDiffers: maybe(z.literal(true)),
      }),
    ),
  ),
  "runs.update": row(
    input("runs.update")(
      z.strictObject({
        id,
        name: id,
        payload: maybe(z.unknown()),
        updateId: maybe(z.unknown()),
        wait: maybe(waitSeconds),
        traceparent: maybe(z.string().max(512)),
      }),
    ),
    output("runs.update")(
      z.strictObject({
        updateId: z.string(),
        answer: maybe(z.unknown()),
        pending: maybe(z.literal(true)),
        replayed: z.boolean(),
        hidden: maybe(textList),
      }),
    ),
  ),
  "signals.get": row(input("signals.get")(z.strictObject({ id, name: id, signalId: id })), operate.messageStateSchema),
  "updates.get": row(input("updates.get")(z.strictObject({ id, name: id, updateId: id })), operate.messageStateSchema),
  "runs.cancel": row(operate.controlInputSchema, operate.controlAnswerSchema),
  "runs.pause": row(operate.controlInputSchema, operate.controlAnswerSchema),
  "runs.resume": row(operate.controlInputSchema, operate.controlAnswerSchema),
  "runs.terminate": row(operate.controlInputSchema, operate.controlAnswerSchema),
  "runs.retry": row(run.retryInputSchema, run.retryAnswerSchema),
  "runs.fork": row(graphs.forkInputSchema, graphs.forkAnswerSchema),
  "runs.next": row(graphs.nextInputSchema, graphs.nextAnswerSchema),
  "runs.watch": row(run.watchFilterSchema, run.runViewSchema),
  "batches.create": row(operate.newBatchSchema, operate.batchViewSchema),
  "batches.list": row(aPage, pageOf(operate.batchViewSchema)),
  "batches.get": row(input("batches.get")(z.strictObject({ batchId: id })), operate.batchViewSchema),
  "batches.stop": row(input("batches.stop")(z.strictObject({ batchId: id, reason, requestId: maybe(requestId) })), operate.batchViewSchema),
  "effects.list": row(ledger.effectFilterSchema, pageOf(ledger.effectViewSchema)),
  "effects.proof": row(input("effects.proof")(z.strictObject({ key: id, after: maybe(count), limit: maybe(limit) })), ledger.proofSchema),
  "decisions.list": row(input("decisions.list")(z.strictObject({ run: maybe(id), ...pageQuery })), pageOf(ledger.decisionViewSchema)),
  "decisions.resolve": row(
    input("decisions.resolve")(
      z.strictObject({ decisionId: id, answer: ledger.decisionAnswerSchema, wait: maybe(waitSeconds), requestId: maybe(requestId) }),
    ),
    ledger.resolvedSchema,
  ),
  "questions.list": row(byId, pageOf(questions.openQuestionSchema)),
  "questions.answer": row(
    input("questions.answer")(
      z.strictObject({
        questionId: id,
        value: maybe(z.unknown()),
        submissionId: maybe(id),
        by: maybe(id),
        reason: maybe(reason),
        wait: maybe(waitSeconds),
      }),
    ),
    questions.answeredSchema,
  ),
  "events.append": row(events.appendInputSchema, events.appendAnswerSchema),
  "workflows.list": row(aPage, pageOf(operate.workflowViewSchema)),
  "workflows.pause": row(named, operate.workflowViewSchema),
  "workflows.resume": row(named, operate.workflowViewSchema),
  "engines.list": row(aPage, pageOf(operate.explainedEngineSchema)),
  "engines.drain": row(input("engines.drain")(z.strictObject({ engineId: id, reason: maybe(reason) })), operate.explainedEngineSchema),
  "runs.evaluate": row(byId, plan.runStandingSchema),
  "runs.why": row(input("runs.why")(z.strictObject({ id, step: maybe(z.string()), ...pageQuery })), pageOf(plan.stepWhySchema)),
  "templates.put": row(input("templates.put")(z.strictObject({ template: z.unknown() })), plan.putTemplateOutputSchema),
  "templates.list": row(plan.listTemplatesSchema, pageOf(plan.templateViewSchema)),
  "templates.get": row(plan.getTemplateSchema, plan.templateViewSchema),
  "templates.retire": row(plan.retireTemplateSchema, output("templates.retire")(z.strictObject({ retired: z.literal(true) }))),
  "steps.act": row(queues.actInputSchema, ledger.resolvedSchema),
  "queues.list": row(aPage, pageOf(queues.queueViewSchema)),
  "queues.set": row(queues.queueSetSchema, queues.queueViewSchema),
  "queues.pause": row(queues.queueOrderSchema, queues.queueViewSchema),
  "queues.resume": row(queues.queueOrderSchema, queues.queueViewSchema),
  "queues.workers": row(aPage, pageOf(queues.workerViewSchema)),
  "investigations.list": row(queues.investigationsQuerySchema, pageOf(queues.investigationViewSchema)),
  "investigations.open": row(queues.investigateSchema, queues.investigationViewSchema),
  "investigations.note": row(queues.investigateSchema, queues.investigationViewSchema),
  "investigations.close": row(queues.closeInvestigationSchema, queues.investigationViewSchema),
  "schedules.put": row(schedule.putScheduleSchema, schedule.scheduleViewSchema),
  "schedules.list": row(aPage, pageOf(schedule.scheduleViewSchema)),
  "schedules.get": row(schedule.getScheduleSchema, schedule.scheduleViewSchema),
  "schedules.pause": row(schedule.scheduleOrderSchema, schedule.scheduleViewSchema),
  "schedules.resume": row(schedule.scheduleOrderSchema, schedule.scheduleViewSchema),
  "schedules.fire": row(schedule.fireScheduleSchema, schedule.firedScheduleSchema),
  "schedules.remove": row(schedule.removeScheduleSchema, output("schedules.remove")(z.strictObject({ removed: z.literal(true) }))),
  "workers.register": row(workers.workerHelloSchema, workers.workerWelcomeSchema),
  "workers.poll": row(workers.workerPollSchema, workers.workerPolledSchema),
  "workers.beats": row(workers.workerBeatsSchema, workers.workerStopsSchema),
  "workers.results": row(workers.workerResultsSchema, workers.workerNotedSchema),
  "workers.leave": row(workers.workerLeaveSchema, workers.leftSchema),
  "webhooks.add": row(events.newEndpointSchema, events.endpointSecretSchema),
  "webhooks.list": row(aPage, pageOf(events.endpointViewSchema)),
  "webhooks.pause": row(input("webhooks.pause")(z.strictObject({ endpointId: id, reason: maybe(reason) })), events.endpointViewSchema),
  "webhooks.resume": row(anEndpoint, events.endpointViewSchema),
  "webhooks.rotate": row(events.rotateInputSchema, events.endpointSecretSchema),
  "webhooks.test": row(anEndpoint, events.testResultSchema),
  "webhooks.replay": row(
    input("webhooks.replay")(z.strictObject({ endpointId: id, what: events.replayWhatSchema })),
    output("webhooks.replay")(z.strictObject({ runs: count })),
  ),
  "webhooks.deliveries": row(
    input("webhooks.deliveries")(
      z.strictObject({ endpointId: id, state: maybe(z.enum(["delivered", "waiting", "dead"])), limit: maybe(limit) }),
    ),
    pageOf(events.deliveryViewSchema),
  ),
  "webhooks.remove": row(
    input("webhooks.remove")(z.strictObject({ endpointId: id, reason })),
    output("webhooks.remove")(z.strictObject({ removed: z.literal(true) })),
  ),
  "consumers.list": row(aPage, pageOf(events.consumerViewSchema)),
  "consumers.dead": row(
    input("consumers.dead")(
      z.strictObject({ consumer: id, run: maybe(id), afterRun: maybe(id), afterSeq: maybe(count), limit: maybe(limit) }),
    ),
    pageOf(events.consumerDeadLetterSchema),
  ),
  "alerts.list": row(
    input("alerts.list")(z.strictObject({ run: maybe(id), since: maybe(time), until: maybe(time), ...pageQuery })),
    pageOf(events.alertSchema),
  ),
  "store.info": row(nothing, run.storeViewSchema),
  "tokens.create": row(operate.newTokenSchema, operate.createdTokenSchema),
  "tokens.list": row(aPage, pageOf(operate.tokenViewSchema)),
  "tokens.revoke": row(input("tokens.revoke")(z.strictObject({ tokenId: id, reason })), operate.tokenViewSchema),
  "tokens.share": row(operate.shareInputSchema, operate.createdTokenSchema),
  "audit.list": row(operate.auditQuerySchema, pageOf(operate.auditRecordSchema)),
  me: row(nothing, operate.meViewSchema),
  version: row(
    nothing,
    output("version")(z.strictObject({ version: z.string(), api: z.literal("v1"), scopes: z.array(z.enum(accessScopes)) })),
  ),
  "errors.explain": row(
    input("errors.explain")(z.strictObject({ code: id })),
    output("errors.explain")(z.strictObject({ code: z.string(), name: z.string(), fix: z.string(), page: z.string() })),
  ),
};
