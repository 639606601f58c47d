// The client: one interface to runs, the same in process and over a wire. Values here are public shapes (RFC 3339
// times, no fences, no tokens); what the CLI prints is exactly this.
import type { Duration } from "../core/duration.ts";
import type { AppendAuthority } from "../log/append-types.ts";
import type { RunEventRecord } from "../core/contract.ts";
import type { RecordedIO, Standpoint } from "../events/graph-log.ts";
import type { ProducedRun, Producer } from "../log/producer.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { ArchiveVerbs } from "./archive/types.ts";
import type { Abortable, ControlCall, PageOptions, StartWait, StepPage } from "./control/call-options.ts";
import type { LedgerVerbs } from "./ledger/types.ts";
import type { OperatorVerbs } from "./operate/types.ts";
import type { RunStanding, StepWhy, TemplateVerbs } from "../api/types/plan.ts";
import type { InvestigationVerbs } from "./investigations/types.ts";
import type { QueueVerbs } from "./queues/types.ts";
import type { ScheduleVerbs } from "../schedule/types.ts";
import type { BatchVerbs } from "./batches/types.ts";
import type { EventPageQuery } from "./operate/event-pages.ts";
import type { Webhooks } from "../webhooks/types.ts";
import type { AuditPage, AuditQuery, TokenVerbs } from "../access/types.ts";
import type { ReaderVerbs } from "./reader-types.ts";
import type {
  RunView,
  StepView,
  AcceptedSignal,
  StartRequest,
  StartedRun,
  RunEnd,
  WhenDiverged,
  RunFilter,
  Control,
} from "../api/types/run.ts";
import type { FollowItem, FollowOptions, WatchItem } from "../api/types/follow.ts";
import type { GraphStreamItem, GraphStreamOptions } from "../api/types/graph-stream.ts";
import type { ControlAnswer, ExplainedRun, MessageState, RunCounts, RunVerification, Timeline } from "../api/types/operate.ts";
import type { ForkOptions, Forked, ForkPlan, ForkQuestion } from "../api/types/fork.ts";
import type { NextOptions, NextTurn } from "../api/types/next.ts";
import type { Retried, RetryOptions, RetryPlan } from "../api/types/retry.ts";

