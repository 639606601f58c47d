// Public shapes of those who read the log: subscriptions, projections, alerts. Times are RFC 3339. A projection shows what its
// log says and nothing of how it is stored; no shape here has a lease, a version or a build in it.
import type { RunStatus } from "../core/model.ts";
import type { ConsumerView } from "../readers/consumer-list.ts";
import type { ConsumerDeadLetter } from "../readers/watermarks.ts";
import type { ProjectOptions } from "../readers/projector-service.ts";
import type { Alert } from "../readers/projection-rows.ts";
import type { Rebuilt, RebuildOptions } from "../readers/rebuild.ts";
import type { Condition, ProjectedRun, ProjectedStep } from "../readers/reduce.ts";
import type { StreamCursor } from "../readers/stream-cursor.ts";
import type { SubscribeOptions, Subscription } from "../readers/subscribe.ts";

/** A run as a projector sees it: from its log alone. */
export interface ProjectionView extends Omit<ProjectedRun, "status" | "condition" | "firstInvalid"> {
  readonly status?: RunStatus;
  /** A paused run whose steps have not all ended. */
  readonly substatus?: "DRAINING";
  /** An invalid event was met: it was ignored (policy "mark"), or the run is frozen before it ("freeze"). */
  readonly condition?: Condition;
  readonly firstInvalid?: NonNullable<ProjectedRun["firstInvalid"]>;
  readonly steps: readonly ProjectedStep[];
}

export interface AlertFilter {
  readonly run?: string;
  /** By the store's time of the invalid event, RFC 3339; `until` is excluded. */
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ReaderVerbs {
  /**
   * Calls a handler with every event of this tenant's runs, in order per run, at least once (docs/consumers.md).
   *
   * @example
   * const mailer = await client.subscribe({ consumer: "mailer", handler: async (e) => send(e) });
   * await mailer.stop();
   */
  subscribe(o: SubscribeOptions): Promise<Subscription>;
  /**
   * Removes a consumer with everything it kept. A consumer that joins later under the same name starts again.
   *
   * @example
   * await client.unsubscribe("mailer");
   */
  unsubscribe(consumer: string): Promise<void>;
  /**
   * Who reads the log, how far behind they are, and what holds them up.
   *
   * @example
   * const behind = (await client.consumers()).filter((c) => c.waiting > 100);
   */
  consumers(): Promise<readonly ConsumerView[]>;
  /**
   * Events that a consumer gave up, by run.
   *
   * @example
   * const letters = await client.deadLetters("mailer", { limit: 10 });
   */
  deadLetters(
    consumer: string,
    o?: { readonly run?: string; readonly after?: Pick<ConsumerDeadLetter, "runId" | "runSeq">; readonly limit?: number },
  ): Promise<readonly ConsumerDeadLetter[]>;
  /**
   * Keeps projections of all runs of this tenant, until stopped (docs/projector.md).
   *
   * @example
   * const projector = await client.project({ policy: "mark" });
   */
  project(o?: ProjectOptions): Promise<Subscription>;
  /**
   * Makes the projections again from the log.
   *
   * @example
   * const { complete } = await client.rebuild({ mode: "FULL" });
   */
  rebuild(o?: RebuildOptions): Promise<Rebuilt>;
  /**
   * What a projector made of a run; undefined when it has made nothing yet.
   *
   * @example
   * const { status, condition } = (await client.projection("order-17")) ?? {};
   */
  projection(id: string, o?: { readonly name?: string }): Promise<ProjectionView | undefined>;
  /**
   * Invalid events that projectors met, by run, a page at a time.
   *
   * @example
   * const { alerts } = await client.alerts({ since: "2026-11-01T00:00:00Z" });
   */
  alerts(q?: AlertFilter): Promise<{ readonly alerts: readonly Alert[]; readonly cursor?: string }>;
  /**
   * The checkpoint of a stream of events that are not persisted: how many were taken.
   *
   * @example
   * const offset = await client.stream("live").offset();
   */
  stream(name: string): StreamCursor;
}

export type { ConsumerView, HeldRun } from "../readers/consumer-list.ts";
export type { ConsumerDeadLetter } from "../readers/watermarks.ts";
export type { ProjectOptions } from "../readers/projector-service.ts";
export type { Alert } from "../readers/projection-rows.ts";
export type { Rebuilt, RebuildOptions, RebuildProgress } from "../readers/rebuild.ts";
export type {
  Condition,
  ProjectorAlert as InvalidTransitionAlert,
  ProjectorPolicy,
  ProjectedRun,
  ProjectedStep,
} from "../readers/reduce.ts";
export type { Delivery, SubscribeOptions, Subscription } from "../readers/subscribe.ts";
export type { StreamCursor } from "../readers/stream-cursor.ts";
