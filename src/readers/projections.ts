// Projections as rows: a small one per run, and one per attempt of a step. Attempts belong to a build: a rebuild writes the next
// build's beside those that are shown, and the run's row then points to it in one put, so that a reader never sees half of one.
// Alerts are one row per (runId, eventId) for the whole scope, whoever raised them (D-132), with a second one until delivered.
import type { Scope } from "../core/model.ts";
import type { Store } from "../store/port.ts";
import type { ConsumerId, ShelfWrite } from "../store/shelf.ts";
import { keyIn, padded, runKey, scopeShelf, shelfOf, within } from "./places.ts";
import { emptyRun, type InvalidTransitionAlert, type Policy, type ProjectedRun, type ProjectedStep } from "./reduce.ts";

/** A run's row: the projection, and the build that its steps belong to. */
export interface StoredRun extends ProjectedRun {
  readonly build: number;
}
export interface StoredAlert
  extends Omit<InvalidTransitionAlert, "code" | "runStatus" | "policy">, Partial<Pick<InvalidTransitionAlert, "runStatus" | "policy">> {
  /** PAYLOAD_MISMATCH is the append authority's: a duplicate came with another payload (log/mismatch.ts writes the row). */
  readonly code: InvalidTransitionAlert["code"] | "PAYLOAD_MISMATCH";
  /** Who raised it: a projector by its name, or "append". */
  readonly projector: string;
  /** Whether the handler for alerts has had it. */
  readonly delivered: boolean;
}
export type StepId = readonly [stepId: string, logicalAttemptId: number];

const pageSize = 500;

export class Projections {
  readonly #store: Store;
  readonly #runs: string;
  readonly #steps: string;
  readonly #name: string;
  readonly alerts: Alerts;

  constructor(store: Store, consumer: ConsumerId) {
    this.#store = store;
    this.#runs = shelfOf("projection", consumer);
    this.#steps = shelfOf("step", consumer);
    this.#name = consumer.name;
    this.alerts = new Alerts(store, consumer.scope);
  }

  async run(runId: string): Promise<StoredRun | undefined> {
    return (await this.runs([runId])).get(runId);
  }
  async runs(runIds: readonly string[]): Promise<ReadonlyMap<string, StoredRun>> {
    const rows = await this.#store.shelves.get(this.#runs, runIds.map(runKey));
    return new Map(rows.map((r) => JSON.parse(r.value) as StoredRun).map((p) => [p.runId, p]));
  }
  /** A new one. Its build is a time of the store's clock, so that attempts which an earlier one may have left are not its own. */
  empty(runId: string, policy: Policy, nowMs: number): StoredRun {
    return { ...emptyRun(runId, policy), build: nowMs };
  }

