// Stores the definition of a schedule: from code when an engine opens, from a client by name. The last one to put it decides; what a person asked for (a
// pause), what was fired, and a due time that is overdue outlive a changed definition. It never fires anything.
import { encode } from "../codec/value.ts";
import type { Limits } from "../core/limits.ts";
import type { Scope } from "../core/model.ts";
import { scheduleMark } from "../engine/publish/operator-orders.ts";
import type { FullStore } from "../store/full-store.ts";
import { definitionOf } from "../workflow/registry.ts";
import type { CodeSchedule } from "./define.ts";
import { dueTimes } from "./due-times.ts";
import {
  putSchedule,
  readSchedule,
  termsDigest,
  type OrderRecord,
  type ScheduleRow,
  type StoredSchedule,
  type StoredTerms,
} from "./rows.ts";

const ordersKept = 10;

/** What the code says, as it is stored; its input is checked by the workflow's schema. */
export async function storedTerms(s: CodeSchedule, limits: Limits): Promise<StoredTerms> {
  const { name, when, overlap, catchupMs, workflow } = s;
  const terms = { name, when, overlap, catchupMs, workflow: String(workflow.name) };
  if ("make" in s.input) return { ...terms, input: { code: true } };
  const { value } = s.input;
  await definitionOf(workflow).input(value, `the input of schedule ${name}`);
  return { ...terms, input: { value: value === undefined ? null : encode(value, limits, `the input of schedule ${name}`) } };
}

/** Writes the terms where they are not what is stored already. `by`: somebody asked for it, which is kept. */
export async function putTerms(store: FullStore, scope: Scope, terms: StoredTerms, by?: Omit<OrderRecord, "at">): Promise<StoredSchedule> {
  for (;;) {
    const known = await readSchedule(store, scope, terms.name);
    const digest = termsDigest(terms);
    if (known?.row.digest === digest && by === undefined) return known;
    const { nowMs } = await store.info();
    const plain = changed(known?.row, terms, digest, nowMs);
    const row = by === undefined ? plain : withOrder(plain, "put", { at: nowMs, ...by });
    const version = known?.version ?? 0;
    const answer = await store.kv.put([putSchedule(scope, row, version), scheduleMark(scope)]);
    if (answer.kind === "put") return { row, version: version + 1 };
  }
}

function changed(old: ScheduleRow | undefined, terms: StoredTerms, digest: string, nowMs: number): ScheduleRow {
  if (old?.digest === digest) return old;
  const times = dueTimes(terms.when, nowMs);
  if (old === undefined) return { ...terms, digest, anchor: nowMs, next: times.next(nowMs), lastDue: null, fires: 0, orders: [] };
  const overdue = old.next !== null && old.next <= nowMs && old.paused === undefined;
  const { lastDue, lastRun, paused, fires, orders } = old;
  return {
    ...terms,
    digest,
    anchor: nowMs,
    next: overdue ? old.next : times.next(Math.max(nowMs, lastDue ?? nowMs)),
    lastDue,
    ...(lastRun === undefined ? {} : { lastRun }),
    ...(paused === undefined ? {} : { paused }),
    fires,
    orders,
  };
}

/** The same with what somebody asked for on record. */
export function withOrder(row: ScheduleRow, order: ScheduleRow["orders"][number]["order"], by: OrderRecord): ScheduleRow {
  return { ...row, orders: [{ order, ...by }, ...row.orders].slice(0, ordersKept) };
}
