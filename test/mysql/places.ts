// Places for tests on the shared MariaDB: a database for each. As on Postgres (test/postgres/places.ts) one that a test is done with is emptied
// for the next, unless the test, or a consumer of its feed, made more than rows in it.
import { setTimeout as pause } from "node:timers/promises";
import { systemPlatform } from "../../src/platform/system.ts";
import { parseAddress } from "../../src/store/mysql/open.ts";
import { type Connection, openConnection } from "../../src/store/mysql/wire/driver.ts";
import { sharedMariadb } from "../support/mariadb.ts";

/** A new, empty database on `server`; its URL. */
export async function freshDatabase(server: string): Promise<string> {
  const platform = systemPlatform();
  const name = `pawl_test_${platform.randomHex(8)}`;
  const root = await openConnection({ ...parseAddress(`${server}/mysql`).address, database: "" }, platform);
  await root.query(`create database ${name} character set utf8mb4`);
  await root.close();
  return `${server}/${name}`;
}

/** A connection past the store: another program on the same database. */
export async function rawConnection(url: string): Promise<Connection> {
  return openConnection(parseAddress(url).address, systemPlatform());
}

/** Asked again where the server's own threads put a file into the folder that it was removing: the tables are gone by then. */
export async function dropDatabase(url: string): Promise<void> {
  const raw = await rawConnection(url);
  for (let tries = 1; ; tries++) {
    try {
      await raw.query(`drop database ${parseAddress(url).address.database}`);
      return await raw.close();
    } catch (e) {
      if (tries === 5 || (e as { code?: string }).code !== "ER_DB_DROP_RMDIR") throw e;
      await pause(100);
    }
  }
}

const restsMin = 4;
const spare: string[] = [];
let connected: Promise<Connection> | undefined;
let emptying: Promise<(name: string) => string> | undefined;

export async function takeDatabase(): Promise<string> {
  return (spare.length > restsMin ? spare.shift() : undefined) ?? freshDatabase(await sharedMariadb());
}

/** `asMade`: the test left nothing but rows in Pawl's own tables. */
export async function giveBackDatabase(url: string, asMade: boolean): Promise<void> {
  const name = parseAddress(url).address.database;
  const admin = await (connected ??= sharedMariadb().then((server) => rawConnection(`${server}/mysql`)));
  // Where a consumer reads the feed, the tables have triggers.
  const plain = asMade && (await admin.query(`select one from ${name}.pawl_meta where feed = 0`)).rows.length > 0;
  if (!plain) return dropDatabase(url);
  const statements = await (emptying ??= emptyingOf(admin, name));
  await admin.query(statements(name));
  spare.push(url);
}

/** What empties a database, as one statement of MariaDB: every database has the same tables and numbers. */
async function emptyingOf(admin: Connection, name: string): Promise<(name: string) => string> {
  const where = `from information_schema.tables where table_schema = '${name}' and table_name`;
  const names = async (text: string): Promise<string[]> => (await admin.query(text)).rows.map((r) => String(r["name"]));
  const tables = await names(`select table_name as name ${where} <> 'pawl_meta'`);
  const counted = await names(`select table_name as name ${where} <> '' and auto_increment is not null`);
  return (n) =>
    [
      "begin not atomic",
      ...tables.map((t) => `delete from ${n}.${t};`),
      ...counted.map((t) => `alter table ${n}.${t} auto_increment = 1;`),
      `update ${n}.pawl_meta set incarnation = 1, store_id = '${systemPlatform().uuidV4()}';`,
      "end",
    ].join(" ");
}
