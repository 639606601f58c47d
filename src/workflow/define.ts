// workflow() and task(): plain data with the author's functions inside. Everything that can be refused is refused here,
// when the module is loaded, not when a run needs it. A definition holds no state and knows no engine.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { durationMs } from "../core/duration.ts";
import { checkName } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import { createCtx } from "./ctx.ts";
import { toMessageSchema } from "./to-json-schema.ts";
import { parseNowWith, parseWith } from "./schema.ts";
import { definitionOf, registerDefinition, registerTask } from "./registry.ts";
import { taskSpec } from "./step-options.ts";
import type { Ctx, In, Out, Schemas, StepScope, Task, TaskOpts, Updates, Workflow, WorkflowDef } from "./types.ts";

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
  const name = checkName(def.name, "the workflow's name");
  const version = checkName(def.version ?? "1", "the workflow's version");
  if (typeof fn !== "function") throw new PawlError("PAWL5001", `workflow ${name} needs a function`);
  const wf = Object.freeze({ name, version }) as unknown as Workflow<N, Out<X>, O, In<X>, Sig, Upd, View>;
  const each = <T, P>(members: Record<string, T> | undefined, parse: (m: T) => P): Map<string, P> =>
    new Map(Object.entries(members ?? {}).map(([n, m]) => [checkName(n, `a member of workflow ${name}`), parse(m)]));
  registerDefinition(wf, {
    name,
    version,
    timeoutMs: def.timeout === undefined ? null : durationMs(def.timeout, "timeout"),
    input: parseWith(def.input),
    signals: each(def.signals, parseWith),
    updates: each(def.updates, (u) => parseWith(u.input)),
    views: each(def.views, parseNowWith),
    messages: () => ({ signal: each(def.signals, toMessageSchema), update: each(def.updates, (u) => toMessageSchema(u.input)) }),
    idOf: def.id === undefined ? null : (input) => def.id!(input as Out<X>),
    code: (calls, input) => Promise.resolve(fn(createCtx(calls, "", definitionOf(wf)) as Ctx<Sig, Upd, View, In<X>>, input as Out<X>)),
  });
  return wf;
}

export function task<X extends S, O>(
  def: { name: string; input: X },
  run: (i: Out<X>, s: StepScope) => Promise<O> | O,
  o?: TaskOpts<Out<X>, NoInfer<O>>,
): Task<In<X>, O> {
  const name = checkName(def.name, "the task's name");
  if (typeof run !== "function") throw new PawlError("PAWL5001", `task ${name} needs a function`);
  const t = Object.freeze({ name });
  registerTask(
    t,
    taskSpec(
      name,
      { later: parseWith(def.input), now: parseNowWith(def.input) },
      run as (i: unknown, s: StepScope) => unknown,
      (o ?? {}) as TaskOpts<unknown, unknown>,
    ),
  );
  return t as Task<In<X>, O>;
}
