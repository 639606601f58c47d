// A new run as a Commit: the row it needs, its first event. Used for runs that wait for an engine (RunQueued: delayed,
// started by a client without code, children); a run that starts in this process begins with RunStarted instead and
// is created by its own first Commit (engine/starter.ts).
import { inputDigest } from "../codec/canonical.ts";
import type { Fence, Scope } from "../core/model.ts";
import { jsonObject, jsonValue, type BeginOrder, type ForkOrder, type RerunOrder } from "../events/payload.ts";
import { EventMaker } from "../events/event-maker.ts";
import type { Platform } from "../platform/platform.ts";
import { emptyCommit } from "../store/batch-rules.ts";
import { newRunRow } from "../store/decide.ts";
import type { Commit, NewRun, RunRow } from "../store/port.ts";
import type { KvWrite } from "../store/reader-store.ts";

export interface Creation {
  readonly runId: string;
  readonly workflowId: string;
  readonly definition: { readonly name: string; readonly version: string; readonly timeoutMs?: number | null };
  /** Encoded. */
  readonly input: string | null;
  /** The input went through the workflow's schema already. */
  readonly parsed: boolean;
  /** Of the input that the caller gave, where a run continues another: the same id with that input attaches. */
  readonly inputDigest?: string;
  readonly parent?: { readonly runId: string; readonly stepId: string };
  readonly delayMs?: number | undefined;
  readonly deadlineMs?: number | null;
  /** The version that the caller named, if any: a request that names none is content with any. */
  readonly namedVersion?: string | undefined;
  /** The deadline is that of the run that it continues. */
  readonly chainDeadline?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
  /** Of its queued steps. */
  readonly priority?: number | undefined;
  readonly idempotencyKey?: string | null;
  readonly supersedes?: string | null;
  readonly originalRunId?: string | null;
  readonly rootRunId?: string;
  readonly retryOf?: string;
  readonly fromStep?: string;
  readonly restartOf?: string;
  readonly rerun?: RerunOrder;
  readonly fork?: ForkOrder;
  readonly begin?: BeginOrder;
  /** Why an operator asked for it. */
  readonly reason?: string;
  readonly continuedFrom?: string;
  /** JSON of the principal that asked for it (core/principal.ts). */
  readonly by?: string | undefined;
  /** Of the request as it was sent, for a start under a key. */
  readonly request?: string | undefined;
  /** The span that it was started in, as W3C trace context. */
  readonly traceparent?: string | undefined;
  /** Its start key says which requests are the same run (`identity` of its workflow). */
  readonly hasIdentity?: true;
  /** Rows that are put in the Commit that creates it. */
  readonly puts?: readonly KvWrite[];
}

export const noFence: Fence = { epoch: 0, token: "" };
export const noInputDigest: string = inputDigest("null");

export function newRun(scope: Scope, c: Creation, owner: string | null, fence: Fence): NewRun {
  return {
    scope,
    workflowId: c.workflowId,
    workflow: c.definition.name,
    version: c.definition.version,
    tags: c.tags ?? {},
    inputDigest: c.inputDigest ?? (c.input === null ? noInputDigest : inputDigest(c.input)),
    idempotencyKey: c.idempotencyKey ?? null,
    deadlineInMs: c.deadlineMs ?? c.definition.timeoutMs ?? null,
    originalRunId: c.originalRunId ?? null,
    rootRunId: c.rootRunId ?? c.runId,
    parentRunId: c.parent?.runId ?? null,
    parentStepId: c.parent?.stepId ?? null,
    supersedes: c.supersedes ?? null,
    owner,
    fence,
  };
}

/** The row of a run that is being created here, as it is before its first Commit. */
export function initialRow(n: NewRun, runId: string, nowMs: number): RunRow {
  const first = { ...emptyCommit, runId, commitId: "", status: "PENDING", due: { at: nowMs, inMs: null } } as const;
  return { ...newRunRow(first, n, 1, nowMs), stateVersion: 0 };
}

interface CreateDeps {
  readonly scope: Scope;
  readonly platform: Platform;
  /** Where an engine makes it, not a client. */
  readonly engineId?: () => string;
  readonly storeNowMs?: () => number;
}

/** Nobody owns it yet: any engine that serves the workflow claims it when it is due. */
export function createCommit(host: CreateDeps, c: Creation): Commit {
  const maker = new EventMaker(
    { runId: c.runId, scope: host.scope, planId: c.definition.name, planVersion: c.definition.version },
    host.platform,
    { seq: 0, link: "", sealedAt: null },
  );
  const event = maker.make(
    {
      eventType: "RunQueued",
      stepId: null,
      logicalAttemptId: 1,
      engineAttemptId: 1,
      emittedAt: host.storeNowMs?.() ?? host.platform.wallMs(),
      payload: jsonObject({
        input: c.input ?? undefined,
        parsed: c.parsed ? "true" : undefined,
        retryOf: jsonValue(c.retryOf),
        fromStep: jsonValue(c.fromStep),
        restartOf: jsonValue(c.restartOf),
        rerun: jsonValue(c.rerun),
        fork: jsonValue(c.fork),
        begin: jsonValue(c.begin),
        reason: jsonValue(c.reason),
        continuedFrom: jsonValue(c.continuedFrom),
        delayMs: jsonValue(c.delayMs),
        priority: jsonValue(c.priority),
        lineDeadline: jsonValue(c.chainDeadline),
        traceparent: jsonValue(c.traceparent),
        principal: c.by,
        request: jsonValue(c.request),
        engine: jsonValue(host.engineId?.()),
      }),
    },
    1,
  );
  return {
    ...emptyCommit,
    commitId: host.platform.uuidV4(),
    runId: c.runId,
    expect: { create: newRun(host.scope, c, null, noFence) },
    events: [event],
    status: "PENDING",
    waiting: c.delayMs === undefined ? null : "timer",
    due: { at: null, inMs: c.delayMs ?? 0 }, // T-57: without a delay from now on, never before those that wait already
    release: true,
    ...(c.puts === undefined || c.puts.length === 0 ? {} : { puts: c.puts }),
  };
}
