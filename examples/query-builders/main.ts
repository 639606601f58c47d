// Kysely, Drizzle and Knex in the store's own transactions, one order with each, on SQLite. The same workflows run on Postgres and
// MariaDB: test/examples/query-builders.test.ts does that.
import { run, workflow } from "pawl";
import { drizzleOrder } from "./drizzle.ts";
import { knexOrder } from "./knex.ts";
import { kyselyOrder } from "./kysely.ts";

const opening = workflow({ name: "opening" }, async (ctx) =>
  ctx.tx("cups", async (db) => {
    await db.sql`create table if not exists cups (colour varchar(20) primary key, n integer not null)`;
    await db.sql`insert into cups select ${"red"}, 10 where not exists (select 1 from cups)`;
  }),
);
await run(opening, undefined, { id: "opening" });

console.log(await run(kyselyOrder, { wanted: true }, { id: "with-kysely" }));
console.log(await run(drizzleOrder, { wanted: true }, { id: "with-drizzle" }));
console.log(await run(knexOrder, { wanted: true }, { id: "with-knex" }));
