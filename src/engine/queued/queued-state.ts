// What the owner holds of a step that may run on a queue: the dispatch that is out, what its end said until the event that records it, and
// the place among the owner's own that it takes when the owner runs it itself. The truth is the row and the log.
import { beginMs } from "../../events/effect-history.ts";
import type { DispatchRef, DispatchWhat } from "../../store/port.ts";
import type { OwnPlace } from "./queue-configs.ts";

/** Who claimed a dispatch that has ended; all null: nobody did, so nothing was sent. */
export interface DispatchFacts {
  readonly dispatchId: number | null;
  readonly worker: string | null;
  readonly claimedAt: number | null;
  readonly deadlineAt: number | null;
  /** Its worker reported after it had ended, while nobody had decided what became of it. */
  readonly late?: true;
}

/** A dispatch that has not ended, as far as the owner knows. */
export interface OpenDispatch {
  /** The event that it belongs to; 0 until that has its place. */
  seq: number;
  readonly what: DispatchWhat;
  /** The owner runs it: its row was born claimed. */
  own: boolean;
  /** It was asked to stop. */
  withdrawn: boolean;
}

export class QueuedState {
  open: OpenDispatch | null = null;
  /** The event of the newest dispatch; 0: it had none. */
  lastSeq: number = 0;
  /** Inbox rows that the next event of the step consumes: they are read again if this owner dies before it. */
  readonly reported: number[] = [];
  /** Of the dispatch that ended last, until an event records it. */
  facts: DispatchFacts | null = null;
  /** Since when the step waits for a worker: a later attempt keeps its place. */
  since: number | null = null;
  /** A person took it off its queue, and will say what becomes of it; the words for that. */
  takenBack: string | null = null;
  /** Workers are asked what became of it. */
  asking: { readonly of: OpenDispatch; readonly answered: (verdict: unknown) => void } | null = null;
  /** Of a step that the owner runs itself. */
  place: OwnPlace | null = null;

  /** What the next event consumes, once. */
  takeReported(): readonly number[] | undefined {
    return this.reported.length === 0 ? undefined : this.reported.splice(0);
  }
  /** What the next event says of the dispatch that ended, once. */
  takeFacts(): DispatchFacts | null {
    const { facts } = this;
    this.facts = null;
    return facts;
  }
  releasePlace(): void {
    this.place?.release();
    this.place = null;
  }
}

/** The dispatches of a run that have not ended, as far as its owner knows: a Commit that pauses or ends the run must tell the store. */
export class OpenDispatches {
  /** Of all that were taken back, those that came back and that nobody had claimed; null: nobody has asked. */
  unclaimed: ReadonlySet<string> | null = null;
  /** They were taken back because the run is to end at once. */
  areTakenBack = false;
  #open: Map<string, DispatchRef> | null = null;
  #held = false;

  get size(): number {
    return this.#open === null ? 0 : this.#open.size;
  }
  all(): readonly DispatchRef[] {
    return this.#open === null ? [] : [...this.#open.values()];
  }
  add(d: DispatchRef): void {
    (this.#open ??= new Map()).set(dispatchKey(d), { seq: d.seq, what: d.what });
  }
  has(d: DispatchRef): boolean {
    return this.#open?.has(dispatchKey(d)) === true;
  }
  delete(d: DispatchRef): void {
    this.#open?.delete(dispatchKey(d));
  }
  /** What the next Commit says of them; undefined: nothing changes. */
  hold(held: boolean): boolean | undefined {
    if (this.size === 0 || held === this.#held) return undefined;
    return (this.#held = held);
  }
  /** As the store has them. */
  setHeld(held: boolean): void {
    this.#held = held;
  }
}

export function dispatchKey(d: DispatchRef): string {
  return `${d.seq}/${d.what}`;
}

/** K25 counts from here: the claim with its own time to begin, so that `lastAt` + time limit is the row's deadline. */
export function sentAtOf(f: { readonly claimedAt: number; readonly deadlineAt: number | null }, timeoutMs: number): number {
  return f.deadlineAt === null ? f.claimedAt : Math.max(f.claimedAt, f.deadlineAt - timeoutMs - beginMs(timeoutMs));
}
