// The seals and witnessed heads of one log, event by event, against what the log says now (events/seal.ts). A seal counts only if
// one of the given keys made it, for this place of this log. It keeps what the next event needs and nothing else; whether seals
// are missing in the store as a whole is for vouchers.ts.
import { isSettled } from "../../core/model.ts";
import { canonicalWrite, chainFrame, type ChainFrame } from "../../events/hash-chain.ts";
import type { Keyring } from "../../events/keyring.ts";
import { pawlEvents } from "../../events/payload.ts";
import { readStatement, type SealStatement } from "../../events/seal.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { Findings } from "./finding.ts";

/** What is compared with a log from outside of the store. */
export interface OutsideEvidence {
  /** Null: seals are not asked for. */
  readonly ring: Keyring | null;
  /** When sealing began in this store: an end before that may be unsealed. */
  readonly began: number;
  /** Heads that a witness saw of a run: runSeq and link. */
  heads(runId: string): ReadonlyMap<number, string>;
}
export const noOutsideEvidence: OutsideEvidence = { ring: null, began: 0, heads: () => new Map() };

export interface FoundSeal {
  readonly statement: SealStatement;
  /** The store's time of its Commit. */
  readonly persistedAt: number;
}
export interface RunSealing {
  readonly seals: readonly FoundSeal[];
  /** Its log is covered to its head; "before": it ended before sealing began; "tail": it continues; "unsealed": it ended without. */
  readonly state: "whole" | "before" | "tail" | "unsealed" | "none";
}

export class RunSeals {
  readonly #row: RunRow;
  readonly #outside: OutsideEvidence;
  readonly #findings: Findings;
  readonly #frame: ChainFrame;
  readonly #seals: FoundSeal[] = [];
  readonly #heads: Map<number, string>;
  #prev: EventRecord | null = null;
  /** What the event behind the last seal must be, if it sealed an end. */
  #behind: string | null = null;
  #ended = false;

  constructor(row: RunRow, outside: OutsideEvidence, findings: Findings) {
    this.#row = row;
    this.#outside = outside;
    this.#findings = findings;
    this.#frame = chainFrame({ runId: row.runId, scope: row.scope, planId: row.workflow, planVersion: row.version });
    this.#heads = new Map(outside.heads(row.runId));
  }

  add(e: EventRecord): void {
    const seen = this.#heads.get(e.runSeq);
    if (seen !== undefined) this.#findings.same("witness", "link", seen, e.link, e.runSeq);
    this.#heads.delete(e.runSeq);
    if (this.#outside.ring !== null) this.#seal(this.#outside.ring, e);
    this.#prev = e;
  }

  #seal(ring: Keyring, e: EventRecord): void {
    if (this.#behind !== null) {
      this.#ended = sha256Hex(canonicalWrite(this.#frame, e, e.stateVersion)) === this.#behind;
      if (!this.#ended) this.#findings.add("seals", "end", this.#behind, "another event", e.runSeq);
      this.#behind = null;
    }
    if (e.eventType !== pawlEvents.sealed || this.#row.origin === "external") return;
    const read = readStatement(e.payload, "pawl.seal", ring);
    if (!read.ok) return this.#findings.add("seals", "signature", "one of the given keys", read.why, e.runSeq);
    const { statement: s } = read;
    const prev = this.#prev;
    const sealedAt = prev !== null && prev.stateVersion !== e.stateVersion ? prev.persistedAt : null;
    const own = s.runId === this.#row.runId && s.eventId === e.eventId && s.emittedAt === e.emittedAt && s.stateVersion === e.stateVersion;
    if (!own || s.seq !== prev?.runSeq || s.link !== prev.link || s.sealedAt !== sealedAt)
      return this.#findings.add("seals", "link", s.link, prev?.link ?? null, e.runSeq);
    this.#seals.push({ statement: s, persistedAt: e.persistedAt });
    this.#behind = s.end;
  }

  finish(): RunSealing {
    const row = this.#row;
    const gone = row.purgedAt !== null;
    for (const [seq, link] of gone ? [] : this.#heads) this.#findings.add("witness", "link", link, null, seq);
    const seals = this.#seals;
    if (this.#outside.ring === null || row.origin === "external" || gone) return { seals, state: "none" };
    if (this.#behind !== null) this.#findings.add("seals", "end", this.#behind, null, row.headSeq);
    if (!isSettled(row.status)) return { seals, state: "tail" };
    if (this.#ended) return { seals, state: "whole" };
    if (row.persistedAt < this.#outside.began && seals.length === 0) return { seals, state: "before" };
    this.#findings.add("seals", "end", "a seal of one of the given keys", null, row.headSeq);
    return { seals, state: "unsealed" };
  }
}
