// The text of a snapshot, and its digest. The text is JSON with its members always in the same order: what the same events fold to has the same
// bytes. Reading is strict: a text that is not of this version, or says nothing sensible, is no snapshot (undefined).
import type { RunStatus } from "../../core/model.ts";
import { styleFold } from "../../core/fold/style-fold.ts";
import type { RunStartPayload, StepStartedPayload } from "../../events/payload.ts";
import { deflateText, inflateText } from "../../platform/compress.ts";
import { sha256Hex } from "../../platform/crypto/hash.ts";
import type { SnapshotRecord } from "../../store/port.ts";
import type { OpenConfirmation } from "../effects/confirm-record.ts";
import type { ToolCallRef, ToolCalls } from "../effects/tool-calls.ts";
import type { LogFold } from "../fold/log-fold.ts";
import type { RecordedStep } from "../fold/recorded-step.ts";
import { BaseFold, type EffectRef } from "./base.ts";

const bodyVersion = 1;

/** What differs from a step that was just started is written, nothing else. */
interface StepData extends Partial<Omit<RecordedStep, "stepId" | "started" | "runSeq" | "outcome" | "firstAt" | "heartbeat">> {
  readonly id: string;
  readonly seq: number;
  /** Without its digest: what an open step was called with is taken for true. */
  readonly started: Omit<StepStartedPayload, "digest">;
  readonly firstAt: number;
  readonly heartbeat?: unknown;
}
interface BaseData {
  readonly head: number;
  readonly start: RunStartPayload;
  readonly startedAt: number | null;
  readonly now: number;
  readonly emittedAt: number;
  readonly status: RunStatus | null;
  readonly ordinals: readonly (readonly [string, number])[];
  readonly steps: readonly StepData[];
  readonly refs?: readonly EffectRef[];
  readonly undoLost?: readonly string[];
  readonly called?: readonly string[];
  readonly toolCalls?: readonly ToolCallRef[];
  readonly toolTotals?: ToolCalls["totals"];
  readonly views?: number;
  readonly refused?: number;
  readonly decision?: string;
  readonly lost?: string;
  readonly gone?: readonly string[];
  readonly diverged?: true;
  readonly asksAt?: number;
  readonly seal?: NonNullable<LogFold["lastSeal"]>;
  readonly activation?: string;
  readonly accepted?: readonly string[];
  readonly warned?: readonly (readonly [string, number])[];
  readonly unconfirmed?: OpenConfirmation;
}
interface BodyData {
  readonly v: number;
  readonly base: BaseData;
  readonly style: { readonly name: string; readonly v: number; readonly state: unknown };
}

/** A text of more characters is stored deflated: ids and places repeat, and every owner reads them. */
const plainMax = 2_048;
/** No snapshot is larger; what unfolds to more is none. */
const textBytesMax = 256 * 1_024 * 1_024;
const packedMark = "z";

function pack(text: string): string {
  return text.length <= plainMax ? text : packedMark + deflateText(text);
}
function unpack(body: string): string {
  return body.startsWith(packedMark) ? inflateText(body.slice(packedMark.length), textBytesMax) : body;
}

/** Of the text, length-framed, so that no other run, place or text has this preimage. Null: the body cannot be read. */
export function snapshotDigest(runId: string, at: number, body: string): string | null {
  const place = String(at);
  try {
    const text = unpack(body);
    return `sha256:${sha256Hex(`${runId.length}:${runId}${place.length}:${place}${text.length}:${text}`)}`;
  } catch {
    return null;
  }
}

/** What the fold would be written as; only of one that is resumable. */
export function makeSnapshot(runId: string, f: BaseFold): SnapshotRecord {
  const at = f.headSeq;
  const body = pack(encodeBody(f));
  return { runId, at, digest: snapshotDigest(runId, at, body)!, body };
}

/** Which fold makes these texts. */
export function foldVersion(f: BaseFold): string {
  return `${bodyVersion}.${f.style!.name}.${f.style!.fold.v}`;
}

function encodeBody(f: BaseFold): string {
  const { name, fold, state } = f.style!;
  const body: BodyData = { v: bodyVersion, base: encodeBase(f), style: { name, v: fold.v, state: fold.encode(state) } };
  return JSON.stringify(body);
}

/** Parts are made again each time they are asked for: who gets one may change it in place, as reading a value does. */
export interface Body {
  readonly styleName: string;
  readonly base: () => BaseData;
  readonly state: () => unknown;
}

/** Undefined: of another version, of a style that is not known here, or no snapshot at all. */
export function decodeBody(stored: string): Body | undefined {
  try {
    const text = unpack(stored);
    const data = JSON.parse(text) as BodyData;
    const fold = styleFold(data.style.name);
    if (data.v !== bodyVersion || fold === undefined || data.style.v !== fold.v) return undefined;
    const again = (): BodyData => JSON.parse(text) as BodyData;
    const body: Body = { styleName: data.style.name, base: () => again().base, state: () => fold.decode(again().style.state) };
    baseOf(body);
    return body;
  } catch {
    return undefined;
  }
}

/** What a fold would be written as, read again: what a history begins with. */
export function bodyOf(f: BaseFold): Body {
  return decodeBody(encodeBody(f))!;
}

/** The fold as it stood when the body was written. */
export function baseOf(body: Body): BaseFold {
  const f = new BaseFold();
  const data = body.base();
  restoreFold(f, data);
  const { head, now, refs = [], undoLost = [], called = [] } = data;
  f.restoreHead(head);
  f.nowMs = now;
  for (const r of refs) f.refs.set(r.stepId, r);
  f.undoLost.push(...undoLost);
  f.called.push(...called);
  f.toolCalls.restore(data.toolCalls ?? [], data.toolTotals ?? []);
  f.style = { name: body.styleName, fold: styleFold(body.styleName)!, state: body.state() };
  return f;
}

