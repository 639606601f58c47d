// Sessions that are killed, answers that are lost, servers that die, engines that are killed: what a store must survive.
// Method: the fault is made by the server itself, by a proxy, or by a signal; a test waits for facts, never for a time.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engine, workflow } from "../../src/index.ts";
import { isPawlError } from "../../src/errors/error.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { Connection } from "../../src/store/mysql/wire/driver.ts";
import { lockName } from "../../src/store/mysql/locks.ts";
import { serverNow } from "../../src/store/mysql/sql.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { TxSql } from "../../src/store/transaction-store.ts";
import { create, event, message, next, owned, rowOf, serves } from "../../src/store/suite/build.ts";
import { type MariadbServer, sharedMariadb, skipsWithoutMariadb, startMariadb } from "../support/mariadb.ts";
import { compiledTree } from "../support/compiled-tree.ts";
import { dropDatabase, freshDatabase, rawConnection } from "./bundle.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import { proves } from "../support/proves.ts";

let url: string;
const closing: (() => Promise<void> | void)[] = [];

async function codeOf(p: unknown): Promise<unknown> {
  return Promise.resolve(p).then(
    () => "no error",
    (e: unknown) => (isPawlError(e) ? [e.page, e.outcome] : e),
  );
}

async function store(platform: Platform = systemPlatform(), at = url): Promise<FullStore> {
  const s = await openMysql(at, platform);
  closing.push(() => s.close());
  return s;
}

async function raw(): Promise<Connection> {
  const db = await rawConnection(url);
  closing.push(() => db.close());
  return db;
}

/** Asks until it is so. */
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise<void>((resolve) => setTimeout(resolve, 20));
}

/** Ends every session of this database but the asking one, as an operator or a fail-over would. */
async function killSessions(db: Connection): Promise<number> {
  const { rows } = await db.query("select id from information_schema.processlist where db = database() and id <> connection_id()");
  for (const r of rows) await db.query(`kill ${Number(r["id"])}`).catch(() => {});
  return rows.length;
}

