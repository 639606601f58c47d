// A workflow as the engine knows it: a name, a version, its code, and how to check what comes in from outside. The
// authoring layer above builds it; the engine never sees a schema library.
import type { JsonSchema } from "../core/json-schema.ts";
import type { PlanData } from "../core/plan-data.ts";
import type { Calls } from "./calls.ts";
import type { WorkerTask } from "./worker-task.ts";
import type { Style } from "./style.ts";

/** Checks and transforms a value from outside, at once or as a promise; fails with PAWL1008, which names the first problem. */
export type Parse = (value: unknown, what: string) => unknown;
/** The same for values that are needed before the code continues. */
export type ParseNow = (value: unknown, what: string) => unknown;

/** What of a schema can be checked without the workflow's code. */
export interface MessageSchema {
  readonly schema: JsonSchema;
  /** A missing value is surely refused. */
  readonly required: boolean;
  /** It says all that the code checks: what it accepts, the code accepts. */
  readonly whole: boolean;
}
/** A workflow as data: its schemas; null where only the code can check the value. */
export interface WorkflowDescription {
  readonly input: MessageSchema | null;
  readonly signals: ReadonlyMap<string, MessageSchema | null>;
  readonly updates: ReadonlyMap<string, MessageSchema | null>;
  /** What readers of a view get. */
  readonly views: ReadonlyMap<string, MessageSchema | null>;
  /** Its runs take their id from the input, which needs the code. */
  readonly derivesId: boolean;
  /** Of a plan: which starts are the same run. */
  readonly identity?: PlanIdentity;
  /** Of a plan: when a run of it is stale. */
  readonly stale?: PlanStaleness;
}

/** strict: equal input is the same run; `version`: of the same version only. caller: every start needs a key. unique: no two are the same. */
export interface PlanIdentity {
  readonly strategy: "strict" | "caller" | "unique";
  readonly version: boolean;
}
/** After how many milliseconds of standing still somebody should look at a run, and whether it then fails. What it leaves out has a default. */
export interface PlanStaleness {
  readonly waitingForDependencies?: number;
  readonly waitingForRetry?: number;
  readonly inProcess?: number;
  readonly then?: "investigate" | "fail";
}
/** A template as it is registered. */
export interface TemplateFacts {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  /** Its canonical JSON. */
  readonly text: string;
  /** The tasks that it names. */
  readonly handlers: readonly string[];
}

export interface Definition {
  readonly name: string;
  readonly version: string;
  readonly timeoutMs: number | null;
  readonly input: Parse;
  readonly signals: ReadonlyMap<string, Parse>;
  readonly updates: ReadonlyMap<string, Parse>;
  readonly views: ReadonlyMap<string, ParseNow>;
  /** What it takes as data, for callers without this code. Made when it is asked for. */
  readonly describe: () => WorkflowDescription;
  readonly idOf: ((input: unknown) => string) | null;
  /** Of a DAG: its graph as data. Absent where the order of the steps is in the code alone. */
  readonly plan?: PlanData;
  /** Which starts are the same run; absent: each is its own. */
  readonly identity?: PlanIdentity;
  /** When a run of it is stale; absent: by the defaults. */
  readonly stale?: PlanStaleness;
  /** It was made of a template, which is registered with its first run. */
  readonly template?: TemplateFacts;
  /** What workers can do of it: its inline steps that run on queues. Absent: nothing. */
  readonly tasks?: () => readonly WorkerTask[];
  readonly code: (calls: Calls, input: unknown) => Promise<unknown>;
  /** How its code begins in the middle of a log; absent: it is always run from its first event. */
  readonly style?: Style;
  /** It is an agent: its spans say so. */
  readonly isAgent?: true;
}
