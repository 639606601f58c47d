// Opening the database: the URL read, the server's settings read and refused where an acknowledged Commit could be lost,
// the schema brought to this code's format. Nothing of the server is ever changed but Pawl's own tables. Who accepts an
// unsafe setting finds it named in every proof.
import { PawlError } from "../../errors/error.ts";
import { Hints } from "../hints.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Address, Connection } from "./wire/driver.ts";
import { openError } from "../sql/open-error.ts";
import { openProblem, storeError } from "./errors.ts";
import { formatOf, prepareTables } from "../sql/migrate.ts";
import { migrationTarget } from "./migrations.ts";
import { openSession, Pool, readerSession } from "./wire/pool.ts";
import { text } from "./rows.ts";

export interface MysqlOptions {
  /** Begins the name of every table; letters, digits and underscores. Default "pawl_"; also `?prefix=` in the URL. */
  readonly prefix?: string;
  /** False: a store that is not there is refused (PAWL5006), not made. */
  readonly make?: boolean;
  /** Opens the store although a setting is not durable; each such setting is reported by `info()`. */
  readonly acceptUnsafe?: boolean;
  /** Connections of each kind (reading, writing, ctx.tx), at most. Default 8. */
  readonly connections?: number;
  /** For tests: whether a batch may be sent as one compound statement, which MariaDB takes and MySQL does not. */
  readonly compound?: boolean;
  /** For tests: the store's clock in place of the server's, milliseconds. */
  readonly clock?: () => number;
}

export interface MysqlAddress {
  readonly address: Address;
  readonly prefix: string;
}

export interface OpenedDatabase extends MysqlAddress, ServerInfo {
  readonly readers: Pool;
  readonly identity: string;
  readonly compound: boolean;
  readonly hints: Hints;
}

const prefixForm = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
const parameters = ["prefix", "ssl", "socket"] as const;

/** `usual`: the prefix where neither the options nor the URL name one. */
export function parseAddress(url: string, o: Pick<MysqlOptions, "prefix"> = {}, usual = "pawl_"): MysqlAddress {
  let u: URL;
  try {
    u = new URL(url);
  } catch (e) {
    throw new PawlError("PAWL5002", "mysql: the store needs a URL such as mysql://user:password@host:3306/database", { cause: e });
  }
  const database = decodeURIComponent(u.pathname.slice(1));
  if (!/^(mysql|mariadb):$/.test(u.protocol) || database === "" || database.includes("/")) {
    throw new PawlError("PAWL5002", "mysql: the store needs a URL such as mysql://user:password@host:3306/database");
  }
  for (const name of u.searchParams.keys()) {
    if (!(parameters as readonly string[]).includes(name))
      throw new PawlError("PAWL5001", `mysql: unknown parameter in the URL: ${name}; use prefix, ssl or socket`);
  }
  const prefix = o.prefix ?? u.searchParams.get("prefix") ?? usual;
  if (!prefixForm.test(prefix)) {
    throw new PawlError("PAWL5001", "prefix must start with a letter and have at most 32 letters, digits and underscores");
  }
  const address: Address = {
    host: u.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: u.port === "" ? 3306 : Number(u.port),
    socket: u.searchParams.get("socket"),
    user: decodeURIComponent(u.username),
    password: decodeURIComponent(u.password),
    database,
    ssl: u.searchParams.get("ssl") === "true",
  };
  return { address, prefix };
}

const variables = [
  "innodb_flush_log_at_trx_commit",
  "innodb_doublewrite",
  "log_bin",
  "sync_binlog",
  "max_allowed_packet",
  "server_uuid",
  "server_uid",
  "hostname",
  "datadir",
] as const;

