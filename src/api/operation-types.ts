// What each operation takes and answers. `in` is one flat object: path, query and body members together, as JSON-RPC and MCP send it. `out` is
// the answer's body. Lists answer `items` and, where there is more, `nextCursor`. Types only.
import type { Duration } from "../core/duration.ts";
import type { AccessScope } from "../core/principal.ts";
import type { RunEventRecord, RunEventWrite } from "../core/contract.ts";
import type { EvidenceOptions } from "../log/evidence.ts";
import type { Cause } from "../events/causes.ts";
import type { RunUsage } from "../events/usage.ts";
import type { RecordedIO, Standpoint } from "../events/graph-log.ts";
import type { GraphStreamItem, GraphStreamMode } from "./types/graph-stream.ts";
import type { Proof } from "../events/proof.ts";
import type { Appended, AppendedBatch, AppendOptions } from "../log/append-types.ts";
import type { ConsumerView } from "../readers/consumer-list.ts";
import type { Alert } from "../readers/projection-rows.ts";
import type { ConsumerDeadLetter } from "../readers/watermarks.ts";
import type { FiredSchedule, ScheduleOrder, ScheduleView } from "../schedule/types.ts";
import type { DeliveryState, DeliveryView, EndpointSecret, EndpointView, NewEndpoint, ReplayWhat, TestResult } from "../webhooks/types.ts";
import type { Operation } from "./operations.ts";
import type { DecisionAnswer, DecisionView, EffectFilter, EffectView, Resolved } from "./types/ledger.ts";
import type {
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
  ExplainedEngine,
  ExplainedRun,
  WorkflowView,
} from "./types/operate.ts";
import type { RunStanding, StepWhy, TemplateView } from "./types/plan.ts";
import type { AskedBy, InvestigationCause, InvestigationView, QueueView, StepAct, WireQueueSettings, WorkerView } from "./types/queues.ts";
import type { Answered, OpenQuestion } from "./types/questions.ts";
import type { PutSchedule } from "./types/schedule.ts";
import type { NextTurn } from "./types/next.ts";
import type { Forked, ForkEffects, ForkPlan } from "./types/fork.ts";
import type { Retried, RetryOptions, RetryPlan } from "./types/retry.ts";
import type {
  AcceptedSignal,
  Hidden,
  RunEnd,
  RunFilter,
  RunView,
  StartedRun,
  StartRequest,
  StepView,
  StoreView,
  WhenDiverged,
} from "./types/run.ts";
import type {
  WorkerBeat,
  WorkerHello,
  WorkerNoted,
  WorkerPoll,
  WorkerPolled,
  WorkerResult,
  WorkerStops,
  WorkerWelcome,
} from "./types/workers.ts";

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}
interface SomeEffects {
  readonly after?: number;
  readonly limit?: number;
}
interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}
interface ById {
  readonly id: string;
}
type Requested = { readonly requestId?: string };

export type StartInput = Omit<StartRequest, "tx"> & {
  /** Seconds to wait for the end, 0 to 30. REST also takes `Prefer: wait=`. */
  readonly wait?: number;
};
export interface Started extends StartedRun {
  readonly end?: RunEnd;
}
/** 202: the run in whose place another starts is still ending. The same request, sent again, continues. */
export interface RestartPending {
  /** The run that is ending. */
  readonly ending: string;
  readonly workflowId: string;
  readonly pending: true;
}
type OptionalBy<A> = A extends unknown ? Omit<A, "by"> & { readonly by?: string } : never;
/** `by` is the caller; it may be left out, and is refused if it is somebody else. */
export type AnswerInput = OptionalBy<DecisionAnswer>;

type Of<I, O> = { readonly in: I; readonly out: O };

