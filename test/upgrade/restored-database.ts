// A kept database put back into a place of its own, with what a test may do to it: open it as a store at a time after
// everything in it, run statements past the store, look at all of its rows. For tests; nothing in the package imports it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Platform } from "../../src/platform/platform.ts";
import { systemPlatform } from "../../src/platform/system.ts";
import type { FullStore } from "../../src/store/full-store.ts";
import { openMysql } from "../../src/store/mysql/store.ts";
import * as mysqlMigrations from "../../src/store/mysql/migrations.ts";
import { openPostgres } from "../../src/store/postgres/store.ts";
import * as postgresMigrations from "../../src/store/postgres/migrations.ts";
import { connect } from "../../src/store/sqlite/wire/driver.ts";
import * as sqliteMigrations from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/store.ts";
import { dropDatabase, freshDatabase, rawConnection } from "../mysql/bundle.ts";
import { dropSchema, freshPlace, raw } from "../postgres/bundle.ts";
import { sharedMariadb } from "../support/mariadb.ts";
import { type Kind, schemaPlaceholder } from "./database-dump.ts";
import { postgresSchema, sqliteSchema } from "../support/database-schemas.ts";

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
  migrateFurther(step: { readonly oldestWriter?: number; readonly statement?: string }): Promise<void>;
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
    migrateTo: (to) => place.upTo(platform, to),
    migrateFurther: (step) => place.further(platform, step),
    async remove() {
      for (const s of stores) await s.close();
      await place.drop();
    },
  };
}

type Place = Pick<RestoredDatabase, "url" | "table" | "exec" | "shown"> & {
  readonly schema: string;
  openAt(p: Platform): Promise<FullStore>;
  upTo(p: Platform, format: number): Promise<void>;
  further(p: Platform, step: { readonly oldestWriter?: number; readonly statement?: string }): Promise<void>;
  drop(): Promise<void>;
};

const beyond = (o: { readonly oldestWriter?: number }, format: number): { format: number; oldestWriter?: number } =>
  o.oldestWriter === undefined ? { format: format + 1 } : { format: format + 1, oldestWriter: o.oldestWriter };

const places: Readonly<Record<Kind, () => Promise<Place>>> = {
  async sqlite() {
    const dir = mkdtempSync(join(tmpdir(), "pawl-upgrade-"));
    const path = join(dir, "store.db");
    const db = await connect(path);
    return {
      url: `sqlite:${path}`,
      schema: "",
      table: (name) => `pawl_${name}`,
      exec: async (s) => (/^\s*(select|pragma)/i.test(s) ? db.prepare(s).all() : (db.exec(s), [])),
      openAt: (p) => openSqlite(path, p, { synchronous: "off", acceptUnsafe: true }),
      shown: async () => sqliteSchema(db),
      async upTo(p, to) {
        db.exec("begin immediate");
        sqliteMigrations.migrate(
          db,
          p,
          "",
          sqliteMigrations.migrations.filter((m) => m.format <= to),
        );
        db.exec("commit");
      },
      async further(p, o) {
        const { format, migrate, migrations } = sqliteMigrations;
        db.exec("begin immediate");
        migrate(db, p, "", [...migrations, { ...beyond(o, format), statements: o.statement === undefined ? [] : [o.statement] }]);
        db.exec("commit");
      },
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
      upTo: (p, to) =>
        postgresMigrations.migrate(
          c,
          p,
          schema,
          "",
          postgresMigrations.migrations.filter((m) => m.format <= to),
        ),
      async further(p, o) {
        const { format, migrate, migrations } = postgresMigrations;
        const statements = (): string[] => (o.statement === undefined ? [] : [o.statement]);
        await migrate(c, p, schema, "", [...migrations, { ...beyond(o, format), statements }]);
      },
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
      upTo: (p, to) =>
        mysqlMigrations.migrate(
          c,
          p,
          "pawl_",
          database,
          "",
          mysqlMigrations.migrations.filter((m) => m.format <= to),
        ),
      async further(p, o) {
        const { format, migrate, migrations } = mysqlMigrations;
        const last = { ...beyond(o, format), statements: o.statement === undefined ? [] : [o.statement] };
        await migrate(c, p, "pawl_", database, "", [...migrations, last]);
      },
      async drop() {
        await c.close();
        await dropDatabase(url);
      },
    };
  },
};

/** What later formats add to a row of an earlier one, as the migration leaves it. The one effect that was kept is in doubt. */
const added: Readonly<Record<string, string>> = {
  origin: "engine",
  expired_at: "null",
  purged_at: "null",
  receiver: "null",
  in_doubt: "true",
  version: "1",
  response: "null",
  emitted_text: "null",
};

/** Every row of the tables that format 1 has, but for engines, which come and go; and of the ledger, once there is one. */
export async function allRows(r: RestoredDatabase): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  const ledger = /\bpawl[._]effects\b/.test(await r.shown()) ? ["effects"] : [];
  for (const name of ["runs", "events", "inbox", "accepted", "views", ...ledger]) {
    const found = (await r.exec(`select * from ${r.table(name)}`)).map((x) =>
      JSON.stringify(Object.fromEntries(Object.entries(x).filter(([column, v]) => added[column] !== String(v)))),
    );
    if (found.length > 0) rows[name] = found.toSorted();
  }
  return rows;
}
