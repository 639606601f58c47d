// The authoring API as types: what a user writes infers end to end, and options that contradict each other do not
// compile. Only what is built is here. Behaviour lives in ctx.ts, define.ts and the engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { Retry } from "../core/retry.ts";
import type { EffectStepScope as EngineStepScope, Verdict } from "../engine/calls.ts";
import type { SqlValue } from "../store/transaction-store.ts";
import type { Ask } from "./question-types.ts";
import type { TxClient } from "../store/sql/tx-client.ts";

/** Carries inferred types without showing up in completion. */
declare const types: unique symbol;

export type Json = string | number | boolean | null | Json[] | { [k: string]: Json | undefined };
export type In<X> = X extends S<infer I, any> ? I : undefined;
export type Out<X> = X extends S<any, infer O> ? O : undefined;
export type Schemas = Record<string, S>;
export type Updates = Record<string, { input: S; output?: S }>;
type No<K extends string> = { [P in K]?: never };

export interface StepScope extends Omit<EngineStepScope, "checkpoint" | "stream"> {
  /** The detail of the last heartbeat of an earlier attempt; undefined when there was none. */
  readonly lastHeartbeat: Json | undefined;
  /**
   * Says that the step is alive, with a detail that the next attempt finds in `lastHeartbeat`.
   *
   * @example
   * for (let row = from; row < rows.length; row++) s.heartbeat(row);
   */
  heartbeat(detail?: Json): void;
  /**
   * Writes to the engine's log, with the run and the step.
   *
   * @example
   * s.log("charging", { cents: 500 });
   */
  log(message: string, data?: Json): void;
}
export type { Verdict };

// The guarantee is derived from what is supplied, never claimed; contradictory combinations do not type-check.
export type DeclaredGuarantee<K, V> =
  | ({ key: K; dedup?: Duration | "forever"; verify?: V; settle?: Duration } & No<"once" | "repeatable">)
  | ({ verify: V; settle?: Duration } & No<"key" | "dedup" | "once" | "repeatable">)
  | ({ once: true } & No<"key" | "dedup" | "verify" | "settle" | "repeatable">)
  | ({ repeatable: true } & No<"key" | "dedup" | "verify" | "settle" | "once">)
  | No<"key" | "dedup" | "verify" | "settle" | "once" | "repeatable">;

export interface CommonStepOpts {
  /** How often and when a failed attempt is repeated; without it there is one attempt. */
  retry?: Retry;
  /**
   * Aborts `s.signal` and fails the attempt after this long. Steps that must not simply run again have a limit of 60 s by default.
   */
  timeout?: Duration;
  /** The longest time between two calls of `s.heartbeat`; when it passes, the attempt fails as TIMEOUT. */
  heartbeat?: Duration;
  /** Which system it acts on, such as "stripe": effects can be listed by it in the ledger. */
  receiver?: string;
}
/**
 * How a completed step is undone when its run fails or is cancelled: a function, or one with options of its own. It is a step
 * of its own and has its own guarantee; a function alone declares none, and may run more than once.
 */
export type Compensation<A extends unknown[]> =
  | ((...args: [...A, s: StepScope]) => unknown)
  | (CommonStepOpts & { undo: (...args: [...A, s: StepScope]) => unknown } & DeclaredGuarantee<
        (...args: A) => string,
        (...args: [...A, s: StepScope]) => Promise<Verdict<unknown>>
      >);

/**
 * A person must approve the step before it is sent: always (`true`), always with a question (a text), or as a function of the declared input decides.
 * The question is asked once, before the first attempt. If the person refuses, the step fails with category NOT_APPROVED.
 */
export type Approve<I> = boolean | string | ((input: I) => boolean | string);

/**
 * What becomes of an effect that may have happened, when nothing can say whether it did: a person decides (`ask`, the default), or it fails for good
 * with category INDETERMINATE (`fail`). It is never sent again. For steps that must not simply run again.
 */
export type OnDoubt = "ask" | "fail";

export type StepOpts<T> = CommonStepOpts & {
  input?: Json;
  approve?: Approve<any>;
  /** hold: when its attempts are used up, a person decides what becomes of it (`pawl decisions`), and nothing is undone meanwhile. throw: the code gets the error. */
  onFailure?: "hold" | "throw";
  onDoubt?: OnDoubt;
  compensate?: Compensation<[result: T]>;
} & DeclaredGuarantee<string, (s: StepScope) => Promise<Verdict<T>>>;
/** One step of priority is worth the queue's `aging` (a minute) of waiting: 9 comes first, -9 last, and nobody waits for ever. */
export type Priority = -9 | -8 | -7 | -6 | -5 | -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** The queue that a task runs on: its name, or its name with options. */
export type QueueOption =
  | string
  | {
      name: string;
      /** Before the run's own priority, which is 0 unless the start says otherwise. */
      priority?: Priority;
      /** How long it may wait for a worker. Then the attempt fails as NOT_SENT, which `retry` may repeat. */
      within?: Duration;
    };

