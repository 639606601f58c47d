// Opening the file: durable settings set and read back, the schema brought to this code's format under the write lock.
// A setting that did not take is refused, because everything Pawl says about a run rests on it; who accepts the risk
// finds it named in every proof.
import { dirname } from "node:path";
import { PawlError } from "../../errors/error.ts";
import { ensureDir, identityOf } from "../../platform/files.ts";
import type { Platform } from "../../platform/platform.ts";
import { closeFile, openConnection, type Connection } from "./wire/driver.ts";
import { migrationTarget } from "./migrations.ts";
import { shareFile, type SharedFile, unshareFile, retryWhileBusy } from "./wire/writer.ts";
import { formatOf, prepareTables } from "../sql/migrate.ts";
import { openError } from "../sql/open-error.ts";
import { isDriverError, openProblem, storeError } from "./errors.ts";

export interface SqliteOptions {
  /** Opens the store although a setting is not durable; each such setting is reported by `info()`. */
  readonly acceptUnsafe?: boolean;
  /** Anything but "full" needs `acceptUnsafe`: an acknowledged Commit could be lost with the power. */
  readonly synchronous?: "full" | "normal" | "off";
}

export interface Opened {
  readonly db: Connection;
  readonly identity: string;
  readonly shared: SharedFile;
  readonly unsafe: readonly string[];
}

/** Pages of WAL between checkpoints (16 MiB): rarer than the default, since every checkpoint costs fsyncs of its own. */
const checkpointPages = 4_000;
const cacheKib = 16_384;
const synchronousNames = ["off", "normal", "full", "extra"] as const;

/** What every connection needs for itself; returns the settings that are not durable (I1: what is acknowledged survives). */
export async function configure(db: Connection, platform: Platform, o: SqliteOptions): Promise<string[]> {
  const unsafe: string[] = [];
  const mode = await retryWhileBusy(platform, () => db.prepare("pragma journal_mode = wal").get()?.["journal_mode"]);
  if (mode !== "wal") unsafe.push(`journal_mode=${String(mode)}`);
  db.exec(`pragma synchronous = ${o.synchronous ?? "full"}`);
  const level = Number(db.prepare("pragma synchronous").get()?.["synchronous"]);
  if (level < 2) unsafe.push(`synchronous=${synchronousNames[level] ?? String(level)}`);
  db.exec("pragma busy_timeout = 0");
  db.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
  db.exec(`pragma cache_size = -${cacheKib}`);
  db.exec("pragma temp_store = memory");
  if (unsafe.length > 0 && o.acceptUnsafe !== true) {
    throw new PawlError("PAWL3003", `sqlite: not durable with ${unsafe.join(", ")}`);
  }
  return unsafe;
}

/** What the connection says of itself now, in words. */
export function readSettings(db: Connection): Record<string, string> {
  const level = Number(db.prepare("pragma synchronous").get()?.["synchronous"]);
  return {
    journal_mode: String(db.prepare("pragma journal_mode").get()?.["journal_mode"]),
    synchronous: synchronousNames[level] ?? String(level),
    sqlite: String(db.prepare("select sqlite_version() as v").get()?.["v"]),
  };
}

export async function openFile(path: string, platform: Platform, o: SqliteOptions): Promise<Opened> {
  const refused = (e: unknown): PawlError =>
    openError(e, openProblem, (x) => {
      const known = storeError(x, "statement");
      if (known.page !== "PAWL3002") return known;
      return new PawlError("PAWL3002", known.message.replace(/^sqlite: /, `sqlite: ${path}: `), {
        cause: known.cause,
        outcome: known.outcome,
      });
    });
  let db: Connection;
  try {
    ensureDir(dirname(path));
    db = await openConnection(path);
  } catch (e) {
    throw refused(e);
  }
  let identity: string | undefined;
  try {
    const unsafe = await configure(db, platform, o);
    identity = identityOf(path);
    if (identity === undefined) throw new PawlError("PAWL3003", "sqlite: the path of the store must be a file");
    const shared = shareFile(identity);
    const target = migrationTarget(db, platform, shared.mutex);
    await prepareTables(target, platform, identity, await formatOf(target));
    return { db, identity, shared, unsafe };
  } catch (e) {
    if (identity !== undefined) unshareFile(identity);
    await closeFile(db);
    throw e instanceof PawlError || isDriverError(e) ? refused(e) : e;
  }
}
