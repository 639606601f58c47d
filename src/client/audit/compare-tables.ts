// The tables beside a log, compared with what the log says. Pure: rows and facts in, findings out. A field that the
// log does not determine is not judged; one that it bounds is judged by its bounds. It must never raise an alarm over
// something that an engine may have written.
import { inputDigest } from "../../codec/canonical.ts";
import { mayRepeat } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { noInputDigest } from "../../engine/create-run.ts";
import {
  argsDigestOf,
  withRetryGivenUp,
  mustHaveRecord,
  ledgerRecord,
  type LedgerState,
  type LedgerStep,
} from "../../engine/effects/ledger-fold.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { MessageRow } from "../../store/audit.ts";
import { storageKey } from "../../store/keys.ts";
import type { CheckpointRecord, EffectRecord, RunRow } from "../../store/port.ts";
import { messageKey, type LogFacts } from "./log-facts.ts";
import { digestOf, type Findings } from "./finding.ts";
import type { LogCheck } from "./log-check.ts";

/** An engine claims runs of one of them, and nobody those of any other. */
const origins: ReadonlySet<string> = new Set(["engine", "external", "moved"] satisfies RunRow["origin"][]);

export function compareRun(row: RunRow, log: LogCheck, facts: LogFacts, f: Findings): void {
  const { head, first } = log;
  const same = (field: keyof RunRow, expected: string | number | null): void =>
    f.same("runs", field, expected, row[field] as string | number | null);
  if (head === null || first === null) return row.purgedAt !== null ? undefined : f.add("events", "log", "at least one event", null);
  if (row.purgedAt !== null) same("purgedAt", null); // its log goes in the transaction that says so
  if (!origins.has(row.origin)) f.add("runs", "origin", "engine, external or moved", row.origin);
  same("headSeq", head.runSeq);
  same("headLink", head.link);
  same("createdAt", first.persistedAt);
  if (row.stateVersion < head.stateVersion) same("stateVersion", head.stateVersion);
  // A Commit without events moves both on; the one that settles a run has one.
  const exact =
    row.stateVersion === head.stateVersion || (log.derived.status !== null && isSettled(log.derived.status) && row.origin === "engine");
  if (exact ? row.persistedAt !== head.persistedAt : row.persistedAt < head.persistedAt) same("persistedAt", head.persistedAt);
  if (exact) same("stateVersion", head.stateVersion);
  if (row.origin === "external") return same("status", log.derived.status ?? "PENDING");
  same("status", log.derived.status);
  if (row.origin === "moved" || log.expired) return;
  if (isSettled(row.status)) for (const field of ["waiting", "owner", "dueAt"] as const) same(field, null);
  else if (row.waiting !== null && !facts.mayWaitFor(row.waiting)) f.add("runs", "waiting", "something that its log has", row.waiting);
  if (facts.start !== null) compareStart(row, facts.start, f);
}

function compareStart(row: RunRow, start: NonNullable<LogFacts["start"]>, f: Findings): void {
  const { input, retryOf, restartOf, continuedFrom, fork, begin } = start;
  const before = retryOf ?? restartOf ?? continuedFrom ?? fork?.runId ?? begin?.runId;
  if (before !== undefined) f.same("runs", "originalRunId", before, row.originalRunId);
  if (retryOf === undefined && restartOf === undefined) f.same("runs", "rootRunId", row.runId, row.rootRunId);
  if (row.originalRunId === null) f.same("runs", "generation", 1, row.generation);
  // A run that continues another keeps the digest of what the first was given.
  if (continuedFrom === undefined)
    f.same("runs", "inputDigest", input === undefined ? noInputDigest : inputDigest(JSON.stringify(input)), row.inputDigest);
}

