// DAGs as data: a template names handlers, says what each step needs and when it runs, and has no code. Types only; template.ts checks every
// member of it, and what is not here is refused.
import type { Duration } from "../core/duration.ts";
import type { Trigger } from "../core/trigger.ts";
import type { Json, QueueOption } from "../workflow/types.ts";
import type { Identity, Staleness } from "./types.ts";

/** A JSON pointer into `{input, <step>: result, …}`; in an `each` also `/item`. */
export type TemplatePointer = `/${string}`;
/** Text with pointers in braces: "order-{/input/orderId}". */
export type KeyText = string;

/** Pure and total; there is no expression language. */
export type TemplateCondition =
  | { at: TemplatePointer; eq: Json }
  | { at: TemplatePointer; ne: Json }
  | { at: TemplatePointer; lt: number }
  | { at: TemplatePointer; gt: number }
  | { at: TemplatePointer; in: readonly Json[] }
  | { at: TemplatePointer; exists: boolean }
  | { all: readonly TemplateCondition[] }
  | { any: readonly TemplateCondition[] }
  | { not: TemplateCondition };

/** What is true of the effect of a handler that has no code here; one that has keeps what its task says. */
export type TemplateEffect =
  | { repeatable: true }
  | { once: true }
  | { key: KeyText; dedup?: Duration | "forever"; verify?: true }
  | { verify: true };

export interface TemplateStepBase {
  name: string;
  needs?: readonly string[];
  /** The decision must be among `needs`. */
  on?: { decision: string; branch: string };
  trigger?: Trigger;
  when?: TemplateCondition;
  /** What the handler gets. Without it: `{input, …results of needs}`. */
  input?: Readonly<Record<string, TemplatePointer | { value: Json }>>;
  /** Where workers find it; a handler without code here that names none is on the queue "default". */
  queue?: QueueOption;
  retry?: { attempts?: number; backoff?: "fixed" | "exponential"; initial?: Duration; max?: Duration };
  timeout?: Duration;
  heartbeat?: Duration;
  onFailure?: "fail" | "hold";
}
export type TemplateStep = TemplateStepBase &
  (
    | { type?: "task"; handler: string; effect?: TemplateEffect }
    | { type: "decision"; handler: string; branches: readonly string[] }
    | {
        type: "each";
        handler: string;
        /** The list, and what names an item of it. */
        over: TemplatePointer;
        id: TemplatePointer;
        concurrency?: number;
        failFast?: boolean;
        effect?: TemplateEffect;
      }
    /** `handler` returns a list of cursors, `worker` gets one of them as `cursor`. */
    | { type: "batch"; handler: string; worker: string; workersMax?: number }
    | { type: "call"; workflow: string; version?: string }
    | { type: "sleep"; delay: Duration }
    | { type: "signal"; signal: string }
  );

export interface Template {
  namespace: string;
  name: string;
  version: string;
  description?: string;
  /** JSON Schema. A keyword that is not known is an error, never ignored (TX-24). */
  input?: Readonly<Record<string, Json>>;
  /** Which starts are the same run; strict unless given (T-37). */
  identity?: Identity;
  timeout?: Duration;
  onFailure?: "fail" | "hold";
  /** When somebody should look at a run of it, and whether it then fails. */
  stale?: Staleness;
  steps: readonly TemplateStep[];
  /** The step whose result is the run's. Without it: the results of all steps that nothing needs, by name. */
  result?: string;
}
