// What every store does alike around a batch of Commits: where a process under test may die, how a refusal is worded, which hints a batch
// gives, what a database with SQL can do, what a Commit that changes nothing looks like. No state, no statements.
import type { Platform } from "../platform/platform.ts";
import type { Capabilities, Commit, CommitAnswer, Hint } from "./port.ts";
import type { KvRow, KvWrite } from "./reader-store.ts";
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

/**
 * Whether it must not be grouped with others: it changes rows that others may hold, and waits for them. The rest of what a Commit says about
 * queued steps is written with its batch.
 */
export function goesAlone(c: Commit): boolean {
  return c.held !== undefined || c.drop === true || (c.withdraws?.length ?? 0) > 0 || (c.puts?.length ?? 0) > 0;
}

/** Of what is `there` at the places of these writes, the rows that are not as expected; undefined: all of them are. */
export function unmetRows(writes: readonly KvWrite[], there: readonly KvRow[]): readonly KvRow[] | undefined {
  const rowOf = (w: KvWrite): KvRow | undefined => there.find((r) => r.collection === w.collection && r.key === w.key);
  const wrong = writes.filter((w) => w.expect !== undefined && (rowOf(w)?.version ?? 0) !== w.expect);
  return wrong.length === 0 ? undefined : wrong.flatMap((w) => rowOf(w) ?? []);
}

/** Thrown inside a transaction: a row that the Commit expected in `puts` is not as expected, so nothing of the Commit may stay. */
export class UnmetPuts extends Error {
  override readonly name: string = "UnmetPuts";
  readonly rows: readonly KvRow[];
  constructor(rows: readonly KvRow[]) {
    super("a row is not as expected");
    this.rows = rows;
  }
}

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
