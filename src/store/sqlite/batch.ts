// Group commit: many runs' Commits in one transaction and one fsync, each applied or refused on its own. K9: content
// that the database refuses takes the whole batch back; the offender is known by its place, is answered alone, and the
// rest is written again in one transaction. Every other error fails the batch with nothing written.
import type { Platform } from "../../platform/platform.ts";
import type { BatchAnswer, Commit, CommitAnswer, Hint, Renewal } from "../port.ts";
import { clashReason, collectHints } from "../rules.ts";
import { refusalReason } from "../check-text.ts";
import { applyCommit } from "./commit.ts";
import { isClash, isContent } from "./errors.ts";
import type { Statements } from "./rows.ts";
import type { CrashPoints, Writer } from "./wire/writer.ts";

/** Why the database refuses this content. */
export function contentReason(e: unknown): string {
  if (isClash(e)) return clashReason;
  return `PAWL3018: the database does not accept this content: ${e instanceof Error ? e.message : "unknown"}`;
}

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
  marks: BatchCrashPoints,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): BatchAnswer | undefined {
  for (const c of batch) if (refusalReason(c) !== null) return undefined;
  try {
    return writer.tryWrite((st) => applyBatch(st, batch, nothingRefused, renewal, now()), crashPointsOf(marks, batch));
  } catch (e) {
    if (e instanceof RefusedCommit) return undefined;
    throw e;
  }
}
const nothingRefused: ReadonlyMap<number, CommitAnswer> = new Map();

export async function commitBatch(
  writer: Writer,
  now: () => number,
  marks: BatchCrashPoints,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<BatchAnswer> {
  const refused = new Map<number, CommitAnswer>();
  batch.forEach((c, i) => {
    const reason = refusalReason(c);
    if (reason !== null) refused.set(i, { kind: "refused", reason });
  });
  const around = crashPointsOf(marks, batch);
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
      if (isContent(e)) throw new RefusedCommit(i, contentReason(e));
      throw e;
    }
  }
  return { answers, renewal: renewal === undefined ? null : renew(st, renewal, now) };
}

export function renew(st: Statements, r: Renewal, now: number): "renewed" | "dead" {
  return st.renew.run(now + r.leaseMs, r.engineId).changes === 1 ? "renewed" : "dead";
}

/** Made once for a store: every Commit passes them. */
export interface BatchCrashPoints {
  readonly plain: CrashPoints;
  readonly creating: CrashPoints;
}
export function batchCrashPoints(platform: Platform): BatchCrashPoints {
  const plain: CrashPoints = { before: () => platform.hit("engine:commit"), after: () => platform.hit("engine:ack") };
  return {
    plain,
    creating: {
      before(): void {
        platform.hit("engine:create");
        plain.before?.();
      },
      after(): void {
        platform.hit("engine:created");
        plain.after?.();
      },
    },
  };
}
function crashPointsOf(marks: BatchCrashPoints, batch: readonly Commit[]): CrashPoints {
  for (const c of batch) if ("create" in c.expect) return marks.creating;
  return marks.plain;
}

export function hintsOfBatch(batch: readonly Commit[], answers: readonly CommitAnswer[]): Hint[] {
  const hints: Hint[] = [];
  for (let i = 0; i < batch.length; i++) collectHints(batch[i]!, answers[i]!, hints);
  return hints;
}
