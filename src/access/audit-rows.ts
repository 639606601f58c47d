// Records of the audit log as the store keeps them. A tenant's records lie newest first. Each names its process's chain and its place in it,
// and holds the SHA-256 of the record before it, so that a changed or removed one shows. Beside them lie rows by which they are found: by
// run, by the ids of the request and of the decision, and from a decision to its outcome. Pure; a record is never written twice.
import type { Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import { runRowKey, scopedCollection } from "../store/keys.ts";
import type { KvWrite } from "../store/reader-store.ts";
import type { AuditedAct } from "./audit-types.ts";
import type { AuditRecord } from "./types.ts";

/** What is to be recorded; its place in a chain comes later. */
export interface AuditEntry {
  readonly type: "granted" | "outcome" | "denied" | "read";
  readonly act?: AuditedAct;
  /** The policyDecisionId, of a granted operation and of its outcome. */
  readonly decisionId?: string;
  readonly status?: number;
  readonly code?: string;
  readonly times?: number;
}

/** The stored text is JSON of this; `prev` is SHA-256 of the stored text before it, or "" at the beginning. */
export interface AuditRow extends AuditEntry {
  readonly v: 1;
  readonly chain: string;
  readonly seq: number;
  readonly prev: string;
  readonly at: number;
}

/** The end of a chain as it is registered, in the same transaction as the records that it ends with. */
export interface AuditHead {
  readonly seq: number;
  readonly link: string;
  readonly at: number;
}

/** Where a chain begins after retention: `prev` is what its first record holds, `at` the time of the last one removed. */
export interface AuditFloor {
  readonly seq: number;
  readonly prev: string;
  readonly at: number;
}

export interface AuditCollections {
  readonly rows: string;
  readonly byRun: string;
  readonly byId: string;
  readonly outcomes: string;
  readonly heads: string;
  readonly floors: string;
}

export function auditCollections(scope: Scope): AuditCollections {
  const of = (kind: string): string => scopedCollection(`access.audit.${kind}`, scope);
  return {
    rows: of("rows"),
    byRun: of("by-run"),
    byId: of("by-id"),
    outcomes: of("outcomes"),
    heads: of("heads"),
    floors: of("floors"),
  };
}

const [timeTop, seqTop] = [1e15, 1e12];

/** Later times come first. */
export function auditTimeKey(at: number): string {
  return String(timeTop - at).padStart(15, "0");
}

export function auditKey(r: Pick<AuditRow, "at" | "chain" | "seq">): string {
  return `${auditTimeKey(r.at)}/${r.chain}/${String(seqTop - r.seq).padStart(12, "0")}`;
}

export const auditKeyForm: RegExp = /^\d{15}\/[0-9a-f]{16}\/\d{12}$/;

/** The key of the record that an index row stands for: what follows the first part. */
export function keyOfIndex(indexKey: string): string {
  return indexKey.slice(indexKey.indexOf("/") + 1);
}

/** What the next record of the chain holds of this one, and what the head says of the last. */
export function auditLink(value: string): string {
  return sha256Hex(value);
}

/** The rows by which this record is found; verification looks for each. */
export function indexWrites(c: AuditCollections, r: AuditRow): readonly KvWrite[] {
  const key = auditKey(r);
  const writes: KvWrite[] = [];
  if (r.type === "outcome" && r.decisionId !== undefined) writes.push({ collection: c.outcomes, key: r.decisionId, value: key });
  if (r.act?.runId !== undefined) writes.push({ collection: c.byRun, key: runRowKey(r.act.runId, key), value: "1" });
  const ids = r.type === "outcome" ? [] : [r.decisionId, r.act?.requestId];
  for (const id of new Set(ids)) if (id !== undefined) writes.push({ collection: c.byId, key: runRowKey(id, key), value: "1" });
  return writes;
}

export function auditRecord(r: AuditRow, outcome: AuditRow | undefined): AuditRecord {
  const ended = r.type === "denied" ? r : outcome;
  const act: AuditedAct = r.act ?? { operation: "unknown" };
  return {
    id: `${r.chain}-${r.seq}`,
    at: toTimeText(r.at),
    ...act,
    decision: r.type === "denied" ? "denied" : "granted",
    ...(r.decisionId === undefined ? {} : { policyDecisionId: r.decisionId }),
    ...(ended?.status === undefined
      ? {}
      : { outcome: { at: toTimeText(ended.at), status: ended.status, ...(ended.code === undefined ? {} : { code: ended.code }) } }),
    ...(r.times === undefined ? {} : { times: r.times }),
  };
}
