// The seam to the embedded database: Node's own SQLite where it can be imported, else the package with the same
// interface. Nothing else in Pawl may import either. Both drivers refuse `undefined`, hence bindable().
import { PawlError } from "../../../errors/error.ts";
import { releaseNative } from "../../../platform/release-native.ts";
import { dynamicImport } from "../../../platform/modules.ts";
import { driverMissing } from "../../sql/driver-missing.ts";
import { withoutExperimentalWarning } from "../../../platform/warnings.ts";

export type Bind = string | number | bigint | null | Uint8Array;
export type Row = Record<string, Bind>;

export interface Statement {
  run(...params: Bind[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...params: Bind[]): Row | undefined;
  all(...params: Bind[]): Row[];
  setReadBigInts(on: boolean): void;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Driver {
  readonly DatabaseSync: new (path: string, options: { timeout: number }) => Connection;
  /** A closed connection keeps its file open until its statements are collected. */
  readonly lingers?: true;
}

let driver: Promise<Driver> | undefined;

async function load(): Promise<Driver> {
  try {
    return (await withoutExperimentalWarning("SQLite", () => dynamicImport("node:sqlite"))) as Driver;
  } catch {
    return fallback();
  }
}

async function fallback(): Promise<Driver> {
  try {
    const { DatabaseSync } = (await import("@photostructure/sqlite")) as unknown as Driver;
    return { DatabaseSync, lingers: true };
  } catch (e) {
    driver = undefined;
    throw driverMissing("SQLite", ["node:sqlite", "@photostructure/sqlite"], e);
  }
}

/** Opens a file, making it if need be. The driver itself never waits for a lock (K11): the caller waits on a timer. */
export async function openConnection(path: string): Promise<Connection> {
  const { DatabaseSync } = await (driver ??= load());
  return new DatabaseSync(path, { timeout: 0 });
}

/** Closes it and has its file let go of. The caller has dropped every statement of it before. */
export async function closeFile(db: Connection): Promise<void> {
  db.close();
  if ((await driver)?.lingers === true) await releaseNative(db);
}

/**
 * Whether this is a handle of the SQLite that the store itself uses. Another copy of SQLite in the same process would take no
 * notice of the store's locks, nor the store of its own: the system counts both as one, and the file would be ruined.
 */
export async function isHandle(own: unknown): Promise<boolean> {
  return own instanceof (await (driver ??= load())).DatabaseSync;
}

/**
 * A parameter as both drivers take it: booleans as 0 and 1, undefined as null. Any object but bytes is refused here,
 * because the drivers would take it for a list of named parameters and bind something else.
 */
export function bindable(value: unknown): Bind {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array) return value;
  throw new PawlError("PAWL4011", "a SQL parameter must be text, a number, a bigint, a boolean, null or bytes");
}
