// Makes projections again from the log (P-38): FULL from the first event, FROM_SNAPSHOT from where the stored projection stands. It
// holds the projector's lease, so that nobody else writes them meanwhile. A run's new steps are written beside those that are
// shown, and its row is switched over in one put: stopped halfway, a rebuild leaves what was there. It is complete only if every
// run's watermark has reached the head that was seen at the beginning; what is committed later waits in the feed.
import { PawlError } from "../errors/error.ts";
import { toRecord } from "../log/envelope.ts";
import type { Platform } from "../platform/platform.ts";
import type { RunRow, Store } from "../store/port.ts";
import type { ConsumerId, ShelfWrite } from "../store/shelf.ts";
import { Desk } from "./desk.ts";
import { joinFeed } from "./join.ts";
import { cleanMark, Marks, type Mark } from "./marks.ts";
import { normaliser, type CompatibilityWindow } from "./normalise.ts";
import { agreePolicy, changePolicy, recordedPolicy } from "./policy.ts";
import { takeAll } from "./project.ts";
import { Projections, type StoredRun } from "./projections.ts";
import { checkPolicy, Folding } from "./projector.ts";
import type { InvalidTransitionAlert, Policy } from "./reduce.ts";
import { checkProjector, defaultProjector } from "./roles.ts";

export interface RebuildProgress {
  readonly runs: number;
  readonly runsTotal: number;
  readonly events: number;
  readonly eventsTotal: number;
}
export interface RebuildOptions extends CompatibilityWindow {
  readonly name?: string;
  /** FULL may change the recorded policy. */
  readonly policy?: Policy;
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
  around: { readonly store: Store; readonly platform: Platform; readonly scope: ConsumerId["scope"] },
  o: RebuildOptions = {},
): Promise<Rebuilt> {
  const { store, platform, scope } = around;
  const consumer: ConsumerId = { scope, name: o.name ?? defaultProjector };
  if (o.policy !== undefined) checkPolicy(o.policy);
  const mode = o.mode ?? "FULL";
  if (mode !== "FULL" && mode !== "FROM_SNAPSHOT") throw new PawlError("PAWL5001", 'mode is "FULL" or "FROM_SNAPSHOT"');
  await checkProjector(store, consumer);
  const desk = new Desk(store, platform, consumer, leaseMs);
  await seated(desk, platform, consumer.name);
  try {
    const policy = await policyFor(store, consumer, mode, o.policy);
    await joinFeed(store, consumer, "start");
    return await new Rebuild(around, o, desk, consumer, policy).all(mode);
  } finally {
    await desk.release();
  }
}

async function policyFor(store: Store, consumer: ConsumerId, mode: string, wanted: Policy | undefined): Promise<Policy> {
  const recorded = await recordedPolicy(store, consumer.scope);
  if (mode === "FULL" && wanted !== undefined && recorded !== undefined && wanted !== recorded) await changePolicy(store, consumer, wanted);
  return agreePolicy(store, consumer, wanted);
}

/** Waits for the lease of a process that died; one that is alive keeps it. */
async function seated(desk: Desk, platform: Platform, name: string): Promise<void> {
  let version: number | null = null;
  for (;;) {
    const seat = await desk.take();
    if (seat.kind === "ours") return;
    if (version !== null && version !== seat.version) throw new PawlError("PAWL4030", `another process works as projector ${name}`);
    version = seat.version;
    await new Promise<void>((resolve) => void platform.timer(Math.min(500, Math.max(1, seat.leftMs)), resolve, true));
  }
}

class Rebuild {
  readonly #store: Store;
  readonly #o: RebuildOptions;
  readonly #desk: Desk;
  readonly #policy: Policy;
  readonly #scope: ConsumerId["scope"];
  readonly #projections: Projections;
  readonly #marks: Marks;
  readonly #normalised: ReturnType<typeof normaliser>;
  readonly #seen = { runs: 0, runsTotal: 0, events: 0, eventsTotal: 0 };
  #complete = true;

  constructor(around: { readonly store: Store }, o: RebuildOptions, desk: Desk, consumer: ConsumerId, policy: Policy) {
    this.#store = around.store;
    this.#o = o;
    this.#desk = desk;
    this.#policy = policy;
    this.#scope = consumer.scope;
    this.#projections = new Projections(around.store, consumer);
    this.#marks = new Marks(around.store, consumer);
    this.#normalised = normaliser(o);
  }

