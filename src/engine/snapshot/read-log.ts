// Reads the log of a claimed run: from its newest snapshot on where its code can begin there, else from event 1. A snapshot is used only if the
// log after it announces it with the digest that it has: a row that is missing, old, changed or another run's is counted and passed over.
// Whatever it reads from, the run behaves the same.
import type { Definition } from "../definition.ts";
import type { RunHost } from "../run-host.ts";
import { HistoryFold, type History } from "../run/history.ts";
import { readEvents } from "../run/read-events.ts";
import { pawlEvents, readPayload, type SnapshotPayload } from "../../events/payload.ts";
import type { EventRecord, RunRow, SnapshotRecord } from "../../store/port.ts";
import type { ToolCallRef, ToolCalls } from "../effects/tool-calls.ts";
import type { ResumePoint, Style } from "../style.ts";
import { BaseFold, type EffectRef } from "./base.ts";
import { styleFold } from "../../core/fold/style-fold.ts";
import { baseOf, bodyOf, decodeBody, restoreFold, snapshotDigest, type Body } from "./body.ts";

/** What code that begins in the middle is given of what came before. */
export interface ResumeFrom {
  readonly at: number;
  readonly point: ResumePoint;
  readonly nowMs: number;
  readonly viewsPublished: number;
  readonly refs: readonly EffectRef[];
  readonly undoLost: readonly string[];
  readonly called: readonly string[];
  readonly toolCalls: readonly ToolCallRef[];
  readonly toolTotals: ToolCalls["totals"];
}
export interface ReadLog {
  readonly history: History;
  /** The fold that the owner continues; null: the run has no snapshots. */
  readonly fold: BaseFold | null;
  /** Of a style with marks: what the log has after the last one, which the fold has not. */
  readonly unfolded: readonly EventRecord[];
  /** Null: from event 1. */
  readonly from: ResumeFrom | null;
}

/** `whole`: replayed from event 1, whatever there is. */
export async function readLog(host: RunHost, row: RunRow, definition: Definition | null, whole: boolean = false): Promise<ReadLog> {
  const style = definition?.style;
  const read = async (after: number): Promise<EventRecord[]> => {
    const events = await readEvents(host.store, row.runId, after);
    host.metrics.add("pawl_events_read_total", events.length);
    return events;
  };
  if (style === undefined) return { history: wholeHistory(await read(0)), fold: null, unfolded: [], from: null };
  for (let upTo = whole ? 0 : row.headSeq; upTo > 0;) {
    const [found] = await host.store.snapshots({ runId: row.runId, upTo, limit: 1 });
    if (found === undefined) break;
    const tail = await read(found.at);
    const body = vouchedBody(row.runId, found, tail);
    const fold = body === null || body.styleName !== style.name ? null : baseOf(body);
    const continued = fold === null || fold.headSeq !== found.at ? null : fromFold(style, host.limits.openStepsMax, fold, tail);
    if (continued !== null) {
      host.metrics.add("pawl_snapshots_used_total");
      return continued;
    }
    host.metrics.add("pawl_snapshots_ignored_total");
    host.log("warn", `run ${row.runId}: its snapshot at event ${found.at} cannot be used, its log is read instead`, { runId: row.runId });
    upTo = found.at - 1;
  }
  const events = await read(0);
  // Code that begins after marks begins at the last one, with or without a snapshot: the same code runs, whatever the cache has.
  const continued =
    whole || styleFold(style.name)?.mark === undefined ? null : fromFold(style, host.limits.openStepsMax, new BaseFold(), events);
  if (continued !== null) return continued;
  return { history: wholeHistory(events), ...foldToMark(new BaseFold(), events), from: null };
}

function wholeHistory(events: readonly EventRecord[]): History {
  const fold = new HistoryFold();
  for (const e of events) fold.add(e);
  return fold;
}

/** All of it; of a style with marks up to the last one, and what remains. */
function foldToMark(fold: BaseFold, events: readonly EventRecord[]): { fold: BaseFold; unfolded: readonly EventRecord[] } {
  let at = 0;
  while (at < events.length && fold.style === null) fold.add(events[at++]!);
  const last = fold.mark === undefined ? events.length - 1 : events.findLastIndex((e) => e.eventType === fold.mark);
  while (at <= last) fold.add(events[at++]!);
  return { fold, unfolded: events.slice(at) };
}

/** Null: this code cannot begin there, or the events do not continue the fold. */
function fromFold(style: Style, openStepsMax: number, fold: BaseFold, tail: readonly EventRecord[]): ReadLog | null {
  const { unfolded: rest } = fold.mark === undefined && fold.headSeq > 0 ? { unfolded: tail } : foldToMark(fold, tail);
  if (!fold.isResumable || fold.isBroken || fold.style?.name !== style.name) return null;
  const body = bodyOf(fold);
  const { nowMs, viewsPublished, headSeq: at } = fold;
  const open = [...fold.steps.values()].map(({ stepId, runSeq, started }) => ({ stepId, runSeq, started }));
  const point = { state: body.state(), open };
  if (!style.accepts(point, openStepsMax)) return null;
  const from: ResumeFrom = {
    at,
    point,
    nowMs,
    viewsPublished,
    refs: [...fold.refs.values()],
    undoLost: [...fold.undoLost],
    called: [...fold.called],
    toolCalls: fold.toolCalls.refs,
    toolTotals: fold.toolCalls.totals,
  };
  const history = new HistoryFold();
  restoreFold(history, body.base());
  history.lastPersistedAt = fold.lastPersistedAt;
  for (const { stepId, runSeq, started } of open) history.schedule.push({ type: "call", stepId, started, runSeq, isRestored: true });
  const continued = fold.mark === undefined ? fold : baseOf(body);
  for (const e of rest) {
    continued.add(e);
    history.add(e);
  }
  return continued.isBroken ? null : { history, fold, unfolded: fold.mark === undefined ? [] : rest, from };
}

/** The body, if the log after it announces exactly this one. */
export function vouchedBody(
  runId: string,
  found: Pick<SnapshotRecord, "at" | "digest" | "body">,
  tail: Iterable<EventRecord>,
): Body | null {
  const digest = snapshotDigest(runId, found.at, found.body);
  if (digest === null || digest !== found.digest) return null;
  for (const e of tail) {
    if (e.eventType !== pawlEvents.snapshot) continue;
    const said = readPayload<SnapshotPayload>(e.payload);
    if (said.at === found.at && said.digest === digest) return decodeBody(found.body) ?? null;
  }
  return null;
}
