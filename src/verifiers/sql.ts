// Confirms a recorded effect by looking at a row: one statement that selects, on the database that holds the store or any other,
// through a query function of the author's. Exactly the expected row must be there, or exactly none.
import type { SqlValue } from "../store/transaction-store.ts";
import type { ResourceVerifier } from "../workflow/types.ts";
import { differs, isSame, matches, valueText } from "./compare.ts";

export interface SqlVerifierOpts<I, O> {
  /** For the log and for people; "sql" unless said otherwise. */
  name?: string;
  /** Runs a statement on your connection or pool, and gives its rows. */
  query: (text: string, values: readonly SqlValue[]) => Promise<readonly object[]> | readonly object[];
  /** A select, with the placeholders of your database. */
  text: string;
  values: (input: I, recorded: O) => readonly SqlValue[];
  /** The columns that the one row must have, with their values; it may have more. null: there must be no row. */
  row: (input: I, recorded: O) => Readonly<Record<string, unknown>> | null;
}

/**
 * Confirms a recorded effect by a row: one select, through a query function of your own.
 *
 * @example
 * const booked = sqlVerifier<{ id: string }, unknown>({
 *   name: "booking",
 *   query: async (text, values) => (await pool.query(text, values)).rows,
 *   text: "select id, state from bookings where id = $1",
 *   values: (input) => [input.id],
 *   row: () => ({ state: "confirmed" }),
 * });
 */
export function sqlVerifier<I, O>(o: SqlVerifierOpts<I, O>): ResourceVerifier<I, O> {
  return {
    name: o.name ?? "sql",
    check: async (input, recorded) => {
      const rows = await o.query(o.text, o.values(input, recorded));
      const expected = o.row(input, recorded);
      const [row, ...more] = rows as readonly Readonly<Record<string, unknown>>[];
      if (expected === null) return row === undefined ? matches : differs(`there are ${rows.length} rows, and should be none`);
      if (row === undefined) return differs("there is no such row");
      if (more.length > 0) return differs(`there are ${rows.length} rows, and should be one`);
      for (const [column, value] of Object.entries(expected))
        if (!isSame(value, row[column])) return differs(`${column} is ${valueText(row[column])}, not ${valueText(value)}`);
      return matches;
    },
  };
}
