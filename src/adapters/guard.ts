// guard(): one tool inside any other framework happens once, as a run of one step. The framework may crash, retry and replay as it likes: the same
// call finds the same run, and gets its recorded result. It decides nothing about repeating: the step's class does, and a person where nobody knows.
import { canonicalJson } from "../codec/canonical.ts";
import type { Duration } from "../core/duration.ts";
import { checkId } from "../core/names.ts";
import { isPawlError, PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { definedTool } from "../tools/registry.ts";
import { toolbox } from "../tools/toolbox.ts";
import type { AnyTool, Tool } from "../tools/types.ts";
import { workflow } from "../workflow/define.ts";
import type { AnyWorkflow } from "../workflow/types.ts";

/** A run's handle, as far as a guard needs it. */
interface GuardedRun {
  readonly runId: string;
  result(o?: { timeout?: Duration; signal?: AbortSignal }): Promise<unknown>;
  retry(o: { readonly dryRun: true }): Promise<{ readonly steps: readonly { readonly outlook: string }[] }>;
  retry(o?: object): Promise<GuardedRun>;
}
/** An engine, by shape. */
export interface GuardEngine {
  start(wf: any, input?: any, o?: any): Promise<any>;
}
export interface GuardOpts {
  /** The conversation that the calls belong to: equal calls of two threads are two calls. */
  readonly thread: string;
}
/** What makes a call another one. An author's key decides alone; else thread, tool and arguments do, with one of these. */
export type GuardedCallOpts<K> = (
  | {
      /** The number of this call among equal ones of the thread: 1 unless given. */
      readonly occurrence?: number;
      readonly callId?: never;
    }
  | {
      /** The provider's id of the call. Only where the framework stores the model's message before it runs tools. */
      readonly callId: string;
      readonly occurrence?: never;
    }
) & {
  /** What the tool needs from the run; no model sees it. Not part of the identity. */
  readonly context?: K;
  /** How long to wait for the result. Then the call fails as PAWL4006; the run continues, and the same call finds it again. */
  readonly timeout?: Duration;
  readonly signal?: AbortSignal;
};
/** Calls a tool: its recorded result, or what it failed with. */
export type GuardedCall = <N extends string, I, O, K>(
  t: Tool<N, I, O, K>,
  input: NoInfer<I>,
  o?: GuardedCallOpts<NoInfer<K>>,
) => Promise<O>;

/**
 * Makes a tool happen once inside any framework: each call is a run of one step, and the same call again is answered from the record.
 *
 * @example
 * const call = guard(app, { thread: chatId });
 * const tools = { refund: { inputSchema, execute: (input, { toolCallId }) => call(refund, input) } };
 */
export function guardTools(app: GuardEngine, o: GuardOpts): GuardedCall {
  if (typeof app?.start !== "function")
    throw new PawlError("PAWL5001", "guard() takes an engine, such as `await engine()`, and { thread }");
  const thread = checkId(o?.thread, "the guard's thread");
  const call = async (t: AnyTool, input: unknown, c: GuardedCallOpts<unknown> = {}): Promise<unknown> => {
    const id = identityOf(t, input, c, thread);
    const wait = { ...(c.timeout === undefined ? {} : { timeout: c.timeout }), ...(c.signal === undefined ? {} : { signal: c.signal }) };
    const given = { input, ...(c.context === undefined ? {} : { context: c.context }) };
    const handle = (await app.start(workflowOf(t), given, {
      ...(id === undefined ? {} : { id }),
      tags: { guard: thread },
    })) as GuardedRun & {
      readonly created: boolean;
    };
    try {
      return await handle.result(wait);
    } catch (e) {
      if (handle.created || !isPawlError(e, "PAWL1013")) throw e;
      return await (await again(handle, e)).result(wait);
    }
  };
  return call as GuardedCall;
}

/** A call that failed before: it is made again where the record permits it without a person, else its failure is the answer. */
async function again(handle: GuardedRun, failure: unknown): Promise<GuardedRun> {
  const plan = await handle.retry({ dryRun: true });
  if (plan.steps.some((s) => s.outlook === "needs a decision")) throw failure;
  return handle.retry();
}

/** Undefined: it may always be repeated, so each call is a new one. */
function identityOf(t: AnyTool, input: unknown, c: GuardedCallOpts<unknown>, thread: string): string | undefined {
  const prepared = definedTool(t).prepare(input, c.context, undefined, () => {});
  const guarantee = prepared.kind === "effect" ? prepared.spec.guarantee : undefined;
  if (guarantee?.class === "REPEATABLE") return undefined;
  if (guarantee !== undefined && guarantee.key !== null) return `guard:${t.name}:${prepared.identity.slice(0, 32)}`;
  const { occurrence = 1, callId } = c;
  if (!Number.isSafeInteger(occurrence) || occurrence < 1)
    throw new PawlError("PAWL5001", "occurrence must be a whole number of at least 1");
  const which = callId === undefined ? ["args", prepared.identity, occurrence] : ["call", callId];
  return `guard:${t.name}:${sha256Hex(canonicalJson([thread, t.name, ...which])).slice(0, 32)}`;
}

const workflows = new WeakMap<AnyTool, AnyWorkflow>();

function workflowOf(t: AnyTool): AnyWorkflow {
  const known = workflows.get(t);
  if (known !== undefined) return known;
  const made = workflow({ name: `guard:${t.name}`, input: anything }, (ctx, { input, context }) =>
    toolbox(ctx, [t], context).call(t.name, input),
  );
  workflows.set(t, made);
  return made;
}

/** The tool's own schema reads the arguments, when the call is made. */
const anything = {
  "~standard": {
    version: 1,
    vendor: "pawl",
    validate: (value: unknown) => ({ value: value as { readonly input: unknown; readonly context?: unknown } }),
    types: undefined as unknown as { input: unknown; output: { readonly input: unknown; readonly context?: unknown } },
  },
} as const;
