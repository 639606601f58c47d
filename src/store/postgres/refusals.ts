// Why a Commit was not written. The rows in its way are read together, and the reasons are looked for in the order that
// all stores keep. What has no reason was only in somebody's way at that moment: it is undefined here, and asked again.
import { isSettled } from "../../core/model.ts";
import { scopeKey } from "../keys.ts";
import type { Commit, CommitAnswer, ChildCreateResult, RunRow } from "../port.ts";
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
    const known = f.sameId?.commitId === c.commitId ? f.sameId : undefined;
    if (known !== undefined) answers.push(await duplicate(r, c, known));
    else answers.push(isCreate(c) ? createRefusal(f, c.expect.create.supersedes) : advanceRefusal(f, c));
  }
  return answers;
}

function advanceRefusal({ sameId: row, nowMs }: ConflictingRows, c: Commit): CommitAnswer | undefined {
  if (row === undefined || isCreate(c) || !("fence" in c.expect)) return { kind: "fenced" };
  if (row.fence.epoch !== c.expect.fence.epoch || row.fence.token !== c.expect.fence.token) return { kind: "fenced" };
  if (row.stateVersion !== c.expect.stateVersion) return { kind: "stale" };
  if (isSettled(row.status) && row.origin === "engine") return { kind: "stale" };
  if (c.notBefore !== null && c.notBefore > nowMs) return { kind: "early", nowMs };
  return undefined;
}

function createRefusal(f: ConflictingRows, supersedes: string | null): CommitAnswer | undefined {
  if (f.holder !== undefined) return { kind: "conflict", by: "idempotencyKey", existing: f.holder };
  if (f.sameId !== undefined) return { kind: "conflict", by: "runId", existing: f.sameId };
  if (f.latest !== undefined && !(f.latest.runId === supersedes && isSettled(f.latest.status))) {
    return { kind: "conflict", by: "workflowId", existing: f.latest };
  }
  return undefined;
}

/** The fates of a Commit that was applied before: a child is there, or another run stands in its place. */
async function duplicate(r: BoundSession, c: Commit, row: RunRow): Promise<CommitAnswer> {
  const found = c.children.length === 0 ? [] : await readConflictingRows(r, c.children);
  const children = c.children.map((child, i): ChildCreateResult => {
    const f = found[i];
    if (f === undefined || !isCreate(child) || f.sameId?.workflowId === child.expect.create.workflowId) return { kind: "created" };
    const existing = f.holder ?? f.latest ?? f.sameId;
    return existing === undefined ? { kind: "created" } : { kind: "conflict", existing };
  });
  return { kind: "duplicate", persistedAt: row.persistedAt, dueAt: row.dueAt, children };
}
