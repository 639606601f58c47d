// pawl: durable workflows for TypeScript. What a user imports; everything else is reached through these. What is not built
// is not exported, and what is exported is a promise: removing a name from here is a breaking change.
import { openEngine } from "./client/engine.ts";
import type { Engine, EngineOpts } from "./client/engine-types.ts";
import { runOnce, type RunOpts } from "./client/run.ts";
import { openWorker } from "./client/worker.ts";
import type { Worker, WorkerOpts } from "./client/worker-types.ts";
import { defaultEnvironment } from "./open.ts";
import type { AnyWorkflow, InputArgs, OutputOf } from "./workflow/types.ts";
export type { MysqlTxClient, PgTxClient, SqliteTxClient, TxClient } from "./store/sql/tx-client.ts";

/**
 * Opens an engine on a store. It runs what is started on it, and takes over runs that other engines left. Stop it when your process ends.
 *
 * @example
 * const app = await engine({ store: "sqlite:./data.db", workflows: [order] });
 * const handle = await app.start(order, { id: "17" });
 * await app.stop();
 */
export async function engine(o?: EngineOpts): Promise<Engine> {
  return (await openEngine(defaultEnvironment(), o)).engine;
}

/**
 * Opens a worker on a store: it runs steps of tasks on queues, for runs of any engine. It owns no runs. Stop it when your process ends.
 *
 * @example
 * const app = await worker({ store: "postgres://db/app", tasks: [charge], queues: { payments: { concurrency: 20 } } });
 * await app.stop();
 */
export async function worker(o: WorkerOpts): Promise<Worker> {
  return openWorker(defaultEnvironment(), o);
}

/**
 * Runs one workflow to its end, for scripts: opens the nearest store (.pawl), starts or continues the run, returns its result, and lets the
 * process end. With the same `id` a second call continues or attaches to the first run.
 *
 * @example
 * const { shipped } = await run(order, { id: "17" }, { id: "order-17" });
 */
export function run<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, RunOpts>): Promise<OutputOf<W>> {
  return runOnce(defaultEnvironment(), wf, ...args);
}

export { workflow, task, remoteTask } from "./workflow/define.ts";
export { dag } from "./dag/builder.ts";
export { dagFromTemplate } from "./dag/template.ts";
export type { KeyText, TemplateCondition, Template, TemplateEffect, TemplatePointer, TemplateStep } from "./dag/template-types.ts";
export type {
  BatchScope,
  DagBuilder,
  DagDef,
  DagNode,
  DecisionBranch,
  DecisionNode,
  DoOpts,
  EachOpts,
  Given,
  Identity,
  Needs,
  NodeOpts,
  NodeOutcome,
  Staleness,
  Yielded,
} from "./dag/types.ts";
export type { SkipReason, Trigger } from "./core/trigger.ts";
export { schedule } from "./schedule/define.ts";
export type {
  FiredSchedule,
  FireView,
  NewSchedule,
  Schedule,
  ScheduleOpts,
  ScheduleOrder,
  ScheduleOrderView,
  ScheduleVerbs,
  ScheduleView,
  When,
} from "./schedule/types.ts";
export { isWorkflow } from "./workflow/registry.ts";
export { responseError, type AnsweredRequest } from "./errors/response-error.ts";
export { Fatal, NotSent, RetryAfter, StepError, type StepCategory } from "./errors/step-errors.ts";
export { PawlError, type Outcome } from "./errors/error.ts";
export type { Code } from "./errors/catalogue.ts";
export type { Duration } from "./core/duration.ts";
export type { Retry } from "./core/retry.ts";
export type { Limits } from "./core/limits.ts";
export type { EffectPhase, EffectStatus, GuaranteeClass, RunStatus, Scope, Waiting } from "./core/model.ts";
export type {
  Ctx,
  Workflow,
  Task,
  Tx,
  TxOpts,
  StepScope,
  StepOpts,
  TaskOpts,
  RemoteTaskOpts,
  QueueOption,
  Priority,
  Compensation,
  Verdict,
  Confirm,
  ResourceVerifier,
  InputOf,
  OutputOf,
  ChildHandle,
  Json,
} from "./workflow/types.ts";
export type { Answer, Ask, Question } from "./workflow/question-types.ts";
export type { Engine, EngineOpts, Handle, SealOpts, StartOpts } from "./client/engine-types.ts";
export type { Worker, WorkerOpts } from "./client/worker-types.ts";
export type { RunOpts } from "./client/run.ts";
export type {
  AcceptedSignal,
  AcceptedSignalResult,
  Answered,
  AnswerOptions,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  LegalAnswer,
  OpenQuestion,
  PlannedStep,
  QuestionView,
  Resolved,
  RetryOptions,
  RetryPlan,
  RetryWarning,
  RunView,
  StepView,
  WhenDiverged,
} from "./client/types.ts";
export type { KeyUse } from "./events/key-count.ts";
export type { EffectProof, EffectVerdict, Proof } from "./events/proof.ts";
export type { EvidenceManifest, RunEventRecord, RunEventWrite } from "./core/contract.ts";
export type { Appended, AppendedBatch, AppendOptions, AppendRejection } from "./log/append-types.ts";
export type { EventIdRegistry, EventToEmit, ProducedRun, Producer } from "./log/producer.ts";
export { projector, type Projector, type ProjectorOptions, type ProjectorState, type Reduced } from "./readers/projector.ts";
export type { Delivery, ProjectOptions, Alert, SubscribeOptions, Subscription } from "./client/reader-types.ts";
export type {
  Condition,
  ProjectorAlert as InvalidTransitionAlert,
  ProjectorPolicy,
  ProjectedRun,
  ProjectedStep,
} from "./readers/reduce.ts";
export type { EvidenceOptions } from "./log/evidence.ts";
export type { RetentionOpts } from "./engine/upkeep/background-retention.ts";
export type { RetentionPolicy } from "./engine/upkeep/retention.ts";
export type { Logger, LogLevel } from "./engine/run-host.ts";
export type { Streamed } from "./engine/streams/step-streams.ts";
export type { DecisionNotice } from "./engine/decisions/decision-notice.ts";
export type {
  WebhookDeadLetter,
  DeliverOpts,
  Delivering,
  DeliveryState,
  DeliveryView,
  EndpointSecret,
  EndpointView,
  NewEndpoint,
  ReplayWhat,
  Webhooks,
} from "./webhooks/types.ts";
export { fileEffects as fileEffectStore } from "./store/file/effect-store.ts";
export type { EffectStore, StoredEffectResult } from "./store/effect-store.ts";
export type { Store } from "./store/port.ts";
export type { UserTransaction } from "./store/user-transaction.ts";