export function compareLedger(row: RunRow, facts: LogFacts, records: readonly EffectRecord[], f: Findings): void {
  const bySeq = new Map(records.map((r) => [r.seq, r]));
  for (const step of facts.ledger.steps.values()) {
    const record = bySeq.get(step.seq);
    bySeq.delete(step.seq);
    if (record !== undefined) compareRecord(row, facts, step, record, f);
    else if (mustHaveRecord(step)) f.add("effects", "record", step.stepId, null, step.seq);
  }
  for (const stray of bySeq.values()) f.add("effects", "record", null, stray.stepId, stray.seq);
}

function compareRecord(row: RunRow, facts: LogFacts, step: LedgerStep, found: EffectRecord, f: Findings): void {
  f.same("effects", "stepId", step.stepId, found.stepId, step.seq);
  if (step.started === null) return; // its start is gone: nothing more is known
  const must = mustHaveRecord(step) && !mayRepeat(step.started.class ?? "UNDECLARED");
  const state = expectedState(facts, step, found, must);
  if (state === undefined) return f.add("effects", "eventSeq", facts.ledger.finalState(step)?.eventSeq ?? null, found.eventSeq, step.seq);
  const expected = ledgerRecord(row, step, state);
  for (const field of [
    "name",
    "class",
    "key",
    "receiver",
    "worker",
    "workflowId",
    "status",
    "phase",
    "attempts",
    "engineAttempts",
    "updatedAt",
  ] as const) {
    if (field === "worker" && facts.missingPayloads) continue;
    if (field === "status" && isUndecidable(facts, step, expected, found)) continue;
    f.same("effects", field, expected[field], found[field], step.seq);
  }
  if (!sameError(expected.error, found.error)) f.add("effects", "error", boundedText(expected.error), boundedText(found.error), step.seq);
  // A record may begin later than its step: with the first doubt, or where an engine without a ledger had begun it.
  if (!step.states.some((s) => s.at === found.createdAt)) f.add("effects", "createdAt", expected.createdAt, found.createdAt, step.seq);
  if (found.argsDigest !== null || (must && step.started.approve !== true && found.createdAt === step.startedAt))
    f.same("effects", "argsDigest", argsDigestOf(step), found.argsDigest, step.seq);
}

/**
 * The state that a record should be in. One that nothing demanded may have been left by an engine that kept it to one that
 * did not: then it is compared with the event it names.
 */
function expectedState(facts: LogFacts, step: LedgerStep, found: EffectRecord, must: boolean): LedgerState | undefined {
  const last = facts.ledger.finalState(step);
  if (last === undefined || last.eventSeq === found.eventSeq) return last;
  const own = step.states.at(-1);
  // A retry that was given up: recorded with the Commit that closed what was open, before the end or with it.
  if (own?.phase === "retrying" && found.eventSeq >= own.eventSeq) {
    if (found.phase === "retrying" && found.eventSeq === own.eventSeq)
      return facts.ledger.ended && !facts.ledger.terminated ? undefined : own; // earlier engines left it so when they terminated a run
    return withRetryGivenUp(step, own, found.eventSeq, found.updatedAt);
  }
  return must || step.doubtAt !== null ? undefined : step.states.find((s) => s.eventSeq === found.eventSeq);
}

/** Whether an earlier attempt, or a run before this one, may have reached the receiver is not always in this log. */
function isUndecidable(facts: LogFacts, step: LedgerStep, expected: EffectRecord, found: EffectRecord): boolean {
  const error = (facts.ledger.finalState(step) ?? step.states.at(-1))?.error?.["category"];
  const both = [expected.status, found.status];
  // Earlier engines wrote "cancelled" of what may have happened.
  if (error === "CANCELLED" || error === "ABANDONED") return both.every((s) => s === "cancelled" || s === "indeterminate");
  return error === "NOT_SENT" && expected.status === "failed" && found.status === "indeterminate";
}

