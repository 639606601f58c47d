// tool() and toolTx(): a function that a model may ask for, with what may be repeated of it. A call becomes a step of the run with that class. The
// definition holds no state and knows no engine; what the run knows of earlier calls is the engine's (effects/tool-calls.ts).
import type { StandardSchemaV1 as S } from "@standard-schema/spec";
import { encode } from "../codec/value.ts";
import { checkOptions, deriveGuarantee } from "../core/guarantee.ts";
import { defaultLimits } from "../core/limits.ts";
import type { EffectSpec, EffectStepScope } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { callerLocation, locationText } from "../platform/source-location.ts";
import { parseNowWith } from "../workflow/schema.ts";
import { taskSpec } from "../workflow/step-options.ts";
import { txSpec } from "../workflow/tx-options.ts";
import type { Json, Out, In, StepScope, TaskOpts, Tx } from "../workflow/types.ts";
import { checkToolLimit, checkOnRepeat, checkTool, type CheckedLimit } from "./check.ts";
import { toolFacts } from "./facts.ts";
import { registerTool, type PreparedCall } from "./registry.ts";
import type { StreamScope, Tool, ToolCommon, ToolDef, ToolGuarantee, ToolTxOpts } from "./types.ts";

type Fn = (...args: any[]) => any;
/** The options as they come: JavaScript has no type checker. */
interface UncheckedTool {
  readonly key?: Fn;
  readonly verify?: Fn;
  readonly approve?: unknown;
  readonly compensate?: unknown;
  readonly confirm?: unknown;
  readonly limit?: unknown;
  readonly onRepeat?: unknown;
  readonly version?: string;
  readonly externalId?: Fn;
}

const toolOnly = new Set(["limit", "onRepeat", "version", "externalId"]);
const toolTxOptions = new Set(["approve", "limit", "onRepeat", "version", "compensate"]);

/**
 * Defines a tool: a function that a model may ask for, with a schema for its arguments. The options must say what may be repeated, `key`,
 * `verify`, `repeatable` or `once`: a model is a retrier, too. An equal call that the run made before is not made again.
 *
 * @example
 * export const refund = tool(
 *   { name: "refund", description: "Refund a charge", input: z.object({ chargeId: z.string(), cents: z.number() }) },
 *   async (i, s) => bank.refund(i.chargeId, i.cents, s.key),
 *   { key: (i) => `refund:${i.chargeId}`, dedup: "24h", approve: (i) => i.cents > 5000 },
 * );
 */
export function tool<const N extends string, X extends S, O, CX extends S | undefined = undefined>(
  def: ToolDef<N, X, CX>,
  run: (i: Out<X>, s: StreamScope, c: Out<CX>) => Promise<O> | O,
  o: ToolCommon<Out<X>, NoInfer<O>, Out<CX>> & ToolGuarantee<Out<X>, NoInfer<O>, Out<CX>>,
): Tool<N, In<X>, O, CX extends S ? Out<CX> : unknown> {
  const unchecked = (o ?? {}) as unknown as UncheckedTool;
  const checked = checkTool(def, unchecked.version);
  if (typeof run !== "function") throw new PawlError("PAWL5001", `tool ${def.name} needs a function`);
  const { limit, allowsRepeat, parse } = shared(def, unchecked);
  const taskOptions = Object.fromEntries(Object.entries(unchecked).filter(([name]) => !toolOnly.has(name)));
  const declared = deriveGuarantee({ ...taskOptions, ...(unchecked.key === undefined ? {} : { key: "checked when called" }) });
  if (declared.class === "UNDECLARED")
    throw new PawlError("PAWL1005", `tool ${def.name} must say what may be repeated: key, verify, repeatable or once`);
  const place = callerLocation();
  const at = place === undefined ? "" : locationText(place);
  const specFor = (input: unknown, raw: unknown, c: unknown, restored = false): EffectSpec =>
    taskSpec(
      def.name,
      def.name,
      { later: () => input, now: () => input },
      (i, s) => (run as Fn)(i, s, c),
      withContext(taskOptions as UncheckedTool, c, restored) as TaskOpts<unknown, unknown>,
      at,
    ).spec(raw);
  checkTask(def.name, taskOptions as UncheckedTool, at);
  const made = Object.freeze({ name: def.name, description: def.description, version: checked.version });
  registerTool(made, {
    ...checked,
    asks: unchecked.approve !== undefined && unchecked.approve !== false,
    prepare: (args, context, cause, onOpened): PreparedCall => {
      const input = parse(args, `arguments of ${def.name}`);
      const spec = specFor(input, args, context);
      const facts = toolFacts(checked, spec.guarantee.key, input, limit, allowsRepeat);
      const { externalId } = unchecked;
      return {
        kind: "effect",
        identity: facts.identity,
        spec: {
          ...spec,
          tool: cause === undefined ? facts : { ...facts, cause },
          onOpened,
          ...(externalId === undefined ? {} : { externalId }),
        },
      };
    },
    isRemembered: unchecked.compensate !== undefined || unchecked.confirm !== undefined,
    restore: (args) => ({ effect: specFor(parse(args, `arguments of ${def.name}`), args, undefined, true) }),
  });
  return made as unknown as Tool<N, In<X>, O, CX extends S ? Out<CX> : unknown>;
}

