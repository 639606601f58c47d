// Entry-point plumbing for operators: what is done to a store as a whole, by its URL, before or beside the port. The
// command line's way to the stores' folders; it holds no logic of its own.
import { PawlError } from "./errors/error.ts";
import type { Platform } from "./platform/platform.ts";
import type { MigrationPlan } from "./store/sql/migrate.ts";
import { migrationPlan, raiseIncarnation } from "./store/sqlite/operate.ts";

function sqlitePath(url: string): string {
  if (url.startsWith("sqlite:")) return url.slice("sqlite:".length);
  throw new PawlError("PAWL4011", `${url.split(":")[0] ?? url}: stores have no schema and no backups`);
}

const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url);
const isMysql = (url: string): boolean => /^(mysql|mariadb):/.test(url);

export async function migrationPlanOf(url: string, platform: Platform): Promise<MigrationPlan> {
  if (isPostgres(url)) return (await import("./store/postgres/operate.ts")).migrationPlan(url, platform);
  if (isMysql(url)) return (await import("./store/mysql/operate.ts")).migrationPlan(url, platform);
  return migrationPlan(sqlitePath(url), platform);
}

/** K4: after a restored backup. Returns the new incarnation. */
export async function markRestored(url: string, platform: Platform): Promise<number> {
  if (isPostgres(url)) return (await import("./store/postgres/operate.ts")).raiseIncarnation(url, platform);
  if (isMysql(url)) return (await import("./store/mysql/operate.ts")).raiseIncarnation(url, platform);
  return raiseIncarnation(sqlitePath(url), platform);
}

export type { MigrationPlan } from "./store/sql/migrate.ts";
