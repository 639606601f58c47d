// Ownership as SQL. K1: a claim tests that the owner is none or dead, never a time. Looking needs no lock, so an idle engine
// disturbs nobody; taking locks as many rows as are wanted, best first, and goes past those that somebody else is taking,
// so that claims are disjoint and wait for nobody. Rows that come back from the look are only candidates: what counts is
// what the lock shows.
import { Buffer } from "node:buffer";
import type { RunStatus, Waiting } from "../../core/model.ts";
import { scopeKey } from "../keys.ts";
import type { ClaimedRun, ClaimQuery, RunRow } from "../port.ts";
import { type ClaimCandidate, claimOrder, serveRank, waitingSince, claimWindow } from "../rules.ts";
import type { Connection, Row } from "./wire/driver.ts";
import { keyText, scopeBytesMax } from "./wire/literal.ts";
import { int, intOrNull, text, toRun } from "./rows.ts";
import type { ClaimRange, Sql } from "./sql.ts";

interface Ranked {
  readonly c: ClaimCandidate;
  readonly rank: number;
  /** What the lock must still show. */
  readonly epoch: number;
  readonly dueAt: number | null;
}

/** Parts of one look that are asked at once. */
const partsMax = 64;

async function queryParts(db: Connection, parts: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let i = 0; i < parts.length; i += partsMax) rows.push(...(await db.query(parts.slice(i, i + partsMax).join(" union all "))).rows);
  return rows;
}

/** The engines that live, in the order of the claim's index; undefined when the asking one is not among them, or is a worker. */
async function liveEngines(db: Connection, sql: Sql, engineId: string): Promise<string[] | undefined> {
  const rows = (await db.query(sql.engines())).rows.filter((r) => int(r, "dead") === 0);
  const live = rows.map((r) => text(r, "engine_id"));
  return rows.some((r) => text(r, "engine_id") === engineId && text(r, "kind") === "engine")
    ? live.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : undefined;
}

/** What this engine could claim now, best first. */
export async function findCandidates(db: Connection, sql: Sql, q: ClaimQuery): Promise<readonly Ranked[]> {
  const limit = Math.min(q.limit, q.tokens.length);
  if (limit <= 0) return [];
  const live = await liveEngines(db, sql, q.engineId);
  if (live === undefined) return [];
  const scope = keyText(scopeKey(q.scope), scopeBytesMax);
  const found = new Map<string, Ranked>();
  const window = claimWindow(limit);
  const add = (r: Row): void => {
    const c = toCandidate(r);
    const owner = r["owner"] === null ? null : text(r, "owner");
    if (owner !== null && live.includes(owner)) return;
    const rank = serveRank(q.serves, c) ?? (q.control && int(r, "control") === 1 ? 2 : undefined);
    if (rank === undefined || found.has(c.runId)) return; // woken and due: its message counts too
    found.set(c.runId, { c, rank, epoch: int(r, "epoch"), dueAt: intOrNull(r, "due_at") });
  };
  if (q.runId !== undefined) {
    for (const r of (await db.query(sql.named(scope, q.runId))).rows) add(r);
    return [...found.values()];
  }
  const lanesOf = (owner: string | null): ClaimRange[] =>
    q.serves.map((s) => ({ owner, workflow: s.workflow, version: s.version, loose: false }));
  const strays: string[] = [];
  const addDue = async (lanes: readonly ClaimRange[]): Promise<void> => {
    const parts = lanes.map((l) => sql.due(scope, l, window));
    for (const r of await queryParts(db, parts)) add(r);
  };
  const first = await queryParts(db, [
    sql.woken(scope, live, q),
    sql.strayOwner(live, ""),
    ...lanesOf(null).map((l) => sql.due(scope, l, window)),
    ...otherVersions(q).map((v) => sql.nextVersion(scope, { owner: null, workflow: v.workflow }, v.above, v.below)),
  ]);
  for (const r of first) if (text(r, "part") === "woken") add(r);
  for (const r of first) if (text(r, "part") === "due") add(r);
  for (let stray = first.find((r) => text(r, "part") === "owner"); stray !== undefined;) {
    const owner = text(stray, "owner");
    strays.push(owner);
    [stray] = await queryParts(db, [sql.strayOwner(live, owner)]);
  }
  for (const owner of strays) await addDue(lanesOf(owner));
  // Other versions of a served workflow come after all of the engine's own: looked for only while there is room.
  if ([...found.values()].filter((f) => f.rank === 0).length < limit) {
    const others = first.filter((r) => text(r, "part") === "version");
    await addDue(await otherVersionRanges(db, sql, scope, q, strays, others));
  }
  return [...found.values()].sort(claimOrder).slice(0, window);
}

