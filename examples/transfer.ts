// Your own rows in the store's database: the statements of ctx.tx and the outcome of the step are one transaction (class ATOMIC).
// After a crash, both exist or neither does. This needs a store with SQL, such as SQLite.
import { run, workflow } from "pawl";
import { z } from "zod";

const transfer = workflow(
  { name: "transfer", input: z.object({ from: z.string(), to: z.string(), cents: z.number().int().positive() }) },
  async (ctx, { from, to, cents }) => {
    await ctx.tx("accounts", async (db) => {
      await db.sql`create table if not exists accounts (name text primary key, cents integer not null)`;
      await db.sql`insert into accounts values (${from}, 1000), (${to}, 0) on conflict do nothing`;
    });
    return ctx.tx("move", async (db) => {
      const taken = await db.sql`update accounts set cents = cents - ${cents} where name = ${from} and cents >= ${cents}`;
      if (taken.changes === 0) throw new Error("not enough money"); // rolled back, and the step fails
      await db.sql`update accounts set cents = cents + ${cents} where name = ${to}`;
      return (await db.sql<{ name: string; cents: number }>`select name, cents from accounts order by name`).rows;
    });
  },
);

// The same id is the same transfer: run this file as often as you like, the money moves once.
console.log(await run(transfer, { from: "ann", to: "bob", cents: 250 }, { id: "transfer-1" }));
