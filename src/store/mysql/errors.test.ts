// What the driver's errors mean. The common ones are provoked on a real server, so that the table of numbers is true for
// the server and the driver at hand; what a test cannot provoke is shown as the driver would throw it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropDatabase, freshDatabase, rawConnection } from "../../../test/mysql/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../../../test/support/mariadb.ts";
import { PawlError } from "../../errors/error.ts";
import { bindable, type Connection } from "./wire/driver.ts";
import { isContent, isDriverError, isDuplicate, isLockWait, isLost, isNoSavepoint, isRetryable, storeError } from "./errors.ts";
import { lit, UnwritableValue } from "./wire/literal.ts";
import { proves } from "../../../test/support/proves.ts";

const thrown = (errno: number, code = "ER_X"): Error => Object.assign(new Error(code), { errno, code });

describe("errors", () => {
  it("a duplicate is known by its number, its code or its words, and no error is never a violation", proves("L-57"), () => {
    const words = new Error("Duplicate entry 'a' for key 'PRIMARY'");
    const code = Object.assign(new Error("x"), { code: "ER_DUP_ENTRY" });
    expect([thrown(1062), thrown(1586), words, code].map(isDuplicate)).toEqual([true, true, true, true]);
    expect([undefined, null, {}, new Error("x"), thrown(1213), thrown(1048)].map(isDuplicate)).toEqual(Array(6).fill(false));
  });

  it("deadlocks and lock time-outs are run again, nothing else is", proves("K7", "K11"), () => {
    expect([thrown(1213), thrown(1205), thrown(1020)].map(isRetryable)).toEqual([true, true, true]);
    expect([undefined, null, thrown(1062), thrown(2013), new Error("x")].map(isRetryable)).toEqual(Array(5).fill(false));
    expect([isLockWait(thrown(1205)), isLockWait(thrown(1213))]).toEqual([true, false]);
  });

  it("a lost connection is known by its number, by the socket's code, or because the driver calls it fatal", () => {
    const codes = ["PROTOCOL_CONNECTION_LOST", "ECONNRESET", "EPIPE", "ECONNREFUSED", "ETIMEDOUT"];
    expect(codes.map((code) => isLost(Object.assign(new Error("x"), { code })))).toEqual(Array(5).fill(true));
    expect([2006, 2013, 1927, 1053, 4031].map((n) => isLost(thrown(n)))).toEqual(Array(5).fill(true));
    expect(isLost(Object.assign(new Error("x"), { fatal: true }))).toBe(true);
    expect([undefined, null, thrown(1062), new Error("x")].map(isLost)).toEqual([false, false, false, false]);
  });

  it("what is known of a write depends on when it failed", proves("K10"), () => {
    const lost = Object.assign(new Error("gone"), { code: "PROTOCOL_CONNECTION_LOST", fatal: true });
    expect([storeError(lost, "statement").page, storeError(lost, "statement").outcome]).toEqual(["PAWL3002", "none"]);
    expect([storeError(lost, "commit").page, storeError(lost, "commit").outcome]).toEqual(["PAWL3002", "unknown"]);
    expect([storeError(thrown(1213), "commit").page, storeError(thrown(1213), "commit").outcome]).toEqual(["PAWL3001", "none"]);
    const own = new PawlError("PAWL3010", "x");
    expect(storeError(own, "commit")).toBe(own);
  });

  it("a value that no statement can carry is content, another program's error is not", () => {
    expect(isContent(new UnwritableValue("x"))).toBe(true);
    expect(() => lit(Number.NaN)).toThrow(UnwritableValue);
    expect([undefined, new RangeError("x"), new TypeError("x"), thrown(1213)].map(isContent)).toEqual(Array(4).fill(false));
    expect(() => bindable({ a: 1 })).toThrow(PawlError);
    expect([undefined, true, 7n].map(bindable)).toEqual([null, 1, "7"]);
  });
});

describe.skipIf(skipsWithoutMariadb())("errors of a server", () => {
  let url: string;
  let db: Connection;
  beforeAll(async () => {
    url = await freshDatabase(await sharedMariadb());
    db = await rawConnection(url);
    await db.query("set session sql_mode = 'STRICT_TRANS_TABLES', innodb_lock_wait_timeout = 1");
    await db.query("create table t (a varchar(3) primary key, b int not null) engine=InnoDB");
  });
  afterAll(async () => {
    await db.close();
    await dropDatabase(url);
  });
  const provoke = (text: string, on = db): Promise<unknown> =>
    on.query(text).then(
      () => undefined,
      (e: unknown) => e,
    );

  it("duplicates, values that do not fit and a missing savepoint are told apart", proves("L-57"), async () => {
    await db.query("insert into t values ('a', 1)");
    const [twice, long, nil, savepoint, syntax] = [
      await provoke("insert into t values ('a', 2)"),
      await provoke("insert into t values ('abcd', 2)"),
      await provoke("insert into t values ('b', null)"),
      await provoke("release savepoint nowhere"),
      await provoke("selekt 1"),
    ];
    expect([twice, long, nil, savepoint, syntax].map(isDuplicate)).toEqual([true, false, false, false, false]);
    expect([twice, long, nil, savepoint, syntax].map(isContent)).toEqual([true, true, true, false, false]);
    expect([twice, long, nil, savepoint, syntax].map(isNoSavepoint)).toEqual([false, false, false, true, false]);
    expect([twice, long, nil, savepoint, syntax].map(isDriverError)).toEqual(Array(5).fill(true));
  });

  it("a row that is held gives a lock time-out, two who wait for each other a deadlock, a killed session a loss", async () => {
    await db.query("insert into t values ('c', 1), ('d', 1)");
    const other = await rawConnection(url);
    await other.query("set session innodb_lock_wait_timeout = 1");
    await db.query("begin");
    await db.query("update t set b = 2 where a = 'c'");
    const waited = await provoke("update t set b = 3 where a = 'c'", other);
    expect([isLockWait(waited), isRetryable(waited), isLost(waited)]).toEqual([true, true, false]);
    await other.query("set session innodb_lock_wait_timeout = 20");
    await other.query("begin");
    await other.query("update t set b = 3 where a = 'd'");
    const both = await Promise.all([provoke("update t set b = 2 where a = 'd'"), provoke("update t set b = 3 where a = 'c'", other)]);
    expect(both.filter((e) => e !== undefined && isRetryable(e) && !isLockWait(e))).toHaveLength(1);
    await db.query("rollback");
    const id = Number((await other.query("select connection_id() as id")).rows[0]?.["id"]);
    await db.query(`kill ${id}`);
    expect(isLost(await provoke("select 1", other))).toBe(true);
    expect(other.lost).toBe(true);
  });
});
