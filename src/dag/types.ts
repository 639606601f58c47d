// DAGs as types: what a node is given is inferred from what it needs, and what contradicts itself does not compile. Types only; behaviour is in
// builder.ts and walker.ts.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { SkipReason, Trigger } from "../core/trigger.ts";
import type {
  AnyWorkflow,
  Approve,
  CommonStepOpts,
  Compensation,
  DeclaredGuarantee,
  InputOf,
  Json,
  Out,
  OutputOf,
  QueueOption,
  StepScope,
  Task,
  Tx,
  Verdict,
} from "../workflow/types.ts";

declare const types: unique symbol;

/** How a need ended, for a node that runs in any case. */
export type NodeOutcome<O> =
  | { readonly is: "ok"; readonly value: O }
  | { readonly is: "failed"; readonly error: { readonly message: string; readonly category: string } }
  | { readonly is: "skipped"; readonly why: SkipReason };

/** A node of a DAG, to be named among what other nodes need. */
export interface DagNode<O> {
  readonly id: string;
  readonly [types]?: () => O;
}
/** One branch of a decision; a node with it in `on` runs only if that branch was chosen. */
export interface DecisionBranch {
  readonly decision: string;
  readonly branch: string;
}
export interface DecisionNode<B extends string> extends DagNode<readonly B[]> {
  /**
   * The branch of this name, for a node's `on`.
   *
   * @example
   * t.task("ship", { order }, ship, { on: route.on("accepted") });
   */
  on(branch: B): DecisionBranch;
}
/** `input` is the run's input, so no need may be called that. */
export type Needs = Readonly<Record<string, DagNode<any>>> & { readonly input?: never };
type OutOf<N> = N extends DagNode<infer O> ? O : never;
type Seen<O, T extends Trigger> = T extends "all-ok" ? O : T extends "all-done" ? NodeOutcome<O> : O | undefined;
/** What a node is given: the run's input, and what each need gave. It must not be changed: other nodes are given the same values. */
export type Given<I, D extends Needs, T extends Trigger> = { readonly input: I } & { readonly [K in keyof D]: Seen<OutOf<D[K]>, T> };

export interface PlacedOpts<T extends Trigger> {
  /** When it runs, by how its needs ended; all-ok unless given. */
  trigger?: T;
  /** It runs only if this branch was chosen, or one of these. */
  on?: DecisionBranch | readonly DecisionBranch[];
  /** Workers run it, and engines that have the code. */
  queue?: QueueOption;
  /** hold: a final failure waits for a person while the other branches continue. */
  onFailure?: "fail" | "hold";
}
/** `when`, `key` and `approve` must be pure functions of what they are given. `when` false: the node is skipped. */
export type NodeOpts<I, D extends Needs, T extends Trigger, O> = CommonStepOpts &
  PlacedOpts<T> & {
    when?: (d: Given<I, D, T>) => boolean;
    approve?: Approve<Given<I, D, T>>;
    compensate?: Compensation<[result: O]>;
  } & DeclaredGuarantee<string | ((d: Given<I, D, T>) => string), (d: Given<I, D, T>, s: StepScope) => Promise<Verdict<O>>>;
/** Of a node that does a task: guarantee, retry and limits are the task's. */
export type DoOpts<I, D extends Needs, T extends Trigger> = PlacedOpts<T> & { when?: (d: Given<I, D, T>) => boolean };

export interface FanOpts<E> {
  /** Names the item: its step is `<id>/<name>`. Two equal names fail the node before any item starts. */
  id: (e: E) => string;
  /** How many items run at once; 1,000 at most. */
  concurrency?: number;
  /** Stops starting items at the first failure. Otherwise all items finish. */
  failFast?: boolean;
  /** False: the node is skipped. */
  when?: (items: readonly E[]) => boolean;
}
export type EachOpts<E, O> = CommonStepOpts &
  PlacedOpts<Trigger> &
  FanOpts<E> & { approve?: Approve<E>; compensate?: Compensation<[result: O, item: E]> } & DeclaredGuarantee<
    (e: E) => string,
    (e: E, s: StepScope) => Promise<Verdict<O>>
  >;

