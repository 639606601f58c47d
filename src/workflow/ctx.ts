// ctx: what workflow code is given, spelled on the engine's calls. It adds names, scopes and types; it records nothing
// itself. ctx.map is plain code over recorded calls: it starts nothing more after a failure, lets what runs settle,
// then throws the first failure.
import { durationMs } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { checkId, checkName } from "../core/names.ts";
import { stepComponent } from "../core/step-id.ts";
import type { Calls, StartedChild } from "../engine/calls.ts";
import type { Definition } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { definitionOf, taskOf } from "./registry.ts";
import { askSpec } from "./question.ts";
import { stepSpec } from "./step-options.ts";
import { txSpec } from "./tx-options.ts";
import type { AnyWorkflow, ChildHandle, Ctx, StepOpts, StepScope, Task, Tx, TxOpts } from "./types.ts";

// Options of the calls that have no file of their own. A misspelt one would be a wait, or a list, without its limit.
const receiveOptions: ReadonlySet<string> = new Set(["timeout"]);
const startOptions: ReadonlySet<string> = new Set(["id"]);
const callOptions: ReadonlySet<string> = new Set(["id", "timeout"]);
const mapOptions: ReadonlySet<string> = new Set(["key", "concurrency"]);

export function createCtx(calls: Calls, scope: string, d: Definition): Ctx<any, any, any, any> {
  const declared = (members: ReadonlyMap<string, unknown>, kind: string, name: string): string => {
    if (!members.has(name)) throw new PawlError("PAWL1016", `${kind} ${name} is not declared by workflow ${d.name}`);
    return name;
  };
  const ctx: Ctx<any, any, any, any> = {
    run: calls.run,
    step: <T>(name: string, fn: (s: StepScope) => Promise<T> | T, opts?: StepOpts<NoInfer<T>>) =>
      rejectOnThrow(() => calls.effect(scope, checkName(name, "the step's name"), stepSpec(fn, opts ?? {}, `step ${name}`)) as Promise<T>),
    do: <TI, TO>(t: Task<TI, TO>, input: NoInfer<TI>, opts?: { name?: string }) =>
      rejectOnThrow(() => {
        const spec = taskOf(t);
        return calls.effect(scope, checkName(opts?.name ?? spec.name, "the step's name"), spec.spec(input)) as Promise<TO>;
      }),
    // Which client it is only the author knows: see Tx.client.
    tx: ((name: string, fn: (db: Tx) => unknown, opts?: TxOpts<never>) =>
      rejectOnThrow(() => {
        const { body, undo } = txSpec(fn, opts ?? {});
        return calls.tx(scope, checkName(name, "the step's name"), body, undo);
      })) as Ctx["tx"],
    sleep: (name, duration) =>
      rejectOnThrow(() => {
        if (duration === undefined)
          throw new PawlError("PAWL1002", 'ctx.sleep needs a name and a duration, such as ctx.sleep("pause", "2s")');
        return calls.timer(scope, checkName(name, "the timer's name"), { delayMs: durationMs(duration, "sleep") });
      }),
    sleepUntil: (name, at) =>
      rejectOnThrow(() => {
        if (!(at instanceof Date) || Number.isNaN(at.getTime())) throw new PawlError("PAWL1002", "sleepUntil needs a valid Date");
        return calls.timer(scope, checkName(name, "the timer's name"), { until: at.getTime() });
      }),
    receive: ((signal: string, o?: { timeout: Parameters<typeof durationMs>[0] }) =>
      rejectOnThrow(() => {
        if (o !== undefined) checkOptions(o, receiveOptions, `ctx.receive("${signal}")`);
        return calls.receive(
          scope,
          declared(d.signals, "signal", signal),
          o?.timeout === undefined ? null : durationMs(o.timeout, "timeout"),
        );
      })) as Ctx["receive"],
    receiveAll: (signal) => ({
      async *[Symbol.asyncIterator]() {
        for (;;) yield (await calls.receive(scope, declared(d.signals, "signal", signal as string), null)) as never;
      },
    }),
    ask: ((name: string, q: unknown) =>
      rejectOnThrow(() => calls.ask(scope, checkName(name, "the question's name"), askSpec(name, q)))) as Ctx["ask"],
    onUpdate: (name, handler, o) =>
      calls.onUpdate(
        declared(d.updates, "update", name),
        handler as (i: unknown) => unknown,
        (o?.validate as ((i: unknown) => void) | undefined) ?? null,
      ),
    publish: (view, value) => {
      const parse = d.views.get(declared(d.views, "view", view));
      calls.publish(view, parse === undefined ? value : parse(value, `view ${view}`));
    },
    call: ((wf: AnyWorkflow, input?: unknown, o?: { id?: string; timeout?: Parameters<typeof durationMs>[0] }) =>
      rejectOnThrow(() => calls.callChild(scope, childSpec(wf, input, o, callOptions)))) as Ctx["call"],
    start: ((wf: AnyWorkflow, input?: unknown, o?: { id?: string }) =>
      ignoreUnhandled(
        (async () => childHandle(calls, scope, definitionOf(wf), await calls.startChild(scope, childSpec(wf, input, o, startOptions))))(),
      )) as Ctx["start"],
    map: (name, items, o, fn) =>
      ignoreUnhandled(mapOver(calls, scope, d, name, items, o, fn as (e: unknown, ctx: unknown) => Promise<unknown>)) as never,
    now: () => new Date(calls.nowMs()),
    uuid: () => calls.uuid(),
    random: () => calls.random(),
    patched: (id) => calls.patched(checkName(id, "the patch's id")),
    continueAsNew: (input) => calls.continueAsNew(input),
    fail: (reason, data) => calls.fail(reason, data),
  };
  ctxCalls.set(ctx, { calls, scope });
  return ctx;
}

