// What is particular to Postgres: its settings read back, its schema, its plans, its evidence of death, its hints, and that
// nobody waits for somebody else's row. Runs on a real server; what needs a broken line or a killed server is under
// test/postgres.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropSchema, freshPlace, raw as rawAt } from "../../../test/postgres/bundle.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { isPawlError } from "../../errors/error.ts";
import { systemPlatform } from "../../platform/system.ts";
import type { Hint, Store } from "../port.ts";
import { create, event, message, next, owned, query, rowOf, scope, serves } from "../suite/build.ts";
import { manyQuery, oneQuery } from "./commit-sql.ts";
import type { Connection } from "./driver.ts";
import { dumpSchema } from "./dump.ts";
import { textArray } from "./encode.ts";
import { channelOf, lockKey, placeFrom } from "./names.ts";
import { migrationPlan, raiseIncarnation } from "./operate.ts";
import { ownOptions } from "./open.ts";
import { openPostgres, type PostgresOptions } from "./store.ts";
import { texts } from "./sql.ts";

const platform = systemPlatform();
let url: string;
let schema: string;
const open: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  ({ url, schema } = await freshPlace());
});

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  await dropSchema(url, schema);
});

async function store(o: PostgresOptions & { clock?: () => number } = {}, at: string = url): Promise<Store> {
  const s = await openPostgres(at, platform, o);
  open.push(() => s.close());
  return s;
}

async function raw(): Promise<Connection> {
  const c = await rawAt(url);
  open.push(() => c.end().catch(() => c.destroy()));
  return c;
}

async function codeOf(p: Promise<unknown>): Promise<unknown> {
  return p.then(
    () => "no error",
    (e: unknown) => (isPawlError(e) ? [e.page, e.outcome] : e),
  );
}

/** Asks until it is so; the test's own time limit is the only clock. */
async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("settings", () => {
  it("a server that would not survive a power cut is refused, unless it is asked for and named", async () => {
    const careless = new URL(url);
    careless.searchParams.set("options", "-c synchronous_commit=off");
    expect(await codeOf(openPostgres(careless.href, platform))).toEqual(["PAWL3003", "none"]);
    const s = await store({ acceptUnsafe: true }, careless.href);
    expect((await s.info()).unsafe).toEqual(["synchronous_commit=off"]);
    const info = await (await store()).info();
    expect([info.unsafe, info.settings?.["fsync"], info.settings?.["pooler"]]).toEqual([[], "on", "false"]);
  });

  it("a schema's name is checked before it is part of any statement", async () => {
    for (const name of ["", "Pawl", 'a"b', "a b", "1a", "pg_x", "a-b", "x".repeat(64), "a;drop"]) {
      expect(await codeOf(openPostgres(url, platform, { schema: name })), name).toEqual(["PAWL5001", "none"]);
    }
    expect(() => placeFrom("mysql://x/y", {})).toThrow(expect.objectContaining({ page: "PAWL5002" }));
    expect(placeFrom("postgresql://u:p@h/d?schema=mine&pooler=1&sslmode=require", {})).toMatchObject({
      schema: "mine",
      pooler: true,
      connectionString: "postgresql://u:p@h/d?sslmode=require",
    });
  });

  it("a server that is not there, or knows nobody of this name, is a store that is unavailable", async () => {
    expect(await codeOf(openPostgres("postgres://x@127.0.0.1:1/x", platform))).toEqual(["PAWL3002", "none"]);
    const other = new URL(url);
    other.pathname = "/no_such_database";
    expect(await codeOf(openPostgres(other.href, platform))).toEqual(["PAWL3002", "none"]);
  });
});

