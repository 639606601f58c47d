// The projector as a service: a consumer whose handler reduces each page and writes the projection, its steps and its alerts in the
// same transaction as the watermark, so that state and progress never part (D-116, D-020). It reads from where the projection
// stands, whatever the watermark claims: a projection that was lost is made again from the log.
import type { RunEventRecord } from "../core/contract.ts";
import { toRecord } from "../events/envelope.ts";
import type { Platform } from "../platform/platform.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId } from "../store/reader-store.ts";
import { AlertDelivery } from "./deliver-alerts.ts";
import { consume } from "./consume.ts";
import { requireVersion2, type NormaliseRecord } from "./record-version.ts";
import type { RunningConsumer, HandlerResult, Page } from "./consume-types.ts";
import { agreePolicy } from "./recorded-policy.ts";
import { Projections, type AttemptId, type Alert, type StoredRun } from "./projection-rows.ts";
import { checkPolicy, ProjectionFold } from "./projector.ts";
import type { ProjectorPolicy } from "./reduce.ts";
import { checkProjectorName, defaultProjector } from "./consumer-names.ts";

export interface ProjectOptions {
  /** The projector's name; projections are kept under it. */
  readonly name?: string;
  /**
   * What is done about an invalid event. Absent: what the store's projections were made with, else "mark". Another one than the recorded
   * one is refused (PAWL4031).
   */
  readonly policy?: ProjectorPolicy;
  /** Brings older records to the present version; `readVersion1` of pawl/compat does. Absent: they are refused (PAWL4032). */
  readonly normalise?: NormaliseRecord;
  /** Called for each alert once: again only if the process died before that was noted. Throwing tries it again later. */
  readonly onAlert?: (alert: Alert) => unknown;
  readonly concurrency?: number;
  readonly leaseMs?: number;
  /** Ends by itself when nothing waits. */
  readonly once?: boolean;
}
export interface ReaderDeps {
  readonly store: FullStore;
  readonly platform: Platform;
  readonly scope: ConsumerId["scope"];
  readonly onTrouble?: (e: unknown) => void;
  /** Called with how many alerts were raised. */
  readonly onAlertsRaised?: (alerts: number) => void;
  readonly onFeedRead?: (rows: number) => void;
}

/** Events reduced together. */
const batch = 500;

export async function startProjector(around: ReaderDeps, o: ProjectOptions = {}): Promise<RunningConsumer> {
  const { store, platform, scope, onTrouble } = around;
  const consumer: ConsumerId = { scope, name: o.name ?? defaultProjector };
  const normalise = o.normalise ?? requireVersion2;
  if (o.policy !== undefined) checkPolicy(o.policy);
  await checkProjectorName(store, consumer);
  const policy = await agreePolicy(store, consumer, o.policy);
  const projections = new Projections(store, consumer);
  const delivery = o.onAlert === undefined ? null : new AlertDelivery(around, o.onAlert, o.leaseMs);
  const reading = await consume({
    store,
    platform,
    consumer,
    from: "start",
    batch,
    concurrency: o.concurrency ?? 8,
    once: o.once === true,
    handle: async (page) => {
      const folding = await reducePage(store, projections, policy, normalise, page);
      if (folding.alerts.length > 0) {
        around.onAlertsRaised?.(folding.alerts.length);
        delivery?.notify();
      }
      return folding;
    },
    ...(o.leaseMs === undefined ? {} : { leaseMs: o.leaseMs }),
    ...(onTrouble === undefined ? {} : { onTrouble }),
    ...(around.onFeedRead === undefined ? {} : { onFeedRead: around.onFeedRead }),
  });
  if (delivery === null) return reading;
  const delivering = o.once === true ? reading.done.then(async () => void (await delivery.once())) : delivery.work();
  const done = Promise.all([reading.done, delivering]).then(() => {});
  done.catch(() => {});
  return {
    done,
    stop: async () => {
      await Promise.all([reading.stop(), delivery.stop()]);
      await done;
    },
  };
}

type ReducedPage = HandlerResult & { readonly alerts: readonly unknown[] };

async function reducePage(
  store: FullStore,
  projections: Projections,
  policy: ProjectorPolicy,
  normalise: (r: RunEventRecord) => RunEventRecord,
  page: Page,
): Promise<ReducedPage> {
  const stored = (await projections.run(page.run.runId)) ?? projections.empty(page.run.runId, policy, page.nowMs);
  const folding = new ProjectionFold<StoredRun>(stored, []);
  // Less than was acknowledged: the projection was lost, or is younger than the consumer.
  while (folding.run.watermark < page.after) {
    const events = await store.events({ runId: page.run.runId, after: folding.run.watermark, limit: batch });
    if (events.length === 0) break;
    await foldRecords(
      projections,
      folding,
      events.map((e) => normalise(toRecord(page.run, e))),
    );
  }
  await foldRecords(
    projections,
    folding,
    page.events.map((e) => normalise(toRecord(page.run, e))),
  );
  const writes = [
    projections.writeRun(folding.run),
    ...[...folding.changed.values()].map((s) => projections.writeStep(folding.run, s)),
    ...(await projections.writeAlerts(folding.alerts)),
  ];
  return { writes, alerts: folding.alerts };
}

/** Reduces records whose steps may not be in memory yet. */
export async function foldRecords(
  projections: Projections,
  folding: ProjectionFold<StoredRun>,
  records: readonly RunEventRecord[],
): Promise<void> {
  const ids = records.flatMap((r): AttemptId[] =>
    r.stepId === undefined
      ? []
      : [[r.stepId, r.logicalAttemptId], ...(r.logicalAttemptId > 1 ? [[r.stepId, r.logicalAttemptId - 1] as const] : [])],
  );
  folding.addKnownSteps(await projections.someSteps(folding.run, ids));
  for (const r of records) folding.add(r);
}
