// The feed on a real server: triggers that are there only while somebody reads along, transactions that are open while
// somebody joins. What every store does alike is in the suite.
import { afterEach, describe, expect, it } from "vitest";
import { mysqlBundle, rawConnection } from "../../../test/mysql/bundle.ts";
import { skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import type { FullStore } from "../full-store.ts";
import { create, event, next, rowOf, scope } from "../suite/build.ts";
import type { Connection } from "./wire/driver.ts";
import { proves } from "../../../test/support/proves.ts";

const reader = { scope, name: "reader" };
const runsOf = async (s: FullStore, name = "reader"): Promise<string[]> =>
  (await s.feed.next({ consumer: { scope, name }, limit: 99 })).map((r) => r.runId);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
async function opened(compound?: boolean): Promise<{ s: FullStore; raw: Connection; again: () => Promise<Connection> }> {
  const b = await mysqlBundle(virtualPlatform(), compound);
  closing.push(() => b.close());
  const again = async (): Promise<Connection> => {
    const c = await rawConnection(b.outside().url);
    closing.push(() => c.close());
    return c;
  };
  return { s: b.store, raw: await again(), again };
}
async function triggers(c: Connection): Promise<number> {
  const { rows } = await c.query("select count(*) as n from information_schema.triggers where trigger_schema = database()");
  return Number(rows[0]?.["n"]);
}
async function until(fact: () => Promise<boolean>): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.skipIf(skipsWithoutMariadb())("the feed on MySQL", () => {
  it("its triggers exist while somebody has joined, and only then", async () => {
    const { s, raw } = await opened();
    expect(await triggers(raw)).toBe(0);
    await s.feed.join(reader, "now");
    await s.feed.join({ scope, name: "second" }, "now");
    expect(await triggers(raw)).toBe(2);
    await s.feed.leave(reader);
    expect(await triggers(raw)).toBe(2);
    await s.feed.leave({ scope, name: "second" });
    expect(await triggers(raw)).toBe(0);
  });

  it.each([[undefined], [false]])("a Commit says when it was written, trigger or not (compound: %s)", async (compound) => {
    const { s } = await opened(compound);
    await s.feed.join(reader, "now");
    await s.commit([create("a", {}, { events: [event(1)] })]);
    const { nowMs } = await s.info();
    const { answers } = await s.commit([next(await rowOf(s, "a"), { events: [event(2)], due: { at: null, inMs: 5 } })]);
    expect(answers).toEqual([{ kind: "committed", persistedAt: nowMs, dueAt: nowMs + 5, children: [] }]);
    expect((await s.events({ runId: "a", after: 1, limit: 9 })).map((e) => e.persistedAt)).toEqual([nowMs]);
  });

  it.each([
    ["the first to come", undefined],
    ["one more", "before"],
  ])("joining waits for a transaction that has written a run and not yet ended: %s", proves("LX-21"), async (_, before) => {
    const { s, raw, again } = await opened();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    if (before !== undefined) await s.feed.join({ scope, name: before }, "now");
    await raw.query("start transaction");
    await raw.query("update pawl_runs set head_seq = 2 where run_id = 'a'");
    let joined = false;
    const joining = s.feed.join({ scope, name: "start" }, "start").then((a) => {
      joined = true;
      return a;
    });
    const other = await again();
    const waits = "select count(*) as n from information_schema.processlist where info like 'create trigger%' or info like '%for update'";
    await until(async () => Number((await other.query(waits)).rows[0]?.["n"]) > 0);
    expect([joined, (await s.feed.consumers(scope)).map((c) => c.name)]).toEqual([false, before === undefined ? [] : [before]]);
    await raw.query("commit");
    expect(await joining).toBe("joined");
    const [row] = await s.feed.next({ consumer: { scope, name: "start" }, limit: 9 });
    expect(row?.headSeq, "what that transaction wrote is among the runs that are there").toBe(2);
    await s.commit([next(await rowOf(s, "a"), { events: [event(3)] })]);
    expect(await runsOf(s, "start")).toEqual(["a", "a"]);
  });

  it("a run whose scope has no consumer is waited for as well", proves("LX-21"), async () => {
    const { s, raw, again } = await opened();
    await s.feed.join({ scope: { ...scope, tenantId: "another" }, name: "reader" }, "now");
    await s.commit([create("a", {}, { events: [event(1)] })]);
    await raw.query("set session transaction isolation level read committed");
    await raw.query("start transaction");
    await raw.query("update pawl_runs set head_seq = 2 where run_id = 'a'");
    const joining = s.feed.join(reader, "start");
    const other = await again();
    const waits = "select count(*) as n from information_schema.processlist where info like '%for update'";
    await until(async () => Number((await other.query(waits)).rows[0]?.["n"]) > 0);
    await raw.query("commit");
    await joining;
    expect((await s.feed.next({ consumer: reader, limit: 9 })).map((r) => r.headSeq)).toEqual([2]);
  });

  it("a join that was cut short before all runs were laid out is finished by whoever joins next", proves("LX-21"), async () => {
    const { s, raw } = await opened();
    await s.commit([create("a", {}, { events: [event(1)] })]);
    await s.feed.join(reader, "now");
    await raw.query("update pawl_consumers set filled = 0");
    expect(await s.feed.join(reader, "start")).toBe("joined");
    expect([await runsOf(s), await s.feed.join(reader, "start")]).toEqual([["a"], "known"]);
  });
});
