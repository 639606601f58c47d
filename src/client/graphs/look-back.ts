// Looking back at a graph: its state after any superstep, all of them newest first, and the recorded calls of one. Everything is read from the log,
// which is the truth; nothing is kept. It must never run code of the author's.
import { checkLimit } from "../lists/list-cursor.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import { recordedIO, standpoints, type RecordedIO, type Standpoint } from "../../events/graph-log.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";

async function standpointsOf(c: LocalClientDeps, row: RunRow): Promise<readonly Standpoint[]> {
  return standpointsIn(row, await readEvents(c.store, row.runId));
}

export function standpointsIn(row: RunRow, events: readonly EventRecord[]): readonly Standpoint[] {
  const all = [...standpoints(events)];
  if (all.length === 0)
    throw new PawlError("PAWL4011", `run ${row.runId} has no supersteps: it is no graph, or has not begun`, { data: { runId: row.runId } });
  return all;
}

/** Undefined: the graph has not ended this superstep. */
export async function stateAt(c: LocalClientDeps, row: RunRow, o: { readonly at?: number | string } = {}): Promise<Standpoint | undefined> {
  return findStandpoint(await standpointsOf(c, row), o.at);
}

export async function historyPage(
  c: LocalClientDeps,
  row: RunRow,
  o: { readonly before?: number; readonly limit?: number } = {},
): Promise<readonly Standpoint[]> {
  const limit = checkLimit(o.limit, 20);
  const before = o.before === undefined ? Infinity : checkSuperstep(o.before);
  const all = (await standpointsOf(c, row)).filter((s) => s.superstep < before);
  return all.toReversed().slice(0, limit);
}

export async function ioOf(c: LocalClientDeps, row: RunRow, superstep: number): Promise<readonly RecordedIO[]> {
  return recordedIO(await readEvents(c.store, row.runId), checkSuperstep(superstep));
}

/** By its number, or the last one that was given this label; the last one unless asked for. */
export function findStandpoint(all: readonly Standpoint[], at: number | string | undefined): Standpoint | undefined {
  if (at === undefined) return all.at(-1);
  return typeof at === "string" ? all.findLast((s) => s.label === at) : all.find((s) => s.superstep === checkSuperstep(at));
}

function checkSuperstep(n: unknown): number {
  if (!Number.isSafeInteger(n) || (n as number) < 0) throw new PawlError("PAWL4011", "a superstep is a whole number of at least 0");
  return n as number;
}
