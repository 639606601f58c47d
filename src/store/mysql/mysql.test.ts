// What is particular to MySQL and MariaDB: bytes that stay bytes, keys longer than an index, DDL that commits by itself,
// rows that are held by others, plans that never read a whole table, settings that lose data. On a real server, with its own
// clock; what kills sessions and servers is under test/mysql.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropDatabase, freshDatabase, rawConnection } from "../../../test/mysql/bundle.ts";
import { insertExtraRuns, extraRunsTimeoutMs } from "../../../test/support/many-runs.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { isPawlError } from "../../errors/error.ts";
import { systemPlatform } from "../../platform/system.ts";
import type { Platform } from "../../platform/platform.ts";
import type { FullStore } from "../full-store.ts";
import { encodeCursor } from "../keys.ts";
import type { RunQuery, RunRow } from "../port.ts";
import type { TxSql } from "../transaction-store.ts";
import { create, event, message, next, owned, claimQuery, rowOf, scope, serves } from "../suite/build.ts";
import type { Connection } from "./wire/driver.ts";
import { statementsFor } from "../sql/migrate.ts";
import { runsStatement, scanEndStatement } from "../sql/run-pages.ts";
import { mysqlDialect } from "./dialect.ts";
import { lit } from "./wire/literal.ts";
import { format, migrations } from "./migrations.ts";
import { type MysqlOptions, parseAddress, unsafeAmong } from "./open.ts";
import { migrationPlan, raiseIncarnation } from "./operate.ts";
import { serverNow, sqlFor } from "./sql.ts";
import { openMysql } from "./store.ts";
import { proves } from "../../../test/support/proves.ts";
import { mysqlSchema } from "../../../test/support/database-schemas.ts";

let url: string;
const closing: (() => Promise<void>)[] = [];

async function codeOf(p: Promise<unknown>): Promise<unknown> {
  return p.then(
    () => "no error",
    (e: unknown) => (isPawlError(e) ? [e.page, e.outcome] : e),
  );
}

async function store(o: MysqlOptions = {}, platform: Platform = systemPlatform()): Promise<FullStore> {
  const s = await openMysql(url, platform, o);
  closing.push(() => s.close());
  return s;
}

async function raw(): Promise<Connection> {
  const db = await rawConnection(url);
  closing.push(() => db.close());
  return db;
}

const ids = (rows: readonly RunRow[]): string[] => rows.map((r) => r.runId).sort();

