// What the driver's errors mean, met for real: each code is provoked on a real database, so that the table of codes is
// true for the driver at hand and not only on paper.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PawlError } from "../../errors/error.ts";
import { virtualPlatform } from "../../platform/virtual.ts";
import { bindable, openConnection } from "./wire/driver.ts";
import { busyError, isBusy, isClash, isContent, isDriverError, storeError } from "./errors.ts";
import type { Statements } from "./rows.ts";
import { openSqlite } from "./store.ts";
import { Mutex, Writer } from "./wire/writer.ts";
import { proves } from "../../../test/support/proves.ts";

const defaultScope = { tenantId: "t", projectId: "p", environmentId: "e" };

async function provoke(...statements: string[]): Promise<unknown> {
  const db = await openConnection(":memory:");
  try {
    for (const s of statements) db.exec(s);
  } catch (e) {
    return e;
  } finally {
    db.close();
  }
  return undefined;
}

describe("errors", () => {
  it("a uniqueness rule is told apart from every other error, and nothing is never one", proves("L-57"), async () => {
    const table = "create table t (a text primary key, b integer not null, c text unique) strict";
    const row = "insert into t values ('x', 1, 'y')";
    const primary = await provoke(table, row, "insert into t values ('x', 1, 'z')");
    const unique = await provoke(table, row, "insert into t values ('z', 1, 'y')");
    const missing = await provoke(table, "insert into t values ('x', null, 'y')");
    const mistyped = await provoke(table, "insert into t values ('x', 'one', 'y')");
    const syntax = await provoke("selekt 1");
    expect([primary, unique, missing, mistyped, syntax, undefined, null].map(isClash)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([primary, unique, missing, mistyped, syntax].map(isContent)).toEqual([true, true, true, true, false]);
    expect([primary, syntax, new TypeError("x"), undefined].map(isDriverError)).toEqual([true, true, false, false]);
  });

  it("an error is the same for a statement that gives many rows, where one driver leaves its code out", proves("L-57"), async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-errors-"));
    const [a, b] = [await openConnection(join(dir, "x.db")), await openConnection(join(dir, "x.db"))];
    const thrown = (db: typeof a, text: string): unknown => {
      try {
        return db.prepare(text).all();
      } catch (e) {
        return e;
      }
    };
    a.exec("pragma journal_mode = wal; create table t (a integer primary key); insert into t values (1)");
    const clash = thrown(a, "insert into t values (1) returning a");
    a.exec("begin immediate");
    const locked = thrown(b, "insert into t values (2) returning a");
    expect([clash, locked].map((e) => [isDriverError(e), isClash(e), isContent(e), isBusy(e)])).toEqual([
      [true, true, true, false],
      [true, false, false, true],
    ]);
    a.close();
    b.close();
    rmSync(dir, { recursive: true });
  });

  it("a file that is no database, or is damaged, is named as that, for a read as for a write", async () => {
    const dir = mkdtempSync(join(tmpdir(), "pawl-errors-"));
    const [text, torn] = [join(dir, "text.db"), join(dir, "torn.db")];
    writeFileSync(text, "a letter, not a database\n".repeat(100));
    await expect(openSqlite(text, virtualPlatform())).rejects.toMatchObject({ code: "PAWL3013" });
    const store = await openSqlite(torn, virtualPlatform());
    await store.close();
    const bytes = readFileSync(torn);
    bytes.fill(0x5a, 4_096); // all pages but the first, which has the schema's beginning
    writeFileSync(torn, bytes);
    const read = async (): Promise<unknown> => {
      const damaged = await openSqlite(torn, virtualPlatform());
      try {
        return await damaged.runs({ scope: defaultScope, limit: 1 });
      } finally {
        await damaged.close();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "PAWL3013" });
    rmSync(dir, { recursive: true });
  });

  it("what cannot be bound is the content's fault", async () => {
    const db = await openConnection(":memory:");
    const insert = db.prepare("select ?");
    for (const bad of [undefined, Symbol("x")]) {
      let thrown: unknown;
      try {
        insert.get(bad as unknown as string);
      } catch (e) {
        thrown = e;
      }
      expect(isContent(thrown), String(bad)).toBe(true);
    }
    expect([undefined, null, true, false, 1, "a"].map(bindable)).toEqual([null, null, 1, 0, 1, "a"]);
    for (const object of [{ a: 1 }, new Date(0), [1], () => 1]) expect(() => bindable(object)).toThrow(/parameter/);
    db.close();
  });

  it("a failed statement wrote nothing, a failed COMMIT is unknown, a busy one wrote nothing", proves("K10", "L-20"), () => {
    const io = Object.assign(new Error("disk I/O error"), { errcode: 10 });
    const busy = Object.assign(new Error("locked"), { errcode: 5 | (2 << 8) });
    expect([storeError(io, "statement").outcome, storeError(io, "commit").outcome, storeError(busy, "commit").outcome]).toEqual([
      "none",
      "unknown",
      "none",
    ]);
    expect([isBusy(busy), isBusy(io)]).toEqual([true, false]);
    expect(storeError(io, "commit")).toMatchObject({ page: "PAWL3002", cause: io });
    const own = new PawlError("PAWL3009", "closed");
    expect(storeError(own, "commit")).toBe(own);
    expect(busyError(5_001)).toMatchObject({ page: "PAWL3001", outcome: "none" });
  });

  it(
    "a writer whose COMMIT fails says that nobody knows, one whose statement fails that nothing was written",
    proves("K10", "L-20"),
    async () => {
      const db = await openConnection(":memory:");
      const fails = (): never => {
        throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
      };
      const st = { begin: { run: () => {} }, commit: { run: fails } } as unknown as Statements;
      const writer = new Writer(db, st, new Mutex(), virtualPlatform());
      await expect(writer.write(() => 1)).rejects.toMatchObject({ page: "PAWL3002", outcome: "unknown" });
      await expect(writer.write(fails)).rejects.toMatchObject({ page: "PAWL3002", outcome: "none" });
      expect(() => writer.tryWrite(() => 1, {})).toThrow(expect.objectContaining({ outcome: "unknown" }) as Error);
      db.close();
    },
  );
});
