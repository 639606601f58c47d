// A prepared statement as it is spoken to the driver: on a real server, that it is parsed and described once per session,
// also when its first asking failed, and that what comes back is what the driver's own form would give; broken answers
// must never be taken for empty ones. And what it is given: columns of many rows, which arrive as they are or not at all.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedPostgres } from "../../../../test/support/postgres.ts";
import { isWellFormedText } from "../../../core/names.ts";
import { PreparedQuery, type PgWire } from "./prepared-query.ts";
import { openConnection, type Connection } from "./driver.ts";
import type { Cell, ColumnKind } from "../../sql/columns.ts";
import { ArrayParameter } from "./array-parameters.ts";
import { BindMessage } from "./bind-message.ts";
import { proves } from "../../../../test/support/proves.ts";

async function withSession(body: (c: Connection) => Promise<void>): Promise<void> {
  const c = await openConnection({ connectionString: await sharedPostgres(), options: "", connectMsMax: 5_000 });
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

  it("whose session is cut is refused, not answered", proves("K10"), () =>
    withSession(async (c) => {
      const asked = c.query({ name: "slow", text: "select pg_sleep(30)", values: [] });
      c.destroy();
      await expect(asked).rejects.toThrow(/terminated|closed|reset/);
    }),
  );

  it("is parsed and described once per session", () => {
    const said: string[] = [];
    const parsed: Record<string, string> = {};
    const wire: PgWire = {
      stream: { cork: () => {}, uncork: () => {}, write: (bytes) => void said.push(messages(bytes)) },
      parsedStatements: parsed,
      parse: (m) => void said.push(`parse ${m.name}`),
    };
    const shared = { columnsByName: new Map(), message: new BindMessage() };
    const ask = (): PreparedQuery =>
      new PreparedQuery(
        { name: "q", text: "select 1 as x", values: [] },
        shared,
        () => Number,
        () => {},
      );
    const first = ask();
    first.submit(wire);
    parsed["q"] = "select 1 as x"; // the driver takes note of it
    first.handleRowDescription({ fields: [{ name: "x", dataTypeID: 23 }] });
    ask().submit(wire);
    expect(said).toEqual(["parse q", "BDES", "BES"]);
  });

  it("with a text that no database holds is refused before it is sent, and the session goes on", () =>
    withSession(async (c) => {
      const q = (t: string) => ({ name: "text", text: "select $1::text as t", values: [t] });
      for (const bad of ["a\0b", "\ud800", `${"x".repeat(300)}\udc00`]) {
        await expect(c.query(q(bad))).rejects.toMatchObject({ page: "PAWL3005", outcome: "none" });
      }
      expect((await c.query(q("ä"))).rows).toEqual([{ t: "ä" }]);
    }));
});

/** The codes of the messages in `bytes`, each of which says its length. */
function messages(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let codes = "";
  for (let at = 0; at < bytes.length; at += 1 + view.getInt32(at + 1)) codes += String.fromCharCode(view.getUint8(at));
  return codes;
}

describe("a column of many rows", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 }).filter((t) => isWellFormedText(t));
  const ascii = fc.string({ unit: fc.constantFrom("a", "Z", ".", "{", "}", ",", '"', "\\", "\n", "\u007f"), maxLength: 12 });
  const whole = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53) + 1));
  const maybe = <T>(x: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(x, { freq: 4 });
  const row = fc.record({
    text: maybe(text),
    plain: maybe(ascii),
    long: maybe(fc.integer({ min: 0, max: 3_000 })),
    bigint: maybe(whole),
    integer: maybe(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    boolean: maybe(fc.boolean()),
  });

  it("comes back as it went, in binary form and as a literal", proves("K7"), () =>
    withSession(async (c) => {
      const select =
        "select unnest($1::text[]) as text, unnest($2::text[]) as plain, unnest($3::text[]) as long, unnest($4::bigint[]) as bigint, " +
        "unnest($5::integer[]) as integer, unnest($6::boolean[]) as boolean";
      await fc.assert(
        fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (made) => {
          const given = made.map((r) => ({ ...r, long: r.long === null ? null : "漢".repeat(r.long) }));
          const values = (["text", "plain", "long", "bigint", "integer", "boolean"] as const).map(
            (name) =>
              new ArrayParameter(name === "plain" || name === "long" ? "text" : name, (r: (typeof given)[number]) => r[name], given),
          );
          expect((await c.query({ name: "many", text: select, values })).rows).toEqual(given);
          expect((await c.query({ text: select, values })).rows).toEqual(given);
        }),
        { numRuns: 100, seed: 7 },
      );
    }),
  );

  it("with a text or a number that would be changed is refused in both forms, before it is sent", () =>
    withSession(async (c) => {
      const ask = (kind: ColumnKind, value: Cell, name?: string) =>
        c.query({
          ...(name === undefined ? {} : { name }),
          text: `select unnest($1::${kind}[]) as x`,
          values: [new ArrayParameter(kind, (x: Cell) => x, [value])],
        });
      for (const bad of ["\0", "a\0", "\udfff"]) {
        for (const name of ["t", undefined]) await expect(ask("text", bad, name)).rejects.toMatchObject({ page: "PAWL3005" });
      }
      for (const bad of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
        await expect(ask("bigint", bad, "b")).rejects.toMatchObject({ page: "PAWL3018" });
      for (const bad of [0.5, 2 ** 31, -(2 ** 31) - 1]) await expect(ask("integer", bad, "i")).rejects.toMatchObject({ page: "PAWL3018" });
      expect((await ask("integer", -1, "i")).rows).toEqual([{ x: -1 }]);
    }));

  it("is written into the same bytes again, whatever was there before", () =>
    withSession(async (c) => {
      const sizes = [3_000_000, 10, 5_000, 0, 70_000];
      for (const n of sizes) {
        const values = [new ArrayParameter("text", (x: string) => x, ["x".repeat(n), "y"])];
        expect((await c.query({ name: "again", text: "select length(unnest($1::text[])) as n", values })).rows).toEqual([{ n }, { n: 1 }]);
      }
    }));
});
