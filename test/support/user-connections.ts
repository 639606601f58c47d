// Connections of the user's own, opened with the driver itself, on which he begins and ends transactions. Nothing here passes
// the store: whoever holds one is another program on the same database. For tests; nothing in the package imports it.
import mysql2 from "mysql2/promise";
import pg from "pg";
import { openHandle } from "../../src/sqlite.ts";
import { parseAddress } from "../../src/store/mysql/open.ts";
import type { UserTransaction } from "../../src/store/user-transaction.ts";

export interface UserConnection {
  readonly tx: UserTransaction;
  sql(text: string): Promise<Record<string, unknown>[]>;
  begin(): Promise<void>;
  end(): Promise<void>;
}

export async function sqliteHandle(file: string): Promise<UserConnection> {
  const db = await openHandle(file);
  return {
    tx: db,
    sql: async (text) => db.prepare(text).all(),
    begin: async () => db.exec("begin immediate"),
    end: async () => db.close(),
  };
}

export async function pgClient(url: string): Promise<UserConnection> {
  const u = new URL(url);
  const options = u.searchParams.get("options") ?? "";
  u.search = "";
  const client = new pg.Client({ connectionString: u.href, options });
  client.on("error", () => {});
  await client.connect();
  return {
    tx: client,
    sql: async (text) => (await client.query(text)).rows as Record<string, unknown>[],
    begin: async () => void (await client.query("begin")),
    end: () => client.end(),
  };
}

export async function mysqlConnection(url: string): Promise<UserConnection> {
  const { host, port, user, password, database } = parseAddress(url).address;
  const c = await mysql2.createConnection({ host, port, user, password, database });
  return {
    tx: c,
    sql: async (text) => {
      const [rows] = await c.query(text);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
    begin: () => c.beginTransaction(),
    end: () => c.end(),
  };
}
