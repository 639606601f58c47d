// Group commit. A batch of plain Commits is one statement that commits itself: one round trip, one fsync, whatever its size.
// Anything richer is a transaction of a constant number of statements. K9: content that the database refuses takes the
// whole batch back; the batch is halved until the offender stands alone. K10: a line that breaks after the last word was
// sent leaves the outcome unknown, and the caller asks again, byte for byte.
import { isPawlError } from "../../errors/error.ts";
import { contentReason, type CrashPointsOf, goesAlone, UnmetPuts, unmetRows } from "../batch-rules.ts";
import type { KvRow } from "../reader-store.ts";
import { kvRowsAt } from "./kv.ts";
import type { BatchAnswer, Commit, CommitAnswer, Renewal } from "../port.ts";
import { queueNamesReason, refusalReason } from "../check-text.ts";
import { applyAll, committedAnswer, isOneStatement, isPlain, readWrittenRuns, toWrittenRun } from "./commit.ts";
import { isCreate, manyQuery, oneQuery, plainEventsMax } from "./commit-sql.ts";
import { renew } from "./engines.ts";
import { isClash, isContent, isContention, storeError } from "./errors.ts";
import type { BoundSession } from "./wire/session.ts";
import { refusalsOf } from "./refusals.ts";

interface Applied {
  readonly answers: readonly CommitAnswer[];
  readonly renewed: boolean;
}

/** How often a create is asked again that nothing stands in the way of any more. */
const triesMax = 3;

/** Why the database refuses this content, or would: what is found before it is sent has its own page. */
export function refusedContent(e: unknown): string {
  return isPawlError(e) ? `${e.page}: ${e.message}` : contentReason(e, isClash(e));
}

export type WithSession = <T>(body: (r: BoundSession) => Promise<T>) => Promise<T>;

