// Databases as text: the statements that make one of Pawl's stores again, row by row, as the database itself quotes them. One
// after the other, each ending in a semicolon at the end of a line. It never interprets what it copies.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format as mysqlFormat } from "../../src/store/mysql/migrations.ts";
import { openConnection as connectSqlite } from "../../src/store/sqlite/wire/driver.ts";
import { format as sqliteFormat } from "../../src/store/sqlite/migrations.ts";
import { format as postgresFormat } from "../../src/store/postgres/migrations.ts";
import { rawConnection } from "../mysql/bundle.ts";
import { raw as rawPostgres } from "../postgres/bundle.ts";
import { mysqlSchema, postgresSchema, sqliteSchema } from "../support/database-schemas.ts";

export type Kind = "sqlite" | "postgres" | "mysql";
const formats = { sqlite: sqliteFormat, postgres: postgresFormat, mysql: mysqlFormat } as const;
/** Stands in a kept Postgres database for the schema it is put into. */
export const schemaPlaceholder = "kept_schema";

const folder = new URL("./databases/", import.meta.url);
export const keptFile = (kind: Kind, text: string): [path: string, text: string] => [
  fileURLToPath(new URL(`${kind}-format-${formats[kind]}.sql`, folder)),
  text,
];

/** The kept databases of one store, oldest format first. */
export function keptDatabases(kind: Kind): { readonly format: number; readonly statements: readonly string[] }[] {
  const names = readdirSync(folder).filter((n) => n.startsWith(`${kind}-format-`));
  return names
    .map((n) => ({ format: Number(/(\d+)\.sql$/.exec(n)?.[1]), statements: statementsOf(readFileSync(new URL(n, folder), "utf8")) }))
    .toSorted((a, b) => a.format - b.format);
}

const statementsOf = (text: string): string[] => text.split(/;\n/).filter((s) => s.trim() !== "");
const insert = (table: string, columns: readonly string[], values: unknown, more = ""): string =>
  `insert into ${table} (${columns.join(", ")})${more} values (${String(values)});\n`;

export async function dumpSqlite(path: string): Promise<string> {
  const db = await connectSqlite(path);
  const rows: string[] = [];
  const tables = db.prepare("select name from sqlite_schema where type = 'table' and name like 'pawl~_%' escape '~' order by rowid").all();
  for (const name of tables.map((t) => String(t["name"]))) {
    const columns = db
      .prepare(`select name from pragma_table_info('${name}')`)
      .all()
      .map((c) => String(c["name"]));
    const quoted = columns.map((c) => `quote(${c})`).join(" || ', ' || ");
    for (const r of db.prepare(`select ${quoted} as v from ${name}`).all()) rows.push(insert(name, columns, r["v"]));
  }
  const schema = sqliteSchema(db);
  db.close();
  return `${schema}\n${rows.join("")}`;
}

export async function dumpPostgres(url: string): Promise<string> {
  const c = await rawPostgres(url);
  const schema = new URL(url).searchParams.get("schema") ?? "pawl";
  const rows: string[] = [];
  const list = "select relname as name from pg_class where relkind = 'r' and relnamespace = $1::regnamespace order by relname";
  for (const { name } of (await c.query({ text: list, values: [schema] })).rows) {
    const text =
      "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum";
    const columns = (await c.query({ text, values: [`${schema}.${String(name)}`] })).rows.map((r) => String(r["name"]));
    const quoted = columns.map((x) => `quote_nullable(${x}::text)`).join(" || ', ' || ");
    const found = await c.exec(`select ${quoted} as v from ${schema}.${String(name)} order by 1`);
    for (const r of found.rows) rows.push(insert(`${schemaPlaceholder}.${String(name)}`, columns, r["v"], " overriding system value"));
  }
  const ddl = (await postgresSchema(c, schema)).replaceAll("pawl.", `${schemaPlaceholder}.`);
  await c.end();
  const sequence = `select setval(pg_get_serial_sequence('${schemaPlaceholder}.inbox', 'inbox_id'), max(inbox_id)) from ${schemaPlaceholder}.inbox;\n`;
  return `create schema ${schemaPlaceholder};\n\n${ddl}\n${rows.join("")}${sequence}`;
}

export async function dumpMysql(url: string): Promise<string> {
  const c = await rawConnection(url);
  const rows: string[] = [];
  const tables = await c.query("select table_name as name from information_schema.tables where table_schema = database() order by 1");
  for (const name of tables.rows.map((t) => String(t["name"]))) {
    const found = await c.query(
      `select column_name as name from information_schema.columns where table_schema = database() and table_name = '${name}' order by ordinal_position`,
    );
    const columns = found.rows.map((r) => String(r["name"]));
    const quoted = columns.map((x) => `quote(${x})`).join(", ', ', ");
    for (const r of (await c.query(`select cast(concat(${quoted}) as char character set utf8mb4) as v from ${name}`)).rows)
      rows.push(insert(name, columns, r["v"]));
  }
  const ddl = await mysqlSchema(c, "pawl_");
  await c.close();
  // Where the server kept its data is part of what it says it is, and of no use to anybody.
  return `${ddl}\n${rows.join("")}`.replaceAll(/=\/[^']*\/data\//g, "=/var/lib/mysql/");
}
