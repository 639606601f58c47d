// What operators asked of engines, in rows of the store: workflows that are paused, engines that shall drain, that schedules have changed. Engines
// look at them at intervals, and once before they claim anything. A row that cannot be read changes nothing: the last look counts.
import type { Principal } from "../../core/principal.ts";
import type { Scope } from "../../core/model.ts";
import { runRowKey, scopedCollection } from "../../store/keys.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { KvWrite } from "../../store/reader-store.ts";

/** Who asked, and why. */
export interface OperatorOrder {
  readonly by?: Principal;
  readonly reason?: string;
}
export interface PausedWorkflow extends OperatorOrder {
  readonly workflow: string;
  readonly since: number;
}

const pausesOf = (scope: Scope): string => scopedCollection("paused-workflows", scope);
const drainsOf = (scope: Scope): string => scopedCollection("draining-engines", scope);
const pageSize = 200;

/** Paused already: the first order stands, with its time. */
export async function writePause(store: FullStore, scope: Scope, workflow: string, o: OperatorOrder): Promise<void> {
  await store.kv.put([{ collection: pausesOf(scope), key: runRowKey(workflow), value: JSON.stringify({ workflow, ...o }), expect: 0 }]);
}

export async function removePause(store: FullStore, scope: Scope, workflow: string): Promise<void> {
  await store.kv.put([{ collection: pausesOf(scope), key: runRowKey(workflow), value: null }]);
}

export async function readPauses(store: FullStore, scope: Scope): Promise<readonly PausedWorkflow[]> {
  if (store.lacks?.includes("reader") === true) return [];
  const found: PausedWorkflow[] = [];
  let after: string | undefined;
  for (;;) {
    const rows = await store.kv.list({ collection: pausesOf(scope), ...(after === undefined ? {} : { after }), limit: pageSize });
    for (const r of rows) found.push({ ...(JSON.parse(r.value) as Omit<PausedWorkflow, "since">), since: r.at });
    after = rows.at(-1)?.key;
    if (rows.length < pageSize) return found;
  }
}

export async function readPause(store: FullStore, scope: Scope, workflow: string): Promise<PausedWorkflow | undefined> {
  if (store.lacks?.includes("reader") === true) return undefined;
  const [row] = await store.kv.get(pausesOf(scope), [runRowKey(workflow)]);
  return row === undefined ? undefined : { ...(JSON.parse(row.value) as Omit<PausedWorkflow, "since">), since: row.at };
}

/** An engine has a new id whenever it starts, so an order never meets a later process. */
export async function writeDrain(store: FullStore, scope: Scope, engineId: string, o: OperatorOrder): Promise<void> {
  await store.kv.put([{ collection: drainsOf(scope), key: runRowKey(engineId), value: JSON.stringify(o), expect: 0 }]);
}

export async function readDrains(
  store: FullStore,
  scope: Scope,
  engineIds: readonly string[],
): Promise<ReadonlyMap<string, OperatorOrder & { readonly since: number }>> {
  if (engineIds.length === 0 || store.lacks?.includes("reader") === true) return new Map();
  const ids = new Map(engineIds.map((id) => [runRowKey(id), id]));
  const rows = await store.kv.get(drainsOf(scope), [...ids.keys()]);
  return new Map(rows.map((r) => [ids.get(r.key) ?? "", { ...(JSON.parse(r.value) as OperatorOrder), since: r.at }]));
}

/** No engine's id: engines read it together with the order to themselves. */
const scheduleMarkKey = "~schedules";

/** Goes with every change of a schedule that is not a fire, so that engines read schedules only when there is something new. */
export function scheduleMark(scope: Scope): KvWrite {
  return { collection: drainsOf(scope), key: scheduleMarkKey, value: "{}" };
}

/** What is asked of this engine, in one read: to drain, and which change of the schedules was the last; 0: there was none. */
export async function readEngineOrders(
  store: FullStore,
  scope: Scope,
  engineId: string,
): Promise<{ readonly drain: OperatorOrder | undefined; readonly schedules: number }> {
  const rows = await store.kv.get(drainsOf(scope), [runRowKey(engineId), scheduleMarkKey]);
  const order = rows.find((r) => r.key !== scheduleMarkKey);
  return {
    drain: order === undefined ? undefined : (JSON.parse(order.value) as OperatorOrder),
    schedules: rows.find((r) => r.key === scheduleMarkKey)?.version ?? 0,
  };
}