  /** Some attempts of a run, by name. */
  async some(run: StoredRun, ids: readonly StepId[]): Promise<readonly ProjectedStep[]> {
    if (ids.length === 0) return [];
    const rows = await this.#store.shelves.get(this.#steps, [...new Set(ids.map((id) => stepKey(run, id)))]);
    return rows.map((r) => JSON.parse(r.value) as ProjectedStep);
  }
  /** All attempts of a run. */
  async steps(run: StoredRun): Promise<readonly ProjectedStep[]> {
    const all: ProjectedStep[] = [];
    const { after, before } = within(run.runId);
    const mine = `${after}${padded(run.build)}/`;
    for (let from = mine; ;) {
      const rows = await this.#store.shelves.list({ shelf: this.#steps, after: from, before, limit: pageSize });
      const here = rows.filter((r) => r.key.startsWith(mine));
      all.push(...here.map((r) => JSON.parse(r.value) as ProjectedStep));
      if (rows.length < pageSize || here.length < rows.length) return all;
      from = rows.at(-1)!.key;
    }
  }
  /** Takes away attempts of earlier builds, the next page of them; builds are times, and sort as they were made. */
  async stale(run: Pick<StoredRun, "runId" | "build">): Promise<{ readonly writes: readonly ShelfWrite[]; readonly more: boolean }> {
    const { after } = within(run.runId);
    const rows = await this.#store.shelves.list({ shelf: this.#steps, after, before: `${after}${padded(run.build)}/`, limit: pageSize });
    return { writes: rows.map((r) => ({ shelf: this.#steps, key: r.key, value: null })), more: rows.length === pageSize };
  }

  writeRun(run: StoredRun): ShelfWrite {
    return { shelf: this.#runs, key: runKey(run.runId), value: JSON.stringify(run) };
  }
  writeStep(run: StoredRun, step: ProjectedStep): ShelfWrite {
    return { shelf: this.#steps, key: stepKey(run, [step.stepId, step.logicalAttemptId]), value: JSON.stringify(step) };
  }
  /** Rows for those that no projector has raised before. */
  async writeAlerts(raised: readonly InvalidTransitionAlert[]): Promise<readonly ShelfWrite[]> {
    return this.alerts.writes(raised.map((a) => ({ ...a, projector: this.#name, delivered: false })));
  }
}

function stepKey(run: Pick<StoredRun, "runId" | "build">, [stepId, attempt]: StepId): string {
  return keyIn(run.runId, run.build, stepId, attempt);
}

export class Alerts {
  readonly #store: Store;
  readonly #alerts: string;
  readonly #due: string;

  constructor(store: Store, scope: Scope) {
    this.#store = store;
    this.#alerts = scopeShelf("alert", scope);
    this.#due = scopeShelf("alert-due", scope);
  }

  async writes(raised: readonly StoredAlert[]): Promise<readonly ShelfWrite[]> {
    if (raised.length === 0) return [];
    const known = new Set((await this.#store.shelves.get(this.#alerts, raised.map(alertKey))).map((r) => r.key));
    return raised
      .filter((a) => !known.has(alertKey(a)))
      .flatMap((a) => [
        // Another projector may raise it at this moment: then all of this comes again, and finds it.
        { shelf: this.#alerts, key: alertKey(a), value: JSON.stringify(a), expect: 0 },
        { shelf: this.#due, key: alertKey(a), value: a.eventId },
      ]);
  }

  /** By run, then by event; `after` is the key of the last one of the page before. */
  async page(q: {
    readonly runId?: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly { readonly key: string; readonly alert: StoredAlert }[]> {
    const bounds = q.runId === undefined ? {} : within(q.runId);
    const rows = await this.#store.shelves.list({
      shelf: this.#alerts,
      ...bounds,
      ...(q.after === undefined ? {} : { after: q.after }),
      limit: q.limit,
    });
    return rows.map((r) => ({ key: r.key, alert: JSON.parse(r.value) as StoredAlert }));
  }

  /** Those that no handler has had. */
  async due(limit: number, after?: string): Promise<readonly { readonly key: string; readonly alert: StoredAlert }[]> {
    const rows = await this.#store.shelves.list({ shelf: this.#due, limit, ...(after === undefined ? {} : { after }) });
    const found = await this.#store.shelves.get(
      this.#alerts,
      rows.map((r) => r.key),
    );
    return found.map((r) => ({ key: r.key, alert: JSON.parse(r.value) as StoredAlert }));
  }
  delivered(alert: StoredAlert): readonly ShelfWrite[] {
    return [
      { shelf: this.#alerts, key: alertKey(alert), value: JSON.stringify({ ...alert, delivered: true }) },
      { shelf: this.#due, key: alertKey(alert), value: null },
    ];
  }
}

/** One event may be the reason of one alert of each kind. */
function alertKey(a: Pick<StoredAlert, "code" | "runId" | "eventId">): string {
  return a.code === "INVALID_TRANSITION" ? keyIn(a.runId, a.eventId) : keyIn(a.runId, a.eventId, a.code);
}
