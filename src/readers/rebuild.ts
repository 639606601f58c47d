// Makes projections again from the log (P-38): FULL from the first event, FROM_SNAPSHOT from where the stored projection stands. It
// holds the projector's lease, so that nobody else writes them meanwhile. A run's new steps are written beside those that are
// shown, and its row is switched over in one put: stopped halfway, a rebuild leaves what was there. It is complete only if every
// run's watermark has reached the head that was seen at the beginning; what is committed later waits in the feed.
import { PawlError } from "../errors/error.ts";
import { toRecord } from "../events/envelope.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { RunRow } from "../store/port.ts";
import type { ConsumerId, KvWrite } from "../store/reader-store.ts";
import { ConsumerLease } from "./consumer-lease.ts";
import { joinFeed } from "./join-feed.ts";
import { newWatermark, Watermarks, type Watermark } from "./watermarks.ts";
import { requireVersion2, type NormaliseRecord } from "./record-version.ts";
import { agreePolicy, changePolicy, recordedPolicy } from "./recorded-policy.ts";
import { foldRecords } from "./projector-service.ts";
import { Projections, type StoredRun } from "./projection-rows.ts";
import { checkPolicy, ProjectionFold } from "./projector.ts";
import type { ProjectorAlert, ProjectorPolicy } from "./reduce.ts";
import { checkProjectorName, defaultProjector } from "./consumer-names.ts";

export interface RebuildProgress {
  readonly runs: number;
  readonly runsTotal: number;
  readonly events: number;
  readonly eventsTotal: number;
}
export interface RebuildOptions {
  readonly name?: string;
  /** FULL may change the recorded policy. */
  readonly policy?: ProjectorPolicy;
  /** As for `project`. */
  readonly normalise?: NormaliseRecord;
  readonly mode?: "FULL" | "FROM_SNAPSHOT";
  readonly onProgress?: (p: RebuildProgress) => void;
  /** Ends it after the run at hand; what was done stays, and the answer is not complete. */
  readonly signal?: AbortSignal;
}
export interface Rebuilt extends RebuildProgress {
  /** Every run's watermark has reached the head that was there at the beginning. */
  readonly complete: boolean;
}

const batch = 1_000;
const runsAtOnce = 32;
const leaseMs = 30_000;
/** Rows of one put, well below what a store takes. */
const rowsMax = 400;
/** How often other projectors may raise the same alerts first. */
const raisesMax = 10;

export async function rebuild(
  around: { readonly store: FullStore; readonly platform: Platform; readonly scope: ConsumerId["scope"] },
  o: RebuildOptions = {},
): Promise<Rebuilt> {
  const { store, platform, scope } = around;
  const consumer: ConsumerId = { scope, name: o.name ?? defaultProjector };
  if (o.policy !== undefined) checkPolicy(o.policy);
  const mode = o.mode ?? "FULL";
  if (mode !== "FULL" && mode !== "FROM_SNAPSHOT") throw new PawlError("PAWL5001", 'mode must be "FULL" or "FROM_SNAPSHOT"');
  await checkProjectorName(store, consumer);
  const lease = new ConsumerLease(store, platform, consumer, leaseMs);
  await acquireLease(lease, platform, consumer.name);
  try {
    const policy = await policyFor(store, consumer, mode, o.policy);
    await joinFeed(store, consumer, "start");
    return await new Rebuild(around, o, lease, consumer, policy).all(mode);
  } finally {
    await lease.release();
  }
}

async function policyFor(
  store: FullStore,
  consumer: ConsumerId,
  mode: string,
  wanted: ProjectorPolicy | undefined,
): Promise<ProjectorPolicy> {
  const recorded = await recordedPolicy(store, consumer.scope);
  if (mode === "FULL" && wanted !== undefined && recorded !== undefined && wanted !== recorded) await changePolicy(store, consumer, wanted);
  return agreePolicy(store, consumer, wanted);
}

/** Waits for the lease of a process that died; one that is alive keeps it. */
async function acquireLease(lease: ConsumerLease, platform: Platform, name: string): Promise<void> {
  let version: number | null = null;
  for (;;) {
    const state = await lease.acquire();
    if (state.kind === "ours") return;
    if (version !== null && version !== state.version) throw new PawlError("PAWL4030", `another process works as projector ${name}`);
    version = state.version;
    await new Promise<void>((resolve) => void platform.timer(Math.min(500, Math.max(1, state.leftMs)), resolve, true));
  }
}

class Rebuild {
  readonly #store: FullStore;
  readonly #o: RebuildOptions;
  readonly #lease: ConsumerLease;
  readonly #policy: ProjectorPolicy;
  readonly #scope: ConsumerId["scope"];
  readonly #projections: Projections;
  readonly #watermarks: Watermarks;
  readonly #normalise: NormaliseRecord;
  readonly #progress = { runs: 0, runsTotal: 0, events: 0, eventsTotal: 0 };
  #complete = true;

  constructor(
    around: { readonly store: FullStore },
    o: RebuildOptions,
    lease: ConsumerLease,
    consumer: ConsumerId,
    policy: ProjectorPolicy,
  ) {
    this.#store = around.store;
    this.#o = o;
    this.#lease = lease;
    this.#policy = policy;
    this.#scope = consumer.scope;
    this.#projections = new Projections(around.store, consumer);
    this.#watermarks = new Watermarks(around.store, consumer);
    this.#normalise = o.normalise ?? requireVersion2;
  }

