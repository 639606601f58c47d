// The public shapes of an engine: what engine() takes and returns, and the typed handle of a run. Types only. Every member says what
// it does and shows how it is called, since this is what people read while they type.
import type { Duration } from "../core/duration.ts";
import type { RunEventRecord } from "../core/contract.ts";
import type { Limits } from "../core/limits.ts";
import type { RunStatus, Scope, Waiting } from "../core/model.ts";
import type { DecisionNotice } from "../engine/decisions/decision-notice.ts";
import type { Logger } from "../engine/run-host.ts";
import type { Streamed } from "../engine/streams/step-streams.ts";
import type { RetentionOpts } from "../engine/upkeep/background-retention.ts";
import type { RunUsage } from "../events/usage.ts";
import type { Cause } from "../events/causes.ts";
import type { RecordedIO, Standpoint } from "../events/graph-log.ts";
import type { GraphStreamItem, GraphStreamOptions } from "../api/types/graph-stream.ts";
import type { ChannelsOf, StateOf, UpdateOf } from "../graph/types.ts";
import type { Proof } from "../events/proof.ts";
import type { AppendAuthority } from "../log/append-types.ts";
import type { EvidenceOptions } from "../log/evidence.ts";
import type { ProducedRun, Producer } from "../log/producer.ts";
import type { Schedule, ScheduleVerbs } from "../schedule/types.ts";
import type { EffectStore } from "../store/effect-store.ts";
import type { AnyStore } from "../store/full-store.ts";
import type { UserTransaction } from "../store/user-transaction.ts";
import type { DeliverOpts, Webhooks } from "../webhooks/types.ts";
import type {
  AnyWorkflow,
  In,
  InputArgs,
  Out,
  OutputOf,
  Priority,
  SigOf,
  UpdIn,
  UpdOf,
  UpdOut,
  ViewOf,
  InputOf,
} from "../workflow/types.ts";
import type { ReaderVerbs } from "./reader-types.ts";
import type { AnswerOptions, Answered, OpenQuestion } from "../api/types/questions.ts";
import type { NextOptions } from "../api/types/next.ts";
import type { ForkOptions, ForkPlan, ForkQuestion } from "../api/types/fork.ts";
import type { RetryOptions, RetryPlan } from "../api/types/retry.ts";
import type {
  AcceptedSignal,
  DecisionAnswer,
  DecisionView,
  EffectFilter,
  EffectView,
  Resolved,
  RunFilter,
  RunView,
  StepView,
  WhenDiverged,
} from "./types.ts";

/** How a run is started. */
export interface StartOpts {
  /** The workflowId: a business id of your own. A second start with the same id attaches to the run that has it. */
  id?: string;
  /** Makes a start that is sent again the same start: it is answered with its own run, whatever became of it. */
  idempotencyKey?: string;
  /** What happens when the id has a run already: attach to it (the default), reject the start, or end it and start a new run. */
  onConflict?: "attach" | "reject" | "restart";
  /** With onConflict "restart": why the run that has the id is ended; recorded in its log. */
  reason?: string;
  /** The run begins after this long. */
  delay?: Duration;
  /** The run, and every run that continues it, fails when it has not ended after this long. */
  deadline?: Duration;
  /** Short texts to find the run by, see `list`. */
  tags?: Record<string, string>;
  /** Of the run's queued steps, unless their task says otherwise: 9 comes first, -9 last; 0 unless given. */
  priority?: Priority;
  /** The span that this start belongs to, as W3C trace context; the active one unless given (docs/telemetry.md). */
  traceparent?: string;
  /** A transaction of your own, on the database that holds the store: the run exists once you commit it, and never if you do not. */
  tx?: UserTransaction;
}

/** A start whose result is awaited at once. `signal` ends the wait, not the run. */
export type AwaitedStart = Omit<StartOpts, "tx"> & { whenDiverged?: WhenDiverged; signal?: AbortSignal };

