// Reads the run chain of a run from the store: the logs of all runs that it retries, restarts or was forked from, directly or through others. A run
// that continues another (continue-as-new) begins a chain of its own. It must never skip a run whose log is gone: what that run sent
// would be sent again (I7).
import { inputDigest } from "../../codec/canonical.ts";
import type { RunRow, Store } from "../../store/port.ts";
import { type ManualUndo, findManualUndo } from "./manual-undo.ts";
import { noInputDigest } from "../create-run.ts";
import { readHistory, type History } from "../run/history.ts";
import { RunChain, type EarlierRun } from "./run-chain.ts";
import { readEvents } from "../run/read-events.ts";

interface ReadRunChain {
  /** Null: it is the first of its chain. */
  readonly chain: RunChain | null;
  /** A run of it that has lost its log, or is not in this store. */
  readonly lost: string | null;
  /** What the run before did after the failure that ended it. */
  readonly manualUndo: ManualUndo | null;
  /** The first run of it continues another (continue-as-new). */
  readonly isContinuation: boolean;
}

/** The run that this one retries or restarts, or was forked from to take over what that one did. */
function previousRun({ retryOf, restartOf, fork }: History["start"]): string | undefined {
  return retryOf ?? restartOf ?? (fork?.effects === "adopt" ? fork.runId : undefined);
}

export async function readRunChain(store: Store, start: History["start"], input: string | null): Promise<ReadRunChain> {
  const first = previousRun(start);
  if (first === undefined) return { chain: null, lost: null, isContinuation: start.continuedFrom !== undefined, manualUndo: null };
  const { earlier, lost } = await earlierRuns(store, first);
  const continued = earlier[0]?.history.start.continuedFrom !== undefined;
  const line = new RunChain(earlier, { start, runInput: runInputDigest(input) });
  return { chain: line, lost, isContinuation: continued, manualUndo: earlier.at(-1)?.manualUndo ?? null };
}

/** The runs of the chain up to and with this one, oldest first. */
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
    earlier.push({
      runId,
      history,
      runInput: runInputDigest(input === undefined ? null : JSON.stringify(input)),
      manualUndo: findManualUndo(history),
    });
    runId = previousRun(history.start);
  }
  return { earlier: earlier.reverse(), lost: null };
}

/** A child that was called without an input has `undefined` for one, written out; its schema leaves nothing of it. */
const undefinedText = '{"$pawl":"undefined"}';

function runInputDigest(input: string | null): string {
  return input === null || input === undefinedText ? noInputDigest : inputDigest(input);
}
