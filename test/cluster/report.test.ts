// What a cluster test reports of its checks: each kind of problem is counted by itself, a failure of the machine is tried once more, and a race never
// is. The checks here are made up: what the cluster does is seen in cluster.test.ts.
import { expect, it } from "vitest";
import { reportTable, runChecks, type ClusterProblem } from "./report.ts";

const check = (name: string, ...tries: (readonly ClusterProblem["kind"][])[]) => {
  let at = 0;
  return {
    name,
    run: async () => ({ looked: 7, said: "", problems: (tries[at++] ?? []).map((kind) => ({ kind, what: "seen" })) }),
    tries: () => at,
  };
};

it("counts what passed, what is intermittent, what is skipped, and problems by their kind", async () => {
  const checks = [
    check("good"),
    check("slow once", ["failed"], []),
    check("never", ["failed"], ["failed"]),
    check("raced", ["race", "race"], []),
    check("both", ["failed", "corruption"], []),
    { ...check("not here"), skip: "one process shows it" },
  ];
  const lines = await runChecks(checks, () => {});
  const counts = lines.map((l) => [l.name, l.passed, l.intermittent, l.skipped, l.failed, l.races, l.corruption]);
  expect(counts).toEqual([
    ["good", 7, 0, 0, 0, 0, 0],
    ["slow once", 0, 1, 0, 0, 0, 0],
    ["never", 0, 0, 0, 1, 0, 0],
    ["raced", 0, 0, 0, 0, 2, 0],
    ["both", 0, 0, 0, 1, 0, 1],
    ["not here", 0, 0, 1, 0, 0, 0],
  ]);
  // A race is not a chance: it is not looked at again until it is gone.
  expect(checks.map((c) => c.tries())).toEqual([1, 2, 2, 1, 1, 0]);
  expect(reportTable(lines).split("\n").at(-1)).toBe("| all | 7 | 1 | 1 | 2 | 2 | 1 |  |");
});

it("a check that throws has failed and says why", async () => {
  const said: string[] = [];
  const lines = await runChecks([{ name: "broken", run: () => Promise.reject(new Error("nobody answers")) }], (text) => said.push(text));
  expect(lines).toMatchObject([{ name: "broken", failed: 1, passed: 0, intermittent: 0 }]);
  expect(said.join("\n")).toContain("FAILED nobody answers");
});
