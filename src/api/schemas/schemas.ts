// The schema of every operation's input and answer: one row per operation of the catalogue, and one that is missing, or is of another type,
// does not compile. Requests are checked with `input`; answers are checked with `output` in tests; /openapi.json is made from both. Members that
// an operation does not have are refused, so that a misspelt one is not taken for absent.
import { z } from "zod";
import { accessScopes } from "../../core/principal.ts";
import type { ListPage, OperationInput, OperationOutput } from "../operation-types.ts";
import type { Operation } from "../operations.ts";
import * as events from "./events.ts";
import { count, exact, fitting, id, limit, maybe, pageQuery, reason, requestId, texts, time, waitSeconds } from "./exact.ts";
import * as ledger from "./ledger.ts";
import * as operate from "./operate.ts";
import * as run from "./run.ts";

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
  z.strictObject({ items: z.array(item), nextCursor: maybe(z.string()), hidden: maybe(texts) }) as unknown as z.ZodType<ListPage<T>>;

/** The input of an operation, from its members. */
const input = <O extends Operation>(_of: O) => exact<OperationInput<O>>();
const output = <O extends Operation>(_of: O) => exact<OperationOutput<O>>();

const nothing = fitting<OperationInput<"me">>()(z.strictObject({}));
const byId = exact<OperationInput<"runs.get">>()(z.strictObject({ id }));
const aPage = exact<OperationInput<"batches.list">>()(z.strictObject(pageQuery));
const named = exact<OperationInput<"workflows.pause">>()(z.strictObject({ name: id, reason: maybe(reason) }));
const anEndpoint = exact<OperationInput<"webhooks.test">>()(z.strictObject({ endpointId: id }));

