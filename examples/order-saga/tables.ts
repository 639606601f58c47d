// The shop's own table in the store's database: ten cups in stock. `pawl crashtest --setup` and the tests create it before each run,
// outside ctx.tx, because on a server a statement that creates a table ends the transaction.
import type { Tx } from "pawl";

export async function setup(db: Pick<Tx, "sql">): Promise<void> {
  await db.sql`create table if not exists stock (sku varchar(20) primary key, n integer not null)`;
  await db.sql`insert into stock select ${"cup"}, 10 where not exists (select 1 from stock)`;
}
