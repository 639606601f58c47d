// Where a campaign is fought: a store of its own on a file or a server, a table for the orders' charges beside it, and a
// ledger. Everything here reads and prepares from outside the engine; nothing writes what an engine owns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/open.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { Store } from "../../src/store/port.ts";
import { connect as connectSqlite } from "../../src/store/sqlite/driver.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb } from "../support/mariadb.ts";

export const storeNames = ["sqlite", "postgres", "mysql"] as const;
export type StoreName = (typeof storeNames)[number];

export interface Field {
  readonly store: StoreName;
  readonly url: string;
  readonly ledger: string;
  /** A connection of the campaign's own: it only looks. */
  readonly eye: Store;
  /** How often each order was charged. */
  charges(): Promise<ReadonlyMap<string, number>>;
  leave(): Promise<void>;
}

type Rows = readonly Readonly<Record<string, unknown>>[];
interface Ground {
  readonly url: string;
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

export async function openField(store: StoreName, server?: string): Promise<Field> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-campaign-"));
  const ground =
    store === "sqlite" ? await sqliteGround(dir) : store === "postgres" ? await postgresGround(server) : await mysqlGround(server);
  const eye = await openStore(ground.url, systemPlatform());
  await ground.sql("create table charges (run varchar(100))");
  return {
    store,
    url: ground.url,
    ledger: join(dir, "ledger"),
    eye,
    async charges() {
      const rows = await ground.sql("select run, count(*) as n from charges group by run");
      return new Map(rows.map((r) => [String(r["run"]), Number(r["n"])]));
    },
    async leave() {
      await eye.close();
      await ground.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