describe("schema", () => {
  it("the dumped schema is what a new store holds", async () => {
    await store();
    const header =
      "-- The schema that migrations.ts arrives at, dumped. Never edited by hand: a test keeps it equal to what a new store holds.\n\n";
    const dumped = await dumpSchema(await raw(), schema);
    expect(readFileSync(new URL("schema.sql", import.meta.url), "utf8")).toBe(header + dumped);
  });

  it("L-24 many processes that open an empty database at once make one schema", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => store()));
    const ids = new Set((await Promise.all(all.map((s) => s.info()))).map((i) => i.storeId));
    expect(ids.size).toBe(1);
  });

  it("a plan of what would be migrated makes nothing, and can be run by somebody else", async () => {
    const plan = await migrationPlan(url);
    expect([plan.from, plan.to, plan.statements[0]]).toEqual([0, 1, `create schema if not exists ${schema}`]);
    const c = await raw();
    expect((await c.exec(`select 1 from pg_namespace where nspname = '${schema}'`)).rows).toEqual([]);
    await store();
    expect((await migrationPlan(url)).statements).toEqual([]);
  });

  it("a store that admits only later writers is not opened", async () => {
    await store();
    const c = await raw();
    await c.exec(`update ${schema}.meta set oldest_writer = 2, format = 7`);
    expect(await codeOf(openPostgres(url, platform))).toEqual(["PAWL3004", "none"]);
    await c.exec(`update ${schema}.meta set oldest_writer = 1`);
    expect((await (await store()).info()).format).toBe(7);
  });

  it("K4 a database that is not the one it was is recognised, and a new life is recorded", async () => {
    const s = await store();
    const { identity } = await s.info();
    expect(identity).toMatch(/^\d+\/\d+\/\d+$/);
    await (await raw()).exec(`update ${schema}.meta set identity = 'another/1/5'`);
    expect(await s.info()).toMatchObject({ identity, identityRecorded: "another/1/5", incarnation: 1 });
    expect(await raiseIncarnation(url, platform)).toBe(2);
    expect(await s.info()).toMatchObject({ identity, identityRecorded: identity, incarnation: 2 });
  });

  it("an error between two statements of a migration leaves nothing", async () => {
    const throwing = {
      ...platform,
      hit(p: string): void {
        if (p === "engine:migrate:7") throw new RangeError(p);
      },
    };
    expect(await codeOf(openPostgres(url, throwing))).toEqual(["PAWL3002", "none"]);
    expect((await (await raw()).exec(`select 1 from pg_namespace where nspname = '${schema}'`)).rows).toEqual([]);
    await store();
  });
});

describe("held rows", () => {
  it("K7 a Commit whose row somebody holds is busy, the others of its batch are written, and nobody waits", async () => {
    const s = await store();
    const [a, b] = [await owned(s, "a"), await owned(s, "b")];
    const c = await raw();
    await c.exec(`begin; select 1 from ${schema}.runs where run_id = 'a' for update`);
    const batch = [next(a, { events: [event(1)] }), next(b, { events: [event(1)] })];
    expect((await s.commit(batch)).answers.map((x) => x.kind)).toEqual(["busy", "committed"]);
    expect((await s.commit([next(a, { events: [event(1)] })])).answers).toEqual([{ kind: "busy" }]);
    expect(await s.claim(query("engine-1"))).toEqual([]);
    await c.exec("rollback");
    expect((await s.commit(batch)).answers.map((x) => x.kind)).toEqual(["committed", "duplicate"]);
  });

  it("T-43 I4 a claim steps over rows that somebody holds", async () => {
    const s = await store();
    await s.enlist({ engineId: "engine-1", leaseMs: 60_000, serves });
    await s.commit(["a", "b", "c", "d"].map((id) => create(id)));
    const c = await raw();
    await c.exec(`begin; select 1 from ${schema}.runs where run_id in ('a', 'c') for no key update`);
    expect((await s.claim(query("engine-1", { limit: 3 }))).map((r) => r.runId)).toEqual(["b", "d"]);
    expect(await s.claim(query("engine-1", { runId: "a" }))).toEqual([]);
    await c.exec("rollback");
    expect((await s.claim(query("engine-1"))).map((r) => r.runId)).toEqual(["a", "c"]);
  });

  it("K8 a message does not disturb a step that is being written, and waits for a run that is being settled", async () => {
    const s = await store();
    const row = await owned(s, "a");
    const c = await raw();
    await c.exec(`begin; select 1 from ${schema}.runs where run_id = 'a' for no key update`);
    expect(await s.post(message("s1"))).toMatchObject({ kind: "accepted", replayed: false });
    await c.exec("rollback");
    // A message under way holds the row against a Commit that settles the run, not against a step.
    await c.exec(`begin; select 1 from ${schema}.runs where run_id = 'a' for key share`);
    const step = next(row, { events: [event(1)] });
    expect((await s.commit([step])).answers[0]?.kind).toBe("committed");
    const end = next(await rowOf(s, "a"), { status: "COMPLETED" });
    expect((await s.commit([end])).answers[0]?.kind).toBe("busy");
    expect((await s.commit([end, create("b")])).answers.map((x) => x.kind)).toEqual(["busy", "committed"]);
    await c.exec("rollback");
    expect((await s.commit([end])).answers[0]?.kind).toBe("committed");
  });

  it("I9 K18 messages sent while their run is being continued all arrive, in the old run or the new", async () => {
    const s = await store();
    let row = await owned(s, "r0");
    const to = { workflowId: "order-r0" };
    const accepted: string[] = [];
    for (let n = 1; n <= 5; n++) {
      const child = create(`r${n}`, { workflowId: "order-r0", supersedes: row.runId, owner: "engine-1", fence: { epoch: 1, token: "t" } });
      const end = next(row, { status: "COMPLETED", children: [child], moveInboxTo: `r${n}` });
      const posts = Array.from({ length: 8 }, (_, i) => s.post(message(`${n}-${i}`, { target: to })));
      const continued = (async () => {
        for (;;) {
          const [answer] = (await s.commit([end])).answers;
          if (answer?.kind !== "busy") return answer;
        }
      })();
      for (const [i, p] of (await Promise.all(posts)).entries()) if (p.kind === "accepted") accepted.push(`${n}-${i}`);
      expect(await continued).toMatchObject({ kind: "committed", children: [{ kind: "created" }] });
      row = await rowOf(s, `r${n}`);
    }
    expect((await s.inbox({ runId: row.runId })).map((r) => r.id).toSorted()).toEqual(accepted.toSorted());
    expect(accepted.length).toBe(40);
  });
});