/**
 * Defines a tool that writes rows in the database of the store: its rows and its outcome are one commit (ATOMIC), so that it happens once.
 *
 * @example
 * export const book = toolTx(
 *   { name: "book", description: "Book an article", input: z.object({ sku: z.string() }) },
 *   async (i, db) => (await db.sql`update stock set free = free - 1 where sku = ${i.sku}`).changes,
 * );
 */
export function toolTx<const N extends string, X extends S, O, CX extends S | undefined = undefined>(
  def: ToolDef<N, X, CX>,
  run: (i: Out<X>, db: Tx, c: Out<CX>) => Promise<O> | O,
  o?: ToolTxOpts<Out<X>, NoInfer<O>, Out<CX>>,
): Tool<N, In<X>, O, CX extends S ? Out<CX> : unknown> {
  const unchecked = (o ?? {}) as UncheckedTool;
  const checked = checkTool(def, unchecked.version);
  if (typeof run !== "function") throw new PawlError("PAWL5001", `tool ${def.name} needs a function`);
  checkOptions(unchecked, toolTxOptions, `tool ${def.name}`);
  const { limit, allowsRepeat, parse } = shared(def, unchecked);
  const { approve, compensate } = unchecked;
  if (compensate !== undefined && typeof compensate !== "function")
    throw new PawlError("PAWL5001", `compensate of tool ${def.name} must be a function of the result and the transaction`);
  const txOf = (input: unknown, c: unknown): ReturnType<typeof txSpec> =>
    txSpec(
      (db) => (run as Fn)(input, db, c),
      compensate === undefined ? {} : { compensate: (result: never, db: Tx) => (compensate as Fn)(result, db, input) },
    );
  const made = Object.freeze({ name: def.name, description: def.description, version: checked.version });
  registerTool(made, {
    ...checked,
    asks: unchecked.approve !== undefined && unchecked.approve !== false,
    prepare: (args, context, cause, onOpened): PreparedCall => {
      const input = parse(args, `arguments of ${def.name}`);
      const facts = toolFacts(checked, null, input, limit, allowsRepeat);
      const { body, undo } = txOf(input, context);
      return {
        kind: "tx",
        identity: facts.identity,
        tool: cause === undefined ? facts : { ...facts, cause },
        input: encode(args as Json, defaultLimits, `arguments of ${def.name}`),
        body,
        undo,
        onOpened,
        approval: approve === undefined || approve === false ? null : approvalStep(def.name, args, approve, input, context),
      };
    },
    isRemembered: compensate !== undefined,
    restore: (args) => {
      const { undo } = txOf(parse(args, `arguments of ${def.name}`), undefined);
      return undo === null ? null : { tx: undo };
    },
  });
  return made as unknown as Tool<N, In<X>, O, CX extends S ? Out<CX> : unknown>;
}

/** Throws what a call would: options that contradict each other, a compensation that is none. */
function checkTask(name: string, o: UncheckedTool, at: string): void {
  taskSpec(name, name, { later: () => null, now: () => null }, () => null, o as TaskOpts<unknown, unknown>, at);
}

function shared(
  def: { name: string; input: S },
  o: UncheckedTool,
): { readonly limit: CheckedLimit | undefined; readonly allowsRepeat: boolean; readonly parse: (value: unknown, what: string) => unknown } {
  return { limit: checkToolLimit(def.name, o.limit), allowsRepeat: checkOnRepeat(def.name, o.onRepeat), parse: parseNowWith(def.input) };
}

/** A transaction cannot wait for a person: a step before it does, which does nothing. */
function approvalStep(tool: string, args: unknown, approve: unknown, input: unknown, c: unknown): EffectSpec {
  const policy = typeof approve === "function" ? () => (approve as Fn)(input, c) : approve;
  return taskSpec(
    tool,
    tool,
    { later: () => input, now: () => input },
    () => null,
    { repeatable: true, approve: policy as boolean },
    "",
  ).spec(args);
}

/** The options of a task, with the run's context in the author's functions. A restored call has its key in the log, and no context. */
function withContext(o: UncheckedTool, c: unknown, restored: boolean): UncheckedTool {
  const { key, verify, approve } = o;
  return {
    ...o,
    ...(key === undefined ? {} : { key: restored ? () => "in the log" : (i: unknown) => key(i, c) }),
    ...(verify === undefined ? {} : { verify: (i: unknown, s: StepScope | EffectStepScope) => verify(i, s, c) }),
    ...(typeof approve === "function" ? { approve: (i: unknown) => (approve as Fn)(i, c) } : {}),
  };
}
