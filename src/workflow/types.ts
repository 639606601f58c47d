// The authoring API as types: what a user writes infers end to end, and options that contradict each other do not
// compile. Only what is built is here. Behaviour lives in ctx.ts, define.ts and the engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { Retry } from "../core/retry.ts";
import type { StepScope as EngineStepScope, Verdict } from "../engine/calls.ts";
import type { SqlValue } from "../store/transaction-store.ts";
import type { TxClient } from "../store/sql/tx-client.ts";

/** Carries inferred types without showing up in completion. */
declare const types: unique symbol;

export type Json = string | number | boolean | null | Json[] | { [k: string]: Json | undefined };
export type In<X> = X extends S<infer I, any> ? I : undefined;
export type Out<X> = X extends S<any, infer O> ? O : undefined;
export type Schemas = Record<string, S>;
export type Updates = Record<string, { input: S; output?: S }>;
type No<K extends string> = { [P in K]?: never };

export interface StepScope extends EngineStepScope {
  readonly lastHeartbeat: Json | undefined;
  heartbeat(detail?: Json): void;
  log(message: string, data?: Json): void;
}
export type { Verdict };

// The guarantee is derived from what is supplied, never claimed; contradictory combinations do not type-check.
type Guarantee<K, V> =
  | ({ key: K; dedup?: Duration | "forever"; verify?: V; settle?: Duration } & No<"once" | "repeatable">)
  | ({ verify: V; settle?: Duration } & No<"key" | "dedup" | "once" | "repeatable">)
  | ({ once: true } & No<"key" | "dedup" | "verify" | "settle" | "repeatable">)
  | ({ repeatable: true } & No<"key" | "dedup" | "verify" | "settle" | "once">)
  | No<"key" | "dedup" | "verify" | "settle" | "once" | "repeatable">;

interface Common {
  retry?: Retry;
  /** Aborts `s.signal` and fails the attempt. Steps that may not simply run again have one of 60 s by default. */
  timeout?: Duration;
  /** The longest time between two calls of `s.heartbeat`. */
  heartbeat?: Duration;
  /** Whom it acts on, such as "stripe": effects are found by it in the ledger. */
  receiver?: string;
}
/**
 * How a completed step is undone when its run fails or is cancelled: a function, or one with options of its own. It is a step
 * of its own and has its own guarantee; a function alone declares none, and may run more than once.
 */
export type Compensation<A extends unknown[]> =
  | ((...args: [...A, s: StepScope]) => unknown)
  | (Common & { undo: (...args: [...A, s: StepScope]) => unknown } & Guarantee<
        (...args: A) => string,
        (...args: [...A, s: StepScope]) => Promise<Verdict<unknown>>
      >);

/**
 * A person must approve the step before it is sent: always, with a text for them, or as a function of the declared input says.
 * It is asked once, before the first attempt; refused, the step fails with category NOT_APPROVED.
 */
export type Approve<I> = boolean | string | ((input: I) => boolean | string);

export type StepOpts<T> = Common & { input?: Json; approve?: Approve<any>; compensate?: Compensation<[result: T]> } & Guarantee<
    string,
    (s: StepScope) => Promise<Verdict<T>>
  >;
export type TaskOpts<I, O> = Common & {
  compensate?: Compensation<[result: O, input: I]>;
  approve?: Approve<I>;
  /** Asked of a recorded result whenever the run is read back from its log; absent: nothing is checked. */
  confirm?: Confirm<I, O>;
} & Guarantee<(i: I) => string, (i: I, s: StepScope) => Promise<Verdict<O>>>;

/** Does the world still match what the log says? Not so: strict (the default) fails the run, warn goes on, human asks a person. */
export interface Confirm<I, O> {
  mode?: "strict" | "warn" | "human";
  verifier: ResourceVerifier<I, O>;
}
/** Looks at a resource and changes nothing. What throws, is late or answers anything else has not confirmed. */
export interface ResourceVerifier<I, O> {
  readonly name: string;
  /** It looks at nothing: for development only. */
  readonly placeholder?: boolean;
  check(input: I, recorded: O, s: StepScope): Promise<{ matches: true } | { matches: false; reason: string }>;
}

