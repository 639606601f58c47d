// A run of external origin as the append authority knows it: where its log ends, what it says so far, and the Commit that adds
// to it. K23: only runs of external origin are written here. It is as old as the look at it: the Commit expects exactly that
// state, so a stale look writes nothing (D-141). It must never be asked for a second Commit before the first is answered.
import { inputDigest } from "../codec/canonical.ts";
import { isSettled, type Fence, type RunStatus, type Scope } from "../core/model.ts";
import { applyTransition, checkTransition, emptyDerived, nextRunStatus, type Derived, type TransitionEvent } from "../core/transitions.ts";
import type { Platform } from "../platform/platform.ts";
import { emptyCommit } from "../store/batch-rules.ts";
import type { Commit, EventRecord, EventWrite, NewRun, RunRow, Store } from "../store/port.ts";
import type { CheckedEvent } from "./append-check.ts";
import { toTimeText } from "../events/envelope.ts";
import { EventMaker, type ChainHead } from "../events/event-maker.ts";
import { failureCode } from "../events/failure-code.ts";

export interface ExternalRun {
  readonly runId: string;
  readonly planId: string;
  readonly planVersion: string;
  /** null: there is no such run yet. */
  readonly at: { readonly fence: Fence; readonly stateVersion: number } | null;
  readonly head: ChainHead;
  /** What the log derives (policy A); null before anything did. */
  readonly status: RunStatus | null;
  /** With its steps, which only validation asks for; null until it does. */
  readonly derived: Derived | null;
  /** Some of what was last appended was known: anyone who sends again is likely to send more that is known. */
  readonly repeats: boolean;
}

const pageSize = 1_000;
const noInput: string = inputDigest("null");

export function newExternalRun(runId: string, planId: string, planVersion: string): ExternalRun {
  const head = { seq: 0, link: "", sealedAt: null };
  return { runId, planId, planVersion, at: null, head, status: null, derived: null, repeats: false };
}

/** The run as its row and its last event tell it; undefined when the log is gone (retention keeps only the row). */
export async function readExternal(store: Store, row: RunRow): Promise<ExternalRun | undefined> {
  const [last] = await store.events({ runId: row.runId, after: row.headSeq - 1, limit: 1 });
  if (last === undefined || last.runSeq !== row.headSeq) return undefined;
  const run = {
    runId: row.runId,
    planId: row.workflow,
    planVersion: row.version,
    at: { fence: row.fence, stateVersion: row.stateVersion },
    head: { seq: row.headSeq, link: row.headLink, sealedAt: last.persistedAt },
    status: row.status,
    derived: null,
    repeats: false,
  };
  // PENDING is also what the row of a run says that nothing has begun yet: only its log tells the two apart.
  return row.status === "PENDING" ? withDerivedState(store, run) : run;
}

/** Reads the log up to the run's head, however long, a page at a time. */
export async function withDerivedState(store: Store, run: ExternalRun): Promise<ExternalRun> {
  if (run.derived !== null) return run;
  const derived = emptyDerived();
  for (let after = 0; after < run.head.seq;) {
    const page = await store.events({ runId: run.runId, after, limit: pageSize });
    for (const e of page) if (e.runSeq <= run.head.seq) applyEvent(derived, e);
    after = page.at(-1)?.runSeq ?? run.head.seq;
  }
  return { ...run, status: derived.status, derived };
}

/** The event with which the run ended; later ones changed nothing (policy A). */
export async function settlingEvent(store: Store, runId: string): Promise<EventRecord | undefined> {
  let status: RunStatus | null = null;
  for (let after = 0; ;) {
    const page = await store.events({ runId, after, limit: pageSize });
    for (const e of page) {
      status = nextRunStatus(status, e.eventType) ?? status;
      if (status !== null && isSettled(status)) return e;
    }
    const last = page.at(-1);
    if (last === undefined) return undefined;
    after = last.runSeq;
  }
}

function applyEvent(derived: Derived, e: TransitionEvent): void {
  if (checkTransition(derived, e).ok) applyTransition(derived, e);
}

export function transitionOf({ write }: CheckedEvent): TransitionEvent {
  return { eventType: write.eventType, stepId: write.stepId ?? null, logicalAttemptId: write.logicalAttemptId };
}

/** The run with one more event, as far as what it says goes; its head moves with the Commit. */
export function extendRun(run: ExternalRun, e: CheckedEvent): ExternalRun {
  if (run.derived !== null) applyEvent(run.derived, transitionOf(e));
  const status = run.derived === null ? (nextRunStatus(run.status, e.write.eventType) ?? run.status) : run.derived.status;
  return status === run.status ? run : { ...run, status };
}

export interface NewRunInfo {
  readonly scope: Scope;
  readonly workflowId: string;
  readonly supersedes: string | null;
}

export interface Addition {
  readonly commit: Commit;
  readonly events: readonly EventWrite[];
  /** The run once the Commit is there. */
  settled(persistedAt: number): ExternalRun;
}

/** One Commit for all of these events; `run` says already what they say. The first one creates the run (P-20). */
export function buildAddition(platform: Platform, run: ExternalRun, birth: NewRunInfo, incoming: readonly CheckedEvent[]): Addition {
  const { runId, planId, planVersion, at } = run;
  const maker = new EventMaker({ runId, scope: birth.scope, planId, planVersion }, platform, run.head);
  const stateVersion = (at?.stateVersion ?? 0) + 1;
  const events = incoming.map(({ write, payload, emittedAt }) =>
    maker.make(
      {
        eventType: write.eventType,
        stepId: write.stepId ?? null,
        logicalAttemptId: write.logicalAttemptId,
        engineAttemptId: write.engineAttemptId,
        emittedAt,
        ...(write.emittedAt === toTimeText(emittedAt) ? {} : { emittedText: write.emittedAt }),
        payload,
        producerIds: write,
      },
      stateVersion,
    ),
  );
  // A token of its own: a run that was removed and made again under the same id is another one.
  const failed = incoming.find((x) => x.write.eventType === "RunFailed");
  const errorCode = failed === undefined ? undefined : failureCode(failed.payload);
  const fence = at?.fence ?? { epoch: 0, token: platform.randomHex(8) };
  return {
    events,
    commit: {
      ...emptyCommit,
      commitId: platform.uuidV4(),
      runId,
      expect: at ?? { create: newRunOf(run, birth, fence) },
      events,
      status: run.status ?? "PENDING",
      release: true,
      ...(errorCode === undefined ? {} : { errorCode }),
    },
    settled: (persistedAt) => ({ ...run, at: { fence, stateVersion }, head: { ...maker.head, sealedAt: persistedAt } }),
  };
}

function newRunOf(run: ExternalRun, birth: NewRunInfo, fence: Fence): NewRun {
  return {
    scope: birth.scope,
    workflowId: birth.workflowId,
    workflow: run.planId,
    version: run.planVersion,
    tags: {},
    inputDigest: noInput,
    idempotencyKey: null,
    deadlineInMs: null,
    originalRunId: null,
    rootRunId: run.runId,
    parentRunId: null,
    parentStepId: null,
    supersedes: birth.supersedes,
    owner: null,
    fence,
    origin: "external",
  };
}
