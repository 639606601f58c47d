// What an engine does at its start about live runs that no code here serves. "shared": nothing, they belong to other engines (K5). "strict": it refuses to
// start, before anything is published, enlisted or claimed. "skip": it starts, and logs and counts each of them once. It reads and writes nothing else, and
// must never be asked for over HTTP: only who starts a process may leave runs behind.
import type { Scope } from "../core/model.ts";
import { PawlError } from "../errors/error.ts";
import type { RunRow, Store } from "../store/port.ts";
import { isPinned } from "../store/rules.ts";
import type { Definition } from "./definition.ts";
import type { Metrics } from "./metrics.ts";
import type { Logger } from "./run-host.ts";
import type { OnVersionChange } from "./version-binding.ts";

/** What an engine does about live runs that no code here serves. */
export type Recovery = "shared" | "strict" | "skip";

export interface RecoveryCheck {
  readonly recovery: Recovery;
  readonly store: Store;
  readonly scope: Scope;
  readonly definition: (workflow: string) => Definition | undefined;
  readonly onVersionChange: OnVersionChange;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const pageMax = 1_000;
/** So many workflows and ids are named; all are counted. */
const namedMax = 10;

export async function checkRecovery(c: RecoveryCheck, nowMs: number): Promise<void> {
  if (c.recovery === "shared") return;
  const counts = new Map<string, number>();
  const ids: string[] = [];
  for await (const row of liveRuns(c)) {
    if (isServedHere(c, row, nowMs)) continue;
    if (c.recovery === "skip") skip(c, row);
    const name = `${row.workflow} version ${row.version}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (ids.length < namedMax) ids.push(row.workflowId);
  }
  if (c.recovery === "strict" && counts.size > 0) throw refusal(counts, ids);
}

async function* liveRuns({ store, scope }: RecoveryCheck): AsyncGenerator<RunRow> {
  let cursor: string | undefined;
  do {
    const page = await store.runs({
      scope,
      status: ["PENDING", "RUNNING", "PAUSED"],
      limit: pageMax,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const row of page.runs) if (row.origin === "engine") yield row;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** As the claim and onVersionChange would have it: other versions are continued, unless the run or the engine forbids it. */
function isServedHere({ definition, onVersionChange }: RecoveryCheck, row: RunRow, nowMs: number): boolean {
  const d = definition(row.workflow);
  if (d === undefined) return false;
  return d.version === row.version || (onVersionChange !== "strict" && !isPinned(row, nowMs));
}

function skip({ log, metrics }: RecoveryCheck, { runId, workflowId, workflow, version }: RunRow): void {
  metrics.add("pawl_recovery_skipped_total");
  log("warn", `run ${runId} is not continued by this engine: no code here serves ${workflow} version ${version}`, {
    event: "recovery.skipped",
    runId,
    workflowId,
    workflow,
    version,
  });
}

function refusal(counts: ReadonlyMap<string, number>, ids: readonly string[]): PawlError {
  const runs = [...counts.values()].reduce((a, b) => a + b, 0);
  const named = [...counts].slice(0, namedMax).map(([name, n]) => `${name} (${n})`);
  const more = counts.size > namedMax ? ` and ${counts.size - namedMax} more` : "";
  const what = `${runs === 1 ? "1 live run belongs" : `${runs} live runs belong`} to workflows that no code here serves`;
  return new PawlError("PAWL5062", `${what}: ${named.join(", ")}${more}; nothing was resumed`, {
    data: { runs, workflows: named.join(", "), workflowIds: ids.join(", ") },
  });
}
