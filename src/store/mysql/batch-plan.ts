// A batch of Commits decided in memory, over the rows that its transaction holds: every check first, in the order that all
// stores keep, then what is to be written, as lists. Pure and synchronous: it sends nothing, and knows no clock but the
// time it is given. I3: a lost fence or version writes nothing. I8: a settled run never changes. I10: no timer fires early.
import { isSettled } from "../../core/model.ts";
import { noticeKey, scopeKey } from "../keys.ts";
import type {
  CheckpointRecord,
  Commit,
  CommitAnswer,
  EffectWrite,
  EventRecord,
  ChildCreateResult,
  NewRun,
  Notice,
  RunRow,
} from "../port.ts";
import { isContinuation, dueTime, followsContinuation } from "../rules.ts";

/** A Commit of the batch meets rows that were not read: decide again, over all rows that it could meet. */
export class NeedsFullRead extends Error {}

export function scopedKey(scope: NewRun["scope"], id: string): string {
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
  readonly settled: string[];
  readonly views: [string, string, string][];
  readonly effects: { readonly runId: string; readonly effect: EffectWrite; readonly at: number }[];
  readonly checkpoints: CheckpointRecord[];
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
    settled: [],
    views: [],
    effects: [],
    checkpoints: [],
    notices: [],
    moves: [],
  };
}

export class BatchPlan {
  /** Every run that was read or made, by id. */
  readonly runs: Map<string, RunRow> = new Map();
  /** The latest run of a workflowId, and the run of a start key, as far as they were read or made. */
  readonly latest: Map<string, string> = new Map();
  readonly startKeys: Map<string, string> = new Map();
  /** Keys of notices that are there already. */
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
    return "create" in c.expect ? this.#create(c, c.expect.create, this.now) : this.#advance(c);
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

  #advance(c: Commit): CommitAnswer {
    const row = this.runs.get(c.runId);
    if (row === undefined || "create" in c.expect) return { kind: "fenced" };
    const verdict = advanceVerdict(c, row, this.now);
    if (verdict === "duplicate") return this.#duplicate(c, row);
    if (verdict !== undefined) return verdict;
    const persistedAt = Math.max(this.now, row.persistedAt);
    const settled = isSettled(c.status);
    return this.#write(c, persistedAt, {
      ...row,
      ...headOf(c, row),
      status: c.status,
      waiting: c.waiting,
      owner: settled || c.release ? null : row.owner,
      stateVersion: row.stateVersion + 1,
      commitId: c.commitId,
      persistedAt,
      dueAt: dueTime(c.due, persistedAt, settled),
      idleClaims: 0,
      exactVersion: c.exactVersion ?? row.exactVersion,
    });
  }

  #createVerdict(c: Commit, n: NewRun): CommitAnswer | undefined {
    const sameId = this.runs.get(c.runId);
    if (sameId !== undefined && sameId.commitId === c.commitId) return this.#duplicate(c, sameId);
    const holder = this.#startKeyHolder(n);
    if (holder !== undefined) return { kind: "conflict", by: "idempotencyKey", existing: holder };
    if (sameId !== undefined) return { kind: "conflict", by: "runId", existing: sameId };
    const latest = this.#latestOf(n);
    if (latest !== undefined && !(latest.runId === n.supersedes && isSettled(latest.status))) {
      return { kind: "conflict", by: "workflowId", existing: latest };
    }
    return undefined;
  }

  #create(c: Commit, n: NewRun, now: number): CommitAnswer {
    const verdict = this.#createVerdict(c, n);
    if (verdict !== undefined) {
      // What is known in part could be another conflict than the one that all rows show.
      if (!this.readEverything) throw new NeedsFullRead();
      return verdict;
    }
    if (n.supersedes !== null && !this.readEverything) throw new NeedsFullRead();
    const settled = isSettled(c.status);
    const generation = (this.#latestOf(n)?.generation ?? 0) + 1;
    this.latest.set(scopedKey(n.scope, n.workflowId), c.runId);
    if (n.idempotencyKey !== null) this.startKeys.set(scopedKey(n.scope, n.idempotencyKey), c.runId);
    return this.#write(c, now, {
      runId: c.runId,
      scope: n.scope,
      workflowId: n.workflowId,
      generation,
      workflow: n.workflow,
      version: n.version,
      status: c.status,
      waiting: c.waiting,
      owner: settled || c.release ? null : n.owner,
      fence: n.fence,
      stateVersion: 1,
      commitId: c.commitId,
      ...headOf(c, { headSeq: 0, headLink: "" }),
      persistedAt: now,
      dueAt: dueTime(c.due, now, settled),
      createdAt: now,
      deadlineAt: n.deadlineInMs === null ? null : now + n.deadlineInMs,
      tags: n.tags,
      inputDigest: n.inputDigest,
      idempotencyKey: n.idempotencyKey,
      originalRunId: n.originalRunId,
      rootRunId: n.rootRunId,
      parentRunId: n.parentRunId,
      parentStepId: n.parentStepId,
      idleClaims: 0,
      exactVersion: c.exactVersion ?? false,
      origin: n.origin ?? "engine",
      expiredAt: null,
      purgedAt: null,
    });
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
    if (!("create" in child.expect)) return { kind: "created" };
    const answer = this.#create(child, child.expect.create, now);
    return answer.kind === "conflict" ? { kind: "conflict", existing: answer.existing } : { kind: "created" };
  }

  #notify(notice: Notice, at: number): void {
    const named = this.runs.get(notice.toRunId);
    const latest = named === undefined || !followsContinuation(notice.kind) || !isSettled(named.status) ? undefined : this.#latestOf(named);
    const target = named !== undefined && latest !== undefined && isContinuation(latest, named) ? latest : named;
    const key = noticeKey(notice);
    if (target === undefined || target.origin !== "engine" || isSettled(target.status) || this.knownNotices.has(key)) return;
    this.knownNotices.add(key);
    this.writes.notices.push({ notice: { ...notice, toRunId: target.runId }, key, at });
  }

  /** The fates of a Commit that was applied before: a child is there, or another run stands in its place. */
  #duplicate(c: Commit, row: RunRow): CommitAnswer {
    if (c.children.length > 0 && !this.readEverything) throw new NeedsFullRead();
    const children = c.children.map((child): ChildCreateResult => {
      if (!("create" in child.expect)) return { kind: "created" };
      const n = child.expect.create;
      const own = this.runs.get(child.runId);
      if (own?.workflowId === n.workflowId) return { kind: "created" };
      const existing = this.#startKeyHolder(n) ?? this.#latestOf(n) ?? own;
      return existing === undefined ? { kind: "created" } : { kind: "conflict", existing };
    });
    return { kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children };
  }

  #latestOf(n: Pick<NewRun, "scope" | "workflowId">): RunRow | undefined {
    return this.runs.get(this.latest.get(scopedKey(n.scope, n.workflowId)) ?? "");
  }

  #startKeyHolder(n: NewRun): RunRow | undefined {
    return n.idempotencyKey === null ? undefined : this.runs.get(this.startKeys.get(scopedKey(n.scope, n.idempotencyKey)) ?? "");
  }
}

