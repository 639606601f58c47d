// What a line of an export must hold to be a run: every member of the shape that a store writes. An export is a file that somebody
// carried, so nothing of it is believed; what a digest says of it, anyone who changed it can say as well. Pure. Members that a later
// version adds are passed over.
import { runStatuses } from "../../core/model.ts";
import type { CopiedMessage } from "../../store/archive.ts";
import type { CheckpointRecord, EffectRecord, EventRecord, RunRow } from "../../store/port.ts";
import type { ExportedRun } from "./export-file.ts";

type Test = (x: unknown) => boolean;
type Shape<T> = { readonly [K in keyof Required<T>]: Test };

const text: Test = (x) => typeof x === "string";
const whole: Test = (x) => Number.isSafeInteger(x);
const flag: Test = (x) => typeof x === "boolean";
const orNull =
  (t: Test): Test =>
  (x) =>
    x === null || t(x);
/** A member that exports of stores before format 7 do not have. */
const lateText: Test = (x) => x === undefined || x === null || text(x);
const isObject = (x: unknown): x is Readonly<Record<string, unknown>> => typeof x === "object" && x !== null && !Array.isArray(x);
const texts: Test = (x) => isObject(x) && Object.values(x).every(text);
const hasShape =
  <T>(shape: Shape<T>): Test =>
  (x) =>
    isObject(x) && Object.entries<Test>(shape).every(([k, t]) => t(x[k]));
const listOf =
  (t: Test): Test =>
  (x) =>
    Array.isArray(x) && x.every(t);
const statuses: ReadonlySet<unknown> = new Set(runStatuses);
const origins: ReadonlySet<unknown> = new Set(["engine", "external", "moved"] satisfies RunRow["origin"][]);

const scope = hasShape<RunRow["scope"]>({ tenantId: text, projectId: text, environmentId: text });
const row: Shape<RunRow> = {
  runId: text,
  scope,
  workflowId: text,
  generation: whole,
  workflow: text,
  version: text,
  status: (x) => statuses.has(x),
  waiting: orNull(text),
  owner: orNull(text),
  fence: hasShape<RunRow["fence"]>({ epoch: whole, token: text }),
  stateVersion: whole,
  commitId: text,
  headSeq: whole,
  headLink: text,
  persistedAt: whole,
  dueAt: orNull(whole),
  createdAt: whole,
  deadlineAt: orNull(whole),
  tags: texts,
  inputDigest: text,
  idempotencyKey: orNull(text),
  originalRunId: orNull(text),
  rootRunId: text,
  parentRunId: orNull(text),
  parentStepId: orNull(text),
  idleClaims: whole,
  exactVersion: flag,
  origin: (x) => origins.has(x),
  expiredAt: orNull(whole),
  purgedAt: orNull(whole),
  errorCode: lateText,
};
const event: Shape<EventRecord> = {
  runSeq: whole,
  eventId: text,
  eventType: text,
  stepId: orNull(text),
  logicalAttemptId: whole,
  engineAttemptId: whole,
  idempotencyKey: text,
  emittedAt: whole,
  emittedText: (x) => x === undefined || text(x),
  payload: orNull(text),
  salt: orNull(text),
  payloadHash: orNull(text),
  link: text,
  persistedAt: whole,
  stateVersion: whole,
};
const message: Shape<CopiedMessage> = {
  kind: text,
  name: text,
  id: text,
  payload: orNull(text),
  acceptedAt: whole,
  taken: flag,
  consumed: flag,
  reply: orNull(text),
  by: lateText,
  payloadDigest: lateText,
  rejected: lateText,
  key: orNull(text),
  accepted: orNull(hasShape<NonNullable<CopiedMessage["accepted"]>>({ acceptedAt: whole, expiresAt: orNull(whole) })),
};
const checkpoint: Shape<CheckpointRecord> = {
  stepId: whole,
  key: text,
  label: orNull(text),
  body: text,
  runId: text,
  stateVersion: whole,
  persistedAt: whole,
};
const effect: Shape<EffectRecord> = {
  version: whole,
  seq: whole,
  scope,
  workflowId: text,
  stepId: text,
  name: text,
  class: text,
  key: orNull(text),
  argsDigest: orNull(text),
  receiver: orNull(text),
  worker: lateText,
  status: text,
  phase: text,
  attempts: whole,
  engineAttempts: whole,
  error: orNull(text),
  eventSeq: whole,
  runId: text,
  createdAt: whole,
  updatedAt: whole,
};

export const isExportedRun: Test = hasShape<ExportedRun>({
  run: hasShape(row),
  events: listOf(hasShape(event)),
  inbox: listOf(hasShape(message)),
  views: texts,
  checkpoints: listOf(hasShape(checkpoint)),
  effects: listOf(hasShape(effect)),
  hold: orNull(text),
});
