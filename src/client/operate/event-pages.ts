// Pages of a run's log: after an event, before one, of some types only. It must never skip an event of a type that was
// asked for: a page that is not full is the last one.
import { toRecord } from "../../events/envelope.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { PawlError } from "../../errors/error.ts";
import { readPayload } from "../../events/payload.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";

export interface EventPageQuery {
  /** Only events after this one. */
  readonly after?: number;
  /** Only events before this one: the last ones, in the order of the log. */
  readonly before?: number;
  /** At most this many; 1,000 unless given. */
  readonly limit?: number;
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events of this step, and those that name it in their payload. */
  readonly step?: string;
}

/** Of some types only, so many events are read at a time. */
const lookSize = 1_000;

export async function readEventPage(c: LocalClientDeps, row: RunRow, q: EventPageQuery = {}): Promise<readonly RunEventRecord[]> {
  const { limit = 1_000, types } = q;
  for (const [name, value] of Object.entries({ after: q.after, before: q.before }))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      throw new PawlError("PAWL4011", `${name} must be a runSeq: a whole number`);
  if (types !== undefined && (!Array.isArray(types) || types.some((t) => typeof t !== "string")))
    throw new PawlError("PAWL4011", 'types must be a list, such as ["StepFailed"]');
  const wanted = wantedBy(q);
  const events = q.before === undefined ? await forwards(c, row, q.after ?? 0, limit, wanted) : await backwards(c, row, q, limit, wanted);
  return events.map((e) => toRecord(row, e));
}

export async function readOneEvent(c: LocalClientDeps, row: RunRow, seq: number): Promise<RunEventRecord> {
  const [event] = Number.isSafeInteger(seq) && seq > 0 ? await c.store.events({ runId: row.runId, after: seq - 1, limit: 1 }) : [];
  if (event?.runSeq !== seq) throw new PawlError("PAWL4132", `run ${row.runId} has no event ${seq}`, { data: { id: row.runId, seq } });
  return toRecord(row, event);
}

/** Null: every event. */
type Wanted = ((e: EventRecord) => boolean) | null;

function wantedBy({ types, step }: EventPageQuery): Wanted {
  if (types === undefined && step === undefined) return null;
  const named = types === undefined ? undefined : new Set<string>(types);
  const ofStep = (e: EventRecord): boolean =>
    // Pawl's own events are of the run, and name their step.
    e.stepId === step || (e.stepId === null && readPayload<{ stepId?: string } | null>(e.payload)?.stepId === step);
  return (e) => named?.has(e.eventType) !== false && (step === undefined || ofStep(e));
}

async function forwards(c: LocalClientDeps, { runId }: RunRow, after: number, limit: number, wanted: Wanted): Promise<EventRecord[]> {
  if (wanted === null) return [...(await c.store.events({ runId, after, limit }))];
  const found: EventRecord[] = [];
  for (let at = after; found.length < limit;) {
    const page = await c.store.events({ runId, after: at, limit: lookSize });
    found.push(...page.filter(wanted));
    if (page.length < lookSize) break;
    at = page.at(-1)!.runSeq;
  }
  return found.slice(0, limit);
}

async function backwards(c: LocalClientDeps, row: RunRow, q: EventPageQuery, limit: number, wanted: Wanted): Promise<EventRecord[]> {
  const lowest = q.after ?? 0;
  const found: EventRecord[] = [];
  const top = Math.min(q.before ?? 0, row.headSeq + 1);
  for (let end = top; end > lowest + 1 && found.length < limit;) {
    const size = wanted === null ? limit : lookSize;
    const after = Math.max(lowest, end - 1 - size);
    const page = await c.store.events({ runId: row.runId, after, limit: end - 1 - after });
    found.unshift(...page.filter((e) => e.runSeq < end && (wanted === null || wanted(e))));
    end = after + 1;
  }
  return found.slice(-limit);
}
