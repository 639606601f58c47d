// The hash chain over a run's events (K22). Guards that no event, no time and no order in a log can be changed afterwards
// without it being seen. Payloads enter by their salted hash, so that one can expire without breaking the chain.
//
// link_n = SHA-256(link_{n-1}, sealed_n, canonical write_n with runSeq, stateVersion, and payloadHash in place of payload).
// All events of one Commit share persistedAt, which their producer learns only from the Commit's answer. So sealed_n is the
// persistedAt of event n-1 where that event belongs to an earlier Commit, else "": each Commit's time is sealed by the first
// event of a later one, and the head's time not yet: `verifyChain` says how far it is sealed. It must never trust a stored
// link: it computes every one again.
import type { Scope } from "../core/model.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { EventRecord, EventWrite } from "./event.ts";

/** What every event of a run shares. */
export interface ChainedRun {
  readonly runId: string;
  readonly scope: Scope;
  readonly planId: string;
  readonly planVersion: string;
}
/** What a link covers of an event itself. */
export type LinkedFields = Omit<EventWrite, "link" | "payload" | "salt">;
export type ChainEvent = LinkedFields & { readonly stateVersion: number };

/** The run's part of every canonical write, made once per run. */
export interface ChainFrame {
  readonly environment: string;
  readonly plan: string;
  readonly tenant: string;
}

export function payloadHash(salt: string, payload: string): string {
  return sha256Hex(`${salt}\n${payload}`);
}

export function chainFrame(run: ChainedRun): ChainFrame {
  const q = JSON.stringify;
  return {
    environment: `,"environmentId":${q(run.scope.environmentId)},"eventId":`,
    plan: `,"planId":${q(run.planId)},"planVersion":${q(run.planVersion)},"projectId":${q(run.scope.projectId)},"runId":${q(run.runId)},"runSeq":`,
    tenant: `,"tenantId":${q(run.scope.tenantId)}}`,
  };
}

/** RFC 8785 text of a write, members in order by hand: JSON.stringify of well-formed text is already canonical. */
export function canonicalWrite(frame: ChainFrame, e: LinkedFields, stateVersion: number): string {
  const hash = e.payloadHash === null ? "null" : `"${e.payloadHash}"`;
  const step = e.stepId === null ? "null" : JSON.stringify(e.stepId);
  return (
    `{"emittedAt":${e.emittedAt},"engineAttemptId":${e.engineAttemptId}${frame.environment}"${e.eventId}"` +
    `,"eventType":${JSON.stringify(e.eventType)},"idempotencyKey":"${e.idempotencyKey}","logicalAttemptId":${e.logicalAttemptId}` +
    `,"payloadHash":${hash}${frame.plan}${e.runSeq},"stateVersion":${stateVersion},"stepId":${step}${frame.tenant}`
  );
}

/** `sealedAt` is null inside a Commit and at the first event. The newlines keep the three parts apart. */
export function linkOf(frame: ChainFrame, prev: string, sealedAt: number | null, e: LinkedFields, stateVersion: number): string {
  return sha256Hex(`${prev}\n${sealedAt ?? ""}\n${canonicalWrite(frame, e, stateVersion)}`);
}

export type HashChainCheck =
  /** Times are proved through `sealedThrough`; those of the head's Commit are sealed by the next one. */
  | { readonly ok: true; readonly head: string; readonly sealedThrough: number }
  | { readonly ok: false; readonly runSeq: number; readonly problem: string };

/** `events` is the whole log of the run, from its first event, ascending. */
export function verifyChain(run: ChainedRun, events: readonly EventRecord[]): HashChainCheck {
  const frame = chainFrame(run);
  let prev: EventRecord | null = null;
  let sealedThrough = 0;
  for (const e of events) {
    const problem = orderProblem(prev, e) ?? payloadProblem(e);
    if (problem !== null) return { ok: false, runSeq: e.runSeq, problem };
    const newCommit = prev !== null && prev.stateVersion !== e.stateVersion;
    if (linkOf(frame, prev?.link ?? "", newCommit ? (prev as EventRecord).persistedAt : null, e, e.stateVersion) !== e.link) {
      return { ok: false, runSeq: e.runSeq, problem: "the link does not match the event and what came before it" };
    }
    if (newCommit) sealedThrough = (prev as EventRecord).runSeq;
    prev = e;
  }
  return { ok: true, head: prev?.link ?? "", sealedThrough };
}

function orderProblem(prev: EventRecord | null, e: EventRecord): string | null {
  if (!Number.isSafeInteger(e.runSeq) || e.runSeq < 1) return "runSeq is not a whole number of at least 1";
  if (prev === null) return null;
  if (e.runSeq <= prev.runSeq) return "runSeq does not rise";
  if (e.stateVersion < prev.stateVersion) return "stateVersion goes back";
  if (e.stateVersion === prev.stateVersion && e.persistedAt !== prev.persistedAt) return "events of one Commit differ in persistedAt";
  return null;
}

/** An expired payload leaves its hash behind; a payload without a hash was never sealed. */
function payloadProblem(e: EventRecord): string | null {
  if (e.payload === null) return null;
  if (e.payloadHash === null || e.salt === null) return "the payload has no hash";
  return payloadHash(e.salt, e.payload) === e.payloadHash ? null : "the payload does not match its hash";
}
