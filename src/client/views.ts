// From the store's rows to the public shapes: times as RFC 3339, no fence, no token. Pure; whatever must not
// be seen outside is left out here, so a new column is private until somebody writes it down in this file.
import { isSettled, type Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import type { FoldedStep } from "../events/fold.ts";
import { scopeKey } from "../store/keys.ts";
import type { AcceptedRecord, EngineRow, RunRow, Store, StoreInfo } from "../store/port.ts";
import { isOfTenant } from "../store/rules.ts";
import type { AcceptedSignalResult, EngineView, RunView, StepView, StoreView } from "./types.ts";

export function runView(r: RunRow): RunView {
  return {
    runId: r.runId,
    workflowId: r.workflowId,
    workflow: r.workflow,
    version: r.version,
    status: r.status,
    ...(r.waiting === null ? {} : { waiting: r.waiting }),
    ...(r.origin === "external" ? { origin: r.origin } : {}),
    createdAt: toTimeText(r.createdAt),
    updatedAt: toTimeText(r.persistedAt),
    // What was due when it was written is at work, or waits for an engine: its time says nothing to anybody.
    ...(r.dueAt === null || r.dueAt <= r.persistedAt ? {} : { dueAt: toTimeText(r.dueAt) }),
    ...(r.deadlineAt === null ? {} : { deadlineAt: toTimeText(r.deadlineAt) }),
    tags: r.tags,
    headSeq: r.headSeq,
    ...(r.expiredAt === null ? {} : { expiredAt: toTimeText(r.expiredAt) }),
    ...(r.purgedAt === null ? {} : { purgedAt: toTimeText(r.purgedAt) }),
    ...(r.origin === "moved" ? { moved: true } : {}),
    ...(r.originalRunId === null ? {} : { originalRunId: r.originalRunId }),
    ...(r.parentRunId === null ? {} : { parentRunId: r.parentRunId }),
    ...(r.errorCode === null ? {} : { errorCode: r.errorCode }),
    ...(r.owner === null || isSettled(r.status) ? {} : { owner: r.owner }),
  };
}

export function stepView(s: FoldedStep): StepView {
  return {
    stepId: s.stepId,
    name: s.name ?? s.stepId,
    kind: s.kind ?? "effect",
    ...(s.class === null ? {} : { class: s.class }),
    status: s.status,
    attempts: s.attempts,
    engineAttempts: s.engineAttempts,
    startedAt: toTimeText(s.startedAt),
    ...(s.endedAt === null ? {} : { endedAt: toTimeText(s.endedAt) }),
    ...(s.retryAt === undefined ? {} : { retryAt: s.retryAt }),
    ...(s.key === undefined ? {} : { key: s.key }),
  };
}

/** I11: engines of other tenants are not shown. */
export function storeView(store: Store, i: StoreInfo, scope: Scope): StoreView {
  return {
    store: store.name,
    storeId: i.storeId,
    format: i.format,
    oldestReader: i.oldestReader,
    oldestWriter: i.oldestWriter,
    incarnation: i.incarnation,
    identity: i.identity,
    identityRecorded: i.identityRecorded,
    persistence: store.capabilities().persistence,
    settings: i.settings ?? {},
    unsafe: i.unsafe,
    now: toTimeText(i.nowMs),
    engines: i.engines.filter((e) => isOfTenant(e, scope)).map((e) => engineView(e, i.nowMs)),
  };
}

function engineView(e: EngineRow, nowMs: number): EngineView {
  return {
    engineId: e.engineId,
    ...(e.scope === null ? {} : { tenant: scopeKey(e.scope) }),
    alive: !e.dead && e.leaseUntil > nowMs,
    leaseUntil: toTimeText(e.leaseUntil),
    serves: e.serves,
  };
}

/** W-062, W-065: the outcome that was stored with the first acceptance, whatever envelope carries it now. */
export function acceptedResult(r: AcceptedRecord): AcceptedSignalResult {
  return JSON.parse(r.response) as AcceptedSignalResult;
}
