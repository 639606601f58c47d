// An order as a saga, each effect with the guarantee that fits it: stock is reserved in the store's own database (ATOMIC), the
// charge is keyed and can be asked for (KEYED, with verify), the parcel is keyed, and what was done is undone when the carrier
// refuses. `outside` stands for the bank and the carrier: it counts what happened, and keeps a key as they would.
import { Fatal, workflow, type Tx } from "pawl";
import { world } from "pawl/testing";
import { z } from "zod";

export const outside = world();

const left = async (db: Tx): Promise<number> => Number((await db.sql`select n from stock where sku = ${"cup"}`).rows[0]?.["n"]);

export const order = workflow(
  { name: "order-saga", input: z.object({ orderId: z.string(), weightKg: z.number() }), id: (i) => i.orderId },
  async (ctx, { orderId, weightKg }) => {
    await ctx.tx("shelves", async (db) => {
      await db.sql`create table if not exists stock (sku varchar(20) primary key, n integer not null)`;
      await db.sql`insert into stock select ${"cup"}, 10 where not exists (select 1 from stock)`;
    });
    const cups = await ctx.tx("reserve", async (db) => {
      await db.sql`update stock set n = n - 1 where sku = ${"cup"}`;
      return left(db);
    });

    await ctx.step("charge", (s) => outside.record("charge", s.key), {
      key: `charge-${orderId}`,
      dedup: "24h",
      verify: async (s) =>
        outside.has("charge", s.key) ? { state: "completed-with-result", result: undefined } : { state: "not-completed" },
      compensate: (_, s) => outside.record("refund", s.key), // its key is the same on every attempt, too
    });

    try {
      await ctx.step("ship", (s) => carrier(weightKg, s.key), { key: `parcel-${orderId}`, dedup: "7d" });
    } catch (e) {
      const back = await ctx.tx("release", async (db) => {
        await db.sql`update stock set n = n + 1 where sku = ${"cup"}`;
        return left(db);
      });
      ctx.fail(`${(e as Error).message}; ${back} cups left`);
    }
    return { shipped: orderId, cups };
  },
);

function carrier(weightKg: number, key: string): void {
  if (weightKg > 30) throw new Fatal("too heavy to ship");
  outside.record("parcel", key);
}