function encodeBase(f: BaseFold): BaseData {
  return {
    head: f.headSeq,
    start: f.start,
    startedAt: f.startedEmittedAt,
    now: f.nowMs,
    emittedAt: f.lastEmittedAt,
    status: f.derived.status,
    ordinals: [...f.ordinals],
    steps: [...f.steps.values()].map(encodeStep),
    ...some("refs", [...f.refs.values()]),
    ...some("undoLost", f.undoLost),
    ...some("called", f.called),
    ...some("toolCalls", f.toolCalls.refs),
    ...some("toolTotals", f.toolCalls.totals),
    ...(f.viewsPublished === 0 ? {} : { views: f.viewsPublished }),
    ...(f.callsRefused === 0 ? {} : { refused: f.callsRefused }),
    ...(f.decision === null ? {} : { decision: f.decision }),
    ...(f.lost === undefined ? {} : { lost: f.lost }),
    ...some("gone", [...f.goneWithout]),
    ...(f.diverged ? { diverged: true } : {}),
    ...(f.asksAt === null ? {} : { asksAt: f.asksAt }),
    ...(f.lastSeal === null ? {} : { seal: f.lastSeal }),
    ...(f.lastActivation === null ? {} : { activation: f.lastActivation }),
    ...some("accepted", [...f.confirmations.accepted]),
    ...some("warned", [...f.confirmations.warned]),
    ...(f.confirmations.open === null ? {} : { unconfirmed: f.confirmations.open }),
  };
}

/** What a base and a history share, as the body has it. */
export function restoreFold(f: LogFold, b: BaseData): void {
  f.start = b.start;
  f.startedEmittedAt = b.startedAt;
  f.lastEmittedAt = b.emittedAt;
  f.derived.status = b.status;
  for (const [type, n] of b.ordinals) f.ordinals.set(type, n);
  for (const s of b.steps) restoreStep(f, s);
  f.viewsPublished = b.views ?? 0;
  f.callsRefused = b.refused ?? 0;
  f.decision = b.decision ?? null;
  f.lost = b.lost;
  for (const runId of b.gone ?? []) f.goneWithout.add(runId);
  f.diverged = b.diverged === true;
  f.asksAt = b.asksAt ?? null;
  f.lastSeal = b.seal ?? null;
  f.lastActivation = b.activation ?? null;
  for (const stepId of b.accepted ?? []) f.confirmations.accepted.add(stepId);
  for (const [stepId, epoch] of b.warned ?? []) f.confirmations.warned.set(stepId, epoch);
  f.confirmations.open = b.unconfirmed === undefined ? null : { ...b.unconfirmed };
}

function encodeStep(s: RecordedStep): StepData {
  const { digest: _, ...started } = s.started;
  return {
    id: s.stepId,
    seq: s.runSeq,
    started,
    firstAt: s.firstAt,
    ...(s.lastAt === s.firstAt ? {} : { lastAt: s.lastAt }),
    ...(s.queue === null ? {} : { queue: s.queue }),
    ...(s.attempt === 1 ? {} : { attempt: s.attempt }),
    ...(s.engineAttempt === 1 ? {} : { engineAttempt: s.engineAttempt }),
    ...(s.state === "open" ? {} : { state: s.state }),
    ...(s.retryAt === null ? {} : { retryAt: s.retryAt }),
    ...(s.heartbeat === undefined ? {} : { heartbeat: s.heartbeat }),
    ...(s.inDoubt === null ? {} : { inDoubt: s.inDoubt }),
    ...(s.doubtSeq === 0 ? {} : { doubtSeq: s.doubtSeq }),
    ...(s.awaitingApproval ? { awaitingApproval: true } : {}),
    ...(s.mayHaveBeenSent ? { mayHaveBeenSent: true } : {}),
    ...(s.proposal === null ? {} : { proposal: s.proposal }),
    ...(s.votes.length === 0 ? {} : { votes: s.votes }),
    ...(s.held === null ? {} : { held: s.held }),
    ...(s.skipping ? { skipping: true } : {}),
  };
}

function restoreStep(f: LogFold, d: StepData): void {
  const { id: stepId, seq: runSeq, attempt = 1, state = "open", firstAt } = d;
  f.steps.set(stepId, {
    stepId,
    started: { ...d.started, digest: "" },
    runSeq,
    attempt,
    engineAttempt: d.engineAttempt ?? 1,
    firstAt,
    lastAt: d.lastAt ?? firstAt,
    queue: d.queue ?? null,
    state,
    retryAt: d.retryAt ?? null,
    heartbeat: d.heartbeat,
    inDoubt: d.inDoubt ?? null,
    doubtSeq: d.doubtSeq ?? 0,
    awaitingApproval: d.awaitingApproval ?? false,
    mayHaveBeenSent: d.mayHaveBeenSent ?? false,
    proposal: d.proposal ?? null,
    votes: d.votes ?? [],
    held: d.held ?? null,
    skipping: d.skipping ?? false,
    outcome: null,
  });
  f.derived.steps.set(stepId, { attempt, status: state === "retrying" ? "FAILED" : "RUNNING" });
}

function some<K extends string, T>(name: K, list: readonly T[]): Partial<Record<K, readonly T[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Partial<Record<K, readonly T[]>>);
}