describe.skipIf(skipsWithoutMariadb())("mysql", () => {
  beforeEach(async () => {
    url = await freshDatabase(await sharedMariadb());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await dropDatabase(url);
  });

  describe("keys", () => {
    it("ids are bytes: case, form and trailing spaces make another run", proves("W-052", "W-053"), async () => {
      const s = await store();
      const all = ["a", "A", "a ", "a  ", "caf\u00e9", "cafe\u0301", "\u00c5", "\u212b"];
      const { answers } = await s.commit(all.map((id) => create(id, { workflowId: id, idempotencyKey: id })));
      expect(answers.map((a) => a.kind)).toEqual(all.map(() => "committed"));
      for (const id of all) {
        expect((await s.run({ runId: id }))?.runId).toBe(id);
        expect((await s.run({ scope, workflowId: id }))?.runId).toBe(id);
      }
      expect(await s.run({ runId: "a   " })).toBeUndefined();
    });

    it("a workflowId, a start key and a scope longer than an index holds are told apart, and come back whole", async () => {
      const s = await store();
      const long = "/child".repeat(300);
      const wide = { tenantId: "t".repeat(512), projectId: "€".repeat(170), environmentId: "e" };
      const run = { workflowId: long, idempotencyKey: `${long}k`, scope: wide };
      await s.commit([create("a", run), create("b", { ...run, workflowId: `${long}x`, idempotencyKey: `${long}kx` })]);
      const row = await rowOf(s, "a");
      expect([row.workflowId, row.idempotencyKey, row.scope]).toEqual([long, `${long}k`, wide]);
      expect((await s.run({ scope: wide, workflowId: `${long}x` }))?.runId).toBe("b");
      const again = (await s.commit([{ ...create("c", { ...run, workflowId: "free" }), commitId: "c" }])).answers[0];
      expect(again).toMatchObject({ kind: "conflict", by: "idempotencyKey", existing: { runId: "a" } });
      expect((await s.commit([create("d", { ...run, idempotencyKey: null })])).answers[0]).toMatchObject({
        kind: "conflict",
        by: "workflowId",
      });
      expect(ids((await s.runs({ scope: wide, limit: 9, workflowId: long })).runs)).toEqual(["a"]);
      expect((await s.post(message("s1", { scope: wide, target: { workflowId: long } }))).kind).toBe("accepted");
    });

    it("tags are found as they are, whatever they contain", async () => {
      const s = await store();
      const tags: Record<string, string>[] = [
        { k: "v" },
        { k: "v " },
        { k: "V" },
        { 'q"': 'it\'s \\ "x"' },
        { "": "" },
        { k: "é\u{1f4b6}", n: "1" },
      ];
      await s.commit(tags.map((t, i) => create(`run-${i}`, { tags: t })));
      for (const [i, t] of tags.entries()) expect(ids((await s.runs({ scope, limit: 9, tags: t })).runs)).toEqual([`run-${i}`]);
    });

    it("an id that no column holds is refused alone, as is a Commit larger than the server's packet", proves("K9"), async () => {
      const s = await store();
      const db = await raw();
      const packet = Number((await db.query("select @@max_allowed_packet as n")).rows[0]?.["n"]);
      const large = create("b", {}, { events: [event(1, { payload: "x".repeat(packet) })] });
      const { answers } = await s.commit([create("a"), create("x".repeat(600)), large, create("c")]);
      expect(answers.map((a) => a.kind)).toEqual(["committed", "refused", "refused", "committed"]);
      const fits = create("d", {}, { events: [1, 2, 3, 4].map((n) => event(n, { payload: "y".repeat(packet / 4) })) });
      expect((await s.commit([fits])).answers[0]?.kind).toBe("committed");
      expect((await s.events({ runId: "d", after: 3, limit: 1 }))[0]?.payload?.length).toBe(packet / 4);
    });
  });

  describe("opening", () => {
    it("the dumped schema is what a new store holds", async () => {
      const db = await raw();
      if (!String((await db.query("select version() as v")).rows[0]?.["v"]).includes("MariaDB")) return;
      await store();
      const text = readFileSync(new URL("./schema.sql", import.meta.url), "utf8");
      expect(text.slice(text.indexOf("\n\n") + 2)).toBe(await mysqlSchema(db, "pawl_"));
    });

    it("an interrupted migration is finished by the next open, wherever it stopped", async () => {
      const statements = statementsFor(migrations, "pawl_").length;
      for (let n = 1; n <= statements + 1; n++) {
        const dying: Platform = {
          ...systemPlatform(),
          hit(point): void {
            if (point === `engine:migrate:${n}`) throw new RangeError("died");
          },
        };
        await expect(openMysql(url, dying), `statement ${n}`).rejects.toThrow("died");
      }
      const both = await Promise.all([store(), store()]);
      expect((await both[0].info()).storeId).toBe((await both[1].info()).storeId);
      expect((await both[0].info()).format).toBe(format);
    });

    it("a store that admits only later writers is not opened", proves("W-116"), async () => {
      await store();
      const db = await raw();
      await db.query("update pawl_meta set oldest_writer = 9, format = 9");
      expect(await codeOf(openMysql(url, systemPlatform()))).toEqual(["PAWL3004", "none"]);
      await db.query("update pawl_meta set oldest_writer = 1");
      expect((await (await store()).info()).format).toBe(9);
    });

    it("another identity than the recorded one is shown", proves("K4"), async () => {
      const s = await store();
      await (await raw()).query("update pawl_meta set identity = 'elsewhere'");
      const { identity, identityRecorded } = await s.info();
      expect([identityRecorded, identity === identityRecorded]).toEqual(["elsewhere", false]);
    });

    it("the plan names the statements of a new store and none of a ready one; a restore raises the incarnation", proves("K4"), async () => {
      const plan = await migrationPlan(url, systemPlatform());
      expect(plan).toMatchObject({ from: 0, to: format });
      expect(plan.statements.slice(0, -1)).toEqual(statementsFor(migrations, "pawl_"));
      const s = await store();
      expect((await migrationPlan(url, systemPlatform())).statements).toEqual([]);
      await (await raw()).query("update pawl_meta set identity = 'elsewhere'");
      expect([await raiseIncarnation(url, systemPlatform()), await raiseIncarnation(url, systemPlatform())]).toEqual([2, 3]);
      const info = await s.info();
      expect([info.incarnation, info.identityRecorded]).toEqual([3, info.identity]);
    });

    it("two prefixes are two stores in one database, and a prefix is a name", async () => {
      const [one, two] = [await store(), await store({ prefix: "other_" })];
      await one.commit([create("a")]);
      expect(await two.run({ runId: "a" })).toBeUndefined();
      expect(parseAddress("mysql://h/d?prefix=app_").prefix).toBe("app_");
      for (const prefix of ["", "1a", "a-b", "a.b", "a`b", "x".repeat(33)]) {
        expect(await codeOf(openMysql(url, systemPlatform(), { prefix }))).toEqual(["PAWL5001", "none"]);
      }
    });

    it("a URL names user, host, port and database, and nothing that is not known", () => {
      const { address } = parseAddress("mariadb://us%40er:p%2Fw@example.org:3307/my%20db?ssl=true&socket=/run/s");
      expect(address).toEqual({
        host: "example.org",
        port: 3307,
        socket: "/run/s",
        user: "us@er",
        password: "p/w",
        database: "my db",
        ssl: true,
      });
      expect(parseAddress("mysql://[::1]/d").address).toMatchObject({ host: "::1", port: 3306, socket: null, ssl: false });
      for (const bad of ["mysql://host", "mysql://host/", "mysql://host/a/b", "nonsense", "postgres://h/d"])
        expect(() => parseAddress(bad)).toThrow(/needs a URL/);
      expect(() => parseAddress("mysql://h/d?colour=red")).toThrow(/unknown parameter in the URL: colour/);
    });

    it("settings that lose acknowledged Commits are named", proves("I1"), () => {
      const safe = { innodb_flush_log_at_trx_commit: "1", innodb_doublewrite: "ON", log_bin: "OFF", sync_binlog: "0" };
      expect(unsafeAmong(safe)).toEqual([]);
      expect(unsafeAmong({ ...safe, innodb_flush_log_at_trx_commit: "2" })).toEqual(["innodb_flush_log_at_trx_commit=2"]);
      expect(unsafeAmong({ ...safe, innodb_doublewrite: "OFF" })).toEqual(["innodb_doublewrite=OFF"]);
      expect(unsafeAmong({ ...safe, log_bin: "ON" })).toEqual(["sync_binlog=0"]);
      expect(unsafeAmong({ ...safe, log_bin: "ON", sync_binlog: "1" })).toEqual([]);
    });
  });

  describe("the clock", () => {
    it("is the server's, in milliseconds, whatever the session's time zone", async () => {
      const s = await store();
      const db = await raw();
      await db.query("set time_zone = '+11:00'");
      const before = Number((await db.query("select unix_timestamp() as s")).rows[0]?.["s"]);
      const { nowMs } = await s.info();
      const after = Number((await db.query(`select ${serverNow} as ms`)).rows[0]?.["ms"]);
      expect(nowMs).toBeGreaterThanOrEqual(before * 1000);
      expect(nowMs).toBeLessThanOrEqual(after);
      const answer = (await s.commit([create("a", {}, { due: { at: null, inMs: 500 } })])).answers[0];
      expect(answer?.kind === "committed" && answer.dueAt === answer.persistedAt + 500).toBe(true);
    });
  });

  describe("rows that others hold", () => {
    it("a batch waits for no row: the held run is busy, the others are committed", proves("K7"), async () => {
      const s = await store();
      const [a, b, c] = [await owned(s, "a"), await owned(s, "b"), await owned(s, "c")];
      const db = await raw();
      await db.query("begin");
      await db.query("select 1 from pawl_runs where run_id = 'b' for update");
      const notified = next(c, { notices: [{ toRunId: "b", kind: "signal", name: "n", id: "1", payload: null }] });
      const { answers } = await s.commit([
        next(a, { events: [event(1)] }),
        next(b, { events: [event(1)] }),
        notified,
        next({ ...a, runId: "none" }),
      ]);
      expect(answers.map((x) => x.kind)).toEqual(["committed", "busy", "busy", "fenced"]);
      expect((await s.commit([next(b, { events: [event(1)] })])).answers[0]?.kind).toBe("busy");
      expect((await s.commit([notified])).answers[0]?.kind).toBe("busy");
      await db.query("rollback");
      const freed = await s.commit([next(b, { events: [event(1)] }), notified]);
      expect(freed.answers.map((x) => x.kind)).toEqual(["committed", "committed"]);
      expect((await s.events({ runId: "b", after: 0, limit: 9 })).length).toBe(1);
    });

    it.each([4, 2_000])("claims among %i runs are disjoint, and wait for nobody who claims", proves("T-43"), async (count) => {
      const s = await store();
      const all = Array.from({ length: count }, (_, i) => `run-${String(i).padStart(4, "0")}`);
      for (let i = 0; i < count; i += 500) await s.commit(all.slice(i, i + 500).map((id) => create(id)));
      await s.registerEngine({ engineId: "engine-1", leaseMs: 60_000, serves });
      const sql = sqlFor("pawl_", () => serverNow);
      const held = await raw();
      await held.query("set session transaction isolation level read committed");
      await held.query("begin");
      const first = await held.query(sql.take("tenant/project/test", all.slice(0, 2)));
      expect(first.rows.map((r) => String(r["run_id"]))).toEqual(all.slice(0, 2));
      expect(ids(await s.claim(claimQuery("engine-1", { limit: 2 })))).toEqual(all.slice(2, 4));
      await held.query("rollback");
      expect(ids(await s.claim(claimQuery("engine-1", { limit: 2 })))).toEqual(all.slice(0, 2));
    });

    it("a message and the Commit that hands on its run's inbox come one after the other", proves("I9"), async () => {
      const s = await store();
      const row = await owned(s, "a");
      const db = await raw();
      // Another program's message, accepted but not yet committed: it holds the run shared.
      await db.query("begin");
      await db.query("select 1 from pawl_runs where run_id = 'a' lock in share mode");
      const successor = create("b", { workflowId: "order-a", supersedes: "a" });
      const handOn = next(row, { status: "COMPLETED", children: [successor], moveInboxTo: "b" });
      expect((await s.commit([handOn, create("z")])).answers.map((x) => x.kind)).toEqual(["busy", "committed"]);
      await db.query(
        "insert into pawl_inbox (run_id, kind, name, id, accepted_at, taken, consumed, wakes, control, dedup_hash) values ('a', 'signal', 'n', '1', 0, 0, 0, 1, 0, null)",
      );
      await db.query("commit");
      expect((await s.commit([handOn])).answers[0]?.kind).toBe("committed");
      expect((await s.inbox({ runId: "b" })).map((r) => r.id)).toEqual(["1"]);
    });

    it("a message that waited while its run was continued goes to the run that continues it", proves("I9"), async () => {
      const s = await store();
      await s.commit([create("a", { workflowId: "w" })]);
      const [db, look] = [await raw(), await raw()];
      await db.query("create temporary table following select * from pawl_runs");
      await db.query("update following set run_id = 'b', generation = 2, commit_id = 'b'");
      await db.query("begin");
      await db.query("update pawl_runs set status = 'COMPLETED', due_at = null where run_id = 'a'");
      const sent = s.post(message("1", { target: { workflowId: "w" } }));
      const waiting =
        "select 1 as found from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id " +
        "where p.db = database() and t.trx_state = 'LOCK WAIT'";
      // The server shows this table anew only to who has not asked for a tenth of a second.
      while ((await look.query(waiting)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 150));
      await db.query("insert into pawl_runs select * from following");
      await db.query("commit");
      expect(await sent).toMatchObject({ kind: "accepted", replayed: false, record: { runId: "b" } });
    });
  });

  describe("plans", () => {
    it("no path of claim, commit, message and inbox reads a whole table", { timeout: extraRunsTimeoutMs }, async () => {
      const s = await store();
      const batch = Array.from({ length: 400 }, (_, i) => create(`run-${i}`, {}, { events: [event(1)] }));
      await s.commit(batch);
      const db = await raw();
      for (const text of insertExtraRuns("pawl_runs", "tenant/project/test", (n) => `seq_1_to_${n}`, "0"))
        await db.query(text, extraRunsTimeoutMs);
      await db.query("analyze table pawl_runs, pawl_events, pawl_inbox, pawl_accepted, pawl_engines");
      const sql = sqlFor("pawl_", () => serverNow);
      const where = "tenant/project/test";
      const lane = { owner: null, workflow: "order", version: "1", loose: false };
      // Read in the order of an index and cut off by a limit: what they estimate is what they would read without it.
      const stretches = [sql.due(where, lane, 5), sql.nextVersion(where, lane, "0", null)];
      const statements = [
        ...stretches,
        sql.lockRuns(["run-1", "run-2"], false),
        sql.run("run-1"),
        sql.latest(where, "order-run-1"),
        sql.met(["run-1"], [[where, "k"]], [[where, "order-run-1"]]),
        sql.strayOwner(["e1", "e2"], ""),
        sql.take(where, ["run-1"]),
        sql.targetById("run-1"),
        sql.targetByWorkflow(where, "order-run-1"),
        sql.accepted("x"),
        sql.inboxOfRun("run-1", false),
        sql.inboxOfOwner("e1"),
        sql.owned("e1", 5_000),
        sql.woken(where, ["e1"], claimQuery("e1")),
        sql.events("run-1", 0, 10),
        sql.eventByKey("run-1", "key-1"),
        sql.eventsByKeys("run-1", ["key-1", "key-2"]),
      ];
      for (const text of statements) {
        for (const part of (await db.query(`explain ${text}`)).rows) {
          const table = String(part["table"]);
          if (!table.startsWith("pawl_") && !/^[rwia]$/.test(table)) continue;
          expect(["ALL", "index"], `${table}: ${text}`).not.toContain(part["type"]);
          if (!stretches.includes(text)) expect(Number(part["rows"] ?? 0), text).toBeLessThan(20);
        }
      }
    });
  });

  describe("listings", () => {
    it("go along one index, and sort nothing but the runs of one workflowId or those that wait for a decision", async () => {
      const s = await store();
      await s.commit(Array.from({ length: 400 }, (_, i) => create(`run-${i}`, { parentRunId: i % 50 === 0 ? "p" : null })));
      const db = await raw();
      await db.query("analyze table pawl_runs");
      const w = { sql: sqlFor("pawl_", () => serverNow) };
      const dialect = mysqlDialect({ w, prefix: "pawl_" } as Parameters<typeof mysqlDialect>[0]);
      const cases: readonly (readonly [Partial<RunQuery>, string])[] = [
        [{}, "newest"],
        [{ status: ["RUNNING", "FAILED"], since: 1 }, "newest"],
        [{ tags: { a: "b" } }, "newest"],
        [{ errorCode: "E" }, "by_status"],
        [{ status: ["PENDING"] }, "by_status"],
        [{ parentRunId: "p", status: ["FAILED"] }, "parent"],
      ];
      for (const [narrow, index] of cases) {
        const q = { scope, limit: 9, cursor: encodeCursor({ createdAt: 9e12, runId: "r" }), ...narrow };
        for (const one of [runsStatement(dialect, q, { createdAt: 1, runId: "a" }), scanEndStatement(dialect, q)]) {
          if (one === undefined) continue;
          let n = 0;
          const [plan] = (await db.query(`explain ${one.text.replaceAll("?", () => lit(one.values[n++] ?? null))}`)).rows;
          expect([plan?.["key"], plan?.["type"]], JSON.stringify(narrow)).not.toContain("ALL");
          expect(plan?.["key"], JSON.stringify(narrow)).toBe(index);
          expect(String(plan?.["Extra"]), JSON.stringify(narrow)).not.toContain("filesort");
        }
      }
    });
  });

  describe("ctx.tx", () => {
    const seal = (row: RunRow) => () => next(row, { events: [event(1)] });

    it("a statement that defines a table ends the transaction, and is told as in doubt", proves("K11"), async () => {
      const s = await store();
      const row = await owned(s, "a");
      const user = (tx: TxSql): Promise<unknown> => tx.query(["create table mine (a int)"], []);
      expect(await codeOf(s.transact(user, seal(row), 5_000))).toEqual(["PAWL3010", "unknown"]);
      expect(await rowOf(s, "a")).toEqual(row);
    });

    it("who loses a deadlock is rolled back and run again", proves("K11"), async () => {
      const s = await store();
      const [a, b] = [await owned(s, "a"), await owned(s, "b")];
      await (await raw()).query("create table t (id int primary key, n int) engine=InnoDB");
      await (await raw()).query("insert into t values (1, 0), (2, 0)");
      let inside = 0;
      let open = (): void => {};
      const met = new Promise<void>((resolve) => (open = resolve));
      let calls = 0;
      const crossing = (first: number, second: number) => async (tx: TxSql) => {
        calls++;
        await tx.query(["update t set n = n + 1 where id = ", ""], [first]);
        if (++inside === 2) open();
        await met;
        await tx.query(["update t set n = n + 1 where id = ", ""], [second]);
      };
      const both = await Promise.all([s.transact(crossing(1, 2), seal(a), 10_000), s.transact(crossing(2, 1), seal(b), 10_000)]);
      expect(both.map((x) => x.answer.kind)).toEqual(["committed", "committed"]);
      expect(calls).toBeGreaterThan(2);
      expect((await (await raw()).query("select n from t order by id")).rows.map((r) => r["n"])).toEqual([2, 2]);
    });

    it(
      "a transaction past its time is taken back, and its connection is not used again",
      { ...proves("K11"), timeout: 60_000 },
      async () => {
        const s = await store();
        const row = await owned(s, "a");
        const db = await raw();
        await db.query("create table t (id int primary key) engine=InnoDB");
        const user = async (tx: TxSql): Promise<unknown> => {
          await tx.query(["insert into t values (1)"], []);
          return tx.query(["select sleep(30)"], []);
        };
        expect(await codeOf(s.transact(user, seal(row), 200))).toEqual(["PAWL3011", "none"]);
        // The server rolls back when it notices: the insert waits for that, and then succeeds.
        await db.query("set session innodb_lock_wait_timeout = 60");
        await db.query("insert into t values (1)", 60_000);
        expect((await s.transact(async () => 1, seal(row), 5_000)).answer.kind).toBe("committed");
      },
    );

    it("a question mark in a statement's own text stays what it is", async () => {
      const s = await store();
      const row = await owned(s, "a");
      const { value } = await s.transact(async (tx) => (await tx.query(["select '?' as q, ", " as v"], ["x"])).rows, seal(row), 5_000);
      expect(value).toEqual([{ q: "?", v: "x" }]);
    });
  });
});