export interface Client extends ArchiveVerbs, ReaderVerbs, LedgerVerbs, OperatorVerbs {
  /**
   * Starts a run of a workflow by name. Some engine that has its code runs it. Without the code, the name, the version and the input are checked
   * against what engines have published: PAWL4008 for a workflow that none has, unless `allowUnknown`. `created` is false when the id had
   * a run already, `served` when no engine that could run it is alive.
   *
   * @example
   * const { runId } = await client.start({ workflow: "order", input: { id: "17" }, id: "order-17" });
   */
  start(r: StartRequest, o?: StartWait): Promise<StartedRun>;
  /**
   * One run, and why it is not further than it is; undefined when there is none.
   *
   * @example
   * const { code, text, fix } = (await client.get("order-17"))!.because;
   */
  get(id: string): Promise<ExplainedRun | undefined>;
  /**
   * Runs, newest first, a page at a time; pass `cursor` back for the next page.
   *
   * @example
   * const { runs, cursor } = await client.list({ status: ["FAILED"], limit: 100 });
   */
  list(q?: RunFilter): Promise<{ readonly runs: readonly RunView[]; readonly cursor?: string }>;
  /**
   * The steps of a run, in the order in which they began.
   *
   * @example
   * const open = (await client.steps("order-17")).filter((s) => s.status === "RUNNING");
   */
  steps(id: string): Promise<readonly StepView[]>;
  /**
   * The same, a page at a time: 100 steps unless `limit` says otherwise; pass `cursor` back for the next page.
   *
   * @example
   * const { steps, cursor } = await client.stepPage("order-17", { limit: 20 });
   */
  stepPage(id: string, o?: PageOptions): Promise<StepPage>;
  /**
   * The log of a run, a page at a time: the events after `after`, or the last ones before `before`, of all types or of some.
   *
   * @example
   * const page = await client.events("order-17", { after: 0, limit: 100 });
   */
  events(id: string, o?: EventPageQuery): Promise<readonly RunEventRecord[]>;
  /**
   * One event of a run's log, by its runSeq.
   *
   * @example
   * const { payload } = await client.event("order-17", 12);
   */
  event(id: string, seq: number): Promise<RunEventRecord>;
  /**
   * The steps of a run as at most 400 bars of time, and the times in which a crash left it without an engine.
   *
   * @example
   * const { bars, gaps } = await client.timeline("order-17");
   */
  timeline(id: string): Promise<Timeline>;
  /**
   * How many runs match, by status, workflow and error code; each number stops at 1,000.
   *
   * @example
   * const failed = (await client.count({ workflow: "order" })).byStatus.FAILED ?? 0;
   */
  count(q?: Omit<RunFilter, "limit" | "cursor">): Promise<RunCounts>;
  /**
   * Checks a run's log and ledger and names them by hashes. It changes nothing.
   *
   * @example
   * const { ok, eventChainRoot } = await client.verifyRun("order-17");
   */
  verifyRun(id: string): Promise<RunVerification>;
  /**
   * Waits until the run, and the runs that continue it, have ended. Rejects with PAWL4006 when `timeoutMs` passes first.
   *
   * @example
   * const { status, result } = await client.waitForEnd("order-17", { timeoutMs: 30_000 });
   */
  waitForEnd(id: string, o?: { readonly timeoutMs?: number; readonly whenDiverged?: WhenDiverged } & Abortable): Promise<RunEnd>;
  /**
   * Sends a signal. It is checked before it is accepted, by the workflow's code where this process has it, otherwise by what its engines
   * published (docs/signals.md). With a `signalId` of your own it may be sent again: it is accepted once.
   * The span that is active here, or the one that `traceparent` names, is linked to by the activation that takes it (docs/telemetry.md).
   *
   * @example
   * await client.signal("order-17", "approved", { by: "ann" }, { signalId: "approval-17" });
   */
  signal(
    id: string,
    name: string,
    payload: unknown,
    o?: {
      readonly signalId?: unknown;
      readonly traceparent?: string;
      /** The run gets it this long after it was accepted, and not before. It is durable at once. */
      readonly delay?: Duration;
      readonly tx?: UserTransaction;
    },
  ): Promise<AcceptedSignal>;
  /**
   * Sends a request to the run and waits for its answer; rejects with PAWL4007 when the run refuses it.
   *
   * @example
   * const answer = await client.update("order-17", "setAddress", { city: "Bern" });
   */
  update(
    id: string,
    name: string,
    payload: unknown,
    o?: { readonly updateId?: string; readonly timeoutMs?: number; readonly traceparent?: string } & Abortable,
  ): Promise<unknown>;
  /**
   * What became of a signal: accepted, delivered to the run, or rejected by its owner, with the reason; undefined when none was accepted
   * under this id.
   *
   * @example
   * const { state } = (await client.signalState("order-17", "approved", "approval-17"))!;
   */
  signalState(id: string, name: string, signalId: string): Promise<MessageState | undefined>;
  /**
   * What became of an update, with its answer once there is one; undefined when none was accepted under this id.
   *
   * @example
   * const answer = (await client.updateState("order-17", "setAddress", "address-17"))?.answer;
   */
  updateState(id: string, name: string, updateId: string): Promise<MessageState | undefined>;
  /**
   * The value that the run published last under this name; undefined before the first one. Where this process has
   * the workflow's code, a name that it does not declare is refused (PAWL1016).
   *
   * @example
   * const status = await client.view("order-17", "status");
   */
  view(id: string, name: string): Promise<unknown>;
  /**
   * Pauses, resumes, cancels or terminates a run. It is durable once this returns. "applied": the log shows it; "posted": the run's owner
   * has not taken it yet. Where no live engine owns the run, pause, resume and terminate are applied from here. What the run's status does
   * not permit is refused (PAWL4010, PAWL4003). The same `requestId` again is answered with what became of it.
   *
   * @example
   * const { state } = await client.control("order-17", "pause", { reason: "the bank is down" });
   */
  control(id: string, what: Control, o?: ControlCall): Promise<ControlAnswer>;
  /**
   * Appends events of a run that producers outside an engine write, and creates the run with the first one (docs/append.md). An event that
   * exists already is answered with its record. Nothing can be appended to a run of an engine.
   *
   * @example
   * const { runSeq } = await client.append(event);
   */
  readonly append: AppendAuthority["append"];
  /**
   * Forgets that an event was rejected as INVALID_TRANSITION, so that it is judged again; false when nothing was remembered.
   *
   * @example
   * await client.clearRejection("import-7", rejection.idempotencyKey);
   */
  clearRejection(runId: string, idempotencyKey: string): Promise<boolean>;
  /**
   * Emits the events of one run of your own, each under an id that survives crashes (docs/append.md).
   *
   * @example
   * const producer = client.producer({ runId: "import-7", planId: "import", planVersion: "1" });
   * await producer.emit({ eventType: "RunStarted" });
   */
  producer(run: ProducedRun): Producer;
  /**
   * Says what a retry would do with each step, and writes nothing.
   *
   * @example
   * const { steps } = await client.retry("order-17", { dryRun: true });
   */
  retry(id: string, o: RetryOptions & { readonly dryRun: true }): Promise<RetryPlan>;
  /**
   * A new run in place of one that has ended, which takes over what the run chain completed (docs/retrying.md).
   *
   * @example
   * const { runId } = await client.retry("order-17", { fromStep: "ship" });
   */
  retry(id: string, o?: RetryOptions & { readonly dryRun?: false }): Promise<Retried>;
  /**
   * The next turn of a graph: a new run of the same id that begins with the state which the last run left, and applies its input to it
   * (docs/time-travel.md). Refused while the last run is open; of two requests at once one wins.
   *
   * @example
   * const { runId } = await client.next("chat-1", { messages: { role: "user", text: "And owls?" } });
   */
  next(id: string, input: unknown, o?: NextOptions): Promise<NextTurn>;
  /**
   * Says what a fork would do with each recorded step, and writes nothing.
   *
   * @example
   * const { next, steps } = await client.fork("essay-1", { at: 2, dryRun: true });
   */
  fork(id: string, o: ForkQuestion): Promise<ForkPlan>;
  /**
   * A new run of a graph, which begins where this one stood after a superstep (docs/time-travel.md).
   *
   * @example
   * const { runId } = await client.fork("essay-1", { at: 2, id: "essay-2", by: "ann", reason: "another beginning" });
   */
  fork(id: string, o: ForkOptions): Promise<Forked>;
  /**
   * Where a graph stood after its last superstep, or after superstep `at`: its values, and the work that came next. Read from the log; undefined
   * for a superstep that has not ended.
   *
   * @example
   * const { values, next } = (await client.state("essay-1", { at: 2 }))!;
   */
  state(id: string, o?: { readonly at?: number | string }): Promise<Standpoint | undefined>;
  /**
   * The supersteps of a graph, newest first, each with the state after it: 20 unless `limit` says otherwise, those before `before`.
   *
   * @example
   * for (const { superstep, key } of await client.history("essay-1")) console.log(superstep, key);
   */
  history(id: string, o?: { readonly before?: number; readonly limit?: number }): Promise<readonly Standpoint[]>;
  /**
   * What the external calls of one superstep of a graph were given and gave, with a hash of each response.
   *
   * @example
   * for (const { node, attempt, hash } of await client.io("essay-1", 2)) console.log(node, attempt, hash);
   */
  io(id: string, superstep: number): Promise<readonly RecordedIO[]>;
  /**
   * A graph as its supersteps end: what their nodes returned, the state after each, the questions of nodes. It begins at the start, or after the
   * superstep `after`, waits for more, and ends with the run.
   *
   * @example
   * for await (const item of client.streamGraph("essay-1", { after: 2 })) if (item.mode === "updates") console.log(item.node, item.update);
   */
  streamGraph(id: string, o?: GraphStreamOptions): AsyncIterable<GraphStreamItem>;
  /** Events out: endpoints, deliveries, and the service that delivers (docs/webhooks.md). */
  readonly webhooks: Webhooks;
  /** Tokens, with which callers authenticate at a server (docs/access.md). */
  readonly tokens: TokenVerbs;
  /**
   * The audit log: who did what through servers, and who was refused, newest first. A page may be empty and have a cursor: keep reading.
   *
   * @example
   * const { records } = await client.audit({ run: "order-17" });
   */
  audit(q?: AuditQuery): Promise<AuditPage>;
  /** One action on many runs: ordered once, worked by any process of the tenant (docs/operating/batches.md). */
  readonly batches: BatchVerbs;
  /** Registered templates: DAGs as data (docs/templates.md). */
  readonly templates: TemplateVerbs;
  /**
   * Wakes the run of a DAG and says where it stands. Not ready is an answer, not an error; of a run that has ended it says so.
   *
   * @example
   * const { status, final } = await client.evaluate("order-17");
   */
  evaluate(id: string): Promise<RunStanding>;
  /**
   * Why each step of a DAG's run, or one of them, is not further: a label, a sentence, and what it waits for.
   *
   * @example
   * for (const { stepId, sentence } of await client.why("order-17")) console.log(stepId, sentence);
   */
  why(id: string, step?: string): Promise<readonly StepWhy[]>;
  /** Queues of this tenant: how full they are, their limits, pausing them, and who serves them (docs/operating/queues.md). */
  readonly queues: QueueVerbs;
  /** Runs that somebody should look at: records with a history, never a requeue (docs/operating/queues.md). */
  readonly investigations: InvestigationVerbs;
  /** Workflows that are started at due times, once each over all engines (docs/schedules.md). */
  readonly schedules: ScheduleVerbs;
  /**
   * Follows a run: its log from `after` on, then what is added to it. By runId it ends with the run; by workflowId it continues with each
   * later run, until `signal` ends it. No event is left out and none comes twice.
   *
   * @example
   * for await (const item of client.follow("order-17")) if (item.kind === "event") console.log(item.event.runSeq, item.event.eventType);
   */
  follow(id: string, o?: FollowOptions): AsyncIterable<FollowItem>;
  /**
   * Watches many runs: the newest that fit the filter, then the state of each run that changes. States in between may be missing;
   * consumers and webhooks see every event.
   *
   * @example
   * for await (const item of client.watch({ workflow: "order" })) if (item.kind === "run") console.log(item.run.runId, item.run.status);
   */
  watch(filter?: Omit<RunFilter, "limit" | "cursor">, o?: { readonly signal?: AbortSignal }): AsyncIterable<WatchItem>;
  /**
   * Waits until something about the run (any run, if undefined) may have changed, or `timeoutMs` has passed. A hint, for code that follows
   * a run.
   *
   * @example
   * await client.waitForChange("order-17", { timeoutMs: 1_000 });
   */
  waitForChange(id: string | undefined, o: { readonly timeoutMs: number } & Abortable): Promise<void>;
}

