// What every store does alike around a batch of Commits: where a process under test may die, how a refusal is worded, which hints a batch
// gives, what a database with SQL can do, what a Commit that changes nothing looks like. No state, no statements.
import type { Platform } from "../platform/platform.ts";
import type { Capabilities, Commit, CommitAnswer, Hint } from "./port.ts";
import { clashReason, collectHints } from "./rules.ts";

/** What each of Pawl's stores over a database can do. */
export const sqlCapabilities: Capabilities = {
  conditionalBatch: true,
  atomicBatch: true,
  readAfterWrite: true,
  scanConsistency: "snapshot",
  persistence: "durable",
  sql: true,
};

/** What a Commit has that says nothing: the rest of one is its id, its run and what it expects. */
export const emptyCommit: Omit<Commit, "commitId" | "runId" | "expect"> = {
  events: [],
  status: "RUNNING",
  waiting: null,
  due: { at: null, inMs: null },
  release: false,
  notBefore: null,
  taken: [],
  consumed: [],
  replies: [],
  views: [],
  children: [],
  notices: [],
  moveInboxTo: null,
};

/** Called around COMMIT: where a process under test may die. */
export interface CrashPoints {
  readonly before?: () => void;
  readonly after?: () => void;
}

export function storeCrashPoints(platform: Platform, before: string, after: string): CrashPoints {
  return { before: () => platform.hit(before), after: () => platform.hit(after) };
}

/** The points around one batch. */
export type CrashPointsOf = (batch: readonly Commit[]) => Required<CrashPoints>;

/** Made once for a store: every Commit passes them. */
export function batchCrashPoints(platform: Platform): CrashPointsOf {
  const plain = { before: (): void => platform.hit("engine:commit"), after: (): void => platform.hit("engine:ack") };
  const creating = {
    before(): void {
      platform.hit("engine:create");
      plain.before();
    },
    after(): void {
      platform.hit("engine:created");
      plain.after();
    },
  };
  return (batch) => {
    for (const c of batch) if ("create" in c.expect) return creating;
    return plain;
  };
}

/** Why the database refuses this content. `isClash`: an event or a checkpoint with this place or key exists. */
export function contentReason(e: unknown, isClash: boolean): string {
  if (isClash) return clashReason;
  return `PAWL3018: the database does not accept this content: ${e instanceof Error ? e.message : "unknown"}`;
}

/** `events`: whether somebody wants to hear of every Commit with events. */
export function hintsOfBatch(batch: readonly Commit[], answers: readonly CommitAnswer[], events = false): Hint[] {
  const hints: Hint[] = [];
  for (let i = 0; i < batch.length; i++) collectHints(batch[i]!, answers[i]!, hints, events);
  return hints;
}
