// The seam to a MySQL or MariaDB server: one connection, its statements, and what became of it. The driver package is an
// optional peer, imported when the first connection is made; nothing else in Pawl may name it. A connection holds the
// process only while a statement is under way, and one that did not answer in time is given up, never used again.
import { PawlError } from "../../../errors/error.ts";
import { driverMissing } from "../../sql/driver-missing.ts";
import { dynamicImport } from "../../../platform/modules.ts";
import type { Platform } from "../../../platform/platform.ts";

export type Bind = string | number | bigint | boolean | null | Uint8Array;
export type Row = Record<string, unknown>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** Rows that matched; of a select none. */
  readonly changes: number;
  /** The auto-increment value, or the argument of last_insert_id(). */
  readonly insertId: number;
  /** Names of columns that hold whole numbers of 64 bits. */
  readonly bigintColumns: readonly string[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly socket: string | null;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: boolean;
}

/** As much of a connection as Pawl's own statements need. */
export interface Queryable {
  /** One statement as text, without placeholders. */
  query(text: string, limitMs?: number): Promise<QueryResult>;
}

export interface Connection extends Queryable {
  /** One statement prepared by the server and kept; `?` stands for a value. */
  execute(text: string, values: readonly Bind[], limitMs?: number): Promise<QueryResult>;
  /** The number that the server knows this session by. */
  readonly session: number;
  /** What the driver itself answers: result and fields as it gives them. */
  raw(how: "query" | "execute", o: { readonly sql: string; readonly values?: readonly unknown[] }): Promise<[unknown, unknown]>;
  readonly lost: boolean;
  /** Called once, when the connection is gone for whatever reason. */
  onLost(listener: () => void): void;
  close(): Promise<void>;
  destroy(): void;
}

/** A statement that takes longer has met a network that swallows packets, or a server that hangs. */
export const statementMsMax = 15_000;
const connectMsMax = 5_000;
const closeMsMax = 1_000;
const wideType = 8;

interface Socket {
  ref?(): void;
  unref?(): void;
}
interface Field {
  readonly name: string;
  readonly columnType?: number;
}
export type Fields = readonly (Field | undefined | readonly Field[])[] | undefined;
type Done = (error: unknown, result: unknown, fields: Fields) => void;
interface RawConnection {
  readonly stream: Socket;
  readonly threadId: number;
  connect(done: (error: unknown) => void): void;
  query(o: { sql: string }, done: Done): void;
  execute(o: { sql: string; values: readonly unknown[] }, done: Done): void;
  on(event: "error" | "end", listener: (e: unknown) => void): void;
  end(done: (error: unknown) => void): void;
  destroy(): void;
}
interface Driver {
  createConnection(o: Record<string, unknown>): RawConnection;
}

let driver: Promise<Driver> | undefined;

async function load(): Promise<Driver> {
  try {
    const module = (await dynamicImport("mysql2")) as Driver & { readonly default?: Driver };
    return module.default ?? module;
  } catch (e) {
    driver = undefined;
    throw driverMissing("MySQL", ["mysql2"], e);
  }
}

/** What the driver says when a connection is gone, in its own words. */
function lostError(message: string): Error {
  return Object.assign(new Error(message), { code: "PROTOCOL_CONNECTION_LOST", fatal: true });
}

export async function openConnection(a: Address, platform: Platform): Promise<Connection> {
  const { createConnection } = await (driver ??= load());
  const raw = createConnection({
    ...(a.socket === null ? { host: a.host, port: a.port } : { socketPath: a.socket }),
    user: a.user,
    password: a.password,
    database: a.database,
    ...(a.ssl ? { ssl: {} } : {}),
    charset: "utf8mb4_bin",
    supportBigNumbers: true,
    dateStrings: true,
    jsonStrings: true,
    connectTimeout: connectMsMax,
  });
  const connection = new Mysql2Connection(raw, platform);
  try {
    await new Promise<void>((resolve, reject) => raw.connect((e) => (e === null || e === undefined ? resolve() : reject(e as Error))));
  } catch (e) {
    connection.destroy();
    throw e;
  }
  raw.stream.unref?.();
  return connection;
}

