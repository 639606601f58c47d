// What is particular to SQLite: its settings read back, its constraints, its waiting, its evidence of death. Runs on real
// files and a virtual clock; what needs a second process is under test/store.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { virtualPlatform, type VirtualPlatform } from "../../platform/virtual.ts";
import { isPawlError } from "../../errors/error.ts";
import type { FullStore } from "../full-store.ts";
import type { Hint, RunQuery } from "../port.ts";
import { create, event, message, next, owned, claimQuery, rowOf, scope, serves } from "../suite/build.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { format, migrations } from "./migrations.ts";
import { openSqlite } from "./store.ts";
import { encodeCursor } from "../keys.ts";
import { runsStatement, scanEndStatement } from "../sql/run-pages.ts";
import { sqliteDialect } from "./dialect.ts";
import { queueSql } from "./queue-sql.ts";
import { sql } from "./sql.ts";
import { proves } from "../../../test/support/proves.ts";
import { sqliteSchema } from "../../../test/support/database-schemas.ts";

let dir: string;
let path: string;
let platform: VirtualPlatform;
const open: (() => Promise<void> | void)[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-sqlite-"));
  path = join(dir, "deep", "er", "store.db");
  platform = virtualPlatform();
});

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  rmSync(dir, { recursive: true, force: true });
});

async function store(): Promise<FullStore> {
  const s = await openSqlite(path, platform);
  open.push(() => s.close());
  return s;
}

/** A connection past the store: another program on the same file. */
async function raw(): Promise<Connection> {
  const db = await openConnection(path);
  open.push(() => db.close());
  return db;
}

async function codeOf(p: unknown): Promise<unknown> {
  return Promise.resolve(p).then(
    () => "no error",
    (e: unknown) => (isPawlError(e) ? [e.page, e.outcome] : e),
  );
}

