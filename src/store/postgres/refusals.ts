// Why a Commit was not written. The rows in its way are read together, and the reasons are looked for in the order that
// all stores keep. What has no reason was only in somebody's way at that moment: it is undefined here, and asked again.
import { scopeKey } from "../keys.ts";
import { decide, type KnownRuns } from "../decide.ts";
import type { Commit, CommitAnswer, RunRow } from "../port.ts";
import { isCreate } from "./commit-sql.ts";
import { textArray } from "./wire/array-parameters.ts";
import { toRun } from "./rows.ts";
import type { BoundSession } from "./wire/session.ts";

interface ConflictingRows {
  sameId?: RunRow;
  holder?: RunRow;
  latest?: RunRow;
  nowMs: number;
}

async function readConflictingRows(r: BoundSession, commits: readonly Commit[]): Promise<ConflictingRows[]> {
  const creates = commits.map((c) => (isCreate(c) ? c.expect.create : null));
  const { rows } = await r.execute(
    "lookup",
    r.settings.clock(),
    textArray(commits.map((c) => c.runId)),
    textArray(creates.map((n) => (n === null ? null : scopeKey(n.scope)))),
    textArray(creates.map((n) => n?.idempotencyKey ?? null)),
    textArray(creates.map((n) => n?.workflowId ?? null)),
  );
  const found: ConflictingRows[] = commits.map(() => ({ nowMs: 0 }));
  for (const row of rows) {
    const f = found[Number(row["place"]) - 1];
    if (f === undefined) continue;
    f.nowMs = Number(row["now_ms"]);
    const run = toRun(row);
    if (row["tag"] === "id") f.sameId = run;
    else if (row["tag"] === "key") f.holder = run;
    else f.latest = run;
  }
  return found;
}

export async function refusalsOf(r: BoundSession, commits: readonly Commit[]): Promise<(CommitAnswer | undefined)[]> {
  if (commits.length === 0) return [];
  const found = await readConflictingRows(r, commits);
  const answers: (CommitAnswer | undefined)[] = [];
  for (const [i, c] of commits.entries()) {
    const f = found[i] ?? { nowMs: 0 };
    // A Commit that was applied before is answered with what became of its children, and they are read for it.
    const known = f.sameId?.commitId === c.commitId && c.children.length > 0 ? await childrenOf(r, c, f) : knownFrom(f);
    answers.push(decide(c, known, f.nowMs).answer);
  }
  return answers;
}

/** What was read for one Commit, whatever it asks for. */
function knownFrom(f: ConflictingRows): KnownRuns {
  return { run: () => f.sameId, latest: () => f.latest, byStartKey: () => f.holder };
}

async function childrenOf(r: BoundSession, c: Commit, own: ConflictingRows): Promise<KnownRuns> {
  const found = await readConflictingRows(r, c.children);
  const creates = c.children.map((child) => (isCreate(child) ? child.expect.create : undefined));
  const of = (is: (i: number) => boolean): ConflictingRows | undefined => found[c.children.findIndex((_, i) => is(i))];
  return {
    run: (runId) => (runId === c.runId ? own.sameId : of((i) => c.children[i]?.runId === runId)?.sameId),
    latest: (scope, workflowId) => of((i) => creates[i]?.workflowId === workflowId && creates[i]?.scope === scope)?.latest,
    byStartKey: (scope, key) => of((i) => creates[i]?.idempotencyKey === key && creates[i]?.scope === scope)?.holder,
  };
}