class Mysql2Connection implements Connection {
  readonly #raw: RawConnection;
  readonly #platform: Platform;
  #lost = false;
  /** Statements under way: the first holds the process, the last lets it go. */
  #asked = 0;
  #listener: (() => void) | undefined;

  constructor(raw: RawConnection, platform: Platform) {
    this.#raw = raw;
    this.#platform = platform;
    // Without a listener, the loss of an idle connection would end the process.
    raw.on("error", () => this.#gone());
    raw.on("end", () => this.#gone());
  }

  get session(): number {
    return this.#raw.threadId;
  }

  get lost(): boolean {
    return this.#lost;
  }

  onLost(listener: () => void): void {
    this.#listener = listener;
  }

  query(text: string, limitMs?: number): Promise<QueryResult> {
    return this.#ask(limitMs, (done) => this.#raw.query({ sql: text }, done), toResult);
  }

  execute(text: string, values: readonly Bind[], limitMs?: number): Promise<QueryResult> {
    return this.#ask(limitMs, (done) => this.#raw.execute({ sql: text, values: values.map(bindable) }, done), toResult);
  }

  raw(how: "query" | "execute", o: { readonly sql: string; readonly values?: readonly unknown[] }): Promise<[unknown, unknown]> {
    return this.#ask(
      undefined,
      (done) => (how === "query" ? this.#raw.query(o, done) : this.#raw.execute({ values: [], ...o }, done)),
      (result, fields) => [result, fields],
    );
  }

  async close(): Promise<void> {
    if (this.#lost) return;
    this.#raw.stream.ref?.();
    await new Promise<void>((resolve) => {
      // A server that does not even take the goodbye is left without it.
      const cancel = this.#platform.timer(closeMsMax, resolve, true);
      this.#raw.end(() => {
        cancel();
        resolve();
      });
    });
    this.destroy();
  }

  destroy(): void {
    this.#raw.destroy();
    this.#gone();
  }

  #gone(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#listener?.();
  }

  async #ask<R>(limitMs: number | undefined, send: (done: Done) => void, as: (result: unknown, fields: Fields) => R): Promise<R> {
    if (this.#lost) throw lostError("the connection is gone");
    if (this.#asked++ === 0) this.#raw.stream.ref?.();
    try {
      return await new Promise<R>((resolve, reject) => {
        const cancel = this.#platform.timer(limitMs ?? statementMsMax, () => {
          this.destroy();
          reject(lostError("the server did not answer in time"));
        });
        send((error, result, fields) => {
          cancel();
          if (error !== null && error !== undefined) {
            if ((error as { fatal?: unknown }).fatal === true) this.#gone();
            reject(error as Error);
          } else resolve(as(result, fields));
        });
      });
    } finally {
      if (--this.#asked === 0) this.#raw.stream.unref?.();
    }
  }
}

/** What the driver tells of a statement, as rows or as counts. */
export function toResult(result: unknown, fields: Fields): QueryResult {
  // A call or a compound statement answers with several results: the first with rows counts, else the first.
  if (Array.isArray(result) && fields?.some((f) => f === undefined || Array.isArray(f)) === true) {
    const at = Math.max(
      0,
      fields.findIndex((f) => Array.isArray(f)),
    );
    return toResult(result[at], fields[at] as Fields);
  }
  if (Array.isArray(result)) {
    const wide = ((fields ?? []) as readonly Field[]).filter((f) => f.columnType === wideType).map((f) => f.name);
    return { rows: result as Row[], changes: 0, insertId: 0, bigintColumns: wide };
  }
  const head = result as { affectedRows?: number; insertId?: number };
  return { rows: [], changes: head.affectedRows ?? 0, insertId: Number(head.insertId ?? 0), bigintColumns: [] };
}

/** A parameter as the driver takes it: it would send any other object as JSON text, and undefined as an error. */
export function bindable(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new PawlError("PAWL4011", "a SQL parameter must be text, a number, a bigint, a boolean, null or bytes");
}
