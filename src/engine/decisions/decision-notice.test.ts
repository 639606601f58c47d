// What an engine logs when a run waits for a person, and that a listener which fails harms nothing. The notice is a hint:
// the list of decisions is the truth, so nothing here may throw.
import { expect, it } from "vitest";
import { notifyListener, type DecisionNotice } from "./decision-notice.ts";

const notice = (kind: DecisionNotice["kind"]): DecisionNotice => ({
  decisionId: "r:7",
  kind,
  runId: "r",
  workflowId: "order-1",
  workflow: "order",
  code: "PAWL2012",
  reason: "the bank does not answer",
});

it.each([
  ["effect", "warn"],
  ["compensation", "warn"],
  ["given-up", "warn"],
  ["confirmation", "warn"],
  ["failure", "warn"],
  ["approval", "info"],
  ["question", "info"],
  ["diverged", "info"],
] as const)("a decision of kind %s is logged as %s: what nobody asked for must be seen", async (kind, level) => {
  const lines: [string, string][] = [];
  await notifyListener(notice(kind), null, (l, text) => void lines.push([l, text]));
  expect(lines).toEqual([[level, "run order-1 waits for a person: the bank does not answer (pawl decisions has the answers)"]]);
});

it("what a listener is told is no warning", async () => {
  const lines: [string, string][] = [];
  await notifyListener(
    notice("effect"),
    () => {},
    (l, text) => void lines.push([l, text]),
  );
  expect(lines.map(([level]) => level)).toEqual(["info"]);
});

it("a listener that fails is logged, and nothing else", async () => {
  const lines: string[] = [];
  const failing = (): never => {
    throw new Error("no mail");
  };
  await notifyListener(notice("question"), failing, (_, text) => void lines.push(text));
  expect(lines).toHaveLength(2);
  expect(lines[1]).toBe("onDecision failed for r:7: no mail");
});
