// How `pawl inspect` draws where a graph stands: the superstep that ended, and each item of the next one with how far it is. It must never draw what a
// run that has ended will not do.
import { expect, it } from "vitest";
import type { Standpoint, StepView } from "../../client/types.ts";
import { paint } from "./colors.ts";
import { graphLines } from "./graph-lines.ts";

const at = "2026-01-01T00:00:00.000Z";
const standpoint = (items: readonly object[], next: readonly object[]): Standpoint =>
  ({ superstep: 3, at, items, next, state: {} }) as unknown as Standpoint;
const step = (stepId: string, more: Partial<StepView> = {}): StepView =>
  ({ stepId, name: stepId, kind: "effect", status: "RUNNING", attempts: 1, engineAttempts: 1, startedAt: at, ...more }) as StepView;
const draw = (s: Standpoint, steps: readonly StepView[] = [], isSettled = false): string =>
  graphLines(s, steps, isSettled, paint(false)).join("\n");

const ended = [
  { item: "s3:0", node: "fetch", ok: true, route: ["parse", "store"] },
  { item: "s3:1", node: "check", ok: false, route: [] },
];

it("draws the superstep that ended with its routes, and each item of the frontier by its own steps", () => {
  const next = [
    { item: "s4:0", node: "parse" },
    { item: "s4:1", node: "store" },
    { item: "s4:2", node: "mail" },
    { item: "s4:20", node: "last" },
    { item: "s4:3", node: "hear" },
    { item: "s4:4", node: "both" },
  ];
  // s4:20 has no step of its own: that of s4:2 must not count for it, nor the other way round.
  const steps = [
    step("s4:0/read"),
    step("s4:1/put", { endedAt: at }),
    step("s4:2/send", { endedAt: at, retryAt: at }),
    step("s4:3/go", { kind: "signal", name: "go" }),
    step("s4:3/sure", { kind: "ask", name: "sure" }),
    step("s4:4/nap", { kind: "timer" }),
    step("s4:4/get"),
  ];
  expect(draw(standpoint(ended, next), steps)).toBe(
    [
      "superstep 3: fetch → parse, store; check failed",
      "superstep 4:",
      "├─ ▶ parse  s4:0 · at work",
      "├─ ✔ store  s4:1 · its steps ended",
      "├─ ▶ mail  s4:2 · at work",
      "├─ ◌ last  s4:20 · not begun, or without a step",
      "├─ ◌ hear  s4:3 · waits for go, sure",
      "└─ ▶ both  s4:4 · at work",
    ].join("\n"),
  );
});

it("counts what is too much to draw, and takes control characters out of names", () => {
  const next = Array.from({ length: 23 }, (_, i) => ({ item: `s4:${i}`, node: "n\u001b[31m" }));
  const lines = draw(standpoint(ended, next)).split("\n");
  expect(lines).toHaveLength(2 + 20 + 1);
  expect(lines.at(-1)).toBe("└─ and 3 more");
  expect(lines.join("")).not.toContain("\u001b");
});

it("draws no next superstep where there is none, or where the run has ended", () => {
  const head = "superstep 3: fetch → parse, store; check failed";
  expect(draw(standpoint(ended, []))).toBe(head);
  expect(draw(standpoint(ended, [{ item: "s4:0", node: "parse" }]), [], true)).toBe(head);
});
