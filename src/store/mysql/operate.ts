// What an operator does to the database itself, outside the port: look at the statements before they are run, to hand them
// to somebody who may run them, and record that the database was restored from a backup (K4). The plan only reads. Raising
// the incarnation touches one row and no run.
import type { Platform } from "../../platform/platform.ts";
import { type MigrationPlan, migrationPlanFor, raiseIncarnationOf } from "../sql/migrate.ts";
import { openError } from "../sql/open-error.ts";
import { retryOnConflict } from "./batch.ts";
import { openProblem, storeError } from "./errors.ts";
import { migrationTarget } from "./migrations.ts";
import { openDatabase, parseAddress, unshareHints } from "./open.ts";
import { openSession, readerSession } from "./wire/pool.ts";

/** What opening the store would do to its schema. */
export async function migrationPlan(url: string, platform: Platform): Promise<MigrationPlan> {
  const { address, prefix } = parseAddress(url);
  const db = await openSession(address, platform, readerSession).catch((e: unknown) => {
    throw openError(e, openProblem, (x) => storeError(x, "statement"));
  });
  try {
    return await retryOnConflict(platform, () => migrationPlanFor(migrationTarget(db, prefix, address.database), platform));
  } finally {
    await db.close();
  }
}

/** A new life of the store: the incarnation rises, and what the server is now becomes what it is known to be. */
export async function raiseIncarnation(url: string, platform: Platform): Promise<number> {
  const { readers, prefix, identity, address } = await openDatabase(url, platform, { acceptUnsafe: true });
  try {
    const raise = (): Promise<number> => readers.with((db) => raiseIncarnationOf(migrationTarget(db, prefix, address.database), identity));
    return await retryOnConflict(platform, raise);
  } finally {
    await readers.close();
    unshareHints(identity);
  }
}
