// The one reader of the state of many runs, for all who watch the same filter: a list of the newest runs, and every change of those that it knows
// or hears of. It shows states, not events: what changed twice between two looks is shown once. It must never show a run of another tenant.
import { isSettled, type Scope } from "../../core/model.ts";
import type { RunFilter, RunView } from "../../api/types/run.ts";
import type { Cancel, Platform } from "../../platform/platform.ts";
import type { FullStore } from "../../store/full-store.ts";
import type { RunRow } from "../../store/port.ts";
import { sameScope } from "../find-run.ts";
import { toRunQuery } from "../lists/list-runs.ts";
import { runView } from "../views.ts";
import type { HeadWatch } from "./head-watch.ts";

export type ChangeFilter = Omit<RunFilter, "limit" | "cursor">;

/** Runs that were in a state, as all watchers share them. */
export type ChangeBatch = readonly RunView[];

const newestRuns = 100;
/** Unsettled runs that are looked at again although they are not among the newest. */
const knownMax = 1_000;
/** With a hint, the next look comes after this long; without one, after `quietMs`. */
const gatherMs = 250;
const quietMs = 1_000;
const hintedMax = 200;

export class ChangeReader {
  readonly #store: FullStore;
  readonly #platform: Platform;
  readonly #scope: Scope;
  readonly #filter: ChangeFilter;
  readonly #query: ReturnType<typeof toRunQuery>;
  readonly #unhint: Cancel;
  readonly #watchers = new Set<(batch: ChangeBatch) => void>();
  /** By runId: what was shown last, the latest change last. */
  readonly #known = new Map<string, { readonly mark: string; readonly row: RunRow }>();
  readonly #hinted = new Set<string>();
  #timer: Cancel | null = null;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #looking: Promise<ChangeBatch> | null = null;
  #closed = false;

  constructor(store: FullStore, platform: Platform, heads: HeadWatch, scope: Scope, filter: ChangeFilter) {
    this.#store = store;
    this.#platform = platform;
    this.#scope = scope;
    this.#filter = filter;
    this.#query = toRunQuery(scope, filter);
    this.#unhint = heads.onAnyRun((runId) => {
      if (runId !== undefined && this.#hinted.size < hintedMax) this.#hinted.add(runId);
      this.#lookIn(gatherMs);
    });
    this.#lookIn(quietMs);
  }

  /** The newest runs as they are now, oldest first; from then on `changed` is called with every change. */
  async join(changed: (batch: ChangeBatch) => void): Promise<{ readonly now: ChangeBatch; leave(): void }> {
    await (this.#looking ?? this.#look());
    const page = await this.#store.runs({ ...this.#query, limit: newestRuns });
    this.#watchers.add(changed);
    return { now: page.runs.map(runView).toReversed(), leave: () => void this.#watchers.delete(changed) };
  }

  close(): void {
    this.#closed = true;
    this.#unhint();
    this.#timer?.();
  }

  #lookIn(ms: number): void {
    const at = this.#platform.monotonicMs() + ms;
    if (this.#closed || this.#looking !== null || at >= this.#dueAtMs) return;
    this.#timer?.();
    this.#dueAtMs = at;
    this.#timer = this.#platform.timer(ms, () => void this.#look(), true);
  }

  #look(): Promise<ChangeBatch> {
    this.#timer?.();
    this.#timer = null;
    this.#looking ??= this.#changes()
      .then((batch) => {
        if (batch.length > 0) for (const changed of this.#watchers) changed(batch);
        return batch;
      })
      .catch(() => []) // a store that is away is asked again
      .finally(() => {
        this.#looking = null;
        this.#dueAtMs = Number.POSITIVE_INFINITY;
        this.#lookIn(this.#hinted.size > 0 ? gatherMs : quietMs);
      });
    return this.#looking;
  }

  async #changes(): Promise<ChangeBatch> {
    const rows = new Map<string, RunRow>();
    const hinted = [...this.#hinted];
    this.#hinted.clear();
    const page = await this.#store.runs({ ...this.#query, limit: newestRuns });
    for (const row of page.runs.toReversed()) rows.set(row.runId, row);
    const open = [...this.#known.values()].filter(({ row }) => !isSettled(row.status)).map(({ row }) => row.runId);
    const others = [...new Set([...hinted, ...open])].filter((id) => !rows.has(id));
    for (const { runId, headSeq } of others.length === 0 ? [] : await this.#store.heads(others)) {
      if (this.#known.get(runId)?.row.headSeq === headSeq) continue;
      const row = await this.#store.run({ runId });
      if (row !== undefined && sameScope(row.scope, this.#scope) && (this.#known.has(runId) || this.#matches(row))) rows.set(runId, row);
    }
    return [...rows.values()].filter((row) => this.#isNews(row)).map(runView);
  }

  #isNews(row: RunRow): boolean {
    const mark = `${row.stateVersion} ${row.status} ${row.owner ?? ""}`;
    if (this.#known.get(row.runId)?.mark === mark) return false;
    this.#known.delete(row.runId);
    this.#known.set(row.runId, { mark, row });
    const [oldest] = this.#known.keys();
    if (this.#known.size > knownMax && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }

  #matches(row: RunRow): boolean {
    const { status, workflow, workflowId, tags, ...others } = this.#filter;
    if (Object.values(others).some((wanted) => wanted !== undefined)) return false; // the store's list decides about these
    if (status !== undefined && !status.includes(row.status)) return false;
    if (workflow !== undefined && workflow !== row.workflow) return false;
    if (workflowId !== undefined && workflowId !== row.workflowId) return false;
    return Object.entries(tags ?? {}).every(([name, value]) => row.tags[name] === value);
  }
}