describe("evidence", () => {
  const enlisted = { leaseMs: 3_600_000, serves };

  it("K2 a lock that is gone proves death only after a silence, and only to whom has been well for two seconds", async () => {
    const [one, two] = [await store(), await store()];
    await one.enlist({ engineId: "engine-1", ...enlisted });
    const since = performance.now();
    await two.enlist({ engineId: "engine-2", ...enlisted });
    await one.close();
    let buried: readonly string[] = [];
    await until(async () => (buried = await two.bury({ by: "engine-2" })).length > 0);
    expect(buried).toEqual(["engine-1"]);
    expect(performance.now() - since).toBeGreaterThanOrEqual(2_000);
    expect(await two.bury({ by: "engine-2" })).toEqual([]);
  });

  it("K2 an engine whose lock is held is alive however silent, and one whose server restarted since is not judged by it", async () => {
    const s = await store();
    await s.enlist({ engineId: "heir", ...enlisted });
    const c = await raw();
    await c.exec("begin");
    const key = lockKey(schema, "engine/quiet");
    await c.query({ text: "select pg_advisory_lock($1)", values: [key] });
    await c.exec("commit");
    const insert = (id: string, server: string): Promise<unknown> =>
      c.exec(
        `insert into ${schema}.engines select '${id}', lease_until, false, '[]', 0, ${key}, ${server} from ${schema}.engines where engine_id = 'heir'`,
      );
    await insert("quiet", "lock_server");
    await insert("elsewhen", "lock_server - 1");
    const trustedFrom = performance.now() + 2_500;
    await until(() => performance.now() > trustedFrom);
    expect(await s.bury({ by: "heir" })).toEqual([]);
    await c.query({ text: "select pg_advisory_unlock($1)", values: [key] });
    expect(await s.bury({ by: "heir" })).toEqual(["quiet"]);
  });

  it("K2 a live engine whose session was terminated takes its lock again and is not buried", async () => {
    const [one, two] = [await store(), await store()];
    await one.enlist({ engineId: "engine-1", ...enlisted });
    await two.enlist({ engineId: "engine-2", ...enlisted });
    const c = await raw();
    const holders = async (): Promise<number[]> =>
      (
        await c.query({
          text: "select pid from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1",
          values: [lockKey(schema, "engine/engine-1")],
        })
      ).rows.map((r) => Number(r["pid"]));
    for (let n = 0; n < 3; n++) {
      const [pid = 0] = await holders();
      await c.query({ text: "select pg_terminate_backend($1)", values: [pid] });
      await until(async () => (await holders()).some((p) => p !== pid));
      expect(await two.bury({ by: "engine-2" })).toEqual([]);
    }
    expect(await one.renew({ engineId: "engine-1", leaseMs: 60_000 })).toBe("renewed");
  });

  it("K1 an engine that renews while its death is being declared lives", async () => {
    const s = await store();
    await s.enlist({ engineId: "engine-1", leaseMs: 60_000, serves });
    const c = await raw();
    await c.exec(`update ${schema}.engines set lease_until = 1`);
    await c.exec(`begin; update ${schema}.engines set lease_until = lease_until + 10000000000000`);
    const buried = s.bury({ by: "engine-2" });
    await until(
      async () =>
        (await c.exec("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%set dead = true%'")).rows.length > 0,
    );
    await c.exec("commit");
    expect(await buried).toEqual([]);
    expect(await s.renew({ engineId: "engine-1", leaseMs: 1_000 })).toBe("renewed");
  });

  it("K2 behind a pooler no session lock is used, and the lease decides", async () => {
    const proxy = await startProxy(Number(new URL(url).port), { pooler: true });
    open.push(() => proxy.close());
    const through = await store({}, proxy.through(url));
    expect((await through.info()).settings?.["pooler"]).toBe("true");
    await through.enlist({ engineId: "engine-1", leaseMs: 60_000, serves });
    const c = await raw();
    expect((await c.exec(`select lock_key from ${schema}.engines`)).rows).toEqual([{ lock_key: null }]);
    const named = await store({ pooler: true });
    const row = await owned(named, "a", "engine-2");
    expect((await named.commit([next(row, { events: [event(1)] }), create("b")])).answers.map((x) => x.kind)).toEqual([
      "committed",
      "committed",
    ]);
    expect((await c.exec("select count(*)::int as n from pg_prepared_statements")).rows).toEqual([{ n: 0 }]);
    await c.exec(`update ${schema}.engines set lease_until = 1 where engine_id = 'engine-1'`);
    expect(await named.bury({ by: "engine-2" })).toEqual(["engine-1"]);
  });
});

