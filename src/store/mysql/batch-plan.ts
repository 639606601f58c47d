// A batch of Commits planned in memory, over the rows that its transaction holds: what each is answered (decide.ts), and what is to be
// written, as lists. Pure and synchronous: it sends nothing, and knows no clock but the time it is given.
import { isSettled, type Scope } from "../../core/model.ts";
import { childResult, decide, type KnownRuns, noticeTarget } from "../decide.ts";
import { noticeKey, scopeKey } from "../keys.ts";
import { goesAlone } from "../batch-rules.ts";
import type { CheckpointRecord, ChildCreateResult, Commit, CommitAnswer, EffectWrite, EventRecord, Notice, RunRow } from "../port.ts";
import type { DispatchRef, DispatchWrite, Snapshot } from "../port.ts";

/** A Commit of the batch meets rows that were not read: decide again, over all rows that it could meet. */
export class NeedsFullRead extends Error {}

export function scopedKey(scope: Scope, id: string): string {
  return `${scopeKey(scope)}/${encodeURIComponent(id)}`;
}

/** What is to be written, each list in order, each entry of a run whose row is written with it. */
export interface BatchWrites {
  readonly created: Map<string, RunRow>;
  readonly changed: Map<string, RunRow>;
  readonly events: { readonly runId: string; readonly event: EventRecord }[];
  readonly taken: [string, number][];
  readonly consumed: [string, number][];
  readonly replies: [string, number, string][];
  readonly rejected: [string, number, string][];
  readonly settled: string[];
  readonly views: [string, string, string][];
  readonly effects: { readonly runId: string; readonly effect: EffectWrite; readonly at: number }[];
  readonly checkpoints: CheckpointRecord[];
  readonly ends: (DispatchRef & { readonly runId: string })[];
  readonly dispatches: { readonly runId: string; readonly dispatch: DispatchWrite; readonly at: number }[];
  readonly snapshots: { readonly runId: string; readonly snapshot: Snapshot }[];
  readonly notices: { readonly notice: Notice; readonly key: string; readonly at: number }[];
  readonly moves: { readonly from: string; readonly to: string; readonly wakes: boolean }[];
}

export function emptyWrites(): BatchWrites {
  return {
    created: new Map(),
    changed: new Map(),
    events: [],
    taken: [],
    consumed: [],
    replies: [],
    rejected: [],
    settled: [],
    views: [],
    effects: [],
    checkpoints: [],
    ends: [],
    dispatches: [],
    snapshots: [],
    notices: [],
    moves: [],
  };
}

export class BatchPlan implements KnownRuns {
  /** Every run that was read or made, by id. */
  readonly runs: Map<string, RunRow> = new Map();
  /** The latest run of a workflowId, and the run of a start key, as far as they were read or made. */
  readonly latestIds: Map<string, string> = new Map();
  readonly startKeys: Map<string, string> = new Map();
  /** Keys of notices that already exist. */
  readonly knownNotices: Set<string> = new Set();
  /** Rows that somebody else holds (K7). */
  readonly busy: Set<string> = new Set();
  /** Whether every row that a create may meet was read; if not, they are taken for absent, and the insert tells. */
  readonly readEverything: boolean;
  readonly now: number;
  writes: BatchWrites = emptyWrites();

  constructor(now: number, complete: boolean) {
    this.now = now;
    this.readEverything = complete;
  }

  add(row: RunRow): void {
    this.runs.set(row.runId, row);
  }

  apply(c: Commit): CommitAnswer {
    if (this.#isBusy(c)) return { kind: "busy" };
    return this.#decide(c, this.now);
  }

  /** Whether this Commit reads or moves inbox rows that the writes so far only have in hand: they must be sent first. */
  mustFlushBefore(c: Commit): boolean {
    const w = this.writes;
    if (w.moves.length > 0) return true;
    if (w.notices.length === 0) return false;
    const touches = c.taken.length + c.consumed.length + c.replies.length > 0 || c.moveInboxTo !== null || isSettled(c.status);
    return touches && w.notices.some((n) => n.notice.toRunId === c.runId);
  }

  #isBusy(c: Commit): boolean {
    if (this.busy.size === 0) return false;
    return (
      this.busy.has(c.runId) || (c.moveInboxTo !== null && this.busy.has(c.moveInboxTo)) || c.notices.some((n) => this.busy.has(n.toRunId))
    );
  }

