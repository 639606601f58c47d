// pawl/client: talk to runs without running any: start, look, signal, update, control, on a store that engines share.
// It claims nothing and runs no code; what it asks for is done by whichever engine owns the run.
import { noteClientOpened } from "./client/http/clients-opened.ts";
import { defaultScope } from "./client/environment.ts";
import { connectToServer } from "./client/http/connect.ts";
import type { HttpClient, HttpConnectOpts } from "./client/http/types.ts";
import { localClient } from "./client/local-client.ts";
import { OpenReaders } from "./client/reader-verbs.ts";
import { SharedParts } from "./client/shared-parts.ts";
import type { Client } from "./client/types.ts";
import { checkOptions } from "./core/guarantee.ts";
import { checkLimits } from "./core/limits.ts";
import type { Scope } from "./core/model.ts";
import { checkStoreOption } from "./core/store-url.ts";
import { loadTelemetry } from "./engine/telemetry/opentelemetry.ts";
import { PawlError } from "./errors/error.ts";
import { openStore } from "./open.ts";
import { env } from "./platform/terminal.ts";
import { systemPlatform } from "./platform/system.ts";
import { type AnyStore, completeStore } from "./store/full-store.ts";

/** Which store, and whose runs. */
export interface ConnectOpts {
  /** "sqlite:<path>", "postgres://…", "mysql://…", or an open Store; the nearest .pawl unless given. */
  store?: string | AnyStore;
  /** Whose runs; the default tenant unless given. */
  tenant?: Scope;
}

/**
 * A client of a server: the same verbs over HTTP, except for those that need the store itself (docs/http-client.md).
 *
 * @example
 * const client = await connect({ url: "https://pawl.example.com", token: process.env.PAWL_TOKEN! });
 * const { runId } = await client.start({ workflow: "order", input: { id: "17" } });
 */
export function connect(o: HttpConnectOpts): Promise<HttpClient>;
/**
 * A client of a store: starts, reads, signals and controls runs, and runs no code of them. Some engine on the same store does the work.
 * `close` stops what was started here and closes the store.
 *
 * @example
 * const client = await connect({ store: "postgres://localhost/app" });
 * const { runId } = await client.start({ workflow: "order", input: { id: "17" } });
 * await client.close();
 */
export function connect(o?: ConnectOpts): Promise<Client & { close(): Promise<void> }>;
export async function connect(o: ConnectOpts | HttpConnectOpts = {}): Promise<HttpClient> {
  if (typeof o === "object" && o !== null && "url" in o) return connectToServer(checkServerOptions(o));
  checkOptions(o, storeOptions, "connect() without url"); // a misspelt url would open another store
  checkStoreOption(o, env("NODE_ENV") === "production");
  noteClientOpened();
  const platform = systemPlatform();
  const store = typeof o.store === "object" ? completeStore(o.store) : await openStore(o.store, platform);
  const readers = new OpenReaders();
  const scope = o.tenant ?? defaultScope;
  const parts = new SharedParts({ store, platform, scope, sealKey: env("PAWL_SEAL_KEY") });
  const client = localClient({
    store,
    readers,
    parts,
    platform,
    scope,
    limits: checkLimits(),
    engine: null,
    retainMs: null,
    telemetry: await loadTelemetry(),
  });
  const close = async (): Promise<void> => {
    await Promise.all([readers.stop(), parts.close()]);
    if (typeof o.store !== "object") await store.close();
  };
  return { ...client, close };
}

/** `url` is never among them here, and is what may have been meant. */
const storeOptions: ReadonlySet<string> = new Set(["store", "tenant", "url"] satisfies (keyof ConnectOpts | "url")[]);

function checkServerOptions(o: HttpConnectOpts): HttpConnectOpts {
  for (const name of ["store", "tenant"])
    if ((o as unknown as Record<string, unknown>)[name] !== undefined)
      throw new PawlError("PAWL4011", `give url or ${name}, not both: a server has its own store and serves one tenant`);
  return o;
}

export type { HttpClient, HttpConnectOpts, LocalOnly } from "./client/http/types.ts";
export type { TokenSource } from "./client/http/target.ts";
export type {
  BatchAction,
  BatchPage,
  BatchView,
  NewBatch,
  StopBatch,
  RunGuarantee,
  TimelineBar,
  TimelineGap,
  WorkflowVersionView,
} from "./client/types.ts";
export type {
  AcceptedSignal,
  AcceptedSignalResult,
  Client,
  Control,
  ControlAnswer,
  ControlCall,
  ControlRequest,
  MessageState,
  ExportOptions,
  HoldView,
  ImportOptions,
  ImportReport,
  RetentionPolicy,
  RetentionReport,
  Who,
  Answered,
  AnswerOptions,
  OpenQuestion,
  QuestionView,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  EngineView,
  Finding,
  RepairOptions,
  RepairReport,
  RunEnd,
  RunFilter,
  LegalAnswer,
  Resolved,
  RunView,
  StartRequest,
  StepView,
  WhenDiverged,
  StoreVerification,
  StoreView,
  VerifyProgress,
  VerifyStoreOptions,
} from "./client/types.ts";
export type { InvestigationCause, InvestigationView, QueueSettings, QueueView, StepAct, WorkerView } from "./api/types/queues.ts";
export type { PlanStatus, Readiness, RunStanding, StepWhy, TemplateList, TemplateView } from "./api/types/plan.ts";
export type {
  FiredSchedule,
  FireView,
  NewSchedule,
  ScheduleOrder,
  ScheduleOrderView,
  ScheduleVerbs,
  ScheduleView,
  When,
} from "./schedule/types.ts";
export { handleAppend, type AppendRequest, type AppendResponse } from "./client/handle-append.ts";
export type { Appended, AppendedBatch, AppendOptions, AppendRejection } from "./log/append-types.ts";
export type { RunEventRecord, RunEventWrite } from "./core/contract.ts";
export type { EventIdRegistry, EventToEmit, ProducedRun, Producer } from "./log/producer.ts";
export type {
  AlertFilter,
  Condition,
  ConsumerView,
  ConsumerDeadLetter,
  Delivery,
  HeldRun,
  InvalidTransitionAlert,
  ProjectorPolicy,
  ProjectedRun,
  ProjectedStep,
  ProjectionView,
  ProjectOptions,
  RebuildOptions,
  RebuildProgress,
  Rebuilt,
  ReaderVerbs,
  Alert,
  StreamCursor,
  SubscribeOptions,
  Subscription,
} from "./client/reader-types.ts";
export { projector, type Projector, type ProjectorOptions, type ProjectorState, type Reduced } from "./readers/projector.ts";
export type { EvidenceOptions } from "./log/evidence.ts";
export type { UserTransaction } from "./store/user-transaction.ts";
export type { DeliverOpts, Delivering, DeliveryView, EndpointSecret, EndpointView, NewEndpoint, Webhooks } from "./webhooks/types.ts";
export { PawlError } from "./errors/error.ts";