/** The stretches between the versions that the engine serves itself, by workflow. */
function otherVersions(q: ClaimQuery): { workflow: string; above: string; below: string | null }[] {
  const names = new Set(q.serves.map((s) => s.workflow));
  return [...names].flatMap((workflow) => {
    const own = [...new Set(q.serves.filter((s) => s.workflow === workflow).map((s) => s.version))].sort((a, b) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    return ["", ...own].map((above, i) => ({ workflow, above, below: own[i] ?? null }));
  });
}

/** Versions are found by stepping from one to the next, never by reading the runs that have them. */
async function otherVersionRanges(
  db: Connection,
  sql: Sql,
  scope: string,
  q: ClaimQuery,
  strays: readonly string[],
  begun: readonly Row[],
): Promise<ClaimRange[]> {
  const lanes: ClaimRange[] = [];
  const stretches = otherVersions(q);
  let frontier = begun.map((r) => ({ owner: null as string | null, workflow: text(r, "workflow"), version: text(r, "version") }));
  for (const owner of strays) {
    const found = await queryParts(
      db,
      stretches.map((v) => sql.nextVersion(scope, { owner, workflow: v.workflow }, v.above, v.below)),
    );
    frontier.push(...found.map((r) => ({ owner, workflow: text(r, "workflow"), version: text(r, "version") })));
  }
  while (frontier.length > 0) {
    for (const f of frontier) lanes.push({ ...f, loose: true });
    const next: typeof frontier = [];
    for (const f of frontier) {
      const stretch = stretches.find((v) => v.workflow === f.workflow && isBetween(f.version, v.above, v.below));
      const [r] = await queryParts(db, [sql.nextVersion(scope, f, f.version, stretch?.below ?? null)]);
      if (r !== undefined) next.push({ owner: f.owner, workflow: f.workflow, version: text(r, "version") });
    }
    frontier = next;
  }
  return lanes;
}

function isBetween(version: string, above: string, below: string | null): boolean {
  const v = Buffer.from(version);
  return Buffer.compare(v, Buffer.from(above)) > 0 && (below === null || Buffer.compare(v, Buffer.from(below)) < 0);
}

/** Inside a transaction: the best of the candidates that nobody else is taking, each under a new epoch and token of its own. */
export async function takeCandidates(db: Connection, sql: Sql, q: ClaimQuery, candidates: readonly Ranked[]): Promise<ClaimedRun[]> {
  const scope = keyText(scopeKey(q.scope), scopeBytesMax);
  const limit = Math.min(q.limit, q.tokens.length);
  const taken: RunRow[] = [];
  // As many as are still wanted, so that an engine that claims at the same moment finds the next ones free.
  for (let at = 0; taken.length < limit && at < candidates.length;) {
    const next = candidates.slice(at, at + limit - taken.length);
    at += next.length;
    const ids = next.map((r) => r.c.runId);
    const rows = new Map((await db.query(sql.take(scope, ids))).rows.map(toRun).map((row) => [row.runId, row]));
    const same = next.flatMap((r) => {
      const row = rows.get(r.c.runId);
      return row !== undefined && row.fence.epoch === r.epoch && row.dueAt === r.dueAt ? [row] : [];
    });
    taken.push(...(await withoutLiveOwners(db, sql, q, same)));
  }
  const claims = taken.map((t, i) => ({ runId: t.runId, token: q.tokens[i] ?? "" }));
  if (claims.length === 0) return [];
  await db.query(sql.claim(q.engineId, claims));
  return taken.map((row, i) => ({
    ...row,
    owner: q.engineId,
    fence: { epoch: row.fence.epoch + 1, token: claims[i]?.token ?? "" },
    idleClaims: row.idleClaims + 1,
    ...(row.owner === null ? {} : { takenFrom: row.owner }),
  }));
}

/** I4: an owner that enlisted since the look is alive, and keeps its runs. */
async function withoutLiveOwners(db: Connection, sql: Sql, q: ClaimQuery, got: readonly RunRow[]): Promise<RunRow[]> {
  const owners = [...new Set(got.map((g) => g.owner).filter((o) => o !== null))];
  if (owners.length === 0) return [...got];
  const live = new Set((await db.query(sql.liveAmong([...owners, q.engineId]))).rows.map((r) => text(r, "engine_id")));
  return live.has(q.engineId) ? got.filter((g) => g.owner === null || !live.has(g.owner)) : [];
}

function toCandidate(r: Row): ClaimCandidate {
  return {
    runId: text(r, "run_id"),
    workflow: text(r, "workflow"),
    version: text(r, "version"),
    pinned: int(r, "pinned") === 1,
    status: text(r, "status") as RunStatus,
    waiting: r["waiting"] === null ? null : (text(r, "waiting") as Waiting),
    createdAt: int(r, "created_at"),
    since: waitingSince({ dueAt: intOrNull(r, "due_at"), createdAt: int(r, "created_at") }, intOrNull(r, "arrived_at"), int(r, "now_ms")),
  };
}
