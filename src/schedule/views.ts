// Schedules as callers see them: rows with their last due times, times as text, and whether an engine that is alive has them in its code. It
// only reads, except that it removes the rows of engines that are gone.
import type { FullStore } from "../store/full-store.ts";
import type { Scope } from "../core/model.ts";
import { toTimeText } from "../events/envelope.ts";
import { engineIds } from "./fire.ts";
import { listSchedules, readCode, readFires, type StoredSchedule } from "./rows.ts";
import type { ScheduleView } from "./types.ts";

interface ViewDeps {
  readonly store: FullStore;
  readonly scope: Scope;
}

const firesListed = 5;
const atOnce = 16;

export async function scheduleViews(d: ViewDeps): Promise<readonly ScheduleView[]> {
  const [stored, inCode] = await Promise.all([listSchedules(d.store, d.scope), namesInCode(d)]);
  const views: ScheduleView[] = [];
  for (let i = 0; i < stored.length; i += atOnce)
    views.push(...(await Promise.all(stored.slice(i, i + atOnce).map((s) => viewOf(d, s, inCode, firesListed)))));
  return views.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function scheduleView(d: ViewDeps, s: StoredSchedule, fires: number): Promise<ScheduleView> {
  return viewOf(d, s, await namesInCode(d), fires);
}

async function namesInCode(d: ViewDeps): Promise<ReadonlySet<string>> {
  return readCode(d.store, d.scope, await engineIds(d));
}

async function viewOf(d: ViewDeps, { row }: StoredSchedule, inCode: ReadonlySet<string>, fires: number): Promise<ScheduleView> {
  const { name, when, overlap, catchupMs, workflow, paused, lastRun } = row;
  const { until, ...rest } = when;
  return {
    name,
    when: {
      ...("cron" in rest ? rest : { everyMs: rest.everyMs, ...(rest.from === undefined ? {} : { from: toTimeText(rest.from) }) }),
      ...(until === undefined ? {} : { until: toTimeText(until) }),
    },
    overlap,
    catchupMs,
    workflow,
    input: "value" in row.input ? "value" : "code",
    ...(paused === undefined && row.next !== null ? { nextAt: toTimeText(row.next) } : {}),
    ...(lastRun === undefined ? {} : { lastRunId: lastRun.runId }),
    ...(paused === undefined ? {} : { paused: orderView(paused, "since") }),
    inCode: inCode.has(name),
    fires: await readFires(d.store, d.scope, name, fires),
    orders: row.orders.map(({ order, ...o }) => ({ order, ...orderView(o, "at") })),
  };
}

function orderView<K extends "at" | "since">(
  { at, by, reason }: { readonly at: number; readonly by?: string; readonly reason?: string },
  key: K,
): Record<K, string> & { readonly by?: string; readonly reason?: string } {
  return {
    [key]: toTimeText(at),
    ...(by === undefined ? {} : { by }),
    ...(reason === undefined ? {} : { reason }),
  } as Record<K, string> & { readonly by?: string; readonly reason?: string };
}
