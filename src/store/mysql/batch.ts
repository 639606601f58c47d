// Group commit: many runs' Commits in one transaction, each applied or refused on its own. K9: content that the database
// refuses takes the transaction back, and the batch is halved until the offender stands alone, is answered, and the rest
// is written. Deadlocks and lock time-outs are run again, with a bound; a COMMIT without an answer is reported as unknown (K10).
import type { Platform } from "../../platform/platform.ts";
import { contentReason, type CrashPoints, type CrashPointsOf, goesAlone, UnmetPuts, unmetRows } from "../batch-rules.ts";
import type { BatchAnswer, Commit, CommitAnswer, Renewal } from "../port.ts";
import { refusalReason } from "../check-text.ts";
import { commitCompound, NeedsSteppedCommit } from "./compound.ts";
import { decideBatch } from "./commit.ts";
import type { Connection } from "./wire/driver.ts";
import { NeedsFullRead } from "./batch-plan.ts";
import { busyError, isContent, isDriverError, isLockWait, isRetryable, storeError } from "./errors.ts";
import { Clash, LostRace, type StatementLimits } from "./statements.ts";
import { kvRowsAt } from "./kv-rows.ts";
import { sendDecided } from "./queues/commit-alone.ts";
import { type Pool, transaction } from "./wire/pool.ts";

export interface WriteDeps extends StatementLimits {
  readonly platform: Platform;
  readonly pointsOf: CrashPointsOf;
  readonly writers: Pool;
}

/** How often a transaction is run again: each time somebody else has got on, so this is not reached in peace. */
export const triesMax = 40;
/** A lock time-out takes a second each: what is held for longer than this in all is reported as busy. */
const busyMsMax = 5_000;
const pauseMsMax = 20;

export async function commitBatch(w: WriteDeps, batch: readonly Commit[], renewal: Renewal | undefined): Promise<BatchAnswer> {
  const answers: (CommitAnswer | undefined)[] = batch.map((c) => {
    const reason = refusalReason(c);
    return reason === null ? undefined : { kind: "refused", reason };
  });
  const places = batch.map((_, i) => i).filter((i) => answers[i] === undefined);
  const marks = w.pointsOf(batch);
  let renewed: BatchAnswer["renewal"] = null;
  const write = async (at: readonly number[], ride: Renewal | undefined): Promise<void> => {
    try {
      const part = at.map((i) => batch[i]).filter((c) => c !== undefined);
      const done = await commitPart(w, part, ride, marks);
      done.answers.forEach((a, k) => (answers[at[k] ?? -1] = a));
      if (ride !== undefined) renewed = done.renewal;
    } catch (e) {
      const [only] = at;
      if (e instanceof UnmetPuts && only !== undefined) {
        answers[only] = { kind: "unmet", rows: e.rows };
        if (ride !== undefined) await write([], ride);
        return;
      }
      if (!(e instanceof Clash) && !isContent(e)) throw e;
      if (at.length === 1 && only !== undefined) {
        // A row that is not as expected comes before what else is wrong with a Commit.
        const puts = batch[only]?.puts ?? [];
        const unmet = puts.length === 0 ? undefined : unmetRows(puts, await w.writers.with((db) => kvRowsAt(db, w, puts)));
        answers[only] =
          unmet === undefined ? { kind: "refused", reason: contentReason(e, e instanceof Clash) } : { kind: "unmet", rows: unmet };
        if (ride !== undefined) await write([], ride);
        return;
      }
      const half = Math.ceil(at.length / 2);
      await write(at.slice(0, half), undefined);
      await write(at.slice(half), ride);
    }
  };
  const parts = aloneOrTogether(batch, places);
  for (const [n, part] of parts.entries()) await write(part, n === 0 ? renewal : undefined);
  if (parts.length === 0 && renewal !== undefined) await write([], renewal);
  return { answers: answers.filter((a) => a !== undefined), renewal: renewed };
}

/** Those that may wait for others go alone, each in its place among the rest. */
function aloneOrTogether(batch: readonly Commit[], places: readonly number[]): number[][] {
  const parts: number[][] = [];
  let open = false;
  for (const i of places) {
    const c = batch[i];
    const alone = c !== undefined && goesAlone(c);
    if (open && !alone) parts.at(-1)?.push(i);
    else parts.push([i]);
    open = !alone;
  }
  return parts;
}

async function commitPart(w: WriteDeps, part: readonly Commit[], renewal: Renewal | undefined, marks: CrashPoints): Promise<BatchAnswer> {
  let careful = false;
  const [only] = part;
  let stepwise = !w.compound || only === undefined || goesAlone(only);
  const noting = <T>(body: Promise<T>): Promise<T> =>
    body.catch((e: unknown) => {
      if (e instanceof NeedsFullRead || e instanceof LostRace) careful = true;
      if (e instanceof NeedsSteppedCommit) stepwise = true;
      throw e;
    });
  return retryOnConflict(w.platform, () =>
    w.writers.with(async (db) => {
      if (!stepwise) return noting(commitCompound(db, w, part, renewal, careful, marks));
      const body = async (): Promise<BatchAnswer> => {
        const { answers, rest } = part.length === 0 ? { answers: [], rest: [] } : await decideBatch(db, w, part, careful);
        await sendDecided(db, w, part, answers, rest);
        return { answers, renewal: renewal === undefined ? null : await renewInBatch(db, w, renewal) };
      };
      return noting(transaction(db, body, marks));
    }),
  );
}

/** The renewal never costs the batch: a row that is held just now is renewed another time. */
async function renewInBatch(db: Connection, w: WriteDeps, r: Renewal): Promise<"renewed" | "dead" | null> {
  try {
    return (await db.query(w.sql.renew(r.engineId, r.leaseMs))).changes === 1 ? "renewed" : "dead";
  } catch (e) {
    if (isLockWait(e)) return null;
    throw e;
  }
}

/** Runs `attempt` until nobody is in its way. What it throws of the driver's comes out as a store's error. */
export async function retryOnConflict<T>(platform: Platform, attempt: () => Promise<T>): Promise<T> {
  const started = platform.monotonicMs();
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (e) {
      const retry = e instanceof NeedsFullRead || e instanceof LostRace || e instanceof NeedsSteppedCommit || isRetryable(e);
      if (retry && tries < triesMax && platform.monotonicMs() - started < busyMsMax) {
        if (tries > 1 && !(e instanceof NeedsSteppedCommit)) await pause(platform, tries);
        continue;
      }
      if (retry && !isRetryable(e)) throw busyError(e);
      if (isContent(e)) throw e;
      throw isDriverError(e) ? storeError(e, "statement") : e;
    }
  }
}

/** Spread at random, so that two who met do not meet again; it keeps the process alive, since somebody awaits the answer. */
export async function pause(platform: Platform, tries: number): Promise<void> {
  const spread = (Number.parseInt(platform.randomHex(2), 16) / 0xffff) * Math.min(tries, pauseMsMax);
  await new Promise<void>((resolve) => platform.timer(spread, resolve, true));
}