/** The new run's id is `newId`; a dry run needs none. */
export interface ForkInput {
  readonly id: string;
  readonly newId?: string;
  readonly at?: number;
  readonly label?: string;
  readonly update?: Readonly<Record<string, unknown>>;
  readonly effects?: ForkEffects;
  readonly by?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

export interface NextInput {
  readonly id: string;
  readonly input?: unknown;
  readonly requestId?: string;
}

export interface OperationTypes {
  "runs.start": Of<StartInput, Started | RestartPending>;
  "runs.list": Of<RunFilter, ListPage<RunView>>;
  "runs.count": Of<Omit<RunFilter, "limit" | "cursor">, RunCounts>;
  "runs.guarantees": Of<{ readonly runs: readonly string[] }, { readonly items: readonly RunGuarantee[] }>;
  "runs.get": Of<ById, ExplainedRun>;
  /** 202 and no end while it has not ended. */
  "runs.result": Of<
    ById & { readonly wait?: number; readonly whenDiverged?: WhenDiverged },
    RunEnd | { readonly runId: string; readonly pending: true }
  >;
  "runs.events": Of<
    ById & { readonly after?: number; readonly before?: number; readonly limit?: number; readonly types?: readonly string[] } & {
      readonly step?: string;
      readonly payloads?: "none";
    },
    ListPage<RunEventRecord>
  >;
  "runs.event": Of<ById & { readonly seq: number }, RunEventRecord>;
  "runs.steps": Of<ById & PageQuery, ListPage<StepView>>;
  "runs.timeline": Of<ById, Timeline>;
  "runs.view": Of<ById & { readonly name: string }, { readonly value: unknown }>;
  "runs.projection": Of<ById & { readonly projector?: string }, unknown>;
  /** With `limit`, so many effects after the first `after` of them; what is said of the whole stays the same. */
  "runs.proof": Of<ById & SomeEffects, Proof>;
  /** null: that superstep has not ended. */
  "runs.state": Of<ById & { readonly at?: number; readonly label?: string }, Standpoint | null>;
  "runs.history": Of<ById & { readonly beforeStep?: number; readonly limit?: number }, ListPage<Standpoint>>;
  /** Whole supersteps: the last one may make it longer than `limit`. */
  "runs.stream": Of<
    ById & { readonly modes?: readonly GraphStreamMode[]; readonly after?: number; readonly limit?: number },
    ListPage<GraphStreamItem>
  >;
  /** Chunks of an AI SDK UI message stream. */
  "runs.message": Of<ById & PageQuery, ListPage<Readonly<Record<string, unknown>>>>;
  "runs.io": Of<ById & { readonly superstep?: number }, ListPage<RecordedIO>>;
  "runs.causes": Of<ById & PageQuery, ListPage<Cause>>;
  "runs.usage": Of<ById, RunUsage>;
  "runs.verify": Of<ById, RunVerification>;
  /** `signer` names a key of the server's; a key never travels. */
  "runs.evidence": Of<ById & Omit<EvidenceOptions, "key"> & { readonly signer?: string }, Uint8Array>;
  /** Whatever signalId is, it is checked before anything is stored (PAWL4005). */
  "runs.signal": Of<
    ById & {
      readonly name: string;
      readonly payload?: unknown;
      readonly signalId?: unknown;
      readonly traceparent?: string;
      readonly delay?: Duration;
    },
    AcceptedSignal & { readonly state: MessageState["state"]; readonly payloadDiffers?: true }
  >;
  "runs.update": Of<
    ById & {
      readonly name: string;
      readonly payload?: unknown;
      readonly updateId?: unknown;
      readonly wait?: number;
      readonly traceparent?: string;
    },
    { readonly updateId: string; readonly answer?: unknown; readonly pending?: true; readonly replayed: boolean; readonly hidden?: Hidden }
  >;
  "signals.get": Of<ById & { readonly name: string; readonly signalId: string }, MessageState>;
  "updates.get": Of<ById & { readonly name: string; readonly updateId: string }, MessageState>;
  "runs.cancel": Of<ControlInput, ControlAnswer>;
  "runs.pause": Of<ControlInput, ControlAnswer>;
  "runs.resume": Of<ControlInput, ControlAnswer>;
  "runs.terminate": Of<ControlInput, ControlAnswer>;
  "runs.retry": Of<ById & RetryOptions & Requested, (Retried & { readonly replayed: boolean }) | RetryPlan>;
  "runs.fork": Of<ForkInput, Forked | ForkPlan>;
  "runs.next": Of<NextInput, NextTurn>;
  "runs.watch": Of<Omit<RunFilter, "limit" | "cursor"> & { readonly follow?: string }, RunView>;
  "batches.create": Of<NewBatch, BatchView>;
  "batches.list": Of<PageQuery, ListPage<BatchView>>;
  "batches.get": Of<{ readonly batchId: string }, BatchView>;
  "batches.stop": Of<{ readonly batchId: string; readonly reason: string } & Requested, BatchView>;
  "effects.list": Of<EffectFilter, ListPage<EffectView>>;
  "effects.proof": Of<{ readonly key: string } & SomeEffects, Proof>;
  "decisions.list": Of<PageQuery & { readonly run?: string }, ListPage<DecisionView>>;
  "questions.list": Of<ById, ListPage<OpenQuestion>>;
  "questions.answer": Of<
    {
      readonly questionId: string;
      readonly value?: unknown;
      readonly submissionId?: string;
      readonly by?: string;
      readonly reason?: string;
      readonly wait?: number;
    },
    Answered
  >;
  "decisions.resolve": Of<{ readonly decisionId: string; readonly answer: AnswerInput; readonly wait?: number } & Requested, Resolved>;
  "events.append": Of<
    AppendOptions & { readonly event?: RunEventWrite; readonly events?: readonly RunEventWrite[] },
    Appended | AppendedBatch
  >;
  "workflows.list": Of<PageQuery, ListPage<WorkflowView>>;
  "workflows.pause": Of<{ readonly name: string; readonly reason?: string }, WorkflowView>;
  "workflows.resume": Of<{ readonly name: string; readonly reason?: string }, WorkflowView>;
  "engines.list": Of<PageQuery, ListPage<ExplainedEngine>>;
  "engines.drain": Of<{ readonly engineId: string; readonly reason?: string }, ExplainedEngine>;
  "runs.evaluate": Of<ById, RunStanding>;
  "runs.why": Of<ById & { readonly step?: string } & PageQuery, ListPage<StepWhy>>;
  "templates.put": Of<{ readonly template: unknown }, TemplateView & { readonly created: boolean }>;
  "templates.list": Of<PageQuery & { readonly namespace?: string }, ListPage<TemplateView>>;
  "templates.get": Of<{ readonly namespace: string; readonly name: string; readonly version?: string }, TemplateView>;
  "templates.retire": Of<
    { readonly namespace: string; readonly name: string; readonly version: string; readonly by?: string; readonly reason: string },
    { readonly retired: true }
  >;
  "steps.act": Of<
    ById & { readonly step: string; readonly do: StepAct["do"]; readonly result?: unknown; readonly wait?: number } & AskedBy & Requested,
    Resolved
  >;
  "queues.list": Of<PageQuery, ListPage<QueueView>>;
  "queues.set": Of<{ readonly name: string; readonly ifVersion?: number } & WireQueueSettings & AskedBy, QueueView>;
  "queues.pause": Of<{ readonly name: string } & AskedBy, QueueView>;
  "queues.resume": Of<{ readonly name: string } & AskedBy, QueueView>;
  "queues.workers": Of<PageQuery, ListPage<WorkerView>>;
  "investigations.list": Of<
    { readonly state?: "open" | "closed"; readonly why?: InvestigationCause; readonly run?: string; readonly limit?: number },
    ListPage<InvestigationView>
  >;
  "investigations.open": Of<ById & AskedBy, InvestigationView>;
  "investigations.note": Of<ById & AskedBy, InvestigationView>;
  "investigations.close": Of<ById & AskedBy & { readonly as: "resolved" | "failed" | "cancelled" }, InvestigationView>;
  "schedules.put": Of<PutSchedule, ScheduleView>;
  "schedules.list": Of<PageQuery, ListPage<ScheduleView>>;
  "schedules.get": Of<{ readonly name: string; readonly fires?: number }, ScheduleView>;
  "schedules.pause": Of<{ readonly name: string } & ScheduleOrder, ScheduleView>;
  "schedules.resume": Of<{ readonly name: string } & ScheduleOrder, ScheduleView>;
  "schedules.fire": Of<{ readonly name: string } & ScheduleOrder & Requested, FiredSchedule>;
  "schedules.remove": Of<{ readonly name: string } & ScheduleOrder & { readonly reason: string }, { readonly removed: true }>;
  "workers.register": Of<WorkerHello, WorkerWelcome>;
  "workers.poll": Of<{ readonly workerId: string } & WorkerPoll, WorkerPolled>;
  "workers.beats": Of<{ readonly workerId: string; readonly beats: readonly WorkerBeat[] }, WorkerStops>;
  "workers.results": Of<{ readonly workerId: string; readonly results: readonly WorkerResult[] }, WorkerNoted>;
  "workers.leave": Of<{ readonly workerId: string; readonly holds?: WorkerPoll["holds"] }, { readonly left: true }>;
  "webhooks.add": Of<Omit<NewEndpoint, "secret" | "allowInsecure">, EndpointSecret>;
  "webhooks.list": Of<PageQuery, ListPage<EndpointView>>;
  "webhooks.pause": Of<{ readonly endpointId: string; readonly reason?: string }, EndpointView>;
  "webhooks.resume": Of<{ readonly endpointId: string }, EndpointView>;
  "webhooks.rotate": Of<{ readonly endpointId: string; readonly scheme?: "hmac" | "ed25519"; readonly window?: string }, EndpointSecret>;
  "webhooks.test": Of<{ readonly endpointId: string }, TestResult>;
  "webhooks.replay": Of<{ readonly endpointId: string; readonly what: ReplayWhat }, { readonly runs: number }>;
  "webhooks.deliveries": Of<
    { readonly endpointId: string; readonly state?: DeliveryState; readonly limit?: number },
    ListPage<DeliveryView>
  >;
  "webhooks.remove": Of<{ readonly endpointId: string; readonly reason: string }, { readonly removed: true }>;
  "consumers.list": Of<PageQuery, ListPage<ConsumerView>>;
  /** `afterRun` and `afterSeq` are those of the last letter of the page before. */
  "consumers.dead": Of<
    { readonly consumer: string; readonly run?: string; readonly afterRun?: string; readonly afterSeq?: number; readonly limit?: number },
    ListPage<Omit<ConsumerDeadLetter, "error"> & { readonly error?: string; readonly hidden?: Hidden }>
  >;
  "alerts.list": Of<PageQuery & { readonly run?: string; readonly since?: string; readonly until?: string }, ListPage<Alert>>;
  "store.info": Of<Readonly<Record<never, never>>, StoreView>;
  "tokens.create": Of<NewToken, CreatedToken>;
  "tokens.list": Of<PageQuery, ListPage<TokenView>>;
  "tokens.revoke": Of<{ readonly tokenId: string; readonly reason: string }, TokenView>;
  "tokens.share": Of<ById & { readonly allow: "read" | "views"; readonly ttlMs?: number }, CreatedToken>;
  "audit.list": Of<Omit<AuditQuery, "cursor" | "limit"> & PageQuery, ListPage<AuditRecord>>;
  me: Of<Readonly<Record<never, never>>, MeView>;
  version: Of<Readonly<Record<never, never>>, { readonly version: string; readonly api: "v1"; readonly scopes: readonly AccessScope[] }>;
  "errors.explain": Of<
    { readonly code: string },
    { readonly code: string; readonly name: string; readonly fix: string; readonly page: string }
  >;
}

export type OperationInput<O extends Operation> = OperationTypes[O]["in"];
export type OperationOutput<O extends Operation> = OperationTypes[O]["out"];

/** The two tables have the same operations; otherwise this does not compile. */
type SameKeys<A, B> = [A] extends [B] ? ([B] extends [A] ? true : Exclude<B, A>) : Exclude<A, B>;
const complete: SameKeys<Operation, keyof OperationTypes> = true;
void complete;
