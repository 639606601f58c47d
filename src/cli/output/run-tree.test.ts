// The tree of a run, drawn from planted data: every state of a step has its mark and its note, scopes nest, and nothing of
// a user's text reaches the terminal unfiltered.
import { expect, it } from "vitest";
import type { RunView, StepView } from "../../client/types.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { runDetails } from "../../client/run-details.ts";
import { paint } from "./colors.ts";
import { runTreeText } from "./run-tree.ts";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 2, 12, 0, seconds)).toISOString();
const run: RunView = {
  runId: "r",
  workflowId: "o 1",
  workflow: "order",
  version: "3",
  status: "RUNNING",
  createdAt: at(0),
  updatedAt: at(9),
  tags: {},
  headSeq: 9,
};
const step = (stepId: string, more: Partial<StepView>): StepView => ({
  stepId,
  name: stepId,
  kind: "effect",
  class: "UNDECLARED",
  status: "SUCCESS",
  attempts: 1,
  engineAttempts: 1,
  startedAt: at(0),
  ...more,
});
const event = (eventType: string, stepId: string | undefined, payload: unknown, seconds = 0): RunEventRecord =>
  ({ eventType, ...(stepId === undefined ? {} : { stepId }), payload, persistedAt: at(seconds), runSeq: 1 }) as unknown as RunEventRecord;
const draw = (steps: StepView[], events: RunEventRecord[], more: Partial<RunView> = {}): string[] =>
  runTreeText({ run: { ...run, ...more }, steps, detail: runDetails(events), nowMs: Date.parse(at(10)) }, paint(false))
    .trimEnd()
    .split("\n");

it("a take-over is shown with its time and fence, tries and keys with their step", () => {
  const lines = draw(
    [
      step("charge", { class: "KEYED", key: "k-1", attempts: 2, engineAttempts: 2, endedAt: at(3) }),
      step("reserve", { kind: "tx", class: "ATOMIC", endedAt: at(0) }),
    ],
    [event("pawl.StepRedispatched", undefined, { stepId: "charge", engineAttemptId: 2, fence: 2 }, 2)],
  );
  expect(lines).toEqual([
    "o 1  order@3  RUNNING",
    "├─ ✔ charge   3s   2 tries  keyed k-1 · crash, taken over at +2s (fence 2)",
    "└─ ✔ reserve  0ms           atomic",
  ]);
});

it("a wait that was given up is no failure; an effect that was is one", () => {
  const given = (stepId: string): RunEventRecord =>
    event("StepFailed", stepId, { error: { message: "the node that called this step has ended" }, category: "ABANDONED" });
  const ended = { status: "FAILED", endedAt: at(2) } as const;
  expect(draw([step("deadline", { kind: "timer", ...ended }), step("sent", ended)], [given("deadline"), given("sent")])).toEqual([
    "o 1  order@3  RUNNING",
    "├─ - deadline  2s  undeclared · ABANDONED: the node that called this step has ended",
    "└─ ✖ sent      2s  undeclared · ABANDONED: the node that called this step has ended",
  ]);
});

it("who took a run over from whom is said once for the run, the last five times", () => {
  const event1 = (n: number): RunEventRecord =>
    event("pawl.TakenOver", undefined, { engine: `e${n + 1}\u001b[31m`, lost: `e${n}`, fence: n }, n);
  expect(draw([], [event1(1)])).toEqual(["o 1  order@3  RUNNING", "crash: engine e2 [31m took over from e1 at +1s"]);
  const many = draw([], [1, 2, 3, 4, 5, 6].map(event1));
  expect(many[1]).toBe("crashes: 6, the last of them:");
  expect(many.slice(2).map((l) => l.slice(0, 16))).toEqual([3, 4, 5, 6, 7].map((n) => `crash: engine e${n}`));
});

