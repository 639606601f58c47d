// The one place that a run has in the committer: at most one Commit of it is in flight (K6), its own or that of a transaction
// (K11), which borrows the place. What a Commit's answer says is done here: what may leave now leaves, and nothing before
// (K14). A lost fence writes nothing and says nothing more (I3).
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { Commit, CommitAnswer, ChildCreateResult } from "../../store/port.ts";
import { mustAskFirst, dispatch } from "../steps/dispatch.ts";
import type { PendingEvent } from "./commit-draft.ts";
import type { LiveRun } from "./live-run.ts";

export class CommitLock {
  readonly #run: LiveRun;
  readonly #onCreated: (() => void) | null;
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;

  constructor(run: LiveRun, onCreated: (() => void) | null) {
    this.#run = run;
    this.#onCreated = onCreated;
  }
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Commits the longest prefix of the draft that one Commit may hold. */
  commit(): void {
    const r = this.#run;
    const { commits: pen, host } = r;
    // Window A of a run's first step: the run is committed without it first, so that a restart finds the run and survives.
    const { protos, rest } = pen.draft.cut(pen.create === null ? undefined : (p) => host.platform.armed?.(windowA(p)) === true);
    if (r.fence.epoch === 1) for (const p of protos) if (p.starts !== undefined) host.platform.hit(windowA(p));
    const { commit, bytes, seal } = pen.build(protos, rest);
    this.#isHeld = true;
    host.submit(commit, bytes, {
      answered: (answer, sentAt) => {
        if (seal !== null) host.sealer?.onAnswered(seal, answer.kind === "committed" || answer.kind === "duplicate");
        try {
          this.#answered(answer, sentAt, commit, protos);
        } catch (error) {
          r.reloadAfterError(error);
        }
      },
      failed: (error) => {
        if (seal !== null) host.sealer?.onAnswered(seal, false);
        r.reloadAfterError(error);
      },
    });
  }

  #answered(answer: CommitAnswer, sentAt: number, commit: Commit, protos: readonly PendingEvent[]): void {
    const r = this.#run;
    if (r.state.isUnloaded) return;
    switch (answer.kind) {
      case "committed":
      case "duplicate":
        this.acknowledged(answer, commit, protos, sentAt); // all of it, before the loop goes on
        return this.release();
      case "conflict":
        return r.unload({ kind: "conflict", answer });
      case "refused": {
        r.host.log("error", `the store refused a Commit: ${answer.reason}`, { runId: r.row.runId });
        const outcomes = protos.filter((p) => p.eventType === "StepCompleted" || p.eventType === "StepFailed");
        return r.unload({ kind: "reload", refused: new Set(outcomes.map((p) => p.stepId!)), reason: answer.reason });
      }
      case "fenced":
      case "stale":
        r.host.metrics.add("pawl_fence_rejections_total");
        return r.unload({ kind: "abandoned" });
      case "busy":
      case "early":
        return r.reloadAfterError(new PawlError("PAWL3007", `the committer passed on ${answer.kind}`));
    }
  }

  /** What may leave now, leaves: effects begin, replies and results are told (K14). */
  acknowledged(
    answer: { persistedAt: number; dueAt: number | null; children: readonly ChildCreateResult[] },
    commit: Commit,
    protos: readonly PendingEvent[],
    sentAt: number = Number.NEGATIVE_INFINITY,
  ): void {
    const r = this.#run;
    const { create } = r.commits;
    r.commits.onAcknowledged(answer, commit);
    if (create !== null) {
      r.state.setDeadline(create.deadlineInMs === null ? null : answer.persistedAt + create.deadlineInMs);
      this.#onCreated?.();
    }
    let child = 0;
    for (const p of protos) {
      const step = p.starts;
      if (step !== undefined && step.state === "starting" && r.steps.isOpen(step)) {
        if (!mustAskFirst(step)) step.lastAt = answer.persistedAt;
        if (step.firstAt === 0) step.firstAt = answer.persistedAt;
        step.dispatchRecord.recordedAt = sentAt;
        if (step.started.delayMs !== undefined) step.dueAt = answer.persistedAt + step.started.delayMs;
        if (step.started.until !== undefined) step.dueAt = step.started.until;
        dispatch(r, step);
      }
      if (p.child !== undefined) r.mailbox.takeCreateResult(p, answer.children[child++]!);
      p.onAck?.();
    }
    if (isSettled(commit.status)) {
      r.host.metrics.add("pawl_runs_settled_total");
      r.unload({ kind: "settled", status: commit.status, payload: commit.events.at(-1)?.payload ?? null });
    } else if (commit.release) r.unload({ kind: "released" });
    else r.mailbox.match(); // a child may have ended before its start was acknowledged
  }

  /** ctx.tx commits by itself, on a connection of its own: no other Commit of this run may be in flight meanwhile (K11). */
  acquire(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#run.pump();
    });
  }
  /** To whoever waits first; false when nobody does. */
  grantNext(): boolean {
    const next = this.#waiting.shift();
    if (next === undefined) return false;
    this.#isHeld = true;
    next();
    return true;
  }
  release(): void {
    this.#isHeld = false;
    this.#run.pump();
  }

  /** The run has left memory: who waits finds it gone. */
  close(): void {
    for (const next of this.#waiting.splice(0)) next();
  }
}

/** The crash point before this event's step has its start recorded; only the first start of a step has one. */
function windowA(p: PendingEvent): string {
  return p.eventType === "StepStarted" && p.logical === 1 ? `${p.stepId}:A` : "";
}
