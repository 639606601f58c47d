// The table of triggers against its sentences: for every way in which needs and branches can have ended, what each trigger says. A failure comes
// before everything but a branch that was not chosen.
import { expect, it } from "vitest";
import { triggerVerdict, type BranchCounts, type NeedCounts, type Trigger } from "./trigger.ts";

const none: BranchCounts = { of: 0, chosen: 0, notChosen: 0, failed: 0, skipped: 0 };
const needs = (o: Partial<NeedCounts>): NeedCounts => ({ ok: 0, failed: 0, unchosen: 0, skipped: 0, ...o });
const says = (t: Trigger, n: Partial<NeedCounts>, on: Partial<BranchCounts> = {}): string => {
  const v = triggerVerdict(t, needs(n), { ...none, ...on });
  return v.then === "skip" ? `${v.why}${v.unchosen ? " (branch)" : ""}` : v.then;
};
const triggers: readonly Trigger[] = ["all-ok", "converge", "none-failed", "all-done"];
const row = (n: Partial<NeedCounts>, on?: Partial<BranchCounts>): string[] => triggers.map((t) => says(t, n, on));

it("each trigger says what its sentence says", () => {
  expect(row({})).toEqual(["run", "run", "run", "run"]);
  expect(row({ ok: 2 })).toEqual(["run", "run", "run", "run"]);
  expect(row({ ok: 1, failed: 1 })).toEqual(["blocked", "blocked", "blocked", "run"]);
  expect(row({ ok: 1, unchosen: 1 })).toEqual(["upstream-skipped (branch)", "run", "run", "run"]);
  expect(row({ unchosen: 2 })).toEqual(["upstream-skipped (branch)", "upstream-skipped (branch)", "run", "run"]);
  expect(row({ ok: 1, skipped: 1 })).toEqual(["upstream-skipped", "upstream-skipped", "run", "run"]);
  expect(row({ failed: 1, skipped: 1 })).toEqual(["blocked", "blocked", "blocked", "run"]); // TX-03: a failure outranks
});

it("a branch that was not chosen comes before everything; one of several is enough", () => {
  expect(row({ ok: 1 }, { of: 1, notChosen: 1 })).toEqual(Array(4).fill("not-chosen (branch)"));
  expect(row({ failed: 1 }, { of: 2, notChosen: 2 })).toEqual(Array(4).fill("not-chosen (branch)"));
  expect(row({ ok: 1 }, { of: 2, chosen: 1, notChosen: 1 })).toEqual(["run", "run", "run", "run"]);
  expect(row({ ok: 1 }, { of: 1, failed: 1 })).toEqual(Array(4).fill("blocked"));
  expect(row({ ok: 1 }, { of: 1, skipped: 1 })).toEqual(Array(4).fill("upstream-skipped"));
});