it("every state of a step has its mark", () => {
  const lines = draw(
    [
      step("running", { status: "RUNNING" }),
      step("again", { status: "FAILED", endedAt: at(1), retryAt: at(14) }),
      step("failed", { status: "FAILED", endedAt: at(1) }),
      step("doubt", { status: "RUNNING", class: "AT-MOST-ONCE" }),
      step("held", { status: "RUNNING", class: "REPEATABLE" }),
      step("sent", { status: "RUNNING", class: "REPEATABLE" }),
      step("approved", { kind: "signal", status: "RUNNING" }),
      step("late", { kind: "signal", endedAt: at(5) }),
      step("sub", { kind: "child", status: "RUNNING" }),
      step("kept", { endedAt: at(0) }),
    ],
    [
      event("StepFailed", "failed", { error: { message: "no\u001B[2J" }, category: "TIMEOUT" }),
      event("pawl.StepInDoubt", undefined, { stepId: "doubt", reason: "it began" }),
      event("pawl.StepHeld", undefined, { stepId: "held", error: { message: "no bank" } }),
      event("pawl.StepHeld", undefined, { stepId: "sent", error: { message: "no bank" } }),
      event("pawl.DecisionAnswered", undefined, { stepId: "sent", answer: "retry" }),
      event("StepStarted", "approved", { signal: "approved", delayMs: 70_000 }),
      event("StepCompleted", "late", { timedOut: true }),
      event("StepStarted", "sub", { child: { runId: "c", workflowId: "c-1", workflow: "child" } }),
      event("StepCompleted", "kept", { copiedFrom: "x" }),
    ],
  );
  const squeezed = lines.slice(1).map((l) => l.replace(/^.── ?|^.─ /, "").replaceAll(/ {2,}/g, " | "));
  expect(squeezed).toEqual([
    "▶ running | 10s so far | undeclared",
    "↻ again | retry in 4s | undeclared",
    "✖ failed | 1s | undeclared · TIMEOUT: no [2J",
    "? doubt | in doubt | at-most-once · it began",
    "? held | to decide | repeatable · failed for good: no bank",
    "▶ sent | 10s so far | repeatable",
    "◌ approved | waiting | undeclared · 1m left · send: pawl signal 'o 1' approved",
    "✔ late | 5s | undeclared · timed out",
    "◌ sub | waiting | undeclared · run c-1 of child",
    "✔ kept | kept | undeclared",
  ]);
});

it("scopes nest, encoded names are read again, repeated names are numbered", () => {
  const done = { endedAt: at(0), class: "REPEATABLE" } as const;
  const lines = draw(
    [
      step("ship/a%2Fb/label", done),
      step("ship/c/label", done),
      step("end~2", done),
      step("end~2/~compensate", { ...done, kind: "compensation" }),
    ],
    [],
  );
  expect(lines.slice(1)).toEqual([
    "├─ · ship",
    "│  ├─ · a/b",
    "│  │  └─ ✔ label        0ms  repeatable",
    "│  └─ · c",
    "│     └─ ✔ label        0ms  repeatable",
    "└─ ✔ end #2             0ms  repeatable",
    "   └─ ✔ (compensation)  0ms  repeatable",
  ]);
});

it("the head says what the run waits for, the foot what came of it", () => {
  expect(draw([], [], { waiting: "decision" })).toEqual(["o 1  order@3  RUNNING  needs a decision"]);
  expect(draw([], [], { waiting: "timer", dueAt: at(70) })[0]).toMatch(/waiting for timer {1,2}\(1m left\)/);
  expect(draw([], [event("RunPaused", undefined, { category: "DIVERGED", message: "charge was renamed" })], { status: "PAUSED" })).toEqual([
    "o 1  order@3  PAUSED  charge was renamed",
    "continue: pawl resume 'o 1'",
  ]);
  expect(draw([], [event("RunFailed", undefined, { error: { message: "no" } })], { status: "FAILED" })).toEqual([
    "o 1  order@3  FAILED  in 9s",
    "failed: no",
    "retry: pawl retry 'o 1'",
  ]);
  expect(draw([], [event("pawl.CallRefused", undefined, { kind: "tx", name: "release", why: "cancel" })], { status: "CANCELLED" })).toEqual(
    ["o 1  order@3  CANCELLED  in 9s", "cancelled", "refused: tx release: the run was ending (cancel); see pawl explain PAWL1020"],
  );
  expect(draw([], [event("RunCompleted", undefined, { result: { a: 1 } })], { status: "COMPLETED" })).toEqual([
    "o 1  order@3  COMPLETED  in 9s",
    'result: {"a":1}',
  ]);
});

it("steps that were open when the code returned are named below the tree", () => {
  const lines = draw([], [event("RunCompleted", undefined, { result: 1, abandoned: ["mail", "invoice"] })], { status: "COMPLETED" });
  expect(lines.join("\n")).toContain("abandoned: mail, invoice (open when the code returned: pawl explain PAWL1031)");
});
