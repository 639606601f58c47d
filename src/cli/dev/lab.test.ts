// What the crash lab says of a run that could not be started, and what it says when it ends before its runs do: nothing.
// It must never call a promise broken that nobody could watch.
import { expect, it } from "vitest";
import type { Client } from "../../client/types.ts";
import { systemPlatform } from "../../platform/system.ts";
import { CrashLab, type CrashTrial } from "./lab.ts";

function labWith(start: () => Promise<never>): { readonly lab: CrashLab; readonly judged: CrashTrial[] } {
  const judged: CrashTrial[] = [];
  const client = {
    get: async () => ({ runId: "r", workflowId: "o-1", workflow: "order", status: "COMPLETED" }),
    steps: async () => [{ stepId: "charge", attempts: 1, engineAttempts: 1 }],
    events: async () => [],
    start,
  } as unknown as Client;
  const process = { report: "/nonexistent/report.jsonl", arm: () => {} };
  return { lab: new CrashLab({ process, client, platform: systemPlatform(), onJudged: (t) => judged.push(t) }), judged };
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it("a start that failed is no kill, and the table says why", async () => {
  const { lab, judged } = labWith(() => Promise.reject(new Error("no such workflow")));
  await lab.crash({ run: "o-1", step: "charge", window: "D" });
  await turn();
  expect(judged.flatMap((t) => t.cells.map((c) => [t.state, c.ok, c.why]))).toEqual([["missed", false, "no such workflow"]]);
});

it("a lab that was closed meanwhile says nothing about the step", async () => {
  let fail: (e: Error) => void = () => {};
  const { lab, judged } = labWith(() => new Promise<never>((...[, reject]) => (fail = reject)));
  await lab.crash({ run: "o-1", step: "charge", window: "D" });
  lab.close();
  fail(new Error("the client was closed"));
  await turn();
  expect(judged).toEqual([]);
});
