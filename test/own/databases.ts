// The three databases as a user's program meets them: a store in a place of its own, a table of orders beside it, and
// transactions on connections that the user opened with the driver itself. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../../src/store/mysql/open.ts";
import { noMariadb, sharedMariadb } from "../support/mariadb.ts";
import { mysqlConnection, pgClient, sqliteHandle, type UserConnection } from "../support/user-connections.ts";
import { dropDatabase, freshDatabase } from "../mysql/bundle.ts";
import { dropSchema, freshPlace } from "../postgres/bundle.ts";

export interface Place {
  readonly url: string;
  mine(): Promise<UserConnection>;
  /** A connection of the right kind that leads elsewhere. */
  elsewhere(): Promise<UserConnection>;
  remove(): Promise<void>;
}

export interface Database {
  readonly name: string;
  readonly missing: boolean;
  /** Another kind of connection, as it is made for another database. */
  make(): Promise<Place>;
}

/** What a user's own table looks like on each. */
const orders = "create table orders (id varchar(100) primary key)";

async function withOrders(open: () => Promise<UserConnection>): Promise<void> {
  const m = await open();
  await m.sql(orders);
  await m.end();
}

const sqlite: Database = {
  name: "sqlite",
  missing: false,
  async make() {
    const dir = mkdtempSync(join(tmpdir(), "pawl-own-"));
    const file = join(dir, "state.db");
    const setting = await sqliteHandle(file);
    await setting.sql("pragma journal_mode = wal");
    await setting.end();
    const mine = (): Promise<UserConnection> => sqliteHandle(file);
    await withOrders(mine);
    return {
      url: `sqlite:${file}`,
      mine,
      elsewhere: () => sqliteHandle(join(dir, "other.db")),
      remove: async () => rmSync(dir, { recursive: true, force: true }),
    };
  },
};

const postgres: Database = {
  name: "postgres",
  missing: false,
  async make() {
    const { url, schema } = await freshPlace();
    const admin = await pgClient(url);
    await admin.sql(`create schema ${schema}`);
    await admin.end();
    const mine = (): Promise<UserConnection> => pgClient(url);
    await withOrders(mine);
    const other = new URL(url);
    other.pathname = "/template1";
    return { url, mine, elsewhere: () => pgClient(other.href), remove: () => dropSchema(url, schema) };
  },
};

const mysql: Database = {
  name: "mysql",
  missing: noMariadb() !== undefined,
  async make() {
    const url = await freshDatabase(await sharedMariadb());
    const mine = (): Promise<UserConnection> => mysqlConnection(url);
    await withOrders(mine);
    // Somebody who has no rights where the store is: on one server, any other database is within reach.
    const stranger = `s${parseAddress(url).address.database.slice(-16)}`;
    const admin = await mine();
    await admin.sql(`create user ${stranger}`);
    await admin.end();
    const other = new URL(url);
    [other.username, other.password, other.pathname] = [stranger, "", "/information_schema"];
    return {
      url,
      mine,
      elsewhere: () => mysqlConnection(other.href),
      async remove() {
        const leaving = await mine();
        await leaving.sql(`drop user ${stranger}`);
        await leaving.end();
        await dropDatabase(url);
      },
    };
  },
};

export const databases: readonly Database[] = [sqlite, postgres, mysql];
