// Group commit: while a batch is being written the next one gathers; nobody waits on a timer, one fsync serves every
// run that is ready. A large Commit goes alone, beside the batches, on a connection that the store takes for it: it holds
// nobody up. A batch whose outcome is unknown is asked again, byte for byte (K10); what the store calls busy or early is
// asked again later. It never changes a Commit and never has two of one run in a batch (K6).
import type { Code } from "../errors/catalogue.ts";
import { isPawlError } from "../errors/error.ts";
import type { Limits } from "../core/limits.ts";
import type { Platform } from "../platform/platform.ts";
import type { BatchAnswer, Commit, CommitAnswer, Renewal, Store } from "../store/port.ts";
import type { Logger } from "./run-host.ts";
import type { Metrics } from "./metrics.ts";
import type { StoreClock } from "./store-clock.ts";

/** Waits for a Commit. Called in the turn of the answer; neither may throw. No promise: every step passes here. */
export interface CommitListener {
  /** `sentAt`: the machine's uptime before the store was asked for what it answered: it was not written before that. */
  answered(answer: CommitAnswer, sentAt: number): void;
  failed(error: unknown): void;
}

interface Pending {
  readonly commit: Commit;
  readonly bytes: number;
  readonly listener: CommitListener;
  busyAnswers: number;
  /** When it was first sent since the store last refused it; null: it is not there. */
  sentAt: number | null;
}

export interface CommitterOptions {
  readonly platform: Platform;
  readonly store: Store;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clock: StoreClock;
  /** There is no more than one run in memory. */
  readonly hasSingleRun: () => boolean;
  /** A renewal to send with the batch, if one is due; it learns how it was answered. */
  readonly renewal: () => PiggybackRenewal | null;
}
interface PiggybackRenewal {
  readonly renewal: Renewal;
  readonly answered: (a: "renewed" | "dead") => void;
}
type QueueName = "batch" | "lone";
/** The store takes nothing now: it is asked again. */
export const storeUnavailable: readonly Code[] = ["PAWL3001", "PAWL3002", "PAWL3013"];
const firstWaitMs = 20;
const waitMsMax = 2_000;

export class Committer {
  readonly #o: CommitterOptions;
  #queue: Pending[] = [];
  /** Those that go alone: one at a time, beside the batches. */
  #single: Pending[] = [];
  #scheduled = false;
  #flushing = false;
  #flushingSingle = false;
  #pendingBytes = 0;
  /** What the store says of a batch that is asked again, by lane: over as soon as that batch is, however it ended. */
  readonly #problem: Record<QueueName, string | null> = { batch: null, lone: null };
  #drainWaiters: (() => void)[] = [];

  constructor(o: CommitterOptions) {
    this.#o = o;
  }
  /** Above the bound nothing new is claimed or started; outcomes are always accepted. */
  get full(): boolean {
    return this.#pendingBytes > this.#o.limits.pendingBytesMax;
  }
  /** Resolves when the next Commit has been answered. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }
  /** What the store says is wrong, while it does. */
  get problem(): string | null {
    return this.#problem.batch ?? this.#problem.lone;
  }

  submit(commit: Commit, bytes: number, by: CommitListener): void {
    this.#pendingBytes += bytes;
    this.#add({ commit, bytes, listener: by, busyAnswers: 0, sentAt: null });
  }

