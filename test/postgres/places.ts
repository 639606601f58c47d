// Places for tests on the shared Postgres: a schema for each. One that a test is done with is emptied for the next, because making the tables
// is most of what a short test costs. One that was used is as one that was made: no rows, numbers from one, another store's id. It rests while
// others are used, so that a statement of its last owner has long ended. A test that made or changed more than rows has its schema dropped.
import { systemPlatform } from "../../src/platform/system.ts";
import { openConnection, type Connection } from "../../src/store/postgres/wire/driver.ts";
import { sharedPostgres } from "../support/postgres.ts";

interface Place {
  readonly url: string;
  readonly schema: string;
}

let made = 0;

/** A schema nobody else uses, and the URL whose sessions live in it. */
export async function freshPlace(server?: string): Promise<Place> {
  const schema = `t${process.pid}_${++made}_${Math.floor(Math.random() * 1e9).toString(36)}`;
  const url = new URL(server ?? (await sharedPostgres()));
  url.searchParams.set("schema", schema);
  url.searchParams.set("options", `-c search_path=${schema}`);
  return { url: url.href, schema };
}

/** A connection past the store: another program on the same database. */
export async function raw(url: string): Promise<Connection> {
  const u = new URL(url);
  const options = u.searchParams.get("options") ?? "";
  for (const own of ["schema", "options", "pooler"]) u.searchParams.delete(own);
  return openConnection({ connectionString: u.href, options, connectMsMax: 30_000 });
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  const c = await raw(url);
  await c.exec(`drop schema if exists ${schema} cascade`);
  await c.end();
}

const restsMin = 4;
const spare: Place[] = [];
let connected: Promise<Connection> | undefined;
let emptying: Promise<(schema: string) => string> | undefined;

export async function takeSchema(): Promise<Place> {
  return (spare.length > restsMin ? spare.shift() : undefined) ?? freshPlace();
}

/** `asMade`: the test left nothing but rows in Pawl's own tables. */
export async function giveBackSchema(place: Place, asMade: boolean): Promise<void> {
  if (!asMade) return dropSchema(place.url, place.schema);
  const admin = await (connected ??= sharedPostgres().then((url) => raw(url)));
  const statements = await (emptying ??= emptyingOf(admin, place.schema));
  await admin.exec(statements(place.schema));
  spare.push(place);
}

/** What empties a schema, as one message: every schema has the same tables and numbers. */
async function emptyingOf(admin: Connection, schema: string): Promise<(schema: string) => string> {
  const names = async (text: string): Promise<string[]> => (await admin.exec(text)).rows.map((r) => String(r["name"]));
  const tables = await names(`select tablename as name from pg_tables where schemaname = '${schema}' and tablename <> 'meta'`);
  const sequences = await names(`select sequencename as name from pg_sequences where schemaname = '${schema}'`);
  return (s) =>
    [
      "begin",
      ...tables.map((t) => `delete from ${s}.${t}`),
      ...sequences.map((q) => `select setval('${s}.${q}', 1, false)`),
      `update ${s}.meta set incarnation = 1, store_id = '${systemPlatform().uuidV4()}'`,
      "commit",
    ].join("; ");
}