describe("hints", () => {
  it("a listener hears what another process writes, and knows that it does", async () => {
    const s = await store();
    const heard: Hint[] = [];
    s.watch((h) => heard.push(h));
    await until(async () => (await s.info()).settings?.["hints"] === "notify");
    const c = await raw();
    const channel = channelOf(schema);
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, '["somebody",["inbox","a"],["any"]]'] });
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, "nonsense"] });
    await c.query({ text: "select pg_notify($1, $2)", values: [channel, '["somebody"]'] });
    await until(() => heard.length === 3);
    expect(heard).toEqual([{ kind: "inbox", runId: "a" }, { kind: "any" }, { kind: "any" }]);
  });

  it("K6 what a store writes is told to other processes after the write, and not twice to its own", async () => {
    const s = await store();
    const heard: string[] = [];
    s.watch((h) => heard.push(`${h.kind}:${h.runId ?? ""}`));
    const c = await raw();
    const told: string[] = [];
    c.listen((_, payload) => told.push(payload));
    await c.exec(`listen ${channelOf(schema)}`);
    await s.commit([create("a")]);
    await s.post(message("s1"));
    await until(() => told.some((t) => t.includes('"inbox","a"')));
    expect(told.some((t) => t.includes('"due","a"'))).toBe(true);
    expect(heard).toEqual(["due:a", "inbox:a"]);
  });
});