export async function readSettings(db: Connection): Promise<Record<string, string>> {
  const names = variables.map((v) => `'${v}'`).join(",");
  const found = await db.query(`show global variables where variable_name in (${names})`);
  const settings: Record<string, string> = {};
  for (const r of found.rows) settings[text(r, "Variable_name").toLowerCase()] = text(r, "Value");
  const version = (await db.query("select version() as version")).rows[0];
  settings["version"] = version === undefined ? "" : text(version, "version");
  return settings;
}

/** What could lose an acknowledged Commit when the machine, not only the server, goes down. */
export function unsafeAmong(settings: Readonly<Record<string, string>>): string[] {
  const unsafe: string[] = [];
  const flush = settings["innodb_flush_log_at_trx_commit"];
  // MariaDB's 3 is 1 with one fsync more.
  if (flush !== "1" && flush !== "3") unsafe.push(`innodb_flush_log_at_trx_commit=${String(flush)}`);
  const doublewrite = settings["innodb_doublewrite"];
  if (doublewrite === "OFF" || doublewrite === "0") unsafe.push(`innodb_doublewrite=${doublewrite}`);
  // With a binary log, what is not in it is rolled back at recovery: then its fsync counts too.
  const sync = settings["sync_binlog"];
  if (settings["log_bin"] === "ON" && sync !== "1") unsafe.push(`sync_binlog=${String(sync)}`);
  return unsafe;
}

export interface ServerInfo {
  readonly settings: Readonly<Record<string, string>>;
  readonly unsafe: readonly string[];
  readonly packetBytesMax: number;
}

/** Reads how the server is set, and refuses one that could lose what it acknowledged. */
export async function inspectServer(db: Connection, o: Pick<MysqlOptions, "acceptUnsafe">): Promise<ServerInfo> {
  const settings = await readSettings(db);
  const unsafe = unsafeAmong(settings);
  if (unsafe.length > 0 && o.acceptUnsafe !== true) throw new PawlError("PAWL3003", `mysql: not durable with ${unsafe.join(", ")}`);
  return { settings, unsafe, packetBytesMax: Number(settings["max_allowed_packet"] ?? 1_048_576) };
}

/** K4: which server and which database this is, as far as the server can say. */
function identityOf(settings: Readonly<Record<string, string>>, p: MysqlAddress): string {
  const server = settings["server_uuid"] ?? `${settings["server_uid"] ?? settings["hostname"] ?? ""}${settings["datadir"] ?? ""}`;
  return `mysql:${server}/${p.address.database}/${p.prefix}`;
}

/** Listeners of one store hear what other stores of this process write to the same tables. */
const sharedHints = new Map<string, { readonly hints: Hints; stores: number }>();

export function unshareHints(identity: string): void {
  const shared = sharedHints.get(identity);
  if (shared !== undefined && --shared.stores === 0) sharedHints.delete(identity);
}

export async function openDatabase(url: string, platform: Platform, o: MysqlOptions): Promise<OpenedDatabase> {
  const place = parseAddress(url, o);
  const readers = new Pool(() => openSession(place.address, platform, readerSession), o.connections ?? 8);
  try {
    return await readers.with(async (db) => {
      const { settings, unsafe, packetBytesMax } = await inspectServer(db, o);
      const identity = identityOf(settings, place);
      const target = migrationTarget(db, place.prefix, place.address.database);
      const found = await formatOf(target);
      if (found === 0 && o.make === false) throw new PawlError("PAWL5006", `the database has no tables with the prefix ${place.prefix}`);
      await prepareTables(target, platform, identity, found);
      const shared = sharedHints.get(identity) ?? { hints: new Hints(), stores: 0 };
      shared.stores++;
      sharedHints.set(identity, shared);
      const compound = o.compound ?? (settings["version"] ?? "").includes("MariaDB");
      return { ...place, readers, identity, unsafe, settings, packetBytesMax, compound, hints: shared.hints };
    });
  } catch (e) {
    await readers.close();
    if (e instanceof RangeError) throw e; // a crash point that a test armed throws its own
    throw openError(e, openProblem, (x) => storeError(x, "statement"));
  }
}
