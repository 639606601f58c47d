// A schema for one test on a Postgres server. Sessions of its URL have it as their whole search path, so that a test's
// unqualified names never reach a table of the database's owner.
import { PawlError } from "../../errors/error.ts";
import { type ThrowAway, throwAwayName } from "../throw-away.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { storeError } from "./errors.ts";
import { parseAddress } from "./wire/address.ts";
import { query } from "./tx/transact.ts";

const connectMsMax = 10_000;

export async function throwAwaySchema(url: string, randomHex: (bytes: number) => string): Promise<ThrowAway> {
  const schema = throwAwayName(randomHex);
  const { connectionString, options: given } = parseAddress(url, {});
  const options = `${given} -c search_path=${schema}`.trim();
  const c = await openConnection({ connectionString, options, connectMsMax }).catch((e: unknown) => {
    throw storeError(e, "statement");
  });
  await made(c, schema);
  const own = new URL(url);
  own.searchParams.set("schema", schema);
  own.searchParams.set("options", options);
  return {
    url: own.href,
    sql: {
      query: (parts, values) =>
        query(
          c,
          parts.reduce((all, part, i) => `${all}$${i}${part}`),
          values,
        ),
    },
    async remove() {
      await c.exec(`drop schema if exists ${schema} cascade`);
      await c.end();
    },
  };
}

async function made(c: Connection, schema: string): Promise<void> {
  try {
    await c.exec(`create schema ${schema}`);
  } catch (e) {
    await c.end();
    throw new PawlError("PAWL5030", "the test's own schema cannot be created", { cause: e });
  }
}
