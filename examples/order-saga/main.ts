// The saga with both of its ends. Then the one that is undone is killed in every window of every step, and the crash matrix is
// printed. The same with real processes: pawl crashtest examples/order-saga/order.ts --setup examples/order-saga/tables.ts
// -P orderId=o-1 -P weightKg=2
import { PawlError, run, workflow } from "pawl";
import { crashMatrix } from "pawl/testing";
import { order, outside, stock } from "./order.ts";
import { setup } from "./tables.ts";

const opening = workflow({ name: "opening" }, async (ctx) => ctx.tx("shelves", setup)); // SQLite makes tables in a transaction, too
await run(opening, undefined, { id: "opening" });

console.log(await run(order, { orderId: "light", weightKg: 2 }));
await run(order, { orderId: "heavy", weightKg: 300 }).catch((e: PawlError) => console.log(`${e.code} ${e.message}`));
console.log(`${await run(stock)} cups, ${outside.count("charge")} charges, ${outside.count("refund")} refund`);

const matrix = await crashMatrix(
  order,
  { orderId: "o-1", weightKg: 300 },
  { world: outside, store: "sqlite:", expectEnd: "FAILED", setup: (_, db) => setup(db) },
);
console.log(`\n${matrix.ok ? "every effect kept its promise" : "a promise was broken"}\n${matrix.table()}`);
