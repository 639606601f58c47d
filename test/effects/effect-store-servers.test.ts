// Effect stores on servers when something goes wrong: answers that never come, sessions that end, others in the way, servers that
// are killed, rights that are missing. What a put said is kept must be there, and a result is never replaced. Method: faults are
// made by a proxy, by the server or by a signal; every wait is for a fact.
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EffectStore, StoredEffectResult } from "../../src/index.ts";
import { mysqlEffectStore } from "../../src/mysql.ts";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import { postgresEffectStore } from "../../src/postgres.ts";
import { pageSource as page } from "../docs/read-page.ts";
import { startProxy as startMysqlProxy } from "../mysql/proxy.ts";
import { codeOf, until } from "../postgres/fixture.ts";
import { openTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { pgClient, mysqlConnection, type UserConnection } from "../support/user-connections.ts";
import { skipsWithoutMariadb, startMariadb } from "../support/mariadb.ts";
import { startPostgres } from "../support/postgres.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { proves } from "../support/proves.ts";

interface Line {
  readonly url: string;
  /** The next puts, so many, are delivered and never answered; `before`: not even delivered. */
  lose(puts: number, before?: boolean): void;
  /** Breaks every new connection; those that stand go on. */
  refuse(): void;
  /** Breaks every connection now. */
  cut(): void;
  close(): Promise<void>;
}

interface Server {
  readonly name: "postgres" | "mysql";
  open(url: string, o?: { readonly make?: boolean; readonly acceptUnsafe?: boolean; readonly place?: string }): Promise<EffectStore>;
  line(url: string): Promise<Line>;
  mine(url: string): Promise<UserConnection>;
  /** The table at a place of `openGround`. */
  table(url: string): string;
  start(settings?: Readonly<Record<string, string>>): ReturnType<typeof startPostgres>;
  readonly unsafe: Readonly<Record<string, string>>;
  /** Puts that wait for somebody, each wait with a mark of its own; sessions beside the asking one. */
  readonly waiting: string;
  readonly sessions: string;
  readonly badUrls: readonly (readonly [string, string])[];
}

const port = (url: string): number => Number(new URL(url).port);
const schemaOf = (url: string): string => new URL(url).searchParams.get("schema") ?? "pawl_split";

const postgres: Server = {
  name: "postgres",
  open: (url, { place, ...o } = {}) => postgresEffectStore(url, { ...o, ...(place === undefined ? {} : { schema: place }) }),
  async line(url) {
    const proxy = await startProxy(port(url));
    const lose = (puts: number, before = false): void => {
      if (puts > 0) void proxy.swallow(/^insert into .*kept/, before).then(() => lose(puts - 1, before));
    };
    return { url: proxy.through(url), lose, refuse: () => proxy.refuse(), cut: () => proxy.cut(), close: () => proxy.close() };
  },
  mine: pgClient,
  table: (url) => `${schemaOf(url)}.kept`,
  start: startPostgres,
  unsafe: { synchronous_commit: "off" },
  waiting: "select query_start::text as mark from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into %kept%'",
  sessions: "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  badUrls: [
    ["nonsense", "PAWL5002"],
    ["mysql://localhost/app", "PAWL5002"],
    ["postgres://localhost/app?schema=a-b", "PAWL5001"],
    ["postgres://localhost:1/app", "PAWL3032"],
  ],
};

const mysql: Server = {
  name: "mysql",
  open: (url, { place, ...o } = {}) => mysqlEffectStore(url, { ...o, ...(place === undefined ? {} : { prefix: `${place}_` }) }),
  async line(url) {
    const proxy = await startMysqlProxy(port(url), /^insert into .*kept/s);
    const through = new URL(url);
    through.port = String(proxy.port);
    return {
      url: through.href,
      lose(puts, before = false) {
        proxy.fault = before ? "lose the commit" : "lose the answer to commit";
        proxy.strikesMax = proxy.struck + puts;
      },
      refuse: () => void (proxy.refuses = true),
      cut: () => proxy.cut(),
      close: () => proxy.close(),
    };
  },
  mine: mysqlConnection,
  table: () => "pawl_split_kept",
  async start(settings) {
    const server = await startMariadb(settings);
    return { ...server, url: `${server.url}/mysql` };
  },
  unsafe: { "innodb-flush-log-at-trx-commit": "2" },
  waiting:
    "select trx_id as mark from information_schema.innodb_trx where trx_state = 'LOCK WAIT' and trx_query like 'insert into pawl_split_kept%'",
  sessions: "select 1 from information_schema.processlist where db = database() and id <> connection_id()",
  badUrls: [
    ["nonsense", "PAWL5002"],
    ["postgres://localhost/app", "PAWL5002"],
    ["mysql://localhost/", "PAWL5002"],
    ["mysql://localhost/app?prefix=a-b", "PAWL5001"],
    ["mysql://localhost/app?schema=a", "PAWL5001"],
    ["mysql://localhost:1/app", "PAWL3032"],
  ],
};

