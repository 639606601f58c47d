// Group commit: many runs' Commits in one transaction and one fsync, each applied or refused on its own. K9: content
// that the database refuses takes the whole batch back; the offender is known by its place, is answered alone, and the
// rest is written again in one transaction. Every other error fails the batch with nothing written.
import { contentReason, type CrashPointsOf } from "../batch-rules.ts";
import type { BatchAnswer, Commit, CommitAnswer, Renewal } from "../port.ts";
import { refusalReason } from "../check-text.ts";
import { applyCommit } from "./commit.ts";
import { renew } from "./engines.ts";
import { isClash, isContent } from "./errors.ts";
import type { Statements } from "./rows.ts";
import type { Writer } from "./wire/writer.ts";

/** One Commit of a batch that cannot be written, wherever the others stand. */
class RefusedCommit {
  readonly index: number;
  readonly reason: string;
  constructor(index: number, reason: string) {
    this.index = index;
    this.reason = reason;
  }
}

/** The usual case, synchronous: nothing is refused and nobody else writes. Undefined: nothing was written, commitBatch can. */
export function tryCommitNow(
  writer: Writer,
  now: () => number,
  crashPointsOf: CrashPointsOf,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): BatchAnswer | undefined {
  for (const c of batch) if (refusalReason(c) !== null) return undefined;
  try {
    return writer.tryWrite((st) => applyBatch(st, batch, nothingRefused, renewal, now()), crashPointsOf(batch));
  } catch (e) {
    if (e instanceof RefusedCommit) return undefined;
    throw e;
  }
}
const nothingRefused: ReadonlyMap<number, CommitAnswer> = new Map();

export async function commitBatch(
  writer: Writer,
  now: () => number,
  crashPointsOf: CrashPointsOf,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<BatchAnswer> {
  const refused = new Map<number, CommitAnswer>();
  batch.forEach((c, i) => {
    const reason = refusalReason(c);
    if (reason !== null) refused.set(i, { kind: "refused", reason });
  });
  const around = crashPointsOf(batch);
  for (;;) {
    try {
      return await writer.write((st) => applyBatch(st, batch, refused, renewal, now()), around);
    } catch (e) {
      if (!(e instanceof RefusedCommit)) throw e;
      refused.set(e.index, { kind: "refused", reason: e.reason });
    }
  }
}

function applyBatch(
  st: Statements,
  batch: readonly Commit[],
  refused: ReadonlyMap<number, CommitAnswer>,
  renewal: Renewal | undefined,
  now: number,
): BatchAnswer {
  const answers: CommitAnswer[] = [];
  for (let i = 0; i < batch.length; i++) {
    const c = batch[i];
    const known = refused.size === 0 ? undefined : refused.get(i);
    if (c === undefined) continue;
    if (known !== undefined) {
      answers.push(known);
      continue;
    }
    try {
      answers.push(applyCommit(st, c, now));
    } catch (e) {
      if (isContent(e)) throw new RefusedCommit(i, contentReason(e, isClash(e)));
      throw e;
    }
  }
  return { answers, renewal: renewal === undefined ? null : renew(st, renewal, now) };
}
