// A node that runs one step for each item of a list. The list is a recorded result, so the items are the same on every replay; each is
// named by the author, and its name is its identity. It must never start an item before all names are known to be different.
import { encode } from "../codec/value.ts";
import { defaultLimits } from "../core/limits.ts";
import { checkId } from "../core/names.ts";
import type { Trigger } from "../core/trigger.ts";
import type { EffectSpec } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { taskUndo } from "../workflow/compensation-options.ts";
import { stepSpec, type TaskSpec } from "../workflow/step-options.ts";
import type { StepScope } from "../workflow/types.ts";
import { callPure, openFailed, withGiven, type GivenValues, type NodeOpening } from "./built-node.ts";
import { groupOpenMax, runGroup } from "./group.ts";

type Call = (...args: never[]) => unknown;

/** What an author may say of an each, beside what a step takes. */
export interface UncheckedEach {
  readonly id: (e: unknown) => string;
  readonly concurrency?: number;
  readonly failFast?: boolean;
  readonly when?: (items: readonly unknown[]) => unknown;
  readonly input?: (e: unknown) => unknown;
}

export interface EachBody {
  /** The list, from what the node is given. */
  readonly items: (values: GivenValues) => unknown;
  readonly fan: UncheckedEach;
  /** The step of one item. */
  readonly spec: (item: unknown, values: GivenValues) => EffectSpec;
}

export function checkFan(id: string, o: UncheckedEach): void {
  if (typeof o.id !== "function") throw new PawlError("PAWL1025", `${id} needs { id }: a function that names each item`);
  const { concurrency = groupOpenMax } = o;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new PawlError("PAWL1025", `${id}: concurrency must be a whole number of at least 1`);
  if (o.failFast !== undefined && typeof o.failFast !== "boolean") throw new PawlError("PAWL1025", `${id}: failFast must be true or false`);
}

/** The items: under a trigger that lets `over` be skipped or fail, there are none then. */
export function eachItems(over: string, trigger: Trigger, values: GivenValues): unknown {
  const seen = values[over];
  if (trigger === "all-ok") return seen;
  if (trigger !== "all-done") return seen ?? [];
  const outcome = seen as { readonly is: string; readonly value?: unknown };
  return outcome.is === "ok" ? outcome.value : [];
}

export function openEach(o: NodeOpening, b: EachBody): Promise<unknown> {
  const { id } = o.node;
  const items = b.items(o.values);
  if (!Array.isArray(items)) return openFailed(o, new PawlError("PAWL4011", `${id} runs over something that is not a list`));
  const names = items.map((item: unknown) =>
    checkId(
      callPure(`id of ${id}`, () => b.fan.id(item)),
      `the name of an item of ${id}`,
    ),
  );
  if (new Set(names).size !== names.length)
    return openFailed(o, new PawlError("PAWL1009", `two items of ${id} have the same name: ${firstTwice(names)}`));
  const open = (i: number): Promise<unknown> => {
    const item: unknown = items[i];
    const given = { ...o.given, hash: sha256Hex(item === undefined ? "" : encode(item, defaultLimits, `an item of ${id}`)) };
    let spec: EffectSpec;
    try {
      spec = b.spec(item, o.values);
    } catch (error) {
      const fail = (): never => {
        throw error;
      };
      spec = stepSpec(fail, {});
    }
    return o.calls.effect(id, names[i]!, withGiven(spec, given));
  };
  const { concurrency = groupOpenMax, failFast = false } = b.fan;
  return runGroup({ calls: o.calls, gate: o.gate, id, names, concurrency, failFast, open, resumed: o.resumed });
}

function firstTwice(names: readonly string[]): string {
  const seen = new Set<string>();
  return names.find((n) => seen.size === seen.add(n).size) ?? "";
}

/** The step of one item whose code is in the DAG. `rest`: what was said of every item. */
export function itemSpec(
  run: (e: unknown, s: StepScope) => unknown,
  rest: Readonly<Record<string, unknown>>,
): (item: unknown) => EffectSpec {
  const { key, verify, compensate, approve, ...same } = rest as Record<"key" | "verify" | "compensate" | "approve", Call | undefined>;
  return (item) =>
    stepSpec((s) => run(item, s), {
      ...same,
      ...(key === undefined ? {} : { key: callPure("key", () => key(item as never)) }),
      ...(verify === undefined ? {} : { verify: async (s: StepScope) => verify(item as never, s as never) }),
      ...(compensate === undefined
        ? {}
        : {
            compensate: taskUndo(
              compensate,
              async () => item,
              () => item,
            ),
          }),
      ...(approve === undefined ? {} : { approve: typeof approve === "function" ? () => approve(item as never) : approve }),
    });
}

export function itemTaskSpec(id: string, task: TaskSpec, input: (e: unknown) => unknown): (item: unknown) => EffectSpec {
  return (item) => task.spec(callPure(`input of ${id}`, () => input(item)));
}