/** Why nothing may be written, if so; the order of these checks is the same on every store. */
export function advanceVerdict(c: Commit, row: RunRow, now: number): CommitAnswer | "duplicate" | undefined {
  if ("create" in c.expect) return { kind: "fenced" };
  if (row.commitId === c.commitId) return "duplicate";
  if (row.fence.epoch !== c.expect.fence.epoch || row.fence.token !== c.expect.fence.token) return { kind: "fenced" };
  if (row.stateVersion !== c.expect.stateVersion) return { kind: "stale" };
  if (isSettled(row.status) && row.origin === "engine") return { kind: "stale" };
  if (c.notBefore !== null && c.notBefore > now) return { kind: "early", nowMs: now };
  return undefined;
}

/** Everything of a Commit that hangs on its own row alone. */
export function appendDependents(w: BatchWrites, c: Commit, persistedAt: number, stateVersion: number): void {
  for (const e of c.events) w.events.push({ runId: c.runId, event: { ...e, persistedAt, stateVersion } });
  for (const id of c.taken) w.taken.push([c.runId, id]);
  for (const id of c.consumed) w.consumed.push([c.runId, id]);
  for (const r of c.replies) w.replies.push([c.runId, r.inboxId, r.reply]);
  if (isSettled(c.status)) w.settled.push(c.runId);
  for (const v of c.views) w.views.push([c.runId, v.name, v.value]);
  if (c.effects !== undefined) for (const effect of c.effects) w.effects.push({ runId: c.runId, effect, at: persistedAt });
  if (c.checkpoint !== undefined) w.checkpoints.push({ ...c.checkpoint, runId: c.runId, persistedAt, stateVersion });
}

function headOf(c: Commit, before: { headSeq: number; headLink: string }): { headSeq: number; headLink: string } {
  const last = c.events.at(-1);
  return last === undefined ? { headSeq: before.headSeq, headLink: before.headLink } : { headSeq: last.runSeq, headLink: last.link };
}
