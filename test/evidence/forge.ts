// Makes archives that lie, for the golden files: takes a true one apart, changes it, and puts it together as somebody would who
// has the source of Pawl: with digests that fit, and where asked with hashes, keys and links that fit. Nothing in the package imports it.
import { createHash } from "node:crypto";
import { payloadHash } from "../../src/events/hash-chain.ts";
import { chainLink } from "../support/chain-link.ts";
import { effectLine, operatorLine } from "../../src/log/evidence-events.ts";
import { idempotencyKey } from "../../src/events/event-key.ts";
import type { EventRecord } from "../../src/store/port.ts";
import { archiveOf, membersOf } from "./archive.ts";

/** An event of an archive, with its payload beside it. */
export interface Piece {
  event: Record<string, any>;
  /** As in payloads.jsonl. */
  shown: Record<string, any> | null;
  /** What the payload says. */
  payload: any;
}

export interface Forged {
  pieces: Piece[];
  members: Map<string, string>;
  manifest: Record<string, any>;
}

const linesOf = (text: string | undefined): Record<string, any>[] =>
  (text ?? "")
    .split("\n")
    .filter((l) => l !== "")
    .map((l) => JSON.parse(l) as Record<string, any>);
const textOf = (lines: readonly unknown[]): string => lines.map((l) => `${JSON.stringify(l)}\n`).join("");
const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export function forge(
  archive: Uint8Array,
  lie: (f: Forged) => void,
  o: { rechain?: boolean | "as numbered"; key?: string; listed?: boolean } = {},
): Uint8Array {
  const members = membersOf(archive);
  const shown = new Map(linesOf(members.get("payloads.jsonl")).map((p) => [p["runSeq"] as number, p]));
  const pieces = linesOf(members.get("events.jsonl")).map((event): Piece => {
    const s = shown.get(event["runSeq"] as number) ?? null;
    return { event, shown: s, payload: s === null ? null : JSON.parse(s["payload"] as string) };
  });
  const f: Forged = { pieces, members, manifest: JSON.parse(members.get("manifest.json")!) as Record<string, any> };
  lie(f);
  if (o.rechain === true) f.pieces.forEach((p, i) => (p.event["runSeq"] = i + 1));
  if (o.rechain !== undefined && o.rechain !== false) rechain(f);
  members.set("events.jsonl", textOf(f.pieces.map((p) => p.event)));
  members.set("payloads.jsonl", textOf(f.pieces.flatMap((p) => (p.shown === null ? [] : [p.shown]))));
  members.set("manifest.json", jsonText(f.manifest));
  return archiveOf(members, o);
}

/** Everything that can be computed fits again: payload hashes, keys, links, head, the lines beside the log. */
function rechain(f: Forged): void {
  const { run, definition, head } = f.manifest;
  const chainRun = { runId: run.runId, scope: run, planId: definition.workflow, planVersion: definition.version };
  const ordinals = new Map<string, number>();
  let [prev, sealed, version]: [string, number | null, number] = ["", null, 0];
  const records = f.pieces.map((p): EventRecord => {
    const e = p.event;
    if (e["stepId"] === undefined) ordinals.set(e["eventType"], (ordinals.get(e["eventType"]) ?? 0) + 1);
    if (e["stepId"] === undefined) e["logicalAttemptId"] = ordinals.get(e["eventType"]);
    e["idempotencyKey"] = idempotencyKey({ ...(e as any), stepId: e["stepId"] ?? null });
    if (p.shown !== null) {
      p.shown = { runSeq: e["runSeq"], salt: p.shown["salt"] ?? "00", payload: JSON.stringify(p.payload) };
      e["payloadHash"] = payloadHash(p.shown["salt"] as string, p.shown["payload"] as string);
    }
    const times = { emittedAt: Date.parse(e["emittedAt"]), persistedAt: Date.parse(e["persistedAt"]) };
    const record = { ...(e as any), ...times, stepId: e["stepId"] ?? null, payloadHash: e["payloadHash"] ?? null } as EventRecord;
    e["link"] = chainLink(prev, version !== 0 && version !== record.stateVersion ? sealed : null, chainRun, record);
    [prev, sealed, version] = [e["link"] as string, times.persistedAt, record.stateVersion];
    return { ...record, payload: (p.shown?.["payload"] as string | undefined) ?? null };
  });
  Object.assign(head, { runSeq: records.at(-1)?.runSeq, link: prev });
  const besides = (of: typeof effectLine): string => textOf(records.map((r) => of(r, r.payload)).filter((l) => l !== null));
  f.members.set("effects.jsonl", besides(effectLine));
  f.members.set("operators.jsonl", besides(operatorLine));
  for (const name of ["ledger.jsonl", "proof.json"]) f.members.delete(name);
}

/** The first event of this type, and of this step if one is named. */
export function find(f: Forged, eventType: string, stepId?: string): Piece {
  const found = f.pieces.find(
    (p) => p.event["eventType"] === eventType && (stepId === undefined || (p.event["stepId"] ?? p.payload?.stepId) === stepId),
  );
  if (found === undefined) throw new Error(`no ${eventType} ${stepId ?? ""}`);
  return found;
}

/** Another event after `piece`, in a Commit of its own `afterMs` later; all that follows moves with it. */
export function insertAfter(f: Forged, piece: Piece, event: Record<string, any>, payload: unknown, afterMs = 0): Piece {
  const at = f.pieces.indexOf(piece);
  const digits = createHash("sha256").update(`${f.pieces.length}`).digest("hex");
  const made: Piece = {
    event: { ...piece.event, eventId: `${digits.slice(0, 8)}-0000-4000-8000-${digits.slice(0, 12)}`, ...event },
    shown: payload === null ? null : { salt: digits.slice(0, 32) },
    payload,
  };
  if (made.event["stepId"] === undefined) delete made.event["stepId"];
  if (payload === null) delete made.event["payloadHash"];
  f.pieces.splice(at + 1, 0, made);
  for (const p of f.pieces.slice(at + 1)) {
    p.event["stateVersion"] += 1;
    p.event["persistedAt"] = new Date(Date.parse(p.event["persistedAt"]) + afterMs).toISOString();
  }
  return made;
}
