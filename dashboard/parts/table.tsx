// A table of a list that the server gives: its columns, a row for each item, what to do with each. It says when there is nothing and when there is more.
// Cells are text nodes and parts; it must never be given markup.
import type { ComponentChildren, JSX } from "preact";
import { useLoad } from "../data/load.ts";
import { Empty, Loading } from "./empty.tsx";
import { Problem } from "./problem.tsx";

export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T, reload: () => void) => ComponentChildren;
}

export interface ListTableProps<T> {
  readonly what: string;
  readonly read: (signal: AbortSignal) => Promise<{ readonly items: readonly T[]; readonly nextCursor?: string }>;
  readonly idOf: (item: T) => string;
  readonly columns: readonly Column<T>[];
  readonly empty: { readonly title: string; readonly text: ComponentChildren };
  readonly everyMs?: number;
  /** Above the table, such as a button that adds one. */
  readonly top?: (reload: () => void) => ComponentChildren;
}

export function ListTable<T>({ what, read, idOf, columns, empty, everyMs, top }: ListTableProps<T>): JSX.Element {
  const { value, error, reload } = useLoad(what, read, everyMs);
  if (error !== undefined && value === undefined) return <Problem error={error} again={reload} />;
  if (value === undefined) return <Loading what={what} />;
  return (
    <>
      {error === undefined ? null : <Problem error={error} again={reload} />}
      {top?.(reload)}
      {value.items.length === 0 ? (
        <Empty title={empty.title}>
          <p>{empty.text}</p>
        </Empty>
      ) : (
        <div class="card table-card">
          <table>
            <thead>
              <tr>
                {columns.map((c) => (
                  <th key={c.title} scope="col">
                    {c.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {value.items.map((item) => (
                <tr key={idOf(item)}>
                  {columns.map((c) => (
                    <td key={c.title}>{c.cell(item, reload)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {value.nextCursor === undefined ? null : <p class="small quiet">There are more; these {value.items.length} come first.</p>}
        </div>
      )}
    </>
  );
}
