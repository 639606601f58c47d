// A producer's events for tests: writes with the right key and a random id, and a few whole lives of runs. It must never share
// code with what it tests: keys are computed here from the contract's words.
import { createHash, randomUUID } from "node:crypto";
import type { RunEventWrite } from "../../src/index.ts";

export interface Given {
  readonly runId?: string;
  readonly eventType: string;
  readonly stepId?: string;
  readonly logicalAttemptId?: number;
  readonly engineAttemptId?: number;
  readonly planId?: string;
  readonly planVersion?: string;
  readonly eventId?: string;
  readonly emittedAt?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

export function keyOf(e: Given & { readonly runId: string }): string {
  const text = [e.runId, e.stepId ?? "RUN", e.logicalAttemptId ?? 1, e.eventType, e.planId ?? "plan", e.planVersion ?? "1"].join("|");
  return createHash("sha256").update(text, "utf8").digest("hex");
}

export function write(e: Given): RunEventWrite {
  const runId = e.runId ?? "r-1";
  return {
    eventId: randomUUID(),
    runId,
    tenantId: "default",
    projectId: "default",
    environmentId: "default",
    planId: "plan",
    planVersion: "1",
    engineAttemptId: 1,
    logicalAttemptId: 1,
    emittedAt: "2026-01-31T12:00:00.000Z",
    idempotencyKey: keyOf({ ...e, runId }),
    ...e,
  } as RunEventWrite;
}

export const step = (eventType: string, stepId: string, logicalAttemptId = 1, payload?: Readonly<Record<string, unknown>>): Given => ({
  eventType,
  stepId,
  logicalAttemptId,
  ...(payload === undefined ? {} : { payload }),
});

/** A run that begins, does `steps`, and completes. */
export function life(runId: string, steps: readonly string[] = ["a", "b"]): RunEventWrite[] {
  const all: Given[] = [{ eventType: "RunQueued" }, { eventType: "RunStarted", payload: { by: "test" } }];
  for (const s of steps) all.push(step("StepStarted", s), step("StepCompleted", s, 1, { result: s }));
  return [...all, { eventType: "RunCompleted", payload: { result: steps.length } }].map((e) => write({ runId, ...e }));
}
