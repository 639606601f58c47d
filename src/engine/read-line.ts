// Reads the line of a run from the store: the logs of all runs that it retries or restarts, directly or over others. A run that
// continues another begins a new line of its own. It must never pass over a run whose log is gone: what that one let leave would be
// sent again (I7).
import { inputDigest } from "../codec/canonical.ts";
import type { RunRow, Store } from "../store/port.ts";
import { type ByHand, undoneByHand } from "./by-hand.ts";
import { noInput } from "./create.ts";
import { readHistory, type History } from "./history.ts";
import { Line, type EarlierRun } from "./line.ts";
import { readEvents } from "./read-events.ts";

interface ReadLine {
  /** Null: it is the first of its line. */
  readonly line: Line | null;
  /** A run of it that has lost its log, or is not in this store. */
  readonly lost: string | null;
  /** What the run before did after the failure that ended it. */
  readonly byHand: ByHand | null;
  /** The first run of it continues another (continue-as-new). */
  readonly continued: boolean;
}

/** The run that this one goes on from. */
function runBefore(start: History["start"]): string | undefined {
  return start.retryOf ?? start.restartOf;
}

export async function readLine(store: Store, start: History["start"], input: string | null): Promise<ReadLine> {
  const first = runBefore(start);
  if (first === undefined) return { line: null, lost: null, continued: start.continuedFrom !== undefined, byHand: null };
  const { earlier, lost } = await earlierRuns(store, first);
  const continued = earlier[0]?.history.start.continuedFrom !== undefined;
  const line = new Line(earlier, { start, runInput: digestOf(input) });
  return { line, lost, continued, byHand: earlier.at(-1)?.byHand ?? null };
}

/** The runs of the line up to and with this one, oldest first. */
export async function earlierRuns(
  store: Store,
  last: string,
): Promise<{ readonly earlier: readonly EarlierRun[]; readonly lost: string | null }> {
  const earlier: EarlierRun[] = [];
  for (let runId: string | undefined = last; runId !== undefined;) {
    const row: RunRow | undefined = await store.run({ runId });
    if (row === undefined || row.expiredAt !== null) return { earlier: earlier.reverse(), lost: runId };
    const history: History = readHistory(await readEvents(store, runId));
    const { input } = history.start;
    earlier.push({ runId, history, runInput: digestOf(input === undefined ? null : JSON.stringify(input)), byHand: undoneByHand(history) });
    runId = runBefore(history.start);
  }
  return { earlier: earlier.reverse(), lost: null };
}

/** A child that was called without an input has `undefined` for one, written out; its schema leaves nothing of it. */
const undefinedText = '{"$pawl":"undefined"}';

function digestOf(input: string | null): string {
  return input === null || input === undefinedText ? noInput : inputDigest(input);
}
