// The tables of a store in SQL: which column holds which field, in which order, and how a row is read back. One table of columns for the
// three databases; what one of them does otherwise (a name, a hashed key) stands in its own rows.ts. It decides nothing, so that a
// wrong answer is never hidden in a conversion. Writing goes by the table; reading is written out, since every event of a log passes it.
import type { EffectPhase, EffectStatus, EventType, GuaranteeClass, RunStatus, Scope, Waiting } from "../../core/model.ts";
import { parseScopeKey, scopeKey } from "../keys.ts";
import type { FeedRow, KvRow } from "../reader-store.ts";
import type {
  CheckpointRecord,
  EffectRecord,
  EffectWrite,
  EngineRegistration,
  EngineRow,
  EventRecord,
  EventWrite,
  InboxKind,
  InboxRow,
  Origin,
  RunRow,
  StoreInfo,
} from "../port.ts";

export type ColumnKind = "text" | "bigint" | "integer" | "boolean";
export type Cell = string | number | boolean | null;

export interface Column<T> {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly of: (value: T) => Cell;
}

type Of<T> = (value: T) => Cell;
const text = <T>(name: string, of: Of<T>): Column<T> => ({ name, kind: "text", of });
const bigint = <T>(name: string, of: Of<T>): Column<T> => ({ name, kind: "bigint", of });
const integer = <T>(name: string, of: Of<T>): Column<T> => ({ name, kind: "integer", of });
const boolean = <T>(name: string, of: Of<T>): Column<T> => ({ name, kind: "boolean", of });

export const runColumns: readonly Column<RunRow>[] = [
  text("run_id", (r) => r.runId),
  text("scope", (r) => scopeKey(r.scope)),
  text("workflow_id", (r) => r.workflowId),
  bigint("generation", (r) => r.generation),
  text("workflow", (r) => r.workflow),
  text("version", (r) => r.version),
  text("status", (r) => r.status),
  text("waiting", (r) => r.waiting),
  text("owner", (r) => r.owner),
  bigint("epoch", (r) => r.fence.epoch),
  text("token", (r) => r.fence.token),
  bigint("state_version", (r) => r.stateVersion),
  text("commit_id", (r) => r.commitId),
  bigint("head_seq", (r) => r.headSeq),
  text("head_link", (r) => r.headLink),
  bigint("persisted_at", (r) => r.persistedAt),
  bigint("due_at", (r) => r.dueAt),
  bigint("created_at", (r) => r.createdAt),
  bigint("deadline_at", (r) => r.deadlineAt),
  text("tags", (r) => JSON.stringify(r.tags)),
  text("input_digest", (r) => r.inputDigest),
  text("idempotency_key", (r) => r.idempotencyKey),
  text("original_run_id", (r) => r.originalRunId),
  text("root_run_id", (r) => r.rootRunId),
  text("parent_run_id", (r) => r.parentRunId),
  text("parent_step_id", (r) => r.parentStepId),
  integer("idle_claims", (r) => r.idleClaims),
  boolean("exact_version", (r) => r.exactVersion),
  text("origin", (r) => r.origin),
  bigint("expired_at", (r) => r.expiredAt),
  bigint("purged_at", (r) => r.purgedAt),
  text("error_code", (r) => r.errorCode),
];

/** An event as its producer writes it; the run's id, the Commit's time and version are the store's to add. */
export const eventColumns: readonly Column<EventWrite>[] = [
  bigint("run_seq", (e) => e.runSeq),
  text("event_id", (e) => e.eventId),
  text("event_type", (e) => e.eventType),
  text("step_id", (e) => e.stepId),
  integer("logical_attempt_id", (e) => e.logicalAttemptId),
  integer("engine_attempt_id", (e) => e.engineAttemptId),
  text("idempotency_key", (e) => e.idempotencyKey),
  bigint("emitted_at", (e) => e.emittedAt),
  text("payload", (e) => e.payload),
  text("salt", (e) => e.salt),
  text("payload_hash", (e) => e.payloadHash),
  text("link", (e) => e.link),
  text("emitted_text", (e) => e.emittedText ?? null),
];

/** A record of the ledger as a Commit brings it; the run's id and the two times are the store's to add. */
export const effectColumns: readonly Column<EffectWrite>[] = [
  bigint("seq", (e) => e.seq),
  integer("version", (e) => e.version),
  text("scope", (e) => scopeKey(e.scope)),
  text("workflow_id", (e) => e.workflowId),
  text("step_id", (e) => e.stepId),
  text("name", (e) => e.name),
  text("class", (e) => e.class),
  text("key", (e) => e.key),
  text("args_digest", (e) => e.argsDigest),
  text("receiver", (e) => e.receiver),
  text("status", (e) => e.status),
  text("phase", (e) => e.phase),
  integer("attempts", (e) => e.attempts),
  integer("engine_attempts", (e) => e.engineAttempts),
  text("error", (e) => e.error),
  bigint("event_seq", (e) => e.eventSeq),
  text("worker", (e) => e.worker ?? null),
];
/** What a later state of a record changes; the rest is as it was first put. */
export const changingEffectColumns = [
  "status",
  "phase",
  "attempts",
  "engine_attempts",
  "error",
  "event_seq",
  "worker",
  "updated_at",
] as const;

