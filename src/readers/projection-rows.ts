// Projections as rows: a small one per run, and one per attempt of a step. Attempts belong to a build: a rebuild writes the next
// build's beside those that are shown, and the run's row then points to it in one put, so that a reader never sees half of one.
// Alerts are one row per (runId, eventId) for the whole scope, no matter who raised them (D-132), with a second one until delivered.
import type { Scope } from "../core/model.ts";
import type { FullStore } from "../store/full-store.ts";
import type { ConsumerId, KvWrite } from "../store/reader-store.ts";
import { keyUnderRun, sortableNumber, consumerRunKey, scopeCollection, consumerCollection, runKeyRange } from "./kv-keys.ts";
import { emptyRun, type ProjectorAlert, type ProjectorPolicy, type ProjectedRun, type ProjectedStep } from "./reduce.ts";

/** A run's row: the projection, and the build that its steps belong to. */
export interface StoredRun extends ProjectedRun {
  readonly build: number;
}
export interface Alert
  extends Omit<ProjectorAlert, "code" | "runStatus" | "policy">, Partial<Pick<ProjectorAlert, "runStatus" | "policy">> {
  /** PAYLOAD_MISMATCH is the append authority's: a duplicate came with another payload (log/payload-mismatch.ts writes the row). */
  readonly code: ProjectorAlert["code"] | "PAYLOAD_MISMATCH";
  /** Who raised it: a projector by its name, or "append". */
  readonly projector: string;
  /** Whether the handler for alerts has had it. */
  readonly delivered: boolean;
}
/** How a policy is stored. */
export function policyToStore(p: ProjectorPolicy): "A" | "B" {
  return p === "freeze" ? "B" : "A";
}
export function policyFromStore(stored: unknown): ProjectorPolicy {
  return stored === "B" ? "freeze" : "mark";
}
const runText = (run: StoredRun): string => JSON.stringify({ ...run, policy: policyToStore(run.policy) });
const parseRun = (text: string): StoredRun => {
  const run = JSON.parse(text) as StoredRun;
  return { ...run, policy: policyFromStore(run.policy) };
};
const alertText = ({ policy, ...alert }: Alert): string =>
  JSON.stringify(policy === undefined ? alert : { ...alert, policy: policyToStore(policy) });
const parseAlert = (text: string): Alert => {
  const alert = JSON.parse(text) as Alert;
  return alert.policy === undefined ? alert : { ...alert, policy: policyFromStore(alert.policy) };
};

export type AttemptId = readonly [stepId: string, logicalAttemptId: number];

const pageSize = 500;

export class Projections {
  readonly #store: FullStore;
  readonly #runs: string;
  readonly #steps: string;
  readonly #name: string;
  readonly alerts: Alerts;

  constructor(store: FullStore, consumer: ConsumerId) {
    this.#store = store;
    this.#runs = consumerCollection("projection", consumer);
    this.#steps = consumerCollection("step", consumer);
    this.#name = consumer.name;
    this.alerts = new Alerts(store, consumer.scope);
  }

  async run(runId: string): Promise<StoredRun | undefined> {
    return (await this.runs([runId])).get(runId);
  }
  async runs(runIds: readonly string[]): Promise<ReadonlyMap<string, StoredRun>> {
    const rows = await this.#store.kv.get(this.#runs, runIds.map(consumerRunKey));
    return new Map(rows.map((r) => parseRun(r.value)).map((p) => [p.runId, p]));
  }
  /** A new one. Its build is a time of the store's clock, so that attempts which an earlier one may have left are not its own. */
  empty(runId: string, policy: ProjectorPolicy, nowMs: number): StoredRun {
    return { ...emptyRun(runId, policy), build: nowMs };
  }

