// dag(): a graph of nodes becomes a workflow like any other. Needs are nodes that exist already, so a cycle cannot be written, and types of results
// are inferred. Everything that can be refused is refused here, when the module is loaded. It must never call a function that an author gave for a node.
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { durationMs, type Duration } from "../core/duration.ts";
import { checkOptions } from "../core/guarantee.ts";
import { checkName } from "../core/names.ts";
import { brokenPlan, checkNodeId, type PlanBranch, type PlanNode, type PlanNodeKind } from "../core/plan-data.ts";
import { triggers, type Trigger } from "../core/trigger.ts";
import type { EffectSpec } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { checkQueue, type CheckedQueue } from "../workflow/queue-options.ts";
import { definitionOf, taskOf } from "../workflow/registry.ts";
import { parseWith } from "../workflow/schema.ts";
import { stepSpec } from "../workflow/step-options.ts";
import { toMessageSchema } from "../workflow/to-json-schema.ts";
import { txSpec } from "../workflow/tx-options.ts";
import type { AnyWorkflow, In, Out, StepScope, Task, Tx, Workflow } from "../workflow/types.ts";
import { batchSteps, openBatch, type BatchProgress } from "./batch.ts";
import { callPure, seesNothing, withGiven, type BuiltNode, type GivenValues, type NodeOpening } from "./built-node.ts";
import { chosenBranches } from "./decision.ts";
import { definePlan } from "./define-plan.ts";
import { checkFan, itemSpec, itemTaskSpec, eachItems, openEach, type UncheckedEach } from "./each.ts";
import { checkIdentity } from "./identity.ts";
import { inlineTaskId, onQueue, type InlineWork, type RecordedNeeds } from "./queued-node.ts";
import { nodeSpec, splitOptions, type UncheckedNodeOptions } from "./node-options.ts";
import { checkStaleness } from "./staleness.ts";
import type { DagBuilder, DagDef, DagNode, DagSignals, DecisionBranch, DecisionNode, PlanName } from "./types.ts";

/**
 * Defines a task DAG: nodes, what each needs, and what the whole returns. It is a workflow: start it, call it, query it like one. Branches that do
 * not need each other run side by side.
 *
 * @example
 * export const report = dag({ name: "report", input: z.object({ url: z.string() }) }, (t) => {
 *   const rows = t.task("fetch", {}, ({ input }) => download(input.url), { repeatable: true });
 *   const sizes = t.each("measure", rows, (r) => measure(r), { id: (r) => r.id, repeatable: true });
 *   return t.task("sum", { sizes }, ({ sizes }) => ({ total: sizes.length }));
 * });
 */
export function dag<
  const N extends string,
  X extends S<any, any> | undefined = undefined,
  R = unknown,
  const NS extends string | undefined = undefined,
>(def: DagDef<N, X, NS>, build: (t: DagBuilder<Out<X>>) => DagNode<R>): Workflow<PlanName<NS, N>, Out<X>, R, In<X>, DagSignals> {
  if (typeof def !== "object" || def === null)
    throw new PawlError("PAWL5001", 'dag() takes a definition, such as { name: "report" }, and a function');
  if (typeof build !== "function") throw new PawlError("PAWL5001", `dag ${String(def.name)} needs a function that builds it`);
  checkOptions(def, defOptions, `dag ${String(def.name)}`);
  const builder = new Builder(def.onFailure);
  const result: unknown = build(builder as unknown as DagBuilder<Out<X>>);
  builder.close();
  if (result === undefined || result instanceof Promise)
    throw brokenPlan(
      `the function that builds dag ${String(def.name)} must return a node, whose result is the run's, and must not be async`,
    );
  return definePlan(
    {
      name: checkName(def.name, "the DAG's name"),
      namespace: def.namespace,
      version: def.version,
      input: def.input,
      timeout: def.timeout,
      id: def.id,
      identity: def.identity === undefined ? undefined : checkIdentity(def.identity, "identity"),
      stale: def.stale === undefined ? undefined : checkStaleness(def.stale),
    },
    { nodes: builder.nodes, result: builder.idOf(result, "what the DAG returns") },
    builder.signals,
  ) as unknown as Workflow<PlanName<NS, N>, Out<X>, R, In<X>, DagSignals>;
}

