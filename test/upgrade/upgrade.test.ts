// Databases of the formats that are upgraded, opened by today's code: migrated once, nothing lost, every run continues where it
// was. The databases are real ones, written by the version of their time (write-database.ts); a test never writes them again.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { defaultScope } from "../../src/client/environment.ts";
import { openEngine, type OpenEngine } from "../../src/client/engine.ts";
import { localClient } from "../../src/client/local-client.ts";
import type { Client } from "../../src/client/types.ts";
import { checkLimits } from "../../src/core/limits.ts";
import * as mysqlMigrations from "../../src/store/mysql/migrations.ts";
import * as postgresMigrations from "../../src/store/postgres/migrations.ts";
import * as sqliteMigrations from "../../src/store/sqlite/migrations.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { admissionOf } from "../../src/store/sql/formats.ts";
import { skipsWithoutMariadb } from "../support/mariadb.ts";
import { compiledTree } from "../support/compiled-tree.ts";
import { keptDatabases, type Kind, schemaPlaceholder } from "./database-dump.ts";
import { allRows, restoreDatabase, type RestoredDatabase } from "./restored-database.ts";
import { all, kept } from "./workflows.ts";
import { proves } from "../support/proves.ts";

const kinds: readonly Kind[] = ["sqlite", "postgres", ...(skipsWithoutMariadb() ? [] : (["mysql"] as const))];
const cases = kinds.flatMap((kind) => keptDatabases(kind).map((d) => ({ kind, ...d })));

const { format, migrations } = sqliteMigrations;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A process that opens the store, which migrates it. */
async function opened(url: string, crash?: string): Promise<{ code: number | null; signal: string | null }> {
  const env = { ...process.env, ...(crash === undefined ? {} : { PAWL_CRASH: crash }) };
  const child = spawn(process.execPath, [join(compiledTree(), "test/upgrade/programs/open.js"), url], { env, stdio: "ignore" });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
}

async function found(kind: Kind, statements: readonly string[]): Promise<RestoredDatabase> {
  const r = await restoreDatabase(kind, statements);
  closing.push(() => r.remove());
  return r;
}
async function engineOn(r: RestoredDatabase, store: FullStore): Promise<OpenEngine> {
  const e = await openEngine({ platform: r.platform, log: () => {}, open: async () => store }, { store, workflows: all });
  closing.push(() => e.engine.stop({ grace: 100 }));
  return e;
}
const clientOn = (r: RestoredDatabase, store: FullStore): Client =>
  localClient({ store, platform: r.platform, scope: defaultScope, limits: checkLimits(), engine: null, retainMs: null });

it("the stores share one format, and a database of it and of each earlier one is kept for each", proves("W-130", "W-131"), () => {
  expect([postgresMigrations.format, mysqlMigrations.format]).toEqual([format, format]);
  // Missing? node --import ./test/support/typescript.mjs test/upgrade/write-database.ts writes it, once per format.
  for (const kind of ["sqlite", "postgres", "mysql"] as const)
    expect(
      keptDatabases(kind).map((d) => d.format),
      kind,
    ).toEqual(migrations.map((m) => m.format));
  expect(migrations.length, "a pair to upgrade").toBeGreaterThan(1);
});

