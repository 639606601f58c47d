// The transitions of a live run's state: what each changes together, what it leaves alone, and what happens once only. No store and
// no engine: the class alone.
import { describe, expect, it } from "vitest";
import type { Arrival } from "./arrivals.ts";
import { ContinueAsNew } from "./ending.ts";
import { RunState, type RecordedRunState } from "./run-state.ts";

const fresh: RecordedRunState = { isPaused: false, isDiverged: false, decisionReason: null, decisionSeq: null, deadlineAt: null };
const state = (recorded: Partial<RecordedRunState> = {}): RunState => new RunState({ ...fresh, ...recorded });
const arrival = (notBefore: number): Arrival => ({ type: "deadline", notBefore });

describe("pausing", () => {
  it("hands out what was held during the pause once, in order, when the run resumes", () => {
    const s = state();
    s.pause();
    s.hold(arrival(1));
    s.hold(arrival(2));
    expect(s.isPaused).toBe(true);
    expect(s.resume()).toEqual([arrival(1), arrival(2)]);
    expect(s.isPaused).toBe(false);
    expect(s.resume()).toEqual([]);
  });

  it("a divergence pauses the run; resuming ends both and closes the question", () => {
    const s = state();
    s.diverge();
    s.decisionAskedAt(7);
    expect([s.isPaused, s.isDiverged, s.decisionSeq]).toEqual([true, true, 7]);
    s.resume();
    expect([s.isPaused, s.isDiverged, s.decisionSeq]).toEqual([false, false, null]);
  });

  it("on replay the log says when the run was paused, and a divergence stays", () => {
    const s = state({ isPaused: true, isDiverged: true, decisionSeq: 3 });
    s.replayPause(false);
    expect([s.isPaused, s.isDiverged, s.decisionSeq]).toEqual([false, true, 3]);
  });

  it("pauses that came before the start are taken once", () => {
    const s = state();
    s.addPendingPause([4]);
    s.addPendingPause([5, 6]);
    expect(s.takePendingPauses()).toEqual([4, 5, 6]);
    expect(s.takePendingPauses()).toEqual([]);
  });
});

describe("a question to a person", () => {
  it("is open from the reason to the answer, which forgets the place of the question too", () => {
    const s = state();
    s.needDecision("nobody could commit");
    s.decisionAskedAt(9);
    expect([s.needsDecision, s.decisionReason, s.decisionSeq]).toEqual([true, "nobody could commit", 9]);
    s.answerDecision();
    expect([s.needsDecision, s.decisionReason, s.decisionSeq]).toEqual([false, null, null]);
  });
});

describe("the end", () => {
  it("the first reason to stop counts", () => {
    const s = state();
    s.stop({ kind: "deadline" });
    s.stop({ kind: "cancel", reason: "too late" });
    expect(s.stopReason).toEqual({ kind: "deadline" });
    expect([s.isEnding, s.isFailing, s.continuesAsNew]).toEqual([true, true, false]);
  });

  it("the code ends once", () => {
    const s = state();
    s.endCode({ kind: "returned", result: "1" }, ["a"]);
    s.endCode({ kind: "threw", error: new Error("later") }, []);
    expect(s.codeEnd).toEqual({ kind: "returned", result: "1" });
    expect(s.unawaited).toEqual(["a"]);
    expect([s.isEnding, s.isFailing]).toEqual([true, false]);
  });

  it("a run that continues as new does not fail, unless it was told to stop", () => {
    const s = state();
    s.endCode({ kind: "threw", error: new ContinueAsNew("{}") }, []);
    expect([s.isEnding, s.isFailing, s.continuesAsNew]).toEqual([true, false, true]);
    s.stop({ kind: "cancel", reason: undefined });
    expect([s.isFailing, s.continuesAsNew]).toEqual([true, false]);
  });

  it("code that threw makes the run fail", () => {
    const s = state();
    s.endCode({ kind: "threw", error: new Error("no") }, []);
    expect([s.isEnding, s.isFailing, s.continuesAsNew]).toEqual([true, true, false]);
  });
});

describe("the deadline", () => {
  it("fires when it has passed, and not again until it was taken", () => {
    const s = state({ deadlineAt: 100 });
    expect(s.fireDeadline(99)).toBeNull();
    expect(s.fireDeadline(100)).toBe(100);
    expect(s.pendingDeadline).toBeNull();
    expect(s.fireDeadline(200)).toBeNull();
    s.deadlineTaken();
    expect(s.pendingDeadline).toBe(100);
    expect(s.deadlineAt).toBe(100);
  });

  it("does not fire in a run that is ending, nor in one that has none", () => {
    const s = state({ deadlineAt: 100 });
    s.stop({ kind: "cancel", reason: undefined });
    expect([s.pendingDeadline, s.fireDeadline(200)]).toEqual([null, null]);
    expect(state().fireDeadline(200)).toBeNull();
  });
});

describe("leaving memory", () => {
  it("a reload is a release that the next owner takes at once", () => {
    const s = state();
    expect([s.releaseRequested, s.reloadOnRelease]).toEqual([false, false]);
    s.requestReload();
    expect([s.releaseRequested, s.reloadOnRelease, s.releaseForced]).toEqual([true, true, false]);
  });

  it("a forced release stays forced", () => {
    const s = state();
    s.forceRelease();
    s.requestRelease();
    expect([s.releaseRequested, s.releaseForced, s.reloadOnRelease]).toEqual([true, true, false]);
  });

  it("a run is unloaded once", () => {
    const s = state();
    expect([s.unload(), s.unload(), s.isUnloaded]).toEqual([true, false, true]);
  });
});

describe("the code", () => {
  it("its time never goes back", () => {
    const s = state();
    s.openActivation(50);
    expect([s.inActivation, s.nowMs]).toEqual([true, 50]);
    s.closeActivation();
    s.openActivation(20);
    expect([s.inActivation, s.nowMs]).toEqual([true, 50]);
  });

  it("counts refused calls and remembers the last call", () => {
    const s = state();
    expect([s.refuseCall(), s.refuseCall()]).toEqual([1, 2]);
    s.noteCall("step charge");
    expect(s.lastCall).toBe("step charge");
  });

  it("what must be committed before the code sees it is, once", () => {
    const s = state();
    s.commitFirst();
    expect(s.mustCommitFirst).toBe(true);
    s.committing();
    expect(s.mustCommitFirst).toBe(false);
  });
});
