// Which runs a fork still needs: until it has ended, a fork reads the log of the run that it was forked from, to begin and to know what may not be sent
// again. Each fork leaves a row under its source, in the Commit that creates it; retention asks here before it takes anything away. The rows
// are no authority: what decides is the status of the fork, and they go with the source.
import { isSettled, type Scope } from "../../core/model.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import type { KvWrite } from "../../store/reader-store.ts";

const forkShelf = "fork";
const pageSize = 100;
/** Forks of forks deeper than this are taken for needed: nobody makes such. */
const depthMax = 100;

export function forkRow(source: string, fork: string): KvWrite {
  return { collection: forkShelf, key: `${encodeURIComponent(source)}/${encodeURIComponent(fork)}`, value: "{}" };
}

/** A fork of it, or of a run that retries it, has not ended; nor may a retry of such a fork be open, nor a fork of that. */
export async function isForkSource(store: FullStore, scope: Scope, run: RunRow, depth = 0): Promise<boolean> {
  if (depth > depthMax) return true;
  for (const { runId } of await withRetries(store, scope, run))
    for await (const key of forkKeys(store, runId)) {
      const fork = await store.run({ runId: decodeURIComponent(key.slice(key.indexOf("/") + 1)) });
      if (fork === undefined) continue;
      if ((await withRetries(store, scope, fork)).some((r) => !isSettled(r.status))) return true;
      if (await isForkSource(store, scope, fork, depth + 1)) return true;
    }
  return false;
}

/** The source is gone: nobody asks for its forks any more. */
export async function forgetForks(store: FullStore, runId: string): Promise<void> {
  for await (const key of forkKeys(store, runId)) await store.kv.put([{ collection: forkShelf, key, value: null }]);
}

/** The run, and those that retry it, which read the same logs. */
async function withRetries(store: FullStore, scope: Scope, first: RunRow): Promise<readonly RunRow[]> {
  const all = [first];
  let run = await store.run({ scope, workflowId: first.workflowId });
  while (run !== undefined && run.runId !== first.runId) {
    if (run.rootRunId === first.rootRunId) all.push(run);
    run = run.originalRunId === null ? undefined : await store.run({ runId: run.originalRunId });
  }
  return all;
}

async function* forkKeys(store: FullStore, runId: string): AsyncGenerator<string> {
  const from = encodeURIComponent(runId);
  let after = `${from}/`;
  for (;;) {
    const rows = await store.kv.list({ collection: forkShelf, after, before: `${from}0`, limit: pageSize }); // 0 comes after /
    for (const { key } of rows) yield key;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.key;
  }
}