describe.each(cases)("a $kind database of format $format", ({ kind, format: from, statements }) => {
  it("is migrated without touching a row, and what it lacks reads as absent", proves("W-122", "W-124", "W-132", "Q-13"), async () => {
    const r = await found(kind, statements);
    const before = await allRows(r);
    const store = await r.open();
    expect(await store.info()).toMatchObject({ ...admissionOf(migrations), incarnation: 1 });
    expect(await allRows(r)).toEqual(before);
    const { runs } = await store.runs({ scope: defaultScope, limit: 99 });
    expect(runs.map((x) => x.workflow).toSorted()).toEqual(["child", "doubtful", "halfway", "listening", "parent", "settled", "sleeping"]);
    for (const run of runs) expect(await store.checkpoint({ runId: run.runId })).toBeUndefined();
    await (await r.open()).close();
    expect(await allRows(r), "opened again, it is left alone").toEqual(before);
    expect(from).toBeLessThanOrEqual(format);
  });

  it(
    "its records have the shape that the migrations up to its format make: a published migration was never edited",
    proves("W-130", "W-131", "Q-13"),
    async () => {
      const [old, made] = [await found(kind, statements), await found(kind, [])];
      await made.migrateTo(from);
      expect(await made.shown()).toBe(await old.shown());
    },
  );

  it(
    "its runs go on: each ends as its code says, accepted signals are remembered, an effect in doubt waits",
    proves("W-123", "W-124", "W-132"),
    async () => {
      const r = await found(kind, statements);
      const store = await r.open();
      const client = clientOn(r, store);
      const first = await client.signal("listening", "later", "another payload", { signalId: "later-1" });
      expect(first, "accepted before the upgrade").toMatchObject({ replayed: true, result: { signalId: "later-1" } });
      const { engine } = await engineOn(r, store);
      expect(await client.waitForEnd("sleeping")).toMatchObject({ status: "COMPLETED", result: "slept well" });
      expect(await client.waitForEnd("halfway")).toMatchObject({ status: "COMPLETED", result: 6 });
      const steps = (await client.steps("halfway")).map((s) => [s.stepId, s.engineAttempts]);
      expect(steps, "what was recorded did not run again").toEqual([
        ["one", 1],
        ["two", 2],
        ["three", 1],
      ]);
      await client.signal("listening", "go", "now");
      await client.signal("listening", "later", "second");
      expect(await client.waitForEnd("listening")).toMatchObject({ status: "COMPLETED", result: ["now", "first", "second"] });
      expect(await client.update("listening", "rename", "Bob", { updateId: "rename-1" }), "its answer was recorded").toBe("renamed Ada");
      await client.signal("the-child", "answer", 42);
      expect(await client.waitForEnd("parent")).toMatchObject({ status: "COMPLETED", result: "the child said 42" });
      const again = await engine.start(kept.settled, 21, { id: "settled", idempotencyKey: "settled-once", tags: { kind: "kept" } });
      expect([again.created, await again.result(), await client.view("settled", "seen")]).toEqual([false, 42, 21]);
      expect(await client.get("doubtful")).toMatchObject({ status: "RUNNING", waiting: "decision" });
      expect((await client.steps("doubtful")).find((s) => s.stepId === "charge")?.engineAttempts, "and was not sent again").toBe(1);
    },
  );
});

describe.each(kinds.map((kind) => ({ kind })))("a version of the format before beside this one on $kind", ({ kind }) => {
  it("goes on writing its runs and messages: consumers see them, and what it leaves out is as it was then", proves("W-124"), async () => {
    const [before] = keptDatabases(kind);
    const r = await found(kind, before?.statements ?? []);
    const store = await r.open();
    const reader = { scope: defaultScope, name: "reader" };
    await store.feed.join(reader, "now");
    // The very statements that its rows were kept as: with the columns it knows.
    const old = (before?.statements ?? []).filter((s) => /^\s*insert into (\S+\.|pawl_)(runs|accepted)\b/.test(s));
    for (const name of ["runs", "accepted"]) await r.exec(`delete from ${r.table(name)}`);
    for (const s of old) await r.exec(s.replaceAll(schemaPlaceholder, r.table("").replace(/\.$/, "")));
    const replayed = await clientOn(r, store).signal("listening", "later", "another payload", { signalId: "later-1" });
    expect(replayed).toMatchObject({ replayed: true, result: { signalId: "later-1" } });
    const rows = (await store.runs({ scope: defaultScope, limit: 99 })).runs;
    expect([rows.length, new Set(rows.map((x) => `${x.origin} ${x.purgedAt}`))]).toEqual([7, new Set(["engine null"])]);
    const heard = (await store.feed.next({ consumer: reader, limit: 99 })).map((x) => x.runId);
    expect(heard.toSorted()).toEqual(rows.map((x) => x.runId).toSorted());
    await r.exec(`update ${r.table("runs")} set head_seq = head_seq + 1`);
    expect((await store.feed.next({ consumer: reader, limit: 99 })).length).toBe(14);
  });
});

