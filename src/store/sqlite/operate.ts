// What an operator does to the file itself, outside the port: look at the schema before it is migrated, and record that
// the file was restored from a backup (K4). The plan only reads. Raising the incarnation touches one row and no run.
import { exists, identityOf } from "../../platform/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { type MigrationPlan, migrationPlanFor, raiseIncarnationOf } from "../sql/migrate.ts";
import { openConnection } from "./wire/driver.ts";
import { migrationTarget } from "./migrations.ts";
import { openFile } from "./open.ts";
import { unshareFile } from "./wire/writer.ts";

/** What opening the store would do to its schema. Makes nothing, not even the file. */
export async function migrationPlan(path: string, platform: Platform): Promise<MigrationPlan> {
  const db = await openConnection(exists(path) ? path : ":memory:");
  try {
    return await migrationPlanFor(migrationTarget(db, platform), platform);
  } finally {
    db.close();
  }
}

/** A new life of the store: the incarnation rises, and what the file is now becomes what it is known to be. */
export async function raiseIncarnation(path: string, platform: Platform): Promise<number> {
  const { db, identity, shared } = await openFile(path, platform, {});
  try {
    return await raiseIncarnationOf(migrationTarget(db, platform, shared.mutex), identityOf(path) ?? identity);
  } finally {
    db.close();
    unshareFile(identity);
  }
}
