// An order as a saga, each effect with the guarantee that fits it: stock is reserved in the store's own database (ATOMIC), the
// charge has a key and can be looked up (KEYED, with verify), the parcel has a key. Only `compensate` undoes what was done, so it
// is undone once, whether the carrier refuses, somebody cancels or the time is up, and a retry knows about it. `outside`
// represents the bank and the carrier: it counts what happened and remembers keys.
import { Fatal, workflow, type Tx } from "pawl";
import { world } from "pawl/testing";
import { z } from "zod";

export const outside = world();

const left = async (db: Tx): Promise<number> => Number((await db.sql`select n from stock where sku = ${"cup"}`).rows[0]?.["n"]);

/** How many cups are on the shelf. */
export const stock = workflow({ name: "stock" }, async (ctx) => ctx.tx("count", left));

export const order = workflow(
  { name: "order-saga", input: z.object({ orderId: z.string(), weightKg: z.number() }), id: (i) => i.orderId, timeout: "10d" },
  async (ctx, { orderId, weightKg }) => {
    const { cups } = await ctx.tx(
      "reserve",
      async (db) => {
        await db.sql`update stock set n = n - 1 where sku = ${"cup"}`;
        return { taken: 1, cups: await left(db) };
      },
      // The rows go back in one commit with the record of it.
      { compensate: ({ taken }, db) => db.sql`update stock set n = n + ${taken} where sku = ${"cup"}` },
    );

    await ctx.step("charge", (s) => charge(s.key), {
      key: `charge-${orderId}`,
      dedup: "24h",
      verify: async (s) =>
        outside.has("charge", s.key) ? { state: "completed-with-result", result: { id: s.key } } : { state: "not-completed" },
      // A refund is of one charge: another charge has another refund.
      compensate: { undo: (_, s) => outside.record("refund", s.key), key: ({ id }) => `refund-of-${id}`, dedup: "24h" },
    });

    await ctx.sleep("packing", "1s"); // long enough to be cancelled, or to be late

    await ctx.step("ship", (s) => carrier(weightKg, s.key), { key: `parcel-${orderId}`, dedup: "7d" });
    return { shipped: orderId, cups };
  },
);

function charge(key: string): { id: string } {
  outside.record("charge", key);
  return { id: key };
}

function carrier(weightKg: number, key: string): void {
  if (weightKg > 30) throw new Fatal("too heavy to ship");
  outside.record("parcel", key);
}
