// What an operator does to the schema itself, outside the port: look at the statements before they are run, and record that
// the database was restored from a backup (K4). The plan only reads. Raising the incarnation touches one row and no run.
import type { Platform } from "../../platform/platform.ts";
import { connect, type Connection } from "./wire/driver.ts";
import { storeError } from "./errors.ts";
import { format, formatOf, migrations, recording } from "./migrations.ts";
import { parseAddress, type PostgresOptions } from "./wire/address.ts";
import { inspectServer, prepareSchema } from "./open.ts";

const connectMsMax = 5_000;

export interface MigrationPlan {
  /** 0: no tables of Pawl yet. */
  readonly from: number;
  readonly to: number;
  readonly statements: readonly string[];
}

async function withConnection<T>(url: string, o: PostgresOptions, body: (c: Connection, schema: string) => Promise<T>): Promise<T> {
  const { connectionString, options, schema } = parseAddress(url, o);
  try {
    const c = await connect({ connectionString, options, connectMsMax });
    try {
      return await body(c, schema);
    } finally {
      await c.end().catch(() => c.destroy());
    }
  } catch (e) {
    throw storeError(e, "commit");
  }
}

/** What opening the store would do to its schema, as statements that somebody else may run. Makes nothing. */
export function migrationPlan(url: string, platform: Platform, o: PostgresOptions = {}): Promise<MigrationPlan> {
  return withConnection(url, o, async (c, schema) => {
    const from = await formatOf(c, schema);
    if (from >= format) return { from, to: format, statements: [] };
    const create = from === 0 ? [`create schema if not exists ${schema}`] : [];
    const pending = migrations.filter((m) => m.format > from).flatMap((m) => m.statements(schema));
    return { from, to: format, statements: [...create, ...pending, ...recording(schema, from, platform.uuidV4(), "")] };
  });
}

/** A new life of the store: the incarnation rises, and what the database is now becomes what it is known to be. */
export function raiseIncarnation(url: string, platform: Platform, o: PostgresOptions = {}): Promise<number> {
  return withConnection(url, o, async (c, schema) => {
    const { identity } = await inspectServer(c, o);
    await prepareSchema(c, platform, parseAddress(url, o), identity, true);
    const text = `update ${schema}.meta set incarnation = incarnation + 1, identity = $1 returning incarnation`;
    return Number((await c.query({ text, values: [identity] })).rows[0]?.["incarnation"]);
  });
}