export type { Abortable, ControlCall, DecisionPage, PageOptions, StartWait, StepPage } from "./control/call-options.ts";
export type { LedgerVerbs } from "./ledger/types.ts";
export type { OperatorVerbs } from "./operate/types.ts";
export type { ExportOptions, HoldView, ImportOptions, ImportReport, RetentionPolicy, RetentionReport, Who } from "./archive/types.ts";
export type {
  RunView,
  StepView,
  AcceptedSignalResult,
  AcceptedSignal,
  StartRequest,
  StartedRun,
  RunEnd,
  WhenDiverged,
  RunFilter,
  Control,
  EngineView,
  StoreView,
} from "../api/types/run.ts";
export type { DecisionAnswer, DecisionView, EffectFilter, EffectView, LegalAnswer, Resolved } from "../api/types/ledger.ts";
export type { AnswerOptions, Answered, OpenQuestion, QuestionView } from "../api/types/questions.ts";
export type { RecordedIO, Standpoint } from "../events/graph-log.ts";
export type { FollowItem, FollowOptions, WatchItem } from "../api/types/follow.ts";
export type { GraphStreamItem, GraphStreamOptions } from "../api/types/graph-stream.ts";
export type {
  Because,
  ControlAnswer,
  ControlRequest,
  ExplainedEngine,
  ExplainedRun,
  MessageState,
  WorkflowVersionView,
  WorkflowView,
} from "../api/types/operate.ts";
export type { ForkEffects, ForkOptions, Forked, ForkPlan, ForkQuestion } from "../api/types/fork.ts";
export type { NextOptions, NextTurn } from "../api/types/next.ts";
export type { PlannedStep, Retried, RetryOptions, RetryPlan, RetryWarning } from "../api/types/retry.ts";
export type { BatchAction, BatchView, NewBatch } from "../api/types/operate.ts";
export type { RunCounts, RunGuarantee, RunVerification, Timeline, TimelineBar, TimelineGap } from "../api/types/operate.ts";
export type { EventPageQuery } from "./operate/event-pages.ts";
export type { InvestigationCause, InvestigationView, QueueSettings, QueueView, StepAct, WorkerView } from "../api/types/queues.ts";
export type { InvestigationVerbs } from "./investigations/types.ts";
export type { QueueVerbs } from "./queues/types.ts";
export type { NewSchedule, ScheduleVerbs, ScheduleView } from "../schedule/types.ts";
export type { BatchPage, BatchVerbs, StopBatch } from "./batches/types.ts";
export type { Finding } from "./audit/finding.ts";
export type { RepairOptions, RepairReport } from "./audit/repair.ts";
export type { StoreVerification, VerifyProgress, VerifyStoreOptions } from "./audit/verify-store.ts";
export type { RunStanding, StepWhy, TemplateVerbs } from "../api/types/plan.ts";
