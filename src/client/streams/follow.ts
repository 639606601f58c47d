// Following a run: its log from any place, then what is added to it, through every later run of its workflowId if that was asked for. A cursor
// gives whole pages, for those who send them to many; `follow` gives item by item. It must never leave out an event or give one twice.
import type { FollowItem, FollowOptions, WatchItem } from "../../api/types/follow.ts";
import type { RunEventRecord } from "../../core/contract.ts";
import { PawlError } from "../../errors/error.ts";
import type { RunRow } from "../../store/port.ts";
import { requireLog } from "../archive/availability.ts";
import type { LocalClientDeps } from "../client-deps.ts";
import { noSuchRun, requireRun, sameScope } from "../find-run.ts";
import { runView } from "../views.ts";
import type { ChangeBatch, ChangeFilter } from "./change-reader.ts";
import { hubOf, type ReaderUse, type StreamHub } from "./hub.ts";
import type { RunReader, SharedEvent } from "./run-reader.ts";

/** A page of what followers are given. */
export type FollowPage =
  | Exclude<FollowItem, { kind: "event" }>
  | { readonly kind: "events"; readonly runId: string; readonly events: readonly SharedEvent[] };

export class RunCursor {
  readonly #hub: StreamHub;
  /** Later runs of the workflowId follow. */
  readonly #goesOn: boolean;
  #lease: ReaderUse<RunReader>;
  #after: number;
  #named = false;
  #over = false;

  constructor(hub: StreamHub, row: RunRow, after: number, laterRuns: boolean) {
    this.#hub = hub;
    this.#goesOn = laterRuns;
    this.#lease = hub.reader(row);
    this.#after = after;
  }

  /** The next page; undefined: it is over, or was aborted. */
  async next(signal?: AbortSignal): Promise<FollowPage | undefined> {
    for (;;) {
      if (this.#over || signal?.aborted === true) return undefined;
      const { reader } = this.#lease;
      const { runId } = reader.row;
      if (!this.#named) {
        this.#named = true;
        return { kind: "run", run: runView(reader.row) };
      }
      const events = await reader.read(this.#after);
      const last = events.at(-1);
      if (last !== undefined) {
        this.#after = last.runSeq;
        return { kind: "events", runId, events };
      }
      if (!reader.hasEnded) {
        await reader.changed(this.#after, signal);
        continue;
      }
      if (!this.#goesOn) {
        this.#over = true;
        return { kind: "end", runId, status: reader.row.status };
      }
      const later = await this.#hub.whenSucceeded(reader.row, signal);
      if (later === undefined) return undefined;
      this.close();
      this.#lease = this.#hub.reader(later);
      this.#after = 0;
      this.#named = false;
      return { kind: "moved", from: runId, to: later.runId };
    }
  }

  close(): void {
    this.#lease.leave();
  }
}

/** `id`: a runId, whose end is the end, or a workflowId, whose later runs follow. */
export async function openRunCursor(c: LocalClientDeps, id: string, o: FollowOptions = {}): Promise<RunCursor> {
  const { after = 0, run } = o;
  if (!Number.isSafeInteger(after) || after < 0) throw new PawlError("PAWL4011", "after must be a whole number of at least 0");
  const named = await requireRun(c, id);
  let row = named;
  if (run !== undefined && run !== named.runId) {
    if (named.runId === id) throw noSuchRun(run); // a run was asked for, not all of its workflowId: a token may be for that one alone
    const found = await c.store.run({ runId: run });
    if (found === undefined || !sameScope(found.scope, c.scope) || found.workflowId !== id) throw noSuchRun(run);
    row = found;
  }
  return new RunCursor(hubOf(c.store, c.platform), requireLog(row), after, named.runId !== id);
}

export async function* follow(c: LocalClientDeps, id: string, o: FollowOptions = {}): AsyncGenerator<FollowItem, void, undefined> {
  const cursor = await openRunCursor(c, id, o);
  try {
    for (let page = await cursor.next(o.signal); page !== undefined; page = await cursor.next(o.signal)) {
      if (page.kind === "events") for (const { record } of page.events) yield { kind: "event", event: shown(record, o) };
      else yield page;
    }
  } finally {
    cursor.close();
  }
}

/** Changes that wait for their watcher; beyond this the watcher begins again. */
const waitingRunsMax = 1_000;

export async function* watch(
  c: LocalClientDeps,
  filter: ChangeFilter = {},
  o: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<WatchItem, void, undefined> {
  const { signal } = o;
  const lease = hubOf(c.store, c.platform).changes(c.scope, filter);
  let waiting: ChangeBatch[] = [];
  let count = 0;
  let wake = (): void => {};
  const changed = (batch: ChangeBatch): void => {
    waiting.push(batch);
    count += batch.length;
    wake();
  };
  const aborted = (): void => wake();
  signal?.addEventListener("abort", aborted, { once: true });
  let joined = await lease.reader.join(changed);
  try {
    yield { kind: "reset" };
    for (const run of joined.now) yield { kind: "run", run };
    while (signal?.aborted !== true) {
      if (count > waitingRunsMax) {
        joined.leave();
        [waiting, count] = [[], 0];
        joined = await lease.reader.join(changed);
        yield { kind: "reset" };
        for (const run of joined.now) yield { kind: "run", run };
      }
      const batch = waiting.shift();
      if (batch === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      count -= batch.length;
      for (const run of batch) yield { kind: "run", run };
    }
  } finally {
    joined.leave();
    lease.leave();
    signal?.removeEventListener("abort", aborted);
  }
}

function shown(record: RunEventRecord, o: FollowOptions): RunEventRecord {
  if (o.payloads !== "none" || record.payload === undefined) return record;
  const { payload: _, ...bare } = record;
  return { ...bare, hidden: ["/payload"] } as RunEventRecord & { readonly hidden: readonly string[] };
}
