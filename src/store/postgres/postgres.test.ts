// What is particular to Postgres: its settings read back, its schema and how it is migrated, what it refuses, and ctx.tx on
// sessions of its own. Runs on a real server; what needs a broken line or a killed server is under test/postgres.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeOf, fixture, until } from "../../../test/postgres/fixture.ts";
import type { FullStore } from "../full-store.ts";
import { create, next, owned, rowOf, scope } from "../suite/build.ts";
import { formatOf, migrate } from "../sql/migrate.ts";
import { format, migrations, migrationTarget } from "./migrations.ts";
import { parseAddress } from "./wire/address.ts";
import { ownOptions } from "./open.ts";
import { migrationPlan, raiseIncarnation } from "./operate.ts";
import { openPostgres } from "./store.ts";
import { proves } from "../../../test/support/proves.ts";
import { postgresSchema } from "../../../test/support/database-schemas.ts";

const f = fixture();

describe("settings", () => {
  it("a server that would not survive a power cut is refused, unless it is asked for and named", proves("I1"), async () => {
    const careless = new URL(f.url);
    careless.searchParams.set("options", "-c synchronous_commit=off");
    expect(await codeOf(openPostgres(careless.href, f.platform))).toEqual(["PAWL3003", "none"]);
    const s = await f.store({ acceptUnsafe: true }, careless.href);
    expect((await s.info()).unsafe).toEqual(["synchronous_commit=off"]);
    const info = await (await f.store()).info();
    expect([info.unsafe, info.settings?.["fsync"], info.settings?.["pooler"]]).toEqual([[], "on", "false"]);
  });

  it("a schema's name is checked before it is part of any statement", async () => {
    for (const name of ["", "Pawl", 'a"b', "a b", "1a", "pg_x", "a-b", "x".repeat(64), "a;drop"]) {
      expect(await codeOf(openPostgres(f.url, f.platform, { schema: name })), name).toEqual(["PAWL5001", "none"]);
    }
    expect(() => parseAddress("mysql://x/y", {})).toThrow(expect.objectContaining({ page: "PAWL5002" }));
    expect(parseAddress("postgresql://u:p@h/d?schema=mine&pooler=1&sslmode=require", {})).toMatchObject({
      schema: "mine",
      pooler: true,
      connectionString: "postgresql://u:p@h/d?sslmode=require",
    });
  });

  it("a server that is not there, or knows nobody of this name, is a store that is unavailable", async () => {
    expect(await codeOf(openPostgres("postgres://x@127.0.0.1:1/x", f.platform))).toEqual(["PAWL3032", "none"]);
    const other = new URL(f.url);
    other.pathname = "/no_such_database";
    expect(await codeOf(openPostgres(other.href, f.platform))).toEqual(["PAWL3031", "none"]);
  });
});

describe("schema", () => {
  it("the dumped schema is what a new store holds", async () => {
    await f.store();
    const header =
      "-- The schema that migrations.ts arrives at, dumped. Never edited by hand: a test keeps it equal to what a new store holds.\n\n";
    const dumped = await postgresSchema(await f.raw(), f.schema);
    expect(readFileSync(new URL("schema.sql", import.meta.url), "utf8")).toBe(header + dumped);
  });

  it("a migration is not cut short: no statement of it has a limit, whatever the session's own is", async () => {
    await f.store();
    const c = await f.raw(ownOptions);
    const limited = "do $$ begin if current_setting('statement_timeout') <> '0' then raise exception 'limited'; end if; end $$";
    await expect(c.exec(limited)).rejects.toThrow("limited");
    await migrate(migrationTarget(c, f.schema, [...migrations, { format: format + 1, statements: [limited] }]), f.platform, "");
    expect(await formatOf(migrationTarget(c, f.schema))).toBe(format + 1);
  });

  it("many processes that open an empty database at once make one schema", proves("L-24"), async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => f.store()));
    const ids = new Set((await Promise.all(all.map((s) => s.info()))).map((i) => i.storeId));
    expect(ids.size).toBe(1);
  });

  it("a plan of what would be migrated makes nothing, and can be run by somebody else", async () => {
    const plan = await migrationPlan(f.url, f.platform);
    expect([plan.from, plan.to, plan.statements[0]]).toEqual([0, format, `create schema if not exists ${f.schema}`]);
    const c = await f.raw();
    expect((await c.exec(`select 1 from pg_namespace where nspname = '${f.schema}'`)).rows).toEqual([]);
    await f.store();
    expect((await migrationPlan(f.url, f.platform)).statements).toEqual([]);
  });

  it("a store that admits only later writers is not opened", proves("W-116"), async () => {
    await f.store();
    const c = await f.raw();
    await c.exec(`update ${f.schema}.meta set oldest_writer = 9, format = 9`);
    expect(await codeOf(openPostgres(f.url, f.platform))).toEqual(["PAWL3004", "none"]);
    await c.exec(`update ${f.schema}.meta set oldest_writer = 1`);
    expect((await (await f.store()).info()).format).toBe(9);
  });

  it("a database that is not the one it was is recognised, and a new life is recorded", proves("K4"), async () => {
    const s = await f.store();
    const { identity } = await s.info();
    expect(identity).toMatch(/^\d+\/\d+\/\d+$/);
    await (await f.raw()).exec(`update ${f.schema}.meta set identity = 'another/1/5'`);
    expect(await s.info()).toMatchObject({ identity, identityRecorded: "another/1/5", incarnation: 1 });
    expect(await raiseIncarnation(f.url, f.platform)).toBe(2);
    expect(await s.info()).toMatchObject({ identity, identityRecorded: identity, incarnation: 2 });
  });

  it("an error between two statements of a migration leaves nothing", proves("L-20"), async () => {
    const throwing = {
      ...f.platform,
      hit(p: string): void {
        if (p === "engine:migrate:7") throw new RangeError(p);
      },
    };
    expect(await codeOf(openPostgres(f.url, throwing))).toEqual(["PAWL3002", "none"]);
    expect((await (await f.raw()).exec(`select 1 from pg_namespace where nspname = '${f.schema}'`)).rows).toEqual([]);
    await f.store();
  });
});