export const checkpointColumns: readonly Column<CheckpointRecord>[] = [
  text("run_id", (c) => c.runId),
  text("idempotency_key", (c) => c.key),
  bigint("step_id", (c) => c.stepId),
  text("label", (c) => c.label),
  text("body", (c) => c.body),
  bigint("state_version", (c) => c.stateVersion),
  bigint("persisted_at", (c) => c.persistedAt),
];

/** What is read of a message. */
export const inboxColumnNames =
  "inbox_id, run_id, kind, name, id, payload, accepted_at, taken, consumed, reply, sent_by, payload_digest, rejected";
/** What is read of an engine. */
export const engineColumnNames = "engine_id, lease_until, dead, serves, scope, kind, works";

export function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map((c) => c.name).join(", ");
}

/** How a database's driver gives the values of a row. */
export interface RowReader<R> {
  text(row: R, column: string): string;
  textOrNull(row: R, column: string): string | null;
  int(row: R, column: string): number;
  intOrNull(row: R, column: string): number | null;
  bool(row: R, column: string): boolean;
}

/** Columns whose usual name is a word of some database's own. */
export interface OwnNames {
  readonly effectKey: string;
  readonly kvKey: string;
  readonly kvAt: string;
}
const usualNames: OwnNames = { effectKey: "key", kvKey: "key", kvAt: "at" };

/** For drivers that give texts and numbers as such. */
export function plainReader<R extends Readonly<Record<string, unknown>>>(bool: (value: unknown) => boolean): RowReader<R> {
  return {
    text: (r, column) => r[column] as string,
    textOrNull: (r, column) => r[column] as string | null,
    int: (r, column) => r[column] as number,
    intOrNull: (r, column) => r[column] as number | null,
    bool: (r, column) => bool(r[column]),
  };
}

/** What the table of the store's own facts says, on any of the databases. */
export function recordedInfo(
  meta: Readonly<Record<string, unknown>>,
): Pick<StoreInfo, "storeId" | "format" | "oldestReader" | "oldestWriter" | "incarnation" | "identityRecorded"> {
  return {
    storeId: String(meta["store_id"]),
    format: Number(meta["format"]),
    oldestReader: Number(meta["oldest_reader"]),
    oldestWriter: Number(meta["oldest_writer"]),
    incarnation: Number(meta["incarnation"]),
    identityRecorded: String(meta["identity"]),
  };
}

export interface RowMappers<R> {
  toRun(r: R): RunRow;
  toEvent(r: R): EventRecord;
  toCheckpoint(r: R): CheckpointRecord;
  toInbox(r: R): InboxRow;
  /** The same columns, beside an accepted record. */
  toMessageState(r: R): Pick<InboxRow, "by" | "payloadDigest" | "rejected">;
  /** `scope`: where the column may hold a hash of it. */
  toEffect(r: R, scope?: Scope): EffectRecord;
  toKvRow(r: R): KvRow;
  toFeedRow(r: R): FeedRow;
  toEngine(r: R): EngineRow;
}

/** Both say nothing about an engine that runs no queued steps. */
function kindAndWorks(kind: string | null | undefined, works: string | null | undefined): Pick<EngineRow, "kind" | "works"> {
  return {
    ...(kind === "worker" || kind === "remote" ? { kind } : {}),
    ...(works === null || works === undefined ? {} : { works: JSON.parse(works) as NonNullable<EngineRow["works"]> }),
  };
}

function scopeOrNull(key: string | null): Scope | null {
  return key === null ? null : parseScopeKey(key);
}

