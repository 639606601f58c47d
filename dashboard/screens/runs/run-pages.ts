// The runs of a list, page by page, however many there are: 100 at a time, the pages around the reader in memory, the others known by their cursor and
// read again when they come into view. A change of a run replaces its row in place; new runs are counted and shown when the reader asks.
import { signal, type Signal } from "@preact/signals";
import type { RunFilter, RunView } from "../../../src/api/types/run.ts";
import type { PawlError } from "../../../src/errors/error.ts";
import { problemOf } from "../../data/load.ts";
import { call } from "../../data/server.ts";

const pageRows = 100;
/** 2,000 rows are kept. */
const pagesKept = 20;
/** With words, pages without a match are passed over, so many in a row. */
const emptyPagesMax = 20;

interface Page {
  /** Undefined: the first. */
  readonly cursor: string | undefined;
  /** Undefined: it was let go, and is read again when somebody looks. */
  rows: RunView[] | undefined;
  readonly count: number;
  usedAt: number;
}

export class RunPages {
  /** Rises with every change: views read it. */
  readonly changes: Signal<number> = signal(0);
  readonly fresh: Signal<number> = signal(0);
  readonly #filter: Omit<RunFilter, "limit" | "cursor">;
  readonly #words: readonly string[];
  readonly #signal: AbortSignal;
  readonly #pages: Page[] = [];
  readonly #placeOf = new Map<string, Page>();
  readonly #freshIds = new Set<string>();
  #next: string | undefined;
  #looked = 0;
  #uses = 0;
  busy = false;
  ended = false;
  error: PawlError | undefined;

  constructor(filter: Omit<RunFilter, "limit" | "cursor">, words: readonly string[], ended: AbortSignal) {
    this.#filter = filter;
    this.#words = words.map((w) => w.toLowerCase());
    this.#signal = ended;
  }

  get count(): number {
    return this.#pages.reduce((n, p) => n + p.count, 0);
  }

  /** How many runs the words were looked for in. */
  get looked(): number {
    return this.#looked;
  }

  rowAt(index: number): RunView | undefined {
    const found = this.#pageAt(index);
    if (found === undefined) return undefined;
    const [page, at] = found;
    page.usedAt = ++this.#uses;
    if (page.rows === undefined) void this.#again(page);
    return page.rows?.[at];
  }

  #pageAt(index: number): [Page, number] | undefined {
    let left = index;
    for (const page of this.#pages) {
      if (left < page.count) return [page, left];
      left -= page.count;
    }
    return undefined;
  }

  /** The next page; called again while one is being read, it does nothing. */
  async more(): Promise<void> {
    if (this.busy || this.ended) return;
    this.busy = true;
    this.error = undefined;
    this.changes.value++;
    try {
      for (let empty = 0; empty < emptyPagesMax; empty++) {
        const cursor = this.#next;
        const { items, nextCursor } = await this.#read(cursor);
        this.#looked += items.length;
        const rows = items.filter((run) => this.#matches(run));
        this.#next = nextCursor;
        this.ended = nextCursor === undefined;
        if (rows.length > 0 || this.ended) this.#add({ cursor, rows, count: rows.length, usedAt: ++this.#uses });
        if (rows.length > 0 || this.ended) break;
      }
    } catch (e) {
      if (!this.#signal.aborted) this.error = problemOf(e);
    } finally {
      this.busy = false;
      this.changes.value++;
    }
  }

  #read(cursor: string | undefined): ReturnType<typeof call<"runs.list">> {
    const input = { ...this.#filter, limit: pageRows, ...(cursor === undefined ? {} : { cursor }) };
    return call("runs.list", input, { signal: this.#signal });
  }

  #matches({ workflowId, runId, workflow }: RunView): boolean {
    return this.#words.every((w) => [workflowId, runId, workflow].some((text) => text.toLowerCase().includes(w)));
  }

  #add(page: Page): void {
    this.#pages.push(page);
    for (const run of page.rows ?? []) this.#placeOf.set(run.runId, page);
    const held = this.#pages.filter((p) => p.rows !== undefined);
    if (held.length <= pagesKept) return;
    const oldest = held.reduce((a, b) => (a.usedAt < b.usedAt ? a : b));
    for (const run of oldest.rows ?? []) this.#placeOf.delete(run.runId);
    oldest.rows = undefined;
  }

  async #again(page: Page): Promise<void> {
    page.rows = [];
    try {
      const { items } = await this.#read(page.cursor);
      page.rows = items.filter((run) => this.#matches(run)).slice(0, page.count);
      for (const run of page.rows) this.#placeOf.set(run.runId, page);
      this.changes.value++;
    } catch (e) {
      page.rows = undefined;
      if (!this.#signal.aborted) this.error = problemOf(e);
    }
  }

  /** What the server said of a run just now. */
  note(run: RunView): void {
    const page = this.#placeOf.get(run.runId);
    if (page?.rows !== undefined) {
      const at = page.rows.findIndex((r) => r.runId === run.runId);
      if (at >= 0 && page.rows[at]!.headSeq <= run.headSeq) {
        page.rows[at] = run;
        this.changes.value++;
      }
      return;
    }
    const newest = this.#pages[0]?.rows?.[0];
    const isNew = newest === undefined ? this.ended : run.createdAt >= newest.createdAt;
    if (isNew && this.#matches(run) && !this.#freshIds.has(run.runId)) {
      this.#freshIds.add(run.runId);
      this.fresh.value++;
    }
  }
}