  #decide(c: Commit, now: number): CommitAnswer {
    const { row, answer } = decide(c, this, now);
    if ("create" in c.expect) {
      // What is known in part could be another conflict than the one that all rows show.
      if (!this.readEverything && (row === undefined || c.expect.create.supersedes !== null)) throw new NeedsFullRead();
    } else if (answer?.kind === "duplicate" && c.children.length > 0 && !this.readEverything) throw new NeedsFullRead();
    if (row === undefined) return answer;
    if ("create" in c.expect) {
      const { scope, workflowId, idempotencyKey } = c.expect.create;
      this.latestIds.set(scopedKey(scope, workflowId), c.runId);
      if (idempotencyKey !== null) this.startKeys.set(scopedKey(scope, idempotencyKey), c.runId);
    }
    return this.#write(c, row.persistedAt, row);
  }

  #write(c: Commit, persistedAt: number, row: RunRow): CommitAnswer {
    const w = this.writes;
    const isNew = row.stateVersion === 1 || w.created.has(c.runId);
    this.runs.set(c.runId, row);
    (isNew ? w.created : w.changed).set(c.runId, row);
    appendDependents(w, c, persistedAt, row.stateVersion);
    const children = c.children.map((child): ChildCreateResult => this.#createChild(child, persistedAt));
    for (const n of c.notices) this.#notify(n, persistedAt);
    if (c.moveInboxTo !== null) {
      const to = this.runs.get(c.moveInboxTo);
      if (to !== undefined) w.moves.push({ from: c.runId, to: to.runId, wakes: !isSettled(to.status) });
    }
    return { kind: "committed", persistedAt, dueAt: row.dueAt, children };
  }

  #createChild(child: Commit, now: number): ChildCreateResult {
    return "create" in child.expect ? childResult(this.#decide(child, now)) : { kind: "created" };
  }

  #notify(notice: Notice, at: number): void {
    const target = noticeTarget(notice, this);
    const key = noticeKey(notice);
    if (target === undefined || this.knownNotices.has(key)) return;
    this.knownNotices.add(key);
    this.writes.notices.push({ notice: { ...notice, toRunId: target.runId }, key, at });
  }

  run(runId: string): RunRow | undefined {
    return this.runs.get(runId);
  }
  latest(scope: Scope, workflowId: string): RunRow | undefined {
    return this.runs.get(this.latestIds.get(scopedKey(scope, workflowId)) ?? "");
  }
  byStartKey(scope: Scope, idempotencyKey: string): RunRow | undefined {
    return this.runs.get(this.startKeys.get(scopedKey(scope, idempotencyKey)) ?? "");
  }
}

/** Everything of a Commit that hangs on its own row alone. */
export function appendDependents(w: BatchWrites, c: Commit, persistedAt: number, stateVersion: number): void {
  for (const e of c.events) w.events.push({ runId: c.runId, event: { ...e, persistedAt, stateVersion } });
  for (const id of c.taken) w.taken.push([c.runId, id]);
  for (const id of c.consumed) w.consumed.push([c.runId, id]);
  for (const r of c.replies) w.replies.push([c.runId, r.inboxId, r.reply]);
  if (c.rejected !== undefined) for (const r of c.rejected) w.rejected.push([c.runId, r.inboxId, r.reason]);
  if (isSettled(c.status)) w.settled.push(c.runId);
  for (const v of c.views) w.views.push([c.runId, v.name, v.value]);
  if (c.effects !== undefined) for (const effect of c.effects) w.effects.push({ runId: c.runId, effect, at: persistedAt });
  if (c.checkpoint !== undefined) w.checkpoints.push({ ...c.checkpoint, runId: c.runId, persistedAt, stateVersion });
  if (c.snapshot !== undefined) w.snapshots.push({ runId: c.runId, snapshot: c.snapshot });
  // Those of one that goes alone come last, after rows that it waits for (queues/commit-alone.ts).
  if (isSettled(c.status) || goesAlone(c)) return;
  if (c.ends !== undefined) for (const e of c.ends) w.ends.push({ runId: c.runId, seq: e.seq, what: e.what });
  if (c.dispatches !== undefined) for (const dispatch of c.dispatches) w.dispatches.push({ runId: c.runId, dispatch, at: persistedAt });
}