/** One run, typed by its workflow. A handle holds no connection: it may be kept, thrown away, or made again with `engine.get`. */
export interface Handle<W> {
  /** The business id: it stays the same when the run is retried, restarted or continues as new. */
  readonly workflowId: string;
  /** The id of this one run. */
  readonly runId: string;
  /**
   * How far the run is, and what it waits for.
   *
   * @example
   * const { status, waiting } = await handle.status(); // { status: "RUNNING", waiting: "timer" }
   */
  status(): Promise<{ status: RunStatus; waiting?: Waiting }>;
  /**
   * Waits for the run, and for the runs that continue it, and returns the result. Rejects with what the run failed with (PAWL1013), when
   * it was cancelled (PAWL1014), when `timeout` passes (PAWL4006), and when its code and its log disagree, unless `whenDiverged` is "wait".
   *
   * @example
   * const { shipped } = await handle.result({ timeout: "30s" });
   */
  result(o?: { timeout?: Duration; whenDiverged?: WhenDiverged; signal?: AbortSignal }): Promise<OutputOf<W>>;
  /**
   * Sends a signal. It is checked by the workflow's schema and durable once this returns. With a `signalId` of your own it may be sent
   * again: it is accepted once.
   *
   * @example
   * await handle.signal("approved", { by: "ann" }, { signalId: request.id });
   */
  signal<K extends keyof SigOf<W> & string>(
    name: K,
    value: In<SigOf<W>[K]>,
    o?: {
      signalId?: string;
      traceparent?: string;
      /** The run gets it this long after it was accepted, and not before. */
      delay?: Duration;
      tx?: UserTransaction;
    },
  ): Promise<AcceptedSignal>;
  /**
   * Sends a request to the run and waits for its answer; rejects with PAWL4007 when the run refuses it.
   *
   * @example
   * const { ok } = await handle.update("setAddress", { city: "Bern" });
   */
  update<K extends keyof UpdOf<W> & string>(
    name: K,
    value: UpdIn<UpdOf<W>[K]>,
    o?: { updateId?: string; timeout?: Duration; signal?: AbortSignal; traceparent?: string },
  ): Promise<UpdOut<UpdOf<W>[K]>>;
  /**
   * The value that the run published last under this name; undefined before the first one. A name that the workflow does not declare
   * is refused (PAWL1016).
   *
   * @example
   * const status = await handle.view("status");
   */
  view<K extends keyof ViewOf<W> & string>(name: K): Promise<Out<ViewOf<W>[K]> | undefined>;
  /**
   * Lets running steps finish and starts no new ones, until `resume`.
   *
   * @example
   * await handle.pause("the bank is down");
   */
  pause(reason?: string): Promise<void>;
  /**
   * Continues a paused run.
   *
   * @example
   * await handle.resume();
   */
  resume(reason?: string): Promise<void>;
  /**
   * Asks the run to end: its open steps are aborted, what it completed is undone (`compensate`), then it is CANCELLED.
   *
   * @example
   * await handle.cancel("the order was withdrawn");
   */
  cancel(reason?: string): Promise<void>;
  /**
   * Ends the run at once, without undoing anything. For runs whose code cannot run any more.
   *
   * @example
   * await handle.terminate("replaced by order 18");
   */
  terminate(reason: string): Promise<void>;
  /**
   * Says what a retry would do with each step, and writes nothing.
   *
   * @example
   * const { steps } = await handle.retry({ dryRun: true });
   */
  retry(o: RetryOptions & { readonly dryRun: true }): Promise<RetryPlan>;
  /**
   * A new run in place of one that has ended. It takes over what the run chain completed and decides about the rest by each step's
   * guarantee (docs/retrying.md).
   *
   * @example
   * const again = await handle.retry({ fromStep: "ship" });
   */
  retry(o?: RetryOptions & { readonly dryRun?: false }): Promise<Handle<W>>;
  /**
   * The questions that this run, and the runs that it called, ask people: those of `ctx.ask`, and steps that need approval.
   *
   * @example
   * const [question] = await handle.questions();
   */
  questions(): Promise<readonly OpenQuestion[]>;
  /**
   * Answers a question. The workflow's schema checks the value (PAWL1008). The same submission again gets the same reply; another answer after
   * the first is refused (PAWL4070).
   *
   * @example
   * const [question] = await handle.questions();
   * await handle.answer(question!.questionId, { cents: 500 }, { by: "ann", submissionId: "form-3" });
   */
  answer(questionId: string, value: unknown, o: AnswerOptions & { readonly by: string }): Promise<Answered>;
  /**
   * The steps of the run, in the order in which they began.
   *
   * @example
   * for (const s of await handle.steps()) console.log(s.name, s.status);
   */
  steps(): Promise<readonly StepView[]>;
  /**
   * For each effect of the run: how often it may have happened, why that is known, and under which assumptions.
   *
   * @example
   * const { verdict, sentence } = await handle.proof();
   */
  proof(): Promise<Proof>;
  /**
   * The log of the run, event by event. With `follow` it waits for more until the run has ended, or `signal` is aborted.
   *
   * @example
   * for await (const e of handle.events({ follow: true })) console.log(e.runSeq, e.eventType);
   */
  events(o?: { after?: number; follow?: boolean; signal?: AbortSignal }): AsyncIterable<RunEventRecord>;
  /**
   * What steps of the run and of its children (`runId`) say while they run in this process: a model's tokens, what a tool streams, what nodes emit. It is
   * provisional and never stored; a late listener gets what open attempts have said so far. Returns what ends it.
   *
   * @example
   * const silent = handle.listen((s) => s.type === "value" && console.log(s.value));
   */
  listen(listener: (s: Streamed) => void): () => void;
  /**
   * Where a graph stood after its last superstep, or after superstep `at`: its values, and the work that came next. Undefined for a superstep
   * that has not ended; a run of anything other than a graph is refused (PAWL4011).
   *
   * @example
   * const standpoint = await handle.state({ at: 2 });
   */
  state(o?: { readonly at?: number | string }): Promise<Standpoint<StateOf<ChannelsOf<W>>> | undefined>;
  /**
   * The supersteps of a graph, newest first, each with the state after it.
   *
   * @example
   * for (const { superstep, key } of await handle.history({ limit: 10 })) console.log(superstep, key);
   */
  history(o?: { readonly before?: number; readonly limit?: number }): Promise<readonly Standpoint<StateOf<ChannelsOf<W>>>[]>;
  /**
   * What the external calls of one superstep were given and gave, with a hash of each response.
   *
   * @example
   * for (const { node, attempt, hash } of await handle.io(2)) console.log(node, attempt, hash);
   */
  io(superstep: number): Promise<readonly RecordedIO[]>;
  /**
   * The graph as its supersteps end: what their nodes returned, the state after each, the questions of nodes. These are read from the log: `after`
   * continues behind a superstep, in any process. The modes `tokens` and `custom` add what is said while it runs in this process. It ends with the run.
   *
   * @example
   * for await (const item of handle.stream({ modes: ["values"] })) if (item.mode === "values") console.log(item.superstep, item.values);
   */
  stream(o?: GraphStreamOptions): AsyncIterable<GraphStreamItem<StateOf<ChannelsOf<W>>, UpdateOf<ChannelsOf<W>>>>;
  /**
   * The next turn of a graph: a new run of the same id that begins with the state which this one left, and applies its input to it. Refused while this run
   * is open.
   *
   * @example
   * const turn = await handle.next({ id: "o-18" });
   */
  next(input: InputOf<W>, o?: NextOptions): Promise<Handle<W>>;
  /**
   * Says what a fork would do with each recorded step, and writes nothing.
   *
   * @example
   * const { next, steps } = await handle.fork({ at: 2, dryRun: true });
   */
  fork(o: ForkQuestion<UpdateOf<ChannelsOf<W>>>): Promise<ForkPlan>;
  /**
   * A new run of a graph, which begins where this one stood after a superstep (docs/time-travel.md).
   *
   * @example
   * const other = await handle.fork({ at: 2, id: "essay-2", by: "ann", reason: "another beginning" });
   */
  fork(o: ForkOptions<UpdateOf<ChannelsOf<W>>>): Promise<Handle<W>>;
  /**
   * What the model calls of this run used: calls, tokens and cost, in all and by model.
   *
   * @example
   * const { inputTokens, outputTokens, cost } = await handle.usage();
   */
  usage(): Promise<RunUsage>;
  /**
   * Which recorded output of a model caused which effect of this run.
   *
   * @example
   * for (const { effect, by } of await handle.causes()) console.log(effect.tool, by.stepId);
   */
  causes(o?: { readonly stepId?: string; readonly key?: string }): Promise<readonly Cause[]>;
  /**
   * An archive that proves the run offline; `pawl verify` checks it (docs/evidence.md).
   *
   * @example
   * await writeFile("order-17.zip", await handle.evidence());
   */
  evidence(o?: EvidenceOptions): Promise<Uint8Array>;
}