describe.each(kinds.map((kind) => ({ kind })))("a process that is killed while it migrates $kind", ({ kind }) => {
  it("loses nothing at any statement, and the next one does it whole", { timeout: 120_000 }, async () => {
    const [oldest] = keptDatabases(kind);
    const r = await found(kind, oldest?.statements ?? []);
    const before = await allRows(r);
    const formatNow = async (): Promise<number> => Number((await r.exec(`select format from ${r.table("meta")}`))[0]?.["format"]);
    let killed = 0;
    for (let n = 1; (await formatNow()) === oldest?.format; n++) {
      expect((await opened(r.url, `engine:migrate:${n}`)).signal, `statement ${n}`).toBe("SIGKILL");
      expect(await allRows(r), `statement ${n}`).toEqual(before);
      killed++;
    }
    expect(killed).toBeGreaterThan(2);
    expect((await opened(r.url)).code).toBe(0);
    expect([await formatNow(), await allRows(r)]).toEqual([format, before]);
  });
});

describe.each(kinds.map((kind) => ({ kind })))("a format from before the first release on $kind", ({ kind }) => {
  it("is refused, says what to do, and is left as it is", async () => {
    const [oldest] = keptDatabases(kind);
    const r = await found(kind, oldest?.statements ?? []);
    await r.exec(`update ${r.table("meta")} set format = ${(oldest?.format ?? 0) - 1}`);
    const before = [await allRows(r), await r.shown()];
    const refused = await r.open().catch((e: unknown) => e);
    expect(refused).toMatchObject({ page: "PAWL3004", outcome: "none", data: { format: 4, writer: format } });
    expect(String(refused)).toMatch(/format 4, which was never released; .* format 5 and later\. .* start with an empty store/);
    expect([await allRows(r), await r.shown()]).toEqual(before);
  });
});

describe.each(kinds.map((kind) => ({ kind })))("the next format on $kind", ({ kind }) => {
  const statements = [
    "create table {p}later (run_id varchar(64))".replace("table", kind === "mysql" ? "table if not exists" : "table"),
    "alter table {p}runs add column later_a varchar(8) default 'a'".replace("varchar(8)", kind === "sqlite" ? "text" : "varchar(8)"),
    "alter table {p}runs add column later_b varchar(8) default 'b'".replace("varchar(8)", kind === "sqlite" ? "text" : "varchar(8)"),
  ];

  it("an error at any of its statements leaves the format as it was, and the next run does it whole", proves("W-122"), async () => {
    const r = await found(kind, keptDatabases(kind).at(-1)?.statements ?? []);
    const [rows, shown] = [await allRows(r), await r.shown()];
    const formatNow = async (): Promise<number> => Number((await r.exec(`select format from ${r.table("meta")}`))[0]?.["format"]);
    // Before each statement, and before its end.
    for (let n = 1; n <= statements.length + 1; n++) {
      const hit = (point: string): void => {
        if (point === `engine:migrate:${n}`) throw new RangeError("stopped here");
      };
      await expect(r.migrateFurther({ statements, oldestWriter: format + 1, hit }), `point ${n}`).rejects.toThrow("stopped here");
      expect(await formatNow(), `point ${n}`).toBe(format);
      // Where a statement that defines something commits by itself, what it did stays.
      if (kind !== "mysql") expect(await r.shown(), `point ${n}`).toBe(shown);
      await (await r.open()).close(); // the store still admits this version
    }
    const points: string[] = [];
    await r.migrateFurther({ statements, oldestWriter: format + 1, hit: (p) => points.push(p) });
    expect(points).toEqual(Array.from({ length: statements.length + 2 }, (_, i) => `engine:migrate:${i + 1}`));
    expect(await formatNow()).toBe(format + 1);
    expect((await r.exec(`select later_a, later_b from ${r.table("runs")}`)).map((x) => Object.values(x).map(String))).toEqual(
      Array.from({ length: 7 }, () => ["a", "b"]),
    );
    for (const column of ["later_a", "later_b"]) await r.exec(`alter table ${r.table("runs")} drop column ${column}`);
    expect(await allRows(r), "no row was touched").toEqual(rows);
    await r.migrateFurther({ statements, oldestWriter: format + 1 });
    expect(await formatNow(), "run again, it is left alone").toBe(format + 1);
  });
});

