// Puts a step on its queue: the row is written in the Commit of the event that dispatches it (C4), so that state and queue can never
// disagree. A step that must be asked about first, or that a person must approve, gets its row with a later event. It must never write a
// row for an effect that its class forbids to send.
import { encode } from "../../codec/value.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { remoteBeginMsMax } from "../../events/effect-history.ts";
import { jsonObject, jsonValue, pawlEvents, type DispatchVia } from "../../events/payload.ts";
import type { DispatchRef, DispatchWhat, DispatchWrite } from "../../store/port.ts";
import type { EffectSpec, QueuedSpec } from "../calls.ts";
import { mustAskEarlierGenerations } from "../chain/earlier-generations.ts";
import { isKeyRemembered, verifyLimitMs } from "../effects/verdict.ts";
import { dispatchedState, effectDraft, queuedState, stableKey, type EffectState } from "../effects/ledger.ts";
import type { LiveRun } from "../run/live-run.ts";
import { mustAskFirst, type OpenStep } from "../steps/open-step.ts";
import type { DispatchFacts, OpenDispatch } from "./queued-state.ts";

/** A row that waits for its event, whose place is known when the Commit is built. */
export interface DispatchDraft {
  readonly of: OpenDispatch;
  readonly row: DraftedRow;
}
/** `spec`: written when its Commit is built, since it may name events of the same Commit. */
type DraftedRow = Omit<DispatchWrite, "seq" | "spec"> & { readonly spec: () => string };

/** The row of an event that has its place. */
export function placedRow({ row }: DispatchDraft, seq: number): DispatchWrite {
  return { ...row, spec: row.spec(), seq };
}

/** The token of a row that was born claimed: its owner runs the step, not a worker. */
const ownToken = "own-";
export function isOwnToken(token: string | null): boolean {
  return token !== null && token.startsWith(ownToken);
}

/** What the start of an attempt puts on the queue; undefined: nothing, or not yet. */
export function dispatchWithStart(r: LiveRun, step: OpenStep): DispatchDraft | undefined {
  const { spec } = step;
  if (spec === null || spec.queued === null || step.awaitingApproval) return undefined;
  if (r.state.isEnding && step.undoes === null) return undefined;
  if (mustAskEarlierGenerations(r, step) || mustAskFirst(step)) return undefined;
  if (step.attempt === 1 && step.engineAttempt === 1 && step.chain !== null) {
    const { then, before } = step.chain;
    if (before.recorded !== "nothing" && then !== "run" && then !== "newKey") return undefined;
  }
  if (step.mayHaveBeenSent && spec.guarantee.class === "KEYED" && !isKeyRemembered(r, step, spec)) return undefined;
  return makeDispatch(r, step, spec, spec.queued);
}

/** A row for this step, whatever asked for it; the owner runs it where it may. */
export function makeDispatch(r: LiveRun, step: OpenStep, spec: EffectSpec, queued: QueuedSpec): DispatchDraft {
  const state = step.queue!;
  const what: DispatchWhat = step.undoes === null ? "run" : "undo";
  state.releasePlace();
  // Only what may simply run again waits for its place as claimed: if this engine dies first, nobody must be asked what became of it (K26).
  // Nor does what must begin within a time of its own.
  const mayWait = mayRepeat(spec.guarantee.class) && queued.withinMs === null;
  state.place = queued.hasCode ? (r.host.localQueues()?.takePlace(queued.queue, mayWait) ?? null) : null;
  const own = state.place !== null;
  const of: OpenDispatch = { seq: 0, what, own, withdrawn: false };
  state.open = of;
  const row = rowOf(r, step, spec, queued, what);
  return { of, row: own ? { ...row, claimed: { worker: r.host.engineId(), token: `${ownToken}${r.host.platform.randomHex(12)}` } } : row };
}

/** Asks workers what became of the newest dispatch. It has no event of its own: it belongs to that dispatch's. */
export function verifyDispatch(r: LiveRun, step: OpenStep, spec: EffectSpec, queued: QueuedSpec): DispatchDraft {
  const of: OpenDispatch = { seq: step.queue!.lastSeq || step.seq, what: "verify", own: false, withdrawn: false };
  const row = rowOf(r, step, spec, queued, "verify");
  return { of, row: { ...row, expiresAt: null, timeoutMs: spec.timeoutMs ?? verifyLimitMs } };
}

export function viaOf(d: DispatchDraft): DispatchVia;
export function viaOf(d: DispatchDraft | undefined): DispatchVia | undefined;
export function viaOf(d: DispatchDraft | undefined): DispatchVia | undefined {
  return d === undefined ? undefined : d.of.own ? "here" : "queue";
}
/** What the ledger says from the event on that dispatches it. */
export function dispatchLedgerState(d: DispatchDraft | undefined): EffectState {
  return viaOf(d) === "queue" ? queuedState : dispatchedState;
}

