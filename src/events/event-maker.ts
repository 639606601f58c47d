// The producer's one path to an event: gives it its place, its id, its key, its hash and its link. Guards that every event of
// a run continues the chain it was read from (K22), that an eventId is random and made here, never in workflow code (D-050,
// D-054, D-056), and that step events and only they name a step (D-036, D-037). It must never be used for a second Commit
// before the first one's time is known. On the path of every event: no allocation beyond the event and its texts.
import type { EventType, Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { Platform } from "../platform/platform.ts";
import type { EventWrite } from "./event.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { canonicalWrite, chainFrame, linkOf, payloadHash, type ChainFrame } from "./hash-chain.ts";
import { isStepEvent } from "./envelope.ts";
import { idempotencyKey } from "./event-key.ts";
import type { SealedPlace } from "./seal.ts";

export interface EventMakerRun {
  readonly runId: string;
  readonly scope: Scope;
  readonly planId: string;
  readonly planVersion: string;
}
/** The last event of the log: its runSeq, link and persistedAt; seq 0, link "" and null for a run that is being created. */
export interface ChainHead {
  readonly seq: number;
  readonly link: string;
  readonly sealedAt: number | null;
}
export interface EventDraft {
  readonly eventType: EventType;
  readonly stepId: string | null;
  readonly logicalAttemptId: number;
  readonly engineAttemptId: number;
  readonly emittedAt: number;
  /** A producer's own text of that time, where it has another form (D-035). */
  readonly emittedText?: string;
  /** JSON text; null = the event says all there is to say (D-059). */
  readonly payload: string | null;
  /** Of an event that a producer outside has made and the append authority has checked: its id and its key. */
  readonly producerIds?: { readonly eventId: string; readonly idempotencyKey: string };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const saltBytes = 16;

export class EventMaker {
  readonly #run: EventMakerRun;
  readonly #platform: Platform;
  readonly #frame: ChainFrame;
  #seq: number;
  #link: string;
  /** persistedAt of the last event, once its Commit is acknowledged; null inside a Commit and before the first event. */
  #sealedAt: number | null;
  /** The stateVersion of the Commit being made; 0 when there is none. */
  #open = 0;

  constructor(run: EventMakerRun, platform: Platform, head: ChainHead) {
    if ((head.seq === 0) !== (head.sealedAt === null)) throw chainError("the head of a log has a time if and only if it has events");
    this.#run = run;
    this.#platform = platform;
    this.#frame = chainFrame(run);
    this.#seq = head.seq;
    this.#link = head.link;
    this.#sealedAt = head.sealedAt;
  }

  /** The place of the last event that was made. */
  get seq(): number {
    return this.#seq;
  }

  /** `stateVersion` is the one that the Commit will make: the run's own, plus one. */
  make(e: EventDraft, stateVersion: number): EventWrite {
    return this.#chain(this.#write(e, stateVersion, this.#seq + 1), stateVersion);
  }

  /**
   * A seal of all that was made so far and, if `end` is given, of that one event behind it, which is made as well. `sign`
   * makes the payload of the seal's own event (seal.ts).
   */
  seal(
    e: Omit<EventDraft, "payload" | "made">,
    end: EventDraft | null,
    stateVersion: number,
    sign: (place: SealedPlace) => string,
  ): EventWrite[] {
    const last = end === null ? null : this.#write(end, stateVersion, this.#seq + 2);
    const draft = { ...e, payload: null };
    const made = { eventId: this.#platform.uuidV4(), idempotencyKey: this.#keyOf(draft) };
    const payload = sign({
      eventId: made.eventId,
      emittedAt: e.emittedAt,
      stateVersion,
      seq: this.#seq,
      link: this.#link,
      sealedAt: this.#sealedAt,
      end: last === null ? null : sha256Hex(canonicalWrite(this.#frame, last, stateVersion)),
    });
    const seal = this.make({ ...draft, payload, producerIds: made }, stateVersion);
    return last === null ? [seal] : [seal, this.#chain(last, stateVersion)];
  }

  #write(e: EventDraft, stateVersion: number, runSeq: number): Mutable<EventWrite> {
    if (this.#open !== 0 && this.#open !== stateVersion) throw chainError("a Commit was begun before the last one's time was known");
    if (isStepEvent(e.eventType) !== (e.stepId !== null))
      throw chainError(`${e.eventType} ${e.stepId === null ? "names no step" : "names a step"}`);
    if (!Number.isSafeInteger(e.engineAttemptId) || e.engineAttemptId < 1) throw chainError("engineAttemptId must be at least 1");
    if (runSeq > Number.MAX_SAFE_INTEGER) throw chainError("runSeq has no next value");
    const salt = e.payload === null ? null : this.#platform.randomHex(saltBytes);
    return {
      runSeq,
      eventId: e.producerIds?.eventId ?? this.#platform.uuidV4(),
      eventType: e.eventType,
      stepId: e.stepId,
      logicalAttemptId: e.logicalAttemptId,
      engineAttemptId: e.engineAttemptId,
      idempotencyKey: e.producerIds?.idempotencyKey ?? this.#keyOf(e),
      emittedAt: e.emittedAt,
      payload: e.payload,
      salt,
      payloadHash: e.payload === null ? null : payloadHash(salt as string, e.payload),
      link: "",
      ...(e.emittedText === undefined ? {} : { emittedText: e.emittedText }),
    };
  }

  /** Gives a written event its link, and continues behind it. */
  #chain(write: Mutable<EventWrite>, stateVersion: number): EventWrite {
    write.link = linkOf(this.#frame, this.#link, this.#sealedAt, write, stateVersion);
    this.#seq = write.runSeq;
    this.#link = write.link;
    this.#sealedAt = null;
    this.#open = stateVersion;
    return write;
  }

  #keyOf(e: EventDraft): string {
    const { runId, planId, planVersion } = this.#run;
    return idempotencyKey({
      runId,
      stepId: e.stepId,
      logicalAttemptId: e.logicalAttemptId,
      eventType: e.eventType,
      planId,
      planVersion,
    });
  }

  /** The Commit was acknowledged: its time is sealed by the next event. Without new events there is nothing to seal. */
  onCommitted(persistedAt: number): void {
    if (this.#open === 0) return;
    this.#sealedAt = persistedAt;
    this.#open = 0;
  }

  /** Forgets the event that was made last, and was not written: the log ends at `head`, as it did before. */
  unmakeLast(head: ChainHead): void {
    this.#seq = head.seq;
    this.#link = head.link;
    this.#sealedAt = head.sealedAt;
    if (head.sealedAt !== null || head.seq === 0) this.#open = 0; // it was the only one of its Commit
  }

  /** A maker at the same place, for a Commit that may be rolled back: what it makes leaves this one where it is. */
  fork(): EventMaker {
    if (this.#open !== 0) throw chainError("a log is forked only between Commits");
    return new EventMaker(this.#run, this.#platform, this.head);
  }

  /** Where the log ends once all that was made is committed. */
  get head(): ChainHead {
    return { seq: this.#seq, link: this.#link, sealedAt: this.#sealedAt };
  }
}

function chainError(message: string): PawlError {
  return new PawlError("PAWL3007", message);
}