describe("settings", () => {
  it("a new file needs no set-up and is in WAL mode", proves("L-23", "L-24"), async () => {
    await store();
    const db = await raw();
    expect(db.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(db.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  it("a store that would not survive a power cut is refused, unless it is asked for and named", proves("I1", "L-25"), async () => {
    expect(await codeOf(openSqlite(path, platform, { synchronous: "off" }))).toEqual(["PAWL3003", "none"]);
    expect(await codeOf(openSqlite(path, platform, { synchronous: "normal" }))).toEqual(["PAWL3003", "none"]);
    expect(await codeOf(openSqlite(":memory:", platform))).toEqual(["PAWL3003", "none"]);
    const s = await openSqlite(path, platform, { synchronous: "off", acceptUnsafe: true });
    open.push(() => s.close());
    expect((await s.info()).unsafe).toEqual(["synchronous=off"]);
    expect((await (await store()).info()).unsafe).toEqual([]);
  });

  it("a copied file is recognised by its physical identity", proves("K4"), async () => {
    const s = await store();
    const { identity, storeId } = await s.info();
    await s.close();
    const original = path;
    path = join(dir, "copy.db");
    copyFileSync(original, path);
    const info = await (await store()).info();
    expect(info.storeId).toBe(storeId);
    expect(info.identityRecorded).toBe(identity);
    expect(info.identity).not.toBe(identity);
  });

  it("a store that admits only later writers is not opened", proves("W-116"), async () => {
    await (await store()).close();
    const db = await raw();
    db.exec("update pawl_meta set oldest_writer = 9, format = 9");
    expect(await codeOf(openSqlite(path, platform))).toEqual(["PAWL3004", "none"]);
    db.exec("update pawl_meta set oldest_writer = 1");
    expect((await (await store()).info()).format).toBe(9);
  });
});

describe("schema", () => {
  it("the dumped schema is what a new store holds", async () => {
    await store();
    const text = readFileSync(new URL("./schema.sql", import.meta.url), "utf8");
    expect(text.slice(text.indexOf("\n\n") + 2)).toBe(sqliteSchema(await raw()));
  });

  it("the database itself refuses a second event of one key or one runSeq", proves("L-19", "L-26", "P-12"), async () => {
    const s = await store();
    await s.commit([create("a", {}, { events: [event(1), event(2)] })]);
    const db = await raw();
    const insert = (runId: string, seq: number, key: string): void => {
      db.prepare(sql.insertEvent).run(runId, seq, "e", "X", null, 1, 1, key, 0, null, null, null, "l", null, 0, 1);
    };
    expect(() => insert("a", 3, "key-1")).toThrow(/UNIQUE/);
    expect(() => insert("a", 2, "key-3")).toThrow(/UNIQUE/);
    expect(() => insert("a", 3, "key-3")).not.toThrow();
    expect(() => insert("b", 1, "key-1")).not.toThrow();
  });

  it("an interrupted migration leaves nothing, wherever it stopped, and the next open does it whole", proves("L-20"), async () => {
    const count = migrations.reduce((n, m) => n + m.statements.length, 0);
    for (let n = 1; n <= count + 1; n++) {
      platform.onHit = (point): void => {
        if (point === `engine:migrate:${n}`) throw new RangeError("died");
      };
      await expect(openSqlite(path, platform), `statement ${n}`).rejects.toThrow("died");
      const db = await openConnection(path);
      expect(sqliteSchema(db)).toBe("");
      db.close();
    }
    platform.onHit = undefined;
    expect((await (await store()).info()).format).toBe(format);
  });
});

describe("waiting", () => {
  it("readers go on while another program writes", proves("L-23", "L-32", "K11"), async () => {
    const s = await store();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    const db = await raw();
    db.exec("begin immediate");
    db.exec("update pawl_runs set status = 'FAILED'");
    expect((await rowOf(s, "a")).status).toBe("PENDING");
    expect((await s.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
    expect(platform.timers()).toBe(0);
  });

  it("a writer waits five seconds on timers for another program, then says that nothing was written", proves("L-28", "K11"), async () => {
    const s = await store();
    const db = await raw();
    db.exec("begin immediate");
    let answer: unknown;
    const asked = codeOf(s.commit([create("a")])).then((code) => (answer = code));
    await platform.advance(4_900);
    expect(answer).toBeUndefined();
    await platform.advance(200);
    expect(answer).toEqual(["PAWL3001", "none"]);
    await asked;
    db.exec("rollback");
    expect(await s.run({ runId: "a" })).toBeUndefined();
    expect((await s.commit([create("a")])).answers[0]?.kind).toBe("committed");
  });

  it("a writer goes on as soon as the other program is done", proves("L-28"), async () => {
    const s = await store();
    const db = await raw();
    db.exec("begin immediate");
    const writes = [
      Promise.resolve(s.commit([create("a")])),
      s.post(message("s1")),
      s.registerEngine({ engineId: "e", leaseMs: 1, serves }),
    ];
    await platform.advance(1_000);
    db.exec("commit");
    await platform.advance(100);
    await Promise.all(writes);
    expect((await s.inbox({ runId: "a" })).length).toBe(1);
  });

  it(
    "the writers of a process take turns without blocking it: a Commit waits for an open transaction, which goes on meanwhile",
    proves("K11"),
    async () => {
      const [s, other] = [await store(), await store()];
      const row = await owned(s, "a");
      const order: string[] = [];
      let waiting: Promise<unknown>[] = [];
      const user = async (tx: Parameters<Parameters<FullStore["transact"]>[0]>[0]): Promise<void> => {
        await tx.query(["create table t (a)"], []);
        waiting = [s, other].map((x, i) => Promise.resolve(x.commit([create(`b${i}`)])).then(() => order.push(`commit ${i}`)));
        for (let n = 0; n < 3; n++) {
          await new Promise<void>((resolve) => platform.timer(300, resolve)); // the process is not blocked: its timers fire
          await tx.query([`insert into t values (${n})`], []);
          order.push(`row ${n}`);
        }
      };
      const asked = s.transact(user, () => next(row, { events: [event(1)] }), 5_000).then(() => order.push("transaction"));
      await platform.advance(1_500);
      await Promise.all([asked, ...waiting]);
      expect(order.slice(0, 3)).toEqual(["row 0", "row 1", "row 2"]);
      expect(order.slice(3).toSorted()).toEqual(["commit 0", "commit 1", "transaction"]);
      expect((await raw()).prepare("select count(*) as n from t").get()).toEqual({ n: 3 });
      for (const id of ["b0", "b1"]) expect(await s.run({ runId: id })).toBeDefined();
    },
  );

  it("a transaction that takes too long is rolled back, and what it sends later is refused", proves("K11"), async () => {
    const s = await store();
    const row = await owned(s, "a");
    let late: Promise<unknown> | undefined;
    const user = async (tx: Parameters<Parameters<FullStore["transact"]>[0]>[0]): Promise<void> => {
      await tx.query(["create table t (a)"], []);
      await new Promise<void>((resolve) => platform.timer(6_000, resolve));
      late = codeOf(tx.query(["insert into t values (1)"], []));
      await late;
    };
    const asked = codeOf(s.transact(user, () => next(row), 5_000));
    const waiting = s.commit([create("b")]);
    await platform.advance(5_000);
    expect(await asked).toEqual(["PAWL3011", "none"]);
    expect((await waiting).answers[0]?.kind).toBe("committed");
    await platform.advance(1_000);
    expect(await late).toEqual(["PAWL3010", "none"]);
    expect((await raw()).prepare("select name from sqlite_schema where name = 't'").get()).toBeUndefined();
    expect(await rowOf(s, "a")).toEqual(row);
  });
});

describe("evidence", () => {
  it("an engine whose lock somebody holds to see whether it is alive is told that the store is busy, and registers afterwards", async () => {
    const [here, there] = [await store(), await store()];
    await here.registerEngine({ engineId: "engine-1", leaseMs: 1_000, serves });
    const again = (): Promise<unknown> => there.registerEngine({ engineId: "engine-1", leaseMs: 1_000, serves });
    expect(await codeOf(again())).toEqual(["PAWL3001", "none"]);
    await here.close();
    expect(await codeOf(again())).toBe("no error");
  });

  it("whoever lets go of its lock is dead at once, whoever holds it is not", proves("K2"), async () => {
    const [one, two] = [await store(), await store()];
    await one.registerEngine({ engineId: "engine/1", leaseMs: 3_600_000, serves });
    await two.registerEngine({ engineId: "engine-2", leaseMs: 3_600_000, serves });
    expect(await two.declareDead({ by: "engine-2" })).toEqual([]);
    await one.close();
    expect(await two.declareDead({ by: "engine-2" })).toEqual(["engine/1"]);
    expect(await two.declareDead({ by: "engine-2" })).toEqual([]);
    expect((await two.info()).engines.map((e) => e.engineId)).toEqual(["engine-2"]);
  });

  it("an engine that renews while its death is being looked into lives", proves("K1"), async () => {
    const s = await store();
    await s.registerEngine({ engineId: "engine-1", leaseMs: 1_000, serves });
    platform.suspend(1_001);
    const db = await raw();
    db.exec("begin immediate");
    const buried = s.declareDead({ by: "engine-2" });
    await platform.advance(10);
    db.exec(`update pawl_engines set lease_until = ${platform.wallMs() + 1_000}`);
    db.exec("commit");
    await platform.advance(100);
    expect(await buried).toEqual([]);
    expect(await s.renew({ engineId: "engine-1", leaseMs: 1_000 })).toBe("renewed");
  });

  it("a missing lock file proves nothing", proves("K2"), async () => {
    const [one, two] = [await store(), await store()];
    await one.registerEngine({ engineId: "engine-1", leaseMs: 10_000, serves });
    rmSync(`${path}-engines`, { recursive: true });
    expect(await two.declareDead({ by: "engine-2" })).toEqual([]);
    platform.suspend(10_001);
    expect(await two.declareDead({ by: "engine-2" })).toEqual(["engine-1"]);
  });
});

describe("hints and plans", () => {
  it("a listener learns within 50 ms that another program wrote, and a quiet store tells nothing", async () => {
    const s = await store();
    const heard: Hint[] = [];
    const leave = s.watch((h) => heard.push(h));
    await platform.advance(500);
    expect(heard).toEqual([]);
    (await raw()).exec("update pawl_meta set incarnation = 2");
    await platform.advance(50);
    expect(heard).toEqual([{ kind: "any" }]);
    leave();
    expect(platform.timers()).toBe(0);
  });

  it("no statement of a claim goes through the runs of a scope or the rows of an inbox: settled and sleeping ones cost nothing", async () => {
    await store();
    const db = await raw();
    const broad = /^SCAN (pawl_runs|r)\b|\(scope=\?\)|^SCAN (pawl_inbox|i)\b(?!.*pawl_inbox_wakes)/;
    for (const name of [
      "due",
      "dueLoose",
      "versions",
      "deadOwners",
      "woken",
      "one",
      "latest",
      "byStartKey",
      "inboxOfOwner",
      "owned",
    ] as const) {
      const text = sql[name];
      const count = Math.max((text.match(/\?(?!\d)/g) ?? []).length, ...[...text.matchAll(/\?(\d)/g)].map((m) => Number(m[1])));
      const plan = db.prepare(`explain query plan ${text}`).all(...Array<string>(count).fill("x"));
      const steps = plan.map((r) => String(r["detail"]));
      expect(
        steps.filter((d) => broad.test(d)),
        `${name}: ${steps.join("; ")}`,
      ).toEqual([]);
    }
  });

  it("no verb of queues reads through the dispatches; only the sweep does, which is rare", async () => {
    await store();
    const db = await raw();
    const scans = (Object.keys(queueSql) as (keyof typeof queueSql)[]).filter((name) => {
      const text = queueSql[name];
      const count = Math.max((text.match(/\?(?!\d)/g) ?? []).length, ...[...text.matchAll(/\?(\d+)/g)].map((m) => Number(m[1])));
      const plan = db.prepare(`explain query plan ${text}`).all(...Array<string>(count).fill("x"));
      return plan.some((r) => /^SCAN (pawl_|d$|d )/.test(String(r["detail"])));
    });
    expect(scans).toEqual(["leftDispatches"]);
  });

  it("known keys are looked up one by one, however long the log is", async () => {
    await store();
    const plan = (await raw()).prepare(`explain query plan ${sql.eventsByKeys}`).all("r", "[]");
    const steps = plan.map((r) => String(r["detail"]));
    expect(steps).toContain("SEARCH e USING INDEX pawl_events_key (run_id=? AND idempotency_key=?)");
  });

  it("listings go along one index, and look no further than it: by workflowId, caller, status or age", async () => {
    await store();
    const db = await raw();
    const dialect = sqliteDialect({} as Parameters<typeof sqliteDialect>[0]);
    const plan = (narrow: Partial<RunQuery>): string => {
      const q = { scope, limit: 9, cursor: encodeCursor({ createdAt: 5, runId: "r" }), ...narrow };
      const both = [runsStatement(dialect, q, { createdAt: 1, runId: "a" }), scanEndStatement(dialect, q)].filter((x) => x !== undefined);
      const steps = both.map(({ text }) => db.prepare(`explain query plan ${text.replaceAll("?", "1")}`).all());
      const details = steps.map((x) => x.map((r) => String(r["detail"])).join("; "));
      // Read in order: only the runs of one workflowId are sorted.
      if (narrow.workflowId === undefined) expect(details.filter((x) => x.includes("TEMP B-TREE"))).toEqual([]);
      return details.join("; ");
    };
    expect(plan({ workflowId: "x" })).toContain("USING INDEX pawl_runs_generation (scope=? AND workflow_id=?)");
    expect(plan({ parentRunId: "x" })).toContain(
      "USING INDEX pawl_runs_parent (parent_run_id=? AND (created_at,run_id)>(?,?) AND (created_at,run_id)<(?,?))",
    );
    expect(plan({ parentRunId: "x", tags: { a: "b" } })).toContain(
      "USING INDEX pawl_runs_parent (parent_run_id=? AND (created_at,run_id)>(?,?) AND (created_at,run_id)<(?,?))",
    );
    expect(plan({})).toContain("USING INDEX pawl_runs_newest (scope=? AND (created_at,run_id)>(?,?) AND (created_at,run_id)<(?,?))");
    expect(plan({ status: ["RUNNING"], since: 1 })).toContain("USING COVERING INDEX pawl_runs_newest (scope=?");
    expect(plan({ errorCode: "E" })).toContain("USING INDEX pawl_runs_unusual (scope=? AND (created_at,run_id)<(?,?))");
    expect(plan({ waiting: "decision", workflow: "x" })).toContain("USING INDEX pawl_runs_decision (scope=?");
  });

  it("a claim finds one due run among many that are settled, asleep or someone else's", async () => {
    const s = await store();
    await s.registerEngine({ engineId: "engine-1", leaseMs: 1_000_000, serves });
    const many = Array.from({ length: 200 }, (_, i) =>
      create(`r${i}`, {}, i % 2 === 0 ? { status: "COMPLETED" } : { due: { at: null, inMs: 9_999 } }),
    );
    await s.commit([...many, create("due")]);
    expect((await s.claim(claimQuery("engine-1"))).map((r) => r.runId)).toEqual(["due"]);
    expect((await s.runs({ scope, limit: 1_000 })).runs.length).toBe(201);
  });
});
