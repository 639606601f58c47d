// The readers of one open store, shared by everybody in this process who follows or waits: one for each run that somebody follows, one for each
// filter that somebody watches, and one look at many heads for all of them. What nobody reads any more is given back.
import type { Scope } from "../../core/model.ts";
import { readPayload, type RunEndPayload } from "../../events/payload.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import { ChangeReader, type ChangeFilter } from "./change-reader.ts";
import { HeadWatch } from "./head-watch.ts";
import { RunReader } from "./run-reader.ts";

/** Where a workflowId has no later run yet, it is looked for this often. */
const successorMs = 1_000;
const listedRuns = 100;

interface Counted<T> {
  readonly reader: T;
  users: number;
}

/** A reader that somebody uses until `leave`. */
export interface ReaderUse<T> {
  readonly reader: T;
  leave(): void;
}

export class StreamHub {
  readonly heads: HeadWatch;
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #runs = new Map<string, Counted<RunReader>>();
  readonly #changes = new Map<string, Counted<ChangeReader>>();

  constructor(store: FullStore, platform: Platform) {
    this.#store = store;
    this.#platform = platform;
    this.heads = new HeadWatch(store, platform);
  }

  /** How many runs are read now. */
  get size(): number {
    return this.#runs.size;
  }

  reader(row: RunRow): ReaderUse<RunReader> {
    return shared(this.#runs, row.runId, () => new RunReader(this.#store, this.#platform, this.heads, row));
  }

  changes(scope: Scope, filter: ChangeFilter): ReaderUse<ChangeReader> {
    const key = JSON.stringify([scope, Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    return shared(this.#changes, key, () => new ChangeReader(this.#store, this.#platform, this.heads, scope, filter));
  }

  /** The run that came after this one under its workflowId; undefined: there is none yet. */
  async successor({ runId, scope, workflowId, headSeq }: RunRow): Promise<RunRow | undefined> {
    const [last] = await this.#store.events({ runId, after: headSeq - 1, limit: 1 });
    const { continuedAs } = last?.eventType === "RunCompleted" ? readPayload<RunEndPayload>(last.payload) : {};
    if (continuedAs !== undefined) return this.#store.run({ runId: continuedAs });
    const latest = await this.#store.run({ scope, workflowId });
    if (latest === undefined || latest.runId === runId) return undefined;
    // Newest first: the one before it in the list is the one after it in time.
    let after: RunRow | undefined;
    for (let cursor: string | undefined; ;) {
      const page = await this.#store.runs({ scope, workflowId, limit: listedRuns, ...(cursor === undefined ? {} : { cursor }) });
      for (const row of page.runs) {
        if (row.runId === runId) return after;
        after = row;
      }
      if (page.cursor === undefined) return after;
      cursor = page.cursor;
    }
  }

  /** The same, once there is one; undefined when aborted. */
  async whenSucceeded(row: RunRow, signal: AbortSignal | undefined): Promise<RunRow | undefined> {
    for (;;) {
      if (signal?.aborted === true) return undefined;
      const found = await this.successor(row);
      if (found !== undefined) return found;
      await this.heads.waitBeyond(row.runId, row.headSeq, { timeoutMs: successorMs, signal });
    }
  }
}

function shared<T extends { close(): void }>(all: Map<string, Counted<T>>, key: string, make: () => T): ReaderUse<T> {
  let counted = all.get(key);
  if (counted === undefined) all.set(key, (counted = { reader: make(), users: 0 }));
  const held = counted;
  held.users++;
  let left = false;
  return {
    reader: held.reader,
    leave: () => {
      if (left) return;
      left = true;
      if (--held.users > 0) return;
      held.reader.close();
      if (all.get(key) === held) all.delete(key);
    },
  };
}

const hubs = new WeakMap<FullStore, WeakMap<Platform, StreamHub>>();

/** One for each open store. */
export function hubOf(store: FullStore, platform: Platform): StreamHub {
  const known = hubs.get(store) ?? new WeakMap<Platform, StreamHub>();
  hubs.set(store, known);
  const hub = known.get(platform) ?? new StreamHub(store, platform);
  known.set(platform, hub);
  return hub;
}
