// Plans as they travel: where the run of a DAG stands, why each step is not further, and the registered templates.
// Types only; what they mean is computed in events/plan-readiness.ts.
import type { PlanStatus, Readiness } from "../../events/plan-readiness.ts";
import type { AskedBy } from "./queues.ts";
import type { Hidden } from "./run.ts";

export type { PlanStatus, Readiness };

/** Where the run of a DAG stands. */
export interface RunStanding {
  readonly runId: string;
  /** TX-03: a final failure outranks ready work. */
  readonly status: PlanStatus;
  /** Steps by where they stand; those that there are none of are left out. */
  readonly counts: Readonly<Partial<Record<Readiness, number>>>;
  /** The run has ended, and never changes again. */
  readonly final: boolean;
  /** It had ended before this call. */
  readonly alreadyFinal: boolean;
}

/** Why a step is not further. */
export interface StepWhy {
  readonly stepId: string;
  readonly readiness: Readiness;
  readonly sentence: string;
  /** Words in it that a step's error or a verifier said. Without the scope `payloads` the sentence has "…" in their place. */
  readonly quotes?: string;
  readonly hidden?: Hidden;
  /** The steps that it waits for, at most ten. */
  readonly waitsFor: readonly string[];
  readonly since?: string;
  /** When something happens by itself. */
  readonly next?: string;
  /** Of a step on a queue: what the sentence says, for programs. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** A registered template. */
export interface TemplateView {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of its canonical JSON. */
  readonly digest: string;
  readonly registeredAt: string;
  /** Nothing new is started of it. */
  readonly retired?: { readonly by: string; readonly reason: string };
  /** The template itself; left out in lists. */
  readonly template?: unknown;
}

export interface TemplateList {
  readonly items: readonly TemplateView[];
  readonly nextCursor?: string;
}

/** `client.templates` */
export interface TemplateVerbs {
  /**
   * Checks and registers a template. The same content again changes nothing; other content under one version is refused (PAWL1026).
   *
   * @example
   * const { created, digest } = await client.templates.put(template);
   */
  put(template: unknown): Promise<TemplateView & { readonly created: boolean }>;
  /**
   * A registered template; without a version the one that was registered last. Undefined: there is none.
   *
   * @example
   * const order = await client.templates.get("shop", "order", "1.0.0");
   */
  get(namespace: string, name: string, version?: string): Promise<TemplateView | undefined>;
  /**
   * What is registered, by namespace, name and version.
   *
   * @example
   * const { items } = await client.templates.list({ namespace: "shop" });
   */
  list(o?: { readonly namespace?: string; readonly cursor?: string; readonly limit?: number }): Promise<TemplateList>;
  /**
   * Lets nothing new start of this version. Its runs continue.
   *
   * @example
   * await client.templates.retire("shop", "order", "1.0.0", { by: "ann", reason: "replaced by 1.1.0" });
   */
  retire(namespace: string, name: string, version: string, who: AskedBy): Promise<{ readonly retired: true }>;
}
