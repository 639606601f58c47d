// Connections of one kind, opened when needed, kept while idle, dropped when lost. A caller that finds none free waits in line.
// Each is given its session's settings before its first statement; a writer's session has autocommit off, so that a
// transaction begins with its first statement and costs no round trip of its own. Idle ones never keep a process alive.
import type { Platform } from "../../../platform/platform.ts";
import { PawlError } from "../../../errors/error.ts";
import type { CrashPoints } from "../../batch-rules.ts";
import { type Address, openConnection, type Connection } from "./driver.ts";
import { storeError } from "../errors.ts";

/** Strict, and with backslash escapes, which literal.ts relies on. */
const sqlMode = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";
/** Seconds; the least that a MySQL server takes. Who needs longer asks again. */
const lockWaitS = 1;

export interface SessionKind {
  readonly autocommit: boolean;
  readonly isolation: "read committed" | "serializable";
  /** Seconds: MariaDB ends a session whose client has left it inside a transaction, so that its rows are free again. */
  readonly idleS?: number;
}

/** A transaction that begins by itself and ends with `commit` or `rollback`. */
export const writerSession: SessionKind = { autocommit: false, isolation: "read committed" };
export const readerSession: SessionKind = { autocommit: true, isolation: "read committed" };
/** ctx.tx: what is read there cannot change before it commits, as on SQLite; who loses is run again. */
export const userSession: SessionKind = { autocommit: false, isolation: "serializable", idleS: 15 };

export async function openSession(address: Address, platform: Platform, kind: SessionKind): Promise<Connection> {
  let db: Connection | undefined;
  try {
    db = await openConnection(address, platform);
    await db.query(`set session transaction isolation level ${kind.isolation}`);
    await db.query(
      `set session sql_mode = '${sqlMode}', innodb_lock_wait_timeout = ${lockWaitS}, time_zone = '+00:00', autocommit = ${kind.autocommit ? 1 : 0}${kind.idleS === undefined ? "" : `/*M!100300 , idle_transaction_timeout = ${kind.idleS} */`}`,
    );
    return db;
  } catch (e) {
    db?.destroy();
    throw storeError(e, "statement");
  }
}

interface Waiter {
  readonly resolve: (db: Connection) => void;
  readonly reject: (e: unknown) => void;
}

export class Pool {
  readonly #open: () => Promise<Connection>;
  readonly #max: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  readonly #waiting: Waiter[] = [];
  #opening = 0;
  #closed = false;

  constructor(open: () => Promise<Connection>, max: number) {
    this.#open = open;
    this.#max = max;
  }

  /** `body` has the connection alone. Whatever it leaves open is its own fault: see transaction. */
  async with<T>(body: (db: Connection) => Promise<T>): Promise<T> {
    const db = await this.#take();
    try {
      return await body(db);
    } finally {
      this.#give(db);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const w of this.#waiting.splice(0)) w.reject(new PawlError("PAWL3009", "the store is closed"));
    await Promise.all(this.#idle.splice(0).map((db) => db.close()));
  }

  async #take(): Promise<Connection> {
    if (this.#closed) throw new PawlError("PAWL3009", "the store is closed");
    const free = this.#idle.pop();
    if (free !== undefined) return free;
    if (this.#all.size + this.#opening >= this.#max) {
      return new Promise<Connection>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }
    this.#opening++;
    try {
      const db = await this.#open();
      this.#opening--;
      this.#all.add(db);
      db.onLost(() => this.#drop(db));
      return db;
    } catch (e) {
      this.#opening--;
      // A caller that waits for the place that this connection did not take tries for itself.
      this.#next();
      throw e;
    }
  }

  #give(db: Connection): void {
    if (db.lost) return;
    if (this.#closed) return void db.close();
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(db);
    else next.resolve(db);
  }

  #drop(db: Connection): void {
    this.#all.delete(db);
    const at = this.#idle.indexOf(db);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#next();
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#take().then(next.resolve, next.reject);
  }
}

/** One transaction on a writer's connection. L-20: any error between the statements takes all of them back. */
export async function transaction<T>(db: Connection, body: () => Promise<T>, marks: CrashPoints = {}): Promise<T> {
  let value: T;
  try {
    value = await body();
    marks.before?.();
  } catch (e) {
    await rollback(db);
    throw e;
  }
  try {
    await db.query("commit");
  } catch (e) {
    await rollback(db);
    throw storeError(e, "commit");
  }
  marks.after?.();
  return value;
}

/** Rolls back whatever is open. A connection that cannot even do this is not used again. */
export async function rollback(db: Connection): Promise<void> {
  if (db.lost) return;
  try {
    await db.query("rollback");
  } catch {
    db.destroy();
  }
}
