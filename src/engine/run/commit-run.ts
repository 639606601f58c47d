// Commits what a run has decided: the longest prefix of its draft that one Commit may hold, under the run's lock (K6). What the store
// answers decides what follows: acknowledged, read again from the log, or given up. A lost fence writes nothing and reports nothing more (I3).
import { PawlError } from "../../errors/error.ts";
import type { Commit, CommitAnswer } from "../../store/port.ts";
import { acknowledge } from "./acknowledge.ts";
import type { PendingEvent } from "./commit-draft.ts";
import type { LiveRun } from "./live-run.ts";

export function commitRun(r: LiveRun): void {
  const { commits, host } = r;
  // Window A of a run's first step: the run is committed without it first, so that a restart finds the run and survives.
  const { protos, rest } = commits.draft.cut(commits.create === null ? undefined : (e) => host.platform.armed?.(windowA(e)) === true);
  if (r.fence.epoch === 1) for (const e of protos) if (e.starts !== undefined) host.platform.hit(windowA(e));
  const { commit, bytes, seal } = commits.build(protos, rest);
  r.commitLock.take();
  host.submit(commit, bytes, {
    answered: (answer, sentAt) => {
      if (seal !== null) host.sealer?.onAnswered(seal, answer.kind === "committed" || answer.kind === "duplicate");
      try {
        onAnswer(r, answer, sentAt, commit, protos);
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

function onAnswer(r: LiveRun, answer: CommitAnswer, sentAt: number, commit: Commit, events: readonly PendingEvent[]): void {
  if (r.state.isUnloaded) return;
  switch (answer.kind) {
    case "committed":
    case "duplicate":
      acknowledge(r, answer, commit, events, sentAt); // all of it, before the loop continues
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
      return r.reloadAfterError(new PawlError("PAWL3007", `the committer passed on ${answer.kind}`));
  }
}

/** The crash point before this event's step has its start recorded; only the first start of a step has one. */
function windowA(e: PendingEvent): string {
  return e.eventType === "StepStarted" && e.logical === 1 ? `${e.stepId}:A` : "";
}