  /** K6: a large one alone, and one that was busy three times: by itself it waits for its row. */
  #add(p: Pending): void {
    const alone = p.bytes > this.#o.limits.commitBytesMax || p.busyAnswers >= 3 || waitsForLocks(p.commit);
    if (!alone) {
      this.#queue.push(p);
      return this.#schedule();
    }
    this.#single.push(p);
    this.#beginSingle();
  }

  /** One turn later, so that every run that is ready now is in the batch; at once, when no other run could be. */
  #schedule(): void {
    if (this.#scheduled || this.#flushing || this.#queue.length === 0) return;
    if (this.#o.hasSingleRun()) return this.#begin();
    this.#scheduled = true;
    this.#o.platform.turn(() => {
      this.#scheduled = false;
      this.#begin();
    });
  }
  #begin(): void {
    this.#flushing = true;
    this.#flush(this.#next(), "batch", firstWaitMs);
  }
  #beginSingle(): void {
    if (this.#flushingSingle || this.#single.length === 0) return;
    this.#flushingSingle = true;
    this.#flush(this.#single.splice(0, 1), "lone", firstWaitMs);
  }
  #onBatchEnd(lane: QueueName): void {
    this.#problem[lane] = null;
    if (lane === "batch") {
      this.#flushing = false;
      this.#schedule();
    } else {
      this.#flushingSingle = false;
      this.#beginSingle();
    }
  }

  /** A store that answers at once is heard at once: on the way of every step a promise is spared wherever it can be. */
  #flush(batch: readonly Pending[], lane: QueueName, waitMs: number): void {
    const ride = lane === "batch" ? this.#o.renewal() : null;
    const now = this.#o.platform.uptimeMs();
    for (const p of batch) p.sentAt ??= now;
    const heard = (a: BatchAnswer): void => this.#onAnswers(batch, lane, ride, a);
    const failed = (e: unknown): void => this.#onFailure(batch, lane, waitMs, e);
    let answer: BatchAnswer | Promise<BatchAnswer>;
    try {
      answer = this.#o.store.commit(
        batch.map((p) => p.commit),
        ride?.renewal,
      );
    } catch (e) {
      return failed(e);
    }
    if ("answers" in answer) heard(answer);
    else answer.then(heard, failed);
  }

  #onAnswers(batch: readonly Pending[], lane: QueueName, ride: PiggybackRenewal | null, all: BatchAnswer): void {
    if (all.renewal !== null) ride?.answered(all.renewal);
    this.#o.metrics.add("pawl_commit_batches_total");
    for (let i = 0; i < batch.length; i++) this.#onAnswer(batch[i]!, all.answers[i]!);
    this.#onBatchEnd(lane);
  }

  #onFailure(batch: readonly Pending[], lane: QueueName, waitMs: number, e: unknown): void {
    if (!isPawlError(e) || !storeUnavailable.includes(e.page)) {
      for (const p of batch) this.#done(p).failed(e);
      return this.#onBatchEnd(lane);
    }
    if (this.problem === null)
      this.#o.log("warn", `the store does not accept commits, they are tried again: ${e.message}`, { code: e.code });
    this.#problem[lane] = e.message;
    this.#o.metrics.add("pawl_commit_retries_total");
    this.#o.platform.timer(waitMs, () => this.#flush(batch, lane, Math.min(waitMs * 2, waitMsMax)));
  }

  /** K6: at most 256 Commits or 1 MiB. */
  #next(): Pending[] {
    const { limits } = this.#o;
    let [bytes, n] = [0, 0];
    for (const p of this.#queue) {
      if (n >= limits.batchCommitsMax || bytes + p.bytes > limits.batchBytesMax) break;
      bytes += p.bytes;
      n++;
    }
    if (n < this.#queue.length) return this.#queue.splice(0, Math.max(1, n));
    const all = this.#queue;
    this.#queue = [];
    return all;
  }

  #onAnswer(p: Pending, answer: CommitAnswer): void {
    if (answer.kind === "busy") {
      p.busyAnswers++;
      p.sentAt = null;
      return this.#add(p);
    }
    if (answer.kind === "early") {
      p.sentAt = null;
      this.#o.clock.sync(answer.nowMs);
      const ms = Math.max(1, (p.commit.notBefore ?? 0) - answer.nowMs);
      this.#o.platform.timer(ms, () => this.#add(p));
      return;
    }
    if (answer.kind === "committed" || answer.kind === "duplicate") {
      this.#o.metrics.add("pawl_commits_total");
      this.#o.clock.syncAtLeast(answer.persistedAt);
    }
    this.#done(p).answered(answer, p.sentAt ?? Number.NEGATIVE_INFINITY);
  }
  #done(p: Pending): CommitListener {
    this.#pendingBytes -= p.bytes;
    if (this.#drainWaiters.length > 0) for (const go of this.#drainWaiters.splice(0)) go();
    return p.listener;
  }
}

/** It takes rows of queues away that others may hold: it waits for them, and nobody waits for it. */
function waitsForLocks(c: Commit): boolean {
  return c.withdraws !== undefined || c.held !== undefined || c.drop !== undefined || c.puts !== undefined;
}
