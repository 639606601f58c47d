// dagFromTemplate(): a DAG as data becomes a workflow like any other. A handler is a task's name: one that is given here runs here or on its
// queue, any other runs on workers elsewhere, so an orchestrator needs no code. Everything is checked before anything is made.
import { canonicalJson } from "../codec/canonical.ts";
import { durationMs } from "../core/duration.ts";
import { checkJson, type JsonSchema } from "../core/json-schema.ts";
import { brokenPlan, checkPlan, type PlanNode } from "../core/plan-data.ts";
import { partAt } from "../core/input-ref.ts";
import type { Trigger } from "../core/trigger.ts";
import type { Parse } from "../engine/definition.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { definitionOf, isWorkflow, taskOf } from "../workflow/registry.ts";
import { acceptAnything } from "../workflow/schema.ts";
import type { AnyWorkflow, Json, Task, Workflow } from "../workflow/types.ts";
import { checkCursors, openBatch } from "./batch.ts";
import { seesNothing, withGiven, type BuiltNode, type GivenValues, type NodeOpening } from "./built-node.ts";
import { holds } from "./condition.ts";
import { definePlan } from "./define-plan.ts";
import { openEach } from "./each.ts";
import { HandlerSteps, type GivenHandlers } from "./handler-steps.ts";
import { checkIdentity } from "./identity.ts";
import { checkStaleness } from "./staleness.ts";
import { checkTemplate, stepType } from "./template-check.ts";
import type { Template, TemplateStep } from "./template-types.ts";
import type { DagSignals } from "./types.ts";

/**
 * Makes a workflow of a template: a DAG as data. Names, needs, branches, pointers and cycles are checked as a whole. GivenHandlers that are
 * not given run on workers elsewhere; workflows that the template calls are given among the handlers.
 *
 * @example
 * const order = dagFromTemplate(JSON.parse(readFileSync("order.json", "utf8")), [charge, ship]);
 * const app = await engine({ workflows: [order] });
 */
export function dagFromTemplate(
  template: Template,
  handlers: readonly (Task<any, any> | AnyWorkflow)[] = [],
): Workflow<string, Json | undefined, Json, Json | undefined, DagSignals> {
  const t = checkTemplate(template);
  checkPlan(t.steps.map(graphOf)); // before anything is made of it
  const known = handlersOf(handlers);
  const digest = templateDigest(t);
  const nodes = t.steps.map((s) => builtStep(t, s, known));
  const signals = new Set(t.steps.flatMap((s) => (s.type === "signal" ? [s.signal] : [])));
  return definePlan(
    {
      name: t.name,
      namespace: t.namespace,
      version: t.version,
      timeout: t.timeout,
      identity: checkIdentity(t.identity ?? { strategy: "strict" }, "identity"),
      stale: t.stale === undefined ? undefined : checkStaleness(t.stale),
      parse: t.input === undefined ? acceptAnything : strictParse(t.input),
      describe: t.input === undefined ? undefined : { schema: t.input as JsonSchema, required: true, whole: true },
      digest,
      template: { namespace: t.namespace, name: t.name, version: t.version, digest, text: canonicalJson(t), handlers: handlerNames(t) },
    },
    { nodes, result: t.result ?? leavesOf(t) },
    new Map([...signals].map((name) => [name, undefined])),
  ) as unknown as Workflow<string, Json | undefined, Json, Json | undefined, DagSignals>;
}

/** Of its canonical form: the same template has the same digest, however it was written down. */
export function templateDigest(t: Template): string {
  return sha256Hex(canonicalJson(t));
}

/** The step's place in the graph, and nothing else of it. */
function graphOf(s: TemplateStep): PlanNode {
  return {
    id: s.name,
    kind: s.type === "decision" ? "decide" : "do",
    needs: s.needs ?? [],
    trigger: s.trigger ?? "all-ok",
    ...(s.on === undefined ? {} : { on: [s.on] }),
    ...(s.type === "decision" ? { branches: s.branches } : {}),
  };
}

function handlersOf(given: readonly unknown[]): GivenHandlers {
  const tasks = new Map<string, ReturnType<typeof taskOf>>();
  const workflows = new Map<string, ReturnType<typeof definitionOf>>();
  if (!Array.isArray(given)) throw new PawlError("PAWL5001", "dagFromTemplate() takes a list of tasks and workflows");
  for (const h of given) {
    const [name, all] = isWorkflow(h) ? [h.name as string, workflows] : [taskOf(h as Task<unknown, unknown>).name, tasks];
    if (all.has(name)) throw brokenPlan(`two handlers are named ${name}`);
    if (isWorkflow(h)) workflows.set(name, definitionOf(h));
    else tasks.set(name, taskOf(h as Task<unknown, unknown>));
  }
  return { tasks, workflows };
}

function handlerNames(t: Template): readonly string[] {
  const names = t.steps.flatMap((s) => ["handler" in s ? s.handler : [], "worker" in s ? s.worker : []].flat());
  return [...new Set(names)].sort();
}

function leavesOf(t: Template): readonly string[] {
  const needed = new Set(t.steps.flatMap((s) => s.needs ?? []));
  return t.steps.map((s) => s.name).filter((n) => !needed.has(n));
}

/** TX-24: what cannot be checked as a whole is refused. */
function strictParse(schema: NonNullable<Template["input"]>): Parse {
  return (value, what) => {
    const { problem, partly } = checkJson(schema as JsonSchema, value ?? null);
    if (problem !== undefined)
      throw new PawlError("PAWL1008", `${what}${problem.path}: ${problem.message}`, { data: { path: problem.path } });
    if (partly) throw new PawlError("PAWL1008", `${what}: it has values that the template's schema cannot check`);
    return value;
  };
}

