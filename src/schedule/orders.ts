// What people do to schedules: pause, resume, remove, fire now. Each replaces the schedule's row by compare-and-swap, so that it holds the moment it
// is answered: a fire that began before it and commits after it is refused by the store. Who asked and why is kept.
import { scheduleMark } from "../engine/publish/operator-orders.ts";
import { PawlError } from "../errors/error.ts";
import type { KvWrite } from "../store/reader-store.ts";
import { checkScheduleName } from "./define.ts";
import { dueTimes, duesUpTo } from "./due-times.ts";
import { canFire, openRunText, start, type FireDeps } from "./fire.ts";
import { withOrder } from "./put.ts";
import {
  dropOldFires,
  dropSchedule,
  putFire,
  putSchedule,
  readSchedule,
  recordedDues,
  type OrderRecord,
  type ScheduleRow,
  type StoredSchedule,
} from "./rows.ts";
import type { FiredSchedule } from "./types.ts";

export type Asked = Omit<OrderRecord, "at">;

/** So many due times that a pause covered get a record. */
const missedMax = 50;

export async function requireSchedule(d: Pick<FireDeps, "store" | "scope">, name: string): Promise<StoredSchedule> {
  const found = await readSchedule(d.store, d.scope, checkScheduleName(name));
  if (found === undefined) throw new PawlError("PAWL4120", `there is no schedule ${name}`, { data: { name } });
  return found;
}

/** Paused already: the first order stands. */
export function pauseSchedule(d: FireDeps, name: string, by: Asked): Promise<void> {
  return change(d, name, async ({ row }, at) =>
    row.paused === undefined ? { row: withOrder({ ...row, paused: { at, ...by } }, "pause", { at, ...by }), writes: [] } : null,
  );
}

/** What was due while it was paused is recorded, and not made up. */
export function resumeSchedule(d: FireDeps, name: string, by: Asked): Promise<void> {
  return change(d, name, async ({ row }, at) => {
    const { paused, ...rest } = row;
    if (paused === undefined) return null;
    const resumed = withOrder(rest, "resume", { at, ...by });
    if (row.next === null || row.next > at) return { row: resumed, writes: [] };
    const times = dueTimes(row.when, row.anchor);
    const { dues, more } = duesUpTo(times, row.next, at, missedMax);
    const last = dues.at(-1) ?? row.next;
    const known = await recordedDues(d.store, d.scope, name, [row.next, ...dues]);
    const because = `paused${paused.by === undefined ? "" : ` by ${paused.by}`}${paused.reason === undefined ? "" : `: ${paused.reason}`}`;
    const missed = dues.filter((due) => !known.has(due)).map((due) => putFire(d.scope, name, { due, did: "missed", because }));
    if (more && !known.has(row.next))
      missed.push(putFire(d.scope, name, { due: row.next, did: "missed", because, before: dues[0] ?? last }));
    return { row: { ...resumed, next: times.next(last), lastDue: last, fires: row.fires + missed.length }, writes: missed };
  });
}

export async function removeSchedule(d: FireDeps, name: string, by: Asked): Promise<void> {
  for (;;) {
    const found = await requireSchedule(d, name);
    const { nowMs } = await d.store.info();
    const writes = [...dropSchedule(d.scope, found, { at: nowMs, ...by }, d.platform.uuidV7()), scheduleMark(d.scope)];
    if ((await d.store.kv.put(writes)).kind === "put") break;
  }
  await dropOldFires(d.store, d.scope, name, 0);
}

/** Besides its due times. Under one `requestId` there is one run. `by`: JSON of the principal, for the run's log. */
export async function fireNow(d: FireDeps, name: string, asked: Asked, requestId: string, by: string | undefined): Promise<FiredSchedule> {
  const startKey = `sch/${checkScheduleName(name)}/by-hand/${requestId}`;
  for (;;) {
    const known = await d.store.run({ scope: d.scope, idempotencyKey: startKey });
    if (known !== undefined) return { name, due: known.workflowId.slice(name.length + 1), runId: known.runId };
    const found = await requireSchedule(d, name);
    if (!canFire(d, found.row))
      throw new PawlError("PAWL4121", `the input of schedule ${name} is made by code that this process does not have`, { data: { name } });
    const open = await openRunText(d, found.row);
    if (open !== null) throw new PawlError("PAWL4122", `schedule ${name} was not fired: ${open}`, { data: { name } });
    const { nowMs } = await d.store.info();
    let due = nowMs;
    while ((await recordedDues(d.store, d.scope, name, [due])).size > 0) due++;
    const row = withOrder({ ...found.row, fires: found.row.fires + 1 }, "fire", { at: nowMs, ...asked });
    const because = `by hand${asked.by === undefined ? "" : `, by ${asked.by}`}${asked.reason === undefined ? "" : `: ${asked.reason}`}`;
    const { recorded } = await start(d, found, row, [scheduleMark(d.scope)], due, startKey, { because, by });
    if (recorded?.did === "started") return { name, due: new Date(due).toISOString(), runId: recorded.runId ?? "" };
    if (recorded !== null) throw new PawlError("PAWL1008", `schedule ${name} was not fired: ${recorded.because ?? ""}`, { data: { name } });
  }
}

async function change(
  d: Pick<FireDeps, "store" | "scope">,
  name: string,
  to: (s: StoredSchedule, nowMs: number) => Promise<{ readonly row: ScheduleRow; readonly writes: readonly KvWrite[] } | null>,
): Promise<void> {
  for (;;) {
    const found = await requireSchedule(d, name);
    const next = await to(found, (await d.store.info()).nowMs);
    if (next === null) return;
    const answer = await d.store.kv.put([putSchedule(d.scope, next.row, found.version), ...next.writes, scheduleMark(d.scope)]);
    if (answer.kind === "put") return;
  }
}
