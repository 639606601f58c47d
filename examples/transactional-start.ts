// A row of your own and the run that works on it in one commit: the run is started inside your transaction. After a crash or a
// failed statement, both exist or neither does. No outbox is needed.
import { engine, workflow } from "pawl";
import { openHandle } from "pawl/sqlite";
import { z } from "zod";

const ship = workflow({ name: "ship", input: z.object({ order: z.string() }) }, async (ctx, { order }) =>
  ctx.step("label", () => `a label for ${order}`),
);

const app = await engine({ store: "sqlite:./shop.db", workflows: [ship] });
const db = await openHandle("./shop.db"); // the file that holds the store
db.exec("create table if not exists orders (id text primary key, cents integer check (cents > 0))");

async function take(id: string, cents: number): Promise<string> {
  db.exec("begin immediate");
  try {
    const run = await app.start(ship, { order: id }, { id, tx: db }); // exists when the transaction is committed
    db.prepare("insert into orders values (?, ?) on conflict do nothing").run(id, cents);
    db.exec("commit");
    return await run.result();
  } catch (e) {
    db.exec("rollback");
    throw e;
  }
}

console.log(await take("o-1", 900));
await take("o-2", -1).catch((e: Error) => console.log(e.message));
const orders = db.prepare("select id from orders").all();
console.log(
  orders.map((o) => o["id"]),
  (await app.list({ workflow: "ship" })).runs.map((r) => r.workflowId),
);
db.close();
await app.stop();
