// The authoring API as types: what a user writes infers end to end. What is said about one step is in step-types.ts, and passed on here.
// Only what is built is here. Behaviour lives in ctx.ts, define.ts and the engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import type { Duration } from "../core/duration.ts";
import type { TxClient } from "../store/sql/tx-client.ts";
import type { Ask } from "./question-types.ts";
import type { Json, StepOpts, StepScope, Task, Tx, TxOpts } from "./step-types.ts";

export type * from "./step-types.ts";

/** Carries inferred types without showing up in completion. */
declare const types: unique symbol;

export type In<X> = X extends S<infer I, any> ? I : undefined;
export type Out<X> = X extends S<any, infer O> ? O : undefined;
export type Schemas = Record<string, S>;
export type Updates = Record<string, { input: S; output?: S }>;

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
