// Group commit: many runs' Commits in one transaction and one fsync, each applied or refused on its own. K9: content
// that the database refuses takes the whole batch back; the offender is known by its place, is answered alone, and the
// rest is written again in one transaction. Every other error fails the batch with nothing written.
import type { Platform } from "../../platform/platform.ts";
import type { BatchAnswer, Commit, CommitAnswer, Hint, Renewal } from "../port.ts";
import { clashReason, hintsOf } from "../rules.ts";
import { refusal } from "../text.ts";
import { applyCommit } from "./commit.ts";
import { isClash, isContent } from "./errors.ts";
import type { Statements } from "./rows.ts";
import type { Marks, Writer } from "./writer.ts";

/** Why the database refuses this content. */
export function contentReason(e: unknown): string {
  if (isClash(e)) return clashReason;
  return `PAWL3007: the database refuses this content: ${e instanceof Error ? e.message : "unknown"}`;
}

/** One Commit of a batch that cannot be written, wherever the others stand. */
class Offender {
  readonly index: number;
  readonly reason: string;
  constructor(index: number, reason: string) {
    this.index = index;
    this.reason = reason;
  }
}

/** The usual case, synchronous: nothing is refused and nobody else writes. Undefined: nothing was written, commitBatch can. */
export function commitNow(
  writer: Writer,
  now: () => number,
  marks: BatchMarks,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): BatchAnswer | undefined {
  for (const c of batch) if (refusal(c) !== null) return undefined;
  try {
    return writer.tryWrite((st) => attempt(st, batch, nothingRefused, renewal, now()), marksOf(marks, batch));
  } catch (e) {
    if (e instanceof Offender) return undefined;
    throw e;
  }
}
const nothingRefused: ReadonlyMap<number, CommitAnswer> = new Map();

export async function commitBatch(
  writer: Writer,
  now: () => number,
  marks: BatchMarks,
  batch: readonly Commit[],
  renewal: Renewal | undefined,
): Promise<BatchAnswer> {
  const refused = new Map<number, CommitAnswer>();
  batch.forEach((c, i) => {
    const reason = refusal(c);
    if (reason !== null) refused.set(i, { kind: "refused", reason });
  });
  const around = marksOf(marks, batch);
  for (;;) {
    try {
      return await writer.write((st) => attempt(st, batch, refused, renewal, now()), around);
    } catch (e) {
      if (!(e instanceof Offender)) throw e;
      refused.set(e.index, { kind: "refused", reason: e.reason });
    }
  }
}

function attempt(
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
      if (isContent(e)) throw new Offender(i, contentReason(e));
      throw e;
    }
  }
  return { answers, renewal: renewal === undefined ? null : renew(st, renewal, now) };
}

export function renew(st: Statements, r: Renewal, now: number): "renewed" | "dead" {
  return st.renew.run(now + r.leaseMs, r.engineId).changes === 1 ? "renewed" : "dead";
}

/** Made once for a store: every Commit passes them. */
export interface BatchMarks {
  readonly plain: Marks;
  readonly creating: Marks;
}
export function batchMarks(platform: Platform): BatchMarks {
  const plain: Marks = { before: () => platform.hit("engine:commit"), after: () => platform.hit("engine:ack") };
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
function marksOf(marks: BatchMarks, batch: readonly Commit[]): Marks {
  for (const c of batch) if ("create" in c.expect) return marks.creating;
  return marks.plain;
}

export function hintsOfBatch(batch: readonly Commit[], answers: readonly CommitAnswer[]): Hint[] {
  const hints: Hint[] = [];
  for (let i = 0; i < batch.length; i++) hintsOf(batch[i]!, answers[i]!, hints);
  return hints;
}