const receiveOptions = new Set(["timeout"]);
const defOptions = new Set(["name", "namespace", "version", "input", "timeout", "identity", "onFailure", "stale", "id"]);

type NeedsArg = Readonly<Record<string, DagNode<unknown>>>;
type Run = (values: GivenValues, s: StepScope) => unknown;

class Builder {
  readonly nodes: BuiltNode[] = [];
  readonly signals: Map<string, S> = new Map();
  readonly #ids = new WeakMap<object, string>();
  readonly #onFailure: "fail" | "hold";
  /** Nodes whose result is that of one step, as its event records it. */
  readonly #oneStep: Set<string> = new Set();
  #isBuilt = false;

  constructor(onFailure: unknown) {
    this.#onFailure = checkOnFailure(onFailure) ?? "fail";
  }

  /** The plan is what its digest says: no node comes later. */
  close(): void {
    this.#isBuilt = true;
  }

  /** The id of a node of this DAG; a node of another one is refused. */
  idOf(node: unknown, what: string): string {
    const id = typeof node === "object" && node !== null ? this.#ids.get(node) : undefined;
    if (id === undefined) throw brokenPlan(`${what} is not a node of this DAG`);
    return id;
  }

  task(id: string, needs: NeedsArg, run: Run, o: UncheckedNodeOptions = {}): DagNode<unknown> {
    checkFunction(run, id);
    const { placed, rest } = splitOptions(id, o);
    const { class: c } = nodeSpec(run, rest, null, `node ${id}`).guarantee;
    const queue = queueOf(id, placed.queue);
    const recorded = this.#recordedNeeds(needs, placed.trigger);
    const work = queue === null ? [] : [{ queue, spec: (given: unknown) => nodeSpec(run, rest, given as GivenValues) }];
    const open = (at: NodeOpening): Promise<unknown> =>
      at.calls.effect("", id, withGiven(onQueue(nodeSpec(run, rest, at.values), queue, inlineTask(at), at.values, recorded), at.given));
    return this.#add("task", id, needs, placed, { class: c }, false, open, work);
  }

