// What an operator does to the file itself, outside the port: look at the schema before it is migrated, and record that
// the file was restored from a backup (K4). The plan only reads. Raising the incarnation touches one row and no run.
import { PawlError } from "../../errors/error.ts";
import { exists, identityOf } from "../../platform/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { connect } from "./wire/driver.ts";
import { format, formatOf, migrations, recording } from "./migrations.ts";
import { openFile } from "./open.ts";
import { rollback, unshareFile, retryWhileBusy } from "./wire/writer.ts";

export interface MigrationPlan {
  /** 0: no tables of Pawl yet. */
  readonly from: number;
  readonly to: number;
  readonly statements: readonly string[];
}

/** What opening the store would do to its schema. Makes nothing, not even the file. */
export async function migrationPlan(path: string, platform: Platform): Promise<MigrationPlan> {
  let from = 0;
  if (exists(path)) {
    const db = await connect(path);
    try {
      from = await retryWhileBusy(platform, () => formatOf(db));
    } finally {
      db.close();
    }
  }
  const pending = migrations.filter((m) => m.format > from).flatMap((m) => m.statements);
  return { from, to: format, statements: [...pending, ...recording(from, platform.uuidV4(), "")] };
}

/** A new life of the store: the incarnation rises, and what the file is now becomes what it is known to be. */
export async function raiseIncarnation(path: string, platform: Platform): Promise<number> {
  const { db, identity, shared } = await openFile(path, platform, {});
  await shared.mutex.lock();
  try {
    await retryWhileBusy(platform, () => db.exec("begin immediate"));
    try {
      db.prepare("update pawl_meta set incarnation = incarnation + 1, identity = ?").run(identityOf(path) ?? identity);
      const incarnation = Number(db.prepare("select incarnation from pawl_meta").get()?.["incarnation"]);
      db.exec("commit");
      return incarnation;
    } catch (e) {
      rollback(db);
      throw e instanceof PawlError
        ? e
        : new PawlError("PAWL3002", "sqlite: the incarnation was not raised", { cause: e, outcome: "unknown" });
    }
  } finally {
    shared.mutex.unlock();
    db.close();
    unshareFile(identity);
  }
}
