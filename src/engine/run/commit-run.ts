// Commits what a run has decided: the longest prefix of its draft that one Commit may hold, under the run's lock (K6). What the store
// answers decides what follows: acknowledged, read again from the log, or given up. A lost fence writes nothing and reports nothing more (I3).
import { PawlError } from "../../errors/error.ts";
import type { Commit, CommitAnswer } from "../../store/port.ts";
import { untilRead } from "../snapshot/until-read.ts";
import { acknowledge } from "./acknowledge.ts";
import type { BuiltCommit } from "./commit-builder.ts";
import type { PendingEvent } from "./commit-draft.ts";
import type { LiveRun } from "./live-run.ts";

export function commitRun(r: LiveRun): void {
  const { commits, host } = r;
  // A large snapshot goes by itself: no outcome waits for it, and none is refused with it. So does one where a seal may go with the events.
  const due = r.snapshots === null || commits.draft.isEmpty || r.state.isEnding ? null : r.snapshots.due(r.canRelease);
  const isAlone = due !== null && (due.body.length > host.limits.commitBytesMax || host.sealer !== null || commits.draft.checkpoints > 1);
  if (isAlone) return submit(r, commits.build([], true), []);
  // Window A of a run's first step: the run is committed without it first, so that a restart finds the run and survives.
  const { protos, rest } = commits.draft.cut(
    commits.create === null ? undefined : (e) => host.platform.armed?.(windowA(e), r.row.workflowId) === true,
  );
  if (r.fence.epoch === 1) for (const e of protos) if (e.starts !== undefined) host.platform.hit(windowA(e), r.row.workflowId);
  submit(r, commits.build(protos, rest), protos);
}

function submit(r: LiveRun, { commit, bytes, seal, onAck }: BuiltCommit, protos: readonly PendingEvent[]): void {
  const { host } = r;
  if (commit.snapshot !== undefined) host.platform.hit("engine:snapshot");
  if (commit.dispatches !== undefined) host.platform.hit("engine:dispatch");
  if (commit.checkpoint !== undefined) host.platform.hit("engine:superstep");
  r.commitLock.take();
  host.submit(commit, bytes, {
    answered: (answer, sentAt) => {
      if (seal !== null) host.sealer?.onAnswered(seal, answer.kind === "committed" || answer.kind === "duplicate");
      try {
        if (commit.snapshot !== undefined && answer.kind === "refused") return dropSnapshot(r, commit, protos, answer.reason, onAck);
        if (commit.checkpoint !== undefined && answer.kind === "refused") return checkClash(r, commit, protos, answer, sentAt, onAck);
        if (commit.checkpoint !== undefined) onSuperstep(r, commit.checkpoint.stepId, answer);
        onAnswer(r, answer, sentAt, commit, protos, onAck);
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

/** The cache cannot harm the truth: whatever the store did not like, the run's own Commit is offered again without the snapshot. */
function dropSnapshot(r: LiveRun, refused: Commit, protos: readonly PendingEvent[], reason: string, onAck: BuiltCommit["onAck"]): void {
  if (r.state.isUnloaded) return;
  r.host.metrics.add("pawl_snapshots_refused_total");
  r.log("warn", `the store refused a snapshot of ${refused.snapshot!.body.length} characters, the run continues without: ${reason}`);
  r.snapshots!.onRefused();
  const commit = r.commits.withoutSnapshot(refused);
  submit(r, { commit, bytes: commitBytes(commit), seal: null, onAck }, protos);
}

/**
 * A superstep's Commit was refused. If its checkpoint already exists under its own key, all that it says is known: the Commit is offered again
 * without the row (L-54). Under another key somebody recorded something else: a person decides, and nothing is overwritten.
 */
function checkClash(
  r: LiveRun,
  refused: Commit,
  protos: readonly PendingEvent[],
  answer: Extract<CommitAnswer, { kind: "refused" }>,
  sentAt: number,
  onAck: BuiltCommit["onAck"],
): void {
  const { stepId, key } = refused.checkpoint!;
  untilRead(r, () => r.host.store.checkpoint({ runId: r.row.runId, stepId })).then(
    (found) => {
      if (r.state.isUnloaded) return;
      if (found === undefined) return onAnswer(r, answer, sentAt, refused, protos, onAck);
      if (found.key !== key) {
        const reason = `superstep ${stepId} has a checkpoint under another key than this code computes (PAWL2031)`;
        r.log("error", reason, { code: "PAWL2031", superstep: stepId, expected: found.key, found: key });
        return r.unload({ kind: "reload", refused: new Set(), reason });
      }
      r.log("warn", `the checkpoint of superstep ${stepId} already exists: its Commit is made without it`, { superstep: stepId });
      const { checkpoint: _, ...rest } = refused;
      const commit = { ...rest, commitId: r.host.platform.uuidV4() };
      submit(r, { commit, bytes: commitBytes(commit), seal: null, onAck }, protos);
    },
    (e: unknown) => r.reloadAfterError(e),
  );
}

function commitBytes(commit: Commit): number {
  return commit.events.reduce((sum, e) => sum + 500 + (e.payload?.length ?? 0), 400);
}

function onAnswer(
  r: LiveRun,
  answer: CommitAnswer,
  sentAt: number,
  commit: Commit,
  events: readonly PendingEvent[],
  onAck: readonly (() => void)[],
): void {
  // Also of a run that this engine has let go meanwhile: a person who looks for the lost superstep finds who tried to write it.
  if ((answer.kind === "fenced" || answer.kind === "stale") && commit.checkpoint !== undefined)
    r.log("warn", `superstep ${commit.checkpoint.stepId} belongs to another owner now: nothing was written`, {
      superstep: commit.checkpoint.stepId,
    });
  if (r.state.isUnloaded) return;
  switch (answer.kind) {
    case "committed":
    case "duplicate":
      acknowledge(r, answer, commit, events, sentAt); // all of it, before the loop continues
      for (const f of onAck) f();
      return r.commitLock.release();
    case "conflict":
      return r.unload({ kind: "conflict", answer });
    case "refused": {
      r.log("error", `the store refused a Commit: ${answer.reason}`);
      const outcomes = events.filter((e) => e.eventType === "StepCompleted" || e.eventType === "StepFailed");
      return r.unload({ kind: "reload", refused: new Set(outcomes.map((e) => e.stepId!)), reason: answer.reason });
    }
    case "fenced":
    case "stale":
      r.host.metrics.add("pawl_fence_rejections_total");
      return r.unload({ kind: "abandoned" });
    case "busy":
    case "early":
    case "unmet":
      return r.reloadAfterError(new PawlError("PAWL3007", `the committer passed on ${answer.kind}`));
  }
}

/** L-56: a superstep is in the store. */
function onSuperstep(r: LiveRun, superstep: number, answer: CommitAnswer): void {
  if (r.state.isUnloaded || (answer.kind !== "committed" && answer.kind !== "duplicate")) return;
  r.host.platform.hit("engine:superstepped");
  r.host.metrics.add("pawl_graph_supersteps_total");
  // L-54: asked again after a lost answer. It is there, so it is skipped: the run continues with what comes next.
  if (answer.kind === "duplicate") r.log("info", `superstep ${superstep} was recorded before, the run continues behind it`, { superstep });
  else r.log("debug", `superstep ${superstep} is recorded`, { superstep });
}

/** The crash point before this event's step has its start recorded; only the first start of a step has one. */
function windowA(e: PendingEvent): string {
  return e.eventType === "StepStarted" && e.logical === 1 ? `${e.stepId}:A` : "";
}
