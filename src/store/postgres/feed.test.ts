// The feed on a real Postgres: triggers that are there only while somebody reads along, transactions that are open while
// somebody joins, plans and pages of the tables behind it. What every store does alike is in the suite.
import { describe, expect, it } from "vitest";
import { fixture, until } from "../../../test/postgres/fixture.ts";
import type { FullStore } from "../full-store.ts";
import { create, event, next, owned, rowOf, scope } from "../suite/build.ts";
import { feedTriggers } from "./feed.ts";
import { proves } from "../../../test/support/proves.ts";

const f = fixture();
const reader = { scope, name: "reader" };
const runsOf = async (s: FullStore, name = "reader"): Promise<string[]> =>
  (await s.feed.next({ consumer: { scope, name }, limit: 99 })).map((r) => r.runId);

async function triggers(): Promise<number> {
  const c = await f.raw();
  const { rows } = await c.exec(
    `select count(*)::int as n from pg_trigger where tgrelid = '${f.schema}.runs'::regclass and not tgisinternal`,
  );
  return Number(rows[0]?.["n"]);
}

describe("the feed's triggers", () => {
  it("exist while somebody has joined, and only then", async () => {
    const s = await f.store();
    expect(await triggers()).toBe(0);
    await s.feed.join(reader, "now");
    await s.feed.join({ scope, name: "second" }, "now");
    expect(await triggers()).toBe(feedTriggers(f.schema).length);
    await s.feed.leave(reader);
    expect(await triggers()).toBe(2);
    await s.feed.leave({ scope, name: "second" });
    expect(await triggers()).toBe(0);
  });

  it("leave steps where they are: no index of the runs is touched for the sake of the feed", async () => {
    const s = await f.store();
    await s.feed.join(reader, "now");
    let row = await owned(s, "a");
    for (let n = 1; n <= 30; n++) {
      await s.commit([next(row, { events: [event(n)] })]);
      row = { ...row, stateVersion: row.stateVersion + 1 };
    }
    expect((await runsOf(s)).length).toBe(30);
    await s.close(); // a session tells its figures when it ends
    const c = await f.raw();
    const stat = `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where schemaname = '${f.schema}' and relname = 'runs'`;
    await until(async () => Number((await c.exec(stat)).rows[0]?.["all"]) >= 31);
    const [{ all, hot } = { all: 0, hot: 0 }] = (await c.exec(stat)).rows as { all: number; hot: number }[];
    expect(all - hot).toBeLessThanOrEqual(3);
  });
});

describe("joining", () => {
  it.each([
    ["the first to come", undefined],
    ["one more", "before"],
  ])("waits for a transaction that has written a run and not yet ended: %s", proves("LX-21"), async (_, before) => {
    const s = await f.store();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    if (before !== undefined) await s.feed.join({ scope, name: before }, "now");
    const c = await f.raw();
    await c.exec(`begin; update ${f.schema}.runs set head_seq = 2 where run_id = 'a'`);
    const [fromStart, fromNow] = ["start", "now"].map((from) => s.feed.join({ scope, name: from }, from as "start" | "now"));
    let joined = false;
    void fromStart?.then(() => (joined = true));
    const waits = `select 1 from pg_locks where not granted and relation = '${f.schema}.runs'::regclass`;
    const other = await f.raw();
    await until(async () => (await other.exec(waits)).rows.length > 0);
    expect([joined, await s.feed.consumers(scope)]).toMatchObject([false, before === undefined ? [] : [{ name: before }]]);
    await c.exec("commit");
    expect(await Promise.all([fromStart, fromNow])).toEqual(["joined", "joined"]);
    const [row] = await s.feed.next({ consumer: { scope, name: "start" }, limit: 9 });
    expect(row?.headSeq, "what that transaction wrote is among the runs that are there").toBe(2);
    await s.commit([next(await rowOf(s, "a"), { events: [event(3)] })]);
    expect(await runsOf(s, "now")).toEqual(["a"]);
  });

  it("that was cut short before all runs were laid out is finished by whoever joins next", proves("LX-21"), async () => {
    const s = await f.store();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    await s.feed.join(reader, "now");
    const c = await f.raw();
    await c.exec(`update ${f.schema}.consumers set filled = false`);
    expect(await s.feed.join(reader, "start")).toBe("joined");
    expect([await runsOf(s), await s.feed.join(reader, "start")]).toEqual([["a"], "known"]);
  });
});

it("who joins from the start has a row for every run, however many pages they fill", proves("LX-21"), async () => {
  const s = await f.store();
  await s.commit([create("a", {}, { events: [event(1)] })]);
  const c = await f.raw();
  // Ids fall while times rise, and many share a time: neither alone says where a page ends.
  const other = "jsonb_build_object('run_id', 'x' || (9999 - i), 'workflow_id', 'w' || i, 'created_at', r.created_at + i / 3)";
  await c.exec(
    `insert into ${f.schema}.runs select (jsonb_populate_record(null::${f.schema}.runs, to_jsonb(r) || ${other})).* ` +
      `from ${f.schema}.runs r, generate_series(1, 2300) i where r.run_id = 'a'`,
  );
  await s.feed.join(reader, "start");
  expect(await s.feed.consumers(scope)).toMatchObject([{ waiting: 2_301 }]);
  const rows = await s.feed.next({ consumer: reader, limit: 3_000 });
  expect(new Set(rows.map((r) => r.runId)).size).toBe(2_301);
});

describe("plans", () => {
  it("what readers ask is found by an index, however many rows wait for others", async () => {
    const s = await f.store();
    await s.feed.join(reader, "now");
    const c = await f.raw();
    await c.exec(`insert into ${f.schema}.feed (consumer_id, run_id, head_seq) select 999, 'r' || n, 1 from generate_series(1, 20000) n`);
    await c.exec(`insert into ${f.schema}.shelves select 's', 'k' || n, 'v', 1, 1 from generate_series(1, 20000) n`);
    await c.exec(`analyze ${f.schema}.feed; analyze ${f.schema}.shelves`);
    const plan = async (text: string): Promise<string> =>
      (await c.exec(`explain ${text}`)).rows.map((r) => String(r["QUERY PLAN"])).join("\n");
    const id = `(select consumer_id from ${f.schema}.consumers where scope = 's' and name = 'n')`;
    expect(await plan(`select * from ${f.schema}.feed where consumer_id = ${id} order by position limit 9`)).toMatch(
      /Index Scan using feed_pkey on feed .*\n.*Index Cond: .consumer_id = /,
    );
    const listed = await plan(`select * from ${f.schema}.shelves where shelf = 's' and key > 'k5' and key < 'k6' order by key limit 9`);
    expect(listed).toContain("shelves_pkey");
    expect(listed).not.toContain("Sort");
  });
});
