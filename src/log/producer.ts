// The EventIdRegistry of a producer outside an engine (D-049 … D-055): per run and idempotency key one eventId, random and
// written down before the first append, so that anyone who emits the event again, after a crash or in another process, sends the
// same id. What the authority returns is the truth, and the registry is brought to it. An id is never derived from anything.
import type { Scope, StepEventType } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import { runRowKey, scopedCollection } from "../store/keys.ts";
import type { FullStore } from "../store/full-store.ts";
import type { AppendAuthority, Appended, AppendOptions } from "./append-types.ts";
import type { RunEventWrite } from "../core/contract.ts";
import { invalidEventError } from "./append-check.ts";
import { toTimeText, uuidV4 } from "../events/envelope.ts";
import { idempotencyKey } from "../events/event-key.ts";

export interface EventIdRegistry {
  /** The id of this event, durable when it returns: the same for every caller, for ever. */
  idFor(idempotencyKey: string): Promise<string>;
  /** What an append returned is the event's id from now on. */
  accept(metadata: { readonly idempotencyKey: string; readonly eventId: string }): Promise<void>;
}

export function eventIdRegistry(store: FullStore, platform: Platform, scope: Scope, runId: string): EventIdRegistry {
  const collection = scopedCollection("event-ids", scope);
  const rowOf = (key: string): string => runRowKey(runId, checkKey(key));
  return {
    async idFor(key) {
      const value = platform.uuidV4();
      const answer = await store.kv.put([{ collection, key: rowOf(key), value, expect: 0 }]);
      if (answer.kind === "put") return value;
      const [there] = answer.rows;
      return there?.value ?? this.idFor(key); // taken away in between: it is the first emission again
    },
    async accept({ idempotencyKey: key, eventId }) {
      // What is kept here is sent from now on: an id that no append takes would end the event.
      if (!uuidV4.test(eventId)) throw new PawlError("PAWL4011", "an eventId is a UUID v4");
      await store.kv.put([{ collection, key: rowOf(key), value: eventId }]);
    },
  };
}

function checkKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new PawlError("PAWL4011", "an idempotencyKey is 64 hex digits");
  return key;
}

/** What a producer says once of a run. */
export interface ProducedRun {
  readonly runId: string;
  readonly planId: string;
  readonly planVersion: string;
}
interface EventFields {
  /** 1, unless it is a retry; of run-level events the ordinal of the type in the run. */
  readonly logicalAttemptId?: number;
  /** 1 where the provider knows no attempts. */
  readonly engineAttemptId?: number;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Now, when absent. */
  readonly emittedAt?: Date;
}
/** An event before it has ids. Step events name their step, and only they do; the compiler checks it. */
export type EventToEmit<T extends string = string> = EventFields & { readonly eventType: T } & (T extends StepEventType
    ? { readonly stepId: string }
    : { readonly stepId?: never });
type AnyEvent = EventFields & { readonly eventType: string; readonly stepId?: string };

/** The envelope of an event, all but its id. */
export function buildEvent(scope: Scope, run: ProducedRun, e: AnyEvent, nowMs: number): Omit<RunEventWrite, "eventId"> {
  const logicalAttemptId = e.logicalAttemptId ?? 1;
  const emittedAt = e.emittedAt === undefined ? nowMs : e.emittedAt instanceof Date ? e.emittedAt.getTime() : Number.NaN;
  if (!Number.isSafeInteger(logicalAttemptId) || logicalAttemptId < 1)
    throw invalidEventError("", [{ pointer: "/logicalAttemptId", message: "must be a whole number of at least 1" }]);
  if (Number.isNaN(emittedAt)) throw invalidEventError("", [{ pointer: "/emittedAt", message: "must be a Date that is a time" }]);
  const { runId, planId, planVersion } = run;
  const { eventType } = e;
  return {
    eventType,
    runId,
    ...scope,
    planId,
    planVersion,
    ...(e.stepId === undefined ? {} : { stepId: e.stepId }),
    engineAttemptId: e.engineAttemptId ?? 1,
    logicalAttemptId,
    idempotencyKey: idempotencyKey({ runId, stepId: e.stepId ?? null, logicalAttemptId, eventType, planId, planVersion }),
    emittedAt: toTimeText(emittedAt),
    ...(e.payload === undefined ? {} : { payload: e.payload }),
  } as Omit<RunEventWrite, "eventId">;
}

/** A producer of one run: emits events, each once, however often it is asked to. */
export interface Producer extends EventIdRegistry {
  /**
   * Appends one event of the run. Emitted again, after a crash or by another process, it is the same event.
   *
   * @example
   * await producer.emit({ eventType: "StepCompleted", stepId: "load", payload: { rows: 12 } });
   */
  emit<const T extends string>(event: EventToEmit<T>, o?: AppendOptions): Promise<Appended>;
}

export function producer(store: FullStore, platform: Platform, scope: Scope, authority: AppendAuthority, run: ProducedRun): Producer {
  const registry = eventIdRegistry(store, platform, scope, run.runId);
  return {
    ...registry,
    async emit(e: AnyEvent, o: AppendOptions = {}) {
      const event = buildEvent(scope, run, e, platform.wallMs());
      const eventId = await registry.idFor(event.idempotencyKey); // D-051: before the append
      platform.hit("append:registered");
      const appended = await authority.append({ ...event, eventId } as RunEventWrite, o);
      platform.hit("append:appended");
      if (appended.eventId !== eventId) await registry.accept({ idempotencyKey: event.idempotencyKey, eventId: appended.eventId });
      return appended;
    },
  };
}
