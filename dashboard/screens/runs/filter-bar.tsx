// The filter of the list: a field that takes what `pawl ls` takes, and the statuses with how many there are. Whatever is chosen is in the address, so that the
// view can be sent to somebody.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { runStatuses, type RunStatus } from "../../../src/core/model.ts";
import { useLoad } from "../../data/load.ts";
import { replaceQuery } from "../../data/route.ts";
import { call } from "../../data/server.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { commandOf, fieldText, filterOf, parseField, queryMembers, type TypedQuery } from "./filter.ts";

const countsMs = 10_000;

interface FilterBarProps {
  readonly query: TypedQuery;
  /** False: nothing is counted yet, so that the first rows come first. */
  readonly counted: boolean;
  readonly children?: ComponentChildren;
}

export function FilterBar({ query, counted, children }: FilterBarProps): JSX.Element {
  const shown = fieldText(query);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const apply = (e: Event): void => {
    e.preventDefault();
    replaceQuery(queryMembers(parseField(text)));
  };
  return (
    <div class="filter">
      <form role="search" onSubmit={apply}>
        <input
          type="search"
          data-filter
          aria-label="Filter runs"
          placeholder="failed workflow:order tag:customer=7 since:24h"
          spellcheck={false}
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
          onBlur={apply}
        />
        <button type="submit">Filter</button>
        <CopyButton text={commandOf(query)} label="Copy as pawl ls" />
      </form>
      <div class="under-filter">
        <Statuses query={query} counted={counted} />
        {children}
      </div>
    </div>
  );
}

function Statuses({ query, counted }: Pick<FilterBarProps, "query" | "counted">): JSX.Element {
  const { status: _, ...others } = query;
  const { value } = useLoad(
    `counts ${counted} ${JSON.stringify(others)}`,
    async (signal) => (counted ? call("runs.count", filterOf({ ...query, status: [] }, Date.now()), { signal }) : undefined),
    countsMs,
  );
  const toggle = (s: RunStatus): void => {
    const status = query.status.includes(s) ? query.status.filter((x) => x !== s) : [...query.status, s];
    replaceQuery(queryMembers({ ...query, status }));
  };
  return (
    <ul class="chips" aria-label="Statuses">
      {runStatuses.map((s) => (
        <li key={s}>
          <button type="button" class="chip" aria-pressed={query.status.includes(s)} onClick={() => toggle(s)}>
            {s.toLowerCase()} <span class="num faint">{value === undefined ? "" : numberText(value.byStatus[s] ?? 0, value.max)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function numberText(n: number, max: number): string {
  return n >= max ? `${max.toLocaleString("en")}+` : String(n);
}
