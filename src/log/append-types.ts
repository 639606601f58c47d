// What an append says and answers: the shapes that producers see, in process and over a wire. Types only; every value of them is
// plain JSON, so that a wire changes nothing.
import type { PawlError } from "../errors/error.ts";
import type { RunEventWrite } from "../core/contract.ts";

export interface AppendOptions {
  /** Rejects events that the transition table does not allow in the run's state (docs/append.md). */
  readonly validate?: boolean;
  /** The business id of a run that this append creates; its runId when absent. */
  readonly workflowId?: string;
  /** These are the run's first events: RUN_ALREADY_EXISTS if it has begun without them. */
  readonly first?: boolean;
}

/** The metadata of a record. Use it in place of what you sent. */
export interface Appended {
  readonly eventId: string;
  readonly runSeq: number;
  /** The store's clock: RFC 3339 in UTC, with milliseconds. */
  readonly persistedAt: string;
  /** The event existed already: this is its record, and nothing was inserted. */
  readonly idempotent: boolean;
  readonly persisted: boolean;
  /** The same as `idempotent`, in the word that signals use. */
  readonly replayed: boolean;
  /** False when the same key came with another payload: the stored one stays (resolution 31). Null when that has expired. */
  readonly samePayload: boolean | null;
}

/** An event of a batch that was not taken, and why. */
export interface AppendRejection {
  readonly runId: string;
  readonly eventId: string;
  readonly idempotencyKey: string;
  readonly code: PawlError["code"];
  readonly message: string;
  readonly data: PawlError["data"];
}

/** `results` has one answer per event, in the order given; the others are the same answers, by kind. */
export interface AppendedBatch {
  readonly results: readonly (Appended | AppendRejection)[];
  readonly appended: readonly Appended[];
  readonly deduped: readonly Appended[];
  readonly rejected: readonly AppendRejection[];
}

export interface AppendAuthority {
  /**
   * Appends one event; an event that exists already is answered with its record.
   *
   * @example
   * const { runSeq, idempotent } = await client.append(event);
   */
  append(event: RunEventWrite, o?: AppendOptions): Promise<Appended>;
  /**
   * Appends many events in one go. One that is refused does not stop the others: `results` has an answer for each.
   *
   * @example
   * const { rejected } = await client.append(events);
   */
  append(events: readonly RunEventWrite[], o?: AppendOptions): Promise<AppendedBatch>;
  /**
   * Forgets that an event was rejected; false when nothing was remembered.
   *
   * @example
   * await client.clearRejection("import-7", rejection.idempotencyKey);
   */
  clearRejection(runId: string, idempotencyKey: string): Promise<boolean>;
}
