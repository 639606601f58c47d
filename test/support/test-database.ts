// A place for one test on each of the real databases, behind one shape: a new file, a new schema, a new database, with a way
// to run SQL past the store. What a test states once then holds on all of them. For tests; nothing in the package imports it.
import { join } from "node:path";
import { openConnection as connectSqlite } from "../../src/store/sqlite/wire/driver.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb } from "./mariadb.ts";

export const storeNames = ["sqlite", "postgres", "mysql"] as const;
export type StoreName = (typeof storeNames)[number];

type Rows = readonly Readonly<Record<string, unknown>>[];
export interface TestDatabase {
  readonly url: string;
  /** As another program on the same database. */
  sql(text: string): Promise<Rows>;
  remove(): Promise<void>;
}

async function sqliteDatabase(dir: string): Promise<TestDatabase> {
  const path = join(dir, "store.db");
  return {
    url: `sqlite:${path}`,
    async sql(text) {
      const db = await connectSqlite(path);
      try {
        return db.prepare(text).all();
      } finally {
        db.close();
      }
    },
    remove: async () => {},
  };
}

/** `server`: a server of its own; without it the one that PAWL_TEST_POSTGRES or the run of vitest names. */
async function postgresDatabase(server: string | undefined): Promise<TestDatabase> {
  const { url, schema } = await freshPlace(server);
  return {
    url,
    async sql(text) {
      const c = await raw(url);
      try {
        return (await c.exec(text)).rows;
      } finally {
        await c.end();
      }
    },
    remove: () => dropSchema(url, schema),
  };
}

async function mysqlDatabase(server: string | undefined): Promise<TestDatabase> {
  const url = await freshDatabase(server ?? (await sharedMariadb()));
  return {
    url,
    async sql(text) {
      const c = await rawConnection(url);
      try {
        return (await c.query(text)).rows;
      } finally {
        await c.close();
      }
    },
    remove: () => dropDatabase(url),
  };
}

/** `dir`: where a file would lie. `server`: a server of its own, else the one that all tests share. */
export function openTestDatabase(store: StoreName, dir: string, server?: string): Promise<TestDatabase> {
  if (store === "sqlite") return sqliteDatabase(dir);
  return store === "postgres" ? postgresDatabase(server) : mysqlDatabase(server);
}