  /** Some attempts of a run, by name. */
  async someSteps(run: StoredRun, ids: readonly AttemptId[]): Promise<readonly ProjectedStep[]> {
    if (ids.length === 0) return [];
    const rows = await this.#store.kv.get(this.#steps, [...new Set(ids.map((id) => stepKey(run, id)))]);
    return rows.map((r) => JSON.parse(r.value) as ProjectedStep);
  }
  /** All attempts of a run. */
  async steps(run: StoredRun): Promise<readonly ProjectedStep[]> {
    const all: ProjectedStep[] = [];
    const { after, before } = runKeyRange(run.runId);
    const mine = `${after}${sortableNumber(run.build)}/`;
    for (let from = mine; ;) {
      const rows = await this.#store.kv.list({ collection: this.#steps, after: from, before, limit: pageSize });
      const here = rows.filter((r) => r.key.startsWith(mine));
      all.push(...here.map((r) => JSON.parse(r.value) as ProjectedStep));
      if (rows.length < pageSize || here.length < rows.length) return all;
      from = rows.at(-1)!.key;
    }
  }
  /** Takes away attempts of earlier builds, the next page of them; builds are times, and sort as they were made. */
  async staleSteps(run: Pick<StoredRun, "runId" | "build">): Promise<{ readonly writes: readonly KvWrite[]; readonly more: boolean }> {
    const { after } = runKeyRange(run.runId);
    const rows = await this.#store.kv.list({
      collection: this.#steps,
      after,
      before: `${after}${sortableNumber(run.build)}/`,
      limit: pageSize,
    });
    return { writes: rows.map((r) => ({ collection: this.#steps, key: r.key, value: null })), more: rows.length === pageSize };
  }

  writeRun(run: StoredRun): KvWrite {
    return { collection: this.#runs, key: consumerRunKey(run.runId), value: runText(run) };
  }
  writeStep(run: StoredRun, step: ProjectedStep): KvWrite {
    return { collection: this.#steps, key: stepKey(run, [step.stepId, step.logicalAttemptId]), value: JSON.stringify(step) };
  }
  /** Rows for those that no projector has raised before. */
  async writeAlerts(raised: readonly ProjectorAlert[]): Promise<readonly KvWrite[]> {
    return this.alerts.writes(raised.map((a) => ({ ...a, projector: this.#name, delivered: false })));
  }
}

function stepKey(run: Pick<StoredRun, "runId" | "build">, [stepId, attempt]: AttemptId): string {
  return keyUnderRun(run.runId, run.build, stepId, attempt);
}

export class Alerts {
  readonly #store: FullStore;
  readonly #alerts: string;
  readonly #due: string;

  constructor(store: FullStore, scope: Scope) {
    this.#store = store;
    this.#alerts = scopeCollection("alert", scope);
    this.#due = scopeCollection("alert-due", scope);
  }

  async writes(raised: readonly Alert[]): Promise<readonly KvWrite[]> {
    if (raised.length === 0) return [];
    const known = new Set((await this.#store.kv.get(this.#alerts, raised.map(alertKey))).map((r) => r.key));
    return raised
      .filter((a) => !known.has(alertKey(a)))
      .flatMap((a) => [
        // Another projector may raise it at this moment: then all of this comes again, and finds it.
        { collection: this.#alerts, key: alertKey(a), value: alertText(a), expect: 0 },
        { collection: this.#due, key: alertKey(a), value: a.eventId },
      ]);
  }

  /** By run, then by event; `after` is the key of the last one of the page before. */
  async page(q: {
    readonly runId?: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly { readonly key: string; readonly alert: Alert }[]> {
    const bounds = q.runId === undefined ? {} : runKeyRange(q.runId);
    const rows = await this.#store.kv.list({
      collection: this.#alerts,
      ...bounds,
      ...(q.after === undefined ? {} : { after: q.after }),
      limit: q.limit,
    });
    return rows.map((r) => ({ key: r.key, alert: parseAlert(r.value) }));
  }

  /** Those that no handler has had. */
  async undelivered(limit: number, after?: string): Promise<readonly { readonly key: string; readonly alert: Alert }[]> {
    const rows = await this.#store.kv.list({ collection: this.#due, limit, ...(after === undefined ? {} : { after }) });
    const found = await this.#store.kv.get(
      this.#alerts,
      rows.map((r) => r.key),
    );
    return found.map((r) => ({ key: r.key, alert: parseAlert(r.value) }));
  }
  markDelivered(alert: Alert): readonly KvWrite[] {
    return [
      { collection: this.#alerts, key: alertKey(alert), value: alertText({ ...alert, delivered: true }) },
      { collection: this.#due, key: alertKey(alert), value: null },
    ];
  }
}

/** One event may be the reason of one alert of each kind. */
function alertKey(a: Pick<Alert, "code" | "runId" | "eventId">): string {
  return a.code === "INVALID_TRANSITION" ? keyUnderRun(a.runId, a.eventId) : keyUnderRun(a.runId, a.eventId, a.code);
}