const kept = (more: Partial<StoredEffectResult> = {}): StoredEffectResult => ({
  version: 1,
  runId: "r",
  key: "k",
  stepId: "s",
  result: "1",
  keptAt: 7,
  ...more,
});

describe.each([postgres, ...(skipsWithoutMariadb() ? [] : [mysql])])("an effect store on $name", (server) => {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 }); // a crowded machine is slow, not wrong
  let ground: TestDatabase;
  const closing: (() => Promise<unknown>)[] = [];
  const opened = async (url: string, o?: Parameters<Server["open"]>[1]): Promise<EffectStore> => {
    const s = await server.open(url, o);
    closing.push(() => s.close());
    return s;
  };
  const through = async (): Promise<{ line: Line; s: EffectStore }> => {
    const line = await server.line(ground.url);
    closing.push(() => line.close());
    return { line, s: await opened(line.url) };
  };
  const mine = async (): Promise<UserConnection> => {
    const m = await server.mine(ground.url);
    closing.push(() => m.end());
    return m;
  };
  const rows = async (): Promise<number> => (await ground.sql(`select 1 from ${server.table(ground.url)}`)).length;
  beforeEach(async () => void (ground = await openTestDatabase(server.name, "")));
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await ground.remove();
  });

  it("a put whose answer was lost is put again: it resolves, and its result is there once", proves("A-17"), async () => {
    const { line, s } = await through();
    line.lose(1);
    await s.put(kept());
    line.lose(2);
    await s.put(kept({ key: "k2", result: "2" }));
    line.lose(2, true);
    await s.put(kept({ key: "k3", result: "3" }));
    expect([await s.get("r", "k"), await s.get("r", "k2"), await s.get("r", "k3")].map((e) => e?.result)).toEqual(["1", "2", "3"]);
    expect(await rows()).toBe(3);
  });

  it("a put is not put again for ever: without any answer it is unknown, and what reached the server is there", async () => {
    const { line, s } = await through();
    line.lose(100);
    expect(await codeOf(s.put(kept()))).toEqual(["PAWL3002", "unknown"]);
    line.lose(100, true);
    expect(await codeOf(s.put(kept({ key: "k2" })))).toEqual(["PAWL3002", "unknown"]);
    const direct = await opened(ground.url);
    expect([(await direct.get("r", "k"))?.result, await direct.get("r", "k2")]).toEqual(["1", undefined]);
  });

  it("a put whose answer was lost is unknown, although the next one could not even be sent", async () => {
    const { line, s } = await through();
    line.lose(1);
    line.refuse();
    expect(await codeOf(s.put(kept()))).toEqual(["PAWL3002", "unknown"]);
    expect(await codeOf(s.put(kept({ key: "k2" })))).toEqual(["PAWL3002", "none"]);
    const direct = await opened(ground.url);
    expect([(await direct.get("r", "k"))?.result, await direct.get("r", "k2")]).toEqual(["1", undefined]);
  });

  it("sessions that were lost while idle are opened again, for puts and for gets", async () => {
    const { line, s } = await through();
    await Promise.all([1, 2, 3].map((n) => s.put(kept({ key: `k${n}` }))));
    line.cut();
    await s.put(kept({ key: "later" }));
    line.cut();
    expect((await s.get("r", "later"))?.result).toBe("1");
  });

  it("where no server answers a put fails at once and says that nothing was written", async () => {
    const { line, s } = await through();
    await s.put(kept());
    await line.close();
    await until(async () => (await codeOf(s.put(kept({ key: "x" })))) !== "no error");
    expect(await codeOf(s.put(kept({ key: "x" })))).toEqual(["PAWL3002", "none"]);
    expect(await codeOf(s.get("r", "k"))).toEqual(["PAWL3002", "none"]);
  });

  it("a put waits for another of the same key that is under way: if that one goes, its own result is kept; if it commits, that one stays", async () => {
    const s = await opened(ground.url);
    const other = await mine();
    for (const [key, end, result] of [
      ["a", "rollback", "1"],
      ["b", "commit", "first"],
    ]) {
      await other.begin();
      const more = server.name === "mysql" ? [", puts", ", 1"] : ["", ""];
      const columns = `(run_id, effect_key, version, step_id, result, kept_at${more[0]})`;
      await other.sql(`insert into ${server.table(ground.url)} ${columns} values ('r', '${key}', 1, 's', 'first', 1${more[1]})`);
      const put = s.put(kept({ key: key! }));
      // It has been told once that somebody is in its way, and waits again.
      const waits = new Set<unknown>();
      await until(async () => {
        for (const r of await ground.sql(server.waiting)) waits.add(r["mark"]);
        await pause(150); // a table about transactions is filled anew only if nobody has read it for 100 ms
        return waits.size > 1;
      });
      await other.sql(end!);
      await put;
      expect((await s.get("r", key!))?.result).toBe(result);
    }
  });

  it("only a result that is there already is passed over: whatever else the table refuses is an error, and nothing is cut", async () => {
    const s = await opened(ground.url);
    const change = { postgres: "alter column result type varchar(4)", mysql: "modify result varchar(4)" }[server.name];
    await ground.sql(`alter table ${server.table(ground.url)} ${change}`);
    expect(await codeOf(s.put(kept({ result: "12345" })))).toEqual(["PAWL3002", "none"]);
    expect(await s.get("r", "k")).toBeUndefined();
    await s.put(kept({ result: "1234" }));
    expect((await s.get("r", "k"))?.result).toBe("1234");
  });

  it("U+0000 and lone surrogates are refused as the store refuses them, and the session lives", async () => {
    const s = await opened(ground.url);
    expect(await codeOf(s.put(kept({ result: "a\0b" })))).toEqual(["PAWL3005", "none"]);
    expect(await codeOf(s.put(kept({ runId: "\ud800" })))).toEqual(["PAWL3005", "none"]);
    expect(await codeOf(s.get("r", "a\0b"))).toEqual(["PAWL3005", "none"]);
    expect(await rows()).toBe(0);
  });

  it("closed, it has no session left and says so; closing twice does no harm", async () => {
    const s = await opened(ground.url);
    const watcher = await mine();
    const own = async (): Promise<number> =>
      (
        await watcher.sql(
          server.name === "postgres" ? `${server.sessions} and query like '%${schemaOf(ground.url)}.kept%'` : server.sessions,
        )
      ).length;
    await Promise.all([1, 2, 3].map((n) => s.put(kept({ key: `k${n}` }))));
    expect(await own()).toBeGreaterThan(0);
    await Promise.all([s.close(), s.close()]);
    await until(async () => (await own()) === 0);
    expect(await codeOf(s.put(kept()))).toEqual(["PAWL3009", "none"]);
    expect(await codeOf(s.get("r", "k"))).toEqual(["PAWL3009", "none"]);
  });

  it("what was put is there after the server was killed, and a store that was open goes on; its usual place is its own", async () => {
    const own = await server.start();
    closing.push(() => own.stop());
    const s = await opened(own.url);
    const told: string[] = [];
    const putting = Array.from({ length: 200 }, async (_, i) => {
      await s.put(kept({ key: `k${i}`, result: `${i}` })).then(
        () => told.push(`${i}`),
        () => {},
      );
      if (told.length === 20) await own.kill();
    });
    await Promise.all(putting);
    expect(told.length).toBeGreaterThanOrEqual(20);
    await own.start();
    for (const i of told) expect((await s.get("r", `k${i}`))?.result).toBe(i);
    await s.put(kept({ key: "later" }));
    const admin = await server.mine(own.url);
    closing.push(() => admin.end());
    expect(
      await admin.sql(`select result from ${server.name === "mysql" ? "pawl_split_kept" : "pawl_split.kept"} where effect_key = 'later'`),
    ).toEqual([{ result: "1" }]);
  });

  it("a server that could lose what it acknowledged is refused, unless that is accepted", async () => {
    const own = await server.start(server.unsafe);
    closing.push(() => own.stop());
    expect(await codeOf(server.open(own.url))).toEqual(["PAWL3003", "none"]);
    const s = await opened(own.url, { acceptUnsafe: true });
    await s.put(kept());
    expect((await s.get("r", "k"))?.result).toBe("1");
  });

  it("a URL that is none, names a bad place or leads nowhere is refused with the store's own codes", async () => {
    for (const [url, code] of server.badUrls) {
      expect(await codeOf(server.open(url)), url).toEqual([code, "none"]);
      if (url.startsWith(server.name)) expect(await codeOf(openStore(url, systemPlatform())), url).toEqual([code, "none"]);
    }
    expect(await codeOf(server.open(ground.url, { place: "a-b" }))).toEqual(["PAWL5001", "none"]);
  });

  it("with make: false a place that is not there is refused, and not made", async () => {
    for (const _ of [1, 2]) expect(await codeOf(server.open(ground.url, { make: false }))).toEqual(["PAWL5006", "none"]);
    await (await opened(ground.url)).put(kept());
    expect((await (await opened(ground.url, { make: false })).get("r", "k"))?.result).toBe("1");
  });

  it("it lies beside the run store in one schema or under one prefix, whichever came first", async () => {
    const url = new URL(ground.url);
    if (server.name === "mysql") url.searchParams.set("prefix", "both_");
    const first = await opened(url.href);
    const store = await openStore(url.href, systemPlatform());
    await first.put(kept());
    expect((await store.info()).unsafe).toEqual([]);
    expect((await (await opened(url.href)).get("r", "k"))?.result).toBe("1");
    await store.close();
  });

  it("on a table made as the papers say, a role with the rights they grant works, and one without is told when it opens", async () => {
    const name = `kept${systemPlatform().randomHex(4)}`;
    const role = `role_${name}`;
    const database = new URL(ground.url).pathname.slice(1);
    const block = [...page("docs/effects/external-store.md").matchAll(/```sql\n([^`]+)```/g)]
      .map((m) => m[1] ?? "")
      .find((b) => b.includes(server.name === "mysql" ? "varbinary" : "collate"));
    const statements = (block ?? "")
      .replaceAll("pawl_split", name)
      .replaceAll("to app;", `to ${role};`)
      .replaceAll("app.", `${database}.`)
      .replaceAll("'app'@", `'${role}'@`)
      .split(";\n")
      .filter((x) => x !== "");
    const own = new URL(ground.url);
    [own.username, own.password, own.search] = [role, "not-secret", ""];
    await ground.sql(
      server.name === "mysql" ? `create user '${role}'@'%' identified by 'not-secret'` : `create role ${role} login password 'not-secret'`,
    );
    try {
      const grants = statements.filter((x) => x.startsWith("grant"));
      expect(await codeOf(server.open(own.href, { place: name })), "nothing is there, and it may make nothing").toEqual([
        "PAWL3035",
        "none",
      ]);
      for (const x of statements.filter((s) => !s.startsWith("grant"))) await ground.sql(x);
      for (const x of grants) await ground.sql(x.replace(/, insert(, update)?/, ""));
      expect(await codeOf(server.open(own.href, { place: name })), "it may read only").toEqual(["PAWL3035", "none"]);
      for (const x of grants) await ground.sql(x);
      const s = await server.open(own.href, { place: name });
      await s.put(kept());
      await s.put(kept({ result: "2" }));
      expect((await s.get("r", "k"))?.result).toBe("1");
      await s.close();
    } finally {
      if (server.name === "postgres") await ground.sql(`drop schema if exists ${name} cascade`);
      await ground.sql(server.name === "mysql" ? `drop user '${role}'@'%'` : `drop role ${role}`);
    }
  });
});