function builtStep(t: Template, s: TemplateStep, known: GivenHandlers): BuiltNode {
  const needs = s.needs ?? [];
  const { when } = s;
  const type = stepType(s);
  const { kind, facts, isGroup, open } = stepBody(s, known);
  const hold =
    (("onFailure" in s ? s.onFailure : undefined) ?? t.onFailure) === "hold" && type !== "call" && type !== "sleep" && type !== "signal";
  const plan: PlanNode = {
    id: s.name,
    kind,
    needs,
    trigger: s.trigger ?? "all-ok",
    ...(s.on === undefined ? {} : { on: [s.on] }),
    ...(when === undefined ? {} : { when: true as const }),
    ...(hold ? { hold: true as const } : {}),
    ...facts,
  };
  return {
    plan,
    names: needs.map((n) => [n, n] as const),
    when: when === undefined ? null : (values) => holds(when, values),
    isGroup,
    open,
  };
}

type StepBody = Pick<BuiltNode, "isGroup" | "open"> & { readonly kind: PlanNode["kind"]; readonly facts: Partial<PlanNode> };

function stepBody(s: TemplateStep, known: GivenHandlers): StepBody {
  const { name: id } = s;
  const oneStep = (kind: PlanNode["kind"], facts: Partial<PlanNode>, open: (o: NodeOpening) => Promise<unknown>): StepBody => ({
    kind,
    facts,
    isGroup: false,
    open,
  });
  if (s.type === undefined || s.type === "task") {
    const steps = new HandlerSteps(s, s.handler, known, s.effect);
    return oneStep("do", steps.facts, (o) => o.calls.effect("", id, withGiven(steps.spec(o.values), o.given)));
  }
  switch (s.type) {
    case "decision": {
      const steps = new HandlerSteps(s, s.handler, known, undefined, { branches: s.branches });
      const facts = { ...steps.facts, branches: s.branches };
      return oneStep("decide", facts, (o) => o.calls.effect("", id, withGiven(steps.spec(o.values), o.given)));
    }
    case "each": {
      const steps = new HandlerSteps(s, s.handler, known, s.effect);
      const fan = {
        id: (item: unknown) => itemName(id, partAt({ item }, s.id)),
        ...(s.concurrency === undefined ? {} : { concurrency: s.concurrency }),
        ...(s.failFast === undefined ? {} : { failFast: s.failFast }),
      };
      const items = (values: GivenValues): unknown => itemsAt(s.over, s.trigger ?? "all-ok", values);
      const spec = (item: unknown, values: GivenValues) => steps.spec({ ...values, item });
      return {
        kind: "each",
        facts: { ...steps.facts, ...(s.failFast === true ? { failFast: true as const } : {}) },
        isGroup: true,
        open: (o) => openEach(o, { items, fan, spec }),
      };
    }
    case "batch": {
      const plan = new HandlerSteps(s, s.handler, known, undefined, { parse: (v) => checkCursors(id, v) });
      const work = new HandlerSteps(s, s.worker, known, undefined);
      const body = {
        plan: (values: GivenValues) => plan.spec(values),
        work: (first: { readonly cursor: unknown }, values: GivenValues) => work.spec(values, { cursor: first.cursor }),
        workersMax: s.workersMax,
        carried: undefined,
      };
      return { kind: "batch", facts: plan.facts, isGroup: true, open: (o) => openBatch(o, body) };
    }
    case "call": {
      const definition = known.workflows.get(s.workflow);
      if (definition === undefined || (s.version !== undefined && definition.version !== s.version))
        throw brokenPlan(
          `step ${id} calls workflow ${s.workflow}${s.version === undefined ? "" : ` ${s.version}`}: give it beside the template`,
          { step: id },
        );
      const timeoutMs = s.timeout === undefined ? null : durationMs(s.timeout, "timeout");
      const inputs = new HandlerSteps(s, s.workflow, known, undefined, { isCall: true });
      return oneStep("call", { uses: definition.name }, (o) =>
        o.calls.callChild("", { name: id, definition, input: inputs.input(o.values), workflowId: null, timeoutMs, given: o.given }),
      );
    }
    case "sleep": {
      const delayMs = durationMs(s.delay, "delay");
      return oneStep("sleep", {}, async (o) => {
        await o.calls.timer("", id, { delayMs }, seesNothing(o.given));
        return null;
      });
    }
    case "signal": {
      const timeoutMs = s.timeout === undefined ? null : durationMs(s.timeout, "timeout");
      return oneStep(
        "receive",
        { uses: s.signal },
        async (o) => (await o.calls.receive("", s.signal, timeoutMs, id, seesNothing(o.given))) ?? null,
      );
    }
  }
}

/** Under a trigger that lets the step with the list be skipped or fail, there are no items then, as in a DAG in code. */
function itemsAt(over: string, trigger: Trigger, values: GivenValues): unknown {
  const root = over.split("/")[1]!;
  const given = values[root];
  const isGone = trigger === "all-done" ? (given as { readonly is?: string }).is !== "ok" : given === undefined;
  return root !== "input" && trigger !== "all-ok" && isGone ? [] : partAt(values, over);
}

function itemName(id: string, found: unknown): string {
  if (typeof found === "string" || typeof found === "number") return String(found);
  throw new PawlError("PAWL1008", `an item of ${id} has no name: its id leads to ${found === undefined ? "nothing" : "no text or number"}`);
}
