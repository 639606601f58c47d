// What a check of the store says: where a derived table and the log do not agree, named and located, with what the log says
// and what was found. Values of users never appear in it, only their digests. Data and small makers; it decides nothing.
import { sha256Hex } from "../../platform/crypto/hash.ts";

export type AuditTable =
  | "runs"
  | "events"
  | "effects"
  | "views"
  | "inbox"
  | "accepted"
  | "checkpoints"
  | "snapshots"
  | "dispatches"
  | "projections"
  | "seals"
  | "witness";

export interface Finding {
  readonly table: AuditTable;
  readonly runId: string;
  /** The runSeq of the event or record it is about, or the number of the message. */
  readonly seq?: number;
  readonly field: string;
  /** What the log says; null = nothing. */
  readonly expected: FindingValue;
  readonly found: FindingValue;
}
export type FindingValue = string | number | boolean | null;

/** So many of one field of one table are reported for a run; where one event is wrong, every later one may be. */
const perFieldMax = 5;

export class Findings {
  readonly all: Finding[] = [];
  readonly #runId: string;
  readonly #counts = new Map<string, number>();

  constructor(runId: string) {
    this.#runId = runId;
  }
  add(table: AuditTable, field: string, expected: FindingValue, found: FindingValue, seq?: number): void {
    const kind = `${table}.${field}`;
    const told = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, told);
    if (told > perFieldMax) return;
    this.all.push({ table, runId: this.#runId, ...(seq === undefined ? {} : { seq }), field, expected, found });
  }
  /** Set only when they differ. */
  same(table: AuditTable, field: string, expected: FindingValue, found: FindingValue, seq?: number): void {
    if (expected !== found) this.add(table, field, expected, found, seq);
  }
}

/** A value of a user, as it may be shown. */
export function digestOf(text: string | null): string | null {
  return text === null ? null : `sha256:${sha256Hex(text)}`;
}
