// The schema of each database as SQL text, read back from it: what schema.sql must equal, so that the effect of a migration is a
// difference that can be read. It only reads; on Postgres it names every schema `pawl`.
import type { Connection as Mysql } from "../../src/store/mysql/wire/driver.ts";
import { migrations } from "../../src/store/mysql/migrations.ts";
import { statementsFor } from "../../src/store/sql/migrate.ts";
import type { Connection as Postgres } from "../../src/store/postgres/wire/driver.ts";
import type { Connection as Sqlite } from "../../src/store/sqlite/wire/driver.ts";

/** The schema as SQL text, in order of creation: what schema.sql must equal. */
export function sqliteSchema(db: Sqlite): string {
  const rows = db.prepare("select sql from sqlite_schema where sql is not null and name like 'pawl~_%' escape '~' order by rowid").all();
  return rows.map((r) => `${String(r["sql"])};\n`).join("\n");
}

/** The schema as the server shows it, in order of creation: what schema.sql must equal. */
export async function mysqlSchema(db: Mysql, prefix: string): Promise<string> {
  const names = statementsFor(migrations, prefix).flatMap((s) => /exists (\w+)/.exec(s)?.[1] ?? []);
  const texts: string[] = [];
  for (const name of names) {
    const row = (await db.query(`show create table ${name}`)).rows[0];
    texts.push(`${String(row?.["Create Table"]).replace(/ AUTO_INCREMENT=\d+/, "")};\n`);
  }
  return texts.join("\n");
}

const tables =
  "select c.oid::bigint as oid, c.relname as name, coalesce(array_to_string(c.reloptions, ', '), '') as options from pg_class c " +
  "join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r' order by c.relname";
const columns =
  "select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, coalesce(k.collname, '') as collation, a.attnotnull as filled, " +
  "a.attidentity::text as identity, a.attgenerated::text as generated, coalesce(pg_get_expr(d.adbin, d.adrelid), '') as filler from pg_attribute a " +
  "left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum left join pg_type t on t.oid = a.atttypid " +
  "left join pg_collation k on k.oid = a.attcollation and a.attcollation <> t.typcollation " +
  "where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum";
const constraints =
  "select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1 and contype <> 'n' order by conname";
const indexes =
  "select pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1 " +
  "and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by c.relname";

const functions =
  "select pg_get_functiondef(p.oid) as definition from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 order by p.proname";

export async function postgresSchema(c: Postgres, schema: string): Promise<string> {
  const all: string[] = [];
  for (const t of (await c.query({ text: tables, values: [schema] })).rows) {
    const values = [Number(t["oid"])];
    const lines = (await c.query({ text: columns, values })).rows.map((a) => {
      const parts = [String(a["name"]), String(a["type"])];
      if (a["collation"] !== "") parts.push(`collate "${String(a["collation"])}"`);
      if (a["filled"] === true) parts.push("not null");
      if (a["filler"] !== "")
        parts.push(a["generated"] === "s" ? `generated always as ${String(a["filler"])} stored` : `default ${String(a["filler"])}`);
      if (a["identity"] === "a") parts.push("generated always as identity");
      return parts.join(" ");
    });
    for (const k of (await c.query({ text: constraints, values })).rows)
      lines.push(`constraint ${String(k["name"])} ${String(k["definition"])}`);
    const options = t["options"] === "" ? "" : ` with (${String(t["options"])})`;
    all.push(`create table pawl.${String(t["name"])} (\n  ${lines.join(",\n  ")}\n)${options};\n`);
    for (const i of (await c.query({ text: indexes, values })).rows)
      all.push(`${String(i["definition"]).replaceAll(`${schema}.`, "pawl.")};\n`);
  }
  for (const x of (await c.query({ text: functions, values: [schema] })).rows)
    all.push(`${String(x["definition"]).trim().replaceAll(`${schema}.`, "pawl.")};\n`);
  return all.join("\n");
}
