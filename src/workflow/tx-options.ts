// From what an author gives to ctx.tx to what the engine runs: the function, and the one that takes its rows back. Both are
// given the same view of the transaction. What is wrong with either is refused when the step is called, not when it is undone.
import { checkOptions } from "../core/guarantee.ts";
import type { TxUndo } from "../engine/calls.ts";
import { PawlError } from "../errors/error.ts";
import type { TxSql } from "../store/transaction-store.ts";
import type { Tx, TxOpts } from "./types.ts";

const options = new Set(["compensate"]);

export function txSpec(
  fn: (db: Tx) => unknown,
  o: TxOpts<never>,
): { readonly body: (sql: TxSql) => Promise<unknown>; readonly undo: TxUndo | null } {
  if (typeof fn !== "function") throw new PawlError("PAWL4011", "ctx.tx needs a function");
  checkOptions(o, options, "ctx.tx");
  const { compensate } = o;
  if (compensate !== undefined && typeof compensate !== "function")
    throw new PawlError("PAWL5001", "compensate of ctx.tx must be a function of the result and the transaction; it has no options");
  return {
    body: async (sql) => fn(txOf(sql)),
    undo: compensate === undefined ? null : async (result, sql) => void (await compensate(result as never, txOf(sql))),
  };
}

/** `db.sql`: a template tag, so that values become parameters and never part of the text. */
export function sqlTag(sql: Pick<TxSql, "query">): Tx["sql"] {
  return async (strings, ...values) => {
    if (!Array.isArray(strings))
      throw new PawlError("PAWL4011", "db.sql is a template tag: write db.sql`select … where id = ${id}`, without parentheses");
    return (await sql.query(strings, values)) as never;
  };
}

function txOf(sql: TxSql): Tx {
  return {
    sql: sqlTag(sql),
    get client() {
      if (sql.client === undefined) throw new PawlError("PAWL1022", "ctx.tx: this store has no client to give; use db.sql");
      return sql.client;
    },
  };
}