  do(
    id: string,
    needs: NeedsArg,
    t: Task<unknown, unknown>,
    input: (d: GivenValues) => unknown,
    o: UncheckedNodeOptions = {},
  ): DagNode<unknown> {
    const spec = taskOf(t);
    checkFunction(input, id);
    const { placed, rest } = splitOptions(id, o);
    refuseRest(id, rest, "guarantee, retry and limits of a task are the task's");
    const queue = queueOf(id, placed.queue);
    return this.#add("do", id, needs, placed, { uses: spec.name }, false, (at) =>
      at.calls.effect("", id, withGiven(onQueue(spec.spec(callPure(`input of ${id}`, () => input(at.values))), queue, spec.id), at.given)),
    );
  }

  each(id: string, over: DagNode<unknown>, run: unknown, o: UncheckedNodeOptions & UncheckedEach): DagNode<unknown> {
    if (typeof over !== "object" || over === null || !this.#ids.has(over))
      throw brokenPlan(`what ${id} runs over is not a node of this DAG: make the list in a node, such as t.task("rows", {}, () => rows)`);
    const { placed, rest: said } = splitOptions(id, o ?? {});
    const { id: name, concurrency, failFast, input, ...rest } = said as Record<string, unknown>;
    const fan = { id: name, concurrency, failFast } as UncheckedEach;
    checkFan(id, fan);
    const trigger = placed.trigger ?? "all-ok";
    const body = { items: (values: GivenValues) => eachItems("over", trigger, values), fan };
    const when = placed.when as ((items: unknown) => unknown) | undefined;
    const whenItems = (values: GivenValues): unknown => {
      const items = body.items(values);
      return Array.isArray(items) ? when!(items) : true;
    };
    const place = { ...placed, when: when === undefined ? undefined : whenItems };
    const stops = failFast === true ? ({ failFast: true } as const) : {};
    if (typeof run === "function") {
      if (input !== undefined) throw brokenPlan(`${id} has no option input: its function gets the item itself`, { step: id });
      const { key, ...same } = rest;
      const checked = { ...same, ...(key === undefined ? {} : { key: "checked when called" }) };
      const { class: c } = stepSpec(() => null, checked, `node ${id}`).guarantee;
      const spec = itemSpec(run as (e: unknown, s: StepScope) => unknown, rest);
      const queue = queueOf(id, placed.queue);
      const open = (at: NodeOpening): Promise<unknown> =>
        openEach(at, { ...body, spec: (item) => onQueue(spec(item), queue, inlineTask(at), item) });
      const work = queue === null ? [] : [{ queue, spec }];
      return this.#add("each", id, { over }, place, { class: c, ...stops }, true, open, work);
    }
    const task = taskOf(run as Task<unknown, unknown>);
    checkFunction(input, id);
    refuseRest(id, rest, "guarantee, retry and limits of a task are the task's");
    const queue = queueOf(id, placed.queue);
    const ofItem = itemTaskSpec(id, task, input as (e: unknown) => unknown);
    const spec = (item: unknown): EffectSpec => onQueue(ofItem(item), queue, task.id);
    return this.#add("each", id, { over }, place, { uses: task.name, ...stops }, true, (at) => openEach(at, { ...body, spec }));
  }

  decide(id: string, needs: NeedsArg, branches: readonly string[], choose: Run, o: UncheckedNodeOptions = {}): DecisionNode<string> {
    checkFunction(choose, id);
    if (!Array.isArray(branches) || branches.some((b) => typeof b !== "string" || b === ""))
      throw brokenPlan(`decision ${id} needs a list of branches`, { step: id });
    const { placed, rest } = splitOptions(id, o);
    const run: Run = async (values, s) => chosenBranches(id, branches, await choose(values, s));
    const { class: c } = nodeSpec(run, rest, null, `node ${id}`).guarantee;
    const queue = queueOf(id, placed.queue);
    const recorded = this.#recordedNeeds(needs, placed.trigger);
    const work = queue === null ? [] : [{ queue, spec: (given: unknown) => nodeSpec(run, rest, given as GivenValues) }];
    const checkAnswer = (answer: unknown): unknown => chosenBranches(id, branches, answer);
    const open = (at: NodeOpening): Promise<unknown> => {
      const spec = onQueue(nodeSpec(run, rest, at.values), queue, inlineTask(at), at.values, recorded);
      return at.calls.effect("", id, withGiven({ ...spec, checkAnswer }, at.given));
    };
    const node = this.#add("decide", id, needs, placed, { class: c, branches }, false, open, work);
    const on = (branch: string): DecisionBranch => {
      if (!branches.includes(branch)) throw brokenPlan(`decision ${id} has no branch ${String(branch)}`, { step: id });
      return { decision: id, branch };
    };
    const decision = Object.freeze({ id: node.id, on });
    this.#ids.set(decision, id);
    return decision;
  }

  batch(id: string, needs: NeedsArg, plan: Run, run: (s: never) => unknown, o: UncheckedNodeOptions = {}): DagNode<unknown> {
    checkFunction(plan, id);
    checkFunction(run, id);
    const { placed, rest: said } = splitOptions(id, o);
    const { workersMax, carried, ...rest } = said as Record<string, unknown>;
    if (workersMax !== undefined && (!Number.isSafeInteger(workersMax) || (workersMax as number) < 1))
      throw brokenPlan(`${id}: workersMax must be a whole number of at least 1`, { step: id });
    for (const name of ["key", "dedup", "verify", "once", "settle", "compensate", "approve"])
      if (rest[name] !== undefined) throw brokenPlan(`${id}: a batch has no option ${name}; its work may be done again`, { step: id });
    const { class: c } = stepSpec(() => null, rest, `node ${id}`).guarantee;
    const steps = batchSteps(id, plan, run, rest);
    const queue = queueOf(id, placed.queue);
    const recorded = this.#recordedNeeds(needs, placed.trigger);
    const open = (at: NodeOpening): Promise<unknown> =>
      openBatch(at, {
        plan: (values) => onQueue(steps.plan(values), queue, inlineTask(at), values, recorded),
        work: (first) => onQueue(steps.work(first), queue, inlineTask(at, "work"), first),
        workersMax: workersMax as number | undefined,
        carried,
      });
    const work: readonly InlineWork[] =
      queue === null
        ? []
        : [
            { queue, spec: (given) => steps.plan(given as GivenValues) },
            { queue, part: "work", spec: (first) => steps.work(first as BatchProgress) },
          ];
    return this.#add("batch", id, needs, placed, { class: c }, true, open, work);
  }

  call(
    id: string,
    needs: NeedsArg,
    wf: AnyWorkflow,
    input: (d: GivenValues) => unknown,
    o: { workflowId?: (d: GivenValues) => string; timeout?: Duration; on?: unknown } = {},
  ): DagNode<unknown> {
    const definition = definitionOf(wf);
    checkFunction(input, id);
    const { placed, rest } = splitOptions(id, o);
    const { workflowId, timeout, ...more } = rest as typeof o;
    const { on: _, ...elsewhere } = placed;
    refuseRest(id, { ...more, ...elsewhere }, "a call takes workflowId, timeout and on");
    const timeoutMs = timeout === undefined ? null : durationMs(timeout, "timeout");
    return this.#add("call", id, needs, placed, { uses: definition.name }, false, (at) =>
      at.calls.callChild("", {
        name: id,
        definition,
        input: callPure(`input of ${id}`, () => input(at.values)),
        workflowId: workflowId === undefined ? null : callPure(`workflowId of ${id}`, () => workflowId(at.values)),
        timeoutMs,
        given: at.given,
      }),
    );
  }

  tx(id: string, needs: NeedsArg, run: (d: GivenValues, db: Tx) => unknown): DagNode<unknown> {
    checkFunction(run, id);
    return this.#add("tx", id, needs, {}, { class: "ATOMIC" }, false, (at) => {
      const { body, undo } = txSpec((db) => run(at.values, db), {});
      return at.calls.tx("", id, body, undo, undefined, at.given);
    });
  }

  sleep(id: string, needs: NeedsArg, d: Duration): DagNode<null> {
    const delayMs = durationMs(d, `the delay of ${id}`);
    return this.#add("sleep", id, needs, {}, {}, false, async (at) => {
      await at.calls.timer("", id, { delayMs }, seesNothing(at.given));
      return null;
    }) as DagNode<null>;
  }

  receive(id: string, needs: NeedsArg, signal: { name: string; payload: S }, o: { timeout?: Duration } = {}): DagNode<unknown> {
    const name = checkName(signal?.name, `the signal of ${id}`);
    checkOptions(o, receiveOptions, `node ${id}`);
    const known = this.signals.get(name);
    if (known !== undefined && known !== signal.payload) throw brokenPlan(`signal ${name} is declared with two schemas`, { step: id });
    parseWith(signal.payload);
    toMessageSchema(signal.payload);
    this.signals.set(name, signal.payload);
    const timeoutMs = o.timeout === undefined ? null : durationMs(o.timeout, "timeout");
    return this.#add(
      "receive",
      id,
      needs,
      {},
      { uses: name },
      false,
      async (at) => (await at.calls.receive("", name, timeoutMs, id, seesNothing(at.given))) ?? null,
    );
  }

  #recordedNeeds(needs: NeedsArg, trigger: Trigger | undefined): RecordedNeeds {
    if (trigger !== undefined && trigger !== "all-ok") return new Map();
    const ids = Object.entries(needs ?? {}).map(([name, node]) => [name, this.#ids.get(node) ?? ""] as const);
    return new Map(ids.filter(([, id]) => this.#oneStep.has(id)));
  }

  #add(
    kind: PlanNodeKind,
    id: string,
    needs: NeedsArg,
    placed: ReturnType<typeof splitOptions>["placed"],
    facts: Partial<PlanNode>,
    isGroup: boolean,
    open: (at: NodeOpening) => Promise<unknown>,
    work: readonly InlineWork[] = [],
  ): DagNode<unknown> {
    checkNodeId(id);
    if (this.#isBuilt) throw brokenPlan(`${id} comes too late: add nodes inside the function that builds the DAG`, { step: id });
    if (typeof needs !== "object" || needs === null)
      throw brokenPlan(`${id}: name what it needs as an object, such as { rows }, or {} for nothing`, { step: id });
    if (Object.hasOwn(needs, "input")) throw brokenPlan(`${id}: no need may be called input, which is the run's input`, { step: id });
    if (Object.hasOwn(needs, "__proto__"))
      throw brokenPlan(`${id}: no need may be called __proto__, which is not an ordinary member`, { step: id });
    const names = Object.entries(needs).map(([name, node]) => [name, this.idOf(node, `what ${id} needs as ${name}`)] as const);
    const on = branchesOf(id, placed.on);
    const hold = (checkOnFailure(placed.onFailure) ?? this.#onFailure) === "hold";
    const plan: PlanNode = {
      id,
      kind,
      needs: names.map(([, need]) => need),
      trigger: checkTrigger(id, placed.trigger),
      ...(on.length === 0 ? {} : { on }),
      ...(placed.when === undefined ? {} : { when: true as const }),
      ...(hold ? { hold: true as const } : {}),
      ...(placed.queue === undefined ? {} : { queue: queueOf(id, placed.queue)!.queue }),
      ...facts,
    };
    if (placed.when !== undefined && typeof placed.when !== "function") throw brokenPlan(`${id}: when must be a function`, { step: id });
    if (kind === "task" || kind === "do" || kind === "call") this.#oneStep.add(id);
    this.nodes.push({
      plan,
      names,
      when: (placed.when as BuiltNode["when"] | undefined) ?? null,
      isGroup,
      open,
      work,
    });
    const node = Object.freeze({ id });
    this.#ids.set(node, id);
    return node;
  }
}

function checkFunction(f: unknown, id: string): void {
  if (typeof f !== "function") throw brokenPlan(`${String(id)} needs a function`, { step: String(id) });
}

function refuseRest(id: string, rest: Readonly<Record<string, unknown>>, why: string): void {
  const [name] = Object.keys(rest).filter((k) => rest[k] !== undefined);
  if (name !== undefined) throw brokenPlan(`${id} has no option ${name}: ${why}`, { step: id });
}

function queueOf(id: string, queue: unknown): CheckedQueue | null {
  return queue === undefined ? null : checkQueue(queue, `node ${id}`);
}
const inlineTask = ({ calls, node }: NodeOpening, part?: InlineWork["part"]): string =>
  inlineTaskId(calls.run.workflow, calls.run.version, node.id, part);

function checkTrigger(id: string, trigger: unknown): Trigger {
  if (trigger === undefined) return "all-ok";
  if (!triggers.includes(trigger as Trigger)) throw brokenPlan(`${id}: trigger is one of ${triggers.join(", ")}`, { step: id });
  return trigger as Trigger;
}

function checkOnFailure(o: unknown): "fail" | "hold" | undefined {
  if (o === undefined || o === "fail" || o === "hold") return o;
  throw new PawlError("PAWL5001", 'onFailure is "fail" or "hold"');
}

function branchesOf(id: string, on: unknown): readonly PlanBranch[] {
  const all = on === undefined ? [] : Array.isArray(on) ? (on as unknown[]) : [on];
  return all.map((b) => {
    const { decision, branch } = (b ?? {}) as Partial<PlanBranch>;
    if (typeof decision !== "string" || typeof branch !== "string")
      throw brokenPlan(`${id}: on takes a branch, such as route.on("left")`, { step: id });
    return { decision, branch };
  });
}
