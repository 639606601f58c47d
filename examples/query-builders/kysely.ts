// Kysely inside ctx.tx: its statements and the step's outcome are one commit. Postgres and MySQL have ready dialects, which take a pool
// that lends db.client; for SQLite a driver of a few lines runs on the handle. Kysely's own transactions are refused (PAWL1021).
import { DummyDriver, Kysely, MysqlDialect, PostgresDialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { DatabaseConnection, Dialect } from "kysely";
import { workflow, type TxClient } from "pawl";
import { z } from "zod";

interface Shop {
  cups: { colour: string; n: number };
}

export const kyselyOrder = workflow({ name: "kysely-order", input: z.object({ wanted: z.boolean() }) }, async (ctx, { wanted }) => {
  const taken = await ctx.tx(
    "take",
    async (db) => {
      const shop = on(db.client);
      const { n } = await shop.selectFrom("cups").select("n").where("colour", "=", "red").executeTakeFirstOrThrow();
      await shop
        .updateTable("cups")
        .set({ n: n - 1 })
        .where("colour", "=", "red")
        .execute();
      return { left: n - 1 };
    },
    {
      compensate: async ({ left }, db) =>
        on(db.client)
          .updateTable("cups")
          .set({ n: left + 1 })
          .where("colour", "=", "red")
          .execute(),
    },
  );
  if (!wanted) ctx.fail("nobody wants it"); // the cup goes back
  return taken;
});

function on(client: TxClient): Kysely<Shop> {
  return new Kysely<Shop>({ dialect: dialectOf(client) });
}

function dialectOf(client: TxClient): Dialect {
  switch (client.dialect) {
    case "postgres":
      return new PostgresDialect({ pool: { connect: async () => client as never, end: async () => {} } });
    case "mysql":
      return new MysqlDialect({ pool: { getConnection: (done) => done(null, client as never), end: (done) => done(null) } });
    case "sqlite":
      return {
        createAdapter: () => new SqliteAdapter(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createDriver: () =>
          new (class extends DummyDriver {
            override async acquireConnection(): Promise<DatabaseConnection> {
              return {
                executeQuery: async ({ sql, parameters }) => ({ rows: client.prepare(sql).all(...parameters) }),
                streamQuery: () => {
                  throw new Error("rows come all at once");
                },
              };
            }
          })(),
      };
  }
}
