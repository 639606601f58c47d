// The first starts of many templates at once on a server with as few connections as a store takes: who holds one never waits for a second, so everybody
// gets his turn. Guards against the deadlock of a pool whose holders all wait for one more.
import { expect, it } from "vitest";
import { z } from "zod";
import { dagFromTemplate, engine, task, workflow } from "../../src/index.ts";
import { postgres } from "../../src/postgres.ts";
import { dropSchema, freshPlace } from "../postgres/places.ts";
import { proves } from "../support/proves.ts";

it(
  "40 templates are registered and started at once over two connections, beside transactions: all of them end",
  proves("TX-18"),
  async () => {
    const { url, schema } = await freshPlace();
    const store = await postgres(url, { connectionsMax: 2, txConnectionsMax: 1 });
    const nothing = task({ name: "nothing", input: z.unknown() }, () => 1);
    const orders = Array.from({ length: 40 }, (_, n) =>
      dagFromTemplate({ namespace: "shop", name: `order-${n}`, version: "1", steps: [{ name: "only", handler: "nothing" }] }, [nothing]),
    );
    const booking = workflow({ name: "booking" }, (ctx) => ctx.tx("book", async (tx) => (await tx.sql`select 1 as n`).rows.length));
    const app = await engine({ store, workflows: [...orders, booking], log: () => {} });
    try {
      const runs = orders.map(async (o) => (await app.start(o, {})).result());
      const booked = Array.from({ length: 10 }, async () => (await app.start(booking)).result());
      expect(await Promise.all(booked)).toEqual(Array.from({ length: 10 }, () => 1));
      expect(await Promise.all(runs)).toEqual(Array.from({ length: 40 }, () => ({ only: 1 })));
    } finally {
      await app.stop();
      await store.close();
      await dropSchema(url, schema);
    }
  },
);
