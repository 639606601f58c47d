// Works batches: page after page of the runs that match, each asked for its action under an id made from batch and run, then place and counts in
// one write. A lease lets one process of a tenant work at a time; the next one continues at the last place, and what was asked for
// since acts once. It must never act on a run that is younger than its batch.
import type { BatchView } from "../../api/types/operate.ts";
import { isPawlError } from "../../errors/error.ts";
import type { Cancel } from "../../platform/platform.ts";
import { ConsumerLease } from "../../readers/consumer-lease.ts";
import type { RunRow } from "../../store/port.ts";
import type { ClientContext } from "../client-deps.ts";
import { controlRun } from "../control/control-run.ts";
import { toRunQuery } from "../lists/list-runs.ts";
import { retryRun } from "../start/retry.ts";
import { activeBatches, readBatch, removeActive, replaceBatch, requestIdFor, type BatchRow, type StoredBatch } from "./batch-rows.ts";

type Outcome =
  | { readonly kind: "done" }
  | { readonly kind: "skipped" }
  | { readonly kind: "failed"; readonly failure: BatchView["failures"][number] };

const pageRuns = 20;
const failuresMax = 20;
const leaseMs = 30_000;
/** Part of an engine's rhythm: a virtual clock passes over timers that are no longer than a second. */
const lookEveryMs = 1_000;
/** The run's status, or a newer run of its id, does not permit it. */
const skipping: ReadonlySet<string> = new Set(["PAWL4010", "PAWL4003", "PAWL4002", "PAWL4001"]);

export class BatchWorker {
  readonly #c: ClientContext;
  readonly #lease: ConsumerLease;
  readonly #onTrouble: (e: unknown) => void;
  #timer: Cancel | null = null;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();

  constructor(c: ClientContext, onTrouble: (e: unknown) => void = () => {}) {
    this.#c = c;
    this.#onTrouble = onTrouble;
    this.#lease = new ConsumerLease(c.store, c.platform, { scope: c.scope, name: "pawl.batches" }, leaseMs);
  }

  /** Looks for batches at intervals, until it is stopped. It keeps no process alive. */
  start(): void {
    if (this.#stopped || this.#c.store.lacks?.includes("reader") === true) return;
    this.#timer = this.#c.platform.timer(lookEveryMs, () => {
      this.#working = this.pass()
        .catch((e: unknown) => this.#onTrouble(e))
        .finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    await this.#working;
  }

  /** Works what there is, if no other process does. */
  async pass(): Promise<void> {
    const active = await activeBatches(this.#c.store, this.#c.scope);
    if (active.length === 0 || this.#stopped) return;
    if ((await this.#lease.acquire()).kind !== "ours") return;
    try {
      for (const batchId of active) if (!(await this.#work(batchId))) return;
    } finally {
      await this.#lease.release().catch(() => {}); // it runs out by itself
    }
  }

  /** false: the lease was lost, or this process stops. */
  async #work(batchId: string): Promise<boolean> {
    const { store, scope, platform } = this.#c;
    for (;;) {
      if (this.#stopped) return false;
      const stored = await readBatch(store, scope, batchId);
      if (stored === undefined || stored.row.state !== "working") {
        await store.kv.put([removeActive(scope, batchId)]);
        return true;
      }
      const { runs, cursor } = await this.#nextPage(stored.row);
      const outcomes = await Promise.all(runs.map((r) => this.#act(stored.row, r)));
      platform.hit("engine:batch");
      if (!(await this.#record(stored, outcomes, cursor))) return false;
    }
  }

  #nextPage(b: BatchRow): Promise<{ readonly runs: readonly RunRow[]; readonly cursor?: string }> {
    const { store, scope } = this.#c;
    const query = toRunQuery(scope, b.filter);
    const left = b.max - (b.done + b.skipped + b.failed);
    if (left <= 0) return Promise.resolve({ runs: [] });
    const until = Math.min(query.until ?? Number.POSITIVE_INFINITY, b.createdAt);
    return store.runs({ ...query, until, limit: Math.min(pageRuns, left), ...(b.cursor === undefined ? {} : { cursor: b.cursor }) });
  }

  async #act(b: BatchRow, run: RunRow): Promise<Outcome> {
    const c = b.by === undefined ? this.#c : { ...this.#c, by: b.by };
    const requestId = requestIdFor(b.batchId, run.runId);
    try {
      if (b.action === "retry") await retryRun(c, run, { reason: b.reason, requestId });
      else {
        // An engine beside this client takes the request by itself; without one somebody must apply it.
        const wait = c.engine === null ? {} : { timeoutMs: 0 };
        await controlRun(c, run.runId, b.action, { reason: b.reason, requestId, ...wait });
      }
      return { kind: "done" };
    } catch (e) {
      if (isPawlError(e) && skipping.has(e.page)) return { kind: "skipped" };
      // A store that is away fails the batch's pass, not the run: the page is worked again.
      if (!isPawlError(e) || e.outcome === "unknown" || e.page.startsWith("PAWL3")) throw e;
      return { kind: "failed", failure: { runId: run.runId, code: e.page, message: e.message } };
    }
  }

  /** false: another process has the lease. */
  async #record(read: StoredBatch, outcomes: readonly Outcome[], cursor: string | undefined): Promise<boolean> {
    let { row, version } = read;
    for (;;) {
      const next = counted(row, outcomes, cursor);
      const answer = await this.#lease.write(replaceBatch(this.#c.scope, next, version), []);
      if (answer === "written") return true;
      if (answer === "lost") return false;
      // Somebody stopped it meanwhile: what was done is counted all the same.
      const now = await readBatch(this.#c.store, this.#c.scope, row.batchId);
      if (now === undefined) return true;
      ({ row, version } = now);
    }
  }
}

function counted(b: BatchRow, outcomes: readonly Outcome[], cursor: string | undefined): BatchRow {
  const count = (kind: Outcome["kind"]): number => outcomes.filter((o) => o.kind === kind).length;
  const failures = outcomes.flatMap((o) => (o.kind === "failed" ? [o.failure] : []));
  const done = b.done + count("done");
  const skipped = b.skipped + count("skipped");
  const failed = b.failed + count("failed");
  const over = cursor === undefined || done + skipped + failed >= b.max;
  return {
    ...b,
    done,
    skipped,
    failed,
    failures: [...b.failures, ...failures].slice(0, failuresMax),
    state: b.state === "stopped" ? "stopped" : over ? "done" : "working",
    ...(cursor === undefined ? {} : { cursor }),
  };
}
