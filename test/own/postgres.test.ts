// What is particular to Postgres when a run is started inside the user's own transaction: errors that would poison it, types
// that his client reads otherwise, isolation that refuses rather than shows, hints that come with his COMMIT.
import pg from "pg";
import { z } from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engine, workflow, type Engine, type UserTransaction } from "../../src/index.ts";
import { defaultScope } from "../../src/client/environment.ts";
import { createCommit } from "../../src/engine/create-run.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { Hint } from "../../src/store/port.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import { until } from "../postgres/fixture.ts";
import { databases, type Place } from "./databases.ts";

const quick = workflow({ name: "quick", input: z.string() }, async (ctx, text) => ctx.step("say", () => text));

describe("inside the user's transaction on Postgres", () => {
  let place: Place;
  let app: Engine;
  let config: { connectionString: string; options: string };
  const closing: (() => Promise<unknown>)[] = [];
  const connect = async (o: object = {}): Promise<pg.Client> => {
    const c = new pg.Client({ ...config, ...o });
    await c.connect();
    closing.push(() => c.end());
    return c;
  };

  beforeEach(async () => {
    place = await databases.find((d) => d.name === "postgres")!.make();
    const u = new URL(place.url);
    const options = u.searchParams.get("options") ?? "";
    u.search = "";
    config = { connectionString: u.href, options };
    app = await engine({ store: place.url, workflows: [quick], log: () => {} });
    closing.push(() => app.stop());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await place.remove();
  });

  it("a transaction in which a statement failed is refused, and one that Pawl was refused in goes on", async () => {
    const tx = await connect();
    await tx.query("begin");
    await expect(tx.query("select no_such_column")).rejects.toThrow("no_such_column");
    await expect(app.start(quick, "x", { tx })).rejects.toMatchObject({ page: "PAWL3012" });
    await tx.query("rollback");
    await tx.query("begin");
    // Too long for an index of Postgres: refused by the server, inside Pawl's savepoint.
    const store = await openPostgres(place.url, systemPlatform());
    closing.push(() => store.close());
    const inside = await store.joinTransaction!(tx);
    const host = { scope: defaultScope, platform: systemPlatform() };
    const long = { runId: "r", workflowId: longId(), definition: { name: "quick", version: "1" }, input: null, parsed: true };
    expect(await inside.create(createCommit(host, long))).toMatchObject({ kind: "refused" });
    await tx.query("insert into orders values ('kept')");
    await tx.query("commit");
    expect((await tx.query("select id from orders")).rows).toEqual([{ id: "kept" }]);
    expect((await tx.query("select count(*)::int as n from runs")).rows).toEqual([{ n: 0 }]);
  });

  it("a client of a pool serves, its pool does not, and the types that the user reads do not matter", async () => {
    const pool = new pg.Pool({ ...config, max: 1, types: { getTypeParser: () => () => "whatever" } as never });
    closing.push(() => pool.end());
    const tx = await pool.connect();
    await tx.query("begin");
    const handle = await app.start(quick, "x", { id: "q-1", tx });
    expect((await app.start(quick, "x", { id: "q-1", tx })).runId).toBe(handle.runId);
    await tx.query("commit");
    tx.release();
    expect(await handle.result()).toBe("x");
    await expect(app.start(quick, "x", { tx: pool as unknown as UserTransaction })).rejects.toMatchObject({ page: "PAWL3012" });
  });

  it("under REPEATABLE READ a run that is younger than the snapshot is told as contention, and nothing is poisoned", async () => {
    const tx = await connect();
    await tx.query("begin isolation level repeatable read");
    await tx.query("select * from orders");
    await app.start(quick, "x", { id: "q-1" });
    await expect(app.start(quick, "x", { id: "q-1", tx })).rejects.toMatchObject({ page: "PAWL3001", outcome: "none" });
    await tx.query("insert into orders values ('kept')");
    await tx.query("rollback");
  });

  it("a part that the user rolls back to his savepoint takes the run with it, though the rest is committed", async () => {
    const tx = await connect();
    await tx.query("begin");
    await tx.query("savepoint part");
    const gone = await app.start(quick, "gone", { tx });
    await tx.query("rollback to savepoint part");
    const kept = await app.start(quick, "kept", { tx });
    await tx.query("commit");
    await expect(gone.result()).rejects.toMatchObject({ page: "PAWL4001" });
    expect(await kept.result()).toBe("kept");
  });

  it("the same schema in another database holds another store, and is refused", async () => {
    const admin = await connect();
    const name = `o${Math.floor(Math.random() * 1e12).toString(36)}`;
    await admin.query(`create database ${name}`);
    const there = new URL(place.url);
    there.pathname = `/${name}`;
    const store = await openPostgres(there.href, systemPlatform());
    const bare = new URL(config.connectionString);
    bare.pathname = `/${name}`;
    const tx = await connect({ connectionString: bare.href });
    await tx.query("begin");
    await expect(app.start(quick, "x", { tx })).rejects.toMatchObject({
      page: "PAWL3012",
      message: expect.stringContaining("another store"),
    });
    await tx.end();
    await store.close();
    closing.push(() => admin.query(`drop database ${name}`));
  });

  it("hints come to everybody, this process included, with the COMMIT and not before", async () => {
    const store = await openPostgres(place.url, systemPlatform());
    closing.push(() => store.close());
    const heard: Hint[] = [];
    store.watch((h) => void heard.push(h));
    await until(async () => (await store.info()).settings?.["hints"] === "notify");
    const tx = await connect();
    await tx.query("begin");
    const { runId } = await app.start(quick, "x", { tx });
    await tx.query("select 1");
    expect(heard.some((h) => h.runId === runId)).toBe(false);
    await tx.query("commit");
    await until(() => heard.some((h) => h.kind === "due" && h.runId === runId));
  });
});

/** Random, so that it cannot be compressed into an index entry. */
function longId(): string {
  return Array.from({ length: 1_000 }, () => Math.random().toString(36).slice(2, 10)).join("");
}
