// Where a store lies: the URL taken apart into what the driver needs and what Pawl needs, and the names that are made of
// the schema. A schema's name is checked before it becomes part of any statement; nothing else is ever pasted into SQL.
import { sha256Hex } from "../../../platform/crypto/hash.ts";
import { PawlError } from "../../../errors/error.ts";

export interface PostgresOptions {
  /** The schema that holds Pawl's tables; default "pawl". Also `?schema=` in the URL. */
  readonly schema?: string;
  /** False: a store that is not there is refused (PAWL5006), not made. */
  readonly make?: boolean;
  /** A transaction pooler is in between: no session locks, no prepared statements; the lease decides. Also `?pooler=1`. */
  readonly pooler?: boolean;
  /** Opens the store although a setting is not durable; each such setting is reported by `info()`. */
  readonly acceptUnsafe?: boolean;
  /** The largest number of connections for Pawl's own statements; default 8. */
  readonly connectionsMax?: number;
  /** The largest number of transactions of ctx.tx at once, each on a connection of its own; default 8. */
  readonly txConnectionsMax?: number;
  /** The isolation of ctx.tx; default serializable, as on every store: who would break it is rolled back and run again. */
  readonly txIsolation?: "read committed" | "repeatable read" | "serializable";
}

export interface PostgresAddress {
  /** The URL as the driver gets it: without Pawl's own parameters. */
  readonly connectionString: string;
  /** What the user wants every session to be set to. */
  readonly options: string;
  readonly schema: string;
  readonly pooler: boolean;
}

/** `usual`: the schema where neither the options nor the URL name one. */
export function parseAddress(url: string, o: Pick<PostgresOptions, "schema" | "pooler">, usual = "pawl"): PostgresAddress {
  let u: URL;
  try {
    u = new URL(url);
  } catch (e) {
    throw new PawlError("PAWL5002", "postgres: the store's URL is not a valid URL", { cause: e });
  }
  if (u.protocol !== "postgres:" && u.protocol !== "postgresql:")
    throw new PawlError("PAWL5002", `postgres: the store's URL must start with postgres://, not ${u.protocol}`);
  const own = (name: string): string | undefined => {
    const value = u.searchParams.get(name);
    u.searchParams.delete(name);
    return value ?? undefined;
  };
  const schema = checkSchema(o.schema ?? own("schema") ?? usual);
  own("schema");
  const asked = own("pooler");
  const pooler = o.pooler ?? (asked !== undefined && asked !== "0" && asked !== "false");
  const options = own("options") ?? "";
  return { connectionString: u.toString(), options, schema, pooler };
}

/** Plain names only: they are pasted into statements, and must be the same whether or not they are quoted. */
export function checkSchema(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith("pg_")) return name;
  throw new PawlError("PAWL5001", "schema must have 1 to 63 of a-z, 0-9 and _, and must not start with a digit or pg_");
}

/** The channel of a store's hints: short whatever the schema's name, and apart from those of others in the database. */
export function channelOf(schema: string): string {
  return `pawl_${sha256Hex(schema).slice(0, 24)}`;
}

/** A key for the server's advisory locks: 64 bits as a signed number, made of the schema and what is locked. */
export function lockKey(schema: string, what: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${sha256Hex(`pawl/${schema}/${what}`).slice(0, 16)}`));
}