declare const yielded: unique symbol;
/** What `s.yield` gives: return it. */
export interface Yielded<C> {
  readonly [yielded]: C;
}
export interface BatchScope<C extends Json, A> extends StepScope {
  /** Where to begin: what the plan gave, or the last checkpoint. */
  readonly cursor: C;
  /** What the last checkpoint carried. */
  readonly carried: A | undefined;
  /**
   * Durable when it resolves: after a crash or a retry the work begins here. Work after it may be done again.
   *
   * @example
   * await s.checkpoint({ from: next, to: s.cursor.to }, sum);
   */
  checkpoint(cursor: C, carried?: A): Promise<void>;
  /**
   * A checkpoint that gives the place up: the step stays open and continues from it in its turn (TX-12).
   *
   * @example
   * return s.yield({ from: next, to: s.cursor.to }, sum);
   */
  yield(cursor: C, carried?: A): Yielded<C>;
}

/** Every method: id, what it needs, what it does, options. */
export interface DagBuilder<I> {
  /**
   * A node with its code in place. It is a step: the options state what is true about its effect.
   *
   * @example
   * const fetched = t.task("fetch", {}, ({ input }) => download(input.url), { repeatable: true });
   */
  task<O, const D extends Needs = {}, T extends Trigger = "all-ok">(
    id: string,
    needs: D,
    run: (d: Given<I, NoInfer<D>, T>, s: StepScope) => Promise<O> | O,
    o?: NodeOpts<I, NoInfer<D>, T, NoInfer<O>>,
  ): DagNode<O>;
  /**
   * A node that does a task: `input` makes the task's input of what the node is given.
   *
   * @example
   * const mailed = t.do("mail", { order }, email, ({ order }) => ({ to: order.email }));
   */
  do<TI, TO, const D extends Needs = {}, T extends Trigger = "all-ok">(
    id: string,
    needs: D,
    task: Task<TI, TO>,
    input: (d: Given<I, NoInfer<D>, T>) => NoInfer<TI>,
    o?: DoOpts<I, NoInfer<D>, T>,
  ): DagNode<TO>;
  /**
   * One step for each item; results in the order of the items. Under a trigger other than all-ok, a skipped `over` counts as no items.
   *
   * @example
   * const sizes = t.each("resize", photos, (p) => shrink(p), { id: (p) => p.name, concurrency: 8, repeatable: true });
   */
  each<E, O>(
    id: string,
    over: DagNode<readonly E[]>,
    run: (e: E, s: StepScope) => Promise<O> | O,
    o: EachOpts<E, NoInfer<O>>,
  ): DagNode<O[]>;
  each<E, TI, TO>(
    id: string,
    over: DagNode<readonly E[]>,
    task: Task<TI, TO>,
    o: PlacedOpts<Trigger> & FanOpts<E> & { input: (e: E) => NoInfer<TI> },
  ): DagNode<TO[]>;
  /**
   * Chooses branches by name. Not retried unless `retry` says so (TX-10).
   *
   * @example
   * const route = t.decide("route", { order }, ["small", "large"], ({ order }) => (order.cents < 1000 ? "small" : "large"));
   */
  decide<const B extends string, const D extends Needs = {}>(
    id: string,
    needs: D,
    branches: readonly B[],
    choose: (d: Given<I, NoInfer<D>, "all-ok">, s: StepScope) => Promise<B | readonly B[]> | B | readonly B[],
    o?: CommonStepOpts & PlacedOpts<"all-ok">,
  ): DecisionNode<B>;
  /**
   * `plan` returns cursors; there is one step per cursor, `<id>/<n>`. No cursors: one placeholder step that completes (TX-11).
   *
   * @example
   * const sums = t.batch("sum", { file }, ({ file }) => ranges(file.rows), (s) => sumOf(s.cursor), { workersMax: 4 });
   */
  batch<C extends Json, O, A = undefined, const D extends Needs = {}>(
    id: string,
    needs: D,
    plan: (d: Given<I, NoInfer<D>, "all-ok">, s: StepScope) => Promise<readonly C[]> | readonly C[],
    run: (s: BatchScope<C, A>) => Promise<O | Yielded<C>> | O | Yielded<C>,
    o?: CommonStepOpts & PlacedOpts<"all-ok"> & { workersMax?: number; carried?: A; repeatable?: true },
  ): DagNode<O[]>;
  /**
   * Runs another workflow, or DAG, and waits for its result.
   *
   * @example
   * const parcel = t.call("pack", { order }, pack, ({ order }) => ({ sku: order.sku }));
   */
  call<W extends AnyWorkflow, const D extends Needs = {}>(
    id: string,
    needs: D,
    wf: W,
    input: (d: Given<I, NoInfer<D>, "all-ok">) => InputOf<W>,
    o?: {
      workflowId?: (d: Given<I, NoInfer<D>, "all-ok">) => string;
      timeout?: Duration;
      on?: DecisionBranch | readonly DecisionBranch[];
    },
  ): DagNode<OutputOf<W>>;
  /**
   * Writes rows of your own in one transaction with the step's outcome, as `ctx.tx` does.
   *
   * @example
   * t.tx("reserve", { order }, ({ order }, db) => db.sql`update stock set free = free - 1 where sku = ${order.sku}`);
   */
  tx<O, const D extends Needs = {}>(id: string, needs: D, run: (d: Given<I, NoInfer<D>, "all-ok">, db: Tx) => Promise<O> | O): DagNode<O>;
  /**
   * Waits. The run leaves memory meanwhile.
   *
   * @example
   * const later = t.sleep("cool_down", { charged }, "1d");
   */
  sleep<const D extends Needs = {}>(id: string, needs: D, d: Duration): DagNode<null>;
  /**
   * Waits for a signal; null when none came in time.
   *
   * @example
   * const approved = t.receive("wait", { asked }, { name: "approved", payload: z.object({ by: z.string() }) }, { timeout: "3d" });
   */
  receive<X extends S<any, any>, const D extends Needs = {}>(
    id: string,
    needs: D,
    signal: { name: string; payload: X },
    o?: { timeout?: Duration },
  ): DagNode<Out<X> | null>;
}

