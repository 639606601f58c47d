// How much work the server does: what a statement reads, what an update touches, how often a client waits. Figures that
// depend on the machine are not here; these facts do not.
import { describe, expect, it } from "vitest";
import { fixture, until } from "../../../test/postgres/fixture.ts";
import { broadReads, planOf } from "../../../test/postgres/plan-reads.ts";
import { extraRuns, insertExtraRuns, extraRunsTimeoutMs } from "../../../test/support/many-runs.ts";
import { startProxy } from "../../../test/support/postgres-proxy.ts";
import { encodeCursor, scopeKey } from "../keys.ts";
import type { RunQuery, Store } from "../port.ts";
import { numbered } from "../sql/dialect.ts";
import { runsStatement, scanEndStatement } from "../sql/run-pages.ts";
import { create, event, next, owned, rowOf, scope } from "../suite/build.ts";
import { effect } from "../suite/effects.ts";
import { manyQuery, oneQuery } from "./commit-sql.ts";
import { postgresDialect } from "./dialect.ts";
import type { Bind } from "./wire/driver.ts";
import { textArray } from "./wire/array-parameters.ts";
import { ownOptions } from "./open.ts";
import { texts } from "./sql.ts";

const f = fixture();

describe("plans", () => {
  it(
    "no statement on the path of a claim, a Commit, a message or a timer reads a table from end to end",
    { timeout: extraRunsTimeoutMs },
    async () => {
      const s = await f.store();
      await s.commit([create("a", {}, { events: [event(1)] })]);
      const row = await rowOf(s, "a");
      const c = await f.raw(ownOptions);
      await c.exec("set statement_timeout = 0; set lock_timeout = 0"); // the server may be looking at so many rows itself
      for (const text of insertExtraRuns(`${f.schema}.runs`, scopeKey(row.scope), (n) => `generate_series(1, ${n}) as g (seq)`, "false"))
        await c.exec(text);
      if (extraRuns > 0) await c.exec(`analyze ${f.schema}.runs`);
      const t = texts(f.schema);
      const commits = [
        next(row, { events: [event(2)] }),
        next({ ...row, runId: "z" }, { status: "COMPLETED", commitId: "z" }),
        create("n"),
        next(row, { events: [event(2)], taken: [1, 2], consumed: [1] }),
      ];
      const statements: [string, string, readonly Bind[]][] = [
        ["many", manyQuery(f.schema, null, commits, undefined).text, manyQuery(f.schema, null, commits, undefined).values ?? []],
        ...commits.map((x): [string, string, readonly Bind[]] => [
          "one",
          oneQuery(f.schema, null, x).text,
          oneQuery(f.schema, null, x).values ?? [],
        ]),
        ["claimDue", t.claimDue, [null, "e", "s", textArray(["w"]), textArray(["1"]), true, 5, 20, textArray(["t"])]],
        ["claimOne", t.claimOne, [null, "e", "s", textArray(["w"]), textArray(["1"]), true, "r", textArray(["t"])]],
        ["postLatest", t.postLatest, [null, "k", "s", "w", "signal", "n", "i", null, null, 1, "", "", true, null, "d"]],
        ["postRun", t.postRun, [null, "k", "s", "r", "signal", "n", "i", null, null, 1, "", "", true, null, "d"]],
        ["inboxOfOwner", t.inboxOfOwner, ["e"]],
        ["owned", t.owned, ["e", 5_000]],
        ["inboxOfRun", t.inboxOfRun, ["r", false]],
        ["run", t.run, ["r"]],
        ["latest", t.latest, ["s", "w"]],
        ["a canary that must be noticed", `select run_id from ${f.schema}.runs where created_at = $1`, [1]],
        ["events", t.events, ["r", 0, 10]],
        ["lookup", t.lookup, [null, textArray(["r"]), textArray(["s"]), textArray(["k"]), textArray(["w"])]],
      ];
      for (const [name, text, values] of statements) {
        const plan = await planOf(c, text, values);
        const expected = name === "a canary that must be noticed" ? 1 : 0;
        expect(broadReads(plan).length, `${name}:\n${plan.join("\n")}`).toBe(expected);
      }
    },
  );

  it("listings go along one index, and look no further than it", { timeout: extraRunsTimeoutMs }, async () => {
    const s = await f.store();
    await s.commit(Array.from({ length: 200 }, (_, i) => create(`r${i}`, { parentRunId: i % 50 === 0 ? "p" : null })));
    const c = await f.raw(ownOptions);
    await c.exec("set statement_timeout = 0; set lock_timeout = 0");
    for (const text of insertExtraRuns(`${f.schema}.runs`, scopeKey(scope), (n) => `generate_series(1, ${n}) as g (seq)`, "false"))
      await c.exec(text);
    await c.exec(`analyze ${f.schema}.runs`);
    const dialect = postgresDialect({ setting: { schema: f.schema } } as Parameters<typeof postgresDialect>[0]);
    const plans = async (narrow: Partial<RunQuery>): Promise<string[]> => {
      const q = { scope, limit: 9, cursor: encodeCursor({ createdAt: 9e12, runId: "r" }), ...narrow };
      const both = [runsStatement(dialect, q, { createdAt: 1, runId: "a" }), scanEndStatement(dialect, q)].filter((x) => x !== undefined);
      const all: string[] = [];
      for (const { text, values } of both) all.push((await planOf(c, numbered(text), values as readonly Bind[])).join("\n"));
      return all;
    };
    const cases: readonly (readonly [Partial<RunQuery>, string])[] = [
      [{}, "runs_newest"],
      [{ status: ["RUNNING"], since: 1 }, "runs_newest"],
      [{ tags: { a: "b" } }, "runs_newest"],
      [{ errorCode: "E" }, "runs_unusual"],
      [{ status: ["FAILED", "PAUSED"], workflow: "order" }, "runs_unusual"],
      [{ parentRunId: "p" }, "runs_parent"],
      [{ waiting: "decision", workflow: "order" }, "runs_decision"],
    ];
    for (const [q, index] of cases) {
      for (const plan of await plans(q)) {
        expect(plan, JSON.stringify(q)).toMatch(new RegExp(` ${index}( on runs)?  \\(`));
        expect(plan, JSON.stringify(q)).not.toContain("Seq Scan");
        // A page is between two places, and may be sorted if it is small; its end is found by walking along the index.
        if (plan.includes("width=24")) expect(plan, JSON.stringify(q)).not.toMatch(/^\s*(->\s*)?Sort /m);
      }
    }
  });

  it("known keys are looked up one by one, however long the log is", async () => {
    const s = await f.store();
    await s.commit([create("a", {}, { events: Array.from({ length: 200 }, (_, i) => event(i + 1)) })]);
    const c = await f.raw(ownOptions);
    await c.exec(`analyze ${f.schema}.events`);
    await c.exec(`prepare known as ${texts(f.schema).eventsByKeys}`);
    const { rows } = await c.exec("explain execute known('a', '{k1,k2}')");
    const plan = rows.map((r) => String(r["QUERY PLAN"])).join("\n");
    expect(plan).toContain("using events_key");
    expect(plan).not.toMatch(/events_pkey|Seq Scan on events/);
  });

  it("steps and the outcomes of effects stay where they are: no index is touched", async () => {
    const s = await f.store();
    let row = await owned(s, "a");
    for (let n = 1; n <= 30; n++) {
      // As a step does: the outcome of the last effect, and the start of the next.
      const ended = n === 1 ? [] : [effect(n - 1, { status: "completed", phase: "settled", eventSeq: n })];
      await s.commit([next(row, { events: [event(n)], effects: [...ended, effect(n)] })]);
      row = { ...row, stateVersion: row.stateVersion + 1 };
    }
    await s.close(); // a session tells its figures when it ends
    const c = await f.raw();
    const moved = async (table: string, wanted: number): Promise<number> => {
      const stat = `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where schemaname = '${f.schema}' and relname = '${table}'`;
      await until(async () => Number((await c.exec(stat)).rows[0]?.["all"]) >= wanted);
      const [{ all, hot } = { all: 0, hot: 0 }] = (await c.exec(stat)).rows as { all: number; hot: number }[];
      return all - hot;
    };
    expect(await moved("runs", 31)).toBeLessThanOrEqual(3);
    expect(await moved("effects", 29)).toBeLessThanOrEqual(3);
  });

  it("a batch is one round trip whatever its size, and a richer one takes no more for many than for one", async () => {
    const s = await f.store();
    const rows = await Promise.all(Array.from({ length: 20 }, (_, i) => owned(s, `r${i}`)));
    const proxy = await startProxy(Number(new URL(f.url).port));
    f.closing.push(() => proxy.close());
    const counting = await f.store({ connectionsMax: 2 }, proxy.through(f.url));
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
    // As an outcome that a worker reported: what was taken from the inbox is marked by the same statement.
    const adopting = async (from: number, to: number): Promise<ReturnType<typeof next>[]> =>
      (await plain(from, to)).map((c) => ({ ...c, events: [event(3)], taken: [1, 2], consumed: [1] }));
    expect(await trips(await adopting(2, 3))).toBe(1);
    expect(await trips(await adopting(3, 13))).toBe(1);
    const one = await trips(await rich(13, 14));
    expect(await trips(await rich(14, 20))).toBe(one);
  });
});
