// Type tests of the option tx: the connections of the three drivers fit as they are, without a cast, and pools do not, because
// their statements are no transaction. `npm run types` compiles this file and nothing ever runs it.
import { DatabaseSync } from "@photostructure/sqlite";
import mysqlCallbacks from "mysql2";
import mysql from "mysql2/promise";
import pg from "pg";
import { z } from "zod";
import { connect } from "../../src/client.ts";
import { openHandle } from "../../src/sqlite.ts";
import { engine, run, workflow, type UserTransaction, type StartOpts } from "../../src/index.ts";

const order = workflow(
  { name: "order", input: z.string(), signals: { paid: z.number() } },
  async (ctx, id) => `${id} ${await ctx.receive("paid")}`,
);

declare const pgClient: pg.Client;
declare const pgPool: pg.Pool;
declare const pooled: pg.PoolClient;
declare const promised: mysql.Connection;
declare const promisedPooled: mysql.PoolConnection;
declare const called: mysqlCallbacks.Connection;
declare const calledPooled: mysqlCallbacks.PoolConnection;
const opened = () => new DatabaseSync("a.db");
declare const file: ReturnType<typeof opened>;

export async function all(): Promise<void> {
  const app = await engine();
  for (const tx of [pgClient, pooled, promised, promisedPooled, called, calledPooled, file, await openHandle("a.db")]) {
    const handle = await app.start(order, "o-1", { id: "o-1", tx });
    await handle.signal("paid", 1, { signalId: "p-1", tx });
  }
  const client = await connect();
  await client.start({ workflow: "order", input: "o-1", tx: pgClient });
  await client.signal("o-1", "paid", 1, { tx: promised });

  // @ts-expect-error each statement of a pool may meet another session
  await app.start(order, "o-1", { tx: pgPool });
  // @ts-expect-error
  await app.start(order, "o-1", { tx: mysql.createPool({}) });
  // @ts-expect-error
  await app.start(order, "o-1", { tx: mysqlCallbacks.createPool({}) });
  // @ts-expect-error a result cannot be awaited inside the transaction
  await app.run(order, "o-1", { tx: pgClient });
  // @ts-expect-error
  await run(order, "o-1", { tx: pgClient });
  // @ts-expect-error this is none
  const none: UserTransaction = {};
  const passed: StartOpts = { tx: file };
  void [none, passed];
}
