// A graph as a stream: what its supersteps returned, the state after each, the questions of its nodes; from the log, then as the log grows. A place
// in the stream is a place in the log, so any process can continue where another stopped. What is said while it runs has no place, and is given only to those
// who asked for it. It must never show anything else that is not committed.
import type { GraphStreamItem, GraphStreamMode, GraphStreamOptions } from "../../api/types/graph-stream.ts";
import type { OpenQuestion } from "../../api/types/questions.ts";
import { checkOptions } from "../../core/guarantee.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import type { EventRecord } from "../../events/event.ts";
import { toTimeText } from "../../events/envelope.ts";
import { LiveItems } from "./live-items.ts";
import { GraphStream, type StreamPlace } from "./stream-fold.ts";
import { decisionId } from "../../events/open-decisions.ts";
import type { AskedQuestion } from "../../events/open-questions.ts";
import { readPayload, type RunStartPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import { requireLog } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { requireRun } from "../find-run.ts";
import { kindOf, questionView } from "../questions/list.ts";
import { hubOf } from "../streams/hub.ts";

/** `place`: absent for the end, and for what is in no log. */
export interface StreamedItem {
  readonly item: GraphStreamItem;
  readonly place?: StreamPlace;
}

const modes: readonly GraphStreamMode[] = ["updates", "values", "questions", "tokens", "custom"];
const streamOptions = new Set(["modes", "after", "follow", "signal"]);
const pageEvents = 200;
/** A run's start is among these, unless it has not begun. */
const beginningEvents = 10;
/** Reads of one log are at least this far apart: a busy run is read in pages, not event by event. */
const gatherMs = 20;

/**
 * `from`: the place of the last item that arrived; else everything after superstep `o.after`. What is wrong with the request is said at once,
 * before anything is waited for.
 */
export async function openGraphStream(
  c: LocalClientDeps,
  row: RunRow,
  o: GraphStreamOptions,
  from?: StreamPlace,
): Promise<AsyncGenerator<StreamedItem, void, undefined>> {
  const asked = checkModes(o.modes);
  const fold = new GraphStream(asked, from ?? checkAfter(o.after), (q) => questionOf(row, q));
  checkIsGraph(row.runId, await c.store.events({ runId: row.runId, after: 0, limit: beginningEvents }));
  return items(c, row, o, fold, asked);
}

async function* items(
  c: LocalClientDeps,
  row: RunRow,
  o: GraphStreamOptions,
  fold: GraphStream,
  asked: readonly GraphStreamMode[],
): AsyncGenerator<StreamedItem, void, undefined> {
  const { runId } = row;
  const hears = o.follow !== false && (asked.includes("tokens") || asked.includes("custom"));
  const live = hears && c.engine !== null ? new LiveItems(c.engine.streams, runId, asked) : null;
  const { heads } = hubOf(c.store, c.platform);
  const over = new AbortController();
  const signal = o.signal === undefined ? over.signal : AbortSignal.any([over.signal, o.signal]);
  let after = 0;
  try {
    while (!signal.aborted) {
      // The row first: what is written meanwhile is read below, or is after it.
      const now = await c.store.run({ runId });
      const page = await c.store.events({ runId, after, limit: pageEvents });
      // What a step said comes before its outcome.
      for (const item of live?.take() ?? []) yield { item };
      for (const e of page) {
        after = e.runSeq;
        for (const { item, place } of fold.add(e)) {
          if (signal.aborted) return;
          yield { item, place };
        }
      }
      if (page.length === pageEvents) continue;
      if (now === undefined || (isSettled(now.status) && after >= now.headSeq)) {
        for (const item of live?.take() ?? []) yield { item };
        yield { item: { mode: "end", status: (now ?? row).status } };
        return;
      }
      if (o.follow === false) return;
      const more =
        page.length > 0
          ? new Promise<void>((resolve) => void c.platform.timer(gatherMs, resolve))
          : heads.waitBeyond(runId, after, { signal, events: true });
      if (live === null) await more;
      else yield* liveUntil(live, more);
    }
  } finally {
    over.abort(); // nothing waits for a reader that has gone
    live?.close();
  }
}

/** What is said until the log has more. */
async function* liveUntil(live: LiveItems, more: Promise<unknown>): AsyncGenerator<StreamedItem, void, undefined> {
  let isMore = false;
  const logGrew = more.then(() => void (isMore = true));
  for (;;) {
    const said = new Promise<void>((resolve) => live.whenSaid(resolve));
    await Promise.race([logGrew, said]);
    if (isMore) return;
    for (const item of live.take()) yield { item };
  }
}

export async function* streamGraph(c: LocalClientDeps, id: string, o: GraphStreamOptions = {}): AsyncGenerator<GraphStreamItem> {
  checkOptions(o, streamOptions, "stream");
  for await (const { item } of await openGraphStream(c, requireLog(await requireRun(c, id)), o)) yield item;
}

function checkModes(given: readonly GraphStreamMode[] = ["updates"]): readonly GraphStreamMode[] {
  if (!Array.isArray(given) || given.length === 0 || given.some((m) => !modes.includes(m as GraphStreamMode)))
    throw new PawlError("PAWL4011", `modes is a list of ${modes.join(", ")}`);
  return given as readonly GraphStreamMode[];
}

function checkAfter(after: number | undefined): StreamPlace {
  if (after === undefined) return { superstep: -1, index: 0 };
  if (!Number.isSafeInteger(after) || after < 0) throw new PawlError("PAWL4011", "after must be a superstep: a whole number of at least 0");
  return { superstep: after, index: Number.POSITIVE_INFINITY };
}

/** A run that has not begun may be one: who queued it need not have had its code. */
function checkIsGraph(runId: string, beginning: readonly EventRecord[]): void {
  const started = beginning.find((e) => e.eventType === "RunStarted");
  if (started === undefined || readPayload<RunStartPayload>(started.payload).style === "graph") return;
  throw new PawlError("PAWL4011", `run ${runId} is not a run of a graph: it has no supersteps`, { data: { runId } });
}

function questionOf({ runId, workflowId, workflow }: RunRow, q: AskedQuestion): OpenQuestion {
  const asked = { questionId: decisionId(runId, q.runSeq), text: q.text, askedAt: toTimeText(q.askedAt) };
  return { ...questionView(q), ...asked, runId, workflowId, workflow, kind: kindOf(q) };
}
