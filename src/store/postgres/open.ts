// Opening the store: what the server is and how it is set, read back; the schema brought to this code's format. A server
// that would lose what it acknowledged is refused, because everything Pawl says about a run rests on it; who accepts the
// risk finds it named in every proof.
import { PawlError } from "../../errors/error.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Connection } from "./wire/driver.ts";
import { serverError } from "./errors.ts";
import { formatOf, prepareTables } from "../sql/migrate.ts";
import { migrationTarget } from "./migrations.ts";
import type { PostgresAddress, PostgresOptions } from "./wire/address.ts";

/** The oldest server that Pawl is written for. */
const versionMin = 130_000;

/** Sessions of Pawl's own statements: plans that are made once must not depend on how small the tables were then. */
export const ownOptions =
  "-c default_transaction_isolation=read\\ committed -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off -c lock_timeout=250ms -c statement_timeout=10s";
/** Sessions of ctx.tx: the user's statements are planned as the server sees fit. */
export const txOptions = "-c lock_timeout=5s";

export interface ServerInfo {
  readonly version: string;
  /** What the database physically is (K4): its system identifier and timeline, or, where that may not be read, its place. */
  readonly identity: string;
  readonly unsafe: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** Somebody stands between: the session that answers is not the one that was opened. */
  readonly pooler: boolean;
}

const durableSettings = ["fsync", "full_page_writes", "synchronous_commit"] as const;

export async function inspectServer(c: Connection, o: Pick<PostgresOptions, "acceptUnsafe">): Promise<ServerInfo> {
  const { rows } = await c.query({
    text:
      "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, pg_backend_pid() as pid, " +
      "current_database() as name, (select oid::bigint from pg_database where datname = current_database()) as oid, " +
      "pg_is_in_recovery() or current_setting('transaction_read_only')::bool as frozen, " +
      durableSettings.map((name) => `current_setting('${name}') as ${name}`).join(", "),
  });
  const row = rows[0] ?? {};
  if (Number(row["number"]) < versionMin) throw new PawlError("PAWL3037", `postgres: version ${String(row["version"])} is older than 13`);
  if (row["frozen"] === true) throw new PawlError("PAWL3036", "postgres: this server is read-only", { outcome: "none" });
  const settings = Object.fromEntries(durableSettings.map((name) => [name, String(row[name])]));
  const unsafe = durableSettings.filter((name) => settings[name] === "off").map((name) => `${name}=off`);
  if (unsafe.length > 0 && o.acceptUnsafe !== true) throw new PawlError("PAWL3003", `postgres: not durable with ${unsafe.join(", ")}`);
  return {
    version: String(row["version"]),
    identity: await identityOf(c, String(row["oid"])),
    unsafe,
    settings,
    pooler: c.pid !== Number(row["pid"]),
  };
}

async function identityOf(c: Connection, oid: string): Promise<string> {
  const text =
    "select s.system_identifier::text as id, k.timeline_id::text as line from pg_control_system() s cross join pg_control_checkpoint() k";
  try {
    const row = (await c.query({ text })).rows[0];
    return `${String(row?.["id"])}/${String(row?.["line"])}/${oid}`;
  } catch (e) {
    // Some hosted servers do not let it be read. What is left tells another database, not a restored copy of this one.
    if (serverError(e) === undefined) throw e;
    return `database/${oid}`;
  }
}

export async function prepareSchema(
  c: Connection,
  platform: Platform,
  place: PostgresAddress,
  identity: string,
  make: boolean,
): Promise<void> {
  const target = migrationTarget(c, place.schema);
  const found = await formatOf(target);
  if (found === 0 && !make) throw new PawlError("PAWL5006", `schema ${place.schema} has no store`);
  await prepareTables(target, platform, identity, found);
}
