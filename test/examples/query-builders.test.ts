// Kysely, Drizzle and Knex on the client of ctx.tx, as the examples show, on every store with SQL: rows and outcome are one commit,
// and what was done is undone once. On the built package, as users have it.
import { describe, expect, it, vi } from "vitest";
import { testEngine, type TestDb } from "pawl/testing";
import { drizzleOrder } from "../../examples/query-builders/drizzle.ts";
import { knexOrder } from "../../examples/query-builders/knex.ts";
import { kyselyOrder } from "../../examples/query-builders/kysely.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { sharedPostgres } from "../support/postgres.ts";
import { proves } from "../support/proves.ts";

vi.setConfig({ testTimeout: 120_000 }); // servers, on machines that are busy

const stores = [
  { name: "sqlite", url: async () => "sqlite:" },
  { name: "postgres", url: sharedPostgres },
  { name: "mysql", url: async () => `${await sharedMariadb()}/mysql` },
];

async function setup(db: TestDb): Promise<void> {
  await db.sql`create table cups (colour varchar(20) primary key, n integer not null)`;
  await db.sql`insert into cups values (${"red"}, ${10})`;
}
const left = async (db: TestDb): Promise<number> => Number((await db.sql`select n from cups`).rows[0]?.["n"]);

describe.each(stores)("$name", (s) => {
  const skip = s.name === "mysql" && skipsWithoutMariadb();

  it.skipIf(skip).each([
    ["kysely", kyselyOrder],
    ["drizzle", drizzleOrder],
    ["knex", knexOrder],
  ])("%s: one commit, and undone once, killed in between", proves("I5", "K11"), async (_, order) => {
    let db!: TestDb;
    const t = await testEngine({ store: await s.url(), workflows: [order], setup: (_t, d) => setup((db = d)) });
    try {
      t.crashAt("take:D");
      expect(await t.run(order, { wanted: true })).toEqual({ left: 9 });
      t.crashAt("take/~compensate:D");
      await expect(t.run(order, { wanted: false })).rejects.toMatchObject({ message: "nobody wants it" });
      expect(await left(db)).toBe(9);
    } finally {
      await t.stop();
    }
  });
});
