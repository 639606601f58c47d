// Keys that every store writes alike: the scope as one text, the storage key of a message, the cursor of a listing.
// Each encoding is injective and reversible (W-054 … W-056): components are percent-encoded, so that the separators
// cannot occur inside one. Never normalises case or Unicode form (W-052, W-053).
import { Buffer } from "node:buffer";
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { InboxKind, Notice } from "./port.ts";

export function scopeKey(s: Scope): string {
  return `${encodeURIComponent(s.tenantId)}/${encodeURIComponent(s.projectId)}/${encodeURIComponent(s.environmentId)}`;
}

export function scopeOf(key: string): Scope {
  const [tenantId = "", projectId = "", environmentId = ""] = key.split("/").map(decodeURIComponent);
  return { tenantId, projectId, environmentId };
}

const prefixes = { signal: "sig", update: "upd", control: "ctl", child: "chd" } as const satisfies Record<InboxKind, string>;
const kinds: Readonly<Record<string, InboxKind>> = { sig: "signal", upd: "update", ctl: "control", chd: "child" };

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

export function messageOf(key: string): MessageTuple | undefined {
  const [prefix = "", ...parts] = key.split(":");
  const kind = kinds[prefix];
  if (kind === undefined || parts.length !== 6) return undefined;
  const [tenantId = "", projectId = "", environmentId = "", workflowId = "", name = "", id = ""] = parts.map(decodeURIComponent);
  return { scope: { tenantId, projectId, environmentId }, workflowId, kind, name, id };
}

/** A notice is one notice per (toRunId, kind, name, id); its prefix keeps it apart from every message from outside. */
export function noticeKey(n: Notice): string {
  return `ntc:${[n.toRunId, n.kind, n.name, n.id].map(encodeURIComponent).join(":")}`;
}

/** The place of one run in a listing, newest first. */
export interface Place {
  readonly createdAt: number;
  readonly runId: string;
}

export function cursorOf(p: Place): string {
  return Buffer.from(JSON.stringify([p.createdAt, p.runId]), "utf8").toString("base64url");
}

export function placeOf(cursor: string): Place {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parsed) && Number.isSafeInteger(parsed[0]) && typeof parsed[1] === "string") {
      return { createdAt: parsed[0] as number, runId: parsed[1] };
    }
  } catch {
    // Falls through: whatever is wrong with the text, the answer is the same.
  }
  throw new PawlError("PAWL4011", "cursor: not one that a listing returned");
}