describe("plans", () => {
  it("no statement on the path of a claim, a Commit, a message or a timer reads a table from end to end", async () => {
    const s = await store();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    const row = await rowOf(s, "a");
    const c = await rawAt(`${url.replace(/options=[^&]*/, "")}&options=${encodeURIComponent(ownOptions)}`);
    open.push(() => c.end());
    const t = texts(schema);
    const commits = [next(row, { events: [event(2)] }), next({ ...row, runId: "z" }, { status: "COMPLETED", commitId: "z" }), create("n")];
    const statements: [string, string, readonly unknown[]][] = [
      ["many", manyQuery(schema, null, commits, undefined).text, manyQuery(schema, null, commits, undefined).values ?? []],
      ...commits.map((x): [string, string, readonly unknown[]] => [
        "one",
        oneQuery(schema, null, x).text,
        oneQuery(schema, null, x).values ?? [],
      ]),
      ["claimDue", t.claimDue, [null, "e", "s", textArray(["w"]), textArray(["1"]), true, 5, 20, textArray(["t"])]],
      ["claimOne", t.claimOne, [null, "e", "s", textArray(["w"]), textArray(["1"]), true, "r", textArray(["t"])]],
      ["postLatest", t.postLatest, [null, "k", "s", "w", "signal", "n", "i", null, null]],
      ["postRun", t.postRun, [null, "k", "s", "r", "signal", "n", "i", null, null]],
      ["inboxOfOwner", t.inboxOfOwner, ["e"]],
      ["inboxOfRun", t.inboxOfRun, ["r", false]],
      ["run", t.run, ["r"]],
      ["latest", t.latest, ["s", "w"]],
      ["events", t.events, ["r", 0, 10]],
      ["lookup", t.lookup, [null, textArray(["r"]), textArray(["s"]), textArray(["k"]), textArray(["w"])]],
    ];
    const literal = (x: unknown): string => (x === null ? "null" : `'${String(x).replaceAll("'", "''")}'`);
    for (const [i, [name, text, values]] of statements.entries()) {
      await c.exec(`prepare p${i} as ${text}`);
      const { rows } = await c.exec(`explain execute p${i}(${values.map(literal).join(", ")})`);
      const plan = rows.map((r) => String(r["QUERY PLAN"]));
      // The list of engines is a handful of rows; runs, events and messages are found by an index condition, always.
      const broad = plan.filter((l, n) => {
        if (/Seq Scan on (runs|events|inbox|accepted)\b/.test(l)) return true;
        const index = /(?:Index(?: Only)? Scan|Bitmap Index Scan).* (?:using|on) (\w+)/.exec(l)?.[1];
        return index !== undefined && index !== "inbox_wakes" && index !== "engines_pkey" && !/Index Cond/.test(plan[n + 1] ?? "");
      });
      expect(
        broad.filter((l) => !/runs_due/.test(l)),
        `${name}:\n${plan.join("\n")}`,
      ).toEqual([]);
    }
  });

  it("steps stay where they are: no index is touched", async () => {
    const s = await store();
    let row = await owned(s, "a");
    for (let n = 1; n <= 30; n++) {
      await s.commit([next(row, { events: [event(n)] })]);
      row = { ...row, stateVersion: row.stateVersion + 1 };
    }
    const c = await raw();
    const stat = `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where schemaname = '${schema}' and relname = 'runs'`;
    await until(async () => Number((await c.exec(stat)).rows[0]?.["all"]) >= 31);
    const [{ all, hot } = { all: 0, hot: 0 }] = (await c.exec(stat)).rows as { all: number; hot: number }[];
    expect(all - hot).toBeLessThanOrEqual(3);
  });

  it("a batch is one round trip whatever its size, and a richer one takes no more for many than for one", async () => {
    const s = await store();
    const rows = await Promise.all(Array.from({ length: 20 }, (_, i) => owned(s, `r${i}`)));
    const proxy = await startProxy(Number(new URL(url).port));
    open.push(() => proxy.close());
    const counting = await store({ connectionsMax: 2 }, proxy.through(url));
    await counting.commit([next(rows[0]!), next(rows[1]!)]);
    const trips = async (batch: Parameters<Store["commit"]>[0]): Promise<number> => {
      const before = proxy.requests();
      const { answers } = await counting.commit(batch);
      expect(new Set(answers.map((a) => a.kind))).toEqual(new Set(["committed"]));
      return proxy.requests() - before;
    };
    const of = async (i: number): Promise<(typeof rows)[number]> => rowOf(s, `r${i}`);
    const plain = async (from: number, to: number): Promise<ReturnType<typeof next>[]> =>
      Promise.all(Array.from({ length: to - from }, async (_, k) => next(await of(from + k), { events: [event(1), event(2)] })));
    const rich = async (from: number, to: number): Promise<ReturnType<typeof next>[]> =>
      Promise.all(
        Array.from({ length: to - from }, async (_, k) =>
          next(await of(from + k), {
            views: [{ name: "v", value: "1" }],
            children: [create(`child-${from + k}`)],
            notices: [{ toRunId: "r0", kind: "signal", name: "n", id: String(from + k), payload: null }],
          }),
        ),
      );
    expect(await trips(await plain(2, 3))).toBe(1);
    expect(await trips(await plain(3, 13))).toBe(1);
    const one = await trips(await rich(13, 14));
    expect(await trips(await rich(14, 20))).toBe(one);
  });

  it("a listing narrows by every field, and a page begins after the last", async () => {
    const s = await store();
    await s.commit([create("a", { tags: { "quo'te": 'a"b' } }), create("b", { tags: {} })]);
    expect((await s.runs({ scope, limit: 9, tags: { "quo'te": 'a"b' } })).runs.map((r) => r.runId)).toEqual(["a"]);
  });
});

