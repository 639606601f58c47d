// That a second run of failed files turns a report green only if they ran whole and passed. Guards .ci/run: nothing that is red
// alone may ever come out green.
import { expect, it } from "vitest";
import { failedFiles, replaceResults } from "./report-merge.mjs";

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes("failed") || statuses.length === 0 ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({ status })),
});
const report = (...testResults: ReturnType<typeof file>[]) => ({ success: testResults.every((f) => f.status === "passed"), testResults });

it("files with a failed test, or that failed before their tests, are named", () => {
  expect(failedFiles(report(file("a", "passed"), file("b", "passed", "failed"), file("c")))).toEqual(["b", "c"]);
});

it("what passes alone takes the place of what failed", () => {
  const first = report(file("a", "passed"), file("b", "passed", "failed"));
  expect(replaceResults(first, report(file("b", "passed", "passed")), ["b"])).toBe(true);
  expect(first).toEqual(report(file("a", "passed"), file("b", "passed", "passed")));
});

it.each([
  ["one is red again", report(file("b", "passed", "failed"))],
  ["it ran fewer tests", report(file("b", "passed"))],
  ["it did not run", report(file("a", "passed"))],
  ["the run itself failed", { ...report(file("b", "passed", "passed")), success: false }],
])("stays red: %s", (_why, again) => {
  const first = report(file("a", "passed"), file("b", "passed", "failed"));
  expect(replaceResults(first, again, ["b"])).toBe(false);
  expect(first).toEqual(report(file("a", "passed"), file("b", "passed", "failed")));
});
