// What an operator does to the schema itself, outside the port: look at the statements before they are run, and record that
// the database was restored from a backup (K4). The plan only reads. Raising the incarnation touches one row and no run.
import type { Platform } from "../../platform/platform.ts";
import { openConnection, type Connection } from "./wire/driver.ts";
import { openProblem, storeError } from "./errors.ts";
import { type MigrationPlan, migrationPlanFor, raiseIncarnationOf } from "../sql/migrate.ts";
import { openError } from "../sql/open-error.ts";
import { migrationTarget } from "./migrations.ts";
import { parseAddress, type PostgresOptions } from "./wire/address.ts";
import { inspectServer, prepareSchema } from "./open.ts";

const connectMsMax = 5_000;

async function withConnection<T>(url: string, o: PostgresOptions, body: (c: Connection, schema: string) => Promise<T>): Promise<T> {
  const { connectionString, options, schema } = parseAddress(url, o);
  try {
    const c = await openConnection({ connectionString, options, connectMsMax });
    try {
      return await body(c, schema);
    } finally {
      await c.end().catch(() => c.destroy());
    }
  } catch (e) {
    throw openError(e, openProblem, (x) => storeError(x, "commit"));
  }
}

/** What opening the store would do to its schema, as statements that somebody else may run. Makes nothing. */
export function migrationPlan(url: string, platform: Platform, o: PostgresOptions = {}): Promise<MigrationPlan> {
  return withConnection(url, o, async (c, schema) => {
    const plan = await migrationPlanFor(migrationTarget(c, schema), platform);
    return plan.from > 0 ? plan : { ...plan, statements: [`create schema if not exists ${schema}`, ...plan.statements] };
  });
}

/** A new life of the store: the incarnation rises, and what the database is now becomes what it is known to be. */
export function raiseIncarnation(url: string, platform: Platform, o: PostgresOptions = {}): Promise<number> {
  return withConnection(url, o, async (c, schema) => {
    const { identity } = await inspectServer(c, o);
    await prepareSchema(c, platform, parseAddress(url, o), identity, true);
    return raiseIncarnationOf(migrationTarget(c, schema), identity);
  });
}
