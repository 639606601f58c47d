// Keys that every store writes alike: the scope as one text, the storage key of a message, the cursor of a listing.
// Each encoding is injective and reversible (W-054 … W-056): components are percent-encoded, so that the separators
// cannot occur inside one. Never normalises case or Unicode form (W-052, W-053).
import { Buffer } from "node:buffer";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import { sha256Hex } from "../platform/crypto/hash.ts";
import type { InboxKind, Notice } from "./port.ts";

export function scopeKey(s: Scope): string {
  if (s.tenantId !== lastScope.tenantId || s.projectId !== lastScope.projectId || s.environmentId !== lastScope.environmentId) {
    lastScope = { ...s, key: [s.tenantId, s.projectId, s.environmentId].map(encodeURIComponent).join("/") };
  }
  return lastScope.key;
}
/** An engine has one scope, and each record of an effect asks for its key. */
let lastScope: Scope & { readonly key: string } = { tenantId: "", projectId: "", environmentId: "", key: "//" };

export function parseScopeKey(key: string): Scope {
  const [tenantId = "", projectId = "", environmentId = ""] = key.split("/").map(decodeURIComponent);
  return { tenantId, projectId, environmentId };
}

const prefixes = { signal: "sig", update: "upd", control: "ctl", child: "chd", result: "res" } as const satisfies Record<InboxKind, string>;
const kinds: Readonly<Record<string, InboxKind>> = { sig: "signal", upd: "update", ctl: "control", chd: "child", res: "result" };

/** What makes a message one message: the same tuple is accepted once while its record is kept. */
export interface MessageTuple {
  readonly scope: Scope;
  readonly workflowId: string;
  readonly kind: InboxKind;
  readonly name: string;
  readonly id: string;
}

export function storageKey(t: MessageTuple): string {
  const parts = [t.scope.tenantId, t.scope.projectId, t.scope.environmentId, t.workflowId, t.name, t.id];
  return `${prefixes[t.kind]}:${parts.map(encodeURIComponent).join(":")}`;
}

/** The record of an acceptance as this code writes it. */
export const acceptedVersion = 1;

/**
 * The canonical accepted result, W-065 … W-071, around the time of acceptance: a store whose clock is the server's puts the time
 * between these two.
 */
export function acceptedResponseParts(m: {
  readonly workflowId: string;
  readonly name: string;
  readonly id: string;
  readonly storageKey: string;
}): {
  readonly before: string;
  readonly after: string;
} {
  const names = JSON.stringify({ accepted: true, workflowId: m.workflowId, signalName: m.name, signalId: m.id });
  return { before: `${names.slice(0, -1)},"acceptedAt":"`, after: `","signalStorageKey":${JSON.stringify(m.storageKey)}}` };
}

export function acceptedResponse(m: Parameters<typeof acceptedResponseParts>[0] & { readonly acceptedAt: number }): string {
  const { before, after } = acceptedResponseParts(m);
  return `${before}${new Date(m.acceptedAt).toISOString()}${after}`;
}

/** Of an accepted record whose inbox row is gone. */
export const noMessage = { by: null, payloadDigest: null, rejected: null } as const;

/** What is kept of a message's payload to tell it from another one with the same id. A message without a payload has a digest too. */
export function payloadDigest(payload: string | null): string {
  return sha256Hex(payload ?? "");
}

export function parseStorageKey(key: string): MessageTuple | undefined {
  const [prefix = "", ...parts] = key.split(":");
  const kind = kinds[prefix];
  if (kind === undefined || parts.length !== 6) return undefined;
  const [tenantId = "", projectId = "", environmentId = "", workflowId = "", name = "", id = ""] = parts.map(decodeURIComponent);
  return { scope: { tenantId, projectId, environmentId }, workflowId, kind, name, id };
}

/** A notice is one notice per (toRunId, kind, name, id); its prefix keeps it apart from every message from outside. */
export function noticeKey(n: Omit<Notice, "kind" | "payload"> & { readonly kind: InboxKind }): string {
  return `ntc:${[n.toRunId, n.kind, n.name, n.id].map(encodeURIComponent).join(":")}`;
}

/** What makes an effect's record one record (W-005 … W-010, W-023); its prefix keeps it apart from every message. */
export interface EffectScopeKey {
  readonly scope: Scope;
  readonly workflowId: string;
  readonly name: string;
  readonly runId: string;
  readonly stepId: string;
  readonly key: string | null;
}

/** Injective: each component is escaped as in a message's key, and a missing key differs from every key (W-022, W-023). */
export function effectKey(e: EffectScopeKey): string {
  const parts = [e.scope.tenantId, e.scope.projectId, e.scope.environmentId, e.workflowId, e.name].map(encodeURIComponent);
  const operation = `${encodeURIComponent(e.runId)}/${encodeURIComponent(e.stepId)}`;
  return `eff:${[...parts, operation].join(":")}${e.key === null ? "" : `:${encodeURIComponent(e.key)}`}`;
}

/** Escaped text as part of a collection's name or key, which are bounded; by its digest when it is long. No escaped text has a "=". */
function boundedPart(escaped: string): string {
  return escaped.length <= 200 ? escaped : `=${sha256Hex(escaped)}`;
}

/** The collection of one kind of rows of one tenant. */
export function scopedCollection(kind: string, scope: Scope): string {
  return `${kind}:${boundedPart(scopeKey(scope))}`;
}

/** The key of a row of a run in such a collection: `rest` is ASCII without "/". */
export function runRowKey(runId: string, ...rest: readonly string[]): string {
  return [boundedPart(encodeURIComponent(runId)), ...rest].join("/");
}

/** The place of one run in a listing, newest first. */
export interface ListCursor {
  readonly createdAt: number;
  readonly runId: string;
}

export function encodeCursor(p: ListCursor): string {
  return Buffer.from(JSON.stringify([p.createdAt, p.runId]), "utf8").toString("base64url");
}

export function decodeCursor(cursor: string): ListCursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parsed) && Number.isSafeInteger(parsed[0]) && typeof parsed[1] === "string") {
      return { createdAt: parsed[0] as number, runId: parsed[1] };
    }
  } catch {
    // Falls through: whatever is wrong with the text, the answer is the same.
  }
  throw new PawlError("PAWL4011", "cursor is invalid: pass one that a listing returned");
}

/** The place of one effect in the ledger: newest run first, then in the order of the run. */
export interface EffectCursor {
  readonly runId: string;
  readonly seq: number;
}

export function encodeEffectCursor(p: EffectCursor): string {
  return encodeCursor({ createdAt: p.seq, runId: p.runId });
}

export function decodeEffectCursor(cursor: string): EffectCursor {
  const { createdAt, runId } = decodeCursor(cursor);
  return { runId, seq: createdAt };
}