  async all(mode: "FULL" | "FROM_SNAPSHOT"): Promise<Rebuilt> {
    for await (const runs of this.#pages()) {
      this.#seen.runsTotal += runs.length;
      this.#seen.eventsTotal += runs.reduce((n, r) => n + (r.purgedAt === null ? r.headSeq : 0), 0);
    }
    this.#o.onProgress?.(this.#seen);
    for await (const runs of this.#pages()) {
      for (let i = 0; i < runs.length; i += runsAtOnce) {
        if (this.#o.signal?.aborted === true) return { ...this.#seen, complete: false };
        await this.#some(runs.slice(i, i + runsAtOnce), mode);
        this.#o.onProgress?.(this.#seen);
      }
    }
    return { ...this.#seen, complete: this.#complete };
  }

  async *#pages(): AsyncGenerator<readonly RunRow[]> {
    for (let cursor: string | undefined; ;) {
      const page = await this.#store.runs({ scope: this.#scope, limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      yield page.runs;
      if (page.cursor === undefined) return;
      cursor = page.cursor;
    }
  }

  async #some(runs: readonly RunRow[], mode: "FULL" | "FROM_SNAPSHOT"): Promise<void> {
    const ids = runs.map((r) => r.runId);
    const [shown, marks] = [await this.#projections.runs(ids), await this.#marks.read(ids)];
    await Promise.all(runs.map((r) => this.#one(r, shown.get(r.runId), marks.get(r.runId), mode)));
  }

  async #one(run: RunRow, shown: StoredRun | undefined, mark: Mark | undefined, mode: "FULL" | "FROM_SNAPSHOT"): Promise<void> {
    if (run.purgedAt !== null) return void this.#seen.runs++; // its log is gone: what was made of it stays
    const fresh = mode === "FULL" || shown === undefined;
    const build = Math.max(this.#desk.nowMs(), (shown?.build ?? 0) + 1);
    const start = fresh ? this.#projections.empty(run.runId, this.#policy, build) : shown;
    const folding = new Folding<StoredRun>(start, []);
    for (;;) {
      const events = await this.#store.events({ runId: run.runId, after: folding.run.watermark, limit: batch });
      const records = events.map((e) => this.#normalised(toRecord(run, e)));
      if (fresh) for (const r of records) folding.take(r);
      else await takeAll(this.#projections, folding, records);
      this.#seen.events += events.length;
      if (events.length < batch) break;
      // Steps of a build that is not shown yet may be written ahead; those of one that is must come with their watermark.
      if (fresh) await this.#ahead(folding);
      else await this.#show(folding, mark);
    }
    this.#seen.runs++;
    const short = folding.run.watermark < run.headSeq;
    if (short) this.#complete = false;
    if (short && fresh) return; // less than the log has: what is shown stays
    if (fresh) await this.#ahead(folding);
    // What stands where it stood needs no writing.
    if (folding.run !== start || mark?.seq !== start.watermark || mark.heldUntil !== null) await this.#show(folding, mark);
    if (fresh) await this.#clear(folding.run);
  }

  /** Leaves only the attempts of this build. */
  async #clear(run: StoredRun): Promise<void> {
    for (let more = true; more;) {
      const stale = await this.#projections.stale(run);
      if (stale.writes.length > 0) await this.#write(stale.writes);
      more = stale.more;
    }
  }

  async #ahead(folding: Folding<StoredRun>): Promise<void> {
    const writes = this.#steps(folding);
    for (let i = 0; i < writes.length; i += rowsMax) await this.#write(writes.slice(i, i + rowsMax));
  }

  #steps(folding: Folding<StoredRun>): ShelfWrite[] {
    const writes = [...folding.changed.values()].map((s) => this.#projections.writeStep(folding.run, s));
    folding.changed.clear();
    return writes;
  }

  /** The run's row, with the mark: from here on readers see it. Its alerts come before it; they are the same whoever raises them. */
  async #show(folding: Folding<StoredRun>, mark: Mark | undefined): Promise<void> {
    const raised = folding.alerts.splice(0);
    for (let i = 0; i < raised.length; i += rowsMax / 2) await this.#raise(raised.slice(i, i + rowsMax / 2));
    const marked = this.#marks.move(mark, cleanMark(folding.run.runId, folding.run.watermark));
    await this.#write([this.#projections.writeRun(folding.run), ...this.#steps(folding), ...marked]);
  }

  /** Another projector may raise the same ones at this moment: then they are looked for again. */
  async #raise(alerts: readonly InvalidTransitionAlert[]): Promise<void> {
    for (let n = 1; n <= raisesMax; n++) {
      const writes = await this.#projections.writeAlerts(alerts);
      const answer = writes.length === 0 ? "written" : await this.#desk.write(writes, []);
      if (answer === "written") return;
      if (answer === "lost") break;
    }
    throw lost();
  }

  async #write(writes: readonly ShelfWrite[]): Promise<void> {
    if ((await this.#desk.write(writes, [])) !== "written") throw lost();
  }
}

function lost(): PawlError {
  return new PawlError("PAWL4030", "another process took the projector over meanwhile");
}
