// The client: one interface to runs, the same in process and over a wire. Values here are public shapes (RFC 3339
// times, no fences, no tokens); what the CLI prints is exactly this.
import type { AppendAuthority } from "../log/append-types.ts";
import type { RunEventRecord } from "../core/contract.ts";
import type { EvidenceOptions } from "../log/evidence.ts";
import type { Proof } from "../events/proof.ts";
import type { ProducedRun, Producer } from "../log/producer.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { ArchiveVerbs } from "./archive/types.ts";
import type { BatchVerbs } from "./batches/types.ts";
import type { EventPageQuery } from "./operate/event-pages.ts";
import type { Webhooks } from "../webhooks/types.ts";
import type { AuditPage, AuditQuery, TokenVerbs } from "../access/types.ts";
import type { RepairOptions, RepairReport } from "./audit/repair.ts";
import type { StoreVerification, VerifyStoreOptions } from "./audit/verify-store.ts";
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
  StoreView,
} from "../api/types/run.ts";
import type { FollowItem, FollowOptions, WatchItem } from "../api/types/follow.ts";
import type {
  ControlAnswer,
  ControlRequest,
  ExplainedEngine,
  ExplainedRun,
  MessageState,
  RunCounts,
  RunVerification,
  Timeline,
  WorkflowView,
} from "../api/types/operate.ts";
import type { Retried, RetryOptions, RetryPlan } from "../api/types/retry.ts";
import type { DecisionAnswer, DecisionView, EffectFilter, EffectView, Resolved } from "../api/types/ledger.ts";

/** A wait that its caller may end: it rejects with the signal's reason, and what was asked for stays asked for. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** How a control is asked for, and how long its caller waits. */
export interface ControlCall extends ControlRequest, Abortable {
  /** How long to wait for the run's owner, in milliseconds; 5,000 unless given, 0: not at all. */
  readonly timeoutMs?: number;
  /** Posts it whatever the run's status is: its owner does it when it makes sense, such as a pause of a run that has not begun. */
  readonly unconditional?: boolean;
}

/** Ids: a runId, or a workflowId, which means its latest run. */
/** Which page of a list: `cursor` is that of the page before. */
export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
}
export interface StepPage {
  readonly steps: readonly StepView[];
  readonly cursor?: string;
}
export interface DecisionPage {
  readonly decisions: readonly DecisionView[];
  readonly cursor?: string;
}

