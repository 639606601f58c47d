// A database for one test on a MySQL or MariaDB server: the user's tables and the store lie in it together. It must never drop
// a database that it did not make.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import { type ThrowAway, throwAwayName } from "../throw-away.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { storeError } from "./errors.ts";
import { parseAddress } from "./open.ts";
import { query } from "./tx/transact.ts";

const dropTriesMax = 5;
const pauseMs = 100;

export async function throwAwayDatabase(url: string, platform: Platform): Promise<ThrowAway> {
  const database = throwAwayName((n) => platform.randomHex(n));
  const { address } = parseAddress(url);
  const c = await openConnection({ ...address, database: "" }, platform).catch((e: unknown) => {
    throw storeError(e, "statement");
  });
  try {
    await c.query(`create database ${database} character set utf8mb4`);
    await c.query(`use ${database}`);
  } catch (e) {
    await c.close();
    throw new PawlError("PAWL5030", "the test's own database cannot be created", { cause: e });
  }
  const own = new URL(url);
  own.pathname = `/${database}`;
  return {
    url: own.href,
    sql: { query: (parts, values) => query(c, parts, values) },
    async remove() {
      await dropped(c, platform, database);
      await c.close();
    },
  };
}

/** Asked again where the server's own threads put a file into the folder that it was removing: the tables are gone by then. */
async function dropped(c: Connection, platform: Platform, database: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await c.query(`drop database if exists ${database}`));
    } catch (e) {
      if (tries === dropTriesMax || (e as { code?: string }).code !== "ER_DB_DROP_RMDIR") throw storeError(e, "statement");
      await new Promise<void>((resolve) => void platform.timer(pauseMs, resolve, true));
    }
  }
}