/** An engine on a store: it runs what is started on it and takes over what other engines left. */
export interface Engine {
  /**
   * Starts a run and waits for its result. With an `id` that has a run already, it waits for that run.
   *
   * @example
   * const { shipped } = await app.run(order, { id: "17" }, { id: "order-17" });
   */
  run<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, AwaitedStart>): Promise<OutputOf<W>>;
  /**
   * Starts a run and returns its handle once the run is durable. `created` is false when the id had a run already.
   *
   * @example
   * const handle = await app.start(order, { id: "17" }, { id: "order-17", tags: { shop: "bern" } });
   */
  start<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, StartOpts>): Promise<Handle<W> & { readonly created: boolean }>;
  /**
   * The handle of a run by its workflowId or runId; undefined when there is none of this workflow.
   *
   * @example
   * const handle = await app.get(order, "order-17");
   */
  get<W extends AnyWorkflow>(wf: W, workflowId: string): Promise<Handle<W> | undefined>;
  /**
   * Runs of this tenant, newest first, a page at a time; pass `cursor` back for the next page.
   *
   * @example
   * const { runs, cursor } = await app.list({ status: ["FAILED"], workflow: "order" });
   */
  list(q?: RunFilter): Promise<{ runs: readonly RunView[]; cursor?: string }>;
  /**
   * The ledger: recorded effects across runs, by key, class, status, name, receiver or run.
   *
   * @example
   * const { effects } = await app.effects({ status: "indeterminate" });
   */
  effects(q?: EffectFilter): Promise<{ readonly effects: readonly EffectView[]; readonly cursor?: string }>;
  /**
   * Everything that waits for a person, with the answers that are possible and what follows from each.
   *
   * @example
   * for (const d of await app.decisions()) console.log(d.decisionId, d.reason);
   */
  decisions(o?: { limit?: number }): Promise<readonly DecisionView[]>;
  /**
   * Answers a decision. It is durable once this returns; the log then says who answered, and why.
   *
   * @example
   * await app.resolve(decision.decisionId, { happened: true, result: { id: "ch_1" }, by: "ann", reason: "found it at the bank" });
   */
  resolve(decisionId: string, answer: DecisionAnswer): Promise<Resolved>;
  /**
   * Appends events of runs that producers outside an engine write (docs/append.md).
   *
   * @example
   * const { runSeq } = await app.append(event);
   */
  readonly append: AppendAuthority["append"];
  /**
   * Emits the events of one such run, each once, under ids that survive crashes.
   *
   * @example
   * await app.producer({ runId: "import-7", planId: "import", planVersion: "1" }).emit({ eventType: "RunStarted" });
   */
  producer(run: ProducedRun): Producer;
  /** Endpoints that events are sent to; with the option `webhooks` this engine sends them (docs/webhooks.md). */
  readonly webhooks: Webhooks;
  /**
   * Calls a handler with every event of this tenant's runs, in order per run, at least once (docs/consumers.md).
   *
   * @example
   * const mailer = await app.subscribe({ consumer: "mailer", handler: async (e) => send(e) });
   */
  readonly subscribe: ReaderVerbs["subscribe"];
  /**
   * Keeps projections of this tenant's runs while this engine runs (docs/projector.md).
   *
   * @example
   * const projector = await app.project({ policy: "mark" });
   */
  readonly project: ReaderVerbs["project"];
  /** Schedules of this tenant, in code or put by hand: list, pause, resume, fire, put, remove (docs/schedules.md). */
  readonly schedules: ScheduleVerbs;
  /**
   * What this engine counted, as Prometheus text.
   *
   * @example
   * response.end(app.metrics());
   */
  metrics(): string;
  /**
   * Whether the store answers; `trouble` is what it said last. `draining`: an operator asked this engine to release its runs.
   *
   * @example
   * response.statusCode = app.health().ok ? 200 : 503;
   */
  health(): { readonly ok: boolean; readonly trouble: string | null; readonly draining?: true };
  /**
   * Stops claiming runs, lets running steps finish for up to `grace` (10 s unless given), and releases what it owns. Another engine, or
   * the next start, continues the runs.
   *
   * @example
   * process.once("SIGTERM", () => void app.stop({ grace: "20s" }));
   */
  stop(o?: { grace?: Duration }): Promise<void>;
}

