// The test engine and the crash matrix on every store: the same virtual clock, tables made by hooks, and nothing left on a server
// when a test is over. Asked through the public entry points only.
import { describe, expect, it, vi } from "vitest";
import { workflow } from "../../src/index.ts";
import { crashMatrix, testEngine, world } from "../../src/testing.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../support/mariadb.ts";
import { raw } from "../postgres/bundle.ts";
import { rawConnection } from "../mysql/bundle.ts";
import { sharedPostgres } from "../support/postgres.ts";

vi.setConfig({ testTimeout: 120_000 }); // servers, on machines that are busy

const stock = workflow({ name: "stock" }, async (ctx) => {
  const before = ctx.now().getTime();
  await ctx.step("flaky", (s) => (s.attempt.logical < 3 ? Promise.reject(new Error("not yet")) : 1), {
    retry: { attempts: 5, initial: "1h", max: "1h" },
  });
  await ctx.tx("reserve", (db) => db.sql`update stock set cups = cups - ${1}`);
  await ctx.sleep("month", "30d");
  const left = await ctx.tx("count", async (db) => (await db.sql<{ cups: number }>`select cups from stock`).rows[0]!.cups);
  return { left: Number(left), days: Math.floor((ctx.now().getTime() - before) / 86_400_000) };
});

const stores = [
  { name: "sqlite", url: async () => "sqlite:" },
  { name: "postgres", url: sharedPostgres },
  { name: "mysql", url: async () => `${await sharedMariadb()}/mysql` },
];

for (const s of stores) {
  describe.skipIf(s.name === "mysql" && skipsWithoutMariadb())(s.name, () => {
    it("sleeps, retries and leases take no time, tables are made by setup, and nothing is left", async () => {
      const seen: string[] = [];
      const t = await testEngine({
        store: await s.url(),
        workflows: [stock],
        setup: async (_t, db) => {
          await db.sql`create table stock (cups integer not null)`;
          await db.sql`insert into stock values (${10})`;
        },
        reset: async (db) => void seen.push(`left ${Number((await db.sql<{ cups: number }>`select cups from stock`).rows[0]!.cups)}`),
      });
      const h = await t.start(stock, undefined, { id: "s-1" });
      await t.until(h, { step: "month" });
      await t.crash();
      expect(await h.result()).toEqual({ left: 9, days: 30 });
      await t.stop();
      await t.stop();
      expect(seen).toEqual(["left 9"]);
    });

    it("the crash matrix has tables of its own for every life", async () => {
      const w = world();
      const order = workflow({ name: "order" }, async (ctx) => {
        await ctx.tx("reserve", (db) => db.sql`update stock set cups = cups - 1`);
        await ctx.step("charge", (x) => w.record("charge", x.key), { key: "o-1", dedup: "1d" });
      });
      const ends: number[] = [];
      const m = await crashMatrix(order, undefined, {
        store: await s.url(),
        world: w,
        windows: ["B", "D"],
        setup: async (_t, db) => {
          await db.sql`create table stock (cups integer not null)`;
          await db.sql`insert into stock values (10)`;
        },
        reset: async (db) => void ends.push(Number((await db.sql<{ cups: number }>`select cups from stock`).rows[0]!.cups)),
      });
      expect(m.ok, m.table()).toBe(true);
      expect(m.plain).toEqual({ end: "COMPLETED", expected: "COMPLETED", asExpected: true });
      expect(ends.length).toBe(1 + new Set(m.cells.map((c) => `${c.step}${c.window}`)).size);
      expect(new Set(ends)).toEqual(new Set([9]));
    });

    it("what a test made on a server is gone after it, also when its setup fails", async () => {
      const url = await s.url();
      let place = "";
      const failing = testEngine({
        store: url,
        setup: async (_t, db) => {
          if (s.name !== "sqlite")
            place = String(
              (await db.sql<{ d: string }>([`select ${s.name === "mysql" ? "database()" : "current_schema()"} as d`] as never)).rows[0]!.d,
            );
          throw new Error("no tables today");
        },
      });
      await expect(failing).rejects.toThrow("no tables today");
      if (s.name !== "sqlite") expect(place).toMatch(/^pawl_test_[0-9a-f]{16}$/);
      if (s.name === "postgres") {
        const c = await raw(url);
        expect((await c.query({ text: `select 1 from pg_namespace where nspname = '${place}'` })).rows).toEqual([]);
        await c.end();
      }
      if (s.name === "mysql") {
        const c = await rawConnection(url);
        expect((await c.query(`select 1 from information_schema.schemata where schema_name = '${place}'`)).rows).toEqual([]);
        await c.close();
      }
    });
  });
}

describe("without SQL", () => {
  it("a hook on the memory store is told that there is no SQL", async () => {
    await expect(testEngine({ setup: (_t, db) => db.sql`select 1` })).rejects.toMatchObject({ page: "PAWL3008" });
  });
});
