// What an operator does to the database itself, outside the port: look at the statements before they are run, to hand them
// to whoever may run them, and record that the database was restored from a backup (K4). The plan only reads. Raising
// the incarnation touches one row and no run.
import type { Platform } from "../../platform/platform.ts";
import { retryOnConflict } from "./batch.ts";
import { lit } from "./wire/literal.ts";
import { format, formatOf, recording, statementsFor } from "./migrations.ts";
import { openDatabase, parseAddress, unshareHints } from "./open.ts";
import { openSession, readerSession } from "./wire/pool.ts";

export interface MigrationPlan {
  /** 0: no tables of Pawl yet. */
  readonly from: number;
  readonly to: number;
  readonly statements: readonly string[];
}

/** What opening the store would do to its schema. */
export async function migrationPlan(url: string, platform: Platform): Promise<MigrationPlan> {
  const { address, prefix } = parseAddress(url);
  const db = await openSession(address, platform, readerSession);
  try {
    const from = await retryOnConflict(platform, () => formatOf(db, prefix));
    return { from, to: format, statements: [...statementsFor(prefix, from), ...recording(prefix, from, platform.uuidV4(), "")] };
  } finally {
    await db.close();
  }
}

/** A new life of the store: the incarnation rises, and what the server is now becomes what it is known to be. */
export async function raiseIncarnation(url: string, platform: Platform): Promise<number> {
  const { readers, prefix, identity } = await openDatabase(url, platform, { acceptUnsafe: true });
  try {
    return await retryOnConflict(platform, () =>
      readers.with(async (db) => {
        const raised = `update ${prefix}meta set incarnation = last_insert_id(incarnation + 1), identity = ${lit(identity)}`;
        return (await db.query(raised)).insertId;
      }),
    );
  } finally {
    await readers.close();
    unshareHints(identity);
  }
}
