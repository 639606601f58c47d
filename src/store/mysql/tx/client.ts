// mysql2's connection as a user of ctx.tx gets it: `query` and `execute`, with callbacks or promises, on the connection of the
// transaction, guarded. Values come as the store's connections give them: dates and JSON as text. Nothing on it ends the session.
import { PawlError } from "../../../errors/error.ts";
import { checkStatement } from "../../sql/statement-guard.ts";
import { promiseOrCallback, type MysqlTxClient, type SendStatement } from "../../sql/tx-client.ts";
import type { Connection } from "../wire/driver.ts";

type Done = (e: Error | null, result?: unknown, fields?: unknown) => void;
type Query = string | { readonly sql?: unknown; readonly values?: readonly unknown[] };
type Answer = [unknown, unknown];

class Client {
  readonly dialect = "mysql" as const;
  readonly #db: Connection;
  readonly #send: SendStatement;

  constructor(db: Connection, send: SendStatement) {
    this.#db = db;
    this.#send = send;
  }
  query(q: Query, a?: readonly unknown[] | Done, b?: Done): Promise<Answer> | undefined {
    return this.#ask("query", q, a, b);
  }
  execute(q: Query, a?: readonly unknown[] | Done, b?: Done): Promise<Answer> | undefined {
    return this.#ask("execute", q, a, b);
  }
  promise(): this {
    return this;
  }
  release(): void {}

  #ask(how: "query" | "execute", q: Query, a?: readonly unknown[] | Done, b?: Done): Promise<Answer> | undefined {
    const done = typeof a === "function" ? a : b;
    const values = typeof a === "function" ? undefined : a;
    return promiseOrCallback(
      this.#send(async () => this.#db.raw(how, checked(q, values))),
      done,
      (r) => r,
    );
  }
}

function checked(q: Query, values: readonly unknown[] | undefined): { sql: string } {
  const o = typeof q === "string" ? { sql: q } : q;
  const { sql } = o;
  if (typeof sql !== "string")
    throw new PawlError("PAWL1021", "ctx.tx: a query must be a string, or an object with one", { outcome: "none" });
  checkStatement(sql, "mysql");
  return { ...o, sql, ...(values === undefined ? {} : { values: [...values] }) };
}

export function txClient(db: Connection, send: SendStatement): MysqlTxClient {
  return new Client(db, send) as unknown as MysqlTxClient;
}
