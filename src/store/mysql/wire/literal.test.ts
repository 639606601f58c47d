// Values as SQL text: whatever goes into a statement comes out of the database as it was, and two texts never become one
// key, however long they are. The round trip is made on a real server.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dropDatabase, freshDatabase } from "../../../../test/mysql/bundle.ts";
import { sharedMariadb, skipsWithoutMariadb } from "../../../../test/support/mariadb.ts";
import { isWellFormedText } from "../../../core/names.ts";
import { systemPlatform } from "../../../platform/system.ts";
import { isHashed, keyText, lit, tuple, tuples } from "./literal.ts";
import { parseAddress } from "../open.ts";
import { openSession, readerSession } from "./pool.ts";
import { proves } from "../../../../test/support/proves.ts";

describe("literals", () => {
  it("numbers, nulls, booleans and quotes have one form each", () => {
    expect(tuple(["it's", "a\\b", 5, -1.5, null, true, false])).toBe(String.raw`('it\'s','a\\b',5,-1.5,null,1,0)`);
    expect(tuples([["a"], ["b"]])).toBe("('a'),('b')");
    expect(() => lit(Number.POSITIVE_INFINITY)).toThrow("not finite");
  });

  it("a key is the text itself where it fits, else its hash, and two texts never share one", proves("W-054", "W-055"), () => {
    expect([keyText("order-1"), keyText("é".repeat(256))]).toEqual(["order-1", "é".repeat(256)]);
    const long = keyText("é".repeat(257));
    expect([isHashed(long), long.length]).toEqual([true, 65]);
    expect(isHashed(keyText(long))).toBe(true);
    expect(keyText(long)).not.toBe(long);
    expect(keyText("a".repeat(600))).not.toBe(keyText("a".repeat(601)));
    expect(isHashed(keyText("a".repeat(256), 255))).toBe(true);
  });
});

describe.skipIf(skipsWithoutMariadb())("literals on a server", () => {
  it("any well-formed text comes back as it went", async () => {
    const url = await freshDatabase(await sharedMariadb());
    const db = await openSession(parseAddress(url).address, systemPlatform(), readerSession);
    try {
      await db.query("create table t (a varbinary(4000), b longtext character set utf8mb4 collate utf8mb4_bin)");
      const text = fc.oneof(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.string({ unit: fc.constantFrom("'", "\\", "\n", "%", "_", "\u001a", " ", "?", '"') }),
      );
      await fc.assert(
        fc.asyncProperty(text.filter(isWellFormedText), async (value) => {
          await db.query("delete from t");
          await db.query(`insert into t values ${tuple([value, value])}`);
          const { rows } = await db.query(`select a, b from t where a = ${lit(value)}`);
          expect([String(rows[0]?.["a"]), rows[0]?.["b"]]).toEqual([value, value]);
        }),
        { numRuns: 100, seed: 7 },
      );
    } finally {
      await db.close();
      await dropDatabase(url);
    }
  });
});