export type TaskOpts<I, O> = CommonStepOpts & {
  /** Any process that serves this queue and has the task's code may run it, at most as many at once as the queue permits. */
  queue?: QueueOption;
  compensate?: Compensation<[result: O, input: I]>;
  approve?: Approve<I>;
  onDoubt?: OnDoubt;
  /** Checks the recorded result whenever the run is read back from its log; absent: nothing is checked. */
  confirm?: Confirm<I, O>;
} & DeclaredGuarantee<(i: I) => string, (i: I, s: StepScope) => Promise<Verdict<O>>>;

/** Of a task whose code is elsewhere. `verify: true` and `undo: true`: its workers answer those requests, too. */
export type RemoteTaskOpts<I> = CommonStepOpts & {
  approve?: Approve<I>;
  /** Workers can undo it, too: it is undone when its run fails or is cancelled. */
  undo?: true;
} & DeclaredGuarantee<(i: I) => string, true>;

/** Does the world still match what the log says? If not: strict (the default) fails the run, warn continues, human asks a person. */
export interface Confirm<I, O> {
  /**
   * What happens when the world does not match the record: strict (the default) fails the run, warn continues, human asks a person.
   */
  mode?: "strict" | "warn" | "human";
  /** Looks at the resource; `pawl/verifiers` has some that are ready to use. */
  verifier: ResourceVerifier<I, O>;
}
/** Looks at a resource and changes nothing. What throws, is late or answers anything else has not confirmed. */
export interface ResourceVerifier<I, O> {
  /** Shown in the log and to people. */
  readonly name: string;
  /** It checks nothing: for development only, and refused in production. */
  readonly placeholder?: boolean;
  /**
   * Compares the resource with what was recorded, and changes nothing. An answer that is neither of the two, an error or a late answer
   * counts as not confirmed.
   *
   * @example
   * const charged: ResourceVerifier<{ orderId: string }, { id: string }> = {
   *   name: "bank",
   *   check: async ({ orderId }, recorded) => {
   *     const found = await bank.find(orderId);
   *     return found?.id === recorded.id ? { matches: true } : { matches: false, reason: "there is no such charge" };
   *   },
   * };
   */
  check(input: I, recorded: O, s: StepScope): Promise<{ matches: true } | { matches: false; reason: string }>;
}

export interface Task<I, O> {
  readonly name: string;
  readonly [types]?: (i: I) => O;
}

/** Rows in the store's own database, in one commit with the step's outcome. */
export interface Tx<C = TxClient> {
  /**
   * Runs one statement inside the transaction. Values become parameters: nothing is pasted into the text.
   *
   * @example
   * const { rows } = await db.sql<{ free: number }>`select free from stock where sku = ${sku}`;
   */
  sql<R = Record<string, SqlValue>>(strings: TemplateStringsArray, ...values: SqlValue[]): Promise<{ rows: R[]; changes: number }>;
  /**
   * The driver's own client on the same connection, for query builders: `pg`'s client, `mysql2`'s connection or the SQLite handle. It
   * refuses to begin or end a transaction (PAWL1021) and lives as long as this one. Say which one it is: `async (db: Tx<PoolClient>) => …`,
   * or look at `client.dialect`.
   */
  readonly client: C;
}

export interface TxOpts<T, C = TxClient> {
  /**
   * Takes the rows back when the run fails, is cancelled or passes its deadline: in one commit with its own record, so that it
   * happens once. It is given what the transaction returned, as it was recorded.
   */
  compensate?: (result: T, db: Tx<C>) => unknown;
}

export interface Workflow<N extends string, I, O, P = I, Sig extends Schemas = {}, Upd extends Updates = {}, View extends Schemas = {}> {
  readonly name: N;
  readonly version: string;
  readonly [types]?: { i: I; o: O; p: (p: P) => void; s: Sig; u: Upd; v: View };
}
export type AnyWorkflow = Workflow<any, any, any, any, any, any, any>;
export type InputOf<W> = W extends Workflow<any, any, any, infer P, any, any, any> ? P : never;
export type OutputOf<W> = W extends Workflow<any, any, infer O, any, any, any, any> ? O : never;
export type SigOf<W> = W extends Workflow<any, any, any, any, infer X, any, any> ? X : never;
export type UpdOf<W> = W extends Workflow<any, any, any, any, any, infer X, any> ? X : never;
export type ViewOf<W> = W extends Workflow<any, any, any, any, any, any, infer X> ? X : never;
export type UpdIn<U> = U extends { input: infer X } ? In<X> : never;
export type UpdOut<U> = U extends { output: infer Y extends S } ? Out<Y> : void;
export type InputArgs<W, O> = undefined extends InputOf<W> ? [input?: InputOf<W>, options?: O] : [input: InputOf<W>, options?: O];