describe.each(kinds.map((kind) => ({ kind })))("a later version beside this one on $kind", ({ kind }) => {
  const [oldest] = keptDatabases(kind);

  it(
    "what it adds is neither seen as a run or a message, nor harmed, and its format is left as it is",
    proves("W-125", "W-129", "W-133"),
    async () => {
      const r = await found(kind, oldest?.statements ?? []);
      await (await r.open()).close();
      await r.migrateFurther({ statements: ["create table {p}later (run_id varchar(64), body varchar(64))"] });
      await r.exec(`insert into ${r.table("later")} (run_id, body) values ('sleeping', 'sig:later')`);
      // Columns that it adds to tables of today, each with a value in every row.
      for (const name of ["runs", "events", "inbox", "accepted"])
        await r.exec(`alter table ${r.table(name)} add column added_later ${kind === "sqlite" ? "text" : "varchar(8)"} default 'later'`);
      const store = await r.open();
      const client = clientOn(r, store);
      const seen = async (): Promise<unknown> => [(await client.list()).runs.length, (await store.info()).format];
      expect(await seen()).toEqual([7, format + 1]);
      await engineOn(r, store);
      expect(await client.waitForEnd("sleeping")).toMatchObject({ status: "COMPLETED" });
      expect(await client.waitForEnd("halfway")).toMatchObject({ status: "COMPLETED" });
      expect(await seen()).toEqual([7, format + 1]);
      expect(await r.exec(`select run_id, body from ${r.table("later")}`)).toMatchObject([{ body: expect.anything() }]);
    },
  );

  it("a store that admits later writers only is not opened, and no engine starts on it", proves("W-126", "W-127"), async () => {
    const r = await found(kind, oldest?.statements ?? []);
    await (await r.open()).close();
    await r.migrateFurther({ oldestWriter: format + 1 });
    const before = await allRows(r);
    const refused = { page: "PAWL3004", outcome: "none", data: { format: format + 1, oldestWriter: format + 1, writer: format } };
    await expect(r.open()).rejects.toMatchObject(refused);
    expect(await allRows(r)).toEqual(before);
  });

  it(
    "an engine that was there when the store began to admit later writers only loses its runs, and is not let in again",
    proves("W-116"),
    async () => {
      const r = await found(kind, oldest?.statements ?? []);
      const store = await r.open();
      const { core } = await engineOn(r, store);
      const [was] = (await store.info()).engines.filter((e) => !e.dead);
      expect(was?.engineId).toBe(core.engineId);
      await r.migrateFurther({ oldestWriter: format + 1 });
      expect((await store.info()).engines.filter((e) => !e.dead)).toEqual([]);
      expect(await store.renew({ engineId: core.engineId, leaseMs: 60_000 })).toBe("dead");
      await expect(store.registerEngine({ engineId: "again", leaseMs: 60_000, serves: [] })).rejects.toMatchObject({ page: "PAWL3004" });
      const serves = all.map((w) => ({ workflow: w.name, version: w.version }));
      const asked = { engineId: "again", scope: defaultScope, serves, control: true, limit: 9, tokens: ["a", "b", "c"] };
      expect(await store.claim(asked), "and claims nothing").toEqual([]);
    },
  );
});