describe.skipIf(skipsWithoutMariadb())("faults", () => {
  beforeEach(async () => {
    url = await freshDatabase(await sharedMariadb());
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await dropDatabase(url);
  });

  describe("a network that loses packets", () => {
    let proxy: Proxy;
    let s: FullStore;
    beforeEach(async () => {
      const at = new URL(url);
      proxy = await startProxy(Number(at.port));
      closing.push(() => proxy.close());
      at.port = String(proxy.port);
      s = await store(systemPlatform(), at.href);
    });

    it(
      "a ctx.tx cut off while the database did not answer is unavailable and rolled back, not too long",
      { ...proves("K11", "I5"), timeout: 60_000 },
      async () => {
        const row = await owned(s, "a");
        const db = await raw();
        await db.query("create table n (v int) engine=InnoDB");
        await db.query("insert into n values (0)");
        const user = async (tx: TxSql): Promise<void> => {
          await tx.query(["update n set v = v + 1"], []);
          proxy.fault = "silence";
          await tx.query(["update n set v = v + 1"], []);
        };
        expect(await codeOf(s.transact(user, () => next(row), 300))).toEqual(["PAWL3002", "none"]);
        proxy.fault = "none";
        await db.query("set session innodb_lock_wait_timeout = 50");
        await db.query("update n set v = v + 10", 60_000);
        expect((await db.query("select v from n")).rows).toEqual([{ v: 10 }]);
        expect(await rowOf(s, "a")).toEqual(row);
      },
    );

    it(
      "a run continues after it: what was rolled back runs again, and happens once",
      { ...proves("K11", "I5", "I12"), timeout: 90_000 },
      async () => {
        const db = await raw();
        await db.query("create table n (v int) engine=InnoDB");
        await db.query("insert into n values (0)");
        let calls = 0;
        const wf = workflow({ name: "hangs" }, async (ctx) =>
          ctx.tx("add", async (tx) => {
            calls++;
            await tx.sql`update n set v = v + 1`;
            if (calls === 1) proxy.fault = "silence";
            // Cut off by the limit: only then does the network come back.
            await tx.sql`select 1`.catch((e: unknown) => {
              proxy.fault = "none";
              throw e;
            });
            return calls;
          }),
        );
        const e = await engine({ store: s, workflows: [wf], lease: "60s", log: () => {} });
        expect(await e.run(wf)).toBeGreaterThan(1);
        expect((await db.query("select v from n")).rows).toEqual([{ v: 1 }]);
        await e.stop();
      },
    );

    it("a COMMIT whose answer is lost is unknown, and asked again it is a duplicate", proves("K10", "C9", "I1", "L-01"), async () => {
      const row = await owned(s, "a");
      const c = next(row, { events: [event(1)] });
      proxy.fault = "lose the answer to commit";
      expect(await codeOf(s.commit([c]))).toEqual(["PAWL3002", "unknown"]);
      expect(await codeOf(s.commit([c, create("b")]))).toEqual(["PAWL3002", "unknown"]);
      proxy.fault = "none";
      expect(proxy.struck).toBe(2);
      expect((await s.commit([c, create("b")])).answers.map((a) => a.kind)).toEqual(["duplicate", "duplicate"]);
      expect((await s.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
    });

    it("a COMMIT that never arrived is unknown too, and asked again it is written", proves("K10"), async () => {
      const row = await owned(s, "a");
      const c = next(row, { events: [event(1)] });
      proxy.fault = "lose the commit";
      expect(await codeOf(s.commit([c]))).toEqual(["PAWL3002", "unknown"]);
      proxy.fault = "none";
      // The server may still hold the row for the session that it has not noticed to be gone.
      await until(async () => (await s.commit([c])).answers[0]?.kind === "committed");
      expect((await rowOf(s, "a")).headSeq).toBe(1);
    });

    it("a ctx.tx whose COMMIT has no answer is unknown, and its rows and its Commit are both there", proves("I5"), async () => {
      const row = await owned(s, "a");
      await (await raw()).query("create table t (n int) engine=InnoDB");
      proxy.fault = "lose the answer to commit";
      const asked = s.transact(
        (tx) => tx.query(["insert into t values (1)"], []),
        () => next(row, { events: [event(1)] }),
        5_000,
      );
      expect(await codeOf(asked)).toEqual(["PAWL3002", "unknown"]);
      proxy.fault = "none";
      expect((await rowOf(s, "a")).headSeq).toBe(1);
      expect((await (await raw()).query("select n from t")).rows.length).toBe(1);
    });

    it("a message whose answer was lost is answered with the first result", proves("W-079"), async () => {
      await owned(s, "a");
      proxy.fault = "lose the answer to commit";
      expect(await codeOf(s.post(message("s1")))).toEqual(["PAWL3002", "unknown"]);
      proxy.fault = "none";
      expect(await s.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: true });
    });

    it("a store that is away says so, and that nothing was written", proves("K10"), async () => {
      await owned(s, "a");
      await proxy.close();
      expect(await codeOf(s.commit([create("b")]))).toEqual(["PAWL3002", "none"]);
      expect(await codeOf(s.run({ runId: "a" }))).toEqual(["PAWL3002", "none"]);
    });
  });

  describe("sessions", () => {
    /** A platform whose monotonic clock can be moved: an engine that has been well for long. */
    function patient(): Platform & { ahead: number } {
      const real = systemPlatform();
      const platform = { ...real, ahead: 0, monotonicMs: (): number => real.monotonicMs() + platform.ahead };
      return platform;
    }

    it(
      "a missing lock proves death only with an old renewal, on the server that gave it, to an engine that is well",
      proves("K2"),
      async () => {
        const platform = patient();
        const s = await store(platform);
        const db = await raw();
        await s.registerEngine({ engineId: "judge", leaseMs: 600_000, serves });
        const { storeId } = await s.info();
        await until(async () => Number((await db.query("show global status like 'Uptime'")).rows[0]?.["Value"]) > 3);
        const boot = Number((await db.query("select session_boot as b from pawl_engines")).rows[0]?.["b"]);
        const put = (renewedAgoMs: number, sessionBoot: number | null): Promise<unknown> =>
          db.query(
            `replace into pawl_engines (engine_id, lease_until, renewed_at, session_boot, dead, serves) values ` +
              `('other', ${serverNow} + 600000, ${serverNow} - ${renewedAgoMs}, ${String(sessionBoot)}, 0, '[]')`,
          );
        const buried = (): Promise<readonly string[]> => s.declareDead({ by: "judge" });
        await put(5_000, boot);
        expect(await buried(), "not well for two seconds").toEqual([]);
        platform.ahead = 3_000;
        await put(100, boot);
        expect(await buried(), "renewed just now").toEqual([]);
        await put(5_000, null);
        expect(await buried(), "never held a lock").toEqual([]);
        await put(5_000, boot - 60_000);
        expect(await buried(), "another start of the server").toEqual([]);
        await db.query(`select get_lock('${lockName(storeId, "other")}', 0)`);
        await put(5_000, boot);
        expect(await buried(), "the lock is held").toEqual([]);
        await db.query(`do release_lock('${lockName(storeId, "other")}')`);
        expect(await buried(), "gone").toEqual(["other"]);
        expect(await s.renew({ engineId: "other", leaseMs: 1 })).toBe("dead");
      },
    );

    it("killed sessions kill no engine: it takes its lock again, and nobody can prove it dead", proves("K2"), async () => {
      const s = await store();
      const judge = patient();
      const other = await store(judge);
      await s.registerEngine({ engineId: "engine-1", leaseMs: 600_000, serves });
      await other.registerEngine({ engineId: "judge", leaseMs: 600_000, serves });
      const { storeId } = await s.info();
      const db = await raw();
      const holder = async (): Promise<unknown> =>
        (await db.query(`select is_used_lock('${lockName(storeId, "engine-1")}') as id`)).rows[0]?.["id"];
      const before = await holder();
      expect(await killSessions(db)).toBeGreaterThan(1);
      judge.ahead = 3_000;
      await until(async () => {
        expect(await other.declareDead({ by: "judge" }).catch(() => [])).toEqual([]);
        const now = await holder();
        return now !== null && now !== before;
      });
      expect(await s.renew({ engineId: "engine-1", leaseMs: 600_000 })).toBe("renewed");
      expect(await other.declareDead({ by: "judge" })).toEqual([]);
    });

    it("a closed store's engine is proven dead long before its lease ends", proves("K2"), async () => {
      const s = await openMysql(url, systemPlatform());
      await s.registerEngine({ engineId: "engine-1", leaseMs: 3_600_000, serves });
      await s.close();
      const judge = patient();
      const other = await store(judge);
      await other.registerEngine({ engineId: "judge", leaseMs: 600_000, serves });
      judge.ahead = 3_000;
      await until(async () => (await other.declareDead({ by: "judge" })).includes("engine-1"));
      expect(await other.renew({ engineId: "engine-1", leaseMs: 1 })).toBe("dead");
    });

    it(
      "a killed session in the middle of a batch leaves nothing, and the batch is written when asked again",
      proves("K10", "L-20"),
      async () => {
        const db = await raw();
        const real = systemPlatform();
        let strike: (() => void) | undefined;
        const s = await store({ ...real, hit: (point) => void (point === "engine:commit" && strike?.()) });
        const row = await owned(s, "a");
        const killed = new Promise<unknown>((resolve) => {
          strike = (): void => {
            strike = undefined;
            resolve(killSessions(db));
          };
        });
        const c = next(row, { events: [event(1)] });
        // Killed before the COMMIT arrived, or after: the store says which of the two it can exclude.
        const first = await Promise.resolve(s.commit([c])).then(
          (a) => a.answers[0]?.kind,
          (e: unknown) => (isPawlError(e, "PAWL3002") ? e.outcome : e),
        );
        expect(["committed", "unknown", "none"]).toContain(first);
        await killed;
        await until(async () => ["committed", "duplicate"].includes((await s.commit([c])).answers[0]?.kind ?? ""));
        expect((await s.events({ runId: "a", after: 0, limit: 9 })).length).toBe(1);
      },
    );
  });

  describe("engines in processes", () => {
    const started: ChildProcess[] = [];
    let dir: string;
    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), "pawl-mysql-"));
      closing.push(async () => {
        for (const p of started.splice(0)) {
          if (p.exitCode !== null || p.signalCode !== null) continue;
          p.kill("SIGKILL");
          await new Promise((resolve) => p.once("exit", resolve));
        }
        rmSync(dir, { recursive: true, force: true });
      });
    });

    function start(name: string, mode: string): { process: ChildProcess; line(text: string): Promise<void> } {
      const program = join(compiledTree(), "test/mysql/programs/child.js");
      const p = spawn(process.execPath, [program, url, name, mode, join(dir, "ledger"), "1h"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      started.push(p);
      let said = "";
      p.stdout.on("data", (d: Buffer) => (said += String(d)));
      return { process: p, line: (text) => until(async () => said.includes(`${text}\n`)) };
    }

    it(
      "a killed engine's run is taken over by its session alone, its lease an hour away, and no step is lost or repeated",
      { ...proves("K1", "K2"), timeout: 60_000 },
      async () => {
        const first = start("first", "hang");
        await first.line("in two");
        const second = start("second", "go");
        await second.line("ready");
        const s = await store();
        const runId =
          (await s.run({ scope: { tenantId: "default", projectId: "default", environmentId: "default" }, workflowId: "order-1" }))?.runId ??
          "";
        expect((await rowOf(s, runId)).status).toBe("RUNNING");
        first.process.kill("SIGKILL");
        await until(async () => (await rowOf(s, runId)).status === "COMPLETED");
        expect(readFileSync(join(dir, "ledger"), "utf8").split("\n").filter(Boolean)).toEqual(["first one", "first two", "second two"]);
      },
    );
  });
});

