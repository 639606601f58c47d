// Group commit: many runs' Commits in one transaction, each applied or refused on its own. K9: content that the database
// refuses takes the transaction back, and the batch is halved until the offender stands alone, is answered, and the rest
// is written. Deadlocks and lock time-outs are run again, with a bound; a COMMIT without an answer is told as unknown (K10).
import type { Platform } from "../../platform/platform.ts";
import type { Commit, CommitAnswer, Hint, Renewal } from "../port.ts";
import { clashReason, hintsOf } from "../rules.ts";
import { refusal } from "../text.ts";
import { type BatchAnswer, commitAtOnce, Stepwise } from "./at-once.ts";
import { decide } from "./commit.ts";
import type { Connection } from "./driver.ts";
import { NeedsMore } from "./draft.ts";
import { busyError, isContent, isDriverError, isLockWait, isRetryable, storeError } from "./errors.ts";
import { Clash, Overtaken, type Seams, send } from "./flush.ts";
import { type Marks, type Pool, transaction } from "./pool.ts";

export interface Writing extends Seams {
  readonly platform: Platform;
  readonly writers: Pool;
}

/** How often a transaction is run again: each time somebody else has got on, so this is not reached in peace. */
export const triesMax = 40;
/** A lock time-out takes a second each: what is held for longer than this in all is told as busy. */
const busyMsMax = 5_000;
const pauseMsMax = 20;

/** Why the database refuses this content. */
export function contentReason(e: unknown): string {
  if (e instanceof Clash) return clashReason;
  return `PAWL3007: the database refuses this content: ${e instanceof Error ? e.message : "unknown"}`;
}

export async function commitBatch(w: Writing, batch: readonly Commit[], renewal: Renewal | undefined): Promise<BatchAnswer> {
  const answers: (CommitAnswer | undefined)[] = batch.map((c) => {
    const reason = refusal(c);
    return reason === null ? undefined : { kind: "refused", reason };
  });
  const places = batch.map((_, i) => i).filter((i) => answers[i] === undefined);
  const marks = marksFor(w.platform, batch);
  let renewed: BatchAnswer["renewal"] = null;
  const write = async (at: readonly number[], ride: Renewal | undefined): Promise<void> => {
    try {
      const part = at.map((i) => batch[i]).filter((c) => c !== undefined);
      const done = await commitPart(w, part, ride, marks);
      done.answers.forEach((a, k) => (answers[at[k] ?? -1] = a));
      if (ride !== undefined) renewed = done.renewal;
    } catch (e) {
      if (!(e instanceof Clash) && !isContent(e)) throw e;
      const [only] = at;
      if (at.length === 1 && only !== undefined) {
        answers[only] = { kind: "refused", reason: contentReason(e) };
        if (ride !== undefined) await write([], ride);
        return;
      }
      const half = Math.ceil(at.length / 2);
      await write(at.slice(0, half), undefined);
      await write(at.slice(half), ride);
    }
  };
  if (places.length > 0 || renewal !== undefined) await write(places, renewal);
  return { answers: answers.filter((a) => a !== undefined), renewal: renewed };
}

async function commitPart(w: Writing, part: readonly Commit[], renewal: Renewal | undefined, marks: Marks): Promise<BatchAnswer> {
  let careful = false;
  let stepwise = !w.compound || part.length === 0;
  const noting = <T>(body: Promise<T>): Promise<T> =>
    body.catch((e: unknown) => {
      if (e instanceof NeedsMore || e instanceof Overtaken) careful = true;
      if (e instanceof Stepwise) stepwise = true;
      throw e;
    });
  return again(w.platform, () =>
    w.writers.with(async (db) => {
      if (!stepwise) return noting(commitAtOnce(db, w, part, renewal, careful, marks));
      const body = async (): Promise<BatchAnswer> => {
        const { answers, rest } = part.length === 0 ? { answers: [], rest: [] } : await decide(db, w, part, careful);
        await send(db, rest);
        return { answers, renewal: renewal === undefined ? null : await ride(db, w, renewal) };
      };
      return noting(transaction(db, body, marks));
    }),
  );
}

/** The renewal never costs the batch: a row that is held just now is renewed another time. */
async function ride(db: Connection, w: Writing, r: Renewal): Promise<"renewed" | "dead" | null> {
  try {
    return (await db.query(w.sql.renew(r.engineId, r.leaseMs))).changes === 1 ? "renewed" : "dead";
  } catch (e) {
    if (isLockWait(e)) return null;
    throw e;
  }
}

/** Runs `attempt` until nobody is in its way. What it throws of the driver's comes out as a store's error. */
export async function again<T>(platform: Platform, attempt: () => Promise<T>): Promise<T> {
  const started = platform.monotonicMs();
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (e) {
      const retry = e instanceof NeedsMore || e instanceof Overtaken || e instanceof Stepwise || isRetryable(e);
      if (retry && tries < triesMax && platform.monotonicMs() - started < busyMsMax) {
        if (tries > 1 && !(e instanceof Stepwise)) await pause(platform, tries);
        continue;
      }
      if (retry && !isRetryable(e)) throw busyError(e);
      if (isContent(e)) throw e;
      throw isDriverError(e) ? storeError(e, "statement") : e;
    }
  }
}

/** Spread at random, so that two who met do not meet again; it keeps the process alive, since somebody awaits the answer. */
async function pause(platform: Platform, tries: number): Promise<void> {
  const spread = (Number.parseInt(platform.randomHex(2), 16) / 0xffff) * Math.min(tries, pauseMsMax);
  await new Promise<void>((resolve) => platform.timer(spread, resolve, true));
}

function marksFor(platform: Platform, batch: readonly Commit[]): Marks {
  const creating = batch.some((c) => "create" in c.expect);
  return {
    before(): void {
      if (creating) platform.hit("engine:create");
      platform.hit("engine:commit");
    },
    after(): void {
      if (creating) platform.hit("engine:created");
      platform.hit("engine:ack");
    },
  };
}

export function hintsOfBatch(batch: readonly Commit[], answers: readonly CommitAnswer[]): Hint[] {
  const hints: Hint[] = [];
  batch.forEach((c, i) => {
    const answer = answers[i];
    if (answer !== undefined) hintsOf(c, answer, hints);
  });
  return hints;
}
