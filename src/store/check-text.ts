// The guard before every bind: text with U+0000 or a lone surrogate never reaches a database, because drivers cut or
// replace it, and two ids would become one. A Commit with such text is refused alone; other verbs throw PAWL3005.
// Alike on every store, memory included, so that a program does not meet the rule only in production.
import { isWellFormedText } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import type { StoredEffectResult } from "./effect-store.ts";
import type { Commit, DispatchWrite, EffectQuery, EffectWrite, EngineRegistration, InboxKind, NewRun, Post, RunQuery } from "./port.ts";
import type { ConsumerId, KvWrite } from "./reader-store.ts";

type Text = string | null | undefined;

function isBadText(text: Text): boolean {
  return text !== null && text !== undefined && !isWellFormedText(text);
}

function hasBadTags(tags: Readonly<Record<string, string>>): boolean {
  for (const k in tags) if (isBadText(k) || isBadText(tags[k])) return true;
  return false;
}

function hasBadRun(r: NewRun): boolean {
  const s = r.scope;
  return (
    isBadText(s.tenantId) ||
    isBadText(s.projectId) ||
    isBadText(s.environmentId) ||
    isBadText(r.workflowId) ||
    isBadText(r.workflow) ||
    isBadText(r.version) ||
    isBadText(r.inputDigest) ||
    isBadText(r.idempotencyKey) ||
    isBadText(r.originalRunId) ||
    isBadText(r.rootRunId) ||
    isBadText(r.parentRunId) ||
    isBadText(r.parentStepId) ||
    isBadText(r.supersedes) ||
    isBadText(r.owner) ||
    isBadText(r.fence.token) ||
    hasBadTags(r.tags)
  );
}

/** Its scope is the run's, which was looked at when the run was created. */
function hasBadEffect(e: EffectWrite): boolean {
  return (
    isBadText(e.workflowId) ||
    isBadText(e.stepId) ||
    isBadText(e.name) ||
    isBadText(e.key) ||
    isBadText(e.argsDigest) ||
    isBadText(e.receiver) ||
    isBadText(e.error) ||
    isBadText(e.worker)
  );
}

function hasBadCommit(c: Commit): boolean {
  if (isBadText(c.commitId) || isBadText(c.runId) || isBadText(c.moveInboxTo)) return true;
  if ("create" in c.expect ? hasBadRun(c.expect.create) : isBadText(c.expect.fence.token)) return true;
  for (const e of c.events) {
    if (
      isBadText(e.eventId) ||
      isBadText(e.eventType) ||
      isBadText(e.stepId) ||
      isBadText(e.idempotencyKey) ||
      isBadText(e.payload) ||
      isBadText(e.salt) ||
      isBadText(e.payloadHash) ||
      isBadText(e.link)
    )
      return true;
  }
  if (isBadText(c.errorCode)) return true;
  for (const r of c.replies) if (isBadText(r.reply)) return true;
  if (c.rejected !== undefined) for (const r of c.rejected) if (isBadText(r.reason)) return true;
  for (const v of c.views) if (isBadText(v.name) || isBadText(v.value)) return true;
  const cp = c.checkpoint;
  if (cp !== undefined && (isBadText(cp.key) || isBadText(cp.label) || isBadText(cp.body))) return true;
  if (c.snapshot !== undefined && (isBadText(c.snapshot.digest) || isBadText(c.snapshot.body))) return true;
  for (const n of c.notices) if (isBadText(n.toRunId) || isBadText(n.name) || isBadText(n.id) || isBadText(n.payload)) return true;
  for (const child of c.children) if (hasBadCommit(child)) return true;
  if (c.effects !== undefined) for (const e of c.effects) if (hasBadEffect(e)) return true;
  return false;
}

const badText = "PAWL3005: text with U+0000 or a lone surrogate";

/** Why the store cannot hold this Commit, or null. */
export function refusalReason(c: Commit): string | null {
  return hasBadCommit(c) ? badText : queueingReason(c);
}

/** Why the store has no queue of such a name, or null. */
export function queueNamesReason(dispatches: readonly DispatchWrite[]): string | null {
  return dispatches.every((d) => queueName.test(d.queue)) ? null : `PAWL3005: ${queueNameRule}`;
}