/** How an engine is opened. Every option has a default; an option that does not exist is refused. */
export interface EngineOpts {
  /** "memory:", "sqlite:<path>", "postgres://…", "mysql://…", or an open Store. Absent: PAWL_STORE, else the nearest .pawl. */
  store?: string | AnyStore;
  /** The workflows that this engine runs. Name all of them, children too: after a restart an engine continues only runs of these. */
  workflows?: readonly AnyWorkflow[];
  /** Schedules that this engine puts when it opens: each due time starts one run, once over all engines (docs/schedules.md). */
  schedules?: readonly Schedule[];
  /**
   * The queues that this engine serves, and how many steps of each at once (10 unless given). Absent: the queues of the tasks that this process
   * has code for. `{}`: none, its queued steps run on workers alone.
   */
  queues?: Readonly<Record<string, { concurrency?: number }>>;
  /** Whose runs these are; one tenant never sees the runs of another. Absent: "default" in every part. */
  tenant?: Scope;
  /** How ownership of a run is checked on a store of your own (docs/ownership.md); "cas-required" unless given. */
  checkpointOwnership?: "cas-required" | "single-owner";
  /** How long this engine may be silent before another takes over its runs; 10 s unless given. */
  lease?: Duration;
  /** How often the lease is renewed; a third of `lease` unless given, and never more: two renewals may be lost before it ends. */
  renew?: Duration;
  /** Upper bounds, such as the size of a value; each has a default. */
  limits?: Partial<Limits>;
  /**
   * Texts that must never be recorded, by name. A value that contains one is refused (PAWL1087), and in the message of an error it is replaced. Steps read secrets
   * themselves; runs hold their names (docs/values.md).
   *
   * @example
   * await engine({ workflows: [order], secrets: { bank: process.env.BANK_KEY } });
   */
  secrets?: Readonly<Record<string, string | undefined>>;
  /** Where the engine logs; standard error unless given. */
  log?: Logger;
  /** Runs held in memory at once; 5000 unless given. */
  liveRunsMax?: number;
  /** Step functions running at once; 1000 unless given. */
  effectsMax?: number;
  /** Which effects have a record in the ledger: those that declare a guarantee (the default), or all. */
  ledger?: "declared" | "all";
  /** An external effect store: results of effects are kept there before they are committed (docs/effects). You close it yourself. */
  effectStore?: EffectStore;
  /** An effect in doubt needs two people: the second confirms the answer of the first. */
  requireTwoApprovers?: boolean;
  /**
   * A run on which engine after engine dies: a person decides after the fifth ("ask", the default), or it fails for good after the third
   * ("fail"), and no engine runs it again. `limits` (engineAttemptsMax, idleClaimsMax) changes the number.
   */
  onGivenUp?: "ask" | "fail";
  /**
   * The log of a run says another version of its workflow, of a tool or its schema, or of a planner than the code has: "allow" (the default)
   * continues as long as the calls are the recorded ones, "warn" logs and counts it, "strict" leaves the run to an engine of its version, or to a person.
   */
  onVersionChange?: "allow" | "warn" | "strict";
  /**
   * Live runs that no code here serves, when the engine starts: "shared" (the default) leaves them to other engines and does not look for them; "strict" refuses
   * to start (PAWL5062), before anything is claimed or resumed; "skip" starts, and logs and counts each of them once (docs/operating/recovery.md).
   */
  recovery?: "shared" | "strict" | "skip";
  /** Called when something begins to wait for a person, after that was committed. It is a hint, for a mail or a message. */
  onDecision?: (notice: DecisionNotice) => unknown;
  /** Refuses placeholder verifiers; by default when NODE_ENV is "production". */
  production?: boolean;
  /** A run that only waits leaves memory after this long; 5 s unless given. */
  idle?: Duration;
  /** Removes, in the background, what is older than this; nothing unless given (docs/retention.md). */
  retention?: RetentionOpts;
  /** How long an accepted signal is remembered at least; as long as its workflow unless given. */
  signalRetention?: Duration;
  /** Sends events to this tenant's endpoints as well, as `pawl deliver` does (docs/webhooks.md). */
  webhooks?: boolean | Omit<DeliverOpts, "once">;
  /** Signs the heads of logs with a key that is not in the store (docs/sealing.md). Absent: PAWL_SEAL_KEY; false: never. */
  seal?: SealOpts | false;
  /** false: makes no spans, even where the application has registered a tracer provider of OpenTelemetry (docs/telemetry.md). */
  telemetry?: false;
}

/** With which key logs are sealed, and how often. */
export interface SealOpts {
  /** An Ed25519 private key, as `pawl keys new` makes it; only its owner may be able to read it. */
  keyFile: string;
  /** A live run that writes is sealed at most this long after its last seal; 60 seconds unless given. */
  every?: Duration;
}
