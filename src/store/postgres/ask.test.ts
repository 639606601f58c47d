// A prepared statement as it is spoken to the driver: on a real server, that it is parsed and described once per session,
// also when its first asking failed, and that what comes back is what the driver's own form would give; broken answers
// must never be taken for empty ones.
import { describe, expect, it } from "vitest";
import { sharedPostgres } from "../../../test/support/postgres.ts";
import { Ask, type Wire } from "./ask.ts";
import { connect, type Connection } from "./driver.ts";

async function withSession(body: (c: Connection) => Promise<void>): Promise<void> {
  const c = await connect({ connectionString: await sharedPostgres(), options: "", connectMsMax: 5_000 });
  try {
    await body(c);
  } finally {
    await c.end();
  }
}

describe("a prepared statement", () => {
  it("answers with typed rows and the command's count, the second time as the first", () =>
    withSession(async (c) => {
      const q = { name: "a", text: "select $1::bigint as n, $2::text as t, $3::boolean as b, null::int as x", values: [5, "ü\\\"'", true] };
      for (let i = 0; i < 3; i++) {
        expect(await c.query(q)).toEqual({ rows: [{ n: 5, t: "ü\\\"'", b: true, x: null }], changes: 1, command: "SELECT" });
      }
      await c.exec("create temp table ask (n int)");
      const insert = { name: "b", text: "insert into ask select * from generate_series(1, $1::int)", values: [3] };
      for (let i = 0; i < 2; i++) expect(await c.query(insert)).toEqual({ rows: [], changes: 3, command: "INSERT" });
    }));

  it("that fails is refused with the server's code, and can be asked again", () =>
    withSession(async (c) => {
      const q = (n: number) => ({ name: "div", text: "select 10 / $1::int as n", values: [n] });
      await expect(c.query(q(0))).rejects.toMatchObject({ code: "22012" });
      expect((await c.query(q(2))).rows).toEqual([{ n: 5 }]);
      await expect(c.query(q(0))).rejects.toMatchObject({ code: "22012" });
      expect((await c.query(q(5))).rows).toEqual([{ n: 2 }]);
      await expect(c.query({ name: "none", text: "select * from no_such_table", values: [] })).rejects.toMatchObject({ code: "42P01" });
      await expect(c.query({ name: "none", text: "select * from no_such_table", values: [] })).rejects.toMatchObject({ code: "42P01" });
    }));

  it("whose session is cut is refused, not answered", () =>
    withSession(async (c) => {
      const asked = c.query({ name: "slow", text: "select pg_sleep(30)", values: [] });
      c.destroy();
      await expect(asked).rejects.toThrow(/terminated|closed|reset/);
    }));

  it("is parsed and described once per session", () => {
    const said: string[] = [];
    const parsed: Record<string, string> = {};
    const wire: Wire = {
      stream: { cork: () => {}, uncork: () => {} },
      parsedStatements: parsed,
      parse: (m) => void said.push(`parse ${m.name}`),
      bind: () => void said.push("bind"),
      describe: () => void said.push("describe"),
      execute: () => void said.push("execute"),
      sync: () => void said.push("sync"),
    };
    const shapes = new Map();
    const ask = (): Ask =>
      new Ask(
        { name: "q", text: "select 1 as x", values: [] },
        shapes,
        () => Number,
        () => {},
      );
    const first = ask();
    first.submit(wire);
    parsed["q"] = "select 1 as x"; // the driver takes note of it
    first.handleRowDescription({ fields: [{ name: "x", dataTypeID: 23 }] });
    ask().submit(wire);
    expect(said).toEqual(["parse q", "bind", "describe", "execute", "sync", "bind", "execute", "sync"]);
  });
});
