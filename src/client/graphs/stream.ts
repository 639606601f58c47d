// A graph as a stream: what its supersteps returned, the state after each, the questions of its nodes; from the log, then as the log grows. A place
// in the stream is a place in the log, so any process can continue where another stopped. It must never show what is not committed.
import type { GraphStreamItem, GraphStreamMode, GraphStreamOptions } from "../../api/types/graph-stream.ts";
import type { OpenQuestion } from "../../api/types/questions.ts";
import { isSettled } from "../../core/model.ts";
import { PawlError } from "../../errors/error.ts";
import { toTimeText } from "../../events/envelope.ts";
import { GraphStream, type StreamPlace } from "./stream-fold.ts";
import { decisionId } from "../../events/open-decisions.ts";
import type { AskedQuestion } from "../../events/open-questions.ts";
import { readPayload, type RunStartPayload } from "../../events/payload.ts";
import type { RunRow } from "../../store/port.ts";
import { requireLog } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { requireRun } from "../find-run.ts";
import { questionView } from "../questions/list.ts";
import { hubOf } from "../streams/hub.ts";

/** `place`: absent for the end. */
export interface StreamedItem {
  readonly item: GraphStreamItem;
  readonly place?: StreamPlace;
}

const modes: readonly GraphStreamMode[] = ["updates", "values", "questions"];
const pageEvents = 200;
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
  const fold = new GraphStream(checkModes(o.modes), from ?? checkAfter(o.after), (q) => questionOf(row, q));
  const [started] = await c.store.events({ runId: row.runId, after: 0, limit: 1 });
  checkIsGraph(row.runId, started?.payload);
  return items(c, row, o, fold);
}

async function* items(
  c: LocalClientDeps,
  row: RunRow,
  o: GraphStreamOptions,
  fold: GraphStream,
): AsyncGenerator<StreamedItem, void, undefined> {
  const { runId } = row;
  const { heads } = hubOf(c.store, c.platform);
  const aborted = (): boolean => o.signal?.aborted === true;
  let after = 0;
  while (!aborted()) {
    // The row first: what is written meanwhile is read below, or is after it.
    const now = await c.store.run({ runId });
    const page = await c.store.events({ runId, after, limit: pageEvents });
    for (const e of page) {
      after = e.runSeq;
      for (const { item, place } of fold.add(e)) {
        if (aborted()) return;
        yield { item, place };
      }
    }
    if (page.length === pageEvents) continue;
    if (now === undefined || (isSettled(now.status) && after >= now.headSeq)) {
      yield { item: { mode: "end", status: (now ?? row).status } };
      return;
    }
    if (o.follow === false) return;
    if (page.length > 0) await new Promise<void>((resolve) => void c.platform.timer(gatherMs, resolve));
    else await heads.waitBeyond(runId, after, { signal: o.signal, events: true });
  }
}

export async function* streamGraph(c: LocalClientDeps, id: string, o: GraphStreamOptions = {}): AsyncGenerator<GraphStreamItem> {
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

function checkIsGraph(runId: string, started: string | null | undefined): void {
  if (started === undefined || readPayload<RunStartPayload>(started).style === "graph") return;
  throw new PawlError("PAWL4011", `run ${runId} is no graph: it has no supersteps`, { data: { runId } });
}

function questionOf({ runId, workflowId, workflow }: RunRow, q: AskedQuestion): OpenQuestion {
  const asked = { questionId: decisionId(runId, q.runSeq), text: q.text, askedAt: toTimeText(q.askedAt) };
  return { ...questionView(q), ...asked, runId, workflowId, workflow, kind: "question" };
}
