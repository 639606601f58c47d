// A place for one test on each of the real databases, behind one shape: a new file, a new schema, a new database, with a way
// to run SQL past the store. What a test states once then holds on all of them. For tests; nothing in the package imports it.
import { join } from "node:path";
import { connect as connectSqlite } from "../../src/store/sqlite/driver.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb } from "./mariadb.ts";

export const storeNames = ["sqlite", "postgres", "mysql"] as const;
export type StoreName = (typeof storeNames)[number];

type Rows = readonly Readonly<Record<string, unknown>>[];
export interface Ground {
  readonly url: string;
  /** As another program on the same database. */
  sql(text: string): Promise<Rows>;
  remove(): Promise<void>;
}

async function sqliteGround(dir: string): Promise<Ground> {
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
async function postgresGround(server: string | undefined): Promise<Ground> {
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

async function mysqlGround(server: string | undefined): Promise<Ground> {
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
export function openGround(store: StoreName, dir: string, server?: string): Promise<Ground> {
  if (store === "sqlite") return sqliteGround(dir);
  return store === "postgres" ? postgresGround(server) : mysqlGround(server);
}
