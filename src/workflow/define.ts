// workflow() and task(): plain data with the author's functions inside. Everything that can be refused is refused here,
// when the module is loaded, not when a run needs it. A definition holds no state and knows no engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { durationMs } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { checkName } from "../core/names.ts";
import type { Parse, ParseNow } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { createCtx } from "./ctx.ts";
import { anyValue, toMessageSchema } from "./to-json-schema.ts";
import { parseNowWith, parseWith } from "./schema.ts";
import { definitionOf, registerDefinition, registerTask } from "./registry.ts";
import { remoteTaskSpec, taskSpec } from "./step-options.ts";
import { checkQueue, taskId } from "./queue-options.ts";
import type {
  Ctx,
  In,
  Out,
  QueueOption,
  RemoteTaskOpts,
  Schemas,
  StepScope,
  Task,
  TaskOpts,
  Updates,
  Workflow,
  WorkflowDef,
} from "./types.ts";

function taskInput<X extends S>(name: string, input: X): { readonly later: Parse; readonly now: ParseNow } {
  const called = `input of task ${name}`;
  if (input === undefined) throw new PawlError("PAWL5001", `${called} is missing: a schema, such as z.object({ id: z.string() })`);
  return { later: parseWith(input, called), now: parseNowWith(input, called) };
}

const definitionMembers: ReadonlySet<string> = new Set<keyof WorkflowDef<string, undefined, {}, {}, {}>>([
  "name",
  "input",
  "version",
  "signals",
  "updates",
  "views",
  "timeout",
  "id",
]);

/**
 * Defines a workflow: a name, schemas, and a function whose `ctx` calls are recorded. The same input and the same recorded outcomes must
 * lead the code to the same calls: use `ctx` for everything that is not a pure computation.
 *
 * @example
 * export const order = workflow({ name: "order", input: z.object({ id: z.string() }) }, async (ctx, { id }) => {
 *   await ctx.step("charge", (s) => bank.charge(id, s.key), { key: `charge-${id}`, dedup: "24h" });
 *   await ctx.sleep("cool down", "1d");
 *   return { shipped: id };
 * });
 */
export function workflow<
  const N extends string,
  X extends S | undefined = undefined,
  O = unknown,
  Sig extends Schemas = {},
  Upd extends Updates = {},
  View extends Schemas = {},
>(
  def: WorkflowDef<N, X, Sig, Upd, View>,
  fn: (ctx: Ctx<Sig, Upd, View, In<X>>, input: Out<X>) => Promise<O>,
): Workflow<N, Out<X>, O, In<X>, Sig, Upd, View> {
  if (typeof def !== "object" || def === null)
    throw new PawlError("PAWL5001", 'workflow() takes a definition, such as { name: "order" }, and a function');
  const name = checkName(def.name, "the workflow's name");
  checkOptions(def, definitionMembers, `workflow ${name}`);
  const version = checkName(def.version ?? "1", "the workflow's version");
  if (typeof fn !== "function") throw new PawlError("PAWL5001", `workflow ${name} needs a function`);
  const wf = Object.freeze({ name, version }) as unknown as Workflow<N, Out<X>, O, In<X>, Sig, Upd, View>;
  const each = <T, P>(members: Record<string, T> | undefined, parse: (m: T) => P): Map<string, P> =>
    new Map(Object.entries(members ?? {}).map(([n, m]) => [checkName(n, `a member of workflow ${name}`), parse(m)]));
  for (const [signal, schema] of Object.entries(def.signals ?? {}))
    if (schema === undefined) throw new PawlError("PAWL5001", `signal ${signal} of workflow ${name} needs a schema`);
  for (const [update, schemas] of Object.entries(def.updates ?? {}))
    if (schemas?.input === undefined)
      throw new PawlError("PAWL5001", `update ${update} of workflow ${name} needs { input }, the schema of what it is sent`);
  registerDefinition(wf, {
    name,
    version,
    timeoutMs: def.timeout === undefined ? null : durationMs(def.timeout, "timeout"),
    input: parseWith(def.input, `input of workflow ${name}`),
    signals: each(def.signals, (s) => parseWith(s)),
    updates: each(def.updates, (u) => parseWith(u.input)),
    views: each(def.views, (v) => parseNowWith(v)),
    describe: () => ({
      input: def.input === undefined ? anyValue : toMessageSchema(def.input),
      signals: each(def.signals, (s) => toMessageSchema(s)),
      updates: each(def.updates, (u) => toMessageSchema(u.input)),
      views: each(def.views, (v) => toMessageSchema(v, "output")),
      derivesId: def.id !== undefined,
    }),
    idOf: def.id === undefined ? null : (input) => def.id!(input as Out<X>),
    code: (calls, input) => Promise.resolve(fn(createCtx(calls, "", definitionOf(wf)) as Ctx<Sig, Upd, View, In<X>>, input as Out<X>)),
  });
  return wf;
}

