// A plan: a list of tool calls that a planner made, as one recorded fact. It is in the log, with its hash and the hash of what the planner was given, before any of its
// calls is sent; nobody asks the planner again, neither a later owner nor a replay. Another plan is another record, which names the one that it replaces.
// Labels are for people: no id and no hash depends on them.
import { canonicalJson } from "../codec/canonical.ts";
import { encode } from "../codec/value.ts";
import { aetherisStepId } from "../events/aetheris.ts";
import { checkOptions } from "../core/guarantee.ts";
import { defaultLimits } from "../core/limits.ts";
import { checkName } from "../core/names.ts";
import type { Retry } from "../core/retry.ts";
import type { Duration } from "../core/duration.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { callsBehind } from "../workflow/ctx.ts";
import { stepSpec } from "../workflow/step-options.ts";
import type { Json, StepScope } from "../workflow/types.ts";
import type { ToolCall } from "./messages.ts";
import { isTool } from "./registry.ts";
import type { AnyTool, ToolSource } from "./types.ts";

/** What a planner makes: which tools are to be called, in which order. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: Json;
  /** For people. */
  readonly label?: string;
}
/** Who makes plans. A new way of planning is a new version: it is recorded with each plan. */
export interface Planner<I> {
  readonly name: string;
  readonly version: string;
  /** Anything but a list of at least one call is no plan, and the run fails. */
  plan(input: I, s: StepScope): Promise<readonly PlannedCall[]> | readonly PlannedCall[];
}
export interface PlanOpts {
  /** The tools that a plan may name; a plan that names another is none. */
  tools?: readonly (AnyTool | ToolSource)[];
  /** After a crash while the planner was at work: ask it again (default), or leave it to a person. */
  repeat?: "repeatable" | "once";
  retry?: Retry;
  timeout?: Duration;
  /** A new decision: the plan that this one replaces, and why. */
  replaces?: { readonly plan: Pick<Plan, "decisionId">; readonly why: string };
}
/** A recorded plan. */
export interface Plan {
  readonly stepId: string;
  /** Names the record: the first 16 hex digits of `planHash`. */
  readonly decisionId: string;
  readonly planHash: string;
  readonly inputHash: string;
  /** Ready for `ctx.tools(…).run`, or for `send`: each names the recorded plan as its cause. */
  readonly calls: readonly (ToolCall & { readonly label?: string })[];
}

/** As the step's end has it. */
interface RecordedPlan {
  readonly planHash?: string;
  readonly content?: readonly {
    readonly type: "tool-call";
    readonly id: string;
    readonly tool: string;
    readonly input: Json;
    readonly label?: string;
  }[];
  readonly none?: string;
}

const planOptions = new Set(["tools", "repeat", "retry", "timeout", "replaces"]);

/**
 * Asks a planner once, and records what it made. The calls of the plan are sent by `toolbox(ctx, tools).run(call)`, or by edges of a graph.
 *
 * @example
 * const p = await plan(ctx, "plan", planner, { goal: "refund ch_7" }, { tools: [look, refund] });
 * for (const call of p.calls) await toolbox(ctx, [look, refund]).run(call);
 */
export async function plan<I>(ctx: object, name: string, planner: Planner<I>, input: I, o: PlanOpts = {}): Promise<Plan> {
  const { calls, scope } = callsBehind(ctx);
  checkName(name, "the plan's name");
  checkOptions(o, planOptions, `plan ${name}`);
  if (typeof planner?.plan !== "function" || typeof planner.version !== "string" || typeof planner.name !== "string")
    throw new PawlError("PAWL5001", `plan ${name} needs a planner: a name, a version and a function plan`);
  const { replaces } = o;
  if (replaces !== undefined && (typeof replaces.plan?.decisionId !== "string" || typeof replaces.why !== "string" || replaces.why === ""))
    throw new PawlError("PAWL5001", `plan ${name}: replaces names a plan, and says why`);
  const given = encode(input, defaultLimits, `input of plan ${name}`);
  const inputHash = sha256Hex(canonicalJson(JSON.parse(given)));
  const spec = stepSpec(async (s) => readPlan(calls.run.runId, await planner.plan(input, s as StepScope), o.tools), {
    ...(o.repeat === "once" ? { once: true } : { repeatable: true }),
    ...(o.retry === undefined ? {} : { retry: o.retry }),
    ...(o.timeout === undefined ? {} : { timeout: o.timeout }),
  } as { repeatable: true });
  let stepId = "";
  const made = (await calls.effect(scope, name, {
    ...spec,
    input: JSON.stringify(inputHash),
    plan: {
      planner: planner.name,
      version: planner.version,
      inputHash,
      ...(replaces === undefined ? {} : { replaces: replaces.plan.decisionId, why: replaces.why }),
    },
    onOpened: (opened) => (stepId = opened.stepId),
  })) as RecordedPlan;
  const { planHash, content } = made;
  if (planHash === undefined || content === undefined) throw new PawlError("PAWL1076", `plan ${name}: ${made.none ?? "there is none"}`);
  return {
    stepId,
    decisionId: planHash.slice(0, 16),
    planHash,
    inputHash,
    calls: content.map((c, part) => ({ ...c, cause: { stepId, part } })),
  };
}

/** What is recorded: the plan with its hash and the ids of its calls, or why it is none. */
function readPlan(runId: string, made: unknown, tools: PlanOpts["tools"]): RecordedPlan {
  if (!Array.isArray(made) || made.length === 0) return { none: "the planner gave no plan: a list of calls with at least one" };
  const known = tools?.every(isTool) === true ? new Set((tools as readonly AnyTool[]).map((t) => t.name)) : undefined;
  for (const [i, call] of (made as readonly Partial<PlannedCall>[]).entries()) {
    if (typeof call?.tool !== "string" || call.tool === "") return { none: `call ${i} of the plan names no tool` };
    if (known?.has(call.tool) === false) return { none: `call ${i} of the plan names ${call.tool}, which is not one of its tools` };
  }
  const bare = (made as readonly PlannedCall[]).map(({ tool, input }) => ({ tool, input: input ?? null }));
  const planHash = sha256Hex(canonicalJson(JSON.parse(JSON.stringify(bare))));
  return {
    planHash,
    content: (made as readonly PlannedCall[]).map(({ tool, input, label }, i) => ({
      type: "tool-call",
      id: aetherisStepId(runId, planHash.slice(0, 16), i, tool),
      tool,
      input: input ?? null,
      ...(label === undefined ? {} : { label: String(label) }),
    })),
  };
}