function rowOf(r: LiveRun, step: OpenStep, spec: EffectSpec, queued: QueuedSpec, what: DispatchWhat): DraftedRow {
  return {
    what,
    stepId: step.stepId,
    attempt: step.attempt,
    engineAttempt: step.engineAttempt,
    queue: queued.queue,
    task: queued.task,
    priority: queued.priority ?? r.priority,
    agingMs: r.host.queueConfigs.agingMs(queued.queue),
    since: step.queue!.since,
    spec: dispatchSpec(r, step, spec, queued),
    timeoutMs: spec.timeoutMs,
    expiresAt: expiresAt(r, step, spec, queued),
  };
}

function dispatchSpec(r: LiveRun, step: OpenStep, spec: EffectSpec, queued: QueuedSpec): () => string {
  const declared = spec.input === null ? undefined : `{"of":"value","value":${spec.input}}`;
  const undone = queued.undone === undefined || queued.undone === null ? undefined : `{"of":"value","value":${queued.undone}}`;
  const input = (): string | undefined => {
    if (queued.input === null) return declared;
    return jsonValue(typeof queued.input === "function" ? queued.input((id) => r.commits.outcomePlaces.get(id)) : queued.input);
  };
  const last = step.heartbeat === undefined ? undefined : encode(step.heartbeat, r.host.limits, `heartbeat of ${step.name}`);
  const firstAt = step.firstAt === 0 ? undefined : jsonValue(step.firstAt);
  return () =>
    jsonObject({
      v: "1",
      name: jsonValue(step.name),
      workflow: jsonValue(r.row.workflow),
      workflowId: jsonValue(r.row.workflowId),
      class: jsonValue(step.started.class ?? "UNDECLARED"),
      key: jsonValue(stableKey(r.row, step.stepId, step.started)),
      heartbeatMs: jsonValue(spec.heartbeatMs ?? undefined),
      firstAt,
      last,
      input: input(),
      result: undone,
      traceparent: jsonValue(r.traceparent),
    });
}

/** When it may no longer begin: it waited for too long, or its receiver may have forgotten its key by the time it arrives (K25). */
function expiresAt(r: LiveRun, step: OpenStep, spec: EffectSpec, queued: QueuedSpec): number | null {
  const waits = queued.withinMs === null ? null : r.host.storeNowMs() + queued.withinMs;
  const { dedupMs } = spec.guarantee;
  if (dedupMs === null || dedupMs === Number.MAX_SAFE_INTEGER || !step.mayHaveBeenSent || step.firstAt === 0) return waits;
  const remembered = Math.max(1, step.firstAt + dedupMs - (spec.timeoutMs ?? 0) - remoteBeginMsMax);
  return waits === null ? remembered : Math.min(waits, remembered);
}

/** Nothing of it was on the queue yet: approved meanwhile, or no earlier generation had sent it. What its start recorded sent nothing. */
export function recordEnqueued(r: LiveRun, step: OpenStep): void {
  if (!r.steps.isOpen(step) || step.spec === null || step.spec.queued === null) return;
  step.state = "starting";
  if (!step.mayHaveBeenSent) step.firstAt = 0;
  const dispatch = makeDispatch(r, step, step.spec, step.spec.queued);
  r.commits.append({
    eventType: pawlEvents.begins,
    stepId: null,
    payload: jsonObject({ stepId: jsonValue(step.stepId), via: jsonValue(viaOf(dispatch)) }),
    starts: step,
    dispatch,
    effect: effectDraft(r, step, dispatchLedgerState(dispatch)),
  });
}

/** What the next event of a step carries about its dispatches: rows that end with it, reports that it records, who had claimed. */
export interface DispatchClosing {
  readonly ends: readonly DispatchRef[] | undefined;
  readonly consumed: readonly number[] | undefined;
  readonly facts: DispatchFacts | null;
}
const nothingClosed: DispatchClosing = { ends: undefined, consumed: undefined, facts: null };

export function closeDispatch(r: LiveRun, step: OpenStep, alsoConsumed?: readonly number[]): DispatchClosing {
  const { queue } = step;
  if (queue === null) return alsoConsumed === undefined ? nothingClosed : { ...nothingClosed, consumed: alsoConsumed };
  const { open, asking } = queue;
  const ends: DispatchRef[] = [];
  let facts = queue.takeFacts();
  if (open !== null) {
    ends.push(open);
    if (open.own) facts ??= { dispatchId: null, worker: r.host.engineId(), claimedAt: step.lastAt, deadlineAt: null };
    queue.lastSeq = open.seq;
  }
  if (asking !== null) ends.push(asking.of);
  queue.open = null;
  queue.asking = null;
  queue.releasePlace();
  const reported = queue.takeReported();
  const consumed = alsoConsumed === undefined ? reported : [...alsoConsumed, ...(reported ?? [])];
  return { ends: ends.length === 0 ? undefined : ends, consumed, facts };
}

/** Who claimed the dispatch that ended, for the event that records it. */
export function claimMembers(f: DispatchFacts | null): Readonly<Record<string, string | undefined>> {
  if (f === null) return {};
  return {
    dispatchId: jsonValue(f.dispatchId ?? undefined),
    worker: jsonValue(f.worker),
    claimedAt: jsonValue(f.claimedAt),
    deadlineAt: f.deadlineAt === null ? undefined : jsonValue(f.deadlineAt),
    late: jsonValue(f.late),
  };
}
