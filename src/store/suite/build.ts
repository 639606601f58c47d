// Ready-made Commits, events and messages for the suite's cases: everything defaulted, so that a case shows only what
// it is about. Deterministic: no clock, no randomness.
import type { Scope } from "../../core/model.ts";
import { emptyCommit } from "../batch-rules.ts";
import type { ClaimQuery, Commit, EventWrite, NewRun, Post, RunRow, Store } from "../port.ts";
import type { OpenBundle } from "./bundle.ts";
import { kind, present } from "./assert.ts";

export const scope: Scope = { tenantId: "tenant", projectId: "project", environmentId: "test" };
export const otherScope: Scope = { tenantId: "other", projectId: "project", environmentId: "test" };
export const serves = [{ workflow: "order", version: "1" }] as const;

/** Due at once, unless a case says otherwise. */
const commitDefaults: typeof emptyCommit = { ...emptyCommit, due: { at: 0, inMs: null } };

export function event(runSeq: number, more: Partial<EventWrite> = {}): EventWrite {
  return {
    runSeq,
    eventId: `event-${runSeq}`,
    eventType: "StepStarted",
    stepId: `step-${runSeq}`,
    logicalAttemptId: 1,
    engineAttemptId: 1,
    idempotencyKey: `key-${runSeq}`,
    emittedAt: 1_700_000_000_000 + runSeq,
    payload: `{"n":${runSeq}}`,
    salt: "salt",
    payloadHash: "hash",
    link: `link-${runSeq}`,
    ...more,
  };
}

/** A Commit that creates a run; its workflowId is `order-<runId>` unless given. */
export function create(runId: string, run: Partial<NewRun> = {}, more: Partial<Commit> = {}): Commit {
  const full: NewRun = {
    scope,
    workflowId: `order-${runId}`,
    workflow: "order",
    version: "1",
    tags: {},
    inputDigest: "digest",
    idempotencyKey: null,
    deadlineInMs: null,
    originalRunId: null,
    rootRunId: runId,
    parentRunId: null,
    parentStepId: null,
    supersedes: null,
    owner: null,
    fence: { epoch: 0, token: "" },
    ...run,
  };
  return { ...commitDefaults, commitId: `create-${runId}`, runId, status: "PENDING", ...more, expect: { create: full } };
}

/** The owner's next Commit on the row it last saw. */
export function next(row: RunRow, more: Partial<Commit> = {}): Commit {
  const { fence, stateVersion } = row;
  return { ...commitDefaults, commitId: `${row.runId}-${stateVersion + 1}`, runId: row.runId, expect: { fence, stateVersion }, ...more };
}

export function message(id: string, more: Partial<Post> = {}): Post {
  return { scope, target: { workflowId: "order-a" }, kind: "signal", name: "paid", id, payload: `{"id":"${id}"}`, retainMs: null, ...more };
}

export function claimQuery(engineId: string, more: Partial<ClaimQuery> = {}): ClaimQuery {
  const tokens = Array.from({ length: 100 }, (_, i) => `${engineId}-token-${i}`);
  return { engineId, scope, serves, control: false, limit: 100, tokens, ...more };
}

export async function commitOne(store: Store, c: Commit): Promise<ReturnType<typeof kind>> {
  return kind((await store.commit([c])).answers[0], "committed");
}

export async function rowOf(store: Store, runId: string): Promise<RunRow> {
  return present(await store.run({ runId }), runId);
}

/** Creates a run and has `engineId` (enlisted if need be) claim it: the row as its owner sees it. */
export async function owned(store: Store, runId: string, engineId = "engine-1", run: Partial<NewRun> = {}): Promise<RunRow> {
  await store.registerEngine({ engineId, leaseMs: 60_000, serves });
  await commitOne(store, create(runId, run));
  const [row] = await store.claim(claimQuery(engineId, { runId }));
  return present(row, `claim of ${runId}`);
}

/** Declares `engineId` dead by a lapsed lease; `by` lives on. */
export async function declareDeadByLease(b: OpenBundle, engineId: string, by: string): Promise<void> {
  b.advanceClock(60_001);
  if ((await b.store.renew({ engineId: by, leaseMs: 60_000 })) === "dead")
    await b.store.registerEngine({ engineId: by, leaseMs: 60_000, serves });
  await b.store.declareDead({ by });
  kind({ kind: (await b.store.renew({ engineId, leaseMs: 1 })) as string }, "dead");
}
