// Knex inside ctx.tx: its statements and the step's outcome are one commit. `.connection(db.client)` runs a query on pg's client or
// mysql2's connection; for SQLite, Knex writes the statement and the handle runs it. Knex needs no connection of its own.
import knex, { type Knex } from "knex";
import { workflow, type TxClient } from "pawl";
import { z } from "zod";

const builders = {
  postgres: knex({ client: "pg" }),
  mysql: knex({ client: "mysql2" }),
  sqlite: knex({ client: "better-sqlite3", useNullAsDefault: true }),
};

export const knexOrder = workflow({ name: "knex-order", input: z.object({ wanted: z.boolean() }) }, async (ctx, { wanted }) => {
  const taken = await ctx.tx(
    "take",
    async (db) => {
      const cups = () => builders[db.client.dialect]("cups").where({ colour: "red" });
      await run(db.client, cups().decrement("n", 1));
      const [row] = await run(db.client, cups().select("n"));
      return { left: Number(row?.["n"]) };
    },
    { compensate: (_, db) => run(db.client, builders[db.client.dialect]("cups").where({ colour: "red" }).increment("n", 1)) },
  );
  if (!wanted) ctx.fail("nobody wants it"); // the cup goes back
  return taken;
});

async function run(client: TxClient, query: Knex.QueryBuilder): Promise<Record<string, unknown>[]> {
  if (client.dialect !== "sqlite") return (await query.connection(client as never)) as never;
  const { sql, bindings } = query.toSQL().toNative();
  return client.prepare(sql).all(...(bindings as never[]));
}
