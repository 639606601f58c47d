// pawl: durable workflows for TypeScript. What a user imports; everything else is reached through these. What is not built
// is not exported, and what is exported is a promise: removing a name from here is a breaking change.
import { openEngine, type Engine, type EngineOpts } from "./client/engine.ts";
import { runOnce, type RunOpts } from "./client/run.ts";
import { defaultEnvironment } from "./open.ts";
import type { AnyWorkflow, InputArgs, OutputOf } from "./workflow/types.ts";
export type { MysqlTxClient, PgTxClient, SqliteTxClient, TxClient } from "./store/sql/tx-client.ts";

/** An engine on a store: runs what is started on it, takes over what others left. */
export async function engine(o?: EngineOpts): Promise<Engine> {
  return (await openEngine(defaultEnvironment(), o)).engine;
}

/** Zero ceremony: opens the nearest .pawl, recovers what it knows, runs, returns, and lets the process end. */
export function run<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, RunOpts>): Promise<OutputOf<W>> {
  return runOnce(defaultEnvironment(), wf, ...args);
}

export { workflow, task } from "./workflow/define.ts";
export { isWorkflow } from "./workflow/registry.ts";
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
  Compensation,
  Verdict,
  Confirm,
  ResourceVerifier,
  InputOf,
  OutputOf,
  ChildHandle,
  Json,
} from "./workflow/types.ts";
export type { Engine, EngineOpts, Handle, SealOpts, StartOpts } from "./client/engine.ts";
export type { RunOpts } from "./client/run.ts";
export type {
  AcceptedSignal,
  AcceptedSignalResult,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  LegalAnswer,
  PlannedStep,
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
export type { Condition, InvalidTransitionAlert, ProjectorPolicy, ProjectedRun, ProjectedStep } from "./readers/reduce.ts";
export type { EvidenceOptions } from "./log/evidence.ts";
export type { RetentionOpts } from "./engine/upkeep/background-retention.ts";
export type { RetentionPolicy } from "./engine/upkeep/retention.ts";
export type { Logger, LogLevel } from "./engine/run-host.ts";
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
