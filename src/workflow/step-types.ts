// What a user says about one step, as types: its options and what follows from them, tasks, transactions. Options that contradict each other do not
// compile. Only what is built is here. Behaviour lives in ctx.ts, define.ts and the engine.
import type { Duration } from "../core/duration.ts";
import type { Retry } from "../core/retry.ts";
import type { EffectStepScope as EngineStepScope, Verdict } from "../engine/calls.ts";
import type { TxClient } from "../store/sql/tx-client.ts";
import type { SqlValue } from "../store/transaction-store.ts";

/** Carries inferred types without showing up in completion. */
declare const types: unique symbol;

export type Json = string | number | boolean | null | Json[] | { [k: string]: Json | undefined };
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
