// What is particular to MySQL and MariaDB when a run is started inside the user's own transaction: snapshots that show the
// past, the two interfaces of the driver, sessions under which Pawl's statements would mean something else. A conflict must
// never be missed because the user's snapshot is older than it.
import mysql2 from "mysql2";
import mysql2promise from "mysql2/promise";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engine, workflow, type Engine, type UserTransaction } from "../../src/index.ts";
import { parseAddress } from "../../src/store/mysql/open.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { databases, type Place } from "./databases.ts";
import { proves } from "../support/proves.ts";

const quick = workflow({ name: "quick", input: z.string() }, async (ctx, text) => ctx.step("say", () => text));
const waits = workflow({ name: "waits", signals: { go: z.number() } }, async (ctx) => [await ctx.receive("go"), await ctx.receive("go")]);

describe.skipIf(skipsWithoutMariadb())("inside the user's transaction on MySQL", () => {
  let place: Place;
  let app: Engine;
  const closing: (() => Promise<unknown>)[] = [];
  const connect = async (o: object = {}): Promise<mysql2promise.Connection> => {
    const { host, port, user, password, database } = parseAddress(place.url).address;
    const c = await mysql2promise.createConnection({ host, port, user, password, database, ...o });
    closing.push(() => c.end());
    return c;
  };
  const inside = async (o: object = {}): Promise<mysql2promise.Connection> => {
    const c = await connect(o);
    await c.beginTransaction();
    return c;
  };

  beforeEach(async () => {
    place = await databases.find((d) => d.name === "mysql")!.make();
    app = await engine({ store: place.url, workflows: [quick, waits], log: () => {} });
    closing.push(() => app.stop());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await place.remove();
  });

  it("under REPEATABLE READ a run that is younger than the snapshot is met, by its id and by its key", proves("C2"), async () => {
    const tx = await inside();
    await tx.query("select * from orders"); // the snapshot is made here
    const byId = await app.start(quick, "x", { id: "q-1" });
    const byKey = await app.start(quick, "x", { idempotencyKey: "k" });
    expect(await app.start(quick, "x", { id: "q-1", tx })).toMatchObject({ created: false, runId: byId.runId });
    await expect(app.start(quick, "x", { id: "q-1", onConflict: "reject", tx })).rejects.toMatchObject({ page: "PAWL4002" });
    expect(await app.start(quick, "x", { idempotencyKey: "k", tx })).toMatchObject({ created: false, runId: byKey.runId });
    await tx.query("insert into orders values ('kept')");
    await tx.commit();
    const [rows] = await (await connect()).query("select id from orders");
    expect(rows).toMatchObject([{ id: "kept" }]);
  });

  it(
    "under REPEATABLE READ a signal that was accepted since the snapshot is answered with its record, and not taken twice",
    proves("I9", "W-051"),
    async () => {
      const run = await app.start(waits);
      const tx = await inside();
      await tx.query("select * from orders");
      const first = await run.signal("go", 1, { signalId: "s-1" });
      const again = await run.signal("go", 2, { signalId: "s-1", tx });
      expect(again).toMatchObject({ result: first.result, replayed: true });
      await run.signal("go", 3, { signalId: "s-2", tx });
      await tx.commit();
      expect(await run.result()).toEqual([1, 3]);
    },
  );

  it("two that start the same id inside their transactions: the second waits for the first, and attaches to it", async () => {
    const [a, b] = [await inside(), await inside()];
    const first = await app.start(quick, "x", { id: "q-1", tx: a });
    const second = app.start(quick, "x", { id: "q-1", tx: b });
    await a.commit();
    expect(await second).toMatchObject({ created: false, runId: first.runId });
    await b.commit();
  });

  it("many that start runs of their own do not stand in each other's way", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => inside()));
    const handles = await Promise.all(all.flatMap((tx, i) => [1, 2].map((n) => app.start(quick, `${i}-${n}`, { tx }))));
    for (const tx of all) await tx.commit();
    expect(await Promise.all(handles.map((h) => h.result()))).toHaveLength(12);
  });

  it("a connection with callbacks, one with rows as arrays, and one that looks at another database serve as well", async () => {
    const { host, port, user, password, database } = parseAddress(place.url).address;
    const plain = mysql2.createConnection({ host, port, user, password, database });
    closing.push(() => plain.promise().end());
    const others = [
      await inside({ rowsAsArray: true, supportBigNumbers: true, bigNumberStrings: true }),
      await inside({ database: "mysql" }),
    ];
    await plain.promise().beginTransaction();
    const pool = mysql2promise.createPool({ host, port, user, password, database, connectionLimit: 1 });
    closing.push(() => pool.end());
    const pooled = await pool.getConnection();
    await pooled.beginTransaction();
    const handles = [];
    for (const tx of [plain, pooled, ...others] as const) handles.push(await app.start(quick, "x", { tx }));
    await plain.promise().commit();
    await pooled.commit();
    pooled.release();
    for (const tx of others) await tx.commit();
    expect(await Promise.all(handles.map((h) => h.result()))).toEqual(["x", "x", "x", "x"]);
    await expect(app.start(quick, "x", { tx: pool as unknown as UserTransaction })).rejects.toMatchObject({ page: "PAWL3012" });
  });

  it("a session that is not strict, takes no backslashes or speaks another charset is refused", async () => {
    for (const setting of ["sql_mode = ''", "sql_mode = 'STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'", "names latin1"]) {
      const tx = await connect();
      await tx.query(`set ${setting}`);
      await tx.beginTransaction();
      await expect(app.start(quick, "x", { tx })).rejects.toMatchObject({ page: "PAWL3012" });
      await tx.commit();
    }
    expect((await app.list()).runs).toEqual([]);
  });
});