function sameError(expected: string | null, found: string | null): boolean {
  if (expected === found) return true;
  if (expected === null || found === null) return false;
  try {
    const [a, b] = [JSON.parse(expected), JSON.parse(found)] as [Record<string, unknown>, Record<string, unknown>];
    // Earlier versions left out the message where the run's end closed the step, or said it in other words.
    const closing = a["category"] === "ABANDONED" || a["category"] === "INDETERMINATE";
    return Object.keys({ ...a, ...b }).every((k) => (closing && k === "message") || JSON.stringify(a[k]) === JSON.stringify(b[k]));
  } catch {
    return false;
  }
}

function boundedText(text: string | null): string | null {
  return text === null || text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

export function compareViews(facts: LogFacts, views: Readonly<Record<string, string>>, f: Findings): void {
  for (const [name, { value, seq }] of facts.views) {
    const found = Object.hasOwn(views, name) ? (views[name] ?? null) : null;
    if (found !== value) f.add("views", name, digestOf(value), digestOf(found), seq);
  }
  if (facts.missingPayloads) return; // what is shown may have been published by an event whose payload is gone
  for (const name of Object.keys(views)) if (!facts.views.has(name)) f.add("views", name, null, digestOf(views[name] ?? null));
}

export function compareMessages(row: RunRow, facts: LogFacts, messages: readonly MessageRow[], f: Findings): void {
  for (const m of messages) {
    const seq = m.inboxId;
    if (m.consumed && !m.taken) f.add("inbox", "taken", true, false, seq);
    const event = m.kind === "signal" ? facts.signals.get(messageKey("signal", m.name, m.id)) : facts.updates.get(seq);
    if (event !== undefined && (m.kind === "signal" || m.kind === "update")) f.same("inbox", "consumed", true, m.consumed, seq);
    // I9: a signal that is marked as taken in, and is nowhere in the log, was lost.
    else if (m.consumed && m.kind === "signal" && !facts.missingPayloads) f.add("inbox", "consumed", false, true, seq);
    else if (m.consumed && m.kind === "update" && m.reply === null && !facts.missingPayloads) f.add("inbox", "consumed", false, true, seq);
    if (m.kind === "update") compareReply(facts, m, f);
    compareAccepted(row, m, f);
  }
}

function compareReply(facts: LogFacts, m: MessageRow, f: Findings): void {
  const said = facts.answers.get(m.id)?.answer;
  if (said === undefined) return;
  const found = m.reply === null ? null : canonicalText(m.reply);
  if (found !== said) f.add("inbox", "reply", digestOf(said), digestOf(found), m.inboxId);
}

function canonicalText(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A message from outside holds its key while its acceptance is kept; both name each other. */
function compareAccepted(row: RunRow, m: MessageRow, f: Findings): void {
  const { scope, workflowId } = row;
  const key = sha256Hex(storageKey({ scope, workflowId, kind: m.kind, name: m.name, id: m.id }));
  if (m.dedup !== key) return; // a notice of another run, or one whose acceptance has expired
  if (m.accepted === null) return f.add("accepted", "record", m.id, null, m.inboxId);
  f.same("accepted", "inboxId", m.inboxId, m.accepted.inboxId, m.inboxId);
  f.same("accepted", "runId", row.runId, m.accepted.runId, m.inboxId);
  f.same("accepted", "acceptedAt", m.acceptedAt, m.accepted.acceptedAt, m.inboxId);
}

/** `times`: of the Commits that the checkpoints name and that the log knows. */
export function compareCheckpoints(
  row: RunRow,
  checkpoints: readonly CheckpointRecord[],
  times: ReadonlyMap<number, number>,
  f: Findings,
): void {
  for (const c of checkpoints) {
    if (c.stateVersion < 1 || c.stateVersion > row.stateVersion)
      f.add("checkpoints", "stateVersion", row.stateVersion, c.stateVersion, c.stepId);
    const at = times.get(c.stateVersion);
    if (at !== undefined) f.same("checkpoints", "persistedAt", at, c.persistedAt, c.stepId);
    else if (c.persistedAt < row.createdAt || c.persistedAt > row.persistedAt)
      f.add("checkpoints", "persistedAt", row.persistedAt, c.persistedAt, c.stepId);
  }
}
