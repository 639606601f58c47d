// The client's verbs for those who read the log. It keeps track of what was begun here, so that anyone who closes the store can end it
// first. Nothing here touches a run.
import { PawlError } from "../errors/error.ts";
import type { Scope } from "../core/model.ts";
import type { Platform } from "../platform/platform.ts";
import { removeConsumer, listConsumers } from "../readers/consumer-list.ts";
import { Watermarks } from "../readers/watermarks.ts";
import { startProjector } from "../readers/projector-service.ts";
import { Alerts, Projections, type Alert, type StoredRun } from "../readers/projection-rows.ts";
import { rebuild } from "../readers/rebuild.ts";
import type { ProjectedStep } from "../readers/reduce.ts";
import { defaultProjector, checkConsumerName } from "../readers/consumer-names.ts";
import { streamCursor } from "../readers/stream-cursor.ts";
import { subscribe, type Subscription } from "../readers/subscribe.ts";
import type { FullStore } from "../store/full-store.ts";
import type { RunRow } from "../store/port.ts";
import type { AlertFilter, ProjectionView, ReaderVerbs } from "./reader-types.ts";

/** What was begun through a client and continues by itself; and what it counts. */
export class OpenReaders {
  readonly #open = new Set<Subscription>();
  #alerts = 0;
  #lag = 0;
  readonly #reportTrouble: ((e: unknown) => void) | undefined;

  constructor(onTrouble?: (e: unknown) => void) {
    this.#reportTrouble = onTrouble;
  }

  async track(begun: Promise<Subscription>): Promise<Subscription> {
    const s = await begun;
    this.#open.add(s);
    const gone = (): void => void this.#open.delete(s);
    s.done.then(gone, gone);
    return s;
  }
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#open].map((s) => s.stop()));
  }
  onTrouble(e: unknown): void {
    this.#reportTrouble?.(e);
  }
  countAlerts(n: number): void {
    this.#alerts += n;
  }
  recordLag(rows: number): void {
    this.#lag = rows;
  }
  /** Prometheus text. */
  metrics(): string {
    return (
      "# HELP pawl_alerts_total Events that a projector here found invalid\n# TYPE pawl_alerts_total counter\n" +
      `pawl_alerts_total ${this.#alerts}\n` +
      "# HELP pawl_projector_lag Commits that waited for the projector here when it last looked, 256 at most\n" +
      `# TYPE pawl_projector_lag gauge\npawl_projector_lag ${this.#lag}\n`
    );
  }
}

export interface ReaderVerbsDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: Scope;
  readonly readers: OpenReaders;
  find(id: string): Promise<RunRow>;
}

export function readerVerbs(c: ReaderVerbsDeps): ReaderVerbs {
  const { store, platform, scope, readers } = c;
  const around = { store, platform, scope, onTrouble: (e: unknown) => readers.onTrouble(e) };
  return {
    subscribe: (o) => readers.track(subscribe(around, o)),
    unsubscribe: async (consumer) => {
      checkConsumerName("consumer", consumer);
      await removeConsumer(store, { scope, name: consumer });
    },
    consumers: () => listConsumers(store, scope),
    deadLetters: async (consumer, o = {}) => {
      const runId = o.run === undefined ? undefined : (await c.find(o.run)).runId;
      return new Watermarks(store, { scope, name: consumer }).deadLetters({
        limit: checkLimit(o.limit),
        ...(runId === undefined ? {} : { runId }),
        ...(o.after === undefined ? {} : { after: o.after }),
      });
    },
    project: (o) =>
      readers.track(
        startProjector({ ...around, onAlertsRaised: (n) => readers.countAlerts(n), onFeedRead: (rows) => readers.recordLag(rows) }, o),
      ),
    rebuild: (o) => rebuild(around, o),
    projection: async (id, o = {}) => {
      const { runId } = await c.find(id);
      const projections = new Projections(store, { scope, name: o.name ?? defaultProjector });
      const run = await projections.run(runId);
      return run === undefined ? undefined : projectionView(run, await projections.steps(run));
    },
    alerts: async (q = {}) => listAlerts(new Alerts(store, scope), q, q.run === undefined ? undefined : (await c.find(q.run)).runId),
    stream: (name) => streamCursor(store, { scope, name }),
  };
}

function checkLimit(limit = 100): number {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1_000)
    throw new PawlError("PAWL4011", "limit must be a whole number from 1 to 1000");
  return limit;
}

function projectionView(run: StoredRun, steps: readonly ProjectedStep[]): ProjectionView {
  const { build: _, status, condition, firstInvalid, ...rest } = run;
  return {
    ...rest,
    ...(status === null ? {} : { status }),
    ...(status === "PAUSED" && run.openSteps > 0 ? { substatus: "DRAINING" as const } : {}),
    ...(condition === null ? {} : { condition }),
    ...(firstInvalid === null ? {} : { firstInvalid }),
    steps,
  };
}

async function listAlerts(
  alerts: Alerts,
  q: AlertFilter,
  runId: string | undefined,
): Promise<{ readonly alerts: readonly Alert[]; readonly cursor?: string }> {
  const limit = checkLimit(q.limit);
  const [since, until] = [parseTime(q.since, "since"), parseTime(q.until, "until")];
  const found: Alert[] = [];
  for (let after = q.cursor; ;) {
    const page = await alerts.page({ limit: 500, ...(runId === undefined ? {} : { runId }), ...(after === undefined ? {} : { after }) });
    for (const { key, alert } of page) {
      const at = Date.parse(alert.persistedAt);
      after = key;
      if ((since !== undefined && at < since) || (until !== undefined && at >= until)) continue;
      found.push(alert);
      if (found.length === limit) return { alerts: found, cursor: key };
    }
    if (page.length < 500) return { alerts: found };
  }
}

function parseTime(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new PawlError("PAWL4011", `${what} is not a time: ${JSON.stringify(text.slice(0, 40))}`);
  return ms;
}
