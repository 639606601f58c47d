// What a run has decided and not yet committed: events in log order, each carrying what must be written with it, so
// that a Commit cut at any event is complete in itself (a consumed signal never leaves before its outcome: I9). It
// cuts at 100 starts or 1 MiB (K6); it never reorders.
import { checkpointBody } from "../../core/checkpoint-key.ts";
import type { Limits } from "../../core/limits.ts";
import type { EventType } from "../../core/model.ts";
import type { Checkpoint, Commit, DispatchRef, DispatchWrite, EffectWrite, Notice } from "../../store/port.ts";
import type { MarkedCheckpoint } from "../calls.ts";
import { effectWrite, type EffectDraft } from "../effects/ledger.ts";
import { placedRow, type DispatchDraft } from "../queued/dispatch.ts";
import type { OpenStep } from "../steps/open-step.ts";

export interface PendingEvent {
  readonly eventType: EventType;
  readonly stepId: string | null;
  readonly logical: number;
  readonly engine: number;
  readonly emittedAt: number;
  readonly payload: string | null;
  /** Goes to work once this event is acknowledged (K14). */
  readonly starts?: OpenStep | undefined;
  readonly consumed?: readonly number[] | undefined;
  readonly reply?: { readonly inboxId: number; readonly reply: string } | undefined;
  /** A consumed row that is not accepted, and why. */
  readonly rejected?: { readonly inboxId: number; readonly reason: string } | undefined;
  readonly view?: { readonly name: string; readonly value: string } | undefined;
  readonly child?: Commit | undefined;
  readonly notices?: readonly Notice[] | undefined;
  /** I10: the store refuses the Commit before this time. */
  readonly notBefore?: number | undefined;
  /** This event hands the run's unconsumed inbox to the run that continues it. */
  readonly moveInboxTo?: string | undefined;
  /** What the ledger says from this event on. */
  readonly effect?: EffectDraft | undefined;
  /** Put on a queue with this event, and rows of queues that end with it. */
  readonly dispatch?: DispatchDraft | undefined;
  readonly ends?: readonly DispatchRef[] | undefined;
  /** Its row goes into the same Commit. */
  readonly checkpoint?: MarkedCheckpoint | undefined;
  /** Called with the event's place, once it has one. */
  readonly onPlaced?: ((runSeq: number) => void) | undefined;
  readonly onAck?: (() => void) | undefined;
}

/** What a Commit carries that no event of it brings. */
interface Eventless {
  readonly consumed: readonly number[];
  readonly replies: readonly { readonly inboxId: number; readonly reply: string }[];
  readonly rejected: NonNullable<Commit["rejected"]>;
  readonly taken: readonly number[];
  readonly effects: readonly EffectDraft[];
  readonly dispatches: readonly DispatchWrite[];
  readonly withdraws: readonly DispatchRef[];
  readonly onAck: readonly (() => void)[];
}
const none: readonly never[] = [];
export const nothingEventless: Eventless = {
  consumed: none,
  replies: none,
  rejected: none,
  taken: none,
  effects: none,
  dispatches: none,
  withdraws: none,
  onAck: none,
};

/** What the events of a Commit bring along, gathered in one pass: most bring nothing, and nothing is then allocated. */
export class CommitExtras {
  consumed: readonly number[];
  replies: Commit["replies"];
  rejected: NonNullable<Commit["rejected"]>;
  views: Commit["views"] = none;
  children: Commit["children"] = none;
  notices: Commit["notices"] = none;
  moveInboxTo: string | null = null;
  /** By seq: a record is put once, in its last state. */
  effects: Map<number, EffectWrite> | null = null;
  dispatches: readonly DispatchWrite[];
  ends: readonly DispatchRef[] = none;
  checkpoint: Checkpoint | null = null;