describe("transactions", () => {
  it("a transaction that takes too long is rolled back, and what it sends later is refused", proves("K11"), async () => {
    const s = await f.store();
    const row = await owned(s, "a");
    let late: Promise<unknown> | undefined;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const user = async (tx: Parameters<Parameters<FullStore["transact"]>[0]>[0]): Promise<void> => {
      await tx.query(["create table t (a int)"], []);
      await gate;
      late = codeOf(tx.query(["insert into t values (1)"], []));
    };
    expect(await codeOf(s.transact(user, () => next(row), 100))).toEqual(["PAWL3011", "none"]);
    go();
    await until(() => late !== undefined);
    expect(await late).toEqual(["PAWL3010", "none"]);
    expect(
      await codeOf(
        s.transact(
          (tx) => tx.query(["select pg_sleep(60)"], []),
          () => next(row),
          2_000, // the server must have begun the statement by then, on a busy machine too
        ),
      ),
    ).toEqual(["PAWL3011", "none"]);
    expect((await (await f.raw()).exec("select to_regclass('t')::text as t")).rows).toEqual([{ t: null }]);
    expect(await rowOf(s, "a")).toEqual(row);
  });

  it("a statement that failed and was forgiven takes the transaction with it, and its error is told", proves("K11"), async () => {
    const s = await f.store();
    const row = await owned(s, "a");
    const user = async (tx: Parameters<Parameters<FullStore["transact"]>[0]>[0]): Promise<string> => {
      await tx.query(["select 1 / 0"], []).catch(() => {});
      return "fine";
    };
    await expect(s.transact(user, () => next(row), 1_000)).rejects.toMatchObject({ code: "22012" });
    expect(await rowOf(s, "a")).toEqual(row);
  });

  it("a deadlock between two transactions is resolved by running one of them again", proves("K11"), async () => {
    const s = await f.store();
    const rows = [await owned(s, "a"), await owned(s, "b")];
    await (await f.raw()).exec("create table n (id int primary key, v int); insert into n values (1, 0), (2, 0)");
    let met = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    const user =
      (first: number, second: number) =>
      async (tx: Parameters<Parameters<FullStore["transact"]>[0]>[0]): Promise<void> => {
        await tx.query(["update n set v = v + 1 where id = ", ""], [first]);
        if (++met === 2) go();
        await both;
        await tx.query(["update n set v = v + 1 where id = ", ""], [second]);
      };
    const done = await Promise.all(rows.map((row, i) => s.transact(user(i + 1, 2 - i), () => next(row), 5_000).then((d) => d.answer.kind)));
    expect(done).toEqual(["committed", "committed"]);
    expect(met).toBeGreaterThan(2);
    expect((await (await f.raw()).exec("select v from n order by id")).rows).toEqual([{ v: 2 }, { v: 2 }]);
  });
});

describe("content", () => {
  it("a listing narrows by every field, and a page begins after the last", async () => {
    const s = await f.store();
    await s.commit([create("a", { tags: { "quo'te": 'a"b' } }), create("b", { tags: {} })]);
    expect((await s.runs({ scope, limit: 9, tags: { "quo'te": 'a"b' } })).runs.map((r) => r.runId)).toEqual(["a"]);
  });

  it("an id that no index can hold is refused alone, and the rest of its batch is written", proves("K9", "K12"), async () => {
    const s = await f.store();
    // Random text, since what compresses well would fit after all.
    const long = Array.from({ length: 200 }, () => f.platform.randomHex(16)).join("");
    const { answers } = await s.commit([create("a"), create("b", { workflowId: long }), create("c")]);
    expect(answers.map((a) => a.kind)).toEqual(["committed", "refused", "committed"]);
    expect(answers[1]).toMatchObject({ reason: expect.stringContaining("PAWL3018") });
  });

  it("pool exhaustion queues and tells", async () => {
    const s = await f.store({ txConnectionsMax: 1 });
    const row = await owned(s, "a");
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const slow = s.transact(
      () => gate,
      () => next(row),
      20_000,
    );
    expect(
      await codeOf(
        s.transact(
          async () => {},
          () => next(row),
          20_000,
        ),
      ),
    ).toEqual(["PAWL3001", "none"]);
    const waiting = s.transact(
      async () => {},
      () => next({ ...row, stateVersion: 2 }),
      20_000,
    );
    go();
    expect([(await slow).answer.kind, (await waiting).answer.kind]).toEqual(["committed", "committed"]);
  });
});
