// Keeps the fold of a run's log in its owner's memory and says when it is worth writing (SNAPSHOTS in ARCHITECTURE.md). A snapshot describes an
// event up to which everything was delivered to the code and everything the code called is recorded; then, and only then, can code begin
// there. It is a cache: a store that refuses one loses nothing, and it must never stand in the way of what the run has to record.
import { pawlEvents, readPayload, type SnapshotPayload } from "../../events/payload.ts";
import type { Commit, Snapshot } from "../../store/port.ts";
import type { FoldedEvent } from "../fold/recorded-step.ts";
import { tailCost, type BaseFold } from "./base.ts";
import { makeSnapshot } from "./body.ts";

/** Of a run that leaves memory less is enough: the next owner reads it soon. */
const releaseShare = 1 / 32;

export class SnapshotWriter {
  /** Of a style with marks: as it stood at the last one. */
  readonly fold: BaseFold;
  readonly #runId: string;
  readonly #tailBytesMin: number;
  /** Acknowledged and not looked at yet: most runs end before a snapshot is due, and never pay for the fold. */
  #pending: { readonly events: Commit["events"]; readonly persistedAt: number }[] = [];
  #pendingBytes = 0;
  /** The last acknowledged event. */
  #headSeq: number;
  /** Events after the last mark: folded with the next one. */
  #unfolded: FoldedEvent[] = [];
  #tail: { bytes: number; bodyBytes: number };
  /** The last event up to which the code has seen and said everything; -1: there is none. */
  #cleanAt = -1;
  /** The event that the last snapshot of this owner describes. */
  #writtenAt = -1;
  /** The store would not have one: none is offered again while this owner has the run. */
  #isRefused = false;
  #made: Snapshot | null = null;

  /** `unfolded`: what the log has after the last mark. */
  constructor(runId: string, fold: BaseFold, tailBytesMin: number, unfolded: readonly FoldedEvent[] = []) {
    this.#runId = runId;
    this.fold = fold;
    this.#tailBytesMin = tailBytesMin;
    this.#tail = { bytes: fold.tailBytes, bodyBytes: fold.bodyBytes };
    this.#headSeq = unfolded.at(-1)?.runSeq ?? fold.headSeq;
    for (const e of unfolded) {
      this.#count(e);
      this.#add(e);
    }
  }

  /** Nothing waits to be delivered, decided or committed: the last acknowledged event is a place to begin from. */
  noteClean(): void {
    this.#cleanAt = this.#headSeq;
  }

  /** The snapshot that the next Commit should carry; null: none is due, or the code could not begin there. */
  due(releases: boolean): Snapshot | null {
    if (this.#isRefused || !this.#isDue(releases)) return null;
    this.#addPending();
    const { fold } = this;
    const at = fold.headSeq;
    if ((fold.mark === undefined && this.#cleanAt !== at) || this.#writtenAt === at || !fold.isResumable) return null;
    if (this.#made?.at === at) return this.#made;
    const { digest, body } = makeSnapshot(this.#runId, fold);
    return (this.#made = { at, digest, body, keep: "last" });
  }

  /** A tail as long as the snapshot costs as much to read: so all snapshots together stay below a few times the log. */
  #isDue(releases: boolean): boolean {
    const { bytes, bodyBytes } = this.#tail;
    const min = this.#tailBytesMin;
    if (min === 1) return bytes > 0;
    return releases ? bytes > Math.max(min * releaseShare, bodyBytes / 2) : bytes > Math.max(min, bodyBytes);
  }

  /** Nothing of it was written. */
  onRefused(): void {
    this.#isRefused = true;
    this.#made = null;
  }

  onAcknowledged({ events, snapshot }: Commit, persistedAt: number): void {
    this.#made = null;
    if (snapshot !== undefined) this.#writtenAt = snapshot.at;
    this.#pending.push({ events, persistedAt });
    for (const e of events) this.#pendingBytes += this.#count(e);
    this.#headSeq = events.at(-1)?.runSeq ?? this.#headSeq;
    if (this.#pendingBytes > this.#tailBytesMin / 2) this.#addPending();
  }

  /** What the event costs a reader. */
  #count(e: Pick<FoldedEvent, "eventType" | "payload">): number {
    const bytes = tailCost(e);
    this.#tail.bytes += bytes;
    if (e.eventType === pawlEvents.snapshot) this.#tail = { bytes: 0, bodyBytes: readPayload<SnapshotPayload>(e.payload).bytes };
    return bytes;
  }

  #addPending(): void {
    for (const { events, persistedAt } of this.#pending)
      for (const { runSeq, eventId, eventType, stepId, logicalAttemptId, emittedAt, payload } of events)
        this.#add({ runSeq, eventId, eventType, stepId, logicalAttemptId, emittedAt, persistedAt, payload });
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #add(e: FoldedEvent): void {
    const { mark } = this.fold;
    if (mark === undefined) return this.fold.add(e);
    this.#unfolded.push(e);
    if (e.eventType !== mark) return;
    for (const before of this.#unfolded) this.fold.add(before);
    this.#unfolded = [];
  }
}
