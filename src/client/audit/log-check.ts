// One log, event by event: places, times, keys, links, payloads, transitions (K22, D-060, I2, I8). Every link and key is
// computed again; nothing stored is believed. It keeps what the next event needs and no payload, so that a log of any
// length is checked in little memory. One wrong event is reported once: the check continues from the stored link.
import { isSettled } from "../../core/model.ts";
import { applyTransition, checkTransition, emptyDerived, type Derived } from "../../core/transitions.ts";
import { chainFrame, linkOf, payloadHash, type ChainFrame } from "../../events/hash-chain.ts";
import { idempotencyKey, type KeyFields } from "../../events/event-key.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { Findings } from "./finding.ts";

export class LogCheck {
  readonly derived: Derived = emptyDerived();
  head: EventRecord | null = null;
  first: EventRecord | null = null;
  count = 0;
  /** Retention took payloads: what was in them is not known any more. */
  expired = false;
  readonly #row: RunRow;
  readonly #frame: ChainFrame;
  readonly #findings: Findings;
  readonly #ids = new Set<string>();

  constructor(row: RunRow, findings: Findings) {
    this.#row = row;
    this.#frame = chainFrame({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version });
    this.#findings = findings;
  }

  /** False when the payload is not the one that was sealed: then it says nothing. */
  add(e: EventRecord): boolean {
    const prev = this.head;
    this.#place(prev, e);
    this.#key(e);
    const newCommit = prev !== null && prev.stateVersion !== e.stateVersion;
    const link = linkOf(this.#frame, prev?.link ?? "", newCommit ? prev.persistedAt : null, e, e.stateVersion);
    this.#findings.same("events", "link", link, e.link, e.runSeq);
    const sound = this.#payload(e);
    this.#transition(e);
    this.first ??= e;
    this.head = e;
    this.count++;
    return sound;
  }

  #place(prev: EventRecord | null, e: EventRecord): void {
    const f = this.#findings;
    // Ids that producers outside give are theirs: the chain says that they are the ones that were given.
    if (this.#ids.has(e.eventId) && this.#row.origin !== "external") f.add("events", "eventId", "an id of its own", e.eventId, e.runSeq);
    this.#ids.add(e.eventId);
    if (prev === null) return;
    if (e.stateVersion < prev.stateVersion) f.add("events", "stateVersion", prev.stateVersion, e.stateVersion, e.runSeq);
    const sameCommit = e.stateVersion === prev.stateVersion;
    if (sameCommit ? e.persistedAt !== prev.persistedAt : e.persistedAt < prev.persistedAt)
      f.add("events", "persistedAt", prev.persistedAt, e.persistedAt, e.runSeq);
  }

  #key(e: EventRecord): void {
    let key: string;
    try {
      key = idempotencyKey(keyFields(this.#row, e));
    } catch {
      key = "none: a field of it is not one";
    }
    this.#findings.same("events", "idempotencyKey", key, e.idempotencyKey, e.runSeq);
  }

  /** A payload that expired leaves its hash behind, and its salt is gone with it. */
  #payload(e: EventRecord): boolean {
    if (e.payload === null) {
      if (e.payloadHash === null) return true;
      this.expired = true;
      // K22: only a run that has ended loses payloads, and its row says so.
      if (!isSettled(this.#row.status) || this.#row.expiredAt === null)
        this.#findings.add("events", "payload", e.payloadHash, null, e.runSeq);
      return true;
    }
    const hash = e.salt === null ? null : payloadHash(e.salt, e.payload);
    if (hash !== null && hash === e.payloadHash) return true;
    this.#findings.add("events", "payload", e.payloadHash, hash, e.runSeq);
    return false;
  }

  #transition(e: EventRecord): void {
    const check = checkTransition(this.derived, e);
    if (check.ok) return applyTransition(this.derived, e);
    // Producers outside may have written what may not be: that is for a projector to tell (D-114), not damage.
    if (this.#row.origin === "external") return;
    this.#findings.add("events", "transition", check.expectedState, `${e.eventType}: ${check.actualState}`, e.runSeq);
  }
}

function keyFields(row: RunRow, e: EventRecord): KeyFields {
  const { stepId, logicalAttemptId, eventType } = e;
  return { runId: row.runId, stepId, logicalAttemptId, eventType, planId: row.workflow, planVersion: row.version };
}