// oxlint-disable-next-line max-lines-per-function -- one function per table, written out.
export function rowMappers<R>({ text, textOrNull, int, intOrNull, bool }: RowReader<R>, own: OwnNames = usualNames): RowMappers<R> {
  const toMessageState: RowMappers<R>["toMessageState"] = (r) => ({
    by: textOrNull(r, "sent_by"),
    payloadDigest: textOrNull(r, "payload_digest"),
    rejected: textOrNull(r, "rejected"),
  });
  return {
    toMessageState,
    toRun: (r) => ({
      runId: text(r, "run_id"),
      scope: parseScopeKey(text(r, "scope")),
      workflowId: text(r, "workflow_id"),
      generation: int(r, "generation"),
      workflow: text(r, "workflow"),
      version: text(r, "version"),
      status: text(r, "status") as RunStatus,
      waiting: textOrNull(r, "waiting") as Waiting | null,
      owner: textOrNull(r, "owner"),
      fence: { epoch: int(r, "epoch"), token: text(r, "token") },
      stateVersion: int(r, "state_version"),
      commitId: text(r, "commit_id"),
      headSeq: int(r, "head_seq"),
      headLink: text(r, "head_link"),
      persistedAt: int(r, "persisted_at"),
      dueAt: intOrNull(r, "due_at"),
      createdAt: int(r, "created_at"),
      deadlineAt: intOrNull(r, "deadline_at"),
      tags: JSON.parse(text(r, "tags")) as Record<string, string>,
      inputDigest: text(r, "input_digest"),
      idempotencyKey: textOrNull(r, "idempotency_key"),
      originalRunId: textOrNull(r, "original_run_id"),
      rootRunId: text(r, "root_run_id"),
      parentRunId: textOrNull(r, "parent_run_id"),
      parentStepId: textOrNull(r, "parent_step_id"),
      idleClaims: int(r, "idle_claims"),
      exactVersion: bool(r, "exact_version"),
      origin: text(r, "origin") as Origin,
      expiredAt: intOrNull(r, "expired_at"),
      purgedAt: intOrNull(r, "purged_at"),
      errorCode: textOrNull(r, "error_code"),
    }),
    toEvent(r) {
      const emittedText = textOrNull(r, "emitted_text");
      return {
        runSeq: int(r, "run_seq"),
        eventId: text(r, "event_id"),
        eventType: text(r, "event_type") as EventType,
        stepId: textOrNull(r, "step_id"),
        logicalAttemptId: int(r, "logical_attempt_id"),
        engineAttemptId: int(r, "engine_attempt_id"),
        idempotencyKey: text(r, "idempotency_key"),
        emittedAt: int(r, "emitted_at"),
        payload: textOrNull(r, "payload"),
        salt: textOrNull(r, "salt"),
        payloadHash: textOrNull(r, "payload_hash"),
        link: text(r, "link"),
        persistedAt: int(r, "persisted_at"),
        stateVersion: int(r, "state_version"),
        ...(emittedText === null ? {} : { emittedText }),
      };
    },
    toCheckpoint: (r) => ({
      runId: text(r, "run_id"),
      stepId: int(r, "step_id"),
      key: text(r, "idempotency_key"),
      label: textOrNull(r, "label"),
      body: text(r, "body"),
      stateVersion: int(r, "state_version"),
      persistedAt: int(r, "persisted_at"),
    }),
    toInbox: (r) => ({
      inboxId: int(r, "inbox_id"),
      runId: text(r, "run_id"),
      kind: text(r, "kind") as InboxKind,
      name: text(r, "name"),
      id: text(r, "id"),
      payload: textOrNull(r, "payload"),
      acceptedAt: int(r, "accepted_at"),
      taken: bool(r, "taken"),
      consumed: bool(r, "consumed"),
      reply: textOrNull(r, "reply"),
      ...toMessageState(r),
    }),
    toEffect: (r, scope) => ({
      runId: text(r, "run_id"),
      seq: int(r, "seq"),
      version: int(r, "version") as 1,
      scope: scope === undefined ? parseScopeKey(text(r, "scope")) : { ...scope },
      workflowId: text(r, "workflow_id"),
      stepId: text(r, "step_id"),
      name: text(r, "name"),
      class: text(r, "class") as GuaranteeClass,
      key: textOrNull(r, own.effectKey),
      argsDigest: textOrNull(r, "args_digest"),
      receiver: textOrNull(r, "receiver"),
      status: text(r, "status") as EffectStatus,
      phase: text(r, "phase") as EffectPhase,
      attempts: int(r, "attempts"),
      engineAttempts: int(r, "engine_attempts"),
      error: textOrNull(r, "error"),
      eventSeq: int(r, "event_seq"),
      worker: textOrNull(r, "worker"),
      createdAt: int(r, "created_at"),
      updatedAt: int(r, "updated_at"),
    }),
    toKvRow: (r) => ({
      collection: text(r, "shelf"),
      key: text(r, own.kvKey),
      value: text(r, "value"),
      version: int(r, "version"),
      at: int(r, own.kvAt),
    }),
    toFeedRow: (r) => ({ position: int(r, "position"), runId: text(r, "run_id"), headSeq: int(r, "head_seq") }),
    toEngine: (r) => ({
      engineId: text(r, "engine_id"),
      leaseUntil: int(r, "lease_until"),
      dead: bool(r, "dead"),
      serves: JSON.parse(text(r, "serves")) as EngineRow["serves"],
      scope: scopeOrNull(textOrNull(r, "scope")),
      ...kindAndWorks(textOrNull(r, "kind"), textOrNull(r, "works")),
    }),
  };
}

/** What a registration of an engine holds as text, alike in every database. */
export function engineTexts(e: EngineRegistration): Readonly<Record<"serves" | "kind", string> & Record<"scope" | "works", string | null>> {
  return {
    serves: JSON.stringify(e.serves.map((x) => ({ workflow: x.workflow, version: x.version }))),
    scope: e.scope === undefined ? null : scopeKey(e.scope),
    kind: e.kind ?? "engine",
    works: e.works === undefined || e.works === null ? null : JSON.stringify(e.works),
  };
}
