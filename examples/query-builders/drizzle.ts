// Drizzle inside ctx.tx: its statements and the step's outcome are one commit. It takes db.client as pg's client or mysql2's connection;
// for SQLite its proxy runs on the handle. Drizzle's own transactions are refused (PAWL1021): ctx.tx is the transaction.
import { eq, sql } from "drizzle-orm";
import { drizzle as onMysql } from "drizzle-orm/mysql2";
import * as mysql from "drizzle-orm/mysql-core";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import * as pg from "drizzle-orm/pg-core";
import * as sqlite from "drizzle-orm/sqlite-core";
import { drizzle as onSqlite } from "drizzle-orm/sqlite-proxy";
import { workflow, type TxClient } from "pawl";
import { z } from "zod";

const pgCups = pg.pgTable("cups", { colour: pg.varchar({ length: 20 }), n: pg.integer().notNull() });
const mysqlCups = mysql.mysqlTable("cups", { colour: mysql.varchar({ length: 20 }), n: mysql.int().notNull() });
const sqliteCups = sqlite.sqliteTable("cups", { colour: sqlite.text(), n: sqlite.integer().notNull() });

export const drizzleOrder = workflow({ name: "drizzle-order", input: z.object({ wanted: z.boolean() }) }, async (ctx, { wanted }) => {
  const taken = await ctx.tx("take", (db) => move(db.client, -1), { compensate: (_, db) => move(db.client, 1) });
  if (!wanted) ctx.fail("nobody wants it"); // the cup goes back
  return taken;
});

/** Puts cups on the shelf, or takes them; returns how many are left. */
async function move(client: TxClient, by: number): Promise<{ left: number | undefined }> {
  switch (client.dialect) {
    case "postgres": {
      const db = onPostgres(client as never);
      const rows = await db
        .update(pgCups)
        .set({ n: sql`${pgCups.n} + ${by}` })
        .where(eq(pgCups.colour, "red"))
        .returning({ left: pgCups.n });
      return { left: rows[0]?.left };
    }
    case "mysql": {
      const db = onMysql(client as never);
      await db
        .update(mysqlCups)
        .set({ n: sql`${mysqlCups.n} + ${by}` })
        .where(eq(mysqlCups.colour, "red"));
      const rows = await db.select({ left: mysqlCups.n }).from(mysqlCups).where(eq(mysqlCups.colour, "red"));
      return { left: rows[0]?.left };
    }
    case "sqlite": {
      const db = onSqlite(async (text, values, method) => {
        const rows = client
          .prepare(text)
          .all(...values)
          .map((row) => Object.values(row as object));
        return { rows: method === "get" ? (rows[0] ?? []) : rows };
      });
      const rows = await db
        .update(sqliteCups)
        .set({ n: sql`${sqliteCups.n} + ${by}` })
        .where(eq(sqliteCups.colour, "red"))
        .returning({ left: sqliteCups.n });
      return { left: rows[0]?.left };
    }
  }
}
