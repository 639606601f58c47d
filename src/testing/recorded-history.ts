// The log of a run as it is given to a replay: the events themselves, or the text that the command line prints. It only reads; whether the
// events are a run's, and of which workflow, is for those who replay them.
import type { RunEventRecord } from "../core/contract.ts";
import { PawlError } from "../errors/error.ts";

/** What `handle.events()` gives, or `pawl events --json` or `--jsonl` prints. */
export type RecordedHistory = string | Iterable<RunEventRecord> | AsyncIterable<RunEventRecord>;

export async function historyEvents(history: RecordedHistory): Promise<RunEventRecord[]> {
  if (typeof history !== "string") {
    const given = history as Partial<Iterable<unknown> & AsyncIterable<unknown>> | null | undefined;
    if (given?.[Symbol.iterator] === undefined && given?.[Symbol.asyncIterator] === undefined)
      throw new PawlError("PAWL4011", "a history is a list of events, or the text of one");
    return collected(history);
  }
  const text = history.trim();
  try {
    if (text.startsWith("[")) return JSON.parse(text) as RunEventRecord[];
    return text.split("\n").map((line) => JSON.parse(line) as RunEventRecord);
  } catch (e) {
    throw new PawlError("PAWL4011", "the history is no JSON list of events, and no line of it is one", { cause: e });
  }
}

async function collected(history: Iterable<RunEventRecord> | AsyncIterable<RunEventRecord>): Promise<RunEventRecord[]> {
  const all: RunEventRecord[] = [];
  for await (const e of history) all.push(e);
  return all;
}