/**
 * Defines a task: a step with an input schema and options, to be used in many workflows with `ctx.do`. With `queue` it may run in any
 * process that has it and serves that queue; `version` then tells workers of different code apart.
 *
 * @example
 * export const email = task(
 *   { name: "email", input: z.object({ to: z.string() }) },
 *   async ({ to }, s) => ({ id: await mail.send(to, s.key) }),
 *   { key: (i) => `welcome-${i.to}`, dedup: "24h" },
 * );
 */
export function task<X extends S, O>(
  def: { name: string; version?: string; input: X },
  run: (i: Out<X>, s: StepScope) => Promise<O> | O,
  o?: TaskOpts<Out<X>, NoInfer<O>>,
): Task<In<X>, O> {
  if (typeof def !== "object" || def === null)
    throw new PawlError("PAWL5001", "task() takes a definition, such as { name, input }, and a function");
  const name = checkName(def.name, "the task's name");
  if (typeof run !== "function") throw new PawlError("PAWL5001", `task ${name} needs a function`);
  const t = Object.freeze({ name });
  registerTask(
    t,
    taskSpec(
      name,
      taskId(name, def.version),
      taskInput(name, def.input),
      run as (i: unknown, s: StepScope) => unknown,
      (o ?? {}) as TaskOpts<unknown, unknown>,
    ),
  );
  return t as Task<In<X>, O>;
}

/**
 * Defines a task that only workers elsewhere can do: another program, or another language. Its workers claim it by name and version. The
 * result is checked by `output`; one that does not fit fails the step for good (RESULT_INVALID).
 *
 * @example
 * export const resize = remoteTask({
 *   name: "resize",
 *   input: z.object({ url: z.string() }),
 *   output: z.object({ width: z.number() }),
 *   queue: "images",
 * }, { repeatable: true, timeout: "5m" });
 */
export function remoteTask<X extends S, Y extends S>(
  def: { name: string; version?: string; input: X; output: Y; queue: QueueOption },
  o?: RemoteTaskOpts<Out<X>>,
): Task<In<X>, Out<Y>> {
  if (typeof def !== "object" || def === null)
    throw new PawlError("PAWL5001", "remoteTask() takes a definition, such as { name, input, output, queue }");
  const name = checkName(def.name, "the task's name");
  if (def.queue === undefined) throw new PawlError("PAWL5001", `task ${name} needs a queue: that is where its workers find it`);
  if (def.output === undefined) throw new PawlError("PAWL5001", `task ${name} needs an output schema: its result comes from elsewhere`);
  const t = Object.freeze({ name });
  registerTask(
    t,
    remoteTaskSpec(
      name,
      taskId(name, def.version),
      checkQueue(def.queue, `task ${name}`),
      taskInput(name, def.input),
      parseWith(def.output, `output of task ${name}`),
      (o ?? {}) as object,
    ),
  );
  return t as Task<In<X>, Out<Y>>;
}