/** The same of what a Commit says about queued steps and rows beside the log. */
function queueingReason(c: Commit): string | null {
  for (const child of c.children) {
    if (child.puts !== undefined || child.ends !== undefined || child.withdraws !== undefined || child.held !== undefined || child.drop)
      return "PAWL3007: of queued steps and rows beside the log, a child's Commit may have dispatches only";
    const reason = queueingReason(child);
    if (reason !== null) return reason;
  }
  const named = queueNamesReason(c.dispatches ?? []);
  if (named !== null) return named;
  for (const d of c.dispatches ?? []) {
    if (isBadText(d.stepId) || isBadText(d.task) || isBadText(d.spec) || isBadText(d.claimed?.worker) || isBadText(d.claimed?.token))
      return badText;
  }
  return c.puts === undefined ? null : kvWritesProblem(c.puts);
}

export function checkText(what: string, ...texts: readonly Text[]): void {
  if (texts.some(isBadText)) throw new PawlError("PAWL3005", `${what}: text with U+0000 or a lone surrogate`);
}

export function checkEffectResult(e: StoredEffectResult): void {
  checkText("kept effect", e.runId, e.key, e.stepId, e.result);
}

export function checkEngine(e: EngineRegistration): void {
  const { tenantId, projectId, environmentId } = e.scope ?? {};
  checkText("enlist", e.engineId, tenantId, projectId, environmentId, ...e.serves.flatMap((x) => [x.workflow, x.version]));
}

export function checkPost(p: Post): void {
  // For callers without types.
  if ((p.kind as InboxKind) === "result") throw new PawlError("PAWL3007", "post: a result is put by the end of a dispatch only");
  const target = "runId" in p.target ? p.target.runId : p.target.workflowId;
  checkText("post", p.scope.tenantId, p.scope.projectId, p.scope.environmentId, target, p.name, p.id, p.payload, p.by);
}

export function checkQuery(q: RunQuery): void {
  checkText("runs", q.scope.tenantId, q.scope.projectId, q.scope.environmentId, q.workflow, q.workflowId, q.parentRunId, q.errorCode);
  if (q.tags !== undefined && hasBadTags(q.tags)) throw new PawlError("PAWL3005", "runs: text with U+0000 or a lone surrogate");
}

export function checkEffectQuery(q: EffectQuery): void {
  checkText("effects", q.scope.tenantId, q.scope.projectId, q.scope.environmentId, q.runId, q.key, q.name);
}

const queueName = /^[\x21-\x7e]{1,128}$/;
const queueNameRule = "a queue's name is 1 to 128 printable ASCII characters, without spaces";

export function checkQueueNames(...names: readonly string[]): void {
  for (const n of names) if (!queueName.test(n)) throw new PawlError("PAWL3005", `queues: ${queueNameRule}`);
}

const plainName = /^[\x21-\x7e]{1,512}$/;

/** Names of collections and keys are ASCII, so that every store orders them alike. */
function kvWritesProblem(writes: readonly KvWrite[]): string | null {
  const seen = new Set<string>();
  for (const w of writes) {
    if (!plainName.test(w.collection) || !plainName.test(w.key))
      return "PAWL3005: a collection or key is 1 to 512 printable ASCII characters";
    if (isBadText(w.value)) return badText;
    const row = `${w.collection} ${w.key}`;
    if (seen.has(row)) return "PAWL3005: two writes of one row";
    seen.add(row);
  }
  return null;
}

export function checkKvWrites(what: string, writes: readonly KvWrite[]): void {
  const problem = kvWritesProblem(writes);
  if (problem !== null) throw new PawlError("PAWL3005", problem.replace("PAWL3005", what));
}

export function checkConsumer(what: string, c: ConsumerId): void {
  checkText(what, c.scope.tenantId, c.scope.projectId, c.scope.environmentId);
  if (!plainName.test(c.name) || c.name.length > 128)
    throw new PawlError("PAWL3005", `${what}: a consumer's name is 1 to 128 printable ASCII characters`);
}
