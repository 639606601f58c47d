// A kept database put back into a place of its own, with what a test may do to it: open it as a store at a time after
// everything in it, run statements past the store, look at all of its rows. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Platform } from "../../src/platform/platform.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import * as mysql from "../../src/store/mysql/migrations.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import * as postgres from "../../src/store/postgres/migrations.ts";
import { openConnection } from "../../src/store/sqlite/wire/driver.ts";
import { migrate, type Migration, type MigrationTarget } from "../../src/store/sql/migrate.ts";
import * as sqlite from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb } from "../support/mariadb.ts";
import { type Kind, schemaPlaceholder } from "./database-dump.ts";
import { postgresSchema, sqliteSchema } from "../support/database-schemas.ts";

/** `{p}` in its statements, as in every migration. */
export interface LaterStep {
  readonly oldestWriter?: number;
  readonly statements?: readonly string[];
  /** Called at every point of the migration where a process may be killed. */
  readonly hit?: (point: string) => void;
}

export interface RestoredDatabase {
  /** For a process of its own. */
  readonly url: string;
  readonly platform: Platform;
  open(): Promise<FullStore>;
  /** `meta`, `runs` … as this store names them. */
  table(name: string): string;
  exec(statement: string): Promise<Record<string, unknown>[]>;
  /** The schema as the database shows it, whatever the place is called. */
  shown(): Promise<string>;
  /** The migrations up to a format, on a database that has nothing yet. */
  migrateTo(format: number): Promise<void>;
  /** A later version of Pawl migrates: one more step after today's, which admits writers from `oldestWriter`. */
  migrateFurther(step: LaterStep): Promise<void>;
  remove(): Promise<void>;
}

/** How long after its last write a database is found again. Longer than any lease or timer in it. */
const laterMs = 3_600_000;

export async function restoreDatabase(kind: Kind, statements: readonly string[]): Promise<RestoredDatabase> {
  const place = await places[kind]();
  for (const s of statements) await place.exec(s.replaceAll(schemaPlaceholder, place.schema));
  const real = systemPlatform();
  const kept =
    statements.length === 0
      ? real.wallMs()
      : Number((await place.exec(`select max(persisted_at) as at from ${place.table("runs")}`))[0]?.["at"]) + laterMs;
  const begun = real.monotonicMs();
  const platform: Platform = { ...real, wallMs: () => kept + Math.trunc(real.monotonicMs() - begun) };
  const stores: FullStore[] = [];
  return {
    ...place,
    platform,
    async open() {
      const s = await place.openAt(platform);
      stores.push(s);
      return s;
    },
    migrateTo: (to) =>
      migrate(
        place.target(
          platform,
          place.migrations.filter((m) => m.format <= to),
        ),
        platform,
        "",
      ),
    migrateFurther({ hit = () => {}, ...step }) {
      const later: Migration = { statements: [], ...step, format: Math.max(...place.migrations.map((m) => m.format)) + 1 };
      return migrate(place.target(platform, [...place.migrations, later]), { ...platform, hit }, "");
    },
    async remove() {
      for (const s of stores) await s.close();
      await place.drop();
    },
  };
}

type Place = Pick<RestoredDatabase, "url" | "table" | "exec" | "shown"> & {
  readonly schema: string;
  readonly migrations: readonly Migration[];
  target(p: Platform, list: readonly Migration[]): MigrationTarget;
  openAt(p: Platform): Promise<FullStore>;
  drop(): Promise<void>;
};

const places: Readonly<Record<Kind, () => Promise<Place>>> = {
  async sqlite() {
    const dir = mkdtempSync(join(tmpdir(), "pawl-upgrade-"));
    const path = join(dir, "store.db");
    const db = await openConnection(path);
    return {
      url: `sqlite:${path}`,
      schema: "",
      table: (name) => `pawl_${name}`,
      exec: async (s) => (/^\s*(select|pragma)/i.test(s) ? db.prepare(s).all() : (db.exec(s), [])),
      openAt: (p) => openSqlite(path, p, { synchronous: "off", acceptUnsafe: true }),
      migrations: sqlite.migrations,
      target: (p, list) => sqlite.migrationTarget(db, p, undefined, list),
      // As SQLite keeps it, a statement has the spaces of whoever wrote it, and a column that was added has its own.
      shown: async () =>
        sqliteSchema(db)
          .split(";\n")
          .map((s) => s.replaceAll(/\s*([(),])\s*/g, "$1").replaceAll(/\s+/g, " "))
          .toSorted()
          .join("\n"),
      async drop() {
        db.close();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  },
  async postgres() {
    const { url, schema } = await freshPlace();
    const c = await raw(url);
    return {
      url,
      schema,
      table: (name) => `${schema}.${name}`,
      exec: async (s) => (await c.exec(s)).rows,
      openAt: (p) => openPostgres(url, p, { clock: () => p.wallMs() }),
      shown: () => postgresSchema(c, schema),
      migrations: postgres.migrations,
      target: (_, list) => postgres.migrationTarget(c, schema, list),
      async drop() {
        await c.end();
        await dropSchema(url, schema);
      },
    };
  },
  async mysql() {
    const url = await freshDatabase(await sharedMariadb());
    const c = await rawConnection(url);
    const database = new URL(url).pathname.slice(1);
    return {
      url,
      schema: "",
      table: (name) => `pawl_${name}`,
      exec: async (s) => [...(await c.query(s)).rows],
      openAt: (p) => openMysql(url, p, { clock: () => p.wallMs() }),
      async shown() {
        const tables = (await c.query("show tables")).rows.map((x) => String(Object.values(x)[0])).toSorted();
        const texts: string[] = [];
        for (const name of tables) texts.push(String((await c.query(`show create table ${name}`)).rows[0]?.["Create Table"]));
        return texts.join("\n").replaceAll(/ AUTO_INCREMENT=\d+/g, "");
      },
      migrations: mysql.migrations,
      target: (_, list) => mysql.migrationTarget(c, "pawl_", database, list),
      async drop() {
        await c.close();
        await dropDatabase(url);
      },
    };
  },
};

/** What later formats add to a row of an earlier one, as the migration leaves it. */
const added: Readonly<Record<string, string>> = {
  version: "1",
  response: "null",
  emitted_text: "null",
  error_code: "null",
  sent_by: "null",
  payload_digest: "null",
  rejected: "null",
  worker: "null",
};

/** Every row, but for engines, which come and go. */
export async function allRows(r: RestoredDatabase): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const name of ["runs", "events", "inbox", "accepted", "views", "effects"]) {
    const found = (await r.exec(`select * from ${r.table(name)}`)).map((x) =>
      JSON.stringify(Object.fromEntries(Object.entries(x).filter(([column, v]) => added[column] !== String(v)))),
    );
    if (found.length > 0) rows[name] = found.toSorted();
  }
  return rows;
}