export function commitBatch(
  lend: WithSession,
  pointsOf: CrashPointsOf,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<BatchAnswer> {
  const [only] = batch;
  if (batch.length === 1 && only !== undefined && renewal === undefined && canGoAlone(only))
    return commitAlone(lend, pointsOf, only, batch);
  return commitMany(lend, pointsOf, batch, renewal);
}

async function commitMany(
  lend: WithSession,
  pointsOf: CrashPointsOf,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<BatchAnswer> {
  const answers: CommitAnswer[] = batch.map(() => ({ kind: "busy" }));
  const places: number[] = [];
  batch.forEach((c, i) => {
    const reason = refusalOf(c);
    if (reason === null) places.push(i);
    else answers[i] = { kind: "refused", reason };
  });
  const commits = places.map((i) => batch[i]).filter((c) => c !== undefined);
  const done = await commitParts(lend, pointsOf, commits, renewal);
  places.forEach((place, i) => (answers[place] = done.answers[i] ?? { kind: "busy" }));
  return { answers, renewal: renewal === undefined ? null : done.renewed ? "renewed" : "dead" };
}

/** Those that may wait for others go alone, each in its place among the rest. */
async function commitParts(
  lend: WithSession,
  pointsOf: CrashPointsOf,
  commits: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<Applied> {
  if (commits.length === 1 || !commits.some(goesAlone)) return commitOrHalve(lend, pointsOf, commits, renewal);
  const answers: CommitAnswer[] = [];
  let renewed = false;
  let ride = renewal;
  for (let from = 0, to = 0; from < commits.length; from = to) {
    do to++;
    while (to < commits.length && !goesAlone(commits[from]!) && !goesAlone(commits[to]!));
    const done = await commitOrHalve(lend, pointsOf, commits.slice(from, to), ride);
    answers.push(...done.answers);
    renewed ||= done.renewed;
    ride = undefined;
  }
  return { answers, renewed };
}

/** A step's texts are looked at as they are written out (packet.ts); what is more than a step may say them in other ways, or has rules of its own. */
function refusalOf(c: Commit): string | null {
  if (isCreate(c) || !isPlain(c)) return refusalReason(c);
  return c.dispatches === undefined ? null : queueNamesReason(c.dispatches);
}

/** A step of a single run: few rows, no arrays. */
function canGoAlone(c: Commit): boolean {
  return isPlain(c) && c.events.length + (c.effects?.length ?? 0) <= plainEventsMax && refusalOf(c) === null;
}

/** K7: it waits for its row. Where nothing was written, the way of many finds out why. Every step passes here: promises are spared. */
function commitAlone(lend: WithSession, pointsOf: CrashPointsOf, c: Commit, batch: readonly Commit[]): Promise<BatchAnswer> {
  const alone = (answer: CommitAnswer): BatchAnswer => ({ answers: [answer], renewal: null });
  return lend((r) => {
    if (!r.named) return nothing;
    pointsOf(batch).before();
    return r.query(oneQuery(r.settings.schema, r.settings.clock(), c));
  }).then(
    (answer) => {
      if (answer !== undefined) pointsOf(batch).after();
      const row = answer?.rows[0];
      return row === undefined ? commitMany(lend, pointsOf, batch, undefined) : alone(committedAnswer(toWrittenRun(row)));
    },
    (e: unknown) => {
      if (isContention(e)) return alone({ kind: "busy" });
      if (isContent(e)) return commitMany(lend, pointsOf, batch, undefined);
      throw storeError(e, "commit");
    },
  );
}
const nothing = Promise.resolve(undefined);

async function commitOrHalve(
  lend: WithSession,
  pointsOf: CrashPointsOf,
  commits: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<Applied> {
  if (commits.length === 0) return { answers: [], renewed: await renewAlone(lend, renewal) };
  try {
    return await lend((r) =>
      isOneStatement(commits) ? commitPlain(r, pointsOf, commits, renewal) : commitRich(r, pointsOf, commits, renewal),
    );
  } catch (e) {
    // Alone in its transaction, and nothing of it is left there.
    if (e instanceof UnmetPuts) return { answers: [{ kind: "unmet", rows: e.rows }], renewed: await renewAlone(lend, renewal) };
    if (!isContent(e) && !isContention(e)) throw storeError(e, "statement");
    if (commits.length > 1) {
      const half = Math.ceil(commits.length / 2);
      const left = await commitOrHalve(lend, pointsOf, commits.slice(0, half), renewal);
      const right = await commitOrHalve(lend, pointsOf, commits.slice(half), undefined);
      return { answers: [...left.answers, ...right.answers], renewed: left.renewed };
    }
    const unmet = isContent(e) ? await unmetPuts(lend, commits[0]) : undefined;
    const refused: CommitAnswer = isContent(e) ? { kind: "refused", reason: refusedContent(e) } : { kind: "busy" };
    return { answers: [unmet === undefined ? refused : { kind: "unmet", rows: unmet }], renewed: await renewAlone(lend, renewal) };
  }
}

/** A row that is not as expected comes before what else is wrong with a Commit. */
async function unmetPuts(lend: WithSession, c: Commit | undefined): Promise<readonly KvRow[] | undefined> {
  const puts = c?.puts ?? [];
  return puts.length === 0 ? undefined : unmetRows(puts, await lend((r) => kvRowsAt(r, puts)));
}

/** A renewal whose batch was not written is no reason to call an engine dead: it is asked by itself. */
async function renewAlone(lend: WithSession, renewal: Renewal | undefined): Promise<boolean> {
  if (renewal === undefined) return false;
  return lend((r) => renew(r, renewal));
}

/** One statement, which commits itself; then, only for those that were not written, the reason. */
async function commitPlain(
  r: BoundSession,
  pointsOf: CrashPointsOf,
  commits: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<Applied> {
  const { schema } = r.settings;
  const answers: (CommitAnswer | undefined)[] = commits.map(() => undefined);
  let renewed = false;
  let left = commits.map((c, i) => ({ c, i }));
  for (let n = 1; left.length > 0 && n <= triesMax; n++) {
    const asked = left;
    pointsOf(commits).before();
    const query = manyQuery(
      schema,
      r.settings.clock(),
      asked.map((x) => x.c),
      n === 1 ? renewal : undefined,
    );
    const told = readWrittenRuns(
      await r.query(query).catch((e: unknown) => {
        throw isContent(e) || isContention(e) ? e : storeError(e, "commit");
      }),
    );
    pointsOf(commits).after();
    renewed ||= told.renewed;
    const refused = asked.filter((x) => !told.byRun.has(x.c.runId));
    for (const x of asked) {
      const w = told.byRun.get(x.c.runId);
      if (w !== undefined) answers[x.i] = committedAnswer(w);
    }
    if (refused.length === 0) break;
    // Others of the batch may be written already: a line that breaks here leaves the whole batch in doubt.
    const reasons = await refusalsOf(
      r,
      refused.map((x) => x.c),
    ).catch((e: unknown) => {
      throw storeError(e, "commit");
    });
    left = [];
    for (const [k, x] of refused.entries()) {
      answers[x.i] = reasons[k];
      if (reasons[k] === undefined && isCreate(x.c)) left.push(x);
    }
  }
  return { answers: answers.map((a) => a ?? { kind: "busy" }), renewed };
}

async function commitRich(
  r: BoundSession,
  pointsOf: CrashPointsOf,
  commits: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<Applied> {
  await r.exec("begin");
  let applied: Applied;
  try {
    if (!r.named) await r.exec("set local lock_timeout = '250ms'");
    applied = await applyAll(r, commits, renewal);
    pointsOf(commits).before();
  } catch (e) {
    await r.rollback();
    throw e;
  }
  await r.exec("commit").catch((e: unknown) => {
    throw storeError(e, "commit");
  });
  pointsOf(commits).after();
  return applied;
}