/** What workflow code may do with a child it started; each call is a recorded step. */
export interface ChildHandle<W> {
  /** The child's business id. */
  readonly workflowId: string;
  /** The id of the child's run. */
  readonly runId: string;
  /**
   * Waits for the child's result; a child that failed throws a `StepError` of category CHILD_FAILED.
   *
   * @example
   * const parcel = await child.result();
   */
  result(): Promise<OutputOf<W>>;
  /**
   * Sends a signal to the child.
   *
   * @example
   * await child.signal("hurry", { reason: "express" });
   */
  signal<K extends keyof SigOf<W> & string>(name: K, value: In<SigOf<W>[K]>): Promise<void>;
  /**
   * Asks the child to cancel itself: what it completed is undone, then it ends.
   *
   * @example
   * await child.cancel("the order was withdrawn");
   */
  cancel(reason?: string): Promise<void>;
}

export interface Ctx<Sig extends Schemas = {}, Upd extends Updates = {}, View extends Schemas = {}, I = any> {
  /** Which run this is: its ids, and the workflow's name and version. */
  readonly run: { readonly runId: string; readonly workflowId: string; readonly workflow: string; readonly version: string };
  /**
   * Does something outside, such as a request, and records the outcome. A step that completed never runs again: after a crash its
   * recorded result is returned. The options state what is true about the effect; from them follows what Pawl may do when a crash
   * leaves it unknown whether the function took effect. Throws a `StepError` when the last attempt failed.
   *
   * @example
   * const charge = await ctx.step("charge", (s) => bank.charge({ cents: 500, key: s.key }), {
   *   key: `order-${input.orderId}`, // the receiver keeps this key for 24 hours, so the same key may be sent again
   *   dedup: "24h",
   * });
   */
  step<T>(name: string, fn: (s: StepScope) => Promise<T> | T, opts?: StepOpts<NoInfer<T>>): Promise<T>;
  /**
   * Runs a task: a step that is defined once, with its input schema and options, and used in many workflows. `name` gives this call a
   * name of its own in the log.
   *
   * @example
   * const sent = await ctx.do(email, { to: "ann@example.org" });
   */
  do<TI, TO>(task: Task<TI, TO>, input: NoInfer<TI>, opts?: { name?: string }): Promise<TO>;
  /**
   * Writes rows of your own in the database that holds the store, in one transaction with the step's outcome: both are committed, or
   * neither. With `compensate` the rows are taken back the same way when the run fails or is cancelled. Needs a store with SQL.
   *
   * @example
   * await ctx.tx("reserve", async (db) => {
   *   await db.sql`update stock set free = free - 1 where sku = ${input.sku}`;
   * });
   */
  tx<T, C = TxClient>(name: string, fn: (db: Tx<C>) => Promise<T> | T, opts?: TxOpts<NoInfer<T>, C>): Promise<T>;
  /**
   * Waits. The run leaves memory meanwhile, and the timer survives restarts.
   *
   * @example
   * await ctx.sleep("cool down", "2h");
   */
  sleep(name: string, d: Duration): Promise<void>;
  /**
   * Waits until a moment. A moment that has passed ends at once.
   *
   * @example
   * await ctx.sleepUntil("opening time", new Date("2027-01-01T08:00:00Z"));
   */
  sleepUntil(name: string, at: Date): Promise<void>;
  /**
   * Waits for the next signal of this name that was not received yet. With `timeout` the answer is `undefined` when none came in time.
   *
   * @example
   * const { by } = await ctx.receive("approved");
   */
  receive<K extends keyof Sig & string>(signal: K): Promise<Out<Sig[K]>>;
  /**
   * The same, for at most `timeout`: `undefined` when no signal came in time.
   *
   * @example
   * const approval = await ctx.receive("approved", { timeout: "3d" });
   * if (approval === undefined) ctx.fail("nobody approved it");
   */
  receive<K extends keyof Sig & string>(signal: K, o: { timeout: Duration }): Promise<Out<Sig[K]> | undefined>;
  /**
   * Every signal of this name, in order, each once; it never ends by itself.
   *
   * @example
   * for await (const item of ctx.receiveAll("items")) {
   *   if (item.last) break;
   * }
   */
  receiveAll<K extends keyof Sig & string>(signal: K): AsyncIterable<Out<Sig[K]>>;
  /**
   * Asks a person and waits for the answer, for days if need be. What the schema refuses leaves the question open; the first answer that fits
   * counts, and is recorded with who gave it. With `timeout` the answer is `undefined` when none came in time (docs/questions.md).
   *
   * @example
   * const { value, by } = await ctx.ask("price", { schema: z.object({ cents: z.int() }), text: "What does order 17 cost?", from: ["ann"] });
   */
  readonly ask: Ask;
  /**
   * Answers an update: a request to the run that returns a value. `validate` may refuse it by throwing, before anything is recorded. Call
   * this before the first `await`, so that no update comes too early.
   *
   * @example
   * ctx.onUpdate("setAddress", async ({ city }) => {
   *   address = city;
   *   return { ok: true };
   * });
   */
  onUpdate<K extends keyof Upd & string>(
    name: K,
    handler: (i: Out<Upd[K]["input"]>) => UpdOut<Upd[K]> | Promise<UpdOut<Upd[K]>>,
    o?: { validate?: (i: Out<Upd[K]["input"]>) => void },
  ): void;
  /**
   * Publishes a value that anybody may read with `handle.view(name)`, also after the run has ended.
   *
   * @example
   * ctx.publish("status", "charged");
   */
  publish<K extends keyof View & string>(view: K, value: In<View[K]>): void;
  /**
   * Runs another workflow and waits for its result. The child is cancelled with this run.
   *
   * @example
   * const parcel = await ctx.call(pack, { sku: "A-1" });
   */
  call<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, { id?: string; timeout?: Duration }>): Promise<OutputOf<W>>;
  /**
   * Starts another workflow and continues without waiting. The child is not cancelled with this run.
   *
   * @example
   * const child = await ctx.start(pack, { sku: "A-1" });
   * const parcel = await child.result();
   */
  start<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, { id?: string }>): Promise<ChildHandle<W>>;
  /**
   * Runs a function for each item, at most `concurrency` at a time. `key` names an item, so that items may be added or reordered while
   * runs are under way. Use the inner `ctx` inside. After a failure no more items begin, and the first failure is thrown.
   *
   * @example
   * const sizes = await ctx.map("resize", photos, { key: (p) => p.id, concurrency: 4 }, (p, each) =>
   *   each.step("resize", () => shrink(p), { repeatable: true }),
   * );
   */
  map<E, T>(
    name: string,
    items: readonly E[],
    o: { key: (e: E) => string; concurrency?: number },
    fn: (e: E, ctx: Ctx<Sig, Upd, View, I>) => Promise<T>,
  ): Promise<T[]>;
  /**
   * The time of the last outcome that the code has seen: the same on every replay. Use it in place of `new Date()`.
   *
   * @example
   * const dueAt = new Date(ctx.now().getTime() + 3_600_000);
   */
  now(): Date;
  /**
   * A random id that is the same on every replay. Not for secrets.
   *
   * @example
   * const parcelId = ctx.uuid();
   */
  uuid(): string;
  /**
   * A random number in [0, 1) that is the same on every replay. Not for secrets.
   *
   * @example
   * const isSample = ctx.random() < 0.01;
   */
  random(): number;
  /**
   * True for runs that reach this point with the new code, false for runs that were past it before. Keep both branches until the last old
   * run has ended.
   *
   * @example
   * if (ctx.patched("free-shipping")) await ctx.step("free shipping", () => 0);
   * else await ctx.step("shipping", () => 500);
   */
  patched(id: string): boolean;
  /**
   * Ends this run and continues the workflow with a new input and an empty log, under the same workflowId. For workflows that never end.
   *
   * @example
   * if (input.round >= 100) ctx.continueAsNew({ ...input, round: 0 });
   */
  continueAsNew(input: I): never;
  /**
   * Fails the run: completed steps with `compensate` are undone in reverse order, then the run ends as FAILED.
   *
   * @example
   * if (input.cents > 1_000_000) ctx.fail("too expensive", { cents: input.cents });
   */
  fail(reason: string, data?: Json): never;
}

export interface WorkflowDef<N extends string, X extends S | undefined, Sig extends Schemas, Upd extends Updates, View extends Schemas> {
  /** The workflow's name; runs are stored under it, so it must not change. */
  name: N;
  /** A Standard Schema (zod, valibot, arktype …) for the input. Without one the workflow takes no input. */
  input?: X;
  /** Runs stay with the version they began with; "1" unless given (docs/versioning.md). */
  version?: string;
  /** Schemas of the signals that a run takes, by name. */
  signals?: Sig;
  /** Schemas of the updates that a run answers, by name. */
  updates?: Upd;
  /** Schemas of the values that a run publishes, by name. */
  views?: View;
  /** A run that takes longer fails with category TIMEOUT. */
  timeout?: Duration;
  /** Derives the workflowId from the input: a second start with the same input attaches to the first run. */
  id?: (i: Out<X>) => string;
}