describe("transactions", () => {
  it("K11 a transaction that takes too long is rolled back, and what it sends later is refused", async () => {
    const s = await store();
    const row = await owned(s, "a");
    let late: Promise<unknown> | undefined;
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const user = async (tx: Parameters<Parameters<Store["transact"]>[0]>[0]): Promise<void> => {
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
          100,
        ),
      ),
    ).toEqual(["PAWL3011", "none"]);
    expect((await (await raw()).exec("select to_regclass('t')::text as t")).rows).toEqual([{ t: null }]);
    expect(await rowOf(s, "a")).toEqual(row);
  });

  it("K11 a statement that failed and was forgiven takes the transaction with it, and its error is told", async () => {
    const s = await store();
    const row = await owned(s, "a");
    const user = async (tx: Parameters<Parameters<Store["transact"]>[0]>[0]): Promise<string> => {
      await tx.query(["select 1 / 0"], []).catch(() => {});
      return "fine";
    };
    await expect(s.transact(user, () => next(row), 1_000)).rejects.toMatchObject({ code: "22012" });
    expect(await rowOf(s, "a")).toEqual(row);
  });

  it("K11 a deadlock between two transactions is resolved by running one of them again", async () => {
    const s = await store();
    const rows = [await owned(s, "a"), await owned(s, "b")];
    await (await raw()).exec("create table n (id int primary key, v int); insert into n values (1, 0), (2, 0)");
    let met = 0;
    let go = (): void => {};
    const both = new Promise<void>((resolve) => (go = resolve));
    const user =
      (first: number, second: number) =>
      async (tx: Parameters<Parameters<Store["transact"]>[0]>[0]): Promise<void> => {
        await tx.query(["update n set v = v + 1 where id = ", ""], [first]);
        if (++met === 2) go();
        await both;
        await tx.query(["update n set v = v + 1 where id = ", ""], [second]);
      };
    const done = await Promise.all(rows.map((row, i) => s.transact(user(i + 1, 2 - i), () => next(row), 5_000).then((d) => d.answer.kind)));
    expect(done).toEqual(["committed", "committed"]);
    expect(met).toBeGreaterThan(2);
    expect((await (await raw()).exec("select v from n order by id")).rows).toEqual([{ v: 2 }, { v: 2 }]);
  });
});

describe("content", () => {
  it("K9 K12 an id that no index can hold is refused alone, and the rest of its batch is written", async () => {
    const s = await store();
    // Random text, since what compresses well would fit after all.
    const long = Array.from({ length: 200 }, () => platform.randomHex(16)).join("");
    const { answers } = await s.commit([create("a"), create("b", { workflowId: long }), create("c")]);
    expect(answers.map((a) => a.kind)).toEqual(["committed", "refused", "committed"]);
    expect(answers[1]).toMatchObject({ reason: expect.stringContaining("PAWL3007") });
  });

  it("pool exhaustion queues and tells", async () => {
    const s = await store({ txConnectionsMax: 1 });
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