describe.skipIf(skipsWithoutMariadb())("a server of its own", () => {
  let server: MariadbServer;
  beforeEach(async () => {
    server = await startMariadb();
    url = await freshDatabase(server.url);
  }, 60_000);
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await server.stop();
  });

  it(
    "a server killed with SIGKILL has every Commit that it acknowledged, and kills no engine",
    { ...proves("I1", "C19"), timeout: 120_000 },
    async () => {
      const order = workflow({ name: "order" }, async (ctx) => {
        let sum = 0;
        for (let i = 0; i < 30; i++) sum += await ctx.step(`s${i}`, () => 1, { repeatable: true });
        return sum;
      });
      const e = await engine({ store: url, workflows: [order] });
      closing.push(() => e.stop({ grace: 0 }));
      const s = await store();
      const before = (await s.info()).engines.map((x) => x.engineId);
      const results = Promise.all(Array.from({ length: 20 }, (_, i) => e.run(order, undefined, { id: `order-${i}` })));
      await until(async () => (await s.runs({ scope: defaultScope, limit: 50 })).runs.some((r) => r.headSeq > 10));
      await server.kill();
      await server.start();
      expect(await results).toEqual(Array(20).fill(30));
      await until(async () => e.health().ok);
      expect((await s.info()).engines.filter((x) => !x.dead).map((x) => x.engineId)).toEqual(before);
      for (const { runId } of (await s.runs({ scope: defaultScope, limit: 50 })).runs) {
        const events = await s.events({ runId, after: 0, limit: 1_000 });
        expect(events.map((x) => x.runSeq)).toEqual(events.map((_, i) => i + 1));
        expect(events.filter((x) => x.eventType === "StepCompleted").length).toBe(30);
      }
    },
  );

  it("a server that would lose acknowledged Commits is refused, unless it is accepted, and then it is named", proves("I1"), async () => {
    const db = await raw();
    await db.query("set global innodb_flush_log_at_trx_commit = 2");
    expect(await codeOf(openMysql(url, systemPlatform()))).toEqual(["PAWL3003", "none"]);
    const s = await openMysql(url, systemPlatform(), { acceptUnsafe: true });
    closing.push(() => s.close());
    expect((await s.info()).unsafe).toEqual(["innodb_flush_log_at_trx_commit=2"]);
    expect((await s.info()).settings?.["innodb_flush_log_at_trx_commit"]).toBe("2");
  });
});

const defaultScope = { tenantId: "default", projectId: "default", environmentId: "default" };