export interface Client extends ArchiveVerbs, ReaderVerbs {
  /**
   * Starts a run of a workflow by name. Some engine that has its code runs it. Without the code, the name, the version and the input are checked
   * against what engines have published: PAWL4008 for a workflow that none has, unless `allowUnknown`. `created` is false when the id had
   * a run already, `served` when no engine that could run it is alive.
   *
   * @example
   * const { runId } = await client.start({ workflow: "order", input: { id: "17" }, id: "order-17" });
   */
  start(r: StartRequest, o?: Abortable): Promise<StartedRun>;
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
   *
   * @example
   * await client.signal("order-17", "approved", { by: "ann" }, { signalId: "approval-17" });
   */
  signal(
    id: string,
    name: string,
    payload: unknown,
    o?: { readonly signalId?: unknown; readonly tx?: UserTransaction },
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
    o?: { readonly updateId?: string; readonly timeoutMs?: number } & Abortable,
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
   * An archive that proves the run offline (docs/evidence.md); `pawl verify` checks it.
   *
   * @example
   * await writeFile("order-17.zip", await client.evidence("order-17"));
   */
  evidence(id: string, o?: EvidenceOptions): Promise<Uint8Array>;
  /**
   * The ledger: recorded effects across runs, by key, class, status, name, receiver or run.
   *
   * @example
   * const { effects } = await client.effects({ status: "indeterminate" });
   */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /**
   * Everything that waits for a person, with the answers that are possible and what follows from each.
   *
   * @example
   * for (const d of await client.decisions()) console.log(d.decisionId, d.reason);
   */
  decisions(o?: { readonly limit?: number }): Promise<readonly DecisionView[]>;
  /**
   * The same, a page at a time. A page reads the logs of 100 runs at most: it may be empty and have a cursor.
   *
   * @example
   * const { decisions, cursor } = await client.decisionPage({ limit: 20 });
   */
  decisionPage(o?: PageOptions): Promise<DecisionPage>;
  /**
   * Answers a decision. It is durable once this returns; the run's owner records who answered, and why.
   *
   * @example
   * await client.resolve(id, { happened: false, by: "ann", reason: "the bank has no such charge" });
   */
  resolve(
    decisionId: string,
    answer: DecisionAnswer,
    o?: { readonly requestId?: string; readonly timeoutMs?: number } & Abortable,
  ): Promise<Resolved>;
  /**
   * How often effects may have happened, and why that is known: of a run, or of every effect under a key.
   *
   * @example
   * const { sentence } = await client.proof("order-17");
   */
  proof(id: string): Promise<Proof>;
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
  /**
   * Workflows that engines have published: versions, schemas, and whether an engine that serves them is alive.
   *
   * @example
   * const idle = (await client.workflows()).filter((w) => !w.served);
   */
  workflows(): Promise<readonly WorkflowView[]>;
  /**
   * Engines of this tenant stop beginning runs of this workflow and taking on waiting ones, within about a second. Starts are queued; runs that are
   * at work continue.
   *
   * @example
   * await client.pauseWorkflow("order", { reason: "the bank is down" });
   */
  pauseWorkflow(workflow: string, o?: { readonly reason?: string }): Promise<WorkflowView>;
  /**
   * Engines take on runs of this workflow again.
   *
   * @example
   * await client.resumeWorkflow("order");
   */
  resumeWorkflow(workflow: string): Promise<WorkflowView>;
  /**
   * The engines of this tenant, those that are alive first.
   *
   * @example
   * const draining = (await client.engines()).filter((e) => e.draining);
   */
  engines(): Promise<readonly ExplainedEngine[]>;
  /**
   * An engine takes on no more runs and releases those that it owns, each when its steps that are at work have ended. It stays alive until its
   * process is stopped.
   *
   * @example
   * await client.drainEngine("01a1ea64-e49e-75b6-94c1-7920918a7ab4", { reason: "this machine is replaced" });
   */
  drainEngine(engineId: string, o?: { readonly reason?: string }): Promise<ExplainedEngine>;
  /**
   * The store as an operator sees it: format, clock, settings, engines.
   *
   * @example
   * const alive = (await client.info()).engines.filter((e) => e.alive);
   */
  info(): Promise<StoreView>;
  /**
   * Folds every log again and compares every derived table with it. Engines may be writing meanwhile.
   *
   * @example
   * const { ok, findings } = await client.verifyStore();
   */
  verifyStore(o?: VerifyStoreOptions): Promise<StoreVerification>;
  /**
   * Makes derived tables again from the logs. It writes only with `write: true`, and only while no engine is alive.
   *
   * @example
   * const { left } = await client.repairStore({ write: true });
   */
  repairStore(o?: RepairOptions): Promise<RepairReport>;
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
export type { FollowItem, FollowOptions, WatchItem } from "../api/types/follow.ts";
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
export type { PlannedStep, Retried, RetryOptions, RetryPlan, RetryWarning } from "../api/types/retry.ts";
export type { BatchAction, BatchView, NewBatch } from "../api/types/operate.ts";
export type { RunCounts, RunVerification, Timeline, TimelineBar, TimelineGap } from "../api/types/operate.ts";
export type { EventPageQuery } from "./operate/event-pages.ts";
export type { BatchPage, BatchVerbs, StopBatch } from "./batches/types.ts";
export type { Finding } from "./audit/finding.ts";
export type { RepairOptions, RepairReport } from "./audit/repair.ts";
export type { StoreVerification, VerifyProgress, VerifyStoreOptions } from "./audit/verify-store.ts";