/** strict: equal input is the same run · caller: every start needs a key · unique: every start is a run of its own (TX-09, R-32). */
export type Identity = { strategy: "strict"; version?: boolean } | { strategy: "caller" } | { strategy: "unique" };

/**
 * After how long without a step forward somebody should look at a run. What is left out: an hour of waiting for a worker or a signal, half an hour
 * beyond the time of a retry, half an hour beyond the time of a step that is at work.
 */
export interface Staleness {
  waitingForDependencies?: Duration;
  waitingForRetry?: Duration;
  inProcess?: Duration;
  /** investigate (the default): an investigation is opened, and nothing of the run changes. fail: the run fails as well, and undoes what it did. */
  then?: "investigate" | "fail";
}

export interface DagDef<N extends string, X extends S<any, any> | undefined, NS extends string | undefined = undefined> {
  /** Its runs are of workflow `<namespace>/<name>`. */
  name: N;
  namespace?: NS;
  /** The first 12 hex digits of the plan's digest unless given, so an edited graph is a new version. */
  version?: string;
  /** Checks what a run is started with. */
  input?: X;
  /** How long a run may take from its creation to its end. */
  timeout?: Duration;
  /** Which starts are the same run; unique unless given. */
  identity?: Identity;
  /** Of every node that does not say otherwise; fail unless given. */
  onFailure?: "fail" | "hold";
  /** When somebody should look at a run of it, and whether it then fails. */
  stale?: Staleness;
  /** Names its runs by their input. */
  id?: (i: Out<X>) => string;
}

/** Which signals its nodes wait for is known when a signal is sent, and checked then. */
export type DagSignals = Record<string, S<any, any>>;

export type PlanName<NS extends string | undefined, N extends string> = NS extends string ? `${NS}/${N}` : N;
