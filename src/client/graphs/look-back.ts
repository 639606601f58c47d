// Looking back at a graph: its state after any superstep, all of them newest first, and the recorded calls of one. Everything is read from the log,
// which is the truth; nothing is kept. It must never run code of the author's.
import { checkOptions } from "../../core/guarantee.ts";
import { checkLimit } from "../lists/list-cursor.ts";
import { readEvents } from "../../engine/run/load-run.ts";
import { PawlError } from "../../errors/error.ts";
import {
  endedSupersteps,
  recordedIO,
  standpointOf,
  type EndedSuperstep,
  type RecordedIO,
  type Standpoint,
} from "../../events/graph-log.ts";
import type { EventRecord, RunRow } from "../../store/port.ts";
import type { LocalClientDeps } from "../client-deps.ts";

// A misspelt one would be answered with something else than was asked for.
const stateOptions = new Set(["at"]);
const historyOptions = new Set(["before", "limit"]);

/** What was looked for in the log of a graph, and where that log begins and ends. */
export interface LookedUp {
  readonly found: EndedSuperstep | undefined;
  readonly first: EndedSuperstep;
  readonly last: EndedSuperstep;
}

/** By its number, or the last one that was given this label; the last one unless asked for. Of a long log few states are kept. */
export function lookUp(row: RunRow, events: readonly EventRecord[], at: number | string | undefined): LookedUp {
  const n = at === undefined || typeof at === "string" ? at : checkSuperstep(at);
  let first: EndedSuperstep | undefined;
  let last: EndedSuperstep | undefined;
  let found: EndedSuperstep | undefined;
  for (const s of endedSupersteps(events)) {
    first ??= s;
    last = s;
    if (n === undefined || n === s.superstep || n === s.label) found = s;
  }
  if (first === undefined || last === undefined) throw noSupersteps(row);
  return { found, first, last };
}

function noSupersteps({ runId }: RunRow): PawlError {
  return new PawlError("PAWL4011", `run ${runId} has no supersteps: it is not a run of a graph, or it has not begun`, { data: { runId } });
}

/** Undefined: the graph has not ended this superstep. */
export async function stateAt(c: LocalClientDeps, row: RunRow, o: { readonly at?: number | string } = {}): Promise<Standpoint | undefined> {
  checkOptions(o, stateOptions, "state");
  const { found } = lookUp(row, await readEvents(c.store, row.runId), o.at);
  return found === undefined ? undefined : standpointOf(found);
}

export async function historyPage(
  c: LocalClientDeps,
  row: RunRow,
  o: { readonly before?: number; readonly limit?: number } = {},
): Promise<readonly Standpoint[]> {
  checkOptions(o, historyOptions, "history");
  const limit = checkLimit(o.limit, 20);
  const before = o.before === undefined ? Infinity : checkSuperstep(o.before);
  const page: EndedSuperstep[] = [];
  let isGraph = false;
  for (const s of endedSupersteps(await readEvents(c.store, row.runId))) {
    isGraph = true;
    if (s.superstep >= before) break;
    page.push(s);
    if (page.length > limit) page.shift();
  }
  if (!isGraph) throw noSupersteps(row);
  return page.toReversed().map(standpointOf);
}

export async function ioOf(c: LocalClientDeps, row: RunRow, superstep: number): Promise<readonly RecordedIO[]> {
  return recordedIO(await readEvents(c.store, row.runId), checkSuperstep(superstep));
}

function checkSuperstep(n: unknown): number {
  if (!Number.isSafeInteger(n) || (n as number) < 0) throw new PawlError("PAWL4011", "a superstep is a whole number of at least 0");
  return n as number;
}