export interface Task<I, O> {
  readonly name: string;
  readonly [types]?: (i: I) => O;
}

/** Rows in the store's own database, in one commit with the step's outcome. */
export interface Tx<C = TxClient> {
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
  readonly workflowId: string;
  readonly runId: string;
  result(): Promise<OutputOf<W>>;
  signal<K extends keyof SigOf<W> & string>(name: K, value: In<SigOf<W>[K]>): Promise<void>;
  cancel(reason?: string): Promise<void>;
}

export interface Ctx<Sig extends Schemas = {}, Upd extends Updates = {}, View extends Schemas = {}, I = any> {
  readonly run: { readonly runId: string; readonly workflowId: string; readonly workflow: string; readonly version: string };
  step<T>(name: string, fn: (s: StepScope) => Promise<T> | T, opts?: StepOpts<NoInfer<T>>): Promise<T>;
  do<TI, TO>(task: Task<TI, TO>, input: NoInfer<TI>, opts?: { name?: string }): Promise<TO>;
  /** Rows of your own and the step's outcome in one commit; with `compensate`, taken back the same way when the run fails or is cancelled. */
  tx<T, C = TxClient>(name: string, fn: (db: Tx<C>) => Promise<T> | T, opts?: TxOpts<NoInfer<T>, C>): Promise<T>;
  sleep(name: string, d: Duration): Promise<void>;
  sleepUntil(name: string, at: Date): Promise<void>;
  receive<K extends keyof Sig & string>(signal: K): Promise<Out<Sig[K]>>;
  receive<K extends keyof Sig & string>(signal: K, o: { timeout: Duration }): Promise<Out<Sig[K]> | undefined>;
  receiveAll<K extends keyof Sig & string>(signal: K): AsyncIterable<Out<Sig[K]>>;
  onUpdate<K extends keyof Upd & string>(
    name: K,
    handler: (i: Out<Upd[K]["input"]>) => UpdOut<Upd[K]> | Promise<UpdOut<Upd[K]>>,
    o?: { validate?: (i: Out<Upd[K]["input"]>) => void },
  ): void;
  publish<K extends keyof View & string>(view: K, value: In<View[K]>): void;
  /** Runs another workflow and waits for it; it is cancelled with this run. */
  call<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, { id?: string; timeout?: Duration }>): Promise<OutputOf<W>>;
  /** Starts another workflow and goes on; it is not cancelled with this run. */
  start<W extends AnyWorkflow>(wf: W, ...args: InputArgs<W, { id?: string }>): Promise<ChildHandle<W>>;
  map<E, T>(
    name: string,
    items: readonly E[],
    o: { key: (e: E) => string; concurrency?: number },
    fn: (e: E, ctx: Ctx<Sig, Upd, View, I>) => Promise<T>,
  ): Promise<T[]>;
  /** The time of the last outcome seen; the same on every replay. */
  now(): Date;
  uuid(): string;
  /** Seeded per run. */
  random(): number;
  /** True for runs that begin after this code was deployed, false for those that were past it. */
  patched(id: string): boolean;
  continueAsNew(input: I): never;
  /** Runs compensations in reverse order, then fails the run. */
  fail(reason: string, data?: Json): never;
}

export interface WorkflowDef<N extends string, X extends S | undefined, Sig extends Schemas, Upd extends Updates, View extends Schemas> {
  name: N;
  input?: X;
  version?: string;
  signals?: Sig;
  updates?: Upd;
  views?: View;
  /** A run that takes longer fails with category TIMEOUT. */
  timeout?: Duration;
  id?: (i: Out<X>) => string;
}