export const schemas: { readonly [O in Operation]: OperationSchemas<O> } = {
  "runs.start": row(run.startInput, run.started),
  "runs.list": row(run.runFilter, pageOf(run.runView)),
  "runs.count": row(run.openFilter, operate.runCounts),
  "runs.get": row(byId, run.explainedRun),
  "runs.result": row(
    input("runs.result")(z.strictObject({ id, wait: maybe(waitSeconds) })),
    output("runs.result")(z.union([run.runEnd, z.strictObject({ runId: id, pending: z.literal(true) })])),
  ),
  "runs.events": row(
    input("runs.events")(
      z.strictObject({ id, after: maybe(count), before: maybe(count), limit: maybe(limit), types: maybe(texts.min(1)) }),
    ),
    pageOf(events.eventRecord),
  ),
  "runs.event": row(input("runs.event")(z.strictObject({ id, seq: count })), events.eventRecord),
  "runs.steps": row(input("runs.steps")(z.strictObject({ id, ...pageQuery })), pageOf(run.stepView)),
  "runs.timeline": row(byId, operate.timeline),
  "runs.view": row(input("runs.view")(z.strictObject({ id, name: id })), output("runs.view")(z.strictObject({ value: z.unknown() }))),
  "runs.projection": row(input("runs.projection")(z.strictObject({ id, projector: maybe(id) })), z.unknown()),
  "runs.proof": row(byId, ledger.proof),
  "runs.verify": row(byId, operate.runVerification),
  "runs.evidence": row(
    input("runs.evidence")(z.strictObject({ id, payloads: maybe(z.boolean()), redact: maybe(texts), signer: maybe(id) })),
    z.instanceof(Uint8Array),
  ),
  // Whatever signalId is reaches the verb, which refuses it with a code of its own (PAWL4005).
  "runs.signal": row(
    input("runs.signal")(z.strictObject({ id, name: id, payload: maybe(z.unknown()), signalId: maybe(z.unknown()) })),
    output("runs.signal")(
      z.strictObject({
        result: run.acceptedSignalResult,
        replayed: z.boolean(),
        unchecked: maybe(z.string()),
        state: operate.messageStates,
        payloadDiffers: maybe(z.literal(true)),
      }),
    ),
  ),
  "runs.update": row(
    input("runs.update")(
      z.strictObject({ id, name: id, payload: maybe(z.unknown()), updateId: maybe(z.unknown()), wait: maybe(waitSeconds) }),
    ),
    output("runs.update")(
      z.strictObject({
        updateId: z.string(),
        answer: maybe(z.unknown()),
        pending: maybe(z.literal(true)),
        hidden: maybe(texts),
      }),
    ),
  ),
  "signals.get": row(input("signals.get")(z.strictObject({ id, name: id, signalId: id })), operate.messageState),
  "updates.get": row(input("updates.get")(z.strictObject({ id, name: id, updateId: id })), operate.messageState),
  "runs.cancel": row(operate.controlInput, operate.controlAnswer),
  "runs.pause": row(operate.controlInput, operate.controlAnswer),
  "runs.resume": row(operate.controlInput, operate.controlAnswer),
  "runs.terminate": row(operate.controlInput, operate.controlAnswer),
  "runs.retry": row(run.retryInput, run.retryAnswer),
  "runs.watch": row(run.watchFilter, run.runView),
  "batches.create": row(operate.newBatch, operate.batchView),
  "batches.list": row(aPage, pageOf(operate.batchView)),
  "batches.get": row(input("batches.get")(z.strictObject({ batchId: id })), operate.batchView),
  "batches.stop": row(input("batches.stop")(z.strictObject({ batchId: id, reason, requestId: maybe(requestId) })), operate.batchView),
  "effects.list": row(ledger.effectFilter, pageOf(ledger.effectView)),
  "effects.proof": row(input("effects.proof")(z.strictObject({ key: id })), ledger.proof),
  "decisions.list": row(aPage, pageOf(ledger.decisionView)),
  "decisions.resolve": row(
    input("decisions.resolve")(z.strictObject({ decisionId: id, answer: ledger.decisionAnswer, requestId: maybe(requestId) })),
    ledger.resolved,
  ),
  "events.append": row(events.appendInput, events.appendAnswer),
  "workflows.list": row(aPage, pageOf(operate.workflowView)),
  "workflows.pause": row(named, operate.workflowView),
  "workflows.resume": row(named, operate.workflowView),
  "engines.list": row(aPage, pageOf(run.engineView)),
  "engines.drain": row(input("engines.drain")(z.strictObject({ engineId: id, reason: maybe(reason) })), run.engineView),
  "webhooks.add": row(events.newEndpoint, events.endpointSecret),
  "webhooks.list": row(aPage, pageOf(events.endpointView)),
  "webhooks.pause": row(input("webhooks.pause")(z.strictObject({ endpointId: id, reason: maybe(reason) })), events.endpointView),
  "webhooks.resume": row(anEndpoint, events.endpointView),
  "webhooks.rotate": row(events.rotateInput, events.endpointSecret),
  "webhooks.test": row(anEndpoint, events.testResult),
  "webhooks.replay": row(
    input("webhooks.replay")(z.strictObject({ endpointId: id, what: events.replayWhat })),
    output("webhooks.replay")(z.strictObject({ runs: count })),
  ),
  "webhooks.deliveries": row(
    input("webhooks.deliveries")(
      z.strictObject({ endpointId: id, state: maybe(z.enum(["delivered", "waiting", "dead"])), limit: maybe(limit) }),
    ),
    pageOf(events.deliveryView),
  ),
  "webhooks.remove": row(
    input("webhooks.remove")(z.strictObject({ endpointId: id, reason })),
    output("webhooks.remove")(z.strictObject({ removed: z.literal(true) })),
  ),
  "consumers.list": row(aPage, pageOf(events.consumerView)),
  "consumers.dead": row(
    input("consumers.dead")(z.strictObject({ consumer: id, run: maybe(id), limit: maybe(limit) })),
    pageOf(events.consumerDeadLetter),
  ),
  "alerts.list": row(
    input("alerts.list")(z.strictObject({ run: maybe(id), since: maybe(time), until: maybe(time), ...pageQuery })),
    pageOf(events.alert),
  ),
  "store.info": row(nothing, run.storeView),
  "tokens.create": row(operate.newToken, operate.createdToken),
  "tokens.list": row(aPage, pageOf(operate.tokenView)),
  "tokens.revoke": row(input("tokens.revoke")(z.strictObject({ tokenId: id, reason })), operate.tokenView),
  "tokens.share": row(operate.shareInput, operate.createdToken),
  "audit.list": row(operate.auditQuery, pageOf(operate.auditRecord)),
  me: row(nothing, operate.meView),
  version: row(
    nothing,
    output("version")(z.strictObject({ version: z.string(), api: z.literal("v1"), scopes: z.array(z.enum(accessScopes)) })),
  ),
  "errors.explain": row(
    input("errors.explain")(z.strictObject({ code: id })),
    output("errors.explain")(z.strictObject({ code: z.string(), name: z.string(), fix: z.string(), page: z.string() })),
  ),
};
