// Which statements a user's own client may not send inside ctx.tx, dialect by dialect: a word in a string, a comment or a name is none,
// and a statement behind another, or in a comment that a server runs, is one. Guards that the clear answer comes for the plain mistake.
import { expect, it } from "vitest";
import { proves } from "../../../test/support/proves.ts";
import { isPawlError } from "../../errors/error.ts";
import { checkStatement, type SqlDialect } from "./statement-guard.ts";

const refused = (text: string, dialect: SqlDialect): boolean => {
  try {
    checkStatement(text, dialect);
    return false;
  } catch (e) {
    if (isPawlError(e, "PAWL1021")) return true;
    throw e;
  }
};
const all: readonly SqlDialect[] = ["postgres", "mysql", "sqlite"];

it("what begins or ends a transaction is refused, wherever it stands", proves("K11"), () => {
  const texts = [
    "begin",
    "BEGIN IMMEDIATE",
    "start  transaction",
    "Commit;",
    "end",
    "rollback",
    "rollback work",
    "select 1; commit",
    "-- a word\ncommit",
    "/* a */ rollback",
    "select ';'; commit",
    "release pawl_0f",
    "rollback to savepoint pawl_0f",
    'rollback to "pawl_0f"',
  ];
  for (const d of all)
    expect(
      texts.filter((t) => !refused(t, d)),
      d,
    ).toEqual([]);
  expect(refused("abort", "postgres") && refused("prepare transaction 'x'", "postgres")).toBe(true);
});

it("a word inside of something else is none", proves("K11"), () => {
  const texts = [
    "select 'commit; begin'",
    'select "commit" from t',
    "select 1 -- ; commit",
    "/* ; commit */ select 1",
    "update t set a = 'it''s; rollback'",
    "savepoint mine",
    "release savepoint mine",
    "rollback to mine",
    "insert into beginnings values (1)",
    "select 1;",
  ];
  for (const d of all)
    expect(
      texts.filter((t) => refused(t, d)),
      d,
    ).toEqual([]);
  expect(refused("do $x$ begin perform 1; end $x$", "postgres")).toBe(false);
  expect(refused("select E'\\'; commit --'", "postgres")).toBe(false);
  expect(refused("select `a;commit` from t", "mysql") || refused("select [a;commit] from t", "sqlite")).toBe(false);
  expect(refused("create trigger x after insert on t begin select 1; end", "sqlite")).toBe(false);
});

it("on MySQL, what commits without a word is refused as well", proves("K11"), () => {
  const texts = [
    "create table t (a int)",
    "ALTER TABLE t add b int",
    "truncate t",
    "set autocommit = 1",
    "/*!50000 commit */",
    "/*M! commit */",
    "xa start 'x'",
  ];
  expect(texts.filter((t) => !refused(t, "mysql"))).toEqual([]);
  expect(["create temporary table t (a int)", "drop temporary table t", "set @a = 1"].filter((t) => refused(t, "mysql"))).toEqual([]);
  expect(refused("create table t (a int)", "postgres") || refused("create table t (a int)", "sqlite")).toBe(false);
});