  async all(mode: "FULL" | "FROM_SNAPSHOT"): Promise<Rebuilt> {
    for await (const runs of this.#pages()) {
      this.#progress.runsTotal += runs.length;
      this.#progress.eventsTotal += runs.reduce((n, r) => n + (r.purgedAt === null ? r.headSeq : 0), 0);
    }
    this.#o.onProgress?.(this.#progress);
    for await (const runs of this.#pages()) {
      for (let i = 0; i < runs.length; i += runsAtOnce) {
        if (this.#o.signal?.aborted === true) return { ...this.#progress, complete: false };
        await this.#rebuildRuns(runs.slice(i, i + runsAtOnce), mode);
        this.#o.onProgress?.(this.#progress);
      }
    }
    return { ...this.#progress, complete: this.#complete };
  }

  async *#pages(): AsyncGenerator<readonly RunRow[]> {
    for (let cursor: string | undefined; ;) {
      const page = await this.#store.runs({ scope: this.#scope, limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      yield page.runs;
      if (page.cursor === undefined) return;
      cursor = page.cursor;
    }
  }

  async #rebuildRuns(runs: readonly RunRow[], mode: "FULL" | "FROM_SNAPSHOT"): Promise<void> {
    const ids = runs.map((r) => r.runId);
    const [shown, marks] = [await this.#projections.runs(ids), await this.#watermarks.read(ids)];
    await Promise.all(runs.map((r) => this.#rebuildRun(r, shown.get(r.runId), marks.get(r.runId), mode)));
  }

  async #rebuildRun(run: RunRow, shown: StoredRun | undefined, mark: Watermark | undefined, mode: "FULL" | "FROM_SNAPSHOT"): Promise<void> {
    if (run.purgedAt !== null) return void this.#progress.runs++; // its log is gone: what was made of it stays
    const fresh = mode === "FULL" || shown === undefined;
    const build = Math.max(this.#lease.nowMs(), (shown?.build ?? 0) + 1);
    const start = fresh ? this.#projections.empty(run.runId, this.#policy, build) : shown;
    const folding = new ProjectionFold<StoredRun>(start, []);
    for (;;) {
      const events = await this.#store.events({ runId: run.runId, after: folding.run.watermark, limit: batch });
      const records = events.map((e) => this.#normalise(toRecord(run, e)));
      if (fresh) for (const r of records) folding.add(r);
      else await foldRecords(this.#projections, folding, records);
      this.#progress.events += events.length;
      if (events.length < batch) break;
      // Steps of a build that is not shown yet may be written ahead; those of one that is must come with their watermark.
      if (fresh) await this.#isAhead(folding);
      else await this.#switchOver(folding, mark);
    }
    this.#progress.runs++;
    const short = folding.run.watermark < run.headSeq;
    if (short) this.#complete = false;
    if (short && fresh) return; // less than the log has: what is shown stays
    if (fresh) await this.#isAhead(folding);
    // What stands where it stood needs no writing.
    if (folding.run !== start || mark?.seq !== start.watermark || mark.heldUntil !== null) await this.#switchOver(folding, mark);
    if (fresh) await this.#clear(folding.run);
  }

  /** Leaves only the attempts of this build. */
  async #clear(run: StoredRun): Promise<void> {
    for (let more = true; more;) {
      const stale = await this.#projections.staleSteps(run);
      if (stale.writes.length > 0) await this.#write(stale.writes);
      more = stale.more;
    }
  }

  async #isAhead(folding: ProjectionFold<StoredRun>): Promise<void> {
    const writes = this.#steps(folding);
    for (let i = 0; i < writes.length; i += rowsMax) await this.#write(writes.slice(i, i + rowsMax));
  }

  #steps(folding: ProjectionFold<StoredRun>): KvWrite[] {
    const writes = [...folding.changed.values()].map((s) => this.#projections.writeStep(folding.run, s));
    folding.changed.clear();
    return writes;
  }

  /** The run's row, with the mark: from here on readers see it. Its alerts come before it; they are the same, no matter who raises them. */
  async #switchOver(folding: ProjectionFold<StoredRun>, mark: Watermark | undefined): Promise<void> {
    const raised = folding.alerts.splice(0);
    for (let i = 0; i < raised.length; i += rowsMax / 2) await this.#writeAlerts(raised.slice(i, i + rowsMax / 2));
    const marked = this.#watermarks.move(mark, newWatermark(folding.run.runId, folding.run.watermark));
    await this.#write([this.#projections.writeRun(folding.run), ...this.#steps(folding), ...marked]);
  }

  /** Another projector may raise the same ones at this moment: then they are looked for again. */
  async #writeAlerts(alerts: readonly ProjectorAlert[]): Promise<void> {
    for (let n = 1; n <= raisesMax; n++) {
      const writes = await this.#projections.writeAlerts(alerts);
      const answer = writes.length === 0 ? "written" : await this.#lease.write(writes, []);
      if (answer === "written") return;
      if (answer === "lost") break;
    }
    throw leaseLost();
  }

  async #write(writes: readonly KvWrite[]): Promise<void> {
    if ((await this.#lease.write(writes, [])) !== "written") throw leaseLost();
  }
}

function leaseLost(): PawlError {
  return new PawlError("PAWL4030", "another process took the projector over meanwhile");
}
