// The suite's bundle for the MySQL store: a database of its own on the shared server, the server's clock replaced by one
// that stands still, crash points that throw. Timers and connections are real. For tests; nothing in the package imports it.
import { setTimeout as pause } from "node:timers/promises";
import { systemPlatform } from "../../src/platform/system.ts";
import { virtualPlatform, type VirtualPlatform } from "../../src/platform/virtual.ts";
import type { Platform } from "../../src/platform/platform.ts";
import { type Connection, openConnection } from "../../src/store/mysql/wire/driver.ts";
import { parseAddress } from "../../src/store/mysql/open.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import type { OpenBundle } from "../../src/store/suite/bundle.ts";
import { sharedMariadb } from "../support/mariadb.ts";
import { mysqlConnection } from "../support/user-connections.ts";

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

/** `compound`: as on MariaDB; without it, as on MySQL. Unless given, whatever the server is. */
export async function mysqlBundle(
  virtual: VirtualPlatform = virtualPlatform(),
  compound?: boolean,
): Promise<OpenBundle & { readonly url: string }> {
  const url = await freshDatabase(await sharedMariadb());
  let wanted: string | undefined;
  const platform: Platform = {
    ...systemPlatform(),
    hit(point): void {
      if (point !== wanted) return;
      wanted = undefined;
      throw new RangeError(`died at ${point}`);
    },
  };
  const open = (): Promise<FullStore> =>
    openMysql(url, platform, { clock: () => virtual.wallMs(), ...(compound === undefined ? {} : { compound }) });
  const store = await open();
  const past = async (statement: string): Promise<void> => {
    const raw = await rawConnection(url);
    await raw.query(statement);
    await raw.close();
  };
  return {
    url,
    store,
    reopen: open,
    advanceClock: (ms) => virtual.skew(ms),
    failAt: (point) => void (wanted = point),
    forgetAccepted: (r) => past(`delete from pawl_accepted where inbox_id = ${r.inboxId}`),
    define: past,
    userConnection: () => mysqlConnection(url),
    async close(): Promise<void> {
      await store.close();
      await dropDatabase(url);
    },
  };
}