/** What functions that are given a `ctx`, and are no members of it, call. */
export interface CtxCalls {
  readonly calls: Calls;
  readonly scope: string;
}
const ctxCalls = new WeakMap<object, CtxCalls>();

/** The calls behind a `ctx` of any style. */
export function callsBehind(ctx: object): CtxCalls {
  const found = ctxCalls.get(ctx);
  if (found === undefined) throw new PawlError("PAWL4011", "this takes the ctx that workflow code was given, and nothing else");
  return found;
}
/** A ctx of another style, on the same calls. */
export function registerCtx(ctx: object, c: CtxCalls): void {
  ctxCalls.set(ctx, c);
}

/** A bad argument rejects the call's promise, as a step's failure would; it is never recorded. */
function rejectOnThrow<T>(call: () => Promise<T>): Promise<T> {
  try {
    return call();
  } catch (e) {
    return ignoreUnhandled(Promise.reject(e));
  }
}

/** K16: a promise that nobody awaits must not end the process. */
function ignoreUnhandled<T>(p: Promise<T>): Promise<T> {
  p.catch(() => {});
  return p;
}

function childSpec(
  wf: AnyWorkflow,
  input: unknown,
  o: { id?: string; timeout?: Parameters<typeof durationMs>[0] } | undefined,
  known: ReadonlySet<string>,
): Parameters<Calls["callChild"]>[1] {
  const definition = definitionOf(wf);
  if (o !== undefined) checkOptions(o, known, `the call of workflow ${definition.name}`);
  return {
    definition,
    input,
    workflowId: o?.id === undefined ? null : checkId(o.id, "the child's id"),
    timeoutMs: o?.timeout === undefined ? null : durationMs(o.timeout, "timeout"),
  };
}

function childHandle(calls: Calls, scope: string, d: Definition, child: StartedChild): ChildHandle<AnyWorkflow> {
  let result: Promise<never> | undefined; // its end is delivered once: a second call gives the same promise
  return {
    workflowId: child.workflowId,
    runId: child.runId,
    result: () => (result ??= calls.awaitChild(scope, child) as Promise<never>),
    signal: ((name: string, value: unknown) =>
      rejectOnThrow(() =>
        calls.sendToChild(scope, child, {
          signal: checkName(name, "the signal's name"),
          payload: value,
          check: () => checkSignal(d, name, value),
        }),
      )) as ChildHandle<AnyWorkflow>["signal"],
    cancel: (reason) => calls.sendToChild(scope, child, { cancel: reason }),
  };
}

/** A schema that answers later is left to the child's owner, who checks every signal: workflow code may wait for nothing but its log. */
function checkSignal(d: Definition, name: string, value: unknown): void {
  const parse = d.signals.get(name);
  if (parse === undefined) throw new PawlError("PAWL1016", `signal ${name} is not declared by workflow ${d.name}`);
  const later = parse(value, `signal ${name}`);
  if (later instanceof Promise) later.catch(() => {});
}

async function mapOver(
  calls: Calls,
  scope: string,
  d: Definition,
  name: string,
  items: readonly unknown[],
  o: { key: (e: never) => string; concurrency?: number },
  fn: (e: unknown, ctx: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  if (!Array.isArray(items)) throw new PawlError("PAWL4011", `ctx.map("${name}") takes a list of items`);
  if (typeof o?.key !== "function")
    throw new PawlError("PAWL4011", `ctx.map("${name}") needs { key }: a function that names each item, such as (item) => item.id`);
  checkOptions(o, mapOptions, `ctx.map("${name}")`);
  if (typeof fn !== "function") throw new PawlError("PAWL4011", `ctx.map("${name}") needs a function to run for each item`);
  const base = calls.subscope(scope, checkName(name, "the map's name"));
  const keys = items.map((e) => checkId(o.key(e as never), "an item's key"));
  if (new Set(keys).size !== keys.length) throw new PawlError("PAWL1009", `two items of ${name} have the same key`);
  const limit = o.concurrency ?? items.length;
  if (!Number.isSafeInteger(limit) || (limit < 1 && items.length > 0))
    throw new PawlError("PAWL4011", "concurrency must be a whole number of at least 1");
  const results: unknown[] = Array.from({ length: items.length });
  let next = 0;
  let failed: { readonly error: unknown } | null = null;
  const worker = async (): Promise<void> => {
    while (next < items.length && failed === null) {
      const i = next++;
      try {
        results[i] = await fn(items[i], createCtx(calls, `${base}/${stepComponent(keys[i]!, sha256Hex)}`, d));
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failed !== null) throw (failed as { readonly error: unknown }).error;
  return results;
}
