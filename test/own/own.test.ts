// Starting and signalling inside the user's own transaction, on every database and with its real driver: both commit or
// neither does, conflicts are answered as seen from inside, and whatever cannot be one transaction is refused. The user's
// transaction is his: whatever Pawl is asked, it is still open afterwards and holds what he wrote.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openEngine } from "../../src/client/engine.ts";
import type { Engine } from "../../src/client/engine-types.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { workflow } from "../../src/workflow/define.ts";
import { z } from "zod";
import type { UserConnection } from "../support/user-connections.ts";
import { databases, type Place } from "./databases.ts";
import { proves } from "../support/proves.ts";

const order = workflow({ name: "order", input: z.object({ id: z.string() }), signals: { paid: z.number() } }, async (ctx, o) => {
  const cents = await ctx.receive("paid");
  return `${o.id} for ${cents}`;
});
const quick = workflow({ name: "quick", input: z.string() }, async (ctx, text) => ctx.step("say", () => text));

describe.each(databases.filter((d) => !d.missing))("$name", (database) => {
  let place: Place;
  let app: Engine;
  let mine: UserConnection;
  let test = 0;
  /** Ids of one test; the place is the same for all. */
  const own = (id: string): string => `${test}:${id}`;
  const another = async (): Promise<UserConnection> => {
    const m = await place.mine();
    closing.push(() => m.end());
    return m;
  };
  const closing: (() => Promise<unknown>)[] = [];
  const ofThis = (ids: readonly string[]): string[] =>
    ids.filter((id) => id.startsWith(`${test}:`)).map((id) => id.slice(id.indexOf(":") + 1));
  const insert = (id: string): Promise<unknown> => mine.sql(`insert into orders values ('${own(id)}')`);
  const ordersThere = async (): Promise<string[]> =>
    ofThis((await (await another()).sql("select id from orders order by id")).map((r) => String(r["id"])));
  const runsThere = async (): Promise<string[]> => ofThis((await app.list({ limit: 1_000 })).runs.map((r) => r.workflowId)).sort();

  beforeAll(async () => {
    place = await database.make();
    const platform = systemPlatform();
    const around = { platform, log: () => {}, open: (url: string | undefined) => openStore(url, platform) };
    app = (await openEngine(around, { store: place.url, workflows: [order, quick] })).engine;
  });
  beforeEach(async () => {
    test++;
    mine = await another();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await app.stop();
    await place.remove();
  });

  it("the run and the user's rows are there together when he commits, and an engine runs it", async () => {
    await mine.begin();
    await insert("o-1");
    const handle = await app.start(quick, "hello", { id: own("o-1"), tx: mine.tx });
    expect([handle.created, handle.workflowId]).toEqual([true, own("o-1")]);
    const result = handle.result(); // asked before it is there: it waits
    expect([await ordersThere(), await runsThere()]).toEqual([[], []]);
    await expect(handle.status()).rejects.toMatchObject({ page: "PAWL4001" });
    await mine.sql("commit");
    expect(await result).toBe("hello");
    expect([await ordersThere(), await runsThere()]).toEqual([["o-1"], ["o-1"]]);
  });

  it("neither is there when he rolls back, and the handle's result says that there is no such run", async () => {
    await mine.begin();
    await insert("o-1");
    const handle = await app.start(quick, "hello", { id: own("o-1"), tx: mine.tx });
    const result = handle.result().catch((e: unknown) => e);
    await mine.sql("rollback");
    expect(await result).toMatchObject({ page: "PAWL4001" });
    expect([await ordersThere(), await runsThere()]).toEqual([[], []]);
    // The id was never taken.
    expect((await app.start(quick, "again", { id: own("o-1") })).created).toBe(true);
  });

  it("a signal is accepted with the user's rows or not at all, once for its id", proves("I9", "W-051"), async () => {
    const run = await app.start(order, { id: "o-1" }, { id: own("o-1") });
    await mine.begin();
    const lost = await run.signal("paid", 5, { signalId: "p-1", tx: mine.tx });
    expect(lost).toMatchObject({
      replayed: false,
      result: { accepted: true, workflowId: own("o-1"), signalName: "paid", signalId: "p-1" },
    });
    await mine.sql("rollback");
    await mine.begin();
    await insert("o-1");
    const first = await run.signal("paid", 7, { signalId: "p-1", tx: mine.tx });
    const again = await run.signal("paid", 8, { signalId: "p-1", tx: mine.tx });
    expect([first.replayed, again.replayed, again.result.acceptedAt]).toEqual([false, true, first.result.acceptedAt]);
    await mine.sql("commit");
    expect(await run.result()).toBe("o-1 for 7");
    expect(await ordersThere()).toEqual(["o-1"]);
    await mine.begin();
    await expect(run.signal("paid", 9, { signalId: "p-2", tx: mine.tx })).rejects.toMatchObject({ page: "PAWL4003" });
    await insert("o-2");
    await mine.sql("commit");
    expect(await ordersThere()).toEqual(["o-1", "o-2"]);
  });

  it("a run that was started inside is signalled inside, before anybody else can see it", async () => {
    await mine.begin();
    const run = await app.start(order, { id: "o-1" }, { id: own("o-1"), tx: mine.tx });
    expect(await app.get(order, own("o-1"))).toBeUndefined();
    expect((await run.signal("paid", 3, { tx: mine.tx })).replayed).toBe(false);
    await mine.sql("commit");
    expect(await run.result()).toBe("o-1 for 3");
  });

  it("an id that is taken attaches or is refused as seen from inside, and the transaction goes on", async () => {
    const there = await app.start(order, { id: "o-1" }, { id: own("o-1") });
    await mine.begin();
    await insert("before");
    const [tx, input] = [mine.tx, { id: "o-1" }];
    expect(await app.start(order, input, { id: own("o-1"), tx })).toMatchObject({ created: false, runId: there.runId });
    await expect(app.start(order, input, { id: own("o-1"), onConflict: "reject", tx })).rejects.toMatchObject({ page: "PAWL4002" });
    await expect(app.start(order, { id: "other" }, { id: own("o-1"), tx })).rejects.toMatchObject({ page: "PAWL4009" });
    await expect(app.start(order, input, { id: own("o-1"), onConflict: "restart", tx })).rejects.toMatchObject({ page: "PAWL4010" });
    // The same twice inside: the second finds the first, which nobody else sees.
    const first = await app.start(quick, "x", { id: own("q-1"), idempotencyKey: own("k"), tx });
    expect(await app.start(quick, "x", { id: own("q-1"), tx })).toMatchObject({ created: false, runId: first.runId });
    const same = { idempotencyKey: own("k"), tx };
    expect(await app.start(quick, "x", same)).toMatchObject({ created: false, runId: first.runId });
    for (const onConflict of ["reject", "restart"] as const)
      expect(await app.start(quick, "x", { id: own("q-1"), ...same, onConflict })).toMatchObject({ created: false, runId: first.runId });
    await expect(app.start(quick, "x", { ...same, id: own("q-2") })).rejects.toMatchObject({ page: "PAWL4053" });
    await expect(app.start(quick, "x", { ...same, delay: "1h" })).rejects.toMatchObject({ page: "PAWL4053" });
    await insert("after");
    await mine.sql("commit");
    expect(await first.result()).toBe("x");
    expect(await ordersThere()).toEqual(["after", "before"]);
    expect(await runsThere()).toEqual(["o-1", "q-1"]);
  });

  it("a run that has ended is restarted inside", async () => {
    const old = await app.start(quick, "old", { id: own("q-1") });
    expect(await old.result()).toBe("old");
    await mine.begin();
    const next = await app.start(quick, "new", { id: own("q-1"), onConflict: "restart", tx: mine.tx });
    expect([next.created, next.runId === old.runId]).toEqual([true, false]);
    await mine.sql("commit");
    expect(await next.result()).toBe("new");
  });

  it("a connection that is in no transaction is refused, and nothing is written", async () => {
    const refused = { page: "PAWL3012", outcome: "none" };
    await expect(app.start(quick, "x", { id: own("q-1"), tx: mine.tx })).rejects.toMatchObject(refused);
    await mine.begin();
    await mine.sql("commit");
    await expect(app.start(quick, "x", { id: own("q-1"), tx: mine.tx })).rejects.toMatchObject(refused);
    const run = await app.start(order, { id: "o-1" }, { id: own("o-1") });
    await expect(run.signal("paid", 1, { tx: mine.tx })).rejects.toMatchObject(refused);
    expect(await runsThere()).toEqual(["o-1"]);
  });

  it("a connection to another place, and what is no connection of this database, are refused", async () => {
    const other = await place.elsewhere();
    closing.push(() => other.end());
    await other.begin();
    await expect(app.start(quick, "x", { id: own("x"), tx: other.tx })).rejects.toMatchObject({ page: "PAWL3012" });
    await other.sql("select 1 as one"); // refused, and still in its transaction
    await other.sql("rollback");
    const wrong: unknown[] = [
      {},
      1,
      "begin",
      null,
      { query: () => Promise.resolve({ rows: [] }) },
      { sql: () => {} },
      { exec: () => {}, prepare: () => {} },
    ];
    for (const tx of wrong)
      await expect(app.start(quick, "x", { id: own("x"), tx: tx as never })).rejects.toMatchObject({ page: "PAWL3012" });
    expect(await runsThere()).toEqual([]);
  });

  it("a result cannot be awaited inside the transaction that its run is waiting for", async () => {
    await mine.begin();
    await expect(app.run(quick, "x", { tx: mine.tx } as never)).rejects.toMatchObject({ page: "PAWL4011" });
    const handle = await app.start(quick, "x", { tx: mine.tx });
    await expect(handle.result({ timeout: 50 })).rejects.toMatchObject({ page: "PAWL4006" });
    await mine.sql("commit");
    expect(await handle.result()).toBe("x");
  });
});

it("the memory store has no SQL, and says so", async () => {
  const platform = systemPlatform();
  const { engine } = await openEngine({ platform, log: () => {}, open: (url) => openStore(url, platform) }, { store: "memory:" });
  await expect(engine.start(quick, "x", { tx: {} as never })).rejects.toMatchObject({ page: "PAWL3008" });
  await engine.stop();
});
