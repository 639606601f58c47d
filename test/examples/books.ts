// The tables of the order saga for `pawl crashtest`, with a look at the shelf after each run that was killed and went on: an order that
// failed has given its cup back, exactly once. Must never be used by an example: it is what a test adds.
export { setup } from "../../examples/order-saga/tables.ts";
import type { Tx } from "pawl";

export async function reset(db: Pick<Tx, "sql">): Promise<void> {
  const cups = Number((await db.sql`select n from stock`).rows[0]?.["n"]);
  if (cups !== 10) throw new Error(`${cups} cups are on the shelf, and there were 10`);
}
