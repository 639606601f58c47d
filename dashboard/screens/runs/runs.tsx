// Screen 1: the runs. A list of any length, newest first, filtered by what stands in the address. Rows change in place while one reads; new runs wait behind
// a button. What is to be done with all that match is previewed first (batch.tsx).
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from "preact/hooks";
import { route } from "../../data/route.ts";
import { watch } from "../../data/server.ts";
import { Command } from "../../parts/copy.tsx";
import { Empty, Loading } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useVirtualRows } from "../../parts/virtual.ts";
import { BatchButton } from "./batch.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterOf, queryMembers, readQuery, type TypedQuery } from "./filter.ts";
import { RunRow } from "./row.tsx";
import { RunGuarantees } from "./run-guarantees.ts";
import { RunPages } from "./run-pages.ts";

const rowPx = 44;
/** The next page is asked for when so many rows are left: two pages, so that one slow answer holds no reader up. */
const aheadRows = 230;

export function Runs(): JSX.Element {
  const query = readQuery(route.value.query);
  const [turn, again] = useReducer((n: number) => n + 1, 0);
  const renew = (): void => again(undefined as never);
  const [listed, setListed] = useState(false);
  return (
    <section class="runs">
      <h1>Runs</h1>
      <FilterBar query={query} counted={listed}>
        <BatchButton filter={filterOf(query, Date.now())} words={query.words} />
      </FilterBar>
      <RunList key={`${turn} ${JSON.stringify(queryMembers(query))}`} query={query} renew={renew} listed={() => setListed(true)} />
    </section>
  );
}

interface ListProps {
  readonly query: TypedQuery;
  /** Reads the list again from its beginning. */
  readonly renew: () => void;
}

interface RunListProps extends ListProps {
  /** Its first rows are here: what else the screen wants to know may be asked now. */
  readonly listed: () => void;
}

function RunList({ query, renew, listed }: RunListProps): JSX.Element {
  const ending = useMemo(() => new AbortController(), []);
  const filter = useMemo(() => filterOf(query, Date.now()), []);
  const pages = useMemo(() => new RunPages(filter, query.words, ending.signal), []);
  const guarantees = useMemo(() => new RunGuarantees(ending.signal), []);
  // Before anything is painted: the rows are what the reader waits for.
  useLayoutEffect(() => {
    void pages.more().then(listed);
    void noteChanges(pages, filter, ending.signal);
    return () => ending.abort(new DOMException("the list was left", "AbortError"));
  }, []);
  void pages.changes.value;
  if (pages.count === 0) {
    if (pages.error !== undefined) return <Problem error={pages.error} again={() => void pages.more()} />;
    if (!pages.ended) return pages.busy || pages.looked === 0 ? <Loading what="runs" /> : <LookedInVain pages={pages} />;
    return <NoRuns query={query} fresh={pages.fresh.value} renew={renew} />;
  }
  return <RunTable pages={pages} guarantees={guarantees} renew={renew} />;
}

/** A stream of changes, again after each interruption. A session that has ended is noticed elsewhere. */
async function noteChanges(pages: RunPages, filter: Parameters<typeof watch>[0], ended: AbortSignal): Promise<void> {
  try {
    for await (const item of watch(filter, ended)) if (item.kind === "run") pages.note(item.run);
  } catch {
    // The list stays; the next filter asks again.
  }
}

interface TableProps {
  readonly pages: RunPages;
  readonly guarantees: RunGuarantees;
  readonly renew: () => void;
}

function RunTable({ pages, guarantees, renew }: TableProps): JSX.Element {
  void pages.changes.value;
  void guarantees.changes.value;
  const { count } = pages;
  const { rows, totalPx, attach, reveal } = useVirtualRows(count, rowPx);
  const last = rows.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (last >= count - aheadRows) void pages.more();
  }, [last, count]);
  useEffect(() => guarantees.look(rows.flatMap(({ index }) => pages.rowAt(index) ?? [])));
  const onKey = (e: KeyboardEvent): void => moveFocus(e, count, reveal);
  return (
    <>
      <Fresh n={pages.fresh.value} renew={renew} />
      <div class="run-table" role="table" aria-label="Runs" aria-rowcount={pages.ended ? count + 1 : -1} onKeyDown={onKey}>
        <div class="run-head" role="row" aria-rowindex={1}>
          <span role="columnheader">Status</span>
          <span role="columnheader">Id</span>
          <span role="columnheader">Workflow</span>
          <span role="columnheader" class="run-guarantee">
            Guarantee
          </span>
          <span role="columnheader">Waits for / error</span>
          <span role="columnheader">Started</span>
          <span role="columnheader" class="run-took">
            Took
          </span>
        </div>
        <div class="run-scroll" role="rowgroup" ref={attach}>
          <div class="run-space" role="presentation" style={{ height: `${totalPx}px` }}>
            {rows.map(({ index, start }) => {
              const run = pages.rowAt(index);
              return (
                <div class="run-row" role="row" aria-rowindex={index + 2} key={index} style={{ transform: `translateY(${start}px)` }}>
                  {run === undefined ? (
                    <span role="cell" class="faint">
                      …
                    </span>
                  ) : (
                    <RunRow run={run} guarantee={guarantees.of(run.runId)} index={index} />
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <p class="list-end quiet small" role="status">
        {pages.error === undefined
          ? pages.ended
            ? `${count.toLocaleString("en")} runs`
            : `${count.toLocaleString("en")} runs so far; scroll for more`
          : pages.error.message}
      </p>
    </>
  );
}

/** Arrow keys and j, k go from row to row; Enter is the link's own. */
function moveFocus(e: KeyboardEvent, count: number, reveal: (index: number) => void): void {
  const step = e.key === "ArrowDown" || e.key === "j" ? 1 : e.key === "ArrowUp" || e.key === "k" ? -1 : 0;
  const at = (document.activeElement as HTMLElement | null)?.dataset["row"];
  if (step === 0 || at === undefined) return;
  const to = Math.min(count - 1, Math.max(0, Number(at) + step));
  e.preventDefault();
  reveal(to);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
}

function Fresh({ n, renew }: { readonly n: number; readonly renew: () => void }): JSX.Element | null {
  if (n === 0) return null;
  return (
    <button type="button" class="fresh" onClick={renew}>
      {n === 1 ? "1 new run" : `${n} new runs`} · show
    </button>
  );
}

function LookedInVain({ pages }: { readonly pages: RunPages }): JSX.Element {
  return (
    <Empty title={`Nothing in the newest ${pages.looked.toLocaleString("en")} runs`}>
      <p>Words are looked for in ids and workflow names, run by run.</p>
      <button type="button" onClick={() => void pages.more()}>
        Look further
      </button>
    </Empty>
  );
}

function NoRuns({ query, fresh, renew }: ListProps & { readonly fresh: number }): JSX.Element {
  const filtered = Object.values(queryMembers(query)).some((value) => value !== undefined && value !== "");
  if (filtered)
    return (
      <Empty title="No run matches">
        <p>
          Take something out of the filter, or look at <a href="#/runs">all runs</a>.
        </p>
      </Empty>
    );
  return (
    <Empty title={fresh > 0 ? "The first run is here" : "No runs yet"}>
      <Fresh n={fresh} renew={renew} />
      {fresh > 0 ? null : <p>A run appears here as soon as something starts one. Start one from a terminal:</p>}
      <Command text='pawl run ./order.ts --input &apos;{"id":"order-42"}&apos;' />
      <p class="quiet">or over HTTP: POST /v1/runs with the name of a workflow and its input.</p>
    </Empty>
  );
}