  constructor(loose: Eventless) {
    this.dispatches = loose.dispatches;
    this.consumed = loose.consumed;
    this.replies = loose.replies;
    this.rejected = loose.rejected;
  }
  add(p: PendingEvent, runSeq: number): void {
    if (p.effect !== undefined) this.addEffect(p.effect, runSeq);
    p.onPlaced?.(runSeq);
    if (p.consumed !== undefined) this.consumed = [...this.consumed, ...p.consumed];
    if (p.reply !== undefined) this.replies = [...this.replies, p.reply];
    if (p.rejected !== undefined) this.rejected = [...this.rejected, p.rejected];
    if (p.view !== undefined) this.views = [...this.views, p.view];
    if (p.child !== undefined) this.children = [...this.children, p.child];
    if (p.notices !== undefined) this.notices = [...this.notices, ...p.notices];
    if (p.dispatch !== undefined) this.#addDispatch(p.dispatch, runSeq);
    if (p.checkpoint !== undefined) {
      const { stepId, key, label } = p.checkpoint;
      this.checkpoint = { stepId, key, label, body: checkpointBody(runSeq) };
    }
    if (p.ends !== undefined) this.ends = [...this.ends, ...p.ends.map(({ seq, what }) => ({ seq, what }))];
    this.moveInboxTo ??= p.moveInboxTo ?? null;
  }
  #addDispatch(d: DispatchDraft, runSeq: number): void {
    d.of.seq = runSeq;
    this.dispatches = [...this.dispatches, placedRow(d, runSeq)];
  }
  addEffect(d: EffectDraft, runSeq: number): void {
    const e = effectWrite(d, runSeq);
    const before = (this.effects ??= new Map()).get(e.seq);
    this.effects.set(e.seq, before === undefined ? e : { ...e, argsDigest: before.argsDigest ?? e.argsDigest });
  }
}

export class CommitDraft {
  readonly #limits: Limits;
  #events: PendingEvent[] = [];
  #checkpoints = 0;
  /** Inbox rows seen and not consumed; they ride with the next Commit and make none by themselves. */
  readonly taken: Set<number> = new Set();
  /** Rows consumed without an event of their own: a rejected update, a control row. */
  readonly eventless: {
    readonly consumed: number[];
    readonly replies: { inboxId: number; reply: string }[];
    /** Of the consumed, those that are not accepted. */
    readonly rejected: { inboxId: number; reason: string }[];
    /** Records that change without an event: a retry that will not come. They ride with the run's end. */
    readonly effects: EffectDraft[];
    /** Questions to workers about a step, which belong to an event that is committed already. */
    readonly dispatches: DispatchWrite[];
    readonly withdraws: DispatchRef[];
    readonly onAck: (() => void)[];
  } = { consumed: [], replies: [], rejected: [], effects: [], dispatches: [], withdraws: [], onAck: [] };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    const { consumed, dispatches, withdraws } = this.eventless;
    return this.#events.length === 0 && consumed.length === 0 && dispatches.length === 0 && withdraws.length === 0;
  }
  /** More than one Commit may hold. */
  get checkpoints(): number {
    return this.#checkpoints;
  }
  get length(): number {
    return this.#events.length;
  }
  add(p: PendingEvent): void {
    if (p.checkpoint !== undefined) this.#checkpoints++;
    this.#events.push(p);
  }
  /** What has no event of its own leaves with the Commit that is being built. */
  drainEventless(): Eventless {
    const { consumed, replies, rejected, effects, dispatches, withdraws, onAck } = this.eventless;
    const nothing = consumed.length === 0 && replies.length === 0 && effects.length === 0;
    if (this.taken.size === 0 && nothing && dispatches.length === 0 && onAck.length === 0) return nothingEventless;
    const taken = [...this.taken];
    this.taken.clear();
    return {
      consumed: consumed.splice(0),
      replies: replies.splice(0),
      rejected: rejected.splice(0),
      taken,
      effects: effects.splice(0),
      dispatches: dispatches.splice(0),
      withdraws: withdraws.splice(0),
      onAck: onAck.splice(0),
    };
  }
  /** The longest prefix that one Commit may hold, ending before an event that `apart` wants; at least one event, if there is any. */
  cut(apart?: (p: PendingEvent) => boolean): { readonly protos: readonly PendingEvent[]; readonly rest: boolean } {
    let starts = 0;
    let bytes = 0;
    let n = 0;
    let marked = false;
    for (const p of this.#events) {
      if (n > 0 && apart?.(p) === true) break;
      if (p.checkpoint !== undefined && marked) break; // one checkpoint per Commit
      if (p.starts !== undefined && ++starts > this.#limits.startsPerCommitMax) break;
      bytes += 300 + (p.payload?.length ?? 0);
      if (n > 0 && bytes > this.#limits.batchBytesMax) break;
      marked ||= p.checkpoint !== undefined;
      n++;
    }
    if (marked) this.#checkpoints--;
    if (n === this.#events.length) {
      const protos = this.#events;
      this.#events = [];
      return { protos, rest: false };
    }
    return { protos: this.#events.splice(0, n), rest: true };
  }
}
