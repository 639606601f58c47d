// The shop's own table, beside the store's: ten cups on the shelf. `pawl crashtest --setup` and the tests make it before each run;
// a server makes tables outside of ctx.tx, since it ends a transaction over them.
import type { Tx } from "pawl";

export async function setup(db: Pick<Tx, "sql">): Promise<void> {
  await db.sql`create table if not exists stock (sku varchar(20) primary key, n integer not null)`;
  await db.sql`insert into stock select ${"cup"}, 10 where not exists (select 1 from stock)`;
}
