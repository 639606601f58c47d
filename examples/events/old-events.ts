// Events of a system that moved to version 2 of the event contract while a run was under way: its first events have the old form, its last the
// new one. A projector reads both until a date; an old event that was persisted later is refused, never guessed.
import { projector, type RunEventRecord } from "pawl";
import { readVersion1 } from "pawl/compat";

const run = { runId: "import-7", planId: "import", planVersion: "1" };
const at = (minute: number): string => `2026-05-31T23:${minute}:00.000Z`;
const old = (runSeq: number, eventType: string, stepId: string): object => ({
  ...run,
  runSeq,
  eventType,
  stepId,
  occurredAt: at(10 + runSeq),
  persistedAt: at(10 + runSeq),
});
const current = (runSeq: number, eventType: string, stepId?: string): object => ({
  ...run,
  runSeq,
  eventType,
  ...(stepId === undefined ? {} : { stepId }),
  eventId: `5f0c1c9e-8c0e-4b57-9a52-00000000000${runSeq}`,
  emittedAt: at(10 + runSeq),
  persistedAt: at(10 + runSeq),
  logicalAttemptId: 1,
  engineAttemptId: 1,
  idempotencyKey: `import-7/${runSeq}`,
});
const stream = [
  old(1, "RunStarted", "RUN"),
  old(2, "StepStarted", "orders"),
  current(3, "StepCompleted", "orders"),
  current(4, "RunCompleted"),
] as RunEventRecord[];

const p = projector({ normalise: readVersion1({ until: "2026-06-01T00:00:00Z" }) });
const { state } = p.reduceAll(p.empty("import-7"), stream);
console.log(state.run.status, [...state.steps.values()].map((s) => `${s.stepId} ${s.status}`).join(", "));

const strict = projector({ normalise: readVersion1({ until: at(12) }) });
try {
  strict.reduceAll(strict.empty("import-7"), stream);
} catch (e) {
  console.log((e as Error).message);
}
