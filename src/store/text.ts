// The guard before every bind: text with U+0000 or a lone surrogate never reaches a database, because drivers cut or
// replace it, and two ids would become one. A Commit with such text is refused alone; other verbs throw PAWL3005.
// Alike on every store, memory included, so that a program does not meet the rule only in production.
import { isWellFormedText } from "../core/names.ts";
import { PawlError } from "../errors/error.ts";
import type { KeptEffect } from "./effect-store.ts";
import type { Commit, EffectQuery, EffectWrite, NewRun, Post, RunQuery } from "./port.ts";
import type { ConsumerId, ShelfWrite } from "./shelf.ts";

type Text = string | null | undefined;

function bad(text: Text): boolean {
  return text !== null && text !== undefined && !isWellFormedText(text);
}

function badTags(tags: Readonly<Record<string, string>>): boolean {
  for (const k in tags) if (bad(k) || bad(tags[k])) return true;
  return false;
}

function badRun(r: NewRun): boolean {
  const s = r.scope;
  return (
    bad(s.tenantId) ||
    bad(s.projectId) ||
    bad(s.environmentId) ||
    bad(r.workflowId) ||
    bad(r.workflow) ||
    bad(r.version) ||
    bad(r.inputDigest) ||
    bad(r.idempotencyKey) ||
    bad(r.originalRunId) ||
    bad(r.rootRunId) ||
    bad(r.parentRunId) ||
    bad(r.parentStepId) ||
    bad(r.supersedes) ||
    bad(r.owner) ||
    bad(r.fence.token) ||
    badTags(r.tags)
  );
}

/** Its scope is the run's, which was looked at when the run was created. */
function badEffect(e: EffectWrite): boolean {
  return bad(e.workflowId) || bad(e.stepId) || bad(e.name) || bad(e.key) || bad(e.argsDigest) || bad(e.receiver) || bad(e.error);
}

function badCommit(c: Commit): boolean {
  if (bad(c.commitId) || bad(c.runId) || bad(c.moveInboxTo)) return true;
  if ("create" in c.expect ? badRun(c.expect.create) : bad(c.expect.fence.token)) return true;
  for (const e of c.events) {
    if (
      bad(e.eventId) ||
      bad(e.eventType) ||
      bad(e.stepId) ||
      bad(e.idempotencyKey) ||
      bad(e.payload) ||
      bad(e.salt) ||
      bad(e.payloadHash) ||
      bad(e.link)
    )
      return true;
  }
  for (const r of c.replies) if (bad(r.reply)) return true;
  for (const v of c.views) if (bad(v.name) || bad(v.value)) return true;
  const cp = c.checkpoint;
  if (cp !== undefined && (bad(cp.key) || bad(cp.label) || bad(cp.body))) return true;
  for (const n of c.notices) if (bad(n.toRunId) || bad(n.name) || bad(n.id) || bad(n.payload)) return true;
  for (const child of c.children) if (badCommit(child)) return true;
  if (c.effects !== undefined) for (const e of c.effects) if (badEffect(e)) return true;
  return false;
}

/** Why the store cannot hold this Commit, or null. */
export function refusal(c: Commit): string | null {
  return badCommit(c) ? "PAWL3005: text with U+0000 or a lone surrogate" : null;
}

export function checkText(what: string, ...texts: readonly Text[]): void {
  if (texts.some(bad)) throw new PawlError("PAWL3005", `${what}: text with U+0000 or a lone surrogate`);
}

export function checkKept(e: KeptEffect): void {
  checkText("kept effect", e.runId, e.key, e.stepId, e.result);
}

export function checkPost(p: Post): void {
  const target = "runId" in p.target ? p.target.runId : p.target.workflowId;
  checkText("post", p.scope.tenantId, p.scope.projectId, p.scope.environmentId, target, p.name, p.id, p.payload);
}

export function checkQuery(q: RunQuery): void {
  checkText("runs", q.scope.tenantId, q.scope.projectId, q.scope.environmentId, q.workflow, q.workflowId, q.parentRunId);
  if (q.tags !== undefined && badTags(q.tags)) throw new PawlError("PAWL3005", "runs: text with U+0000 or a lone surrogate");
}

export function checkEffectQuery(q: EffectQuery): void {
  checkText("effects", q.scope.tenantId, q.scope.projectId, q.scope.environmentId, q.runId, q.key, q.name);
}

const shelfText = /^[\x21-\x7e]{1,512}$/;

/** Names of shelves and keys are ASCII, so that every store orders them alike. */
export function checkShelf(what: string, writes: readonly ShelfWrite[]): void {
  const seen = new Set<string>();
  for (const w of writes) {
    if (!shelfText.test(w.shelf) || !shelfText.test(w.key))
      throw new PawlError("PAWL3005", `${what}: a shelf or key is 1 to 512 printable ASCII characters`);
    checkText(what, w.value);
    const row = `${w.shelf} ${w.key}`;
    if (seen.has(row)) throw new PawlError("PAWL3005", `${what}: two writes of one row`);
    seen.add(row);
  }
}

export function checkConsumer(what: string, c: ConsumerId): void {
  checkText(what, c.scope.tenantId, c.scope.projectId, c.scope.environmentId);
  if (!shelfText.test(c.name) || c.name.length > 128)
    throw new PawlError("PAWL3005", `${what}: a consumer's name is 1 to 128 printable ASCII characters`);
}
